"""fugu rate: what is proved against brute force in exact fractions; releases, forged plans, messages."""
import itertools
import json
import math
import random
import stat
from fractions import Fraction

import pytest

from tampering_test import canonical, digest, read

TABLE = "died,ward,days\n" + "yes,ICU,9\n" * 30 + "yes,A,3\n" * 10 + "no,ICU,4\n" * 20 + "no,A,2\n" * 60
WARD = ["--secret", "died", "--public", "ward"]


def plan_of(fugu, *arguments):
    return json.loads(fugu.ok("rate", *arguments, "--format", "json"))


def laws_file(fugu, values, laws, name="laws.json"):
    given = {f"s{s}": {"values": values, "mass": law} for s, law in enumerate(laws)}
    fugu.write(name, json.dumps({"priors": [{"name": "stated", "given": given}]}))
    return name


# ---- brute force: every assignment of values to rows, by hand ----

def shares(law):
    return [Fraction(mass, sum(law)) for mass in law]


def add_row(law, row):
    """One more independent row: keys are what is released so far, as tuples."""
    more = {}
    for have, p in law.items():
        for value, q in row.items():
            key = tuple(a + b for a, b in zip(have, value))
            more[key] = more.get(key, 0) + p * q
    return {key: p for key, p in more.items() if p}


def law_of_table(rows, kinds):
    """`kinds`: how many rows have each secret."""
    law = {tuple(0 for _ in next(iter(rows[0]))): Fraction(1)}
    for row, copies in zip(rows, kinds):
        for _ in range(copies):
            law = add_row(law, row)
    return law


def tail_of(plan):
    tail = plan["mechanism"]["tail"]
    return Fraction(int(tail["numerator"]), 2 ** tail["log2_denominator"])


def masses(law, outputs, r):
    return [sum(p * r ** sum(abs(a - b) for a, b in zip(y, x)) for x, p in law.items()) for y in outputs]


def tables_within(rows, secrets, within):
    """Every pair of tables that so many changes make of each other."""
    kinds = [k for k in itertools.product(range(rows + 1), repeat=secrets) if sum(k) == rows]
    return kinds, [(a, b) for a in kinds for b in kinds
                   if a != b and sum(abs(x - y) for x, y in zip(a, b)) <= 2 * within]


def rows_of(values, laws, histogram):
    if histogram:
        units = [tuple(int(k == j) for j in range(len(values))) for k in range(len(values))]
    else:
        units = [(value,) for value in values]
    return [{u: p for u, p in zip(units, shares(law)) if p} for law in laws]


