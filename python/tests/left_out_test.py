"""Rows that are left out, values that no prior expects, and names that are data, in tables in memory and in Parquet files."""

import os

import fugu
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ASSUMED = "is assumed to say nothing of its secret"
ROWS = [(s, g, x, 7 * x) for s in "ab" for g in "pq" for x in ((0, 1, 10) if g == "p" else (0, 10)) for _ in range(25)]
KINDS = [pa.Table.from_pandas, pl.from_pandas, lambda table: table]


def table_of(rows):
    return pd.DataFrame(rows, columns=["s", "g", "x", "y"]).astype({"x": "Int64", "y": "Int64"})


TABLE = table_of(ROWS)


def plan_of(table=TABLE, public="x", **question):
    return fugu.calibrate(fugu.Scenario.from_table(table, secret="s", public=public, **question), epsilon=1, method="exact")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("public", ["x", ["x", "y"]])
def test_kept_columns_would_show_who_is_left_out(kind, public, tmp_path):
    holes = table_of([*ROWS, ("a", "p", None, 0)])
    plan = plan_of(holes, public, missing="drop")
    assert any("dropped" in note for note in plan.notes) and any(ASSUMED in one for one in plan.assumptions)
    assert len(plan.release(kind(holes))) == len(ROWS)
    for unseen in ({}, {"drop": True}):
        with pytest.raises(fugu.UsageError, match=f"row {len(ROWS) + 1}, column 'x': the row would be left out"):
            plan.release(kind(holes), keep_unprotected="g", **unseen)
    plan = plan_of(TABLE, public, given="g")
    for row, column in (((None, "p", 1, 7), "s"), (("a", None, 1, 7), "g"), (("c", "p", 1, 7), "s")):
        new = kind(table_of([*ROWS, row]))
        assert len(plan.release(new, new_data=True, drop=True)) == len(ROWS)
        with pytest.raises(fugu.UsageError, match=f"row {len(ROWS) + 1}, column '{column}': the row would be left out"):
            plan.release(new, new_data=True, drop=True, keep_unprotected="g")


def test_a_missing_given_field_beside_kept_columns(tmp_path):
    holes = table_of([*ROWS, ("a", None, 1, 7)])
    plan = plan_of(holes, given="g", missing="drop")
    pq.write_table(pa.Table.from_pandas(holes, preserve_index=False), tmp_path / "in.parquet")
    for kept in ({"keep": "g"}, {"keep_unprotected": "y"}):
        with pytest.raises(fugu.UsageError, match="column 'g': the row would be left out"):
            plan.release(holes, **kept)
        with pytest.raises(fugu.UsageError, match="column 'g': the row would be left out"):
            fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, **kept)
    assert os.listdir(tmp_path) == ["in.parquet"] and len(plan.release(holes)) == len(ROWS)


def test_kept_columns_in_parquet_files(tmp_path):
    holes = table_of([*ROWS, ("a", "p", None, 0)])
    pq.write_table(pa.Table.from_pandas(holes, preserve_index=False), tmp_path / "in.parquet")
    plan = plan_of(holes, given="g", missing="drop")
    for kept in ({"keep": "g"}, {"keep_unprotected": "g"}):
        with pytest.raises(fugu.UsageError, match="would be left out"):
            fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, **kept)
    assert os.listdir(tmp_path) == ["in.parquet"]
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan)
    assert ASSUMED in (tmp_path / "out.parquet.receipt.json").read_text()


def test_a_release_that_drops_is_stated(tmp_path):
    pq.write_table(pa.Table.from_pandas(table_of([*ROWS, ("a", "p", None, 0)]), preserve_index=False), tmp_path / "in.parquet")
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(), drop=True)
    assert ASSUMED in (tmp_path / "out.parquet.receipt.json").read_text()
    plan = plan_of()
    assert ASSUMED not in plan.statement()["statement"] and ASSUMED in plan.statement(drop=True)["statement"]


