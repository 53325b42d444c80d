"""A budget that many processes spend at once, that is killed and restarted, and that is never passed."""

import json
import os
import random
import signal
import sqlite3
import stat
import subprocess
import time

import pytest

from conftest import PROGRAM
from tampering_test import canonical, digest, read

FLAGS = ["--secret", "s", "--public", "x"]
LEDGER = ["--ledger", "budget.db", "--dataset", "people"]


@pytest.fixture
def table(fugu):
    """The value gives the secret away, so each exact release spends its epsilon in full, and they add."""
    return fugu.write("in.csv", "s,x,y\n" + "".join(f"{'ab'[k % 2]},{k % 2},{k % 3}\n" for k in range(200)))


@pytest.fixture
def grouped(fugu):
    """s may be kept beside x, being given: every group of it has both values of y."""
    return fugu.write("grouped.csv", "s,x,y\n" + "".join(f"{'ab'[k % 2]},{k // 2 % 2},{k // 4 % 2}\n" for k in range(400)))


def release(table, output, epsilon="0.1", *more):
    return ["release", table, *FLAGS, "--epsilon", epsilon, "-o", output, *LEDGER, *more]


def shown(fugu):
    [account] = json.loads(fugu.ok("ledger", "show", "--ledger", "budget.db", "--format", "json"))["accounts"]
    return account


def check(folder):
    with sqlite3.connect(folder / "budget.db") as ledger:
        assert ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert ledger.execute("PRAGMA foreign_key_check").fetchall() == []


def test_no_more_is_said_to_be_left_than_there_is(fugu, table):
    """0.87656 of the budget is left, which the nearest four digits are above."""
    assert "0.1235 of 1 spent of dataset people by 1 release, 0.8765 left" in fugu.ok(*release(table, "1.csv", "0.12344", "--budget", "1"))
    assert "0.1235 of 1 spent, 0.8765 left" in fugu.ok("ledger", "show", "--ledger", "budget.db")


def test_a_release_spends_and_says_what_is_left(fugu, table):
    said = fugu.ok(*release(table, "1.csv", "0.1", "--budget", "0.25"))
    assert "0.1 of 0.25 spent of dataset people by 1 release, 0.15 left" in said
    assert stat.S_IMODE((fugu.folder / "budget.db").stat().st_mode) == 0o600
    found = json.loads(fugu.ok(*release(table, "2.csv"), "--format", "json"))
    assert found["ledger"]["spent"]["epsilon"] == 0.2 and found["ledger"]["release"] == 2
    assert "ledger" not in json.loads((fugu.folder / "2.csv.receipt.json").read_text())
    err = fugu.fails(6, *release(table, "3.csv"), says=["0.25", "would be spent"])
    assert "0.3" in err
    fugu.ok(*release(table, "3.csv", "0.05"))
    account = shown(fugu)
    assert account["dataset"] == "people" and account["secret"] == ["s"] and account["budget"] == {"epsilon": 0.25, "delta": 0}
    assert account["spent"]["epsilon"] == 0.25
    assert [(row["id"], row["state"], row["output"]) for row in account["releases"]] == [
        (k, "done", str(fugu.folder / f"{k}.csv")) for k in (1, 2, 3)]
    text = fugu.ok("ledger", "show", "--ledger", "budget.db")
    assert text.startswith("Dataset people, secret s: 0.25 of 0.25 spent, 0 left") and "  3  20" in text


