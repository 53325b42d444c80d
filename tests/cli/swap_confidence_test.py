"""Values that trade places against every law that the counts allow: against HiGHS over all corners of the boxes."""
import itertools
import json
import math
import random

import pytest
import scipy.stats

import tampering_test
from swap_test import check_exactly, laws_of, least_changed, random_rows, swap, write_table  # noqa: F401


def corners(boxes):
    """The laws at which a linear function over a box of masses that add up to 1 is largest or least."""
    for free in range(len(boxes)):
        for ends in itertools.product((0, 1), repeat=len(boxes) - 1):
            law = [boxes[x][end] for x, end in zip((x for x in range(len(boxes)) if x != free), ends)]
            rest = 1 - sum(law)
            if boxes[free][0] <= rest <= boxes[free][1]:
                yield [*law[:free], rest, *law[free:]]


def clopper_pearson(count, total, tail):
    beta = scipy.stats.beta
    return (beta.ppf(tail, count, total - count + 1) if count else 0.0,
            beta.isf(tail, count + 1, total - count) if count < total else 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_with_a_confidence_every_law_that_the_counts_allow_is_covered(fugu, seed):
    draw = random.Random(seed)
    rows = random_rows(draw, 1, 2, 3, 3000)
    write_table(fugu, rows, ["s", "c"])
    question = ["t.csv", "--secret", "s", "--public", "c", "--epsilon", "0.5", "--confidence", "0.9", "--rows-independent"]
    fugu.ok("calibrate", *question, "-o", "plan.json")
    fugu.method = None  # it is the method when none is named
    fugu.ok("calibrate", *question, "-o", "default.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    default = json.loads((fugu.folder / "default.json").read_text())
    assert plan["guarantee"]["method"] == default["guarantee"]["method"] == "swap" and plan["guarantee"]["confidence"] == 0.9
    kept = check_exactly(plan, 0.5)
    fugu.ok("verify", "plan.json")

    stratum, laws, counts = laws_of(plan)
    totals = [[sum(row[0] == s and row[1] == v for row in rows) for v in "uvw"] for s in ("s0", "s1")]
    tail = 0.1 / (2 * 3) / 2
    sets = [list(corners([clopper_pearson(count, sum(of), tail) for count in of])) for of in totals]
    # One prior a pair of corners: each must keep the promise by itself.
    weights = [count / sum(counts) for count in counts]
    best = least_changed([list(pair) for pair in itertools.product(*sets)], weights, 0.5)
    assert 1 - kept == pytest.approx(best, abs=1e-6)
    moved = [[0.0] * 3 for _ in range(3)]
    for a, b, weight in stratum["flows"]:
        moved[a][b] = int(weight) / int(stratum["totals"][a])
    for a in range(3):
        moved[a][a] = 1 - sum(moved[a])
    worst = max(math.log(sum(p * k[y] for p, k in zip(one, moved)) / sum(q * k[y] for q, k in zip(other, moved)))
                for y in range(3) for left, right in itertools.permutations(sets, 2) for one in left for other in right)
    assert 0.5 - 1e-4 <= worst <= 0.5 + 1e-9

    # What the table's own frequencies allow is not enough.
    fugu.method = "swap"
    fugu.ok("calibrate", *[flag for flag in question if flag not in ("--confidence", "0.9")], "-o", "plain.json")
    plan["mechanism"] = json.loads((fugu.folder / "plain.json").read_text())["mechanism"]
    tampering_test.refused(fugu, plan)


def test_a_confidence_asks_for_values_that_occur(fugu):
    write_table(fugu, [[f"s{k % 2}", str(k % 5 * 10)] for k in range(200)], ["s", "n"])
    question = ["t.csv", "--secret", "s", "--public", "n", "--epsilon", "0.5", "--confidence", "0.9", "--rows-independent"]
    fugu.fails(2, "calibrate", *question, "--clip", "0:50", "--step", "10", says=["with a confidence every value that can occur must occur"])
    fugu.ok("calibrate", *question, "--clip", "0:40", "--step", "10", "-o", "plan.json")