def on_lattice(plan, values):
    """In steps: the noise falls by its tail with each."""
    return [value // plan["model"]["lattice"]["step"] for value in values]


def brute_loss(plan, values, laws, rows, within, histogram=False):
    by_row = rows_of(on_lattice(plan, values), laws, histogram)
    kinds, pairs = tables_within(rows, len(laws), within)
    tables = {kind: law_of_table(by_row, kind) for kind in kinds}
    columns = list(zip(*(x for law in tables.values() for x in law)))
    outputs = list(itertools.product(*(range(min(c), max(c) + 1) for c in columns)))
    r = tail_of(plan)
    seen = {kind: masses(law, outputs, r) for kind, law in tables.items()}
    worst = Fraction(1)
    for a, b in pairs:
        for p, q in zip(seen[a], seen[b]):
            if p and not q:
                return math.inf
            if p:
                worst = max(worst, p / q)
    return math.log(worst)


def brute_delta(plan, values, laws, rows, within, epsilon):
    values = on_lattice(plan, values)
    by_row = rows_of(values, laws, False)
    kinds, pairs = tables_within(rows, 2, within)
    r = tail_of(plan)
    far = rows * (max(values) - min(values)) + (math.ceil(40 / -math.log(r)) if r else 0)
    low = min(0, rows * min(values)) - far
    total = (1 + r) / (1 - r)
    outputs = range(low, rows * max(values) + far + 1)
    seen = {}
    for kind in kinds:
        law = {x[0]: float(p / total) for x, p in law_of_table(by_row, kind).items()}
        seen[kind] = [sum(p * (float(r) ** abs(y - x) if r or y != x else 1.0) for x, p in law.items()) for y in outputs]
    return max(sum(max(0.0, p - math.exp(epsilon) * q) for p, q in zip(seen[a], seen[b])) for a, b in pairs)


def random_laws(draw, values, secrets=2):
    laws = [[draw.choice([0, 1, 2, 5, 9]) for _ in values] for _ in range(secrets)]
    for k in range(len(values)):
        laws[k % secrets][k] += 1
    for law in laws:
        if not any(law):
            law[0] += 1
    return laws


def test_counts_lose_what_brute_force_says_for_any_number_of_rows(fugu):
    draw = random.Random(1)
    for _ in range(12):
        laws = random_laws(draw, [0, 1])
        rows = draw.randint(1, 12)
        within = draw.randint(1, rows)
        plan = plan_of(fugu, "--scenario", laws_file(fugu, [0, 1], laws), "--rows", rows, "--count", "1",
                       "--within", f"{within}/{rows}", "--epsilon", draw.choice(["0.3", "1", "2.5"]))
        assert plan["guarantee"]["method"] == "rows"
        assert plan["model"]["within"] == within
        assert plan["witness"]["loss"] == pytest.approx(brute_loss(plan, [0, 1], laws, rows, within), abs=1e-9)


def test_sums_lose_what_brute_force_says(fugu):
    draw = random.Random(2)
    for _ in range(10):
        values = sorted(draw.sample(range(-1, 5), draw.randint(2, 3)))
        laws = random_laws(draw, values)
        rows = draw.randint(1, 7)
        within = draw.randint(1, rows)
        asked = ["--scenario", laws_file(fugu, values, laws), "--rows", rows, "--sum", "--within", f"{within}/{rows}",
                 "--epsilon", draw.choice(["0.4", "1.5"])]
        exact = plan_of(fugu, *asked, "--method", "exact")
        assert exact["witness"]["loss"] == pytest.approx(brute_loss(exact, values, laws, rows, within), abs=1e-9)
        scales = [exact["mechanism"]["scale"]]
        for method in ("part", "rows", "group"):
            if method == "part" and rows == 1:
                continue
            plan = plan_of(fugu, *asked, "--method", method)
            assert plan["witness"]["loss"] >= brute_loss(plan, values, laws, rows, within) - 1e-12
            scales.append(plan["mechanism"]["scale"])
        assert scales == pytest.approx(sorted(scales), rel=1e-4)
        assert plan_of(fugu, *asked)["mechanism"]["scale"] <= scales[0] * 1.002


def test_histograms_lose_what_brute_force_says(fugu):
    draw = random.Random(3)
    for _ in range(8):
        values = [0, 1, 2][:draw.randint(2, 3)]
        laws = random_laws(draw, values)
        rows = draw.randint(1, 3)
        within = draw.randint(1, rows)
        plan = plan_of(fugu, "--scenario", laws_file(fugu, values, laws), "--rows", rows, "--histogram", "--within",
                       f"{within}/{rows}", "--epsilon", draw.choice(["0.4", "1.5"]))
        assert plan["witness"]["loss"] == pytest.approx(
            brute_loss(plan, values, laws, rows, within, histogram=True), abs=1e-9)


def test_mixes_of_three_values_lose_what_brute_force_says(fugu):
    draw = random.Random(4)
    for _ in range(5):
        laws = random_laws(draw, [0, 1], secrets=3)
        plan = plan_of(fugu, "--scenario", laws_file(fugu, [0, 1], laws), "--rows", 4, "--count", "0",
                       "--within", "0.5", "--epsilon", "0.7")
        assert plan["witness"]["loss"] == pytest.approx(brute_loss(plan, [0, 1], laws, 4, 2), abs=1e-9)


def test_hockey_sticks_are_what_brute_force_says(fugu):
    draw = random.Random(5)
    for k in range(8):
        values = [0, 1] if k % 2 else sorted(draw.sample(range(0, 4), 3))
        laws = random_laws(draw, values)
        rows = draw.randint(2, 9)
        within = draw.randint(1, rows)
        plan = plan_of(fugu, "--scenario", laws_file(fugu, values, laws), "--rows", rows, "--sum", "--within",
                       f"{within}/{rows}", "--epsilon", "0.5", "--delta", "0.02", "--method", "exact")
        found = brute_delta(plan, values, laws, rows, within, 0.5)
        assert plan["witness"]["delta"] == pytest.approx(found, rel=1e-6, abs=1e-12)
        assert plan["witness"]["delta"] <= 0.02


def test_blocks_of_tables_cover_each_of_them(fugu):
    """More tables than blocks: what is proved is a bound, and not much above."""
    laws = [[7, 3], [4, 6]]
    plan = plan_of(fugu, "--scenario", laws_file(fugu, [0, 1], laws), "--rows", 600, "--count", "1", "--within", "0.01",
                   "--epsilon", "0.3", "--delta", "1e-4", "--method", "exact")
    fugu.write("plan.json", json.dumps(plan))
    r = float(tail_of(plan))

    def law(ones):
        cells = [1.0]
        for row in [3 / 10] * (600 - ones) + [6 / 10] * ones:
            cells = [(cells[k] if k < len(cells) else 0) * (1 - row) + (cells[k - 1] * row if k else 0)
                     for k in range(len(cells) + 1)]
        up, carried = [], 0.0
        for mass in cells:
            up.append(carried := carried * r + mass)
        carried = 0.0
        for k in range(600, -1, -1):
            up[k] += carried
            carried = (carried + cells[k]) * r
        return [mass * (1 - r) / (1 + r) for mass in up]

    growth = math.exp(0.3)
    found = 0.0
    for ones in (0, 100, 297, 594):
        p, q = law(ones), law(ones + 6)
        for a, b in ((p, q), (q, p)):
            found = max(found, sum(max(0.0, x - growth * y) for x, y in zip(a, b)))
    assert 0.5 * 1e-4 < found <= plan["witness"]["delta"] <= 1e-4


# ---- plans, releases, statements ----

def test_a_plan_is_private_and_its_statement_has_no_laws(fugu):
    fugu.write("t.csv", TABLE)
    fugu.ok("rate", "t.csv", *WARD, "--count", "ICU", "--within", "0.05", "--epsilon", "1", "-o", "plan.json")
    assert stat.S_IMODE((fugu.folder / "plan.json").stat().st_mode) == 0o600
    plan = read(fugu.folder / "plan.json")
    assert plan["model"]["laws"] == [[60, 20], [10, 30]] and plan["model"]["estimated"]
    assert plan["model"]["rows"] == 120 and plan["model"]["within"] == 6
    assert "The plan is proved: no released number tells two such rates apart" in fugu.ok("verify", "plan.json")
    statement = json.loads(fugu.ok("statement", "plan.json", "--format", "json"))
    assert set(statement) == {"fugu", "statement", "guarantee", "mechanism", "assumptions", "estimate"}
    text = json.dumps(statement)
    assert "laws were estimated from the table itself" in text and "120 rows" in text
    for private in ("60", "[10", "30,", "1/3", "0.75", "0.25"):
        assert private not in text.replace(str(plan["mechanism"]["tail"]["numerator"]), ""), private
    fugu.ok("report", "plan.json", "-o", "report.html", "--public")


def test_the_noise_does_not_depend_on_the_true_rate(fugu):
    """The same laws, another number of deaths: the same plan but for the counts."""
    fugu.write("few.csv", "died,ward\n" + "yes,ICU\n" * 3 + "yes,A\n" * 1 + "no,ICU\n" * 29 + "no,A\n" * 87)
    fugu.write("many.csv", "died,ward\n" + "yes,ICU\n" * 87 + "yes,A\n" * 29 + "no,ICU\n" * 1 + "no,A\n" * 3)
    few, many = (plan_of(fugu, name, *WARD, "--count", "ICU", "--within", "0.05", "--epsilon", "1")
                 for name in ("few.csv", "many.csv"))
    assert few["mechanism"] == many["mechanism"]


def test_group_privacy_is_always_named_beside(fugu):
    fugu.write("t.csv", TABLE)
    asked = ["t.csv", *WARD, "--within", "0.05", "--epsilon", "0.5"]
    assert "group privacy needs laplace noise of scale 12, " in fugu.ok("rate", *asked, "--count", "ICU")
    assert "group privacy needs laplace noise of scale 24, " in fugu.ok("rate", *asked, "--histogram")
    days = ["t.csv", "--secret", "died", "--public", "days", "--within", "0.05", "--epsilon", "0.5"]
    assert "group privacy needs laplace noise of scale 84, " in fugu.ok("rate", *days, "--sum")
    assert "group privacy needs laplace noise of scale 0.7, " in fugu.ok("rate", *days, "--mean")
    rows = json.loads(fugu.ok("rate", *days, "--mean", "--compare", "--format", "json"))["candidates"]
    assert [row["method"] for row in rows] == ["group", "rows", "part", "exact"]
    assert rows[0]["scale"] == pytest.approx(0.7) and rows[1]["scale"] < 0.6


def test_releases_what_the_table_holds(fugu):
    fugu.write("t.csv", TABLE)
    asked = ["rate", "t.csv", *WARD, "--within", "1/120", "--epsilon", "50", "--observed", "table", "--method", "group"]
    assert fugu.ok(*asked, "--count", "ICU") == "50\n"
    assert fugu.ok(*asked, "--histogram") == "A,70\nICU,50\n"
    found = json.loads(fugu.ok(*asked, "--histogram", "--format", "json"))
    assert found == {"released": [70, 50], "labels": ["A", "ICU"]}
    days = ["rate", "t.csv", "--secret", "died", "--public", "days", "--within", "1/120", "--epsilon", "100",
            "--observed", "table", "--method", "group"]
    assert fugu.ok(*days, "--sum") == "500\n"
    assert fugu.ok(*days, "--mean") == "25/6\n"
    assert fugu.ok("rate", "t.csv", *WARD, "--within", "1/120", "--epsilon", "50", "--observed", "-", "--method", "group",
                   "--count", "A", stdin="17\n") == "17\n"


def test_the_rate_of_one_value_among_several(fugu):
    fugu.write("t.csv", "race,job\n" + "a,x\n" * 5 + "a,y\n" * 5 + "b,x\n" * 2 + "b,y\n" * 8 + "c,x\n" * 9 + "c,y\n" * 1)
    plan = plan_of(fugu, "t.csv", "--secret", "race", "--public", "job", "--of", "b", "--count", "x", "--within", "0.1",
                   "--epsilon", "1")
    assert plan["model"]["secrets"] == ["not b", "b"]
    assert plan["model"]["laws"] == [[6, 14], [8, 2]]


def test_no_noise_where_the_rows_are_random_enough(fugu):
    plan = plan_of(fugu, "--scenario", laws_file(fugu, [0, 1], [[50, 50], [49, 51]]), "--rows", 100, "--count", "1",
                   "--within", "0.1", "--epsilon", "1")
    assert plan["mechanism"]["scale"] == 0
    assert plan["notes"][0].startswith("no noise is needed")
    assert "group privacy needs laplace noise of scale 10," in plan["notes"][1]


def test_losses_of_several_releases_add_as_group_privacy_does(fugu):
    fugu.write("t.csv", TABLE)
    asked = ["t.csv", *WARD, "--within", "0.05", "--epsilon", "0.5"]
    fugu.ok("rate", *asked, "--count", "ICU", "--method", "group", "-o", "a.json")
    fugu.ok("rate", *asked, "--histogram", "--method", "group", "-o", "b.json")
    together = json.loads(fugu.ok("compose", "a.json", "b.json", "--format", "json"))
    assert together["bound"] == "group" and together["epsilon"] == pytest.approx(1)
    fugu.ok("rate", "t.csv", *WARD, "--within", "0.1", "--epsilon", "0.5", "--count", "ICU", "-o", "c.json")
    fugu.fails(4, "compose", "a.json", "c.json", says="not about the same rate")


# ---- forged plans ----

def refused(fugu, plan, status=4, says=()):
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(status, "verify", "bad.json", says=says)


@pytest.mark.parametrize("method, delta", [("group", None), ("rows", None), ("part", None), ("exact", None), ("exact", "0.01")])
def test_forged_plans_are_refused(fugu, method, delta):
    laws = laws_file(fugu, [0, 1, 3], [[3, 1, 2], [1, 4, 1]])
    asked = ["rate", "--scenario", laws, "--rows", 8, "--sum", "--within", "0.25", "--method", method]
    more = ["--delta", delta] if delta else []
    fugu.ok(*asked, *more, "--epsilon", "0.5", "-o", "plan.json")
    fugu.ok(*asked, *more, "--epsilon", "0.8", "-o", "less.json")
    fugu.ok("verify", "plan.json")

    less = read(fugu.folder / "plan.json")
    less["mechanism"] = read(fugu.folder / "less.json")["mechanism"]
    refused(fugu, less, says="by more than the budget")

    wider = read(fugu.folder / "plan.json")
    wider["model"]["within"] = 3
    refused(fugu, wider, says="by more than the budget")

    fewer = read(fugu.folder / "plan.json")
    fewer["model"]["rows"] = 7
    refused(fugu, fewer)

    narrower = read(fugu.folder / "plan.json")
    narrower["model"]["within"] = 1
    refused(fugu, narrower)

    if method != "group":
        other = read(fugu.folder / "plan.json")
        other["model"]["laws"] = [[9, 0, 1], [0, 9, 1]]
        refused(fugu, other, says="by more than the budget")

    words = read(fugu.folder / "plan.json")
    words["assumptions"] = words["assumptions"][1:]
    refused(fugu, words, says="assumptions")

    bound = read(fugu.folder / "plan.json")
    bound["witness"]["delta" if delta else "loss"] = 0.001
    refused(fugu, bound, says="witness")

    missing = read(fugu.folder / "plan.json")
    missing["model"]["laws"] = missing["model"]["laws"][:1]
    refused(fugu, missing, status=3, says="a law for each secret")

    named = read(fugu.folder / "plan.json")
    named["guarantee"]["method"] = "none"
    refused(fugu, named, status=3, says="rates have no method")


# ---- messages ----

@pytest.mark.parametrize("flags, says", [
    (["--count", "ICU"], "--within is missing"),
    (["--within", "0.05"], "say which number to release"),
    (["--within", "0.05", "--count", "ICU", "--sum"], "say which number to release"),
    (["--within", "0", "--count", "ICU"], "--within: '0' is not a share"),
    (["--within", "1.5", "--count", "ICU"], "--within: '1.5' is not a share"),
    (["--within", "five", "--count", "ICU"], "--within: 'five' is not a share"),
    (["--within", "0.001", "--count", "ICU"], "--within: 0.001 of 120 rows is less than one row"),
    (["--within", "0.05", "--count", "B"], "no such value"),
    (["--within", "0.05", "--sum"], "--sum: the released column does not hold numbers"),
    (["--within", "0.05", "--count", "ICU", "--of", "perhaps"], "--of: the secret has no such value"),
    (["--within", "0.05", "--count", "ICU", "--rows", "7"], "--rows: the table already says how many rows there are"),
    (["--within", "0.05", "--count", "ICU", "--method", "best"], "--method: 'best' is unknown"),
    (["--within", "0.05", "--histogram", "--method", "exact"], "--method exact does not work for this"),
    (["--within", "0.05", "--count", "ICU", "--observed", "17"], "--observed: this must be table or -"),
    (["--within", "0.05", "--count", "ICU", "--compare", "-o", "p.json"], "--compare makes no plan"),
])
def test_says_what_is_wrong(fugu, flags, says):
    fugu.write("t.csv", TABLE)
    fugu.fails(2, "rate", "t.csv", *WARD, "--epsilon", "1", *flags, says=says)


def test_says_what_is_missing(fugu):
    fugu.write("t.csv", TABLE)
    fugu.fails(2, "rate", "t.csv", *WARD, "--within", "0.05", "--count", "ICU", says="--epsilon is missing")
    fugu.fails(2, "rate", "--scenario", laws_file(fugu, [0, 1], [[1, 1], [1, 2]]), "--count", "1", "--within", "all",
               "--epsilon", "1", says="--rows is missing")
    fugu.fails(2, "rate", "t.csv", *WARD, "--within", "0.05", "--epsilon", "1", "--histogram", "--method", "part",
               says="not histograms")
    fugu.fails(3, "rate", "t.csv", *WARD, "--within", "0.05", "--epsilon", "1", "--count", "ICU", "--observed", "-",
               stdin="121\n", says="cannot occur in the model")
    fugu.fails(3, "rate", "t.csv", *WARD, "--within", "0.05", "--epsilon", "1", "--histogram", "--observed", "-",
               stdin="70 51\n", says="do not add up to the number of rows")


def test_texts_of_one_person_are_not_published(fugu):
    rows = ["yes,ICU"] * 30 + ["no,ICU"] * 40 + ["no,A"] * 60 + ["yes,A"] * 10 + ["rare-disease,ICU"]
    table = fugu.write("t.csv", "s,ward\n" + "\n".join(rows) + "\n")
    ask = [table, "--secret", "s", "--public", "ward", "--within", "0.05", "--epsilon", "1", "--rows-independent"]
    fugu.ok("rate", *ask, "--count", "ICU", "-o", "plan.json")
    assert "rare-disease" not in fugu.ok("statement", "plan.json")
    assert "rare-disease" not in fugu.ok("report", "plan.json", "--public", "--format", "json")
    table = fugu.write("t.csv", "s,ward\n" + "\n".join(rows[:-1] + ["no,Suite-of-one"]) + "\n")
    error = fugu.fails(2, "rate", *ask, "--histogram", "--observed", "table")
    assert "share some of the categories" in error and "Suite" not in error
    assert "Suite-of-one," in fugu.ok("rate", *ask, "--histogram", "--observed", "table", "--publish-min", "1")


def test_whoever_knows_the_tables_frequencies_is_not_covered_and_it_is_said(fugu):
    rows = ["yes,ICU"] * 50 + ["yes,A"] * 50 + ["no,ICU"] * 495 + ["no,A"] * 405
    table = fugu.write("t.csv", "s,ward\n" + "\n".join(rows) + "\n")
    done = fugu("rate", table, "--secret", "s", "--public", "ward", "--count", "ICU", "--within", "0.001", "--epsilon", "1", "--rows-independent",
                "-o", "plan.json")
    assert done.status == 0 and "whoever knows its frequencies" in " ".join(done.err.split())
    assert "Not covered is somebody who knows this table's own frequencies" in " ".join(fugu.ok("statement", "plan.json").split())
