"""fugu inspect: what a table's columns are, and what each gives away of a secret."""
import csv
import collections
import json
import math
import random

import pytest

from conftest import ADULT


def inspected(fugu, *flags):
    return json.loads(fugu.ok("inspect", *flags, "--format", "json"))


def column(found, name):
    return next(entry for entry in found["columns"] if entry["name"] == name)


def test_kinds_values_missing_and_lattice(fugu):
    rows = ["id,price,city,born,mixed,none"]
    rows += [f"{k},{k % 4 / 4},{'ab '[k % 3].strip()},20{k % 10}0-01-0{k % 9 + 1},{k if k % 2 else 'x'}," for k in range(120)]
    found = inspected(fugu, fugu.write("t.csv", "\n".join(rows) + "\n"))
    assert found["rows"] == 120 and found["secret"] == []
    kinds = {entry["name"]: entry["kind"] for entry in found["columns"]}
    assert kinds == {"id": "code", "price": "number", "city": "category", "born": "date", "mixed": "mixed",
                     "none": "empty"}
    price = column(found, "price")
    assert price["values"] == 4 and price["lattice"] == {"step": 0.25, "origin": 0} and price["range"] == [0, 0.75]
    assert column(found, "city")["missing"] == 40 and column(found, "city")["values"] == 2
    assert column(found, "none")["missing"] == 120
    assert column(found, "id")["small_values"] == 120
    assert "mixes numbers and text" in column(found, "mixed")["note"]
    text = fugu.ok("inspect", "t.csv")
    assert "120 rows, 6 columns" in text and "Name a secret" in text
    assert "small values: how many values fewer than 5 rows have" in text
    assert "small values: how many values fewer than 7 rows have" in fugu.ok("inspect", "t.csv", "--small", "7")


def test_numbers_by_hand(fugu):
    # P(x|a) = 3/4, 1/4; P(x|b) = 1/4, 3/4 for x = 1, 5; y tells everything; z nothing.
    rows = [("a", 1)] * 3 + [("a", 5)] + [("b", 1)] + [("b", 5)] * 3
    text = "s,x,y,z\n" + "".join(f"{s},{x},{s}{s},{k % 2}\n" for k, (s, x) in enumerate(rows * 10))
    found = inspected(fugu, fugu.write("t.csv", text), "--secret", "s")
    assert [entry["name"] for entry in found["columns"]][0] == "y"
    assert found["secrets"] == 2 and found["guessed"] == 0.5
    x = column(found, "x")["secret"]
    assert x["loss"] == pytest.approx(math.log(3)) and x["guessed"] == 0.75 and x["w_inf"] == 4
    # Of 40 rows with a value 30 have one secret and 10 the other; each row is told by the 39 others and half a row
    # of either secret.
    surprise = -(0.75 * math.log2(29.5 / 40) + 0.25 * math.log2(9.5 / 40))
    assert x["told"] == pytest.approx(1 - surprise)
    y = column(found, "y")["secret"]
    assert y["loss"] is None and y["told"] == pytest.approx(1 + math.log2(39.5 / 40)) and y["guessed"] == 1
    assert y["small_cells"] == 0
    assert column(found, "s")["note"] == "the secret" and "secret" not in column(found, "s")
    said = fugu.ok("inspect", "t.csv", "--secret", "s")
    for title in ("tells", "guesses right", "raw loss", "W_inf", "small cells"):
        assert f"{title}: " in " ".join(said.split()), title
    assert "y reveals s" in said and "x reveals s" in said and "z reveals" not in said
    assert "infinite" in said


def test_several_columns_are_one_secret_and_missing_ones_are_left_out(fugu):
    text = "s,t,x\na,1,1\na,2,2\nb,1,1\nb,2,2\n?,1,9\na,1,\n"
    found = inspected(fugu, fugu.write("t.csv", text), "--secret", "s,t", "--na", "?")
    assert found["secrets"] == 4
    assert column(found, "x")["missing"] == 1
    # The row without a secret says nothing of it, and no other row has this one's value and secret.
    assert column(found, "x")["secret"]["told"] == 0


