"""Weighted rows, and rows that stand for several people (docs/columns.md)."""
import collections
import json
import random
import sqlite3
from fractions import Fraction
from functools import reduce
from math import gcd

import pytest

import tampering_test

ASK = ["--secret", "race", "--public", "x", "--epsilon", "1"]


def rows_of(seed=1, rows=400):
    rng = random.Random(seed)
    result = []
    for _ in range(rows):
        race = rng.choice("ab")
        result.append({"race": race, "x": str(rng.randrange(4) + (race == "a")), "sex": rng.choice("FM"),
                       "w": rng.choice(["1", "0.5", "1.25", "2.125", "3e-1", "0"]), "n": str(rng.randrange(4))})
    return result


def write(fugu, name, rows, columns=("race", "x", "sex", "w", "n")):
    fugu.write(name, ",".join(columns) + "\n" + "".join(",".join(row[c] for c in columns) + "\n" for row in rows))


def read(fugu, name):
    return json.loads((fugu.folder / name).read_text())


def masses_in(plan, prior=0):
    laws = plan["scenario"]["priors"][prior]["given"]
    return {(secret, int(value)): Fraction(str(mass)) for secret, law in laws.items() for value, mass in zip(law["values"], law["mass"])}


def calibrated(fugu, *more, table="t.csv"):
    fugu.ok("calibrate", table, *ASK, *more, "-o", "plan.json", "--force")
    return read(fugu, "plan.json")


