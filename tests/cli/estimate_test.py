"""fugu estimate as a recipient runs it: a released table and its statement, nothing else."""
import json
import random

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "1"]


@pytest.fixture
def table(fugu):
    chance = random.Random(5)
    rows = [("ab"[k % 2], min(9, max(0, round(chance.gauss(4 + k % 2 * 0.4, 2)))), "ns"[k % 3 == 0])
            for k in range(20000)]
    fugu.truth = [x for _, x, _ in rows]
    fugu.groups = rows
    return fugu.write("in.csv", "s,x,g\n" + "".join(f"{s},{x},{g}\n" for s, x, g in rows))


def estimated(fugu, *flags, **given):
    return json.loads(fugu.ok("estimate", *flags, "--format", "json", **given))


def share(values, value):
    return sum(x == value for x in values) / len(values)


@pytest.mark.parametrize("method", [["exact"], ["optimal"], ["channel"], ["exact", "--range", "clamp"],
                                    ["exact", "--noise", "gaussian", "--delta", "1e-4"]])
def test_statement_alone_gives_back_mean_quantiles_and_shares(fugu, table, method):
    fugu.ok("release", table, *FLAGS, "--method", *method, "-o", "out.csv")
    fugu.ok("statement", "out.csv.plan.json", "-o", "statement.json")
    (fugu.folder / "out.csv.receipt.json").unlink()
    found = estimated(fugu, "out.csv", "--statement", "statement.json", "--confidence", "0.99999")
    assert found["of"] == "table"
    found = found["estimates"][0]
    assert found["rows"] == 20000
    mean = sum(fugu.truth) / 20000
    assert found["mean"]["low"] <= mean <= found["mean"]["high"]
    assert abs(found["mean"]["value"] - mean) < 0.3
    assert sum(entry["likeliest"] for entry in found["shares"]) == pytest.approx(1)
    for entry in found["shares"]:
        assert entry["from"] == entry["to"] and entry["likeliest"] >= 0
        assert entry["share"]["low"] <= share(fugu.truth, entry["from"]) <= entry["share"]["high"], entry
    median = sorted(fugu.truth)[10000 - 1]
    quantile = next(entry for entry in found["quantiles"] if entry["level"] == 0.5)
    assert quantile["low"] <= median <= quantile["high"]