def test_chance_is_not_knowledge(fugu):
    chance = random.Random(3)
    rows = [(chance.choice("ab"), chance.randrange(1000)) for _ in range(3000)]
    text = "s,noise,proxy\n" + "".join(f"{s},{x},{s if k % 3 else 'c'}\n" for k, (s, x) in enumerate(rows))
    found = inspected(fugu, fugu.write("t.csv", text), "--secret", "s")
    assert [entry["name"] for entry in found["columns"]] == ["proxy", "noise", "s"]
    noise = column(found, "noise")["secret"]
    assert noise["told"] < 0.1 and noise["guessed"] < found["guessed"] + 0.05
    assert "noise reveals s" not in fugu.ok("inspect", "t.csv", "--secret", "s")


def test_missing_fields_tell(fugu):
    rows = "".join(f"{'xy'[k % 2]},{'' if k % 2 else 5}\n" for k in range(100))
    found = inspected(fugu, fugu.write("t.csv", "s,b\n" + rows), "--secret", "s")
    b = column(found, "b")["secret"]
    assert b["told"] == pytest.approx(1, abs=0.02) and b["guessed"] == 1 and b["loss"] is None and b["w_inf"] is None
    assert "b reveals s" in fugu.ok("inspect", "t.csv", "--secret", "s")


def test_identifiers_take_no_memory(fugu):
    path = fugu.write("t.csv", "id,s\n" + "".join(f"{k},{k % 2}\n" for k in range(250_001)))
    found = inspected(fugu, path, "--secret", "s")
    assert column(found, "id")["kind"] == "many" and column(found, "id")["values"] is None
    assert "identifier" in column(found, "id")["note"]
    assert "many" in fugu.ok("inspect", path)


def test_what_goes_wrong_is_said(fugu):
    path = fugu.write("t.csv", "s,x\na,1\nb,2\n")
    fugu.fails(2, "inspect", path, "--secret", "nosuch", says="nosuch")
    fugu.fails(2, "inspect", path, "--secret", "s,s", says="twice")
    fugu.fails(2, "inspect", path, "--small", "-1", says="--small")
    fugu.fails(3, "inspect", fugu.write("one.csv", "s,x\na,1\na,2\n"), "--secret", "s", says="fewer than two")
    fugu.fails(3, "inspect", fugu.write("none.csv", "s,x\n"), says="no rows")
    fugu.fails(3, "inspect", fugu.write("bad.csv", b"s,x\na,1\nb,\xff\n"), says=["line 3", "UTF-8"])
    fugu.fails(3, "inspect", fugu.write("ragged.csv", "s,x\na,1\nb\n"), says="line 3")
    fugu.fails(5, "inspect", "nosuch.csv")


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not here")
def test_relationship_gives_sex_away(fugu):
    found = inspected(fugu, ADULT, "--no-header", "--secret", "10", "--na", "?")
    assert found["rows"] == 32561
    # The proxy comes first; weights that nearly no two people share come with a word.
    assert found["columns"][0]["name"] == "8"
    assert "points to single people" in column(found, "3")["note"] and column(found, "8")["note"] is None
    with open(ADULT, newline="") as file:
        rows = [[field.strip() for field in row] for row in csv.reader(file) if row]
    cells = collections.Counter((row[7], row[9]) for row in rows)
    guessed = sum(max(cells[value, sex] for sex in ("Male", "Female")) for value in {row[7] for row in rows})
    # Leaving each row out changes little where values are frequent.
    assert column(found, "8")["secret"]["guessed"] == pytest.approx(guessed / 32561, abs=1e-4)
    assert column(found, "7")["missing"] == sum(row[6] == "?" for row in rows)
    assert "8 reveals 10" in fugu.ok("inspect", ADULT, "--no-header", "--secret", "10")
