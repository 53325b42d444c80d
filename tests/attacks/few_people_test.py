"""What a release lists is searched for what few people share: texts of one person each, the ends of the range, rare values.

The defence is one rule (fugu/plan/publishable.cc), which every way out asks: release into files, standard output and
databases, statement, the public report. Leaving it out of any of them makes a test here fail. Python and Spark have theirs in
python/tests/few_people_test.py, the studio in tests/studio/api_test.py.
"""
import json
import re
import sqlite3

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


def write(fugu, values, name="in.csv"):
    fugu.write(name, "s,x\n" + "".join(f"{'ab'[k % 2]},{value}\n" for k, value in enumerate(values)))


def every_way_out(plan):
    """Commands that publish by a plan of in.csv."""
    return [["release", "in.csv", "--plan", plan, "-o", "out.csv"], ["release", "in.csv", "--plan", plan, "--new-data", "-o", "-"],
            ["statement", plan], ["statement", plan, "-o", "out.json"], ["statement", plan, "--format", "json"],
            ["report", plan, "--public", "-o", "out.html"], ["report", plan, "--public", "--format", "json"]]


def published(fugu, *more):
    """All that is published of the column, as one text."""
    fugu.ok("release", "in.csv", *FLAGS, *more, "-o", "out.csv", "--force", "--publish-min", "1")
    return (fugu.folder / "out.csv.receipt.json").read_text()


def test_texts_of_one_person_each_are_not_published(fugu):
    write(fugu, [f"note {k * k}" for k in range(20000)])
    said = fugu.fails(2, "release", "in.csv", *FLAGS, "-o", "out.csv",
                      says=["column 'x'", "share some of its categories", "leave the column out", "--publish-min"])
    assert "note 4" not in said and "--merge-rare" not in said
    said = fugu.fails(2, "release", "in.csv", *FLAGS, "--merge-rare", "5", "-o", "out.csv", says=["--merge-rare", "leave the column out"])
    assert "give a smaller number" not in said


def test_rare_categories_are_merged_or_refused(fugu):
    write(fugu, ["cook", "clerk"] * 40 + ["pope"] * 4)
    fugu.fails(2, "release", "in.csv", *FLAGS, "-o", "out.csv", says=["share some of its categories", "--merge-rare 5"])
    fugu.fails(2, "release", "in.csv", *FLAGS, "--order", "cook,clerk,pope", "-o", "out.csv", says="share some of its categories")
    assert "pope" in published(fugu)
    fugu.ok("release", "in.csv", *FLAGS, "--publish-min", "4", "-o", "four.csv")
    fugu.fails(2, "release", "in.csv", *FLAGS, "--publish-min", "41", "-o", "more.csv", says="some of its categories")
    for wrong in ("0", "-1", "five", "2.5"):
        fugu.fails(2, "release", "in.csv", *FLAGS, "--publish-min", wrong, "-o", "more.csv", says="--publish-min")
    fugu.ok("release", "in.csv", *FLAGS, "--merge-rare", "5", "-o", "merged.csv")
    assert "pope" not in (fugu.folder / "merged.csv.receipt.json").read_text()


RARE = "an illness of three people"


@pytest.mark.parametrize(("others", "promise"), [(97, ["--promise", "belief", "--epsilon", "4"]),
                                                 (1, ["--promise", "belief", "--epsilon", "1", "--shares", f"{RARE}=0.1,d0=0.9"]),
                                                 (1, ["--epsilon", f"{RARE}=0.1,*=1"])])
def test_a_secret_of_few_people_is_not_named(fugu, others, promise):
    """A promise in belief says of which secrets it says nothing, and which shares it is for; one with several budgets, whose they are."""
    rows = [(f"d{k % others}", "ab"[k % 2]) for k in range(97)] + [(RARE, "a")] * 3
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    ask = ["in.csv", "--secret", "s", "--public", "x", *promise]
    said = fugu.fails(2, "release", *ask, "-o", "out.csv", says=["fewer than 5 people", "secrets that the promise names", "--publish-min"])
    assert RARE not in said
    fugu.ok("calibrate", *ask, "-o", "plan.json")
    for command in every_way_out("plan.json"):
        assert RARE not in fugu.fails(2, *command, says="secrets that the promise names")
    fugu.ok("release", *ask, "--publish-min", "3", "-o", "three.csv")
    assert RARE in (fugu.folder / "three.csv.receipt.json").read_text()


