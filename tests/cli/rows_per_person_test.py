"""Several rows of each person, with one promise about all of them (docs/columns.md)."""
import collections
import csv
import hashlib
import hmac
import itertools
import json
import math
import random
import sqlite3
from fractions import Fraction

import pytest

ASK = ["--secret", "race", "--public", "x", "--epsilon", "1"]
BAGS = ["--person", "patient_nbr", "--rows-per-person", "3"]


@pytest.fixture(autouse=True)
def whatever_method(fugu):
    fugu.method = None


def rows_of(seed=1, people=300, most=5, width=3):
    rng = random.Random(seed)
    rows = []
    for person in range(people):
        race = rng.choice("ab")
        for _ in range(rng.randrange(1, most + 1)):
            rows.append({"patient_nbr": f"p{person}", "race": race, "x": str(rng.randrange(width) + (race == "a")), "y": rng.choice("uvw")})
    rng.shuffle(rows)
    return rows


def write(fugu, name, rows, columns=("patient_nbr", "race", "x", "y")):
    fugu.write(name, ",".join(columns) + "\n" + "".join(",".join(row[c] for c in columns) + "\n" for row in rows))


def read(fugu, name):
    return (fugu.folder / name).read_text()


def released(fugu, name):
    with open(fugu.folder / name) as file:
        return list(csv.DictReader(file))


def plan_of(fugu, *more, ask=ASK):
    fugu.ok("calibrate", "t.csv", *ask, *BAGS, *more, "-o", "plan.json", "--force")
    return json.loads(read(fugu, "plan.json"))


def key(seed, person, texts, j):
    parts = [text.encode() for text in (person, *texts)]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts) + j.to_bytes(8, "big")
    return hmac.new(bytes.fromhex(seed), message, hashlib.sha256).digest()


def bags(rows, plan, columns):
    """The secret and the texts of each person's rows that are taken, by the rule of docs/formats.md."""
    person = plan["scenario"]["source"]["person"]
    numbers = sorted(int(prior["known"][0]) for prior in plan["scenario"]["priors"])
    own = collections.defaultdict(collections.Counter)
    for row in rows:
        own[row["patient_nbr"]][tuple(row[c] for c in ("race", *columns))] += 1
    result = {}
    for who, mine in own.items():
        keyed = sorted((key(person["seed"], who, texts, j), texts) for texts, times in mine.items() for j in range(times))
        taken = max([n for n in numbers if n <= len(keyed)], default=0)
        if taken:
            result[who] = [texts for _, texts in keyed[:taken]]
    return result


def counts_of(taken, most):
    """Of one column of numbers: by number of rows, secret and bag."""
    least = min(int(texts[1]) for rows in taken.values() for texts in rows)
    return collections.Counter(
        (len(rows), rows[0][0], (*sorted(int(texts[1]) for texts in rows), *[least] * (most - len(rows)))) for rows in taken.values())


def counts_in(plan):
    return collections.Counter({(int(prior["known"][0]), secret, tuple(value)): count
                                for prior in plan["scenario"]["priors"] for secret, law in prior["given"].items()
                                for value, count in zip(law["values"], law["mass"])})