def test_by_a_plan_and_to_standard_output(fugu, table):
    fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.1", "-o", "plan.json")
    out = fugu.ok("release", "-", "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER, "--budget", "0.2",
                  stdin=table.read_bytes())
    assert len(out.splitlines()) == 201 and shown(fugu)["releases"][0]["state"] == "done"
    fugu.ok("release", table, "--plan", "plan.json", "-o", "1.csv", *LEDGER)
    fugu.fails(6, "release", "-", "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER, stdin=table.read_bytes())


def test_wrong_usage(fugu, table):
    fugu.fails(2, *release(table, "1.csv"), says=["--budget", "does not exist"])
    bare = ["release", table, *FLAGS, "--epsilon", "0.1", "-o", "1.csv"]
    fugu.fails(2, *bare, "--ledger", "budget.db", "--budget", "1", says="--dataset")
    for flag, value in (("--dataset", "d"), ("--budget", "1"), ("--budget-delta", "1e-6")):
        fugu.fails(2, *bare, flag, value, says=[flag, "--ledger"])
    fugu.fails(2, *release(table, "1.csv"), "--budget", "-1", says="--budget")
    fugu.fails(2, *release(table, "1.csv"), "--budget", "1", "--budget-delta", "2", says="--budget-delta")
    fugu.fails(2, *release(table, "1.csv"), "--budget", "1", "--keep-unprotected", "y", says="--keep-unprotected")
    fugu.fails(6, *release(table, "1.csv"), "--budget", "0.05", says="0.05")
    fugu.fails(5, "release", table, *FLAGS, "--epsilon", "0.1", "-o", "1.csv", "--ledger", "no/budget.db", "--dataset", "d",
               "--budget", "1")
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "1"))
    fugu.fails(2, *release(table, "2.csv"), "--budget", "2", says=["is 1 already", "fugu ledger show"])
    fugu.fails(2, "release", table, *FLAGS, "--epsilon", "0.1", "-o", "2.csv", "--ledger", "budget.db", "--dataset", "new",
               says="--budget")
    fugu.fails(2, *release(table, "budget.db"), "--force", says="this is the ledger")
    other = fugu.write("other.csv", "s,x\n")
    other.chmod(0o600)
    fugu.fails(3, "release", table, *FLAGS, "--epsilon", "0.1", "-o", "2.csv", "--ledger", other, "--dataset", "d",
               "--budget", "1", says="not a ledger")
    fugu.ok(*release(table, "2.csv"), "--budget", "1")


def test_wrong_usage_of_the_ledger(fugu, table):
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "1"))
    fugu.fails(2, "ledger", says="ACTION")
    fugu.fails(2, "ledger", "show", says="--ledger")
    fugu.fails(2, "ledger", "burn", "--ledger", "budget.db", says="show, ask, reserve or void")
    fugu.fails(5, "ledger", "show", "--ledger", "no.db", says="no.db")
    table.chmod(0o600)
    fugu.fails(3, "ledger", "show", "--ledger", table, says="not a ledger")
    fugu.fails(2, "ledger", "show", "1", "--ledger", "budget.db")
    fugu.fails(2, "ledger", "void", "--ledger", "budget.db", "--reason", "x", says="number")
    fugu.fails(2, "ledger", "void", "x", "--ledger", "budget.db", "--reason", "x", says="number")
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", says="--reason")
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", "--reason", "x", says="has appeared")
    fugu.fails(2, "ledger", "void", "9", "--ledger", "budget.db", "--reason", "x", says="no release 9")


def test_another_column_is_admitted_by_what_it_tells_whatever_its_values(fugu):
    """x = s xor y with y a coin: each says nothing of s, and both are s. One of them may go out as it is, for its law says nothing; the other
    needs noise that bounds what it tells of y itself."""
    coins = fugu.write("coins.csv", "s,x,y\n" + "".join(f"{'ab'[s]},{s ^ y},{y}\n" for s in (0, 1) for y in (0, 1)) * 50)
    ask = lambda column, out, *more: ["release", coins, "--secret", "s", "--public", column, "-o", out, *LEDGER, *more]
    fugu.ok(*ask("x", "1.csv", "--epsilon", "0.1", "--budget", "0.7"))
    fugu.fails(6, *ask("y", "2.csv", "--epsilon", "0.1"), says=["everything together", "one plan", "dp-laplace"])
    fugu.ok(*ask("y", "2.csv", "--epsilon", "0.4", "--method", "dp-laplace"))
    account = shown(fugu)
    assert account["spent"]["epsilon"] == pytest.approx(0.4) and len(account["releases"]) == 2
    assert any("other columns" in text for text in account["assumptions"])
    fugu.fails(6, *ask("y", "3.csv", "--epsilon", "0.4", "--method", "dp-laplace"), says=["would be spent"])
    fugu.fails(6, *ask("x,y", "3.csv", "--epsilon", "0.1", "--method", "swap"))


