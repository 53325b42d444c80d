"""Rows that trade places: against a linear programme of HiGHS, in exact fractions, and as people use it."""
import csv
import fractions
import io
import itertools
import json
import math
import random

import numpy
import pytest
import scipy.optimize
import scipy.sparse

import tampering_test
from conftest import ADULT, ROOT

FLAGS = ["--rows-independent", "--publish-min", "1"]
OPTIMA = ROOT.parent / "shared" / "golden" / "optima.json"


@pytest.fixture(autouse=True)
def swap(fugu):
    fugu.method = "swap"


def write_table(fugu, rows, header, name="t.csv"):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    fugu.write(name, text.getvalue())
    return name


def least_changed(laws, weights, epsilon, cost=None):
    """The least mean cost of a circulation that keeps the promise; laws[p][s][x] are P(x|s), by HiGHS."""
    n = len(weights)
    arcs = [(x, y) for x in range(n) for y in range(n) if x != y]
    growth = math.exp(epsilon)
    rows, columns, values, upper = [], [], [], []

    def add(terms, most, to):
        for column, value in terms:
            rows.append(len(upper)), columns.append(column), values.append(value)
        upper.append(most)

    for law in laws:
        for s, t in itertools.permutations(range(len(law)), 2):
            for y in range(n):  # M_s(y) - e^epsilon M_t(y) <= 0, over w(y)
                terms = []
                for k, (a, b) in enumerate(arcs):
                    if b == y:
                        terms.append((k, (law[s][a] - growth * law[t][a]) / weights[a] / weights[y]))
                    if a == y:
                        terms.append((k, -(law[s][y] - growth * law[t][y]) / weights[y] / weights[y]))
                add(terms, -(law[s][y] - growth * law[t][y]) / weights[y], None)
    for x in range(n):
        add([(k, 1 / weights[x]) for k, (a, _) in enumerate(arcs) if a == x], 1, None)
    privacy = scipy.sparse.coo_matrix((values, (rows, columns)), shape=(len(upper), len(arcs))).tocsr()
    balance = scipy.sparse.lil_matrix((n, len(arcs)))
    for k, (a, b) in enumerate(arcs):
        balance[a, k] -= 1
        balance[b, k] += 1
    costs = [1.0 if cost is None else cost(a, b) for a, b in arcs]
    found = scipy.optimize.linprog(costs, A_ub=privacy, b_ub=upper, A_eq=balance.tocsr(), b_eq=numpy.zeros(n), method="highs",
                                   options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    assert found.status == 0, found.message
    return found.fun


def laws_of(plan, known=None):
    """By prior of that stratum, by secret: the masses of its points, as fractions; and the points' counts."""
    stratum = plan["mechanism"] if known is None else next(s for s in plan["mechanism"]["strata"] if s["known"] == known)
    place = {json.dumps(point): k for k, point in enumerate(stratum["points"])}
    laws, counts = [], [0] * len(place)
    for prior in plan["scenario"]["priors"]:
        if prior.get("known") != known:
            continue
        laws.append([])
        for given in prior["given"].values():
            law = [fractions.Fraction(0)] * len(place)
            total = sum(map(fractions.Fraction, map(str, given["mass"])))
            for value, mass in zip(given["values"], given["mass"]):
                law[place[json.dumps(value)]] = fractions.Fraction(str(mass)) / total
                if len(laws) == 1:
                    counts[place[json.dumps(value)]] += int(mass)
            laws[-1].append(law)
    return stratum, laws, counts


def check_exactly(plan, epsilon):
    """Every output in fractions; that frequencies stay; returns the share of rows that stay."""
    kept = rows = fractions.Fraction(0)
    for known in [s["known"] for s in plan["mechanism"].get("strata", [])] or [None]:
        stratum, laws, counts = laws_of(plan, known)
        totals = [int(total) for total in stratum["totals"]]
        assert len({fractions.Fraction(total, count) for total, count in zip(totals, counts)}) == 1
        leaves, comes = [0] * len(totals), [0] * len(totals)
        for a, b, weight in stratum["flows"]:
            leaves[a] += int(weight)
            comes[b] += int(weight)
        assert leaves == comes and all(out <= total for out, total in zip(leaves, totals))
        for law in laws:
            after = []
            for secret in law:
                mass = [p * (total - out) / total for p, total, out in zip(secret, totals, leaves)]
                for a, b, weight in stratum["flows"]:
                    mass[b] += secret[a] * int(weight) / totals[a]
                after.append(mass)
            for one, other in itertools.permutations(after, 2):
                for p, q in zip(one, other):
                    assert (p == 0) == (q == 0) and (p == 0 or math.log(p / q) <= epsilon * (1 + 1e-12))
        rows += sum(counts)
        kept += sum(count * fractions.Fraction(total - out, total) for count, total, out in zip(counts, totals, leaves))
    return float(kept / rows)


def random_rows(draw, columns, secrets, values, count):
    """Rows whose columns depend on the secret a little."""
    rows = []
    for k in range(count):
        secret = k % secrets
        rows.append([f"s{secret}", *(draw.choice("uvwxyz"[:values]) if draw.random() < 0.6 else "uvwxyz"[(secret + c) % values]
                                     for c in range(columns))])
    return rows


@pytest.mark.parametrize("seed", range(8))
def test_random_tables_are_as_good_as_the_programme_allows(fugu, seed):
    draw = random.Random(seed)
    secrets, columns = 2 + seed % 5, 1 + seed % 3
    rows = random_rows(draw, columns, secrets, 3, draw.choice([60, 150, 400]))
    names = [f"c{k}" for k in range(columns)]
    epsilon = draw.choice(["0.1", "0.5", "1"])
    more = ["--also", draw.choice(["smoothed:0.5", "independent"])] if columns > 1 and seed % 2 else []
    write_table(fugu, rows, ["s", *names])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", ",".join(names), "--epsilon", epsilon, *more, "--rows-independent", "-o",
            "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    assert plan["guarantee"]["method"] == "swap" and len(plan["scenario"]["priors"]) == (2 if more else 1)
    kept = check_exactly(plan, float(epsilon))
    assert kept == pytest.approx(plan["mechanism"]["unchanged"], abs=1e-12)
    _, laws, counts = laws_of(plan)
    weights = [count / sum(counts) for count in counts]
    best = 1 - least_changed([[[float(p) for p in law] for law in prior] for prior in laws], weights, float(epsilon))
    assert kept == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_somebody_may_know_a_released_column(fugu, seed):
    """The true value of a column that is released as well: a prior for each of its values, which has mass on few of the rows."""
    draw = random.Random(seed)
    rows = random_rows(draw, 3, 2 + seed % 2, 4, 1200)
    write_table(fugu, rows, ["s", "c0", "c1", "c2"])
    ask = ["--secret", "s", "--given", "c0", "--public", "c0,c1,c2", "--epsilon", "0.5", "--rows-independent"]
    fugu.ok("calibrate", "t.csv", *ask, "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    assert len(plan["scenario"]["priors"]) == 5
    kept = check_exactly(plan, 0.5)
    _, laws, counts = laws_of(plan)
    best = 1 - least_changed([[[float(p) for p in law] for law in prior] for prior in laws], [count / sum(counts) for count in counts], 0.5)
    assert kept == pytest.approx(best, abs=3e-6)  # one row of a million may become any
    fugu.fails(2, "release", "t.csv", "--plan", "plan.json", *FLAGS, "--keep", "c0", "-o", "out.csv", says="c0")
    fugu.ok("release", "t.csv", "--plan", "plan.json", *FLAGS, "-o", "out.csv")
    assert "known or given" in fugu.ok("statement", "plan.json").replace("\n", " ")


def test_strata_are_solved_one_by_one(fugu):
    draw = random.Random(5)
    rows = [[*row, draw.choice(["north", "south"])] for row in random_rows(draw, 2, 2, 3, 400)]
    write_table(fugu, rows, ["s", "c0", "c1", "region"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--known", "region", "--public", "c0,c1", "--epsilon", "0.3", "--rows-independent",
            "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    assert [s["known"] for s in plan["mechanism"]["strata"]] == [["north"], ["south"]]
    kept = check_exactly(plan, 0.3)
    best = 0
    for known in (["north"], ["south"]):
        _, laws, counts = laws_of(plan, known)
        weights = [count / sum(counts) for count in counts]
        changed = least_changed([[[float(p) for p in law] for law in prior] for prior in laws], weights, 0.3)
        best += (1 - changed) * sum(counts) / len(rows)
    assert kept == pytest.approx(best, abs=1e-6)
    fugu.ok("release", "t.csv", "--plan", "plan.json", "--keep-order", *FLAGS, "-o", "out.csv")
    released = list(csv.DictReader(open(fugu.folder / "out.csv", newline="")))
    assert [row["region"] for row in released] == [row[3] for row in rows]  # as it is, row by row
    occurs = {(row[3], row[1], row[2]) for row in rows}
    assert {(row["region"], row["c0"], row["c1"]) for row in released} <= occurs


@pytest.mark.skipif(not ADULT.exists() or not OPTIMA.exists(), reason="the Adult data set is not here")
@pytest.mark.parametrize("case", range(0, 18, 3))
def test_the_optima_of_adult(fugu, case):
    columns = {"sex": "10", "race": "9", "occupation": "7", "education": "4", "age": "1", "hours": "13", "education_num": "5"}
    for asked in json.loads(OPTIMA.read_text())["cases"][case:case + 3]:
        for key, loss in (("swap_zero_one_unchanged", "zero-one"), ("swap_squared_mse", "squared")):
            if key not in asked:
                continue
            fugu.ok("calibrate", ADULT, "--no-header", "--secret", columns[asked["secret"]], "--public", columns[asked["public"]],
                    "--epsilon", asked["epsilon"], "--loss", loss, "--rows-independent", "--not-missing", "?", "-o", "plan.json", "--force")
            made = json.loads((fugu.folder / "plan.json").read_text())["mechanism"]
            found = made["unchanged"] if loss == "zero-one" else made["mse"]
            assert found == pytest.approx(asked[key], rel=1e-6, abs=1e-7)


def test_the_default_says_which_it_is_and_why(fugu):
    fugu.method = None
    draw = random.Random(1)
    write_table(fugu, [[*row, k % 7] for k, row in enumerate(random_rows(draw, 2, 2, 3, 200))], ["s", "c", "d", "n"])
    asked = ["t.csv", "--secret", "s", "--epsilon", "0.5", "--rows-independent", "-o", "plan.json", "--force"]
    for flags, method, why in [
            (["--public", "c"], "swap", "categories trade places"), (["--public", "c,d"], "swap", "several columns trade places as whole rows"),
            (["--public", "n"], "swap", "the numbers are few enough to trade places"),
            (["--public", "n", "--noise", "laplace"], "exact", "--noise asks for noise"),
            (["--public", "n", "--range", "clamp"], "exact", "--range is for noise"),
            (["--public", "n", "--delta", "0.01"], "exact", "with a delta it is the least noise")]:
        fugu.ok("calibrate", *asked, *flags)
        plan = json.loads((fugu.folder / "plan.json").read_text())
        assert plan["guarantee"]["method"] == method
        assert f"the method is {method}, because none was named: {why}" in plan["notes"]
    write_table(fugu, [[*row, 1 + k % 3] for k, row in enumerate(random_rows(draw, 1, 2, 3, 200))], ["s", "c", "w"])
    fugu.ok("calibrate", *asked, "--public", "c", "--weight", "w")
    assert json.loads((fugu.folder / "plan.json").read_text())["guarantee"]["method"] == "exact"
    fugu.fails(2, "calibrate", "t.csv", "--secret", "s", "--public", "c", "--weight", "w", "--epsilon", "0.5", "--method", "swap",
               "--rows-independent", says="without weights")
    big = [[f"s{k % 2}", k] for k in range(1500)]
    write_table(fugu, big, ["s", "n"])
    fugu.ok("calibrate", *asked, "--public", "n", "--clip", "0:1000")
    assert json.loads((fugu.folder / "plan.json").read_text())["guarantee"]["method"] == "exact"


def test_least_kept_and_cost(fugu):
    draw = random.Random(3)
    write_table(fugu, random_rows(draw, 2, 2, 4, 300), ["s", "c", "d"])
    asked = ["calibrate", "t.csv", "--secret", "s", "--public", "c,d", "--epsilon", "0.5", "--rows-independent"]
    fugu.ok(*asked, "--least-kept", "0.4", "-o", "kept.json")
    plan = json.loads((fugu.folder / "kept.json").read_text())
    check_exactly(plan, 0.5)
    leaves = {}
    for a, _, weight in plan["mechanism"]["flows"]:
        leaves[a] = leaves.get(a, 0) + int(weight)
    for a, out in leaves.items():
        assert out <= 0.6 * int(plan["mechanism"]["totals"][a]) * (1 + 1e-9)
    fugu.ok(*asked, "--cost", "columns", "-o", "columns.json")
    check_exactly(json.loads((fugu.folder / "columns.json").read_text()), 0.5)
    fugu.fails(4, *asked, "--least-kept", "0.99", says="--least-kept")
    fugu.fails(2, *asked, "--least-kept", "1.5", says="--least-kept")
    fugu.fails(2, *asked, "--cost", "cells", says="--cost")
    fugu.fails(2, *asked, "--delta", "0.1", says="delta")
    fugu.fails(2, *asked, "--loss", "squared", says="--cost")


def test_forged_flows_are_refused(fugu):
    draw = random.Random(4)
    write_table(fugu, random_rows(draw, 2, 2, 3, 200), ["s", "c", "d"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "c,d", "--epsilon", "0.3", "--rows-independent", "-o", "plan.json")
    fugu.ok("verify", "plan.json")

    def forged(change, says):
        plan = tampering_test.read(fugu.folder / "plan.json")
        change(plan["mechanism"])
        plan["digest"] = tampering_test.digest(plan)
        fugu.write("forged.json", tampering_test.canonical(plan))
        fugu.fails(4, "verify", "forged.json", says=says)

    def halve(mechanism):
        a, b, weight = mechanism["flows"][0]
        mechanism["flows"][0] = [a, b, str(int(weight) // 2)]

    def double(mechanism):
        mechanism["totals"] = [str(2 * int(total)) for total in mechanism["totals"]]

    forged(lambda mechanism: mechanism["flows"].pop(), "tells")
    forged(lambda mechanism: mechanism["flows"].clear(), "tells")
    forged(halve, "does not verify")
    forged(double, "does not verify")  # half as many change
    forged(lambda mechanism: mechanism.update(unchanged=0.99), "unchanged share")


def test_new_data_and_unknown_rows(fugu):
    draw = random.Random(6)
    rows = random_rows(draw, 2, 2, 3, 200)
    write_table(fugu, rows, ["s", "c", "d"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "c,d", "--epsilon", "0.5", "--rows-independent", "-o", "plan.json")
    write_table(fugu, rows[:50], ["s", "c", "d"], "new.csv")
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", *FLAGS, "-o", "out.csv")
    assert "do not estimate the true ones as they stand" in (fugu.folder / "out.csv.receipt.json").read_text()
    fugu.fails(2, "estimate", "out.csv", "--table", "c")
    fugu.fails(4, "release", "new.csv", "--plan", "plan.json", *FLAGS, "-o", "other.csv", says="not the one")
    write_table(fugu, [*rows[:50], ["s0", "zebra", "a"]], ["s", "c", "d"], "new.csv")
    fugu.fails(3, "release", "new.csv", "--plan", "plan.json", "--new-data", *FLAGS, "-o", "other.csv")
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "--missing", "drop", *FLAGS, "-o", "other.csv")
    assert len((fugu.folder / "other.csv").read_text().splitlines()) == 51


def test_new_data_goes_to_the_nearest_row_where_that_is_asked_for(fugu):
    """(b, 9) is next to (b, 8), one of ten steps away, and not to (a, 9), another category. Rows of one secret each stay or not alike: at a
    large epsilon nearly all stay, so that what (b, 9) is released as is seen."""
    rows = [["x", "a", 9], ["y", "a", 9], ["x", "b", 8], ["y", "b", 8], ["x", "b", 0], ["y", "b", 0], ["x", "a", 10], ["y", "a", 10]] * 20
    write_table(fugu, rows, ["s", "c", "n"])
    ask = ["--secret", "s", "--public", "c,n", "--epsilon", "5", "--rows-independent"]
    fugu.ok("calibrate", "t.csv", *ask, "-o", "plan.json")
    write_table(fugu, [["x", "b", 9]] * 30, ["s", "c", "n"], "new.csv")
    new = ["release", "new.csv", "--plan", "plan.json", *FLAGS, "-o", "out.csv"]
    fugu.fails(3, *new, "--new-data", says=["not know this value together", "--nearest"])
    fugu.fails(2, *new, "--nearest", says=["--nearest", "new data"])
    fugu.ok(*new, "--new-data", "--nearest")
    assert (fugu.folder / "out.csv").read_text().splitlines() == ["c,n", *["b,8"] * 30]
    assert "nearest row" in json.loads((fugu.folder / "out.csv.receipt.json").read_text())["assumptions"][0]


def test_released_rows_have_the_frequencies_of_the_flows(fugu):
    rows = [["a", "x", 1]] * 600 + [["a", "y", 2]] * 200 + [["b", "x", 1]] * 300 + [["b", "y", 2]] * 500 + [["b", "z", 1]] * 100
    write_table(fugu, rows, ["s", "c", "n"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "c,n", "--epsilon", "0.3", "--rows-independent", "-o", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "--keep-order", *FLAGS, "-o", "out.csv")
    released = [(row["c"], int(row["n"])) for row in csv.DictReader(open(fugu.folder / "out.csv", newline=""))]
    assert len(released) == len(rows) and set(released) <= {("x", 1), ("y", 2), ("z", 1)}
    stay = sum(got == (row[1], row[2]) for got, row in zip(released, rows))
    share = json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["unchanged"]
    assert stay / len(rows) == pytest.approx(share, abs=6 * math.sqrt(0.25 / len(rows)))
    for value, count in {("x", 1): 900, ("y", 2): 700, ("z", 1): 100}.items():
        assert released.count(value) == pytest.approx(count, abs=6 * math.sqrt(2 * (1 - share) * len(rows)))
    fugu.ok("audit", "plan.json", "--draws", "20000", "--quiet")
    fugu.ok("audit", "plan.json", "--original", "t.csv", "--released", "out.csv", "--quiet")
    said = json.loads(fugu.ok("estimate", "out.csv", "--table", "c,n", "--format", "json"))
    assert said["rows"] == len(rows)


def test_the_statement_tells_no_flows_and_no_counts(fugu):
    draw = random.Random(7)
    write_table(fugu, random_rows(draw, 3, 3, 3, 300), ["s", "c", "d", "e"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "all", "--except", "e", "--epsilon", "0.5", "--rows-independent", "-o", "plan.json")
    statement = json.loads(fugu.ok("statement", "plan.json", "--format", "json", "--publish-min", "1"))
    assert statement["columns"]["public"] == ["c", "d"]
    assert set(statement["mechanism"]) == {"noise", "scale", "changed", "columns"}
    plan = json.loads((fugu.folder / "plan.json").read_text())
    assert 1 - plan["mechanism"]["unchanged"] <= statement["mechanism"]["changed"] <= 1.01 - plan["mechanism"]["unchanged"]
    for words in ("Not covered is somebody who knows", "as private as the table", "which row is whose"):
        assert words in statement["statement"]


def two_columns(fugu, name="t.csv", extra=()):
    rows = [[f"s{k % 2}", "uvw"[k % 3 if k % 4 else k % 2], "xyz"[(k // 3) % 3]] for k in range(300)]
    return write_table(fugu, [*rows, *extra], ["s", "a", "b"], name)


def test_a_public_report_does_not_tell_how_many_distinct_rows_there_are(fugu):
    two_columns(fugu)
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "a,b", "--epsilon", "0.1", "--rows-independent", "-o", "plan.json")
    assert "distinct rows trade places, by " in fugu.ok("report", "plan.json", "-o", "own.html") + (fugu.folder / "own.html").read_text()
    fugu.ok("report", "plan.json", "--public", "-o", "public.html")
    text = (fugu.folder / "public.html").read_text()
    assert "rows trade places; every frequency of this table" in text and "distinct rows" not in text and " flows" not in text


def test_a_value_of_dropped_rows_alone_does_not_stop_the_release_of_the_plans_own_table(fugu):
    two_columns(fugu, extra=[["s0", "q", ""], ["s1", "", "q"]])
    fugu.ok("release", "t.csv", "--secret", "s", "--public", "a,b", "--epsilon", "0.5", "--missing", "drop", "--rows-independent", "-o", "out.csv")
    released = list(csv.reader((fugu.folder / "out.csv").read_text().splitlines()))
    assert len(released) == 301 and all("q" not in row for row in released)
    plan = json.loads((fugu.folder / "out.csv.plan.json").read_text())
    fugu.ok("statement", "out.csv.plan.json", "-o", "statement.json")
    assert "of the rows that were not left out as it stands" in " ".join(json.loads((fugu.folder / "statement.json").read_text())["estimate"])
    assert plan["guarantee"]["method"] == "swap"


def test_columns_are_weighed_by_their_cost(fugu):
    two_columns(fugu)
    question = ["calibrate", "t.csv", "--secret", "s", "--public", "a,b", "--epsilon", "0.05", "--rows-independent"]
    changed = {}
    for weights in ("100,1", "1,100"):
        fugu.ok(*question, "--cost", f"columns:{weights}", "-o", f"{weights}.json")
        plan = json.loads((fugu.folder / f"{weights}.json").read_text())
        points, moved = plan["mechanism"]["points"], [0, 0]
        for a, b, weight in plan["mechanism"]["flows"]:
            for c in range(2):
                moved[c] += int(weight) * (points[a][c] != points[b][c])
        changed[weights] = moved
        assert any("--cost columns" in note for note in plan["notes"])
    assert changed["100,1"][0] <= changed["1,100"][0] and changed["1,100"][1] <= changed["100,1"][1] and changed["100,1"] != changed["1,100"]
    fugu.fails(2, *question, "--cost", "columns:1", says="--cost: 1 weights for 2 released columns")
    fugu.fails(2, *question, "--cost", "columns:1,0", says="not a weight greater than 0")
    fugu.fails(2, *question, "--cost", "cells", says="--cost: 'cells' is unknown")


def test_compare_says_what_is_taken_and_what_would_be_refused(fugu):
    two_columns(fugu, extra=[["s0", "lonely", "x"]])
    fugu.method = None
    said = fugu.ok("compare", "t.csv", "--secret", "s", "--public", "a,b", "--epsilon", "0.5", "--rows-independent", "--paper")
    assert "Release it by swap, the default method here (several columns trade places as whole rows)" in said
    assert "As it stands, that would be refused: " in said and "--publish-min" in said and "lonely" not in said
    rows = {line.split()[0]: line for line in said.split("What happens to the rows:")[1].splitlines() if line.strip()}
    assert "ask fugu compose" in rows["swap"] and "ask fugu compose" in rows["exact"]
    assert "epsilons add up   " in rows["sensitivity"] and "epsilons add up (*)" in rows["kantorovich"]
    assert "(*) beside releases by this method, kantorovich, relaxed, harmonic or sensitivity; beside another method ask fugu compose" in " ".join(said.split())


def test_a_statement_for_listed_pairs_says_so_first(fugu):
    write_table(fugu, [[f"s{k % 3}", "uvw"[(k // 2 + k % 3) % 3]] for k in range(300)], ["s", "c"])
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "c", "--epsilon", "0.1", "--pairs", "s0:s1", "--rows-independent", "-o", "plan.json")
    fugu.ok("statement", "plan.json", "-o", "statement.json")
    assert "between two values of s that are a listed pair by a factor" in json.loads((fugu.folder / "statement.json").read_text())["statement"]
