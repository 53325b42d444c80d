"""Values clipped, put into bins or merged before they are released: one map, part of the plan."""
import csv
import json
import math
import random
import re

import pytest

from conftest import ADULT
from tampering_test import canonical, digest, read

QUESTION = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
SHAPED = ["--clip", "20:69", "--bin", "5"]


def make_table(seed=1, rows=2000):
    random.seed(seed)
    out = ["s,x,job"]
    for k in range(rows):
        secret = "ab"[k % 2]
        age = min(95, max(15, int(random.gauss(40 if secret == "a" else 44, 13))))
        job = f"tiny{k % 3}" if k < 14 else random.choice(["clerk", "cook", "nurse"])
        out.append(f"{secret},{age},{job}")
    return "\n".join(out) + "\n"


@pytest.fixture
def table(fugu):
    return fugu.write("t.csv", make_table())


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def column(path, name="x"):
    return [row[name] for row in rows_of(path)]


def before_the_command(text):
    """The lines of a comparison before the command that releases it."""
    return re.split("\n\nRecommended ", text)[0].splitlines()


def middle(text):
    """By hand: clipped, then the middle of five whole numbers."""
    return min(69, max(20, int(text))) // 5 * 5 + 2


def test_clip_and_bin_from_calibration_to_release(fugu, table):
    fugu.ok("calibrate", table, *QUESTION, *SHAPED, "-o", "p.json")
    plan = read(fugu.folder / "p.json")
    source = plan["scenario"]["source"]
    assert source["clip"] == [20, 69] and source["bin"] == {"width": 5, "middle": 2}
    assert plan["scenario"]["lattice"] == {"step": 5, "origin": 2}
    counted = {}
    for row in rows_of(table):
        counted[row["s"], middle(row["x"])] = counted.get((row["s"], middle(row["x"])), 0) + 1
    given = plan["scenario"]["priors"][0]["given"]
    assert counted == {(s, x): n for s in given for x, n in zip(given[s]["values"], given[s]["mass"])}
    fugu.ok("verify", "p.json")
    fugu.ok("release", table, "--plan", "p.json", "-o", "o.csv")
    released = [int(x) for x in column(fugu.folder / "o.csv")]
    assert len(released) == 2000 and all(x % 5 == 2 for x in released)
    # The noise is a few years: far less than what one bin or the clip done differently would leave.
    error = sum((y - middle(x)) ** 2 for y, x in zip(released, column(table))) / 2000
    assert error == pytest.approx(plan["mechanism"]["mse"], rel=0.5)
    statement = json.loads((fugu.folder / "o.csv.receipt.json").read_text())["statement"]
    assert statement["shape"] == {"clip": [20, 69], "bin": {"width": 5, "middle": 2}}
    assert "held between 20 and 69" in statement["statement"] and "bins of 5" in statement["statement"]


def test_no_noise_releases_the_map_itself(fugu, table):
    fugu.ok("release", table, "--secret", "s", "--public", "x", "--epsilon", "30", "--bin", "50", "-o", "o.csv")
    plan = read(fugu.folder / "o.csv.plan.json")
    assert plan["mechanism"]["mse"] == 0
    assert column(fugu.folder / "o.csv") == [f"{int(x) // 50 * 50 + 25}" for x in column(table)]


def test_data_shaped_otherwise_is_refused(fugu, table):
    fugu.ok("calibrate", table, *QUESTION, *SHAPED, "-o", "p.json")
    # One value that falls into another bin; one that the clip holds either way is the same to the plan.
    lines = make_table().splitlines()
    moved = next(k for k, line in enumerate(lines[1:], 1) if line.split(",")[1] == "44")
    parts = lines[moved].split(",")
    fugu.write("moved.csv", "\n".join(lines[:moved] + [",".join([parts[0], "45", parts[2]])] + lines[moved + 1:]))
    fugu.fails(4, "release", "moved.csv", "--plan", "p.json", "-o", "o.csv", says="not the one that the plan")
    fugu.ok("release", "moved.csv", "--plan", "p.json", "--new-data", "-o", "new.csv")
    # The table that was shaped by somebody else in another way.
    binned = [f"{s},{int(x) // 10 * 10},{job}" for s, x, job in (line.split(",") for line in lines[1:])]
    fugu.write("tens.csv", "\n".join(lines[:1] + binned))
    fugu.fails(4, "release", "tens.csv", "--plan", "p.json", "-o", "o.csv", says="not the one that the plan")
    # Already shaped by this very map: nothing changes.
    done = [f"{s},{middle(x)},{job}" for s, x, job in (line.split(",") for line in lines[1:])]
    fugu.write("done.csv", "\n".join(lines[:1] + done))
    fugu.ok("release", "done.csv", "--plan", "p.json", "-o", "o.csv")
    fugu.write("text.csv", "s,x\na,30\nb,old\n")
    fugu.fails(3, "release", "text.csv", "--plan", "p.json", "--new-data", "-o", "o2.csv", says="line 3")


