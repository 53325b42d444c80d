"""Bounds of frequencies: boxes, bands, both, and people drawn without replacement. Worst cases against HiGHS."""
import itertools
import json
import math
import random

import pytest
import scipy.optimize
import scipy.stats

from swap_confidence_test import clopper_pearson
from tampering_test import canonical, digest, read

QUESTION = ["t.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "--rows-independent"]
DECLARED = ["--clip", "0:7", "--step", "1", "--confidence", "0.9"]


def write_table(fugu, seed=1, people=300, values=8):
    draw = random.Random(seed)
    rows = [("ab"[k % 2], min(values - 1, int(draw.expovariate(0.6 if k % 2 else 0.4)))) for k in range(people)]
    fugu.write("t.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    return [[sum(row == (s, x) for row in rows) for x in range(values)] for s in "ab"]


def calibrated(fugu, *flags):
    fugu.ok("calibrate", *QUESTION, *flags, "-o", "plan.json", "--force")
    fugu.ok("verify", "plan.json")
    return read(fugu.folder / "plan.json")


def bounds_of(counts, kind, confidence=0.9, laws=2):
    """Boxes, and ends of the masses up to each place."""
    total, size, wrong = sum(counts), len(counts), (1 - confidence) / laws / (2 if kind == "both" else 1)
    boxes = [(0, 1)] * size if kind == "band" else [clopper_pearson(count, total, wrong / (2 * size)) for count in counts]
    width = 1 if kind == "boxes" else math.sqrt(math.log(2 / wrong) / (2 * total))
    return boxes, [(max(0, sums / total - width), min(1, sums / total + width)) for sums in itertools.accumulate(counts)]


def most(kernel, boxes, band):
    """The largest mass that a law within all bounds gives, by another solver."""
    size = len(kernel)
    below = [[float(x <= j) for x in range(size)] for j in range(size - 1)]
    found = scipy.optimize.linprog([-k for k in kernel], A_ub=below + [[-v for v in row] for row in below],
                                   b_ub=[high for _, high in band[:-1]] + [-low for low, _ in band[:-1]],
                                   A_eq=[[1.0] * size], b_eq=[1], bounds=boxes, method="highs")
    assert found.status == 0
    return -found.fun


def worst_loss(rows, laws):
    """rows[y][x]: P(y|x)."""
    return max(math.log(most(kernel, *one) / -most([-k for k in kernel], *other))
               for kernel in rows for one, other in itertools.permutations(laws, 2))


def kernel_rows(plan, values):
    mechanism = plan["mechanism"]
    if "inputs" in mechanism:
        totals = [sum(map(int, row)) for row in mechanism["weights"]]
        return [[int(row[y]) / total for row, total in zip(mechanism["weights"], totals)] for y in range(len(mechanism["outputs"]))]
    ratio = int(mechanism["tail"]["numerator"]) / 2 ** mechanism["tail"]["log2_denominator"]
    return [[ratio ** abs(y - x) for x in range(values)] for y in range(values)]


@pytest.mark.parametrize("kind", ["boxes", "band", "both"])
@pytest.mark.parametrize("seed", range(3))
def test_the_worst_law_is_found(fugu, kind, seed):
    counts = write_table(fugu, seed)
    laws = [bounds_of(of, kind) for of in counts]
    plan = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "exact")
    assert plan["scenario"].get("bounds", "boxes") == kind
    assert worst_loss(kernel_rows(plan, 8), laws) == pytest.approx(0.5, abs=1e-7)


@pytest.mark.parametrize("kind", ["band", "both"])
def test_a_channel_against_every_law(fugu, kind):
    counts = write_table(fugu, 5)
    plan = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "channel")
    found = worst_loss([row for row in kernel_rows(plan, 8) if max(row) > 1e-9], [bounds_of(of, kind) for of in counts])
    assert 0.5 - 1e-3 < found <= 0.5 + 1e-9
    exact = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "exact")
    optimal = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "optimal")
    assert plan["mechanism"]["mse"] < optimal["mechanism"]["mse"] < exact["mechanism"]["mse"]


@pytest.mark.parametrize("kind", ["band", "both"])
def test_values_that_trade_places_against_every_law(fugu, kind):
    counts = write_table(fugu, 6, people=4000, values=4)
    plan = calibrated(fugu, "--clip", "0:3", "--step", "1", "--confidence", "0.9", "--bounds", kind, "--method", "swap")
    mechanism = plan["mechanism"]
    rows = [[0.0] * 4 for _ in range(4)]
    for a, b, weight in mechanism["flows"]:
        rows[b][a] = int(weight) / int(mechanism["totals"][a])
    for x in range(4):
        rows[x][x] = 1 - sum(rows[y][x] for y in range(4) if y != x)
    found = worst_loss(rows, [bounds_of(of, kind) for of in counts])
    assert 0.5 - 1e-4 < found <= 0.5 + 1e-9