@pytest.mark.parametrize("first", ["noise", "as it is"])
@pytest.mark.parametrize("secret", ["s", "t"])
def test_no_column_is_released_with_a_promise_and_written_as_it_is(fugu, first, secret):
    """By whatever account: who has x as it is needs no release of it."""
    rows = "".join(f"{'ab'[k % 2]},{(k % 2) ^ (k % 5 == 0)},{'uv'[k // 2 % 2]},{k // 4 % 2}\n" for k in range(400))
    people = fugu.write("people.csv", "s,x,t,z\n" + rows)
    noisy = ["release", people, "--secret", "s", "--public", "x", "--method", "randomized-response", "--epsilon", "0.5", *LEDGER, "--budget", "3", "-o"]
    for how in (["--known", "x"], ["--given", "x", "--keep", "x"]):
        true = ["release", people, "--secret", secret, *how, "--public", "z", "--epsilon", "0.5", "--method", "exact", "--noise", "laplace", *LEDGER, "--budget", "3", "-o"]
        (fugu.folder / "budget.db").unlink(missing_ok=True)
        one, other = (noisy, true) if first == "noise" else (true, noisy)
        fugu.ok(*one, "1.csv", "--force")
        fugu.fails(6, *other, "2.csv", says=["x was", "unchanged"])


def test_another_order_of_categories_is_refused(fugu):
    table = fugu.write("c.csv", "s,x\n" + "a,low\na,mid\nb,mid\nb,high\n" * 9)
    fugu.ok(*release(table, "1.csv", "0.1", "--order", "low,mid,high", "--budget", "10"))
    fugu.fails(6, *release(table, "2.csv", "0.1", "--order", "mid,low,high"), says=["cannot be counted", "same order"])


def test_an_appended_row_buys_nothing(fugu, table):
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "0.2"))
    more = fugu.write("more.csv", table.read_text() + "a,0,1\n")
    said = fugu.ok(*release(more, "2.csv"))
    assert "the frequencies are not those of release 1" in said and "0.2 of 0.2 spent" in said
    again = fugu.write("again.csv", more.read_text() + "b,1,1\n")
    fugu.fails(6, *release(again, "3.csv"), says="would be spent")


def test_delta_needs_a_budget_of_its_own(fugu):
    table = fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 2}\n" for k in range(200)))
    flags = ["--delta", "1e-6", "--noise", "gaussian"]
    fugu.fails(6, *release(table, "1.csv", "0.5", *flags, "--budget", "1"))
    fugu.ok(*release(table, "1.csv", "0.5", *flags, "--budget", "1", "--budget-delta", "2e-6"))
    fugu.ok(*release(table, "2.csv", "0.5", *flags))
    assert shown(fugu)["spent"]["delta"] <= 2e-6
    fugu.fails(6, *release(table, "3.csv", "0.5", *flags))


def start(fugu, *arguments):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_fifty_at_once_spend_exactly_the_budget(fugu, table):
    running = [start(fugu, *release(table, f"{k}.csv", "0.1", "--budget", "0.5", "--method", "exact")) for k in range(50)]
    done = [(process.communicate(), process.returncode) for process in running]
    assert sorted(status for _, status in done) == [0] * 5 + [6] * 45, done
    check(fugu.folder)
    account = shown(fugu)
    assert account["spent"]["epsilon"] == 0.5
    visible = {str(path) for path in map(lambda k: fugu.folder / f"{k}.csv", range(50)) if path.exists()}
    assert visible == {row["output"] for row in account["releases"]} and len(visible) == 5