def test_values_beyond_the_clip_are_held_in_new_data(fugu, table):
    fugu.ok("calibrate", table, "--secret", "s", "--public", "x", "--epsilon", "30", "--clip", "20:69", "--bin",
            "25", "-o", "p.json")
    assert read(fugu.folder / "p.json")["mechanism"]["mse"] == 0
    fugu.write("new.csv", "s,x\na,-400\nb,1e6\na,49.5\n")
    fugu.ok("release", "new.csv", "--plan", "p.json", "--new-data", "-o", "o.csv")
    assert column(fugu.folder / "o.csv") == ["12", "62", "37"]


def change_clip(source):
    source["clip"] = [20, 64]


def change_clip_away(source):
    del source["clip"]


@pytest.mark.parametrize("change", [change_clip, change_clip_away, lambda source: source.update(clip=[30, 69]),
                                    lambda source: source.update(step=5),
                                    lambda source: source.update(bin={"width": 10, "middle": 2}),
                                    lambda source: source.update(bin={"width": 5, "middle": 1}),
                                    lambda source: source.pop("bin")],
                         ids=["clip", "no clip", "higher clip", "step", "width", "middle", "no bin"])
def test_a_plan_with_another_map_is_refused(fugu, table, change):
    fugu.ok("calibrate", table, *QUESTION, *SHAPED, "-o", "p.json")
    plan = read(fugu.folder / "p.json")
    change(plan["scenario"]["source"])
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    result = fugu("release", table, "--plan", "bad.json", "-o", "o.csv")
    assert result.status in (3, 4) and not (fugu.folder / "o.csv").exists(), result
    assert result.err.startswith("fugu: ") and "hint: " in result.err


def test_a_plan_of_another_clip_does_not_fit_the_table(fugu, table):
    """A plan that is consistent, verifies, and is of another map."""
    fugu.ok("calibrate", table, *QUESTION, *SHAPED, "-o", "p.json")
    fugu.ok("calibrate", table, *QUESTION, "--clip", "20:64", "--bin", "5", "-o", "other.json")
    plan, other = read(fugu.folder / "p.json"), read(fugu.folder / "other.json")
    other["scenario"]["source"]["clip"] = plan["scenario"]["source"]["clip"]
    other["assumptions"] = plan["assumptions"]
    other["digest"] = digest(other)
    fugu.write("bad.json", canonical(other))
    fugu.ok("verify", "bad.json")
    fugu.fails(3, "release", table, "--plan", "bad.json", "-o", "o.csv", says="does not know this value")


def test_edges(fugu, table):
    fugu.ok("release", table, *QUESTION, "--bin-edges", "20,30,50", "-o", "o.csv")
    labels = ["< 20", "20 to < 30", "30 to < 50", ">= 50"]
    plan = read(fugu.folder / "o.csv.plan.json")
    assert plan["scenario"]["source"]["labels"] == labels and plan["scenario"]["source"]["edges"] == [20, 30, 50]
    released = column(fugu.folder / "o.csv")
    assert set(released) == set(labels)
    given = plan["scenario"]["priors"][0]["given"]
    below = sum(1 for row in rows_of(table) if row["s"] == "a" and int(row["x"]) < 20)
    assert given["a"]["mass"][given["a"]["values"].index(1)] == below
    fugu.ok("verify", "o.csv.plan.json")
    plan["scenario"]["source"]["edges"][1] = 31
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(3, "verify", "bad.json", says="the labels are not those of the edges")
    plan["scenario"]["source"]["labels"][1:3] = ["20 to < 31", "31 to < 50"]
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(4, "release", table, "--plan", "bad.json", "-o", "o2.csv", says="not the one that the plan")


