"""fugu audit as a user runs it: every kind of plan, released files, and files that were tampered with."""

import json
import random

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
# A right release is accused at most once in a million runs.
SURE = ["--confidence", "0.999999"]
QUICK = ["--draws", "2000", *SURE]


def table_text(rows=1200):
    return "s,x\n" + "".join(f"{'ab'[k % 2]},{k * k % 7 + k % 2}\n" for k in range(rows))


@pytest.fixture
def table(fugu):
    return fugu.write("in.csv", table_text())


@pytest.fixture
def plan(fugu, table):
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    return fugu.folder / "plan.json"


def test_a_right_plan(fugu, plan):
    said = fugu.ok("audit", plan, "--draws", "20000")
    for text in ("Audited", "40,000 draws", "proved at most epsilon 0.5", "at least 0", "confidence 0.999",
                 "nothing contradicts the promise", "at most 0.001"):
        assert text in " ".join(said.split())
    assert fugu.ok("audit", "-", *QUICK, stdin=plan.read_bytes()).startswith("Audited -")


def test_json(fugu, plan):
    found = json.loads(fugu.ok("audit", "--plan", plan, "--draws", "2000", "--confidence", "0.9999", "--format", "json"))
    assert set(found) == {"rows", "confidence", "promise", "seen", "checks", "not_looked_at"}
    assert found["not_looked_at"] == []
    assert found["rows"] == 4000 and found["confidence"] == 0.9999 and found["promise"] == {"epsilon": 0.5, "delta": 0}
    assert set(found["seen"]) == {"epsilon", "delta", "prior", "pair", "event"} and sorted(found["seen"]["pair"]) == ["a", "b"]
    assert 0 <= found["seen"]["epsilon"] <= 0.5
    assert [check["check"] for check in found["checks"]] == ["texts", "possible", "law", "digits", "rows"]
    assert all(check["fault"] is None and check["tests"] > 0 for check in found["checks"])


