"""Half a minute of the soak in long runs of the tests; `make soak` lasts ten minutes."""
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
    done = subprocess.run([sys.executable, "-B", HERE / "soak.py", PROGRAM, "--seconds", "30", "--json", tmp_path / "soak.json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "soak.json").read_text())
    happened = [found["commands"]["released"], found["commands"]["killed"], found["commands"]["with a clock that jumps"], found["studio"]["releases"],
                found["studio"]["connections_lost"], found["databases"]["released, alone"]]
    if isinstance(found["on_a_full_disk"], dict):
        happened.append(found["on_a_full_disk"]["no file"])
    assert all(happened), f"the control: something happened: {found}"
