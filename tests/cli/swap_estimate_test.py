"""fugu estimate of a release whose rows traded places: counts as they stand, bounds from the statement alone."""
import csv
import io
import json

import pytest

CELLS = {("north", "smith"): 300, ("north", "clerk"): 100, ("south", "smith"): 0, ("south", "clerk"): 600}
LATTICE = {"step": 1, "origin": 0}


def statement(**more):
    mechanism = {"noise": "swap", "scale": None, "changed": 0.1,
                 "columns": [{"changed": 0.08, "lattice": LATTICE, "labels": ["smith", "clerk"]},
                             {"changed": 0.05, "lattice": LATTICE}]}
    return {"fugu": 1, "statement": "…", "guarantee": {}, "mechanism": {**mechanism, **more},
            "columns": {"secret": ["s"], "public": ["job", "age"], "given": [], "kept": ["region"],
                        "kept_unprotected": ["note"]},
            "assumptions": [], "estimate": []}


@pytest.fixture
def released(fugu):
    rows = [f"{region},{job},{30 + k % 3},x\n" for (region, job), count in CELLS.items() for k in range(count)]
    fugu.write("statement.json", json.dumps(statement()))
    return fugu.write("out.csv", "region,job,age,note\n" + "".join(rows)), "--statement", "statement.json"


def estimated(fugu, *flags):
    return json.loads(fugu.ok("estimate", *flags, "--format", "json"))


def test_counts_stand_as_they_are_and_totals_are_their_sums(fugu, released):
    found = estimated(fugu, *released, "--table", "region,job")
    assert found["table"] == ["region", "job"] and found["rows"] == 1000 and found["confidence"] == 0.95
    assert {tuple(cell["values"]): cell["count"] for cell in found["cells"]} == CELLS
    totals = {tuple(cell["values"]): cell for cell in found["totals"]}
    assert totals[None, None]["count"] == 1000 and totals[None, "smith"]["count"] == 300
    assert totals["north", None]["count"] == totals["north", None]["low"] == totals["north", None]["high"] == 400
    for cell in found["cells"]:
        assert cell["low"] <= cell["count"] <= cell["high"] and cell["share"] == cell["count"] / 1000
        # At most half of the 80 rows whose job changed left, and as many came.
        assert cell["standard_error"] <= 80 ** 0.5 + 1e-6
    empty = found["cells"][2]
    assert empty["values"] == ["south", "smith"] and empty["low"] == 0 < empty["high"] < 20
    assert estimated(fugu, *released, "--table", "job", "--by", "region") == found
    wider = estimated(fugu, *released, "--table", "region,job", "--confidence", "0.999")
    assert wider["cells"][0]["high"] > found["cells"][0]["high"]
    assert "receipt would" in found["notes"][-1]


def test_each_released_column_is_counted_when_none_is_named(fugu, released):
    found = estimated(fugu, *released)
    assert [table["table"] for table in found["tables"]] == [["job"], ["age"]]
    assert [cell["values"] for cell in found["tables"][1]["cells"]] == [[30], [31], [32]]
    assert estimated(fugu, *released, "--column", "age")["tables"] == found["tables"][1:]
    assert [table["table"] for table in estimated(fugu, *released, "--by", "region")["tables"]] == [
        ["region", "job"], ["region", "age"]]
    by_pipe = fugu.ok("estimate", "-", *released[1:], "--format", "json", stdin=released[0].read_text())
    assert [table["cells"] for table in json.loads(by_pipe)["tables"]] == [table["cells"] for table in found["tables"]]
    text = fugu.ok("estimate", *released)
    assert "1,000 rows released, counted by job as they stand" in text
    assert "standard error, at most" in text and "95 % sure that it is" in text
    assert text.count("\n  Totals\n") == 2 and text.count("\n  (all)  1,000  100.00 %") == 2


