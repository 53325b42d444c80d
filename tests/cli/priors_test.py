"""What an adversary may believe: given columns and priors from files. Losses recomputed in Fractions."""

import csv
import json
import random
from fractions import Fraction

import pytest

from beliefs import BELIEF, FLAGS, calibrated, growth_below, largest_odds, laws_of, noise_of, plan_laws, write_people
from conftest import ADULT
from tampering_test import canonical, digest, read


@pytest.fixture
def people(fugu):
    return write_people(fugu)


def test_each_group_is_held_to_epsilon(fugu, people):
    plan = calibrated(fugu, "--given", "g")
    ratio, limit = noise_of(plan), growth_below(Fraction(1, 2))
    names = [prior["name"] for prior in plan["scenario"]["priors"]]
    assert names == ["empirical", "g = left", "g = right", "g = up"]
    assert plan["guarantee"]["priors"] == 4
    assert laws_of((s, x) for s, g, h, x in people) == plan_laws(plan["scenario"]["priors"][0])
    worst = 0
    for name in ("left", "right", "up"):
        laws = laws_of((s, x) for s, g, h, x in people if g == name)
        assert laws == plan_laws(plan["scenario"]["priors"][names.index(f"g = {name}")])
        odds = largest_odds(laws, ratio)
        assert odds <= growth_below(Fraction(1, 2))
        worst = max(worst, odds)
    assert worst > limit * Fraction(999, 1000)  # and no more noise than that
    assert plan["witness"]["prior"] == "g = up"
    # Without the groups the noise would not have been enough for them: the test can fail.
    alone = calibrated(fugu)
    laws = laws_of((s, x) for s, g, h, x in people if g == "up")
    assert largest_odds(laws, noise_of(alone)) > limit


def test_small_groups_are_left_out_and_named(fugu, people):
    said = fugu.ok("compare", "people.csv", *FLAGS, "--given", "g")
    assert "2 groups with fewer: left out" in said and "g = one; g = tiny" in " ".join(said.split())
    facts = json.loads(fugu.ok("compare", "people.csv", *FLAGS, "--given", "g", "--format", "json"))["scenario"]
    assert (facts["given"], facts["min_group"], facts["merged"]) == (["g"], 20, [])
    assert facts["left_out"] == ["g = one", "g = tiny"]
    plan = calibrated(fugu, "--given", "g")
    source = plan["scenario"]["source"]
    assert source["given"] == ["g"] and source["min_group"] == 20
    assert source["left_out"] == ["g = one", "g = tiny"] and "merged" not in source
    assert any("g = one; g = tiny" in note for note in plan["notes"])
    assert any(text.startswith("2 groups had fewer, also when taken together") for text in plan["assumptions"])
    statement = fugu.ok("statement", "plan.json", "--format", "json")
    assert "tiny" not in statement and "2 groups had fewer" in statement and "is not covered" in statement
    assert sum(sum(law["mass"]) for law in plan["scenario"]["priors"][0]["given"].values()) == len(people)


def test_small_groups_are_merged_when_together_they_are_large(fugu, people):
    plan = calibrated(fugu, "--given", "g", "--min-group", "5")
    assert [p["name"] for p in plan["scenario"]["priors"]][-1] == "g = up"  # tiny has 5 of each, one has none
    assert plan["scenario"]["source"]["left_out"] == ["g = one"]
    plan = calibrated(fugu, "--given", "g,h", "--min-group", "51")
    merged = ["g = left & h = lo", "g = right & h = lo", "g = up & h = lo"]
    small = merged + ["g = one & h = hi", "g = tiny & h = hi"]
    assert sorted(plan["scenario"]["source"]["merged"]) == sorted(small)
    other = plan["scenario"]["priors"][-1]
    assert other["name"] == "(other)"
    laws = laws_of((s, x) for s, g, h, x in people if f"g = {g} & h = {h}" in small)
    assert laws == plan_laws(other)
    assert largest_odds(laws, noise_of(plan)) <= growth_below(Fraction(1, 2))
    for output in ([], ["-o", "other.json"]):
        said = fugu.ok("calibrate", "people.csv", *FLAGS, "--given", "g,h", "--min-group", "51", *output)
        assert "merged into the prior (other): g = left & h = lo; g = one & h = hi" in " ".join(said.split())


