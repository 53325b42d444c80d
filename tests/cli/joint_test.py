"""Several columns released together: --public a,b. Losses recomputed in Fractions from the table and the plan's
integers alone, at every output of a box around the values."""

import collections
import csv
import itertools
import json
import random
from fractions import Fraction

import pytest

from conftest import ADULT
from beliefs import growth_below
from tampering_test import canonical, digest, read

FLAGS = ["--secret", "s", "--public", "x,y", "--epsilon", "0.5"]


def table(rows, names=("s", "x", "y")):
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"


def some_rows(seed=1, count=60):
    draw = random.Random(seed)
    rows = [(s, draw.randint(0, 2) + k, draw.choice([5, 7, 8])) for k, s in enumerate("ab") for _ in range(count)]
    draw.shuffle(rows)
    return rows


def tails_of(plan):
    return [Fraction(int(c["tail"]["numerator"]), 2 ** int(c["tail"]["log2_denominator"]))
            for c in plan["mechanism"]["columns"]]


def largest_odds(rows, ratios, margin=3):
    """The largest P(y|a)/P(y|b), and every output where it is that large."""
    laws = collections.defaultdict(collections.Counter)
    for secret, *point in rows:
        laws[secret][tuple(point)] += 1
    sides = [range(min(p[c] for l in laws.values() for p in l) - margin,
                   max(p[c] for l in laws.values() for p in l) + margin + 1) for c in range(len(ratios))]
    worst, where = Fraction(1), []
    for out in itertools.product(*sides):
        seen = []
        for law in laws.values():
            mass = Fraction(0)
            for point, count in law.items():
                part = Fraction(count, sum(law.values()))
                for r, y, x in zip(ratios, out, point):
                    part *= r ** abs(y - x)
                mass += part
            seen.append(mass)
        odds = max(seen) / min(seen)
        if odds > worst:
            worst, where = odds, []
        if odds == worst:
            where.append(list(out))
    return worst, where


def test_the_plan_keeps_the_promise_and_is_tight(fugu):
    rows = some_rows()
    fugu.write("t.csv", table(rows))
    plan = json.loads(fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "-"))
    worst, where = largest_odds(rows, tails_of(plan))
    assert growth_below(Fraction(1, 2)) * Fraction(999999, 1000000) < worst <= growth_below(Fraction(1, 2), 80)
    assert plan["witness"]["output"] in where
    assert [c["lattice"]["step"] for c in plan["mechanism"]["columns"]] == [1, 1]
    assert plan["mechanism"]["mse"] == pytest.approx(sum(c["mse"] for c in plan["mechanism"]["columns"]))
    assert plan["sensitivity"]["w_inf"] is None and plan["sensitivity"]["w_1"] is None
    values = plan["scenario"]["priors"][0]["given"]["a"]["values"]
    assert values == sorted(values) and all(len(value) == 2 for value in values)
    for column, weight in zip(plan["mechanism"]["columns"], plan["scenario"]["weights"]):
        assert column["weight"] == weight
        assert column["scale"] == pytest.approx(plan["mechanism"]["scale"] * weight)


def test_xor_needs_noise_only_together(fugu):
    rows = [(s, s ^ b, b) for s in (0, 1) for b in (0, 1) for _ in range(5)]
    fugu.write("t.csv", table(rows))
    for column in "xy":
        plan = json.loads(fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", column, "--epsilon", "0.5", "-o", "-"))
        assert plan["mechanism"]["scale"] == 0
    plan = json.loads(fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "-"))
    assert plan["mechanism"]["scale"] > 0
    worst, _ = largest_odds(rows, tails_of(plan))
    assert worst <= growth_below(Fraction(1, 2), 80)


def test_swapped_columns_swap_the_plan(fugu):
    fugu.write("t.csv", table(some_rows()))
    def columns(public, *more):
        plan = json.loads(fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", public, "--epsilon", "0.5", "-o", "-",
                                  *more))
        return plan["mechanism"]["columns"], plan["witness"]["loss"]
    one, loss = columns("x,y", "--noise-shares", "1,3")
    two, other = columns("y,x", "--noise-shares", "3,1")
    assert one == two[::-1] and loss == pytest.approx(other)
    # Twice both weights: the same noise.
    assert [c["tail"] for c in columns("x,y", "--noise-shares", "2,6")[0]] == [c["tail"] for c in one]


def test_compare_has_three_methods_each_with_no_more_noise(fugu):
    fugu.write("t.csv", table(some_rows()))
    said = json.loads(fugu.ok("compare", "t.csv", *FLAGS, "--format", "json"))
    assert [row["method"] for row in said["candidates"]] == ["sensitivity", "kantorovich", "exact", "swap"]
    scales = [row["scale"] for row in said["candidates"][:3]]
    assert scales == sorted(scales, reverse=True) and scales[-1] > 0
    assert len(said["scenario"]["weights"]) == 2 and "w_inf" not in said["scenario"]
    text = fugu.ok("compare", "t.csv", *FLAGS, "--paper")
    assert "Several columns: scale and distances are in units of their weights" in text