def test_laws_are_the_weighted_ones(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan = calibrated(fugu, "--weight", "w")
    exact = collections.Counter()
    people = collections.Counter()
    for row in rows:
        if Fraction(row["w"]) > 0:
            exact[row["race"], int(row["x"])] += Fraction(row["w"])
            people[int(row["x"])] += 1
    weight = plan["scenario"]["source"]["weight"]
    unit = Fraction(str(weight["unit"]))
    assert {cell: mass * unit for cell, mass in masses_in(plan).items()} == exact
    assert all(mass.denominator == 1 for mass in masses_in(plan).values())
    step = plan["scenario"]["lattice"]
    assert step == {"step": 1, "origin": 0} and dict(map(tuple, weight["rows"][0])) == people
    fugu.ok("verify", "plan.json")
    said = json.loads(fugu.ok("statement", "plan.json", "--format", "json"))
    assert "Frequencies are weighted: each row counts by its number in w." in said["assumptions"]
    assert '"unit"' not in json.dumps(said)


def test_equal_weights_are_no_weights(fugu):
    rows = rows_of()
    for row in rows:
        row["w"] = "2.5"
    write(fugu, "t.csv", rows)
    weighted, plain = calibrated(fugu, "--weight", "w"), calibrated(fugu)
    assert masses_in(weighted) == masses_in(plain) and weighted["mechanism"] == plain["mechanism"]


def test_a_weighted_table_is_held_against_its_plan(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    calibrated(fugu, "--weight", "w", "--given", "sex", "--min-group", "5")
    lite = sqlite3.connect(fugu.folder / "t.db")
    lite.execute("CREATE TABLE t (race TEXT, x INTEGER, sex TEXT, w TEXT)")
    lite.executemany("INSERT INTO t VALUES (:race, :x, :sex, :w)", reversed(rows))
    lite.commit()
    for table in (["t.csv"], ["sqlite:t.db", "--table", "t"]):
        fugu.ok("release", *table, "--plan", "plan.json", "-o", "out.csv", "--force")
    assert len((fugu.folder / "out.csv").read_text().split()) == 401
    rows[5]["w"] = "7"
    write(fugu, "t.csv", rows)
    fugu.fails(4, "release", "t.csv", "--plan", "plan.json", "-o", "o.csv", says="not the one that the plan was made from")
    fugu.ok("release", "t.csv", *ASK, "--weight", "w", "-o", "at-once.csv")
    fugu.ok("release", "t.csv", "--secret", "race", "--public", "x,sex", "--epsilon", "1", "--weight", "w", "-o", "two.csv")
    fugu.ok("release", "t.csv", "--plan", "two.csv.plan.json", "-o", "again.csv")


def test_few_people_are_counted_by_rows(fugu):
    """A heavy weight makes nobody many: what two rows have is not published."""
    rows = rows_of()
    for row in rows:
        row["w"] = "1"
    for row in rows[:2]:
        row["x"], row["w"] = "rare", "1000"
    write(fugu, "t.csv", rows)
    ask = ["t.csv", *ASK, "--weight", "w", "--kind", "x=category"]
    fugu.fails(2, "release", *ask, "-o", "o.csv", says="fewer than 5 people share some of its categories")
    fugu.ok("release", *ask, "--publish-min", "1", "-o", "o.csv")


@pytest.mark.parametrize("weight", ["-1", "", "much", "1/3", "nan"])
def test_what_is_no_weight(fugu, weight):
    rows = rows_of()
    rows[3]["w"] = weight
    write(fugu, "t.csv", rows)
    for missing in ([], ["--missing", "drop"]):
        result = fugu("calibrate", "t.csv", *ASK, "--weight", "w", *missing, "-o", "p.json")
        assert result.status == 3 and ("line 5, column 'w': the weight is not a number of at least 0" in result.err or "looks like a missing" in result.err)


def test_a_counted_table_is_the_table_written_out(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    write(fugu, "out.csv", [row for row in rows for _ in range(int(row["n"]))])
    for more in ([], ["--given", "sex", "--min-group", "5"], ["--confidence", "0.9", "--kind", "x=category", "--order", "0,1,2,3,4"]):
        counted = calibrated(fugu, "--count", "n", *more)
        plain = calibrated(fugu, *more, table="out.csv")
        assert counted["scenario"]["source"].pop("count") == "n"
        assert counted["scenario"] == plain["scenario"] and counted["mechanism"] == plain["mechanism"]
    calibrated(fugu, "--count", "n")
    fugu.ok("verify", "plan.json")
    people = sum(int(row["n"]) for row in rows)
    assert f"which stand for {people:,} people" in fugu.ok("compare", "t.csv", *ASK, "--count", "n")
    for command in (["--plan", "plan.json"], [*ASK, "--count", "n"]):
        says = "the plan says" if "--plan" in command and "--count" in command else "stands for several people, and a release needs a row for each"
        fugu.fails(2, "release", "t.csv", *command, "-o", "o.csv", says=says)


def test_inspecting_a_counted_table(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    write(fugu, "out.csv", [row for row in rows for _ in range(int(row["n"]))])
    for more in ([], ["--secret", "race"]):
        counted = json.loads(fugu.ok("inspect", "t.csv", "--count", "n", *more, "--format", "json"))
        plain = json.loads(fugu.ok("inspect", "out.csv", *more, "--format", "json"))
        assert counted["rows"] == plain["rows"]
        assert [c for c in counted["columns"] if c["name"] != "n"] == [c for c in plain["columns"] if c["name"] != "n"]
    fugu.fails(3, "inspect", "t.csv", "--count", "race", says="this is not a number of people")


@pytest.mark.parametrize("count", ["-1", "", "1.5", "many", "1e30"])
def test_what_is_no_number_of_people(fugu, count):
    rows = rows_of()
    rows[3]["n"] = count
    write(fugu, "t.csv", rows)
    fugu.fails(3, "calibrate", "t.csv", *ASK, "--count", "n", "-o", "p.json", says="line 5, column 'n': this is not a number of people")


def test_what_does_not_go_together(fugu):
    write(fugu, "t.csv", rows_of())
    for more, says in (
        (["--weight", "w", "--count", "n"], "is also given"),
        (["--weight", "w", "--person", "sex"], "is also given"),
        (["--weight", "w", "--confidence", "0.9"], "--confidence: this needs numbers of rows"),
        (["--weight", "x"], "is a released column"),
        (["--count", "race"], "is the secret"),
        (["--weights", "1,2"], "--weights"),
    ):
        result = fugu("calibrate", "t.csv", *ASK, *more, "-o", "p.json")
        assert result.status == 2 and says in result.err, result


def test_a_plan_with_weights_has_no_confidence(fugu):
    """Sums of weights are no numbers of people: twice the weight makes nobody surer of the frequencies."""
    write(fugu, "t.csv", rows_of())
    fugu.ok("calibrate", "t.csv", *ASK, "--kind", "x=category", "--order", "0,1,2,3,4", "--confidence", "0.9", "-o", "p.json")
    plan = tampering_test.read(fugu.folder / "p.json")
    plan["scenario"]["source"]["weight"] = {"column": "w", "unit": 1, "rows": [[[k, 80] for k in range(1, 6)]]}
    place = next(k for k, text in enumerate(plan["assumptions"]) if text.startswith("Rows are independent"))
    plan["assumptions"].insert(place, "Frequencies are weighted: each row counts by its number in w.")
    tampering_test.refused(fugu, plan, says="this needs numbers of rows")
