import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from machine import ROOT, Machine, output_of
from three_commands import plan_of


@pytest.fixture
def machine(tmp_path):
    """machine(name, packages …): a fresh Debian with these packages, and nothing else."""
    if os.geteuid() != 0:
        pytest.skip("only root can bootstrap a Debian")
    return lambda name="base", *packages: Machine(name, packages, tmp_path)


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """What `fugu demo` of the build writes, for what has no demo itself."""
    folder = tmp_path_factory.mktemp("demo")
    output_of(ROOT / "build" / "fugu", "demo", "--dir", folder / "fugu-demo")
    return folder / "fugu-demo"


@pytest.fixture(scope="session")
def plan(demo):
    """The plan of the build's program: everybody else's must be the same, byte for byte."""
    return plan_of(lambda *words: output_of(ROOT / "build" / "fugu", *words, cwd=demo.parent), lambda file: (demo.parent / file).read_text())