def test_merge_rare_names_no_rare_category(fugu, table):
    question = ["--secret", "s", "--public", "job", "--epsilon", "0.05"]
    fugu.ok("release", table, *question, "--merge-rare", "10", "-o", "o.csv")
    plan = read(fugu.folder / "o.csv.plan.json")
    assert plan["scenario"]["source"]["rare"] == ["tiny0", "tiny1", "tiny2"]
    assert plan["scenario"]["source"]["labels"] == ["clerk", "cook", "nurse", "(rare)"]
    assert set(column(fugu.folder / "o.csv", "job")) == {"clerk", "cook", "nurse", "(rare)"}
    receipt = (fugu.folder / "o.csv.receipt.json").read_text()
    statement = fugu.ok("statement", "o.csv.plan.json", "--format", "json")
    for text in [receipt, statement, fugu.ok("statement", "o.csv.plan.json")]:
        assert "tiny" not in text and "(rare)" in text
    assert json.loads(statement)["shape"] == {"rare_merged": True}
    # A rare category that the plan does not know, and one that it takes for common.
    lines = make_table().splitlines()
    fugu.write("new.csv", "\n".join(lines + ["a,30,spy"]))
    fugu.fails(3, "release", "new.csv", "--plan", "o.csv.plan.json", "--new-data", "-o", "o2.csv", says="line 2002")
    plan["scenario"]["source"]["rare"].remove("tiny1")
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(3, "release", table, "--plan", "bad.json", "-o", "o2.csv", says="line 3")


@pytest.mark.parametrize("flags, says", [
    (["--bin", "5", "--bin-edges", "1,2"], "--bin-edges: --bin cannot be used"),
    (["--step", "1", "--bin-edges", "1,2"], "--bin-edges: --step cannot be used"),
    (["--clip", "1:2", "--bin-edges", "1,2"], "--bin-edges: --clip cannot be used"),
    (["--bin-edges", "2,1"], "do not increase"),
    (["--bin-edges", "2,two"], "'two' is not a number"),
    (["--clip", "9:2"], "the first number is above"),
    (["--clip", "9"], "not a range LO:HI"),
    (["--clip", "9:x"], "'x' is not a number"),
    (["--bin", "0"], "greater than 0"),
    (["--bin", "5", "--step", "2"], "not a multiple of --step"),
    (["--bin", "5", "--order", "a,b"], "--order makes the column categorical"),
    (["--merge-rare", "0"], "'0' is not a number of rows"),
    (["--merge-rare", "5"], "holds numbers, not categories"),
    (["--merge-rare", "5", "--bin", "2"], "this is for numbers"),
    (["--clip", "0:1e300"], "more than 2^40 steps"),
])
def test_flags_that_do_not_go_together(fugu, table, flags, says):
    fugu.fails(2, "calibrate", table, *QUESTION, *flags, says=says)


def test_flags_for_another_question(fugu, table):
    jobs = ["--secret", "s", "--public", "job", "--epsilon", "0.5"]
    for flags in [["--clip", "1:2"], ["--bin", "5"], ["--bin-edges", "1,2"]]:
        fugu.fails(2, "compare", table, *jobs, *flags, says=f"{flags[0]}: column 'job' holds categories")
    fugu.fails(2, "compare", table, *jobs, "--merge-rare", "100000", says="every category")
    fugu.fails(2, "compare", table, *jobs, "--merge-rare", "10", "--confidence", "0.9", says="chosen by their counts")
    fugu.write("taken.csv", "s,x\na,p\nb,p\na,(rare)\n")
    fugu.fails(2, "compare", "taken.csv", *QUESTION, "--merge-rare", "2", says="called (rare) already")
    two = ["--secret", "s", "--public", "x,job", "--epsilon", "0.5"]
    for flags in [["--clip", "1:2"], ["--bin", "5"], ["--bin-edges", "1,2"], ["--merge-rare", "3"]]:
        fugu.ok("compare", table, *two, *flags)
        fugu.fails(2, "compare", "--scenario", "none.json", *flags, says=f"{flags[0]} cannot be used")
        fugu.fails(2, "release", table, "--plan", "none.json", *flags, "-o", "o.csv",
                   says=f"{flags[0]}: the plan says this already")