def test_sharp_holds_for_every_law_and_every_function(fugu):
    """The transfer bound of a band, against HiGHS over laws and random functions that the exchange of values allows."""
    counts = write_table(fugu, 7)
    for kind in ("band", "both"):
        plan = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "sharp")
        ratio = int(plan["mechanism"]["tail"]["numerator"]) / 2 ** plan["mechanism"]["tail"]["log2_denominator"]
        assert ratio < math.exp(-0.5 / 7) - 1e-6  # less noise than the range asks for
        exact = calibrated(fugu, *DECLARED, "--bounds", kind, "--method", "exact")
        assert plan["mechanism"]["scale"] >= exact["mechanism"]["scale"] * (1 - 1e-9)
        laws = [bounds_of(of, kind) for of in counts]
        rows = []
        for signs in itertools.product((-1, 1), repeat=7):
            rows.append([1.0])
            for sign in signs:
                rows[-1].append(rows[-1][-1] * ratio ** sign)
        assert worst_loss(rows, laws) <= 0.5 + 1e-9


def test_the_rule_for_bounds_looks_at_no_row(fugu):
    write_table(fugu)
    for flags, kind in ((["--clip", "0:7", "--step", "1"], "both"), (["--clip", "0:7", "--step", "2"], "boxes"),
                        (["--clip", "0:7"], "band"), (["--bin-edges", "2,4"], "boxes")):
        plan = calibrated(fugu, *flags, "--confidence", "0.9")
        assert plan["scenario"].get("bounds", "boxes") == kind
    fugu.fails(2, "calibrate", *QUESTION, "--clip", "0:7", "--confidence", "0.9", "--bounds", "boxes", says=["--step", "band"])
    fugu.fails(2, "calibrate", *QUESTION, "--confidence", "0.9", "--bounds", "band", says=["say which numbers can occur", "--clip"])
    fugu.fails(2, "calibrate", *QUESTION, *DECLARED, "--bounds", "none", says=["--bounds", "boxes, band, both"])
    fugu.fails(2, "calibrate", *QUESTION, "--bounds", "band", says=["--bounds", "--confidence"])


def test_a_range_alone_is_an_assumption_about_what_lies_between(fugu):
    write_table(fugu)
    plan = calibrated(fugu, "--clip", "0:12", "--confidence", "0.9")
    assert plan["guarantee"]["domain"] == [[0, 12]]
    assert any("13 from 0 to 12 in steps of 1" in text and "no value lies between" in text for text in plan["assumptions"])
    assert "share of people up to each value" in plan["assumptions"][0]


def test_a_census_is_the_truth(fugu):
    write_table(fugu)
    plain, all_of_them = calibrated(fugu), calibrated(fugu, "--census")
    assert plain["mechanism"] == all_of_them["mechanism"]
    assert all_of_them["scenario"]["sampling"] == "census"
    assert any("whole population" in text and "by definition" in text for text in all_of_them["assumptions"])
    fugu.fails(2, "calibrate", *QUESTION, *DECLARED, "--census", says=["--census", "--confidence"])
    fugu.fails(2, "calibrate", *QUESTION, "--census", "--population", "1000", says=["--population", "--census"])
    fugu.write("p.csv", "s,x,w\n" + "".join(f"{'ab'[k % 2]},{k % 3},{k // 2}\n" for k in range(40)))
    ask = ["calibrate", "p.csv", *QUESTION[1:-1]]
    fugu.fails(2, *ask, "--census", "--person", "w", says=["--census", "--person"])
    fugu.fails(2, *ask, "--rows-independent", "--census", "--weight", "w", says=["--census", "--weight"])
    fugu.fails(2, *ask, "--person", "w", "--clip", "0:2", "--step", "1", "--confidence", "0.9", "--population", "100",
               says=["--population", "--person"])


def test_people_drawn_without_replacement(fugu):
    counts = write_table(fugu)
    free = calibrated(fugu, *DECLARED, "--bounds", "boxes")
    scales = [calibrated(fugu, *DECLARED, "--bounds", "boxes", "--population", f"a={n},b={n}")["mechanism"]["scale"]
              for n in (150, 200, 1000, 10**8)]
    assert scales == sorted(scales)
    assert scales[0] < 0.8 * free["mechanism"]["scale"] and scales[-1] == pytest.approx(free["mechanism"]["scale"], rel=1e-3)
    any_size = calibrated(fugu, *DECLARED, "--bounds", "boxes", "--population", "1000")
    assert any_size["mechanism"]["scale"] > free["mechanism"]["scale"]
    assert "without replacement" in any_size["assumptions"][0]
    assert all(sum(of) == 150 for of in counts)
    for text, says in (("299", "more people"), ("a=149,b=1000", "more people"), ("a=1000", "no number for 1 of the 2 secrets"),
                       ("a=1000,a=2,b=3", "named twice"), ("c=4,b=3", "SECRET=N"), ("some", "--population")):
        fugu.fails(2, "calibrate", *QUESTION, *DECLARED, "--population", text, says=says)
    fugu.fails(2, "calibrate", *QUESTION, "--population", "1000", says=["--population", "--confidence"])


