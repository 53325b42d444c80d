"""fugu preview: what a release would leave, before it is made; of a statement, what that says by itself."""

import json
import os
import sqlite3
import stat

import pytest

# 1,200 people; b and c are told apart by the secret.
ROWS = [("p", "a", 1)] * 300 + [("p", "b", 2)] * 300 + [("q", "b", 3)] * 200 + [("q", "c", 4)] * 400
ASK = ["--secret", "s", "--epsilon", "1"]


@pytest.fixture
def table(fugu):
    return fugu.write("t.csv", "s,v,x\n" + "".join(f"{s},{v},{x}\n" for s, v, x in ROWS))


def previewed(fugu, *words):
    return json.loads(fugu.ok("preview", *words, "--format", "json"))


@pytest.mark.parametrize("ask", [["--public", "v", "--method", "channel"], ["--public", "v", "--method", "swap"], ["--public", "v"],
                                 ["--public", "x"], ["--public", "x", "--range", "clamp"], ["--public", "x", "--method", "optimal"],
                                 ["--public", "v,x", "--method", "swap"], ["--public", "v,x"],
                                 ["--public", "x", "--known", "v", "--method", "swap"], ["--public", "v,x", "--order", "v=c,a,b"]])
def test_every_mechanism_has_a_preview(fugu, table, ask):
    if "--known" in ask:
        fugu.write("t.csv", "s,v,x\n" + "".join(f"{s},{'mn'[k % 2]},{x}\n" for k, (s, _, x) in enumerate(ROWS)))
    fugu.ok("calibrate", table, *ASK, *ask, "-o", "plan.json")
    shown = previewed(fugu, "plan.json")
    assert (shown["fugu"], shown["private"], shown["rows"], shown["simulated"]) == (1, True, 1200, 1200)
    assert shown["draws"] == 166 and 0 <= shown["unchanged"] <= 1
    for column in shown["columns"]:
        size = len(column["labels"])
        assert size == len(column["before"]) == len(column["after"]) == len(column["sd"])
        assert abs(sum(column["before"]) - 1) < 1e-9 and abs(sum(column["after"]) - 1) < 1e-9
        assert (column["mean"] is None) == (column["kind"] == "category")
        if column["known"]:
            assert column["before"] == column["after"] and column["unchanged"] == 1
    names = shown["associations"]["names"]
    assert names[-1] == "s" and names[:-1] == [column["name"] for column in shown["columns"]]
    assert shown["guess"] == json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    sample = shown["sample"]
    assert len(sample["before"]) == len(sample["after"]) == len(sample["secret"]) == 10 and sample["of"] == "plan"
    assert set(sample["secret"]) <= {"p", "q"}
    assert any("not the release" in note for note in shown["notes"])
    text = fugu.ok("preview", "plan.json")
    assert max(map(len, text.splitlines())) <= 100
    assert "Private, like the plan." in text and "166 simulated draws, not the release" in text


def test_a_secret_that_is_released_is_not_said_to_be_kept_back(fugu, table):
    for public, released in (("v", False), ("s,v", True)):
        fugu.ok("calibrate", table, *ASK, "--public", public, "-o", "plan.json", "--force")
        text = fugu.ok("preview", "plan.json")
        assert ("the secret is never released" in text) != released and ("the secret is one of the released columns" in text) == released
        assert previewed(fugu, "plan.json")["sample"]["secret_released"] == released


def test_the_tables_first_rows_are_shown(fugu, table):
    fugu.ok("calibrate", table, *ASK, "--public", "v", "--method", "swap", "-o", "plan.json")
    sample = previewed(fugu, "plan.json", table, "--rows", "3", "--cross", "v,s")["sample"]
    assert sample["of"] == "table" and sample["before"] == [["a"]] * 3 and sample["secret"] == ["p"] * 3
    cross = previewed(fugu, "plan.json", "--cross", "v,s")["cross"]
    assert cross["columns"] == ["v", "s"] and cross["rows"] == ["a", "b", "c"] and cross["columns_labels"] == ["p", "q"]
    assert cross["before"] == [[0.25, 0], [0.25, 200 / 1200], [0, 400 / 1200]]
    assert "v by s, % of all rows" in fugu.ok("preview", "plan.json", "--cross", "v,s")