def test_compare_tells_what_shaping_does(fugu, table):
    found = json.loads(fugu.ok("compare", table, *QUESTION, *SHAPED, "--format", "json"))
    ages = [int(x) for x in column(table)]
    held = [min(69, max(20, x)) for x in ages]
    bins = [middle(x) for x in ages]
    shaping = found["shaping"]
    clip, binned = shaping["steps"]
    assert clip["flag"] == "--clip 20:69" and binned["flag"] == "--bin 5"
    assert clip["rows_changed"] == sum(x != y for x, y in zip(ages, held))
    assert clip["mse"] == pytest.approx(sum((x - y) ** 2 for x, y in zip(ages, held)) / len(ages))
    assert binned["rows_changed"] == sum(x != y for x, y in zip(bins, held))
    assert binned["mse"] == pytest.approx(sum((x - y) ** 2 for x, y in zip(bins, held)) / len(ages))
    assert shaping["rows_changed"] == sum(x != y for x, y in zip(ages, bins))
    assert shaping["mse"] == pytest.approx(sum((x - y) ** 2 for x, y in zip(ages, bins)) / len(ages))
    exact = shaping["exact"][0]
    plain = json.loads(fugu.ok("calibrate", table, *QUESTION, "--format", "json"))
    assert exact["mse_unshaped"] == plain["mechanism"]["mse"]
    assert exact["mse"] == next(row["mse"] for row in found["candidates"] if row["method"] == "exact")
    assert exact["mse_with_shaping"] == pytest.approx(exact["mse"] + shaping["mse"])
    text = fugu.ok("compare", table, *QUESTION, *SHAPED)
    assert f"--clip 20:69 changes {clip['rows_changed']} rows" in text
    assert f"without shaping {math.sqrt(exact['mse_unshaped']):.4g}." in text
    assert "shaping" not in json.loads(fugu.ok("compare", table, *QUESTION, "--format", "json"))


def test_numbers_with_float_residue(fugu):
    random.seed(5)
    rows = [f"{'ab'[k % 2]},{random.uniform(0, 80)!r}" for k in range(300)]
    fugu.write("f.csv", "\n".join(["s,x", *rows]))
    said = fugu.fails(3, "compare", "f.csv", *QUESTION, says="absurdly fine")
    assert "for example --step 0.01" in said and "for example --bin 10" in said  # no number of the column
    found = json.loads(fugu.ok("compare", "f.csv", *QUESTION, "--bin", "10", "--format", "json"))
    assert found["shaping"]["exact"][0]["mse_unshaped"] is None
    assert "without shaping -." in fugu.ok("compare", "f.csv", *QUESTION, "--bin", "10")
    fugu.ok("release", "f.csv", *QUESTION, "--bin", "10", "-o", "o.csv")
    assert all(int(x) % 10 == 5 for x in column(fugu.folder / "o.csv"))


SPREAD = "the noise exceeds the column's own spread"
WARNING = SPREAD + "; fugu compare says what to try"