@pytest.mark.parametrize("kind", ["boxes", "band", "both"])
def test_hypergeometric_ends_by_definition(fugu, kind):
    """200 of each: the shares that are not refuted, one number of people after the other."""
    counts = write_table(fugu, 3)
    plan = calibrated(fugu, *DECLARED, "--bounds", kind, "--population", "a=200,b=200", "--method", "exact")

    def ends(count, total, tail, people=200):
        law = scipy.stats.hypergeom
        kept = [marked for marked in range(count, people - (total - count) + 1)
                if law.sf(count - 1, people, marked, total) > tail and law.cdf(count, people, marked, total) > tail]
        return min(kept[0] / people, count / total), max(kept[-1] / people, count / total)

    laws = []
    for of in counts:
        total, wrong = sum(of), 0.05 / (2 if kind == "both" else 1)
        boxes = [(0, 1)] * 8 if kind == "band" else [ends(count, total, wrong / 16) for count in of]
        band = [(0, 1)] * 8 if kind == "boxes" else [ends(sums, total, wrong / 16) for sums in itertools.accumulate(of)]
        laws.append((boxes, band))
    assert worst_loss(kernel_rows(plan, 8), laws) == pytest.approx(0.5, abs=1e-7)


def test_forged_plans_are_refused(fugu):
    write_table(fugu)
    calibrated(fugu, *DECLARED, "--bounds", "both", "--population", "a=200,b=200", "--method", "exact")

    def refused(change, says=(), status=4):
        plan = read(fugu.folder / "plan.json")
        change(plan)
        plan["digest"] = digest(plan)
        fugu.write("bad.json", canonical(plan))
        fugu.fails(status, "verify", "bad.json", says=says)

    refused(lambda plan: plan["scenario"].pop("bounds"))
    refused(lambda plan: plan["scenario"].update(bounds="band"))
    refused(lambda plan: plan["scenario"].update(bounds="all"), ["bounds"], 3)
    refused(lambda plan: plan["scenario"].pop("sampling"))
    refused(lambda plan: plan["scenario"].update(sampling="census"), ["confidence"], 3)
    refused(lambda plan: plan["scenario"].update(sampling={"population": {"a": 100, "b": 200}}), ["more people"], 3)
    refused(lambda plan: plan["scenario"].update(sampling={"population": {"a": 151, "b": 200}}))
    refused(lambda plan: plan["scenario"].update(sampling={"population": 200}), ["more people"], 3)
    refused(lambda plan: plan["guarantee"].update(domain=[[0, 6]]), ["domain"])

    def halve(plan):
        law = plan["scenario"]["priors"][0]["given"]["a"]
        law["mass"] = ["1/2" for _ in law["mass"]]

    refused(halve, ["counts"], 3)
    write_table(fugu)
    calibrated(fugu, "--clip", "0:12", "--confidence", "0.9", "--method", "exact")
    refused(lambda plan: plan["scenario"].update(bounds="both"), ["say which numbers can occur"])
    refused(lambda plan: plan["scenario"]["source"].pop("clip"))


def test_compare_shows_what_each_reading_costs(fugu):
    write_table(fugu, people=2000)
    ask = ["compare", *QUESTION[:-1], "--rows-independent", *DECLARED]
    found = json.loads(fugu.ok(*ask, "--format", "json"))
    assert [row["bounds"] for row in found["readings"]] == [None, "boxes", "band", "both"]
    assert found["readings"][0]["mse"] < min(row["mse"] for row in found["readings"][1:])
    assert found["spread"] == pytest.approx(2.0, abs=0.5)
    text = fugu.ok(*ask, "--paper")
    assert "own spread" in text and "the table itself" in text and "both at once" in text
    found = json.loads(fugu.ok("compare", *QUESTION[:-1], "--rows-independent", "--clip", "0:7", "--confidence", "0.9", "--format", "json"))
    assert [row["bounds"] for row in found["readings"]] == [None, "band"]


def test_plans_with_different_bounds_do_not_compose(fugu):
    write_table(fugu)
    for name, kind in (("one.json", "band"), ("two.json", "both")):
        fugu.ok("calibrate", *QUESTION, *DECLARED, "--bounds", kind, "-o", name)
    fugu.fails(4, "compose", "one.json", "two.json", says=["bounds"])
    fugu.ok("compose", "one.json", "one.json")