def test_verify_statement_and_a_scenario_file_of_its_own(fugu):
    fugu.write("t.csv", table(some_rows()))
    fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    said = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))
    assert said["output"] == plan["witness"]["output"] and said["loss"] <= 0.5
    assert "at output (" in fugu.ok("verify", "plan.json")
    statement = json.loads(fugu.ok("statement", "plan.json", "--format", "json"))
    assert statement["columns"]["public"] == ["x", "y"]
    assert [c["range"] for c in statement["mechanism"]["columns"]] == ["free", "free"]
    assert "counts" not in json.dumps(statement["mechanism"]) and "priors" not in statement["mechanism"]
    fugu.write("scenario.json", json.dumps(plan["scenario"]))
    again = json.loads(fugu.ok("calibrate", "--scenario", "scenario.json", "-o", "-"))
    assert again == plan


@pytest.mark.parametrize("change", [
    lambda plan: plan["mechanism"]["columns"].pop(),
    lambda plan: plan["mechanism"]["columns"].reverse(),
    lambda plan: plan["scenario"]["weights"].reverse(),
    lambda plan: plan["witness"]["output"].reverse(),
    lambda plan: plan["mechanism"]["columns"][0]["lattice"].update(step=2),
    lambda plan: plan["mechanism"]["columns"][1].update(mse=1),
    lambda plan: plan["scenario"].update(delta=0.1),
    lambda plan: plan["scenario"]["priors"][0]["given"]["a"]["values"][0].append(1),
])
def test_a_changed_plan_is_refused(fugu, change):
    fugu.write("t.csv", table(some_rows()))
    fugu.ok("calibrate", "t.csv", *FLAGS, "--noise-shares", "1,3", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    change(plan)
    plan["digest"] = digest(plan)
    fugu.write("changed.json", canonical(plan))
    result = fugu("verify", "changed.json")
    assert result.status in (3, 4) and len(result.err.splitlines()) == 2, result


@pytest.mark.usefixtures("few_people")
def test_release_writes_every_column_together(fugu):
    # The same law for both secrets: no noise, and what comes out shows what goes where.
    rows = [("a", "u", 1, "k1"), ("b", "u", 1, "k2"), ("a", "v", 2.5, "k3"), ("b", "v", 2.5, "k4")]
    fugu.write("t.csv", table(rows, ("s", "x", "y", "k")))
    fugu.ok("release", "t.csv", *FLAGS, "-o", "out.csv")
    assert (fugu.folder / "out.csv").read_text() == "x,y\nu,1.0\nu,1.0\nv,2.5\nv,2.5\n"
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    assert receipt["statement"]["columns"]["public"] == ["x", "y"]
    assert [c.get("labels") for c in receipt["statement"]["mechanism"]["columns"]] == [["u", "v"], None]
    fugu.ok("release", "t.csv", "--secret", "s", "--public", "y,x", "--epsilon", "0.5", "--keep-unprotected", "k", "-o",
            "swapped.csv")
    assert (fugu.folder / "swapped.csv").read_text() == "y,x,k\n1.0,u,k1\n1.0,u,k2\n2.5,v,k3\n2.5,v,k4\n"


def test_release_by_a_plan_checks_the_joint_counts(fugu):
    fugu.write("t.csv", table(some_rows()))
    fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    out = list(csv.reader((fugu.folder / "out.csv").open()))
    assert out[0] == ["x", "y"] and len(out) == 121
    # The same margins, other pairs of values.
    rows = some_rows()
    first, second = next((i, j) for i in range(len(rows)) for j in range(len(rows))
                         if rows[i][0] == rows[j][0] and rows[i][1] != rows[j][1] and rows[i][2] != rows[j][2])
    a, b = rows[first], rows[second]
    rows[first], rows[second] = (a[0], b[1], a[2]), (b[0], a[1], b[2])
    fugu.write("other.csv", table(rows))
    fugu.fails(4, "release", "other.csv", "--plan", "plan.json", "-o", "other-out.csv", says="not the one that the plan")
    fugu.ok("release", "other.csv", "--plan", "plan.json", "--new-data", "-o", "new.csv")
    fugu.write("far.csv", table([*rows, ("a", 99, 5)]))
    fugu.fails(3, "release", "far.csv", "--plan", "plan.json", "--new-data", "-o", "far-out.csv",
               says=["line 122, column 'x'", "the plan does not know this value"])
    fugu.write("gone.csv", table([*rows, ("a", 1, "")]))
    fugu.fails(3, "release", "gone.csv", "--plan", "plan.json", "--new-data", "-o", "far-out.csv",
               says=["line 122, column 'y'", "the field is missing"])


def test_released_noise_has_the_plans_law_in_each_column(fugu):
    """One value for each secret: what comes out less that value is the noise. 20,000 draws a column; the mean of squares
    is within 6 standard errors of the plan's mse (false alarm below 1e-8), and columns are uncorrelated."""
    fugu.write("t.csv", table([("a", 0, 0), ("b", 2, 3)] * 10000))
    fugu.ok("release", "t.csv", *FLAGS, "--noise-shares", "1,2", "-o", "out.csv")
    plan = json.loads((fugu.folder / "out.csv.plan.json").read_text())
    out = list(csv.reader((fugu.folder / "out.csv").open()))[1:]
    noise = [(int(x) - (0, 2)[k % 2], int(y) - (0, 3)[k % 2]) for k, (x, y) in enumerate(out)]
    for c in (0, 1):
        squares = [z[c] ** 2 for z in noise]
        mean = sum(squares) / len(squares)
        error = (sum((s - mean) ** 2 for s in squares) / len(squares) / len(squares)) ** 0.5
        assert abs(mean - plan["mechanism"]["columns"][c]["mse"]) < 6 * error
    products = [x * y for x, y in noise]
    spread = (sum(p * p for p in products) / len(products) / len(products)) ** 0.5
    assert abs(sum(products) / len(products)) < 6 * spread


def test_range_clamps_each_column(fugu):
    fugu.write("t.csv", table([("a", "u", 0), ("b", "w", 9)] * 200))
    fugu.ok("release", "t.csv", *FLAGS, "--range", "clamp", "-o", "out.csv")
    out = list(csv.reader((fugu.folder / "out.csv").open()))[1:]
    assert {x for x, _ in out} == {"u", "w"}
    assert all(0 <= int(y) <= 9 for _, y in out)
    statement = json.loads((fugu.folder / "out.csv.receipt.json").read_text())["statement"]
    assert [c["bounds"] for c in statement["mechanism"]["columns"]] == [[1, 2], [0, 9]]


def test_the_statement_names_the_columns_that_are_held(fugu):
    """Categories always are, numbers only when clamped."""
    fugu.write("t.csv", table([("a", "u", 0), ("b", "w", 9)] * 200))
    said = {}
    for flags in ((), ("--range", "clamp")):
        fugu.ok("calibrate", "t.csv", *FLAGS, *flags, "-o", "plan.json", "--force")
        said[flags] = json.loads(fugu.ok("statement", "plan.json", "--format", "json"))["statement"]
    x, y = "Results of x beyond the range of the values were set to its ends.", "Results of y beyond the range from the 5th lowest to the 5th highest"
    assert x in said[()] and "Results of y" not in said[()]
    assert x in said["--range", "clamp"] and y in said["--range", "clamp"]
    numbers = [(s, 0 if x == "u" else 1, y) for s, x, y in [("a", "u", 0), ("b", "w", 9)] * 200]
    fugu.write("t.csv", table(numbers))
    fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "plan.json", "--force")
    assert "set to its ends" not in fugu.ok("statement", "plan.json", "--format", "json")