def test_given_errors(fugu, people):
    ask = ["calibrate", "people.csv", *FLAGS]
    fugu.fails(2, *ask, "--given", "s", says=["--given", "is the secret"])
    fugu.fails(2, *ask, "--given", "x", says=["--given", "is the released column"])
    fugu.fails(2, *ask, "--given", "g,g", says="named twice")
    fugu.fails(2, *ask, "--given", "none", says=["--given", "none"])
    fugu.fails(2, *ask, "--given", "g", "--min-group", "1000", says=["no group has 1000 or more", "--min-group"])
    fugu.fails(2, *ask, "--given", "g", "--min-group", "0", says="--min-group")
    fugu.fails(2, *ask, "--min-group", "5", says="--given")
    fugu.write("clash.csv", "s,g,h,x\n" + "a,1 & h = 2,3,1\nb,1,2 & h = 3,1\n")
    fugu.fails(3, "calibrate", "clash.csv", *FLAGS, "--given", "g,h", "--min-group", "1",
               says=["line 3", "two different groups"])


def test_missing_given_fields_follow_missing(fugu, people):
    text = (fugu.folder / "people.csv").read_text() + "a,,hi,2\nb,,lo,9\n"
    fugu.write("holes.csv", text)
    ask = ["calibrate", "holes.csv", *FLAGS, "--given", "g"]
    fugu.fails(3, *ask, says=["line 942", "column 'g'", "missing"])
    fugu.ok(*ask, "--missing", "drop", "-o", "drop.json")
    plan = json.loads((fugu.folder / "drop.json").read_text())
    assert 9 not in plan["scenario"]["priors"][0]["given"]["b"]["values"]
    said = fugu.ok("release", "holes.csv", "--plan", "drop.json", "-o", "out.csv")
    assert "dropped 2 rows" in said
    fugu.ok("release", "holes.csv", *FLAGS, "--given", "g", "--missing", "drop", "-o", "once.csv")
    assert len((fugu.folder / "once.csv").read_text().splitlines()) == len(people) + 1
    fugu.ok("calibrate", "holes.csv", *FLAGS[:4], "--epsilon", "5", "--given", "g", "--missing", "keep", "-o",
            "keep.json")
    plan = json.loads((fugu.folder / "keep.json").read_text())
    assert "g = (missing)" in plan["scenario"]["source"]["left_out"]


def test_a_release_checks_the_groups_too(fugu, people):
    calibrated(fugu, "--given", "g")
    fugu.ok("release", "people.csv", "--plan", "plan.json", "-o", "out.csv")
    # The same pairs of secret and value, but in other groups.
    lines = (fugu.folder / "people.csv").read_text().splitlines()
    left = next(k for k, line in enumerate(lines) if line.startswith("a,left,"))
    lines[left] = lines[left].replace("left", "right")
    fugu.write("moved.csv", "\n".join(lines) + "\n")
    fugu.fails(4, "release", "moved.csv", "--plan", "plan.json", "-o", "moved-out.csv", says="not the one")


def without_small(fugu, people):
    rows = [row for row in people if row[1] not in ("tiny", "one")]
    fugu.write("people.csv", "s,g,h,x\n" + "".join(f"{s},{g},{h},{x}\n" for s, g, h, x in rows))
    return rows


def test_new_data_has_no_other_groups(fugu):
    """Whoever knows the group is promised something of the plan's groups, and nothing of any other."""
    known = "".join(f"{s},{g},{x}\n" for s in "ab" for g, values in (("u", (0, 1)), ("v", (1, 2))) for x in values for _ in range(30))
    fugu.write("known.csv", "s,g,x\n" + known + "a,small,1\n")
    fugu.ok("calibrate", "known.csv", "--secret", "s", "--public", "x", "--given", "g", "--epsilon", "0.5", "-o", "p.json")
    # The same law of x given s, and whoever knows g knows s.
    fugu.write("new.csv", "s,g,x\n" + "a,w,0\nb,w,2\na,y,2\nb,y,0\n" * 30)
    new = ["release", "new.csv", "--plan", "p.json", "--new-data"]
    fugu.fails(3, *new, "-o", "out.csv", says=["does not cover this group", "--missing drop"])
    assert "Released 0 rows" in fugu.ok(*new, "--missing", "drop", "-o", "none.csv")
    fugu.write("new.csv", "s,g,x\na,u,1\nb,v,1\na,small,1\n")
    fugu.ok(*new, "-o", "out.csv")
    assumed = json.loads((fugu.folder / "out.csv.receipt.json").read_text())["statement"]["assumptions"]
    assert any("each with one of the same secrets and in one of the same groups" in said for said in assumed)