def test_kill_at_any_moment(fugu, table):
    kills = 200 if os.environ.get("FUGU_LONG") else 20
    allowed = kills * 6 // 10  # the last of them meet a budget that is spent
    begin = time.time()
    fugu.ok(*release(table, "first.csv", "0.1", "--budget", f"{allowed}/10"))
    whole = time.time() - begin
    rng = random.Random(11)
    voided = 0
    for k in range(kills):
        process = start(fugu, *release(table, f"{k}.csv"))
        time.sleep(rng.uniform(0, whole * 1.3))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        check(fugu.folder)
        account = shown(fugu)
        records = {row["output"]: row for row in account["releases"]}
        if (fugu.folder / f"{k}.csv").exists():
            assert records[str(fugu.folder / f"{k}.csv")]["state"] in ("spent", "done")
        assert account["spent"]["epsilon"] <= allowed / 10
        for row in account["releases"]:
            assert row["state"] != "done" or (fugu.folder / row["output"]).exists()
            if row["state"] == "spent" and not (fugu.folder / row["output"]).exists():
                fugu.ok("ledger", "void", row["id"], "--ledger", "budget.db", "--reason", "killed")
                voided += 1
    account = shown(fugu)
    assert sum(row["state"] == "void" for row in account["releases"]) == voided
    assert sum(row["state"] != "void" for row in account["releases"]) <= allowed


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_ended_while_another_holds_the_ledger(fugu, table, ending):
    """Nothing appears that is not written down, and Ctrl-C ends the waiting."""
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "1"))
    holder = sqlite3.connect(fugu.folder / "budget.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    process = start(fugu, *release(table, "2.csv"))
    time.sleep(0.5)
    assert process.poll() is None and not (fugu.folder / "2.csv").exists()
    process.send_signal(ending)
    process.communicate(timeout=20)
    holder.execute("ROLLBACK")
    holder.close()
    assert len(shown(fugu)["releases"]) == 1 and not (fugu.folder / "2.csv").exists()


def test_what_was_written_down_and_never_appeared_can_be_void(fugu, table):
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "0.2"))
    holder = sqlite3.connect(fugu.folder / "budget.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    process = start(fugu, *release(table, "2.csv"))
    time.sleep(0.5)
    fugu.write("2.csv", "someone else's\n")  # comes in between: the output cannot appear any more
    holder.execute("ROLLBACK")
    holder.close()
    process.communicate()
    assert process.returncode == 2 and (fugu.folder / "2.csv").read_text() == "someone else's\n"
    assert shown(fugu)["releases"][1]["state"] == "spent"
    fugu.fails(6, *release(table, "3.csv"))
    (fugu.folder / "2.csv").unlink()
    assert "Release 2 is void" in fugu.ok("ledger", "void", "2", "--ledger", "budget.db", "--reason", "the name was taken")
    row = shown(fugu)["releases"][1]
    assert row["state"] == "void" and row["reason"] == "the name was taken"
    fugu.ok(*release(table, "3.csv"))
    assert "void: the name was taken" in fugu.ok("ledger", "show", "--ledger", "budget.db")


def test_what_went_to_standard_output_cannot_be_void(fugu, table):
    """Its reader ended early, but it has read rows."""
    fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.1", "-o", "plan.json")
    long = fugu.write("long.csv", "s,x\n" + "a,0\nb,1\n" * 500_000)
    process = start(fugu, "release", long, "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER, "--budget", "1")
    assert process.stdout.readline() == b"x\n"
    process.stdout.close()
    process.stderr.read()
    assert process.wait() == 5 and shown(fugu)["releases"][0]["state"] == "spent"
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", "--reason", "the reader went away", says=["standard output", "counts"])


def test_standard_output_spends_nothing_when_the_columns_are_wrong(fugu, table):
    fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.1", "-o", "plan.json")
    fugu.fails(2, "release", "-", "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER, "--budget", "1", stdin="s,z\na,0\n",
               says="no column 'x'")
    assert not (fugu.folder / "budget.db").exists()


def test_a_database_of_an_older_ledger_cannot_be_void(fugu, table):
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "1"))
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("UPDATE releases SET state = 'spent', output = ?", (str(fugu.folder / "the database rel"),))
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", "--reason", "x", says="went into a database")


def renamed(fugu, table, name, flags=FLAGS, **source):
    """A plan made from the table, with other names in it."""
    fugu.ok("calibrate", table, *flags, "--epsilon", "0.1", "-o", "made.json", "--force")
    plan = read(fugu.folder / "made.json")
    plan["scenario"]["source"].update(source)
    plan["digest"] = digest(plan)
    return fugu.write(name, canonical(plan))