def test_the_plan_has_the_bags_of_the_draw(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan = plan_of(fugu)
    source = plan["scenario"]["source"]
    assert source["person"]["rows"] == 3 and source["min_group"] == 20
    assert [prior["name"] for prior in plan["scenario"]["priors"]] == ["1 row", "2 rows", "3 rows"]
    assert counts_in(plan) == counts_of(bags(rows, plan, ["x"]), 3)
    fugu.ok("verify", "plan.json")


@pytest.mark.parametrize("threads", ["1", "2"])
def test_as_many_rows_as_were_drawn(fugu, threads):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    said = fugu("release", "t.csv", *ASK, *BAGS, "--keep-unprotected", "patient_nbr,y", "-o", "out.csv", "--threads", threads)
    assert said.status == 0 and "up to 3 of each person" in said.out, said
    plan = json.loads(read(fugu, "out.csv.plan.json"))
    taken = bags(rows, plan, ["x"])
    out = released(fugu, "out.csv")
    assert collections.Counter(row["patient_nbr"] for row in out) == {who: len(mine) for who, mine in taken.items()}
    assert max(collections.Counter(row["patient_nbr"] for row in out).values()) == 3
    there = collections.Counter((row["patient_nbr"], row["y"]) for row in rows)
    assert not collections.Counter((row["patient_nbr"], row["y"]) for row in out) - there
    receipt = json.loads(read(fugu, "out.csv.receipt.json"))
    assert receipt["rows"] == len(out) and receipt["shuffled"] is True and receipt["rows_dropped"] is False
    fugu.ok("release", "t.csv", "--plan", "out.csv.plan.json", "-o", "plain.csv")
    assert list(released(fugu, "plain.csv")[0]) == ["x"] and len(released(fugu, "plain.csv")) == len(out)


def test_rows_are_shuffled(fugu):
    rows = sorted(rows_of(), key=lambda row: row["patient_nbr"])
    write(fugu, "t.csv", rows)
    fugu.ok("release", "t.csv", *ASK, *BAGS, "--keep-unprotected", "patient_nbr", "-o", "out.csv")
    people = [row["patient_nbr"] for row in released(fugu, "out.csv")]
    assert people != sorted(people)
    assert sum(a == b for a, b in zip(people, people[1:])) < len(people) / 10
    fugu.fails(2, "release", "t.csv", *ASK, *BAGS, "--keep-order", "-o", "o.csv", says=["--keep-order: the plan releases several rows per person", "random order"])


def losses(plan):
    """The largest ratio of what may be released, rows in any order, within the values, by the plan's own numbers."""
    scenario, columns = plan["scenario"], plan["mechanism"]["columns"]
    tails = [Fraction(int(column["tail"]["numerator"]), 2 ** column["tail"]["log2_denominator"]) for column in columns]
    assert len(set(tails)) == 1
    tail, worst = tails[0], Fraction(1)
    for prior in scenario["priors"]:
        m = int(prior["known"][0])
        values = sorted({v for law in prior["given"].values() for bag in law["values"] for v in bag[:m]})
        powers = {d: tail ** d for d in range(values[-1] - values[0] + 1)}

        def mass(law, rows):
            total = sum(law["mass"])
            return sum(Fraction(count, total) * sum(math.prod(powers[abs(y - x)] for y, x in zip(order, bag)) for order in itertools.permutations(rows))
                       for bag, count in zip(law["values"], law["mass"]))

        for rows in itertools.combinations_with_replacement(values, m):
            a, b = (mass(law, rows) for law in prior["given"].values())
            worst = max(worst, a / b, b / a)
    return worst


@pytest.mark.parametrize("method", ["exact", "harmonic", "sensitivity"])
def test_the_promise_by_the_plan_file(fugu, method):
    write(fugu, "t.csv", rows_of(people=150))
    plan = plan_of(fugu, "--method", method, "--min-group", "3")
    assert plan["guarantee"]["method"] == method
    worst = losses(plan)
    assert 1 < worst and math.log(worst) <= 1 + 1e-12
    if method == "exact":  # in order the loss is 1; in any order it is a little less
        assert math.log(worst) > 0.5


def test_two_columns_and_categories(fugu):
    rows = rows_of(people=400)
    write(fugu, "t.csv", rows)
    fugu.ok("release", "t.csv", "--secret", "race", "--public", "x,y", "--epsilon", "1", "--person", "patient_nbr", "--rows-per-person", "2", "-o", "two.csv")
    plan = json.loads(read(fugu, "two.csv.plan.json"))
    taken = bags(rows, plan, ["x", "y"])
    out = released(fugu, "two.csv")
    assert list(out[0]) == ["x", "y"] and len(out) == sum(map(len, taken.values()))
    assert {row["y"] for row in out} <= set("uvw")
    statement = json.loads(fugu.ok("statement", "two.csv.plan.json", "--format", "json"))
    assert len(statement["mechanism"]["columns"]) == 2 and statement["mechanism"]["columns"][1]["labels"] == ["u", "v", "w"]
    fugu.ok("verify", "two.csv.plan.json")
    fugu.ok("audit", "two.csv.plan.json", "--draws", "2000")


def test_what_is_published(fugu):
    write(fugu, "t.csv", rows_of())
    fugu.ok("release", "t.csv", *ASK, *BAGS, "-o", "out.csv")
    plan = json.loads(read(fugu, "out.csv.plan.json"))
    receipt, statement = read(fugu, "out.csv.receipt.json"), fugu.ok("statement", "out.csv.plan.json", "--format", "json")
    report = fugu.ok("report", "out.csv.plan.json", "--public", "-o", "public.html") + read(fugu, "public.html")
    for text in (receipt, statement):
        assert "the promise is about all released rows of a person together, given how many they are" in text
        assert "How many they are is not hidden" in text
    for text in (receipt, statement, report):
        assert plan["scenario"]["source"]["person"]["seed"] not in text and '"seed"' not in text and '"priors":[' not in text
    said = json.loads(statement)
    assert "columns" not in said["mechanism"] and said["mechanism"]["noise"] == "laplace" and said["columns"]["public"] == ["x"]
    fugu.write("statement.json", statement)
    fugu.ok("estimate", "out.csv", "--statement", "statement.json")
    fugu.ok("report", "out.csv.plan.json", "-o", "report.html")
    fugu.ok("audit", "out.csv.plan.json", "--draws", "3000")
    assert "harmonic" in fugu.ok("compare", "t.csv", *ASK, *BAGS)


def test_numbers_of_rows_that_few_people_have(fugu):
    rows = rows_of(most=2)
    rows += [{"patient_nbr": "many", "race": "a", "x": "1", "y": "u"}] * 9
    write(fugu, "t.csv", rows)
    plan = plan_of(fugu)
    assert plan["scenario"]["source"]["person"]["rows"] == 2 and plan["scenario"]["source"]["merged"] == ["3 rows"]
    assert any("have fewer of their rows released: 3 rows" in note for note in plan["notes"])
    assert counts_in(plan) == counts_of(bags(rows, plan, ["x"]), 2)
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    # Everybody has two rows, but for one.
    even = [row for row in rows_of(most=1) for _ in range(2)] + [{"patient_nbr": "one", "race": "a", "x": "1", "y": "u"}]
    write(fugu, "t.csv", even)
    plan = plan_of(fugu)
    assert plan["scenario"]["source"]["left_out"] == ["1 row"]
    fugu.ok("release", "t.csv", "--plan", "plan.json", "--keep-unprotected", "patient_nbr", "-o", "out.csv", "--force")
    out = released(fugu, "out.csv")
    assert len(out) == 600 and "one" not in {row["patient_nbr"] for row in out}
    write(fugu, "t.csv", rows_of(most=1))
    fugu.fails(2, "calibrate", "t.csv", *ASK, *BAGS, "-o", "p.json", says=["for no number of rows above 1 are there 20 or more people with each of the 2 secrets", "--min-group"])


def test_a_person_has_one_secret(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan_of(fugu)
    several = collections.Counter(row["patient_nbr"] for row in rows).most_common(2)
    for row in rows:
        if row["patient_nbr"] in dict(several):
            row["race"] = "a"
    for who, _ in several:
        next(row for row in rows if row["patient_nbr"] == who)["race"] = "b"
    write(fugu, "t.csv", rows)
    for command in (["calibrate", "t.csv", *ASK, *BAGS, "-o", "p.json"], ["release", "t.csv", "--plan", "plan.json", "-o", "o.csv"]):
        fugu.fails(3, *command, says=["one person's rows have different secrets\n", "the same secret"])


def test_every_source_draws_the_same(fugu, postgres):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan = plan_of(fugu)
    expected = sum(map(len, bags(rows, plan, ["x"]).values()))
    write(fugu, "other.csv", sorted(rows, key=lambda row: row["y"]), ["y", "x", "patient_nbr", "race"])
    lite = sqlite3.connect(fugu.folder / "t.db")
    lite.execute("CREATE TABLE t (patient_nbr TEXT, race TEXT, x NUMERIC)")
    lite.executemany("INSERT INTO t VALUES (:patient_nbr, :race, :x)", reversed(rows))
    lite.commit()
    postgres.sql("CREATE TABLE t (patient_nbr text, race text, x numeric(5, 2)); INSERT INTO t VALUES "
                 + ", ".join(f"('{row['patient_nbr']}', '{row['race']}', {row['x']})" for row in rows))
    for table in (["t.csv"], ["other.csv"], ["sqlite:t.db", "--table", "t"], [postgres.url, "--table", "t"]):
        fugu.ok("release", *table, "--plan", "plan.json", "-o", "out.csv", "--force")
        assert len(released(fugu, "out.csv")) == expected
    rows[0]["x"] = str(int(rows[0]["x"]) ^ 1)
    for row in rows:
        row["x"] = str(3 - int(row["x"]))
    write(fugu, "t.csv", rows)
    fugu.fails(4, "release", "t.csv", "--plan", "plan.json", "-o", "o.csv", says="not the one that the plan was made from")


def sealed(plan):
    plan.pop("digest", None)
    canonical = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**plan, "digest": "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()}


@pytest.mark.parametrize("forge", ["rows", "padding", "group", "order", "noise", "number"])
def test_forged_plans_are_refused(fugu, forge):
    write(fugu, "t.csv", rows_of())
    plan = plan_of(fugu)
    priors, columns = plan["scenario"]["priors"], plan["mechanism"]["columns"]
    if forge == "rows":
        plan["scenario"]["source"]["person"]["rows"] = 2
    elif forge == "padding":
        priors[0]["given"]["a"]["values"] = [[bag[0], 1, 0] for bag in priors[0]["given"]["a"]["values"]]
    elif forge == "group":
        del priors[2]
    elif forge == "order":
        priors[2]["given"]["a"]["values"] = [bag[::-1] for bag in priors[2]["given"]["a"]["values"]]
    elif forge == "noise":
        wider = {**columns[2]["tail"], "numerator": str(int(columns[2]["tail"]["numerator"]) + 2)}
        plan["mechanism"]["columns"] = [columns[0], columns[1], {**columns[2], "tail": wider}]
    else:
        priors[0]["known"] = ["2"]
    fugu.write("forged.json", json.dumps(sealed(plan)))
    for command in (["verify", "forged.json"], ["release", "t.csv", "--plan", "forged.json", "-o", "o.csv"]):
        assert fugu(*command).status in (3, 4)
    assert not (fugu.folder / "o.csv").exists()


def test_too_many_combinations(fugu):
    rows = rows_of(people=400, most=3, width=700)
    write(fugu, "t.csv", rows)
    plan = plan_of(fugu)
    assert plan["guarantee"]["method"] == "harmonic"
    assert any("too many combinations of values to look at each" in note for note in plan["notes"])
    fugu.ok("verify", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    fugu.ok("report", "plan.json", "-o", "report.html")
    widest = plan_of(fugu, "--method", "sensitivity")
    assert plan["mechanism"]["columns"][0]["scale"] < 0.6 * widest["mechanism"]["columns"][0]["scale"]
    fugu.fails(2, "calibrate", "t.csv", *ASK, *BAGS, "--method", "exact", "-o", "p.json", says=["too many combinations of values for exact", "--bin"])
    binned = plan_of(fugu, "--bin", "100")
    assert binned["guarantee"]["method"] == "exact"


def test_the_ledger_and_compose(fugu):
    write(fugu, "t.csv", rows_of())
    account = ["--ledger", "l.db", "--dataset", "v", "--budget", "2.5"]
    fugu.ok("release", "t.csv", *ASK, *BAGS, *account, "-o", "one.csv")
    said = fugu.ok("release", "t.csv", "--plan", "one.csv.plan.json", *account, "-o", "two.csv")
    assert "same rows" in said
    result = fugu("release", "t.csv", *ASK, *BAGS, *account, "-o", "three.csv")
    assert result.status in (2, 6) and not (fugu.folder / "three.csv").exists()
    plan_of(fugu)
    fugu.fails(4, "compose", "plan.json", "one.csv.plan.json", says="other rows of the people")
    together = json.loads(fugu.ok("compose", "plan.json", "plan.json", "--format", "json"))
    assert 1 <= together["epsilon"] <= 2.5


@pytest.mark.parametrize("more, says", [
    (["--given", "y"], "--given: this cannot be used with several rows per person"),
    (["--known", "y"], "--known: this cannot be used with several rows per person"),
    (["--also", "smoothed:1"], "--also: this cannot be used with several rows per person"),
    (["--confidence", "0.9"], "--confidence: this cannot be used with several rows per person"),
    (["--delta", "0.01"], "--delta: this cannot be used with several rows per person"),
    (["--range", "clamp"], "--range: with several rows per person"),
    (["--method", "swap"], "swap is for one row per person"),
    (["--method", "dp-laplace"], "dp-laplace is for one column"),
])
def test_what_does_not_go_with_it(fugu, more, says):
    write(fugu, "t.csv", rows_of())
    fugu.fails(2, "calibrate", "t.csv", *ASK, *BAGS, *more, "-o", "p.json", says=says)


def test_new_data_and_too_many_rows(fugu):
    write(fugu, "t.csv", rows_of())
    plan_of(fugu)
    fugu.fails(2, "release", "t.csv", "--plan", "plan.json", "--new-data", "-o", "o.csv", says="--new-data: the plan releases several rows per person")
    fugu.fails(2, "calibrate", "t.csv", *ASK, "--person", "patient_nbr", "--rows-per-person", "65", "-o", "p.json", says="65 rows per person are too many")


def test_rare_categories_are_those_of_few_people(fugu):
    """One person's four rows make no category of many people."""
    rows = rows_of()
    rows += [{"patient_nbr": "odd", "race": "a", "x": "1", "y": "mine"}] * 3
    write(fugu, "t.csv", rows)
    ask = ["--secret", "race", "--public", "y", "--epsilon", "1"]
    fugu.fails(2, "release", "t.csv", *ask, *BAGS, "--publish-min", "2", "-o", "o.csv", says="fewer than 2 people share some of its categories")
    fugu.ok("release", "t.csv", *ask, *BAGS, "--publish-min", "2", "--merge-rare", "2", "-o", "o.csv")
    assert "mine" not in {row["y"] for row in released(fugu, "o.csv")}