# Every way of reading and shaping a column has values that a table can hold, so that its release can be run.
SHAPES = {
    "decimals": ([], lambda k: f"{k * k % 7 / 4}"),
    "negative": ([], lambda k: f"{-(k * k % 7) * 3}"),
    "step": (["--step", "2"], lambda k: k * k % 13),
    "clip": (["--clip", "1:4"], lambda k: k * k % 9),
    "bin": (["--bin", "3"], lambda k: k * k % 13),
    "edges": (["--bin-edges", "2,5.5,7"], lambda k: k * k % 13),
    "labels": ([], lambda k: ["", "x y", '"q ""u"""', '"a,b"', "ü"][k * k % 4 + 1]),
    "rare": (["--merge-rare", "100"], lambda k: f"l{min(k * k % 29, 9)}"),
    "missing": (["--missing", "keep", "--na", "?"], lambda k: ["?", "u", "v", ""][k * k % 4]),
    "order": (["--order", "c,a,b"], lambda k: "abc"[k * k % 3]),
    "clamped": (["--range", "clamp"], lambda k: k * k % 7),
    "delta": (["--delta", "0.01"], lambda k: k * k % 7),
    "gaussian": (["--delta", "0.01", "--noise", "gaussian"], lambda k: k * k % 7),
    "confidence": (["--confidence", "0.9", "--clip", "0:2", "--step", "1"], lambda k: k * k % 3),
    "closeness": (["--closeness", "0.1"], lambda k: k * k % 7),
    "optimal": (["--method", "optimal"], lambda k: k * k % 5),
    "channel": (["--method", "channel"], lambda k: "abcd"[k * k % 4]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_kind_of_column(fugu, shape):
    flags, value = SHAPES[shape]
    table = fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{value(k + k % 2 * (k // 5))}\n" for k in range(900)))
    fugu.ok("release", table, *FLAGS, *flags, "-o", "out.csv")
    fugu.ok("audit", "out.csv.plan.json", *QUICK)
    said = fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json", *QUICK)
    assert "no bound" not in said


def test_values_are_held_within_the_clip_not_within_the_data(fugu):
    rows = [f"{'ab'[k % 2]},{k * k % 7 + k % 2 * 3}\n" for k in range(900)]
    table = fugu.write("in.csv", "s,x\n" + "".join(rows))
    fugu.ok("release", table, *FLAGS, "--clip", "-5:20", "--range", "clamp", "-o", "out.csv")
    assert min(map(int, (fugu.folder / "out.csv").read_text().split()[1:])) < 0  # beyond the data
    fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json", *QUICK)


def test_several_columns(fugu):
    table = fugu.write("in.csv", "s,x,y\n" + "".join(f"{'ab'[k % 2]},{k * k % 5 + k % 2},{'uvw'[k * k % 3]}\n" for k in range(900)))
    fugu.ok("release", table, "--secret", "s", "--public", "x,y", "--epsilon", "1", "-o", "out.csv")
    found = json.loads(fugu.ok("audit", "out.csv.plan.json", *QUICK, "--format", "json"))
    assert found["rows"] == 4000 and found["checks"][2]["tests"] > 50
    fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json", *QUICK)


def test_without_a_header(fugu):
    table = fugu.write("in.csv", table_text().split("\n", 1)[1])
    fugu.ok("release", table, "--no-header", "--secret", "1", "--public", "2", "--epsilon", "0.5", "-o", "out.csv")
    fugu.ok("audit", "out.csv.plan.json", *QUICK)
    fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json", *QUICK)


@pytest.mark.parametrize("hole, how, rows, kept", [("", ["--missing", "drop"], 882, []), ("a", ["--keep-unprotected", "id"], 900, ["id"])])
def test_rows_that_were_dropped_and_columns_that_were_kept(fugu, hole, how, rows, kept):
    lines = [f"{hole if k % 50 == 0 else 'ab'[k % 2]},{k},{k * k % 7}" for k in range(900)]
    table = fugu.write("in.csv", "s,id,x\n" + "\n".join(lines) + "\n")
    fugu.ok("release", table, *FLAGS, *how, "-o", "out.csv")
    found = json.loads(fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json",
                               *QUICK, "--format", "json"))
    assert found["rows"] == rows and found["seen"] and found["not_looked_at"] == kept


def test_models(fugu):
    fugu.ok("count", "--users", "25", "--p", "0.7", "--epsilon", "1", "-o", "count.json")
    said = fugu.ok("audit", "count.json", "--draws", "50000", *SURE)
    assert "proved at most epsilon 1" in said and "at least 0" in said
    fugu.ok("count", "--users", "1000", "--p", "0.3", "--epsilon", "0.5", "--delta", "1e-6", "-o", "crowd.json")
    assert "no bound" in fugu.ok("audit", "crowd.json", *QUICK)
    fugu.write("chain.json", json.dumps({"states": ["u", "v"], "chains": [
        {"name": "c", "start": [0.5, 0.5], "transition": [[0.9, 0.1], [0.2, 0.8]]}]}))
    fugu.ok("chain", "--matrix", "chain.json", "--length", "50", "--state", "v", "--epsilon", "1", "-o", "chain-plan.json")
    assert "no bound" in fugu.ok("audit", "chain-plan.json", *QUICK)


def tampered(fugu, table, plan, change, says):
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv", "--force")
    head, *lines = (fugu.folder / "out.csv").read_text().splitlines()
    true = [int(line.split(",")[1]) for line in table.read_text().splitlines()[1:]]
    fugu.write("bad.csv", "\n".join([head, *map(str, change([int(line) for line in lines], true))]) + "\n")
    return fugu.fails(4, "audit", "--released", "bad.csv", "--original", table, "--plan", plan, *QUICK,
                      says=["bad.csv: ", "do not publish it", *says])


def test_released_files_that_are_wrong(fugu, table, plan):
    """Each at a confidence of 0.999999: a right file is refused at most once in a million."""
    tampered(fugu, table, plan, lambda out, true: true, [])
    tampered(fugu, table, plan, lambda out, true: [2 * (o // 2) for o in out], [])
    tampered(fugu, table, plan, lambda out, true: [o + 2 for o in out], ["of their law (check law)", "with probability at most 0.000001"])
    tampered(fugu, table, plan, lambda out, true: [t + int(0.5 * (o - t)) for o, t in zip(out, true)], [])
    tampered(fugu, table, plan, lambda out, true: [float(o) for o in out], ["row 1 is not that of a lattice point", "check texts", "no correct release"])
    reused = lambda out, true: [true[k] + out[k - k % 2] - true[k - k % 2] for k in range(len(out))]
    tampered(fugu, table, plan, reused, ["rows 1 apart", "check rows"])


def test_a_column_without_noise_gives_the_secret_away(fugu):
    """The value is the secret: released as it is, the bound alone tells."""
    table = fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 2}\n" for k in range(2000)))
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    fugu.write("raw.csv", "x\n" + "".join(f"{k % 2}\n" for k in range(2000)))
    fugu.fails(4, "audit", "--released", "raw.csv", "--original", table, "--plan", "plan.json",
               says=["where at most 0.5 is promised", "from"])


def with_column(fugu, name, fields):
    """A right release, and one more column beside it."""
    lines = (fugu.folder / "out.csv").read_text().splitlines()
    return fugu.write("more.csv", "\n".join(f"{a},{b}" for a, b in zip(lines, [name, *fields])) + "\n")


def test_columns_that_give_away_what_the_plan_hides(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv")
    rows = [line.split(",") for line in table.read_text().splitlines()[1:]]
    secret, true = [row[0] for row in rows], [row[1] for row in rows]
    audit = ["audit", "--released", "more.csv", "--original", table, "--plan", plan, *QUICK]
    for name, fields, says in (("s", secret, "column 's' is a secret of the plan"),
                               ("s", ["?"] * 1200, "column 's' is a secret of the plan"),
                               ("group", secret, "column 'group' is the original's column 's'"),
                               ("old", true, "column 'old' is the original's column 'x'")):
        with_column(fugu, name, fields)
        fugu.fails(4, *audit, says=["more.csv: ", says, "check columns", "no correct release looks like this"])
    with_column(fugu, "old", [*true[:-1], "?"])
    assert "not tested: old; " in fugu.ok(*audit)
    assert json.loads(fugu.ok(*audit, "--format", "json"))["not_looked_at"] == ["old"]
    more = (fugu.folder / "more.csv").read_bytes()
    assert "not tested: old; " in fugu.ok("audit", "--released", "-", *audit[3:], stdin=more)


def test_the_secret_in_place_of_the_released_column(fugu):
    table = fugu.write("in.csv", "s,x\n" + "".join(f"{k % 2},{k * k % 7}\n" for k in range(1200)))
    fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    fugu.write("other.csv", "s\n" + (fugu.folder / "out.csv").read_text().split("\n", 1)[1])
    fugu.fails(4, "audit", "--released", "other.csv", "--original", table, "--plan", "out.csv.plan.json", *QUICK,
               says="column 's' is a secret of the plan")


def test_secrets_and_given_columns_that_are_released_by_the_plan(fugu):
    rows = "".join(f"{k % 2 + k * k % 5},{'uv'[k % 3 % 2]}\n" for k in range(1200))
    table = fugu.write("in.csv", "s,g\n" + rows)
    fugu.ok("release", table, "--secret", "s", "--public", "s", "--given", "g", "--epsilon", "2", "--keep", "g", "-o", "out.csv")
    found = json.loads(fugu.ok("audit", "--released", "out.csv", "--original", table, "--plan", "out.csv.plan.json",
                               *QUICK, "--format", "json"))
    assert found["not_looked_at"] == []


def test_a_given_column_is_the_originals(fugu):
    table = fugu.write("in.csv", "s,x,g\n" + "".join(f"{k % 2},{k * k % 7},{'uv'[k % 3 % 2]}\n" for k in range(1200)))
    fugu.ok("release", table, *FLAGS, "--given", "g", "--keep", "g", "-o", "out.csv")
    audit = ["--original", table, "--plan", "out.csv.plan.json", *QUICK, "--format", "json"]
    assert json.loads(fugu.ok("audit", "--released", "out.csv", *audit))["not_looked_at"] == []
    head, *rows = [line.split(",") for line in (fugu.folder / "out.csv").read_text().splitlines()]
    g = head.index("g")

    def with_given(fields):
        changed = [[*row[:g], field, *row[g + 1:]] for row, field in zip(rows, fields, strict=True)]
        fugu.write("changed.csv", "\n".join(map(",".join, [head, *changed])) + "\n")

    with_given(str(k % 2) for k in range(1200))
    fugu.fails(4, "audit", "--released", "changed.csv", *audit, says="column 'g' is the original's column 's'")
    with_given("ab"[k % 2] for k in range(1200))
    assert json.loads(fugu.ok("audit", "--released", "changed.csv", *audit))["not_looked_at"] == ["g"]


def test_a_shuffled_release_is_not_accused(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "--shuffle", "-o", "out.csv")
    audit = ["audit", "--released", "out.csv", "--original", table, "--plan", plan, *QUICK]
    fugu.fails(2, *audit, says=["out.csv: it was shuffled", "audit the plan itself"])
    for receipt in ("{", "[]", '{"shuffled": true}', '{"statement_digest": "", "shuffled": 1}'):
        fugu.write("out.csv.receipt.json", receipt)
        fugu.fails(4, *audit)


def test_other_rows(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv")
    lines = (fugu.folder / "out.csv").read_text().splitlines()
    fugu.write("short.csv", "\n".join(lines[:-1]) + "\n")
    fugu.fails(3, "audit", "--released", "short.csv", "--original", table, "--plan", plan, says=["in.csv: these are not the rows that were released: 1200 here, 1199 in short.csv"])
    rng = random.Random(5)
    rows = table.read_text().splitlines()[1:]
    fugu.write("new.csv", "s,x\n" + "\n".join(rng.sample(rows, 900)) + "\n")
    fugu.ok("release", "new.csv", "--plan", plan, "--new-data", "-o", "new-out.csv")
    assert "no bound" in fugu.ok("audit", "--released", "new-out.csv", "--original", "new.csv", "--plan", plan, *QUICK)


def test_wrong_usage(fugu, table, plan):
    fugu.fails(2, "audit", says="no plan")
    fugu.fails(2, "audit", plan, "--plan", plan, says="--plan")
    fugu.fails(2, "audit", plan, "--released", table, says="--original")
    fugu.fails(2, "audit", plan, "--original", table, says="--released")
    fugu.fails(2, "audit", plan, "--separator", ";", says="--separator")
    for draws in ("99", "1000001", "many", "-5", "1e5"):
        fugu.fails(2, "audit", plan, "--draws", draws, says="--draws")
    for confidence in ("0", "1", "1.5", "-0.1", "high"):
        fugu.fails(2, "audit", plan, "--confidence", confidence, says="--confidence")
    fugu.fails(2, "audit", plan, "--format", "xml", says="--format")
    fugu.fails(5, "audit", "missing.json", says="missing.json")
    fugu.fails(3, "audit", table, says="in.csv")
    fugu.fails(5, "audit", plan, "--released", "none.csv", "--original", table, says="none.csv")


def test_a_plan_that_does_not_verify_is_not_audited(fugu, plan):
    fugu.write("bad.json", plan.read_text().replace('"epsilon": 0.5', '"epsilon": 0.4'))
    fugu.fails(4, "audit", "bad.json", says="digest")


def test_a_plan_of_no_table(fugu):
    fugu.write("scenario.json", json.dumps({"epsilon": 0.5, "priors": [{"name": "p", "given": {
        "a": {"values": [0, 1], "mass": [0.9, 0.1]}, "b": {"values": [0, 1], "mass": [0.1, 0.9]}}}]}))
    result = fugu("calibrate", "--scenario", "scenario.json", "-o", "plan.json")
    assert result.status == 0, result
    fugu.fails(2, "audit", "plan.json", says="does not name the columns")