def test_the_first_rows_of_a_database_are_shown(fugu, table):
    with sqlite3.connect(fugu.folder / "t.db") as database:
        database.execute("CREATE TABLE people (s TEXT, v TEXT, x INTEGER)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    fugu.ok("calibrate", table, *ASK, "--public", "v,x", "--method", "swap", "-o", "plan.json")
    sample = previewed(fugu, "plan.json", "sqlite:t.db", "--table", "people")["sample"]
    assert sample["of"] == "table" and sample["before"] == [["a", "1"]] * 10
    sample = previewed(fugu, "plan.json", "sqlite:t.db", "--query", "SELECT * FROM people WHERE s = 'q'")["sample"]
    assert sample["before"] == [["b", "3"]] * 10
    fugu.fails(2, "preview", "plan.json", "sqlite:t.db", says="say which of its tables")


def test_rows_of_people_are_drawn_from_the_plan(fugu):
    rows = "".join(f"{k // 2},{'pq'[k // 2 % 2]},{k % 5}\n" for k in range(400))
    fugu.write("t.csv", "id,s,x\n" + rows)
    for more in ([], ["--rows-per-person", "2"]):
        fugu.ok("calibrate", "t.csv", *ASK, "--public", "x", "--person", "id", *more, "-o", "plan.json", "--force")
        shown = previewed(fugu, "plan.json", "t.csv")
        assert shown["sample"]["of"] == "plan" and shown["rows"] == (400 if more else 200)
        assert "rows of each person are drawn first: the rows shown are drawn from the plan" in shown["notes"]


def test_days_are_shown_as_days(fugu):
    days = "".join(f"{'pq'[k % 2]},2024-0{1 + k % 3}-{10 + k % 9}\n" for k in range(300))
    fugu.write("t.csv", "s,d\n" + days)
    fugu.ok("calibrate", "t.csv", *ASK, "--public", "d", "-o", "plan.json")
    column = previewed(fugu, "plan.json")["columns"][0]
    assert column["date"] and column["kind"] == "number" and column["mean"]["texts"][0].startswith("2024-02-1")


def test_a_file_is_its_owners_alone(fugu, table):
    fugu.ok("calibrate", table, *ASK, "--public", "v", "-o", "plan.json")
    said = fugu.ok("preview", "plan.json", "-o", "preview.json", "--format", "json")
    assert said == "Wrote preview.json, readable by its owner only.\n"
    assert stat.S_IMODE(os.stat(fugu.folder / "preview.json").st_mode) == 0o600
    assert json.loads((fugu.folder / "preview.json").read_text())["private"] is True
    fugu.fails(2, "preview", "plan.json", "-o", "preview.json")


@pytest.mark.parametrize("ask", [["--public", "v", "--method", "swap"], ["--public", "x"], ["--public", "v", "--method", "channel"],
                                 ["--public", "v,x"]])
def test_of_a_statement_it_is_made_of_the_statement_alone(fugu, table, ask):
    fugu.ok("calibrate", table, *ASK, *ask, "-o", "plan.json")
    fugu.ok("statement", "plan.json", "-o", "statement.json")
    (fugu.folder / "plan.json").unlink()
    os.unlink(fugu.folder / "t.csv")
    shown = previewed(fugu, "statement.json")
    assert shown["private"] is False and shown["epsilon"] == 1
    assert not {"before", "after", "sample", "guess", "cross", "associations", "rows"} & set(shown)
    text = fugu.ok("preview", "statement.json")
    assert max(map(len, text.splitlines())) <= 100 and "Nothing here is private." in text
    for column in shown["columns"]:
        if column["share"]:
            assert column["share"]["low"] <= 0.1 <= column["share"]["high"]
    fugu.fails(2, "preview", "statement.json", "--draws", "5", says="no rows to draw")


def test_what_is_wrong_is_said_in_one_line(fugu, table):
    fugu.ok("calibrate", table, *ASK, "--public", "v", "-o", "plan.json")
    fugu.fails(2, "preview", "plan.json", "--cross", "v", says="--cross: this must be two columns")
    fugu.fails(2, "preview", "plan.json", "--cross", "v,w", says="--cross: the plan has no column 'w'")
    fugu.fails(2, "preview", "plan.json", "--cross", "s,s", says="--cross: a column is named twice")
    fugu.fails(2, "preview", "plan.json", "--draws", "1001", says="--draws: 1001 is more than 1000")
    fugu.fails(2, "preview", "plan.json", "--rows", "x", says="--rows: 'x' is not a number of rows")
    fugu.fails(2, "preview", "plan.json", "--separator", ";", says="--separator: there is no TABLE")
    fugu.fails(2, "preview", "plan.json", "--query", "SELECT 1", says="--query: there is no TABLE")
    fugu.fails(2, "preview", "plan.json", table, "--query", "SELECT 1", says="--query")
    fugu.fails(2, "preview", "plan.json", "--format", "csv")
    fugu.fails(5, "preview", "none.json", says="none.json")
    fugu.fails(5, "preview", "plan.json", "none.csv", says="none.csv")
    fugu.write("bad.csv", "s,v\np,a\np,zebra\n")
    fugu.fails(3, "preview", "plan.json", "bad.csv", says="bad.csv: line 3, column 'v'")
    fugu.write("half.json", '{"fugu": 1, "statement": "x"}')
    fugu.fails(3, "preview", "half.json", says="not a statement")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    plan["guarantee"]["epsilon"] = 2
    fugu.write("changed.json", json.dumps(plan))
    fugu.fails(4, "preview", "changed.json", says="changed.json")
    fugu.ok("count", "--users", "20", "--p", "0.5", "--epsilon", "1", "-o", "model.json")
    fugu.fails(2, "preview", "model.json", says="the plan of a model")