def test_the_receipt_beside_the_table_will_do(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    text = fugu.ok("estimate", "out.csv")
    assert "20,000 rows released, column x" in text and "95 % sure" in text and "likeliest" in text
    assert estimated(fugu, "out.csv") == estimated(fugu, "out.csv", "--statement", "out.csv.receipt.json")


def test_groups_of_kept_columns(fugu, table):
    fugu.ok("release", table, *FLAGS, "--given", "g", "--keep", "g", "-o", "out.csv")
    found = estimated(fugu, "out.csv", "--by", "g")["estimates"]
    assert [entry["group"] for entry in found] == ["g = n", "g = s"]
    assert sum(entry["rows"] for entry in found) == 20000
    for entry in found:
        truth = [x for _, x, g in fugu.groups if "g = " + g == entry["group"]]
        assert abs(entry["mean"]["value"] - sum(truth) / len(truth)) < 0.5


def test_several_columns_are_estimated_each(fugu, table):
    fugu.ok("release", table, "--secret", "s", "--public", "x,g", "--epsilon", "2", "-o", "out.csv")
    found = estimated(fugu, "out.csv", "--confidence", "0.99999")["estimates"]
    assert [entry["column"] for entry in found] == ["x", "g"]
    assert found[0]["mean"]["low"] <= sum(fugu.truth) / 20000 <= found[0]["mean"]["high"]
    shares = {entry["from"]: entry["share"] for entry in found[1]["shares"]}
    truth = sum(g == "n" for _, _, g in fugu.groups) / 20000
    assert shares["n"]["low"] <= truth <= shares["n"]["high"]
    assert [entry["column"] for entry in estimated(fugu, "out.csv", "--column", "g")["estimates"]] == ["g"]
    fugu.fails(2, "estimate", "out.csv", "--column", "s", says="no column 's'")


def test_categories_have_shares_and_nothing_else(fugu):
    rows = "".join(f"{'ab'[k % 2]},{'red green blue'.split()[(k + k % 2 * k // 2) % 3]}\n" for k in range(3000))
    table = fugu.write("in.csv", "s,colour\n" + rows)
    fugu.ok("release", table, "--secret", "s", "--public", "colour", "--epsilon", "0.1", "-o", "out.csv")
    found = estimated(fugu, "out.csv")["estimates"][0]
    assert found["mean"] is None and found["quantiles"] == []
    assert [entry["from"] for entry in found["shares"]] == ["blue", "green", "red"]
    fugu.fails(2, "estimate", "out.csv", "--bin", "2", says="categories")


def test_bins_quantiles_support_and_population(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    found = estimated(fugu, "out.csv", "--support", "0:9", "--bin", "5", "--quantiles", "0.5")["estimates"][0]
    assert [(entry["from"], entry["to"]) for entry in found["shares"]] == [(0, 4), (5, 9)]
    assert len(found["quantiles"]) == 1
    whole = estimated(fugu, "out.csv", "--support", "0:9")["estimates"][0]["mean"]
    law = estimated(fugu, "out.csv", "--support", "0:9", "--of", "population")["estimates"][0]["mean"]
    assert law["high"] - law["low"] > whole["high"] - whole["low"]


def test_noise_too_wide_for_shares_leaves_the_mean(fugu, table):
    flags = ["--secret", "s", "--public", "x", "--epsilon", "0.01", "--method", "sensitivity"]
    fugu.ok("release", table, *flags, "-o", "out.csv")
    found = estimated(fugu, "out.csv", "--confidence", "0.99999")["estimates"][0]
    assert found["shares"] == [] and found["quantiles"] == []
    assert found["mean"]["low"] <= sum(fugu.truth) / 20000 <= found["mean"]["high"]
    assert "--support" in found["notes"][0]
    narrow = estimated(fugu, "out.csv", "--support", "0:9", "--confidence", "0.99999")["estimates"][0]
    assert len(narrow["shares"]) == 10 and narrow["mean"]["low"] >= 0


def test_the_receipt_of_another_release_is_refused(fugu, table):
    flags = ["--secret", "s", "--public", "x", "--epsilon", "0.05"]
    fugu.ok("release", table, *flags, "-o", "out.csv")
    fugu.ok("release", table, *flags, "-o", "again.csv")
    fewer = fugu.write("fewer.csv", "s,x,g\n" + "".join(f"{s},{x},{g}\n" for s, x, g in fugu.groups[:9000]))
    fugu.ok("release", fewer, "--new-data", "--plan", "out.csv.plan.json", "-o", "fewer-out.csv")
    receipt = ["--statement", "out.csv.receipt.json"]
    hint = "--part"
    fugu.fails(3, "estimate", "fewer-out.csv", *receipt, says=["9000 rows", "20000", hint])
    fugu.fails(3, "estimate", "again.csv", *receipt, says=["not the one that the receipt was written for", hint])
    lines = (fugu.folder / "out.csv").read_text().splitlines(keepends=True)
    other = fugu.write("other.csv", "y\n" + "".join(lines[1:]))
    fugu.fails(3, "estimate", other, *receipt, "--part", says=["no column 'x'", "--column"])
    bare = fugu.write("no-header.csv", "".join(lines[1:]))
    fugu.fails(3, "estimate", bare, *receipt, "--part", says=["no column 'x'", "--no-header"])
    more = fugu.write("more.csv", "".join(lines) + lines[1])
    fugu.fails(3, "estimate", more, *receipt, "--part", says=["20001 rows", "20000"])


def test_part_of_a_release_is_estimated_when_that_is_said(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    assert estimated(fugu, "out.csv")["estimates"][0]["notes"] == []
    receipt = ["--statement", "out.csv.receipt.json"]
    lines = (fugu.folder / "out.csv").read_text().splitlines(keepends=True)
    half = fugu.write("half.csv", "".join(lines[:10001]))
    fugu.fails(3, "estimate", half, *receipt, says="10000 rows")
    found = estimated(fugu, half, *receipt, "--part")["estimates"][0]
    assert found["rows"] == 10000 and "digest could not be compared" in found["notes"][-1]
    anew = fugu.write("anew.csv", "".join(lines).replace("\n", "\r\n"))
    fugu.fails(3, "estimate", anew, *receipt, says="not the one")
    assert estimated(fugu, anew, *receipt, "--part")["estimates"][0]["rows"] == 20000
    renamed = fugu.write("renamed.csv", "y\n" + "".join(lines[1:]))
    found = estimated(fugu, renamed, *receipt, "--part", "--column", "y")["estimates"][0]
    assert "names" in found["notes"][-1]
    found = estimated(fugu, "-", *receipt, stdin="".join(lines))["estimates"][0]
    assert found["rows"] == 20000 and "digest" in found["notes"][-1] and "rows" not in found["notes"][-1]


def test_a_receipt_is_held_to_its_own_statement(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    receipt["statement"]["assumptions"] = []
    fugu.write("forged.json", json.dumps(receipt))
    fugu.fails(3, "estimate", "out.csv", "--statement", "forged.json", says="not the statement")


def test_a_statement_alone_says_what_was_not_compared(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    fugu.ok("statement", "out.csv.plan.json", "-o", "statement.json")
    found = estimated(fugu, "out.csv", "--statement", "statement.json")["estimates"][0]
    assert "number of rows" in found["notes"][-1] and "receipt" in found["notes"][-1]
    other = fugu.write("other.csv", "y\n1\n2\n")
    fugu.fails(3, "estimate", other, "--statement", "statement.json", says="no column 'x'")


def test_none_among_a_hundred_leaves_room_for_some(fugu):
    """Clopper and Pearson: 1 - 0.025 ** (1 / 100)."""
    rows = ["a,no\n", "b,no\n"] * 49 + ["a,yes\n", "b,yes\n"]
    fugu.ok("calibrate", fugu.write("in.csv", "s,x\n" + "".join(rows)), *FLAGS, "-o", "plan.json")
    fugu.write("new.csv", "s,x\n" + "a,no\nb,no\n" * 50)
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "--publish-min", "1", "-o", "out.csv")
    found = estimated(fugu, "out.csv", "--of", "population")["estimates"][0]["shares"][1]
    assert found["from"] == "yes" and found["share"]["low"] == 0
    assert found["share"]["high"] == pytest.approx(1 - 0.025 ** 0.01, rel=1e-9)


def test_what_goes_wrong_is_said(fugu, table):
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    bare = fugu.write("bare.csv", "x\n1\n2\n")
    fugu.fails(2, "estimate", bare, says=["--statement is missing", "receipt"])
    receipt = ["--statement", "out.csv.receipt.json"]
    fugu.fails(3, "estimate", fugu.write("half.csv", "x\n1\n2.5\n"), *receipt, says=["line 3", "cannot come from the statement"])
    fugu.fails(3, "estimate", fugu.write("none.csv", "x\n"), *receipt, says="no rows")
    fugu.fails(3, "estimate", "out.csv", "--statement", "out.csv.plan.json", says="not a statement")
    fugu.fails(3, "estimate", "out.csv", "--statement", fugu.write("s.json", "{}"), says="not a statement")
    fugu.fails(2, "estimate", "out.csv", "--confidence", "1.5", says="--confidence")
    fugu.fails(2, "estimate", "out.csv", "--of", "people", says=["--of", "population"])
    fugu.fails(2, "estimate", "out.csv", "--support", "9", says="LO:HI")
    fugu.fails(2, "estimate", "out.csv", "--support", "9:0", says="--support")
    assert "too many for quantiles" in fugu.ok("estimate", "out.csv", "--support", "0:100000")
    fugu.fails(2, "estimate", "out.csv", "--bin", "0.5", says="--bin")
    fugu.fails(2, "estimate", "out.csv", "--column", "nosuch", says="nosuch")
    fugu.fails(5, "estimate", "nosuch.csv", *receipt)