def test_csv_has_a_line_for_each_cell_and_total(fugu, released):
    lines = list(csv.DictReader(io.StringIO(fugu.ok("estimate", *released, "--table", "region,job", "--format", "csv"))))
    assert list(lines[0]) == ["line", "region", "job", "count", "share", "standard_error", "low", "high"]
    cells = [line for line in lines if line["line"] == "cell"]
    assert {(line["region"], line["job"]): int(line["count"]) for line in cells} == CELLS
    assert lines[-1]["line"] == "total" and lines[-1]["region"] == "" and lines[-1]["count"] == "1000"
    fugu.fails(2, "estimate", *released, "--format", "csv", says=["--format", "--table"])
    fugu.fails(2, "estimate", *released, "--format", "xml", says="text, json, csv")


def test_what_has_no_meaning_there_is_refused(fugu, released):
    for flag, value in (("--support", "1:2"), ("--bin", "5"), ("--quantiles", "0.5")):
        fugu.fails(2, "estimate", *released, flag, value, says=[flag, "traded places", "leave it out"])
    fugu.fails(2, "estimate", *released, "--of", "population", says=["--of", "very rows"])
    fugu.fails(2, "estimate", *released, "--table", "note,job", says=["note", "not preserved"])
    assert estimated(fugu, *released, "--table", "note")["cells"][0]["high"] == 1000
    fugu.fails(2, "estimate", *released, "--table", "job,nosuch", says=["--table", "nosuch"])
    fugu.fails(2, "estimate", *released, "--table", "job", "--by", "job", says="named twice")
    fugu.fails(2, "estimate", *released, "--table", "job", "--column", "job", says="--column and --table")
    fugu.fails(2, "estimate", *released, "--table", "job", "--part", says=["--part", "whole table"])
    fugu.write("merged.json", json.dumps(statement(strata_merged=True)))
    # Rows of small groups, which have no region, are counted apart: rows trade places within groups alone.
    merged = fugu.ok("estimate", released[0], "--statement", "merged.json", "--table", "region,job")
    plain = fugu.ok("estimate", *released, "--table", "region,job")
    assert "rows of small groups were released without the known columns" in " ".join(merged.split())
    assert [line for line in merged.splitlines() if line in plain.splitlines()] == plain.splitlines()
    new = {**statement(), "assumptions": ["The rows are others than those that the noise was made from: …"]}
    fugu.write("new.json", json.dumps(new))
    fugu.fails(2, "estimate", released[0], "--statement", "new.json", says=["new data", "made from these rows"])


def test_a_receipt_tells_whether_all_rows_are_there(fugu, released):
    receipt = {"fugu": 1, "rows": 1000, "new_data": False, "output": None, "statement": statement()}
    fugu.write("receipt.json", json.dumps(receipt))
    table = released[0]
    assert not any("bounds hold" in note for note in estimated(fugu, table, "--statement", "receipt.json",
                                                               "--table", "job")["notes"])
    assert estimated(fugu, table, "--statement", "receipt.json", "--table", "job", "--part")["rows"] == 1000
    fugu.write("receipt.json", json.dumps({**receipt, "rows": 1001}))
    fugu.fails(3, "estimate", table, "--statement", "receipt.json", says="1000 rows")
    fugu.fails(2, "estimate", table, "--statement", "receipt.json", "--part", says="--part")
    fugu.write("receipt.json", json.dumps({**receipt, "new_data": True}))
    fugu.fails(2, "estimate", table, "--statement", "receipt.json", says="new data")


def test_a_statement_that_is_none_is_refused(fugu, released):
    for broken in (statement(changed=2), statement(changed="x"), statement(columns=[])):
        fugu.write("broken.json", json.dumps(broken))
        fugu.fails(3, "estimate", released[0], "--statement", "broken.json")
    table = fugu.write("other.csv", "job,age\nbaker,30\n")
    fugu.fails(3, "estimate", table, "--statement", "statement.json", says=["line 2", "cannot come from the statement"])


def test_noise_is_not_counted_as_it_stands(fugu):
    table = fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 7}\n" for k in range(700)))
    fugu.ok("release", table, "--secret", "s", "--public", "x", "--epsilon", "0.1", "-o", "noisy.csv")
    fugu.fails(2, "estimate", "noisy.csv", "--table", "x", says=["--table", "leave out --table"])
    fugu.fails(2, "estimate", "noisy.csv", "--format", "csv", says=["csv", "text, json"])