def test_a_secret_is_not_named_from_the_end_of_the_list_either(fugu):
    """The promise in belief names the first secrets of which it says anything, which may come after many of which it says nothing."""
    rows = [(f"a{k % 20:02}", "uv"[k // 20 % 2]) for k in range(2000)] + [(f"{RARE}{k % 4}", "uv"[k // 4]) for k in range(8)]
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    shares = ",".join([f"a{k:02}=0.0496" for k in range(20)] + [f"{RARE}{k}=0.002" for k in range(4)])
    ask = ["in.csv", "--secret", "s", "--public", "x", "--epsilon", "3.2", "--promise", "belief", "--shares", shares]
    assert RARE not in fugu.fails(2, "release", *ask, "-o", "out.csv", says="secrets that the promise names")


def test_what_nobody_has_may_be_named(fugu):
    write(fugu, ["cook", "clerk"] * 40)
    fugu.ok("release", "in.csv", *FLAGS, "--order", "pope,cook,clerk", "-o", "out.csv")


def test_the_largest_income_is_not_published(fugu):
    write(fugu, [1000 * (k % 7) for k in range(140)] + [98765])
    fugu.ok("release", "in.csv", *FLAGS, "--range", "clamp", "-o", "out.csv")
    receipt = (fugu.folder / "out.csv.receipt.json").read_text()
    assert "98765" not in receipt and "from the 5th lowest to the 5th highest person's value" in receipt
    assert json.loads(receipt)["statement"]["mechanism"]["bounds"] == [0, 6000]
    assert max(int(x) for x in (fugu.folder / "out.csv").read_text().split()[1:]) <= 6000
    fugu.fails(2, "release", "in.csv", *FLAGS, "--range", "clamp", "--publish-min", "6", "-o", "more.csv",
               says=["fewer than 6 people", "--clip x=LO:HI", "--bin x=W", "--range free"])
    # Where there are fewer people than that, nothing but the ends is left.
    write(fugu, [1, 2, 3, 4] * 2)
    fugu.fails(2, "release", "in.csv", *FLAGS, "--range", "clamp", "-o", "few.csv", says="fewer than 5 people")
    write(fugu, [1000 * (k % 7) for k in range(140)] + [98765])
    fugu.ok("release", "in.csv", *FLAGS, "-o", "free.csv")
    assert "98765" not in (fugu.folder / "free.csv.receipt.json").read_text()


@pytest.mark.parametrize("clip", ["0:50000", "0:100000", "-7:200000"])
def test_bounds_of_ones_own_are_published(fugu, clip):
    """Held values end where the clip does, also where nobody reaches it."""
    write(fugu, [1000 * (k % 7) for k in range(140)] + [98765])
    fugu.ok("release", "in.csv", *FLAGS, "--range", "clamp", "--clip", clip, "--step", "5", "-o", "out.csv")
    mechanism = json.loads((fugu.folder / "out.csv.receipt.json").read_text())["statement"]["mechanism"]
    low, high = (int(end) for end in clip.split(":"))
    assert mechanism["bounds"] == [low if low == 0 else -5, high]
    released = [int(x) for x in (fugu.folder / "out.csv").read_text().splitlines()[1:]]
    assert all(mechanism["bounds"][0] <= x <= high for x in released)
    assert max(released) > 6000 or high == 50000


def test_a_channel_lists_no_value_of_few_people(fugu):
    write(fugu, [k % 4 for k in range(160)] + [31, 31])
    fugu.fails(2, "release", "in.csv", *FLAGS, "--method", "channel", "-o", "out.csv", says=["share some of its values", "--bin"])
    fugu.ok("release", "in.csv", *FLAGS, "--method", "channel", "--clip", "0:3", "-o", "out.csv")


@pytest.mark.parametrize("method", ["sensitivity", "dp-laplace"])
def test_a_scale_that_tells_the_largest_income_is_warned_of(fugu, method):
    write(fugu, [1000 * (k % 7) for k in range(140)] + [98765])
    ask = ["in.csv", *FLAGS, "--method", method]
    for command in (["calibrate", *ask, "-o", "plan.json"], ["calibrate", *ask, "--format", "json"], ["statement", "plan.json"],
                    ["release", *ask, "-o", "out.csv"], ["release", "in.csv", "--plan", "plan.json", "-o", "by-plan.csv"]):
        done = fugu(*command)
        assert done.status == 0 and done.err.startswith("fugu: warning: column 'x': the scale of " + method), done
        assert done.err.splitlines()[0].endswith("with --clip LO:HI") and done.err.count("the scale of") == 1
        assert "98765" not in done.err
    # Scale times epsilon, exactly.
    assert json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["scale"] * 0.5 == pytest.approx(98765, rel=1e-12)
    for quiet in ([*ask, "--clip", "0:6000"], [*ask[:-1], "exact"]):  # an end of the owner's, a scale that tells less
        assert "the scale of" not in fugu("calibrate", *quiet, "-o", "quiet.json", "--force").err
    assert fugu("calibrate", *ask, "--clip", "-5:200000", "-o", "wide.json").err.count("the scale of") == 1


@pytest.mark.parametrize("one", ["41037", "0.25"])
def test_a_step_that_one_person_decides_is_warned_of(fugu, one):
    """The lattice of 999 zeros and one 41037 has the step 41037, and every receipt holds it."""
    zeros = [0] * 999 if one == "41037" else [k % 7 for k in range(999)]
    write(fugu, [*zeros, one])
    ask = ["in.csv", *FLAGS, "--noise", "laplace", "--method", "kantorovich"]
    for command in (["calibrate", *ask, "-o", "plan.json"], ["statement", "plan.json"], ["release", *ask, "-o", "out.csv"]):
        done = fugu(*command)
        assert done.status == 0 and "warning: column 'x': fewer than 5 people decide the step" in done.err and "--step" in done.err, done
        assert one not in done.err and set(re.findall("[0-9]+", done.err)) <= {"5"}
    for more in (["--step", "0.25"], ["--bin", "10"], ["--publish-min", "1"]):
        assert "decide the step" not in fugu("release", *ask, *more, "-o", "quiet.csv", "--force").err
    write(fugu, [*zeros, *[one] * 5])
    assert "decide the step" not in fugu("release", *ask, "-o", "quiet.csv", "--force").err


def test_who_lies_beyond_the_range_is_audited_too(fugu):
    write(fugu, [k % 4 for k in range(160)] + [31] * 4)
    fugu.ok("calibrate", "in.csv", *FLAGS, "--range", "clamp", "-o", "plan.json")
    for command in (["verify"], ["report", "-o", "report.html", "--time-limit", "1"], ["audit", "--draws", "10000"]):
        fugu.ok(command[0], "plan.json", *command[1:])


def test_numbers_of_few_people_are_refused_before_the_search(fugu):
    """Nothing that is found later, here that so many cannot stay, is known yet."""
    write(fugu, [k % 2 * 40 + k % 4 for k in range(160)] + [31] * 4)
    ask = ["in.csv", *FLAGS, "--method", "swap", "--least-kept", "0.99"]
    fugu.fails(4, "calibrate", *ask, says="--least-kept")
    fugu.fails(2, "release", *ask, "-o", "out.csv", says=["fewer than 5 people share some of its values", "--bin x=W"])


@pytest.mark.parametrize("more", [[], ["--method", "channel"]])
def test_no_way_out_publishes_what_few_people_share(fugu, more):
    write(fugu, ([k % 4 for k in range(160)] + [31] * 4) if more else ["cook", "clerk"] * 40 + ["pope"] * 4)
    # What publishes nothing goes on.
    fugu.ok("calibrate", "in.csv", *FLAGS, *more, "-o", "plan.json")
    fugu.ok("compare", "in.csv", *FLAGS)
    fugu.ok("verify", "plan.json")
    fugu.ok("report", "plan.json", "-o", "report.html", "--time-limit", "1")
    fugu.ok("audit", "plan.json", "--draws", "10000")
    for command in every_way_out("plan.json"):
        fugu.fails(2, *command, says=["fewer than 5 people", "--publish-min"])
        fugu.ok(*command, "--publish-min", "4")
        for file in ("out.csv", "out.csv.receipt.json", "out.json", "out.html"):
            (fugu.folder / file).unlink(missing_ok=True)
    fugu.fails(2, "report", "plan.json", "--publish-min", "4", "-o", "out.html", says="without --public")


def test_no_way_out_of_a_database(fugu):
    people = ["cook", "clerk"] * 40 + ["pope"] * 4
    with sqlite3.connect(fugu.folder / "people.db") as database:
        database.execute("CREATE TABLE t (s TEXT, x TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [("ab"[k % 2], x) for k, x in enumerate(people)])
    database.close()
    ask = ["release", "sqlite:people.db", "--table", "t", *FLAGS]
    fugu.fails(2, *ask, "--into", "new", says="share some of its categories")
    fugu.fails(2, *ask, "-o", "out.csv", says="share some of its categories")
    with sqlite3.connect(fugu.folder / "people.db") as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)
    database.close()
    fugu.ok(*ask, "--into", "new", "--publish-min", "4")


def test_several_columns_are_counted_each(fugu):
    rows = [("ab"[k % 2], k % 3, ["u", "v"][k // 2 % 2]) for k in range(120)]
    rows[0] = ("a", 0, "pope")
    fugu.write("in.csv", "s,x,y\n" + "".join(f"{s},{x},{y}\n" for s, x, y in rows))
    ask = ["release", "in.csv", "--secret", "s", "--public", "x,y", "--epsilon", "0.5"]
    fugu.fails(2, *ask, "-o", "out.csv", says=["column 'y'", "share some of its categories"])
    fugu.ok(*ask, "-o", "out.csv", "--publish-min", "1")


def test_scenarios_written_by_hand(fugu):
    """Laws without a table's columns are nobody's; those that name them count as they are written."""
    law = {"epsilon": 1, "priors": [{"name": "p", "given": {"a": {"values": [1, 2], "mass": [0.1, 0.9]},
                                                              "b": {"values": [1, 2], "mass": [0.2, 0.8]}}}],
           "pairs": "all", "source": {"labels": ["u", "v"]}}
    fugu.write("law.json", json.dumps(law))
    fugu.ok("calibrate", "--scenario", "law.json", "-o", "plan.json")
    fugu.ok("statement", "plan.json")
    law["source"] |= {"secret": ["s"], "public": ["x"]}
    fugu.write("law.json", json.dumps(law))
    fugu.ok("calibrate", "--scenario", "law.json", "-o", "named.json")
    fugu.fails(2, "statement", "named.json", says="fewer than 5 people")
    fugu.ok("statement", "named.json", "--publish-min", "1")