def test_given_and_keep(fugu):
    rows = [(*row, g) for g in "mn" for row in some_rows(3, 40)]
    fugu.write("t.csv", table(rows, ("s", "x", "y", "g")))
    fugu.ok("release", "t.csv", *FLAGS, "--given", "g", "--keep", "g", "-o", "out.csv")
    out = list(csv.reader((fugu.folder / "out.csv").open()))
    assert out[0] == ["x", "y", "g"] and [row[2] for row in out[1:]] == [row[3] for row in rows]
    fugu.ok("release", "t.csv", "--plan", "out.csv.plan.json", "--keep", "g", "-o", "again.csv")


def test_missing_fields(fugu):
    rows = [("a", 1, 2), ("b", 1, 2), ("a", "", 3), ("b", 2, "?"), ("a", 2, 3), ("b", 2, 3)]
    fugu.write("t.csv", table(rows))
    fugu.fails(3, "calibrate", "t.csv", *FLAGS, says="line 4, column 'x': the field is missing")
    fugu.ok("release", "t.csv", *FLAGS, "--na", "?", "--missing", "drop", "-o", "out.csv")
    assert (fugu.folder / "out.csv").read_text().count("\n") == 5
    fugu.ok("release", "t.csv", "--plan", "out.csv.plan.json", "-o", "again.csv")


