"""What the rows that are not released tell, and rows that no prior expects.

The defences: RowReader::left_out (fugu/release/row_reader.cc), ColumnWork and ArrowRelease (fugu/release/arrow_release.cc, arrow_table.cc,
arrow_values.cc) refuse a row that is left out beside kept columns, and a new value to which no prior gives mass; assumptions_of()
(fugu/plan/plan.cc) says what is assumed of the others. Without them the test of that name fails.
"""

import json
import sqlite3

import pytest

ASK = ["--secret", "s", "--public", "x", "--epsilon", "0.1"]
ASSUMED = "is assumed to say nothing of its secret"


def half_of_a_is_missing(people=200):
    """Half of a's values are missing, none of b's; x itself says nothing of s."""
    for k in range(people):
        yield "ab"[k % 2], k, "" if k % 4 == 0 else "uv"[k // 4 % 2]


@pytest.fixture(params=["csv", "sqlite"])
def holes(request, fugu):
    rows = list(half_of_a_is_missing())
    if request.param == "csv":
        fugu.write("in.csv", "s,id,x\n" + "".join(f"{s},{k},{x}\n" for s, k, x in rows))
        return ["in.csv"]
    with sqlite3.connect(fugu.folder / "in.db") as base:
        base.execute("CREATE TABLE people (s TEXT, id INTEGER, x TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?, ?)", [(s, k, x or None) for s, k, x in rows])
    return ["sqlite:in.db", "--table", "people"]


def test_a_missing_value_is_not_seen_beside_kept_columns(fugu, holes):
    """An id that is not there would prove the secret a, and one that is there changes the odds by 2 at epsilon 0.1."""
    ask = ["release", *holes, *ASK, "--missing", "drop"]
    err = fugu.fails(2, *ask, "--keep-unprotected", "id", "-o", "out.csv", says=["column 'x'", "left out", "--missing keep"])
    assert ("line 2," in err) == (holes == ["in.csv"])
    if len(holes) > 1:
        fugu.fails(2, *ask, "--keep-unprotected", "id", "--into", "released", says="left out")
    # Without them it is an assumption; as a category it is proved, and costs what it costs.
    fugu.ok(*ask, "-o", "out.csv")
    fugu.ok("release", *holes, *ASK, "--missing", "keep", "--keep-unprotected", "id", "-o", "kept.csv")
    assert len((fugu.folder / "kept.csv").read_text().splitlines()) == 201


def test_kept_columns_beside_a_table_without_holes(fugu):
    fugu.write("in.csv", "s,id,x\n" + "".join(f"{'ab'[k % 2]},{k},{k // 2 % 2}\n" for k in range(40)))
    fugu.ok("release", "in.csv", *ASK, "--missing", "drop", "--keep-unprotected", "id", "-o", "out.csv")
    assert len((fugu.folder / "out.csv").read_text().splitlines()) == 41


def table_of(fugu, kind, rows):
    """Rows of s, g, id and x: a file, or a table of a database."""
    if kind == "csv":
        fugu.write("t.csv", "s,g,id,x\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        return ["t.csv"]
    with sqlite3.connect(fugu.folder / "t.db") as base:
        base.execute("DROP TABLE IF EXISTS t")
        base.execute("CREATE TABLE t (s TEXT, g TEXT, id INTEGER, x INTEGER)")
        base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [[None if field == "" else field for field in row] for row in rows])
    return ["sqlite:t.db", "--table", "t"]


WHOLE = [(s, g, f"{s}{g}{k}", k % 2) for s in "ab" for g in "pq" for k in range(40)]


@pytest.mark.parametrize("kind", ["csv", "sqlite"])
@pytest.mark.parametrize("hole, column", [(("a", "", "h", 1), "g"), (("", "p", "h", 1), "s")])
def test_a_missing_secret_or_given_field_is_not_seen_beside_kept_columns(fugu, kind, hole, column):
    """Only a's g is ever missing: an id that is not there would prove a. Where the secret is missing, it would tell just that."""
    holes = [*WHOLE, hole]
    says = [f"column '{column}'", "would be left out", "--missing keep"]
    ask = ["--secret", "s", "--public", "x", "--epsilon", "0.1", "--given", "g", "--missing", "drop"]
    table = table_of(fugu, kind, holes)
    for kept in (["--keep", "g"], ["--keep-unprotected", "id"]):
        fugu.fails(2, "release", *table, *ask, *kept, "-o", "out.csv", says=says)
    fugu.ok("release", *table, *ask, "-o", "out.csv")
    for made in ("drop", "error"):  # then, or now
        table = table_of(fugu, kind, WHOLE)
        fugu.ok("calibrate", *table, *ask[:-1], made, "-o", f"{made}.json")
        table = table_of(fugu, kind, holes)
        later = ["release", *table, "--plan", f"{made}.json", "--new-data", "--missing", "drop", "-o", f"{made}.csv"]
        for kept in (["--keep", "g"], ["--keep-unprotected", "id"]):
            fugu.fails(2, *later, *kept, says=says)
        fugu.ok(*later)


@pytest.mark.parametrize("kind", ["csv", "sqlite"])
def test_a_secret_that_the_plan_does_not_know_is_not_seen_beside_kept_columns(fugu, kind):
    fugu.ok("calibrate", *table_of(fugu, kind, WHOLE), *ASK, "-o", "plan.json")
    table = table_of(fugu, kind, [*WHOLE, ("c", "p", "h", 1)])
    ask = ["release", *table, "--plan", "plan.json", "--new-data", "--missing", "drop", "-o", "out.csv"]
    fugu.fails(2, *ask, "--keep-unprotected", "id", says=["column 's'", "would be left out"])
    fugu.ok(*ask)


@pytest.mark.parametrize("kind", ["csv", "sqlite"])
@pytest.mark.parametrize("weighted", [[("a", "p", 5), ("b", "p", 6)], [("a", "q", 1), ("b", "q", 1)]])
def test_a_value_that_only_rows_of_weight_0_have_is_not_released(fugu, kind, weighted):
    """What is counted needs no noise, and what is not counted would say who is a: by x alone, or by x given g."""
    rows = [(s, g, "2", x) for s in "ab" for g, x in (("p", 0), ("p", 1), ("p", 9), ("q", 0), ("q", 9)) for _ in range(10)]
    table = table_of(fugu, kind, [*rows, *((s, g, "0", x) for s, g, x in weighted)])
    ask = ["--secret", "s", "--public", "x", "--epsilon", "0.1", "--weight", "id", "--rows-independent", "--given", "g", "--min-group", "5"]
    fugu.ok("calibrate", *table, *ask, "--method", "exact", "--step", "1", "-o", "plan.json")
    assert json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["tail"]["numerator"] == "0"
    says = ["column 'x': the plan does not know this value"]
    fugu.fails(3, "release", *table, "--plan", "plan.json", "-o", "out.csv", says=says)
    fugu.fails(3, "release", *table, *ask, "--method", "exact", "--step", "1", "-o", "at-once.csv", says=says)
    table = table_of(fugu, kind, [*rows, ("a", "p", "0", 9)])
    fugu.ok("release", *table, "--plan", "plan.json", "-o", "out.csv")
    assert len((fugu.folder / "out.csv").read_text().split()) == 102


def test_given_columns_show_who_is_left_out(fugu):
    rows = [(s, g, x) for s in "ab" for g in "pq" for x in ["0", "1"] for _ in range(30)] + [("a", "p", "")]
    fugu.write("in.csv", "s,g,x\n" + "".join(",".join(row) + "\n" for row in rows))
    ask = ["release", "in.csv", *ASK, "--given", "g", "--missing", "drop"]
    fugu.fails(2, *ask, "--keep", "g", "-o", "out.csv", says=["line 242, column 'x'", "left out"])
    fugu.ok(*ask, "-o", "out.csv")


def test_what_is_assumed_of_rows_left_out_is_said(fugu, holes):
    said = fugu.ok("release", *holes, *ASK, "--missing", "drop", "-o", "out.csv")
    assert "and dropped 50 rows with a missing field.\n" in said
    # For the owner: P(missing | a) is 1/2 and P(missing | b) is 0; P(there | b) / P(there | a) is 2.
    note = "a row that is dropped changes the odds between two secrets without limit, and one that is there by a factor of up to 2"
    assert note in " ".join(said.split())
    plan = json.loads((fugu.folder / "out.csv.plan.json").read_text())
    assert any(note in one for one in plan["notes"])
    assert plan["scenario"]["source"]["dropped"] == {"empirical": {"a": 50}}
    receipt = (fugu.folder / "out.csv.receipt.json").read_text()
    assert ASSUMED in json.loads(receipt)["statement"]["statement"]
    assert ASSUMED in " ".join(json.loads(receipt)["statement"]["assumptions"])
    assert "without limit" not in receipt and "factor of up to" not in receipt and '"dropped"' not in receipt
    # A plan that does not say it does not verify, not even with its own digest.
    fugu.ok("verify", "out.csv.plan.json")
    from tampering_test import digest

    plan["assumptions"] = [one for one in plan["assumptions"] if ASSUMED not in one]
    plan["digest"] = digest(plan)
    fugu.write("silent.json", json.dumps(plan))
    fugu.fails(4, "verify", "silent.json", says="assumptions")


def test_odds_are_rounded_up_and_those_of_groups_count(fugu):
    """P(missing | a) is 2/62 and P(missing | b) 1/61, a factor of 61/31; in the group p 31/16; P(there) differ by less than 1.02."""
    rows = [(s, g, x) for s in "ab" for g in "pq" for x in "01" for _ in range(15)]
    rows += [("a", "p", ""), ("a", "q", ""), ("b", "p", "")]
    fugu.write("in.csv", "s,g,x\n" + "".join(",".join(row) + "\n" for row in rows))
    notes = json.loads(fugu.ok("calibrate", "in.csv", *ASK, "--missing", "drop", "--format", "json"))["notes"]
    assert "factor of up to 1.968, and one that is there by a factor of up to 1.017" in notes[0]
    grouped = json.loads(fugu.ok("calibrate", "in.csv", *ASK, "--missing", "drop", "--given", "g", "--min-group", "5",
                                 "--format", "json"))
    assert "without limit, and one that is there by a factor of up to 1.034" in grouped["notes"][0]
    assert grouped["scenario"]["source"]["dropped"] == {
        "empirical": {"a": 2, "b": 1}, "g = p": {"a": 1, "b": 1}, "g = q": {"a": 1}}
    # All of c is missing: whoever is there is not c.
    fugu.write("in.csv", "s,g,x\n" + "".join(",".join(row) + "\n" for row in [*rows, ("c", "p", "")]))
    notes = json.loads(fugu.ok("calibrate", "in.csv", *ASK, "--missing", "drop", "--format", "json"))["notes"]
    assert "and one that is there without limit" in notes[0]


def test_a_release_that_drops_says_so_though_its_plan_does_not(fugu):
    fugu.write("in.csv", "s,id,x\n" + "".join(f"{'ab'[k % 2]},{k},{k // 2 % 2}\n" for k in range(40)))
    fugu.write("next.csv", "s,id,x\na,1,0\nb,2,\na,3,1\n")
    fugu.ok("calibrate", "in.csv", *ASK, "-o", "plan.json")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data", "--missing", "drop"]
    said = fugu.ok(*ask, "-o", "out.csv")
    assert "dropped 1 row with a field that is missing or that the plan does not know" in said
    assert ASSUMED in (fugu.folder / "out.csv.receipt.json").read_text()
    assert ASSUMED not in fugu.ok("statement", "plan.json")
    fugu.fails(2, *ask, "--keep-unprotected", "id", "-o", "kept.csv", says="line 3, column 'x'")
    # What is on standard output cannot be taken back: there the flags decide.
    fugu.write("whole.csv", "s,id,x\na,1,0\n")
    fugu.fails(2, "release", "whole.csv", *ask[2:], "--keep-unprotected", "id", "-o", "-", says=["-o -", "left out"])


@pytest.fixture
def gaps(fugu):
    """The plan saw 0, 1 and 10, and no noise is needed: what is released is what was there."""
    fugu.write("in.csv", "s,g,x\n" + "".join(f"{s},{g},{x}\n" for s in "ab" for g in "pq"
                                             for x in ([0, 1, 10] if g == "p" else [0, 10]) for _ in range(30)))
    return fugu


@pytest.mark.parametrize("method", ["exact", "channel", "optimal"])
def test_a_value_that_no_prior_expects_is_not_released(gaps, method):
    fugu = gaps
    fugu.ok("calibrate", "in.csv", *ASK, "--method", method, "-o", "plan.json")
    fugu.write("next.csv", "s,x\na,0\nb,1\na,10\na,5\nb,6\n")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data"]
    err = fugu.fails(3, *ask, "-o", "out.csv", says=["line 5, column 'x'", "does not know this value"])
    assert " 5:" not in err
    fugu.ok(*ask, "--missing", "drop", "-o", "out.csv")
    assert len((fugu.folder / "out.csv").read_text().splitlines()) == 4
    with sqlite3.connect(fugu.folder / "next.db") as base:
        base.execute("CREATE TABLE t (s TEXT, x INTEGER)")
        base.executemany("INSERT INTO t VALUES (?, ?)", [("a", 0), ("b", 6)])
    fugu.fails(3, "release", "sqlite:next.db", "--table", "t", "--plan", "plan.json", "--new-data", "--into", "out",
               says="column 'x'")


def test_a_value_that_only_other_groups_have(gaps):
    fugu = gaps
    fugu.ok("calibrate", "in.csv", *ASK, "--given", "g", "-o", "plan.json")
    fugu.write("next.csv", "s,g,x\na,p,1\nb,q,0\na,q,1\n")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv"]
    fugu.fails(3, *ask, says="line 4, column 'x'")
    fugu.fails(3, *ask, "--keep", "g", says="line 4, column 'x'")
    fugu.ok(*ask, "--missing", "drop")
    assert len((fugu.folder / "out.csv").read_text().splitlines()) == 3
    # Of rows whose group is not known only that nobody has the value is known.
    fugu.write("next.csv", "s,x\na,1\nb,0\n")
    fugu.ok(*ask, "--force")


def test_values_after_their_shaping_are_what_counts(fugu):
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s in "ab" for x in (3, 12, 41) for _ in range(9)))
    fugu.ok("calibrate", "in.csv", *ASK, "--clip", "0:40", "--bin", "10", "-o", "plan.json")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv", "--force"]
    fugu.write("next.csv", "s,x\na,7\nb,19\na,44\n")
    fugu.ok(*ask)
    fugu.write("next.csv", "s,x\na,7\nb,29\na,44\n")
    fugu.fails(3, *ask, says="line 3, column 'x'")