def test_hint_when_the_noise_is_wider_than_the_column(fugu):
    # Most values are 0 to 9 whatever the secret; a few of a lie far out and ask for all the noise.
    random.seed(3)
    values = [("ab"[k % 2], random.randrange(10)) for k in range(1000)] + [("a", 150 + k) for k in range(10)]
    fugu.write("far.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in values))
    said = before_the_command(fugu.ok("compare", "far.csv", *QUESTION))
    assert said[-2].startswith("hint: the noise exceeds the column's own spread (standard deviation")
    assert said[-1].startswith("      try --clip x=0:9 --method swap: trading places and the change")
    for command in (["calibrate", *QUESTION, "-o", "p.json"], ["release", *QUESTION, "-o", "at-once.csv"]):
        done = fugu(command[0], "far.csv", *command[1:])
        assert done.err == f"fugu: warning: {WARNING}\n"
        assert f"{said[-2]}\n{said[-1]}\n" in done.out
    # Whoever brings the plan was told when it was made.
    assert fugu("release", "far.csv", "--plan", "p.json", "-o", "by-plan.csv").err == ""
    # What it says is so.
    found = json.loads(fugu.ok("compare", "far.csv", *QUESTION, "--clip", "0:9", "--format", "json"))
    plan = json.loads(fugu.ok("calibrate", "far.csv", *QUESTION, "--clip", "x=0:9", "--method", "swap", "--format", "json"))
    with_it = math.sqrt(plan["mechanism"]["mse"] + found["shaping"]["mse"])
    without = math.sqrt(found["shaping"]["exact"][0]["mse_unshaped"])
    assert f"come to about {with_it:.4g}, without it to {without:.4g}" in said[-1]
    assert "hint" not in fugu.ok("compare", "far.csv", "--secret", "s", "--public", "x", "--epsilon", "20")


def test_the_hint_offers_coarser_values_that_trade_places(fugu):
    # Ages that few people have keep all of them from trading places.
    fugu.method = None
    random.seed(6)
    people = [(s, round(random.triangular(18, 95, 32 if s == "a" else 55))) for s in "ab" for _ in range(2000)]
    fugu.write("ages.csv", "s,age\n" + "".join(f"{s},{age}\n" for s, age in people))
    ask = ["ages.csv", "--secret", "s", "--public", "age", "--epsilon", "0.3"]
    done = fugu("release", *ask, "-o", "noisy.csv")
    flags, both, noise = re.search(r"try (--clip age=26:82 --method swap): trading places and the change itself come to about "
                                   r"([0-9.]+), without it to ([0-9.]+)\n", done.out).groups()
    assert float(both) < 0.9 * float(noise)
    plan = json.loads(fugu.ok("calibrate", *ask, *flags.split(), "--format", "json"))
    assert plan["mechanism"]["mse"] ** 0.5 < float(both)


def test_the_hint_names_nobodys_own_value(fugu):
    random.seed(4)
    values = [("ab"[k % 2], 21000 + random.randrange(40000)) for k in range(400)] + [("a", 987654)]
    fugu.write("pay.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in values))
    said = fugu.ok("compare", "pay.csv", *QUESTION)
    low, high = re.search(r"try --clip x=(\d+):(\d+)", said).groups()
    assert int(low) % 1000 == 0 and int(high) % 1000 == 0
    # Within a wider clip of the owner's, too.
    assert "try --bin x=20000 --method swap: " in fugu.ok("compare", "pay.csv", *QUESTION, "--clip", "0:1000000")


def test_the_hint_blames_the_method(fugu):
    fugu.write("same.csv", "s,x\n" + "".join(f"{s},{x}\n" for s in "ab" for x in range(10)))
    said = fugu("calibrate", "same.csv", *QUESTION, "--method", "dp-laplace", "-o", "p.json").out
    assert "try another --method: the error of exact Laplace noise is 0" in said


def test_the_hint_is_given_whatever_helps_and_in_json(fugu):
    # All of a's values are 0 and all of b's are 1: neither a clip nor bins help.
    fugu.write("two.csv", "s,x\n" + "a,0\nb,1\n" * 50)
    words = f"{SPREAD} (standard deviation 0.5)"
    ask = ["two.csv", *QUESTION]
    for command in (["compare", "--paper"], ["calibrate"], ["calibrate", "-o", "p.json"], ["release", "-o", "o.csv"]):
        done = fugu(command[0], *ask, *command[1:])
        if command != ["calibrate"]:  # a plan that is printed has no place for it
            assert f"hint: {words}:\n      try --clip, --bin or a larger --epsilon\n" in done.out
        if command[0] != "compare":
            assert done.err == f"fugu: warning: {WARNING}\n"
        if command == ["calibrate"]:
            continue
        said = fugu.ok(command[0], *ask, *command[1:], *(["--force"] if "-o" in command else []), "--format", "json")
        assert json.loads(said)["hint"] == words + ": try --clip, --bin or a larger --epsilon"
    assert "hint" not in json.loads((fugu.folder / "o.csv.receipt.json").read_text())
    done = fugu("calibrate", *ask, "--format", "json")
    assert done.status == 0 and done.err == f"fugu: warning: {WARNING}\n" and "hint" not in json.loads(done.out)


def test_of_several_columns_those_are_named_whose_noise_is_wider(fugu):
    # The noise that x needs is wider than x is; y says nothing of the secret, and is wide.
    rows = [("ab"[k % 2], k % 2 * 3 + k % 3, 40 + k * 7 % 20) for k in range(400)]
    fugu.write("both.csv", "s,x,y\n" + "".join(f"{s},{x},{y}\n" for s, x, y in rows))
    ask = ["both.csv", "--secret", "s", "--public", "x,y", "--noise-shares", "1,1"]
    for command in (["compare"], ["calibrate", "-o", "p.json"], ["release", "-o", "out.csv"]):
        done = fugu(command[0], *ask, "--epsilon", "0.5", *command[1:])
        said = re.search(r"hint: the noise exceeds the spread of x \(standard deviation.*\n.*", done.out)[0]
        assert command == ["compare"] or re.fullmatch(r"fugu: warning: the noise exceeds the spread of x[a-z, ]*; fugu compare says what to try\n", done.err)
        assert "y" not in said.split("spread of ")[1].split("(")[0] and "--noise-shares" in said
    assert "hint" not in fugu.ok("release", *ask, "--epsilon", "20", "-o", "little.csv")


def test_estimate_speaks_of_the_shaped_values(fugu, table):
    fugu.ok("release", table, *QUESTION, *SHAPED, "-o", "o.csv")
    found = json.loads(fugu.ok("estimate", "o.csv", "--format", "json", "--confidence", "0.9999"))["estimates"][0]
    truth = sum(middle(x) for x in column(table)) / 2000
    low, high = found["mean"]["low"], found["mean"]["high"]
    assert low <= truth <= high


def test_plans_shaped_differently_do_not_compose(fugu, table):
    fugu.ok("calibrate", table, *QUESTION, "--bin", "5", "-o", "p.json")
    fugu.ok("calibrate", table, *QUESTION, "--bin", "10", "-o", "q.json")
    fugu.ok("compose", "p.json", "p.json")
    fugu.fails(4, "compose", "p.json", "q.json", says="shaped in the same way")


@pytest.mark.skipif(not ADULT.exists(), reason="the data is not here")
def test_adult_age(fugu):
    question = [ADULT, "--no-header", "--secret", "10", "--public", "1", "--epsilon", "0.5"]
    found = json.loads(fugu.ok("compare", *question, "--clip", "20:69", "--bin", "5", "--format", "json"))
    exact = found["shaping"]["exact"][0]
    assert exact["mse_with_shaping"] < exact["mse_unshaped"]
    fugu.ok("release", *question, "--clip", "20:69", "--bin", "5", "-o", "o.csv")
    fugu.ok("verify", "o.csv.plan.json")


def test_no_noise_is_said_of_the_shaped_values(fugu):
    fugu.write("z.csv", "s,x\n" + "A,1\nB,1\nA,500\nB,500\nA,20\nB,20\n" * 3)
    said = fugu.ok("release", "z.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--clip", "0:100", "--bin", "10",
                   "-o", "out.csv")
    assert "the shaped values are released without further change" in said
    statement = json.loads((fugu.folder / "out.csv.receipt.json").read_text())["statement"]
    assert "the shaped values as they are" in statement["statement"] and "shaped" in statement["estimate"][0]
    # What was released as it is, is known exactly, and only what the clip leaves is possible.
    found = json.loads(fugu.ok("estimate", "out.csv", "--format", "json"))["estimates"][0]
    assert found["mean"] == {"value": 45, "low": 45, "high": 45}
    assert [entry["from"] for entry in found["shares"]] == [5 + 10 * k for k in range(11)]
    assert all(entry["share"]["low"] == entry["share"]["high"] for entry in found["shares"])


def test_estimates_stay_within_the_clip(fugu, table):
    fugu.ok("release", table, *QUESTION, *SHAPED, "-o", "out.csv")
    fugu.write("one.csv", "x\n-43\n")
    found = json.loads(fugu.ok("estimate", "one.csv", "--statement", "out.csv.receipt.json", "--part", "--format", "json"))
    found = found["estimates"][0]
    assert 22 <= found["mean"]["low"] <= found["mean"]["high"] <= 67
    assert found["shares"][0]["from"] == 22 and found["shares"][-1]["to"] == 67


@pytest.mark.parametrize("width", [0, -1.5])
def test_a_bin_without_width_is_refused(fugu, table, width):
    fugu.ok("calibrate", table, *QUESTION, *SHAPED, "-o", "p.json")
    plan = read(fugu.folder / "p.json")
    plan["scenario"]["source"]["bin"]["width"] = width
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(3, "verify", "bad.json", says="greater than 0")


def test_an_absurd_lattice_shows_no_value(fugu):
    fugu.write("t.csv", "s,x\nA,1\nB,1\nA,48213377.123456789012\nB,2\n")
    error = fugu.fails(3, "calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", says="--step")
    assert "48213377" not in error
