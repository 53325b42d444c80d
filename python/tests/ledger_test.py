"""Releases that a ledger counts, by the core's one way to do so."""

import json
import subprocess

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
    with pytest.raises(fugu.UsageError, match="this cannot be used with a ledger"):
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


def test_what_is_left_is_told_before_it_is_spent(tmp_path, plan, program):
    ledger = account(tmp_path)
    before = ledger.left(plan)
    assert before["more"] == {"releases": 3, "or_more": False} and before["spent"] is None and not list(tmp_path.iterdir())
    plan.release(ROWS, ledger=ledger)
    assert ledger.spent["more"] == {"releases": 2, "or_more": False} and ledger.spent["adaptive"] is True
    assert ledger.left(plan)["more"]["releases"] == 2 and ledger.left(plan)["together"]["epsilon"] == pytest.approx(0.2)
    for _ in range(2):
        plan.release(ROWS, ledger=ledger)
    after = ledger.left(plan)
    assert after["more"]["releases"] == 0 and "would be spent" in after["refused"] and after["together"] is None
    with pytest.raises(fugu.UsageError, match="--budget"):
        fugu.Ledger(tmp_path / "none.db", dataset="people").left(plan)


def test_columns_come_out_one_by_one_within_what_was_reserved(tmp_path):
    rows = pandas.DataFrame({"s": ["a", "b"] * 100, "x": [k % 2 if k % 5 else 1 - k % 2 for k in range(200)], "y": [k % 3 for k in range(200)]})
    joint = fugu.calibrate(fugu.Scenario.from_table(rows, secret="s", public=["x", "y"]), epsilon=0.3, method="exact")
    ledger = fugu.Ledger(tmp_path / "budget.db", dataset="people", budget=0.5, values_unchanged=True)
    charged = ledger.reserve(joint)["spent"]["epsilon"]
    assert 0.29 < charged <= 0.5
    one = fugu.calibrate(fugu.Scenario.from_table(rows, secret="s", public="x"), epsilon=0.05, method="sharp")
    fit = ledger.left(one)["more"]["releases"]
    assert fit > 1
    for _ in range(fit):
        one.release(rows, ledger=ledger)
        assert ledger.spent["spent"]["epsilon"] == charged
    with pytest.raises(fugu.BudgetError, match="of x influence"):
        one.release(rows, ledger=ledger)
    # Without a word these may be other values.
    with pytest.raises(fugu.BudgetError, match="other values"):
        one.release(rows, ledger=fugu.Ledger(tmp_path / "budget.db", dataset="people"))
    with pytest.raises(fugu.UsageError, match="several columns"):
        ledger.reserve(one)
    [shown] = ledger.accounts()
    assert len(shown["reservations"][0]["releases"]) == fit