def test_values_that_come_together_only_elsewhere(fugu):
    """Each of both columns has the value, and no row has the two of them."""
    fugu.write("in.csv", "s,x,y\n" + "".join(f"{s},{x},{y}\n" for s in "ab" for x, y in [(0, 0), (1, 1), (0, 2)] for _ in range(9)))
    fugu.ok("calibrate", "in.csv", "--secret", "s", "--public", "x,y", "--epsilon", "0.5", "-o", "plan.json")
    fugu.write("next.csv", "s,x,y\na,0,2\nb,1,0\n")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv"]
    fugu.fails(3, *ask, says=["line 3, column 'x'", "together"])
    fugu.ok(*ask, "--missing", "drop")


def test_a_category_without_people(fugu):
    """The order names w, and nobody has it; with a confidence the counts leave it some mass."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s in "ab" for x in "uv" for _ in range(30)))
    fugu.write("next.csv", "s,x\na,w\n")
    ask = ["release", "next.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv"]
    fugu.ok("calibrate", "in.csv", *ASK, "--order", "u,v,w", "-o", "plan.json")
    fugu.fails(3, *ask, says="line 2, column 'x'")
    fugu.ok("calibrate", "in.csv", *ASK, "--order", "u,v,w", "--confidence", "0.95", "-o", "plan.json", "--force")
    fugu.ok(*ask)
