"""What is left is told before anything is spent, in releases like this one; and columns whose joint plan was reserved come out one by one."""

import json
import random
import re
import sqlite3

import pytest

LEDGER = ["--ledger", "budget.db", "--dataset", "people"]


@pytest.fixture
def points(fugu):
    """The value gives the secret away: each release spends its epsilon in full, and epsilons add."""
    return fugu.write("points.csv", "s,x\n" + "a,0\nb,1\n" * 50)


@pytest.fixture
def people(fugu):
    rng = random.Random(3)
    rows = []
    for _ in range(400):
        s = rng.choice("ab")
        x = rng.choice([0, 1, 2, 2] if s == "a" else [0, 0, 1, 2])
        rows.append(f"{s},{x},{(x + rng.randrange(3) + (s == 'b')) % 4}\n")
    return fugu.write("people.csv", "s,x,y\n" + "".join(rows))


def calibrate(fugu, table, public, epsilon, name, method="sharp"):
    fugu.ok("calibrate", table, "--secret", "s", "--public", public, "--method", method, "--epsilon", epsilon, "-o", name)
    return name


def shown(fugu):
    [account] = json.loads(fugu.ok("ledger", "show", "--ledger", "budget.db", "--format", "json"))["accounts"]
    return account


def test_three_more_like_this_one(fugu, points):
    plan = calibrate(fugu, points, "x", "0.1", "plan.json")
    ask = ["ledger", "ask", "--plan", plan, *LEDGER]
    fugu.fails(2, *ask, says="--budget")
    said = fugu.ok(*ask, "--budget", "0.4")
    assert "four like this one fit" in said and "0 of 0.4 by 0 releases" in said and not (fugu.folder / "budget.db").exists()
    release = ["release", points, "--plan", plan, *LEDGER, "--budget", "0.4", "-o"]
    said = fugu.ok(*release, "1.csv")
    assert "three more like this one fit" in said and "0.1 of 0.4 spent" in said
    assert "influence  0.1 of 0.4 spent, 0.3 left to any releases of these values" in said
    said = fugu.ok(*ask)
    assert "three more like this one fit" in said and "with it    0.2 of 0.4" in said and "those of release 1" in said
    found = json.loads(fugu.ok(*release, "2.csv", "--format", "json"))["ledger"]
    assert found["more"] == {"releases": 2, "or_more": False} and found["adaptive"] is True
    assert found["influence"]["left"] == pytest.approx(0.2) and found["influence"]["most"] <= 0.4
    account = shown(fugu)
    assert account["more"] == found["more"] and account["influence"] == found["influence"] and account["adaptive"] is True
    text = fugu.ok("ledger", "show", "--ledger", "budget.db")
    assert "left: two more like release 2 fit" in text and "may have been chosen after seeing the ones before" in text
    for k in (3, 4):
        fugu.ok(*release, f"{k}.csv")
    assert "none more like release 4 fits" in fugu.ok("ledger", "show", "--ledger", "budget.db")
    asked = json.loads(fugu.ok(*ask, "--format", "json"))
    assert asked["more"]["releases"] == 0 and "would be spent" in asked["refused"] and asked["together"] is None
    assert "none like this one fits: the budget" in fugu.ok(*ask)
    fugu.fails(6, *release, "5.csv", says="would be spent")


def test_of_rows_that_trade_places_beside_known_columns_one_fits(fugu):
    rows = "".join(f"{'ab'[k % 2]},{'uv'[k // 2 % 2]},{k // 4 % 3}\n" for k in range(600))
    table = fugu.write("known.csv", "s,g,x\n" + rows)
    fugu.ok("calibrate", table, "--secret", "s", "--known", "g", "--public", "x", "--epsilon", "0.5", "--method", "swap", "-o", "plan.json")
    ask = ["ledger", "ask", "--plan", "plan.json", *LEDGER]
    assert "one like this one fits" in fugu.ok(*ask, "--budget", "2")
    fugu.ok("release", table, "--plan", "plan.json", *LEDGER, "--budget", "2", "-o", "1.csv")
    assert "none like this one fits" in fugu.ok(*ask) and shown(fugu)["more"]["releases"] == 0


