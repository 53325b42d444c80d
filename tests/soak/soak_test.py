"""A few seconds of the soak in every run of the tests; `make soak` lasts ten minutes."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("FUGU", str(HERE.parents[1] / "build" / "fugu"))


@pytest.mark.skipif("FUGU_SANITIZED" in os.environ, reason="a limit of memory leaves no room for a sanitizer")
def test_a_short_soak(tmp_path):
    done = subprocess.run([sys.executable, "-B", HERE / "soak.py", PROGRAM, "--seconds", "10", "--json", tmp_path / "soak.json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "soak.json").read_text())
    assert found["commands"]["released"] and found["commands"]["killed"] and found["studio"]["releases"], "the control: something happened"
