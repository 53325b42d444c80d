"""Three plans that are not private, and that a verifier with one small fault would accept: fugu-check refuses each.

forged/NAME.json is the plan, forged/NAME.patch the fault in fugu/proof/, forged/make.py made the plans:

- outermost-output: noise whose loss exceeds epsilon at the last value, and beyond it, alone. The fault leaves the last window
  out: `for (size_t k = 0; k + 1 < high.size(); ++k)` in loss.cc.
- bound-inward: a channel whose odds exceed e^epsilon by less than 2^-190 of it, which 128 bits do not tell. The fault compares
  the inner ends of the bounds: `if (certainly_less(limit, ratio))` for `if (!certainly_at_most(ratio, limit))` in judge.h.
- pair-skipped: noise for two of three pairs. The fault goes through all pairs but the last: `pairs.pop_back();` in loss.cc.

With FUGU_FAULTED=FOLDER the programs FOLDER/NAME, built with these faults, must accept them.
"""

import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FUGU = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
CHECK = os.environ.get("FUGU_CHECK", str(ROOT / "build" / "fugu-check"))
NAMES = ["outermost-output", "bound-inward", "pair-skipped"]


def run(*words):
    return subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", NAMES)
def test_the_proved_checker_refuses(name):
    done = run(CHECK, HERE / "forged" / f"{name}.json")
    assert (done.returncode, done.stdout) == (4, "not proved\n"), done


@pytest.mark.skipif(not os.path.exists(FUGU), reason="needs build/fugu")
@pytest.mark.parametrize("name", NAMES)
def test_so_does_the_verifier_without_the_fault(name):
    done = run(FUGU, "verify", HERE / "forged" / f"{name}.json")
    assert done.returncode == 4 and " tells two secrets apart " in done.stderr, done


@pytest.mark.parametrize("name", NAMES)
def test_the_fault_can_still_be_planted(name):
    assert run("git", "apply", "--check", HERE / "forged" / f"{name}.patch").returncode == 0


@pytest.mark.skipif("FUGU_FAULTED" not in os.environ, reason="needs programs built with the faults")
@pytest.mark.parametrize("name", NAMES)
def test_a_verifier_with_the_fault_accepts(name):
    assert run(pathlib.Path(os.environ["FUGU_FAULTED"]) / name, "verify", HERE / "forged" / f"{name}.json").returncode == 0
