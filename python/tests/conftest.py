import os

import pytest


@pytest.fixture(scope="session")
def program():
    """The command line built beside the wheel."""
    if "FUGU" not in os.environ:
        pytest.skip("FUGU names no program")
    return os.environ["FUGU"]