def test_a_number_is_no_other_name_of_a_column(fugu, grouped):
    """Column 1 is s, whatever a plan calls it: it is neither released nor given a second account."""
    fugu.ok(*release(grouped, "1.csv", "0.1", "--budget", "0.1"))
    by = ["--new-data", *LEDGER, "--budget", "5"]
    numbers = grouped.with_name("numbers.csv")
    numbers.write_text(grouped.read_text().replace("a,", "0,").replace("b,", "1,"))
    public = renamed(fugu, grouped, "public.json", ["--secret", "y", "--public", "x"], public=["1"])
    fugu.fails(2, "release", numbers, "--plan", public, "-o", "2.csv", *by, says=["column 's' '1'", "name"])
    secret = renamed(fugu, grouped, "secret.json", secret=["1"])
    for name in ("1", "01"):
        renamed(fugu, grouped, "secret.json", secret=[name])
        fugu.fails(2, "release", grouped, "--plan", secret, "-o", "2.csv", *by, says=f"column 's' '{name}'")
    fugu.fails(2, "release", "-", "--plan", secret, "-o", "-", *by, stdin=grouped.read_bytes(), says=["read only once", "as a file"])
    without = fugu.write("without.csv", "x\n0\n1\n")
    renamed(fugu, grouped, "secret.json", secret=["2"])
    fugu.fails(2, "release", without, "--plan", secret, "-o", "2.csv", *by, says="no column '2'")
    assert len(shown(fugu)["releases"]) == 1


def test_a_number_is_no_other_name_of_a_column_in_a_database(fugu, grouped):
    with sqlite3.connect(fugu.folder / "people.db") as database:
        database.execute("CREATE TABLE t (s, x, y)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", [line.split(",") for line in grouped.read_text().splitlines()[1:]])
    ask = ["release", "sqlite:people.db", "--table", "t", *LEDGER, "--budget", "5"]
    fugu.ok(*ask, *FLAGS, "--epsilon", "0.1", "-o", "1.csv")
    for header in (True, False):
        plan = renamed(fugu, grouped, "plan.json", secret=["1"], header=header)
        fugu.fails(2, *ask, "--plan", plan, "--new-data", "-o", "2.csv", says="column 's' '1'")


def test_numbers_of_columns_that_have_no_other_name(fugu, grouped):
    """Where two columns share a name, and where none has one."""
    twice = fugu.write("twice.csv", grouped.read_text().replace("s,x,y", "s,x,x"))
    fugu.ok("release", twice, "--secret", "s", "--public", "2", "--epsilon", "0.1", "-o", "1.csv", *LEDGER, "--budget", "5")
    bare = fugu.write("bare.csv", grouped.read_text().split("\n", 1)[1])
    ask = ["release", bare, "--no-header", "--epsilon", "0.1", "--ledger", "budget.db", "--budget", "5"]
    fugu.ok(*ask, "--secret", "1", "--public", "2", "-o", "2.csv", "--dataset", "bare")
    fugu.fails(6, *ask, "--secret", "3", "--public", "1", "-o", "3.csv", "--dataset", "bare", says="1 is a secret")


@pytest.mark.parametrize("secret", ["s", "y"])
def test_names_and_numbers_are_not_mixed_in_a_dataset(fugu, grouped, secret):
    """A table without a header numbers its columns: which of them is the secret of the other account cannot be told."""
    fugu.ok(*release(grouped, "1.csv", "0.1", "--budget", "5"))
    bare = fugu.write("bare.csv", grouped.read_text().split("\n", 1)[1])
    number = str("sxy".index(secret) + 1)
    fugu.fails(6, "release", bare, "--no-header", "--secret", number, "--public", "2", "--epsilon", "0.1", "-o", "2.csv", *LEDGER,
               "--budget", "5", says=["release 1", "without"])


def test_what_may_appear_or_has_appeared_cannot_be_void(fugu, table):
    """Its process still runs, or its output is there: then it is not for the owner to say that it never was."""
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "0.25"))
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("UPDATE releases SET state = 'spent'")
    void = ["ledger", "void", "1", "--ledger", "budget.db", "--reason", "killed"]
    fugu.fails(2, *void, says=["has appeared", "move it away"])
    (fugu.folder / "1.csv").rename(fugu.folder / "moved.csv")
    with open(f"/proc/{os.getpid()}/stat") as file:
        started = file.read().rsplit(")", 1)[1].split()[19]
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("UPDATE releases SET process = ?", (f"{os.getpid()}:{started}",))
    fugu.fails(2, *void, says=["still being made"])
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("UPDATE releases SET process = ?", (f"{os.getpid()}:1",))  # another process, long ago
    fugu.ok(*void)