def test_step_snaps_all_or_each(fugu):
    rows = [(s, x, y) for s in "ab" for x, y in ((0.2, 11), (3.4, 19), (7.7, 30))]
    fugu.write("t.csv", table(rows))
    plan = json.loads(fugu.ok("calibrate", "t.csv", *FLAGS, "--step", "1,10", "-o", "-"))
    assert plan["scenario"]["source"]["step"] == [1, 10]
    assert plan["scenario"]["priors"][0]["given"]["a"]["values"] == [[0, 10], [3, 20], [8, 30]]
    plan = json.loads(fugu.ok("calibrate", "t.csv", *FLAGS, "--step", ",10", "-o", "-"))
    assert plan["scenario"]["source"]["step"] == [None, 10]
    assert plan["scenario"]["priors"][0]["given"]["a"]["values"][0] == [0.2, 10]
    fugu.ok("release", "t.csv", *FLAGS, "--step", "5", "-o", "out.csv")
    assert set((fugu.folder / "out.csv").read_text().split()) == {"x,y", "0,10", "5,20", "10,30"}
    fugu.fails(2, "calibrate", "t.csv", *FLAGS, "--step", "1,2,3", says="3 steps for 2 columns")


@pytest.mark.parametrize("flags, says", [
    (["--delta", "1e-5"], "--delta: this works with one released column only"),
    (["--confidence", "0.9"], "--confidence: this works with one released column only"),
    (["--noise", "gaussian", "--method", "exact"], "--noise: gaussian noise is for one column"),
    (["--method", "channel"], "--method: channel is for one column"),
    (["--method", "relaxed"], "--method: relaxed is for one column"),
    (["--noise-shares", "1"], "--noise-shares: there are 1 shares for 2 columns"),
    (["--noise-shares", "1,0"], "--noise-shares: '0' is not a number greater than 0"),
    (["--order", "a,b"], "--order: there are several columns"),
])
def test_what_several_columns_do_not_take(fugu, flags, says):
    fugu.write("t.csv", table(some_rows()))
    fugu.fails(2, "calibrate", "t.csv", *FLAGS, *flags, says=says)


def test_columns_are_named_once_and_are_few(fugu):
    fugu.write("t.csv", table(some_rows()))
    def fails(public, says, *more):
        fugu.fails(2, "calibrate", "t.csv", "--secret", "s", "--public", public, "--epsilon", "1", *more, says=says)
    fails("x,x", "--public: column 'x' is named twice")
    fails("1,2,3,x,y", "is named twice")
    fails(",".join(map(str, range(1, 258))), "--public: 257 columns are more than 256")
    fails("x", "--noise-shares: there is one column", "--noise-shares", "2")
    fails("x,y", "--known: column 'y' is a released column", "--known", "y")


def test_composition_and_ledger(fugu):
    fugu.write("t.csv", table(some_rows()))
    fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "plan.json")
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "one.json")
    assert json.loads(fugu.ok("compose", "plan.json", "--format", "json")) == {"epsilon": 0.5, "delta": 0.0, "bound": "single"}
    twice = json.loads(fugu.ok("compose", "plan.json", "plan.json", "--format", "json"))
    assert twice["bound"] in ("transfer", "raw") and 0.5 < twice["epsilon"]
    both = json.loads(fugu.ok("compose", "one.json", "plan.json", "--format", "json"))
    assert both["bound"] == "values" and both["epsilon"] > 0.5
    ledger = ["--ledger", "b.db", "--dataset", "d"]
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "1.csv", *ledger, "--budget", "5")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "2.csv", *ledger)
    account = json.loads(fugu.ok("ledger", "show", "--ledger", "b.db", "--format", "json"))
    assert twice == account["accounts"][0]["spent"]
    # Beside both columns together, one of them counts by what it tells whatever its values are: more than its epsilon.
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "6.csv", "--ledger", "b.db", "--dataset", "f", "--budget", "5")
    said = json.loads(fugu.ok("release", "t.csv", "--plan", "one.json", "-o", "5.csv", "--ledger", "b.db", "--dataset", "f", "--format", "json"))["ledger"]
    assert said["spent"]["epsilon"] > 1.1 and said["spent"]["bound"] == "changing"
    fugu.ok("release", "t.csv", "--plan", "one.json", "-o", "3.csv", "--ledger", "b.db", "--dataset", "e", "--budget", "5")
    other = json.loads(fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "4.csv", "--ledger", "b.db", "--dataset", "e", "--format", "json"))
    assert other["ledger"]["spent"] == said["spent"]  # in whatever order


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not here")
def test_adult_sex_in_age_and_hours(fugu):
    flags = ["--no-header", "--secret", "10", "--public", "1,13", "--epsilon", "0.5"]
    said = json.loads(fugu.ok("compare", ADULT, *flags, "--format", "json"))
    scales = {row["method"]: row["scale"] for row in said["candidates"]}
    assert scales["exact"] < scales["sensitivity"] / 4
    fugu.ok("release", ADULT, *flags, "-o", "out.csv")
    assert len((fugu.folder / "out.csv").read_text().splitlines()) == 32561
    assert "proved" in fugu.ok("verify", "out.csv.plan.json")
