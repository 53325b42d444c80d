"""What is told of somebody who is alone in a group of the known columns: neither the group, nor what only this person has.

The defence: groups are released as such from --min-group people with each secret on (fugu/count/group_priors.cc); smaller ones together without
the known columns, or not at all (fugu/rows/strata.cc). Making a group of one a stratum of its own, or writing the known columns of
those that were merged, makes the tests here fail. Python and Parquet have theirs in python/tests/known_test.py.
"""

import json

import pytest

LARGE = [(s, town, job) for s in "ab" for town in ("north", "south") for job in ("cook", "clerk") for _ in range(25)]
ALONE = ("a", "SEKRIT-Atlantis", "SEKRIT-astronaut")
#: So many, with each secret, that all small groups together are released.
SMALL = [(s, f"SEKRIT-hamlet-{k}", job) for s in "ab" for k in range(12) for job in ("cook", "clerk")]


def everything(fugu, method, rows, *more):
    """All that may be published of a release by the plan of these rows, and the released rows."""
    fugu.write("in.csv", "s,town,job\n" + "".join(",".join(row) + "\n" for row in rows))
    fugu.ok("release", "in.csv", "--secret", "s", "--known", "town", "--public", "job", "--epsilon", "1", "--method", method, *more, "-o", "out.csv")
    plan = "out.csv.plan.json"
    assert "SEKRIT" in (fugu.folder / plan).read_text(), "the control"
    fugu.ok("report", plan, "--public", "-o", "public.html")
    fugu.ok("statement", plan, "-o", "statement.json")
    said = [fugu.ok("statement", plan), fugu.ok("report", plan, "--public", "--format", "json"), fugu.ok("preview", "out.csv.receipt.json")]
    return said + [(fugu.folder / name).read_text() for name in ("out.csv", "out.csv.receipt.json", "public.html", "statement.json")]


@pytest.mark.parametrize("method", ["swap", "exact"])
def test_who_is_alone_in_a_group_is_not_seen(fugu, method):
    for text in everything(fugu, method, [*LARGE, ALONE]):
        assert "SEKRIT" not in text
    released = (fugu.folder / "out.csv").read_text().splitlines()[1:]
    assert len(released) == len(LARGE) and {line.split(",")[0] for line in released} == {"north", "south"}


@pytest.mark.parametrize("method", ["swap", "exact"])
def test_of_groups_of_one_together_nobody_is_seen(fugu, method):
    for text in everything(fugu, method, [*LARGE, *SMALL]):
        assert "SEKRIT" not in text
    towns = [line.split(",")[0] for line in (fugu.folder / "out.csv").read_text().splitlines()[1:]]
    assert towns.count("") == len(SMALL) and set(towns) == {"north", "south", ""}


def test_what_only_one_person_of_the_merged_groups_has_is_refused(fugu):
    rows = [*LARGE, *SMALL, ALONE]
    fugu.write("in.csv", "s,town,job\n" + "".join(",".join(row) + "\n" for row in rows))
    ask = ["release", "in.csv", "--secret", "s", "--known", "town", "--public", "job", "--epsilon", "1"]
    for method in ("swap", "exact"):
        assert "SEKRIT" not in fugu.fails(2, *ask, "--method", method, "-o", "out.csv", says=["column 'job'", "share some of its categories"])


def test_new_rows_of_a_group_of_one_are_refused(fugu):
    """Nothing is promised about them: neither is the group shown, nor is the row left out where that would be seen."""
    everything(fugu, "swap", [*LARGE, ALONE])
    fugu.write("next.csv", "town,job\nnorth,cook\nSEKRIT-elsewhere,cook\n")
    ask = ["release", "next.csv", "--plan", "out.csv.plan.json", "--new-data", "-o", "new.csv"]
    assert "SEKRIT" not in fugu.fails(3, *ask, says="line 3, column 'town'")
    assert json.loads((fugu.folder / "out.csv.receipt.json").read_text())["rows_dropped"]