def test_given_columns_may_be_kept(fugu, people):
    rows = without_small(fugu, people)
    fugu.ok("release", "people.csv", *FLAGS, "--given", "g", "--keep", "g", "--keep-unprotected", "h", "-o", "out.csv")
    with open(fugu.folder / "out.csv") as file:
        written = list(csv.reader(file))
    assert written[0] == ["g", "h", "x"]
    assert [row[:2] for row in written[1:]] == [[g, h] for s, g, h, x in rows]
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    columns = receipt["statement"]["columns"]
    assert (columns["given"], columns["kept"], columns["kept_unprotected"]) == (["g"], ["g"], ["h"])
    assert "The column g was released as it is, and the promise holds" in receipt["statement"]["statement"]
    plan = "out.csv.plan.json"
    fugu.ok("release", "people.csv", "--plan", plan, "--keep", "g", "-o", "again.csv")
    fugu.fails(2, "release", "people.csv", "--plan", plan, "--keep", "h", "-o", "no.csv",
               says=["--keep", "'h'", "--keep-unprotected"])
    fugu.fails(2, "release", "people.csv", "--plan", plan, "--keep", "s", "-o", "no.csv", says="--keep")
    fugu.fails(2, "release", "people.csv", *FLAGS, "--keep", "g", "-o", "no.csv", says=["--keep", "not calibrated"])
    # New data: a group that the plan does not know is not covered.
    fugu.write("new.csv", "g,x\nleft,1\nelse,2\n")
    fugu.fails(3, "release", "new.csv", "--plan", plan, "--new-data", "--keep", "g", "-o", "no.csv",
               says=["line 3", "does not cover this group"])
    fugu.fails(3, "release", "new.csv", "--plan", plan, "--new-data", "-o", "no.csv", says=["line 3", "does not cover this group"])
    fugu.fails(2, "release", "new.csv", "--plan", plan, "--new-data", "--missing", "drop", "--keep", "g", "-o", "no.csv",
               says=["line 3, column 'g'", "would be left out"])


def test_kept_columns_must_be_what_the_plan_covers(fugu, people):
    # A column that tells small groups apart, and one column of two: neither is covered.
    fugu.fails(2, "release", "people.csv", *FLAGS, "--given", "g", "--keep", "g", "-o", "no.csv",
               says=["2 of the groups", "--min-group"])
    without_small(fugu, people)
    fugu.fails(2, "release", "people.csv", *FLAGS, "--given", "g,h", "--keep", "g", "-o", "no.csv",
               says=["some are missing", "keep g,h"])
    fugu.ok("release", "people.csv", *FLAGS, "--given", "g,h", "--keep", "h,g", "-o", "out.csv")


