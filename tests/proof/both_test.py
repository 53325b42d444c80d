"""Two verifiers that share nothing but the format: `fugu verify` and the proved `fugu-check` agree on random plans and on
forged ones, or fugu-check says that it does not cover the plan.

FUGU_PROOF_PLANS and FUGU_PROOF_FORGED are how many; with FUGU_LONG 10,000 and 2,000."""

import collections
import concurrent.futures
import os
import pathlib
import shlex
import sys
import tempfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tests" / "corpus")]
import cases
import plans

FUGU = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
CHECK = os.environ.get("FUGU_CHECK", str(ROOT / "build" / "fugu-check"))
LONG = "FUGU_LONG" in os.environ
PLANS = int(os.environ.get("FUGU_PROOF_PLANS", 10_000 if LONG else 300))
FORGED = int(os.environ.get("FUGU_PROOF_FORGED", 2_000 if LONG else 150))

pytestmark = pytest.mark.skipif(not (os.path.exists(FUGU) and os.path.exists(CHECK)), reason="needs build/fugu and build/fugu-check")


def hold(count, forged):
    """As many plans as asked for: questions that have none do not count."""
    found, differ, seed = collections.Counter(), [], 0

    def work(number):
        with tempfile.TemporaryDirectory() as folder:
            return number, plans.case(FUGU, CHECK, folder, number, forged)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while sum(found.values()) < count:
            batch = range(seed, seed + min(200, count - sum(found.values())))
            seed = batch.stop
            for number, result in pool.map(work, batch):
                if result is None:
                    continue
                ours, theirs, said, words = result
                found[ours, words if theirs == "not covered" else theirs] += 1
                if not plans.agree(ours, theirs):
                    differ.append((number, said, words))
    for (ours, theirs), many in sorted(found.items()):
        print(f"{many:6} fugu verify: {ours}; fugu-check: {theirs}")
    assert not differ, differ
    return found


def share_covered(found):
    return sum(many for (_, theirs), many in found.items() if not theirs.startswith("not covered")) / sum(found.values())


def test_random_plans():
    found = hold(PLANS, forged=False)
    assert share_covered(found) > 0.5


def test_forged_plans():
    found = hold(FORGED, forged=True)
    assert share_covered(found) > 0.5
    assert found["not private", "not private"] > FORGED / 10 and found["private", "private"] > FORGED / 20


def test_plans_of_the_corpus(tmp_path):
    cases.write_inputs(tmp_path)
    found = collections.Counter()
    wanted = list(cases.calibrations())
    for command in wanted if LONG else wanted[::4]:
        path = tmp_path / "plan.json"
        path.unlink(missing_ok=True)
        done = plans.subprocess.run([FUGU, *shlex.split(command), "-o", "plan.json"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done
        ours, said = plans.verdict_of_fugu(FUGU, path)
        theirs, words = plans.verdict_of_check(CHECK, path)
        assert ours == "private" and theirs in ("private", "not covered"), (command, said, words)
        found[words] += 1
    print(found)