def test_what_to_do_about_rows_that_trade_places_is_said_where_no_more_fit(fugu):
    fugu.method = None  # it is swap
    rows = ["a,x"] * 30 + ["a,y"] * 10 + ["b,x"] * 10 + ["b,y"] * 30
    table = fugu.write("two.csv", "\n".join(["s,v", *rows, ""]))
    release = ["release", table, "--secret", "s", "--public", "v", "--epsilon", "0.5", "--ledger", "l.db"]
    said = fugu.ok(*release, "--dataset", "wide", "--budget", "2", "-o", "1.csv")
    assert "or more like this one fit" in said and "--method sharp" not in said
    said = fugu.ok(*release, "--dataset", "narrow", "--budget", "0.5", "-o", "2.csv")
    assert "none more like this one fits" in said and "--method sharp can" in said


def test_with_a_delta_choices_are_assumed_to_be_made_beforehand(fugu, points):
    release = ["release", points, "--secret", "s", "--public", "x", "--epsilon", "0.5", "--delta", "1e-6", "--noise", "gaussian", *LEDGER,
               "--budget", "1", "--budget-delta", "2e-6", "-o"]
    fugu.ok(*release, "1.csv")
    fugu.ok(*release, "2.csv")
    account = shown(fugu)
    assert account["adaptive"] is False and account["influence"] is None
    assert any("not chosen after seeing those before" in text for text in account["assumptions"])


def test_columns_come_out_one_by_one_within_what_was_reserved(fugu, people):
    joint = calibrate(fugu, people, "x,y", "0.2", "joint.json", "exact")
    x = calibrate(fugu, people, "x", "0.03", "x.json")
    reserve = ["ledger", "reserve", people, "--plan", joint, *LEDGER]
    fugu.fails(6, *reserve, "--budget", "0.1", says="would be spent")
    assert not (fugu.folder / "budget.db").exists()
    said = fugu.ok(*reserve, "--budget", "0.3")
    assert said.startswith("Reserved x, y for later releases; nothing is released.")
    before = shown(fugu)
    assert before["releases"][0]["state"] == "reserved" and before["counted"] == 0 and 0.2 <= before["spent"]["epsilon"] <= 0.3
    released = 0
    while fugu("release", people, "--plan", x, *LEDGER, "-o", f"x{released}.csv").status == 0:
        released += 1
    err = fugu.fails(6, "release", people, "--plan", x, *LEDGER, "-o", "more.csv", says=["reserved x, y", "of x influence", "is left"])
    assert "dp-laplace" in err
    after = shown(fugu)
    [reservation] = after["reservations"]
    assert released > 1 and after["spent"] == before["spent"] and after["counted"] == released == len(reservation["releases"])
    assert [column["column"] for column in reservation["columns"]] == ["x", "y"]
    assert reservation["columns"][1]["left"] == reservation["columns"][1]["influence"]
    assert 0 <= reservation["columns"][0]["left"] < reservation["columns"][0]["influence"] / released
    y = calibrate(fugu, people, "y", "0.01", "y.json")
    assert "keep within what release 1 reserved" in fugu.ok("release", people, "--plan", y, *LEDGER, "-o", "y.csv").replace("\n             ", " ")
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", "--reason", "x", says="keeps within")
    # Other rows are not those that were reserved.
    moved = fugu.write("moved.csv", "\n".join([*people.read_text().splitlines()[:1], *reversed(people.read_text().splitlines()[1:])]) + "\n")
    fugu.fails(6, "release", moved, "--plan", y, *LEDGER, "-o", "z.csv", says="may be other values")
    fugu.ok("release", moved, "--plan", y, *LEDGER, "-o", "z.csv", "--values-unchanged")
    assert shown(fugu)["spent"] == before["spent"]


def test_without_a_table_it_takes_the_users_word(fugu, people):
    joint = calibrate(fugu, people, "x,y", "0.2", "joint.json", "exact")
    x = calibrate(fugu, people, "x", "0.03", "x.json")
    assert "later releases with --values-unchanged" in fugu.ok("ledger", "reserve", "--plan", joint, *LEDGER, "--budget", "0.3")
    spent = shown(fugu)["spent"]
    fugu.fails(6, "release", people, "--plan", x, *LEDGER, "-o", "1.csv", says="may be other values")
    fugu.ok("release", people, "--plan", x, *LEDGER, "-o", "1.csv", "--values-unchanged")
    assert shown(fugu)["spent"] == spent and any("user's word" in text for text in shown(fugu)["assumptions"])