def test_flags_that_the_plan_has_said(fugu, people):
    calibrated(fugu)
    for flags in (["--given", "g"], ["--min-group", "3"], ["--prior", "p.json"], ["--closeness", "0.1"]):
        fugu.fails(2, "release", "people.csv", "--plan", "plan.json", *flags, "-o", "out.csv",
                   says=[flags[0], "the plan says this already"])


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult table is not here")
def test_adult_given_sex(fugu):
    flags = ["--no-header", "--secret", "9", "--public", "7", "--na", "?", "--missing", "drop", "--epsilon", "0.5"]
    fugu.ok("calibrate", ADULT, *flags, "--given", "10", "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    labels = plan["scenario"]["source"]["labels"]
    with open(ADULT) as file:
        table = [[field.strip() for field in row] for row in csv.reader(file) if row]
    table = [(row[8], row[9], labels.index(row[6]) + 1) for row in table if row[6] != "?"]
    ratio, limit = noise_of(plan), growth_below(Fraction(1, 2))
    worst = 0
    for sex in ("Female", "Male"):
        worst = max(worst, largest_odds(laws_of((s, x) for s, g, x in table if g == sex), ratio))
    assert growth_below(Fraction(1, 2)) * Fraction(999, 1000) < worst <= limit
    assert largest_odds(laws_of((s, x) for s, g, x in table), ratio) <= limit
    # A row that is dropped would be missing beside its sex; the table without such rows is the plan's all the same.
    fugu.fails(2, "release", ADULT, "--plan", "plan.json", "--keep", "10", "-o", "out.csv", says="left out")
    whole = [line for line in ADULT.read_text().splitlines() if line and line.split(",")[6].strip() != "?"]
    fugu.write("whole.data", "\n".join(whole) + "\n")
    fugu.ok("release", "whole.data", "--plan", "plan.json", "--keep", "10", "-o", "out.csv")
    with open(fugu.folder / "out.csv") as file:
        assert [row[1].strip() for row in csv.reader(file)] == [g for s, g, x in table]


# Priors from files.

def test_priors_from_files_are_covered(fugu, people):
    fugu.write("one.json", json.dumps(BELIEF))
    fugu.write("list.json", json.dumps([{"given": BELIEF["given"]}, BELIEF]))
    fugu.write("whole.json", json.dumps({"epsilon": 3, "priors": [{**BELIEF, "name": "empirical"}]}))
    plan = calibrated(fugu, "--prior", "one.json", "--prior", "list.json", "--prior", "whole.json")
    names = [prior["name"] for prior in plan["scenario"]["priors"]]
    assert names == ["empirical", "rumour", "prior 3", "rumour (2)", "empirical (2)"]
    assert plan["guarantee"]["epsilon"] == 0.5 and plan["witness"]["prior"] == "rumour"
    laws = {"a": {0: Fraction(1)}, "b": {0: Fraction(1, 3), 4: Fraction(2, 3)}}
    assert largest_odds(laws, noise_of(plan)) <= growth_below(Fraction(1, 2))
    fugu.ok("release", "people.csv", "--plan", "plan.json", "-o", "out.csv")
    # Beside groups, and on a scenario file.
    assert len(calibrated(fugu, "--given", "g", "--prior", "one.json")["scenario"]["priors"]) == 5
    fugu.ok("calibrate", "--scenario", "whole.json", "--prior", "one.json", "--closeness", "0.1", "-o", "file.json")
    assert json.loads((fugu.folder / "file.json").read_text())["guarantee"]["closeness"] == 0.1
    fugu.fails(2, "calibrate", "--scenario", "whole.json", "--given", "g", says="--given")


def test_categories_by_label(fugu):
    fugu.write("jobs.csv", "s,x\n" + "a,clerk\nb,nurse\na,nurse\nb,clerk\na,smith\nb,smith\n" * 20)
    fugu.write("labels.json", json.dumps({"name": "by label", "given": {
        "a": {"values": ["smith", 1], "mass": [1, 1]}, "b": {"values": ["clerk"], "mass": [1]}}}))
    # A scenario file's numbers stand for its own labels.
    fugu.write("other.json", json.dumps({"source": {"labels": ["smith", "clerk"]}, "priors": [{"name": "by number", "given": {
        "a": {"values": [1], "mass": [1]}, "b": {"values": [2, "nurse"], "mass": [1, 3]}}}]}))
    fugu.ok("calibrate", "jobs.csv", *FLAGS, "--prior", "labels.json", "--prior", "other.json", "-o", "plan.json")
    priors = json.loads((fugu.folder / "plan.json").read_text())["scenario"]["priors"]
    assert priors[1]["given"]["a"]["values"] == [1, 3] and priors[1]["given"]["b"]["values"] == [1]
    assert priors[2]["given"]["a"]["values"] == [3] and priors[2]["given"]["b"]["values"] == [1, 2]
    fugu.write("bad.json", json.dumps({"given": {"a": {"values": ["baker"], "mass": [1]}, "b": {"values": [1], "mass": [1]}}}))
    fugu.fails(3, "calibrate", "jobs.csv", *FLAGS, "--prior", "bad.json", says=["bad.json", "values[0]", "category"])


def test_prior_errors(fugu, people):
    def refused(belief, says, status=3):
        fugu.write("bad.json", belief if isinstance(belief, str) else json.dumps(belief))
        fugu.fails(status, "calibrate", "people.csv", *FLAGS, "--prior", "bad.json", says=["bad.json", says])

    law = {"values": [1], "mass": [1]}
    refused({"given": {"a": law}}, "secrets are not those")
    refused({"given": {"a": law, "b": law, "c": law}}, "secrets are not those")
    refused({"given": {"a": law, "b": {"values": [0.5], "mass": [1]}}}, "not on the lattice")
    refused({"given": {"a": law, "b": {"values": [1], "mass": [-1]}}}, "negative")
    refused({"given": {"a": law, "b": {"values": [1], "mass": [0]}}}, "all masses are zero")
    refused({"given": {"a": law, "b": {"values": [1, 2], "mass": [1]}}}, "2 values but 1 masses")
    refused({"given": {"a": law, "b": {"values": [2 ** 50], "mass": [1]}}}, "bad.json")
    refused({"given": {"a": law, "b": law}, "weight": 1}, "weight")
    refused([], "no prior")
    refused([3], "bad.json")
    refused("{", "bad.json")
    fugu.fails(5, "calibrate", "people.csv", *FLAGS, "--prior", "none.json", says="none.json")


def test_methods_agree_on_the_set(fugu, people):
    """Every method proves the whole set: the witness may be any prior, and more priors never need less noise."""
    alone = {c["method"]: c["mse"] for c in json.loads(fugu.ok(
        "compare", "people.csv", *FLAGS, "--format", "json"))["candidates"]}
    more = {c["method"]: c["mse"] for c in json.loads(fugu.ok(
        "compare", "people.csv", *FLAGS, "--given", "g", "--closeness", "0.05", "--format", "json"))["candidates"]}
    assert all(more[method] >= alone[method] * (1 - 1e-6) for method in ("kantorovich", "relaxed", "exact", "channel"))


def test_how_a_field_was_written_is_not_released(fugu):
    """Quotes, blanks and the text of a missing field may go with the secret: only their meaning is written."""
    dice = random.Random(3)
    rows = []
    for k in range(400):
        s, x, g = "ab"[k % 2], dice.randint(0, 5), dice.choice("uv")
        x_text = f'"{x}"' if s == "a" else f"{x}"
        g_text = {"a": f'"{g}"', "b": f" {g} "}[s]
        rows.append(f"{s},{g_text},{x_text}")
    table = fugu.write("written.csv", "s,g,x\n" + "\n".join(rows) + "\n")
    fugu.ok("release", table, "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "alone.csv")
    lines = (fugu.folder / "alone.csv").read_text().splitlines()
    assert not any('"' in line for line in lines)
    fugu.ok("release", table, "--secret", "s", "--public", "x", "--given", "g", "--keep", "g", "--epsilon", "0.5", "-o",
            "kept.csv")
    kept = [line.split(",")[0] for line in (fugu.folder / "kept.csv").read_text().splitlines()[1:]]
    assert set(kept) == {"u", "v"}


def test_a_plan_cannot_hide_its_groups(fugu):
    rows = "".join(f"{'ab'[k % 2]},{'uvw'[k % 3]},{k % 5}\n" for k in range(600)) + "a,z,1\n" * 3
    table = fugu.write("groups.csv", "s,g,x\n" + rows)
    fugu.ok("calibrate", table, "--secret", "s", "--public", "x", "--given", "g", "--epsilon", "0.5", "-o", "plan.json")
    fugu.ok("verify", "plan.json")

    def tampered(change):
        plan = read(fugu.folder / "plan.json")
        change(plan)
        plan["digest"] = digest(plan)
        return fugu.write("lie.json", canonical(plan))

    def drop_a_group(plan):
        del plan["scenario"]["priors"][1]
        plan["guarantee"]["priors"] = len(plan["scenario"]["priors"])

    def larger_groups(plan):
        plan["scenario"]["source"]["min_group"] = 150

    for change in (drop_a_group, larger_groups):
        fugu.fails(4, "verify", tampered(change), says=["does not verify"])
