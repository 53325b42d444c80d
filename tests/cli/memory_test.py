"""Too little memory: two lines and the documented status, wherever it ends, and no output."""
import json
import random
import resource
import subprocess

import pytest

from conftest import PROGRAM, SANITIZED

MIB = 1 << 20


def run_with(room, folder, *arguments):
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (int(room * MIB),) * 2)
    return subprocess.run([PROGRAM, *arguments], cwd=folder, preexec_fn=limit, capture_output=True, text=True, check=False)


@pytest.mark.skipif(SANITIZED, reason="sanitizers map far more than any limit")
def test_wherever_memory_ends_it_is_said_and_nothing_is_written(fugu):
    chance = random.Random(1)
    given = {f"s{s}": {"values": list(range(120)), "mass": [chance.randint(1, 10**30) for _ in range(120)]} for s in range(120)}
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "priors": [{"given": given}]}))
    room = 16
    while run_with(room, fugu.folder, "--version").returncode != 0:
        room += 2
    failures, status = 0, 1
    for _ in range(400):  # up to where it is enough: every step ends at another place
        room += 0.25
        run = run_with(room, fugu.folder, "calibrate", "--scenario", "s.json", "--method", "kantorovich", "-o", "plan.json",
                       "--threads", "1", "--quiet")
        status = run.returncode
        if status == 0:
            break
        failures += 1
        assert status == 1, (room, run.stderr)
        assert run.stderr.startswith("fugu: there is not enough memory\nhint: ") and run.stderr.count("\n") == 2, (room, run.stderr)
        assert not (fugu.folder / "plan.json").exists()
    assert status == 0 and failures >= 8