def test_a_reservation_that_none_used_can_be_void(fugu, people):
    joint = calibrate(fugu, people, "x,y", "0.2", "joint.json", "exact")
    fugu.ok("ledger", "reserve", people, "--plan", joint, *LEDGER, "--budget", "0.3")
    assert "Release 1 is void" in fugu.ok("ledger", "void", "1", "--ledger", "budget.db", "--reason", "another plan")
    assert shown(fugu)["spent"] is None and shown(fugu)["reservations"] == []
    fugu.ok("ledger", "reserve", people, "--plan", joint, *LEDGER)


def test_wrong_usage(fugu, people):
    joint = calibrate(fugu, people, "x,y", "0.2", "joint.json", "exact")
    x = calibrate(fugu, people, "x", "0.1", "x.json")
    fugu.fails(2, "ledger", "ask", *LEDGER, "--budget", "1", says="--plan")
    fugu.fails(2, "ledger", "ask", "people.csv", "--plan", x, *LEDGER, "--budget", "1", says="no table")
    fugu.fails(2, "ledger", "ask", "--plan", x, "--ledger", "budget.db", "--budget", "1", says="--dataset")
    for table in ("-", "sqlite:people.db"):
        fugu.fails(2, "ledger", "reserve", table, "--plan", joint, *LEDGER, "--budget", "1", says=["of a file", "--values-unchanged"])
    fugu.fails(2, "ledger", "reserve", people, "--plan", x, *LEDGER, "--budget", "1", says=["--plan", "several columns"])
    other = fugu.write("other.csv", people.read_text() + "a,0,0\n")
    fugu.fails(4, "ledger", "reserve", other, "--plan", joint, *LEDGER, "--budget", "1")
    fugu.fails(2, "ledger", "show", "--ledger", "budget.db", "--plan", x, says="this is for ask and reserve")
    fugu.fails(2, "ledger", "show", "--ledger", "budget.db", "--reason", "x", says="this is for void")
    assert not (fugu.folder / "budget.db").exists()


def test_a_ledger_without_reservations_is_brought_up_to_date(fugu, points):
    plan = calibrate(fugu, points, "x", "0.1", "plan.json")
    fugu.ok("release", points, "--plan", plan, *LEDGER, "--budget", "0.2", "-o", "1.csv")
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("ALTER TABLE releases DROP COLUMN reserved")
        ledger.execute("PRAGMA user_version = 2")
    assert "one more like this one fits" in fugu.ok("ledger", "ask", "--plan", plan, *LEDGER)
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        assert ledger.execute("PRAGMA user_version").fetchall() == [(3,)]
        assert ledger.execute("SELECT reserved FROM releases").fetchall() == [(0,)]


def test_what_is_asked_before_the_first_release_is_so(fugu, people):
    """Releases of the same rows, whatever the noise: as many are taken as were promised, and no more."""
    fugu.ok("calibrate", people, "--secret", "s", "--public", "x", "--method", "randomized-response", "--epsilon", "0.2", "-o", "plan.json")
    said = json.loads(fugu.ok("ledger", "ask", "--plan", "plan.json", *LEDGER, "--budget", "0.5", "--format", "json"))
    assert any("same rows in the same order" in sentence for sentence in said["assumptions"])
    fits = said["more"]["releases"] if isinstance(said["more"], dict) else said["more"]
    assert fits > 2
    for k in range(fits):
        fugu.ok("release", people, "--plan", "plan.json", *LEDGER, "--budget", "0.5", "-o", f"{k}.csv")
    fugu.fails(6, "release", people, "--plan", "plan.json", *LEDGER, "-o", "last.csv", says="0.5")


def test_influences_of_two_columns_are_told_apart(fugu, people):
    """What is left of the column that was released is nothing that a release of another column could use."""
    x, y = calibrate(fugu, people, "x", 0.1, "x.json"), calibrate(fugu, people, "y", 0.1, "y.json", "dp-laplace")
    same = fugu.ok("ledger", "ask", "--plan", x, *LEDGER, "--budget", "1")
    assert "             this release has " in same
    fugu.ok("release", people, "--plan", x, *LEDGER, "--budget", "1", "-o", "1.csv")
    said = fugu.ok("ledger", "ask", "--plan", y, *LEDGER)
    assert re.search(r"^  influence  .*\n             that is of x; this release, of y, has 0\.\d+ of its own$", said, re.M), said
    assert "             this release has " not in said
