"""Secrets, or groups, that are different and look like one.

A promise hides every pair of secrets, and a secret is a label: of several columns their texts joined, of a missing field
"(missing)". Two that share a label are no pair, and nothing hides them from each other. The defences: fugu/rows/joined_label.cc,
which counting and releasing share; without check_labels() in fugu/release/release.cc the tests of released tables fail, without
MissingTexts the last two.
"""

import pytest

ASK = ["--public", "x", "--epsilon", "0.5"]
JOINED = "the same text when joined with ' & '"


def table(fugu, name, header, rows):
    fugu.write(name, header + "\n" + "".join(f"{row}\n" for row in rows for _ in range(200)))


def test_two_secrets_of_one_joined_text_do_not_pass_for_one(fugu):
    """x tells ("p & q", "r") from ("p", "q & r") for certain; taken for one secret they have the law of (u, v)."""
    table(fugu, "one.csv", "s,t,x", ["p,q & r,0", "p,q & r,1", "u,v,0", "u,v,1"])
    table(fugu, "two.csv", "s,t,x", ["p & q,r,0", "p,q & r,1", "u,v,0", "u,v,1"])
    fugu.ok("calibrate", "one.csv", "--secret", "s,t", *ASK, "-o", "plan.json")
    fugu.ok("release", "one.csv", "--plan", "plan.json", "-o", "one-out.csv")
    fugu.fails(3, "calibrate", "two.csv", "--secret", "s,t", *ASK, says=JOINED)
    fugu.fails(3, "release", "two.csv", "--plan", "plan.json", "-o", "out.csv", says=[JOINED, "column 's' with column 't'"])
    fugu.fails(3, "release", "two.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv", says=["line 2", "' & '"])


def test_two_groups_of_one_joined_text_do_not_pass_for_one(fugu):
    """Within each of them x is the secret; taken together it says nothing."""
    one = [f"{s},x,y & h = z,{x}" for s in "ab" for x in "01"]
    two = [f"{s},{'x & h = y,z' if (s == 'a') == (x == '0') else 'x,y & h = z'},{x}" for s in "ab" for x in "01"]
    table(fugu, "one.csv", "s,g,h,x", one)
    table(fugu, "two.csv", "s,g,h,x", two)
    fugu.ok("calibrate", "one.csv", "--secret", "s", "--given", "g,h", *ASK, "-o", "plan.json")
    for keep in ([], ["--keep", "g,h"]):
        fugu.ok("release", "one.csv", "--plan", "plan.json", *keep, "-o", "one-out.csv", "--force")
        fugu.fails(3, "release", "two.csv", "--plan", "plan.json", *keep, "-o", "out.csv", says=["two different groups", JOINED])
    fugu.fails(3, "release", "two.csv", "--plan", "plan.json", "--new-data", "--keep", "g,h", "-o", "out.csv",
               says="does not cover this group")


def test_a_text_does_not_pass_for_a_missing_field(fugu):
    table(fugu, "one.csv", "s,x", ["a,0", "a,1", ",0", ",1"])
    table(fugu, "two.csv", "s,x", ["a,0", "a,1", ",0", "(missing),1"])
    fugu.ok("calibrate", "one.csv", "--secret", "s", "--missing", "keep", *ASK, "-o", "plan.json")
    for new in ([], ["--new-data"]):
        fugu.ok("release", "one.csv", "--plan", "plan.json", *new, "-o", "one-out.csv", "--force")
        fugu.fails(3, "release", "two.csv", "--plan", "plan.json", *new, "-o", "out.csv", says=["line 602", "column 's'"])


@pytest.mark.parametrize("column", ["secret", "given"])
def test_fields_that_are_missing_in_two_ways_are_not_one(fugu, column):
    """x tells s1 from s2 for certain, and s0 from neither: made one by --na, they would need no noise."""
    rows = ["s0,0", "s0,1", "s1,0", "s2,1"]
    ask = ["--secret", "s"]
    if column == "given":
        rows = [f"{'ab'[k % 2]},{row}" for row in ["s1,0", "s2,1"] for k in range(2)] + ["a,s2,0", "b,s1,1"]
        ask = ["--secret", "u", "--given", "s"]
    table(fugu, "in.csv", "s,x" if column == "secret" else "u,s,x", rows)
    merged = [*ask, *ASK, "--na", "s1,s2", "--missing"]
    err = fugu.fails(3, "release", "in.csv", *merged, "keep", "-o", "out.csv", says=["more than one way", "--missing drop"])
    assert "s1" not in err and "s2" not in err
    # One way is one secret, and a released column may have as many as it likes.
    fugu.ok("calibrate", "in.csv", *ask, *ASK, "--na", "s1", "--missing", "keep")
    fugu.ok("calibrate", "in.csv", "--secret", "x", "--public", "s", "--epsilon", "0.5", "--na", "s1,s2", "--missing", "keep")


def test_a_table_that_is_missing_in_two_ways_is_not_released_by_a_plan_either(fugu):
    table(fugu, "one.csv", "s,x", ["a,0", "a,1", "s1,0", "s1,1"])
    table(fugu, "two.csv", "s,x", ["a,0", "a,1", "s1,0", ",1"])
    fugu.ok("calibrate", "one.csv", "--secret", "s", "--na", "s1", "--missing", "keep", *ASK, "-o", "plan.json")
    for new in ([], ["--new-data"]):
        fugu.ok("release", "one.csv", "--plan", "plan.json", *new, "-o", "one-out.csv", "--force")
        fugu.fails(3, "release", "two.csv", "--plan", "plan.json", *new, "-o", "out.csv", says=["column 's'", "more than one way"])
