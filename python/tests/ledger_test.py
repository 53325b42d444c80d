"""Releases that a ledger counts, by the core's one way to do so."""

import concurrent.futures
import json
import subprocess
import sys

import fugu
import pandas
import pytest

ROWS = pandas.DataFrame({"s": ["a", "b"] * 50, "x": [0, 2] * 50})


@pytest.fixture
def plan():
    scenario = fugu.Scenario.from_table(ROWS, secret="s", public="x")
    return fugu.calibrate(scenario, epsilon=0.1, method="dp-laplace")


def account(tmp_path, **more):
    return fugu.Ledger(tmp_path / "budget.db", dataset="people", budget="0.35", **more)


def test_a_release_is_counted_before_it_is_handed_out(tmp_path, plan, program):
    ledger = account(tmp_path)
    for k in range(1, 4):
        assert len(plan.release(ROWS, ledger=ledger)) == 100
        assert ledger.spent["spent"]["epsilon"] == pytest.approx(0.1 * k) and ledger.spent["releases"] == k
    with pytest.raises(fugu.BudgetError, match="would be spent"):
        plan.release(ROWS, ledger=ledger)
    [shown] = ledger.accounts()
    assert shown["spent"]["epsilon"] == pytest.approx(0.3) and [each["state"] for each in shown["releases"]] == ["done"] * 3
    said = subprocess.run([program, "ledger", "show", "--ledger", ledger.path, "--format", "json"], check=True, capture_output=True, text=True)
    assert json.loads(said.stdout)["accounts"] == [shown]


def test_a_file_that_is_refused_does_not_appear(tmp_path, plan):
    ROWS.to_parquet(tmp_path / "in.parquet")
    ledger = account(tmp_path)
    for k in range(3):
        fugu.release_file(tmp_path / "in.parquet", tmp_path / f"{k}.parquet", plan=plan, ledger=ledger)
    with pytest.raises(fugu.BudgetError):
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "3.parquet", plan=plan, ledger=ledger)
    assert sorted(path.name for path in tmp_path.glob("[0-9].parquet*")) == [f"{k}.parquet{more}" for k in range(3) for more in ("", ".receipt.json")]
    assert [each["output"] for each in ledger.accounts()[0]["releases"]] == [str(tmp_path / f"{k}.parquet") for k in range(3)]


def test_what_is_no_release_within_a_budget(tmp_path, plan):
    other = ROWS.assign(note="n")
    with pytest.raises(fugu.UsageError, match="no other column may go along"):
        plan.release(other, keep_unprotected="note", ledger=account(tmp_path), rows_independent=True)
    with pytest.raises(fugu.UsageError, match="no ledger"):
        plan.release(ROWS, ledger="budget.db")
    with pytest.raises(fugu.UsageError, match="--budget"):
        plan.release(ROWS, ledger=fugu.Ledger(tmp_path / "none.db", dataset="people"))
    with pytest.raises(fugu.UsageError, match="model"):
        fugu.count(users=3, p=0.5, epsilon=1).release(2, ledger=account(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_release_that_fails_is_not_counted(tmp_path, plan):
    ledger = account(tmp_path)
    with pytest.raises(fugu.GuaranteeError):
        plan.release(ROWS.iloc[:50], ledger=ledger)
    assert not list(tmp_path.iterdir()) and ledger.spent is None


RELEASE = """
import sys, fugu, pandas
plan, rows = fugu.Plan.load(sys.argv[1]), pandas.read_csv(sys.argv[2])
try:
    plan.release(rows, ledger=fugu.Ledger(sys.argv[3], dataset="people", budget="0.35"))
except fugu.BudgetError:
    sys.exit(6)
"""


def test_many_programs_at_once_never_pass_the_budget(tmp_path, plan, program):
    """Python's and the command line's, some of them killed on the way: what is out was counted, and what was counted fits."""
    plan.save(tmp_path / "plan.json")
    ROWS.to_csv(tmp_path / "t.csv", index=False)
    files = [str(tmp_path / name) for name in ("plan.json", "t.csv", "budget.db")]

    def one(number):
        command = ([sys.executable, "-c", RELEASE, *files] if number % 2 else
                   [program, "release", files[1], "--plan", files[0], "-o", str(tmp_path / f"{number}.csv"), "--ledger", files[2], "--dataset", "people",
                    "--budget", "0.35", "--quiet"])
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number % 5 == 0:
            process.kill()
        return process.wait()

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        ended = list(pool.map(one, range(1, 25)))
    assert set(ended) <= {0, 6, -9} and 0 < ended.count(0) <= 3 and ended.count(6) >= 10
    [shown] = fugu.Ledger(files[2], dataset="people").accounts()
    assert shown["spent"]["epsilon"] <= 0.35
    assert len(shown["releases"]) >= ended.count(0)
    assert len(list(tmp_path.glob("[0-9]*.csv"))) <= len(shown["releases"])