def test_what_a_kill_left_under_another_name_cannot_be_void(fugu, table):
    """Where a file system has no unnamed files, a killed release may be whole as OUT.PID-K."""
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "0.25"))
    gone = subprocess.Popen(["true"])
    gone.wait()
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        ledger.execute("UPDATE releases SET state = 'spent', process = ?", (f"{gone.pid}:1",))
    left = (fugu.folder / "1.csv").rename(fugu.folder / f"1.csv.{gone.pid}-0")
    fugu.write(f"1.csv.{gone.pid + 1}-0", "of another process")
    void = ["ledger", "void", "1", "--ledger", "budget.db", "--reason", "killed"]
    fugu.fails(2, *void, says=["may be whole", left.name])
    left.unlink()
    fugu.ok(*void)


def test_a_plan_without_a_secret_opens_no_account(fugu, table):
    fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.1", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    plan["scenario"]["source"]["secret"] = []
    plan["digest"] = digest(plan)
    fugu.write("edited.json", canonical(plan))
    fugu.fails(2, "release", table, "--plan", "edited.json", "--new-data", "-o", "1.csv", *LEDGER, "--budget", "1", says="--ledger")


def test_a_secret_is_not_released_by_another_account(fugu, table):
    fugu.ok(*release(table, "1.csv", "0.1", "--budget", "1"))
    other = ["release", table, "--epsilon", "0.5", "--budget", "5", *LEDGER]
    fugu.fails(6, *other, "--secret", "y", "--public", "s", "-o", "2.csv", says=["s is a secret"])
    # Without noise x tells of s whatever the secret is called: no bound is left.
    fugu.fails(6, *other, "--secret", "y", "--public", "x", "-o", "3.csv", says=["no finite bound of the joint loss"])
    third = ["release", table, "--epsilon", "0.5", "--budget", "5", "--ledger", "budget.db", "--dataset", "others"]
    fugu.ok(*third, "--secret", "s", "--public", "y", "-o", "4.csv")
    fugu.fails(6, *third, "--secret", "y", "--public", "x", "-o", "5.csv", says=["released before"])


def test_a_secret_is_not_kept_by_another_account(fugu, grouped):
    ask = ["release", grouped, "--public", "x", "--epsilon", "0.5", "--budget", "5", *LEDGER]
    fugu.ok(*ask, "--secret", "s", "-o", "1.csv")
    keeping = [*ask, "--secret", "y", "--given", "s"]
    fugu.fails(6, *keeping, "--keep", "s", "-o", "2.csv", says=["s is a secret of dataset 'people'"])
    fugu.ok(*keeping, "-o", "3.csv")  # known to the adversary, and not released


def test_a_kept_column_is_no_secret_afterwards(fugu, grouped):
    ask = ["release", grouped, "--public", "x", "--epsilon", "0.5", "--budget", "5", *LEDGER]
    fugu.ok(*ask, "--secret", "y", "--given", "s", "--keep", "s", "-o", "1.csv")
    fugu.fails(6, *ask, "--secret", "s", "-o", "2.csv", says=["released before, as release 1"])


def test_kept_columns_do_not_add_up(fugu):
    """X = S xor G1 xor G2: each file says nothing, both together say S."""
    rows = [(s, g, h, s ^ g ^ h) for s in (0, 1) for g in (0, 1) for h in (0, 1) for _ in range(30)]
    table = fugu.write("xor.csv", "s,g,h,x\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def keeping(column, output):
        return ["release", table, *FLAGS, "--epsilon", "0.1", "--given", column, "--keep", column, "-o", output, *LEDGER]

    fugu.ok(*keeping("g", "1.csv"), "--budget", "1")
    fugu.fails(6, *keeping("h", "2.csv"), says=["other columns were kept"])
    fugu.ok(*keeping("g", "3.csv"))
    for column in "gh":
        fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.1", "--given", column, "-o", f"{column}.json")
    fugu.fails(4, "compose", "g.json", "h.json", says=["--given"])


@pytest.mark.parametrize("ending", ["", ".receipt.json", ".plan.json"])
def test_the_ledger_is_none_of_the_outputs(fugu, table, ending):
    fugu.fails(2, "release", table, *FLAGS, "--epsilon", "0.1", "-o", "out.csv", "--ledger", f"./out.csv{ending}",
               "--dataset", "d", "--budget", "1", "--force", says=["this is the ledger"])
    assert [path.name for path in fugu.folder.iterdir()] == ["in.csv"]