@pytest.mark.parametrize("kind", KINDS)
def test_values_that_no_prior_expects(kind, tmp_path):
    said = "row 2, column 'x': the plan does not know this value"
    cases = [  # the plan's table had 0, 1 and 10; q no 1; x = 1 never with y = 0
        (plan_of(), [("a", "p", 0, 0), ("b", "q", 5, 0)], said),
        (plan_of(given="g"), [("a", "p", 1, 7), ("b", "q", 1, 7)], said),
        (plan_of(public=["x", "y"]), [("a", "p", 1, 7), ("b", "p", 1, 0)], said + " together"),
    ]
    for plan, rows, words in cases:
        new = table_of(rows)
        with pytest.raises(fugu.DataError, match=words):
            plan.release(kind(new), new_data=True)
        assert len(plan.release(kind(new), new_data=True, drop=True)) == 1
        with pytest.raises(fugu.UsageError, match="would be left out"):
            plan.release(kind(new), new_data=True, drop=True, keep_unprotected="g" if plan is not cases[1][0] else "y")
        pq.write_table(pa.Table.from_pandas(new, preserve_index=False), tmp_path / "in.parquet")
        with pytest.raises(fugu.DataError, match=words):
            fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, new_data=True)
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_a_column_by_itself_and_a_releaser():
    plan = plan_of()
    for release in (lambda data, **how: plan.release(data, new_data=True, **how), plan.releaser().release):
        with pytest.raises(fugu.DataError, match="does not know this value"):
            release(pa.array([0, 5]))
        assert len(release(pa.array([0, 5]), drop=True)) == 1
    with pytest.raises(fugu.GuaranteeError, match="is not the one"):
        plan.release(pa.array([0, 5]))  # another table, whatever its values


def test_names_that_are_data(tmp_path):
    """A file without a header, read as one that has one."""
    rows = [("White", "Bachelors", 39)] + [(["White", "Black"][k % 2], ["Bachelors", "Masters"][k % 3 % 2], 20 + k % 9) for k in range(60)]
    wrong = pd.DataFrame(rows[1:], columns=[str(value) for value in rows[0]])
    with pytest.raises(fugu.DataError, match="the name of column 1 is one of its own values") as raised:
        fugu.Scenario.from_table(wrong, secret="White", public="Bachelors")
    assert "header=None" in raised.value.hint and "White" not in str(raised.value)
    named = wrong.rename(columns={"White": "race", "Bachelors": "school"}).assign(hours=[30, 40] * 30)
    plan = fugu.calibrate(fugu.Scenario.from_table(named, secret="race", public="school"), epsilon=1)
    by_hours = fugu.calibrate(fugu.Scenario.from_table(named, secret="race", public="hours"), epsilon=1)
    later = named.assign(race="White").rename(columns={"race": "White"})
    for kind in KINDS:
        with pytest.raises(fugu.DataError, match="the name of column 1 is one of its own values"):
            by_hours.release(kind(later), new_data=True, keep_unprotected="White")
        assert len(by_hours.release(kind(later), new_data=True, keep_unprotected=["school", "39"])) == 60
        with pytest.raises(fugu.DataError, match="the name of column 2 is one of its own values"):  # not only in new data
            by_hours.release(kind(named.rename(columns={"school": "Masters"})), keep_unprotected="Masters")
        with pytest.raises(fugu.DataError, match="the name of column 2 is one of its own values"):
            plan.release(kind(named.assign(school=["school", "Masters"] * 30)), new_data=True)
    pq.write_table(pa.Table.from_pandas(later, preserve_index=False), tmp_path / "in.parquet")
    with pytest.raises(fugu.DataError, match="the name of column 1 is one of its own values"):
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=by_hours, new_data=True, keep_unprotected="White")
    assert os.listdir(tmp_path) == ["in.parquet"]
    right = pd.DataFrame(rows)  # whose columns pandas calls 0, 1 and 2
    fugu.Scenario.from_table(right, secret=0, public=1)
    fugu.Scenario.from_table(right, secret=0, public=2)
    fugu.Scenario.from_table(right.assign(**{"0": 0}).rename(columns={0: "race"}), secret="race", public=1)
