"""Rows that trade places within groups of known columns: the same plan as the command line's, and in every kind of table the known
columns as they are, no secret, and rows of the own group alone."""

import collections
import json
import random

import duckdb
import fugu
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from tables import run, write_csv

NAMES = ["sex", "age", "region", "job", "hours"]
LARGE = {(30, "north"): 120, (30, "south"): 80, (40, "north"): 80}
MERGED = {**LARGE, (50, "north"): 6, (50, "south"): 7}
LEFT_OUT = {**LARGE, (50, "north"): 3}
ASKED = {"secret": "sex", "known": ["age", "region"], "public": ["job", "hours"], "min_group": 10}
FLAGS = ["--secret", "sex", "--known", "age,region", "--public", "job,hours", "--min-group", "10", "--epsilon", "0.5"]


def people(cells, seed=7):
    """(age, region) -> how many of each sex. In the south nobody is a driver, and nurses there work longer."""
    draw = random.Random(seed)
    rows = []
    for (age, region), count in cells.items():
        for sex in "FM":
            for _ in range(count):
                weights = [6, 2, 2] if sex == "F" else [2, 3, 5]
                job = draw.choices(["nurse", "clerk", "driver" if region == "north" else "baker"], weights)[0]
                rows.append((sex, age, region, job, draw.choice([20, 30]) + (5 if region == "south" else 0)))
    draw.shuffle(rows)
    return pd.DataFrame(rows, columns=NAMES)


def plan_of(table, **asked):
    return fugu.calibrate(fugu.Scenario.from_table(table, **{**ASKED, **asked}), epsilon=0.5)


KINDS = {
    "pandas": (lambda table: table, lambda out: out),
    "pandas arrow": (lambda table: table.convert_dtypes(dtype_backend="pyarrow"), lambda out: out),
    "polars": (pl.from_pandas, lambda out: out.to_pandas()),
    "arrow": (lambda table: pa.Table.from_pandas(table, preserve_index=False), lambda out: out.to_pandas()),
    "arrow dictionaries": (
        lambda table: pa.table({name: pa.array(table[name]).dictionary_encode() for name in NAMES}),
        lambda out: pa.table({name: column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
                              for name, column in zip(out.schema.names, out.columns)}).to_pandas()),
    "batch": (lambda table: pa.RecordBatch.from_pandas(table, preserve_index=False), lambda out: out.to_pandas()),
    "duckdb": (duckdb.from_df, lambda out: out.df()),
}


def tuples(table, names):
    """Rows with nulls as None, whole numbers as such."""
    def plain(value):
        return None if value is None or value is pd.NA or value != value else int(value) if isinstance(value, float) else value

    return [tuple(plain(value) for value in row) for row in table[list(names)].itertuples(index=False)]


@pytest.mark.parametrize("cells", [LARGE, MERGED, LEFT_OUT])
def test_the_plan_is_the_command_lines(program, tmp_path, cells):
    table = people(cells)
    path = write_csv(tmp_path / "t.csv", table)
    run(program, "calibrate", path, *FLAGS, "-o", tmp_path / "plan.json")
    written = (tmp_path / "plan.json").read_text()
    for _, (convert, _) in KINDS.items():
        assert plan_of(convert(table)).to_json() == written
    table.to_parquet(tmp_path / "t.parquet")
    assert plan_of(tmp_path / "t.parquet").to_json() == written
    assert plan_of(path).to_json() == written


def test_beliefs_and_all_columns_are_the_command_lines(program, tmp_path):
    table = people(LARGE).assign(notes=[f"{k}" for k in range(560)])
    path = write_csv(tmp_path / "t.csv", table)
    run(program, "calibrate", path, "--secret", "sex", "--known", "age", "--public", "all", "--except", "notes", "--also",
        "independent,smoothed:0.5", "--epsilon", "1", "-o", tmp_path / "plan.json")
    asked = {"secret": "sex", "known": "age", "public": "all", "except_": "notes", "also": ["independent", "smoothed:0.5"]}
    table.to_parquet(tmp_path / "t.parquet")
    for data in (table, pl.from_pandas(table), duckdb.from_df(table), path, tmp_path / "t.parquet"):
        plan = fugu.calibrate(fugu.Scenario.from_table(data, **asked), epsilon=1)
        assert plan.to_json() == (tmp_path / "plan.json").read_text()
    made = fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", epsilon=1, **asked)
    assert made == plan
    assert pa.parquet.read_schema(tmp_path / "out.parquet").names == ["age", "region", "job", "hours"]


def test_a_column_that_is_left_out_need_not_be_readable():
    table = people(LARGE).assign(odd=[[1, "x"], 5] * 280)
    asked = {"secret": "sex", "public": "all", "except_": ["odd", "age"]}
    assert fugu.Scenario.from_table(table, **asked) == fugu.Scenario.from_table(table, secret="sex", public=["region", "job", "hours"])


@pytest.mark.parametrize("wrong, says", [
    ({"known": "sex"}, "--known: column 'sex' is the secret"),
    ({"given": "job"}, "--given: this cannot be used with --known"),
    ({"also": "sometimes"}, "--also"),
    ({"except_": "job"}, "--except: this works with --public all only"),
    ({"public": "all", "except_": "sex"}, "--except: column 'sex' would not be released anyway"),
])
def test_what_makes_no_question(wrong, says):
    with pytest.raises(fugu.UsageError, match=says) as raised:
        plan_of(people(LARGE), **wrong)
    assert raised.value.hint


@pytest.mark.parametrize("kind", KINDS)
def test_known_columns_stay_and_rows_are_those_of_their_group(kind):
    convert, back = KINDS[kind]
    table = people(MERGED)
    plan = plan_of(table)
    out = back(plan.release(convert(table), keep_order=True))
    assert list(out.columns) == ["age", "region", "job", "hours"], "the secret is not there"
    hidden = [age == 50 for age in table["age"]]
    known = [(None, None) if gone else row for gone, row in zip(hidden, tuples(table, ["age", "region"]))]
    assert tuples(out, ["age", "region"]) == known
    there = collections.defaultdict(set)
    for group, row in zip(known, tuples(table, ["job", "hours"])):
        there[group].add(row)
    drawn = tuples(out, ["job", "hours"])
    assert all(row in there[group] for group, row in zip(known, drawn)), "a row that its group does not have"
    moved = sum(a != b for a, b in zip(drawn, tuples(table, ["job", "hours"])))
    assert 0.02 * len(drawn) < moved < 0.6 * len(drawn)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_come_in_random_order(kind):
    convert, back = KINDS[kind]
    table = people(MERGED).sort_values(["region", "age", "job"], ignore_index=True)
    plan = plan_of(table)
    out = back(plan.release(convert(table)))
    known = ["age", "region"]
    kept = [(None, None) if row[0] == 50 else row for row in tuples(table, known)]
    assert tuples(out, known) != kept
    assert collections.Counter(tuples(out, known)) == collections.Counter(kept)
    # Neighbours agree in the region by chance alone: 0.55 of them on average, by 0.02 more or less.
    regions = tuples(out, ["region"])
    same = sum(a == b for a, b in zip(regions, regions[1:])) / len(out)
    assert same < 0.75


def test_frequencies_stay_right_on_average():
    table = people(LARGE)
    plan = plan_of(table)
    cells = collections.Counter(tuples(table, NAMES[1:]))
    seen = collections.Counter()
    for _ in range(60):
        seen.update(tuples(plan.release(table), NAMES[1:]))
    # The mean of 60 draws of a count n is off by less than sqrt(n / 60) on average; five of these in one of twenty cells
    # are a false alarm in one of 80,000 runs.
    for cell, count in cells.items():
        assert abs(seen[cell] / 60 - count) < 5 * (count / 60) ** 0.5 + 0.05, cell
    assert set(seen) <= set(cells)


@pytest.mark.parametrize("kind", KINDS)
def test_small_groups_are_left_out(kind):
    convert, back = KINDS[kind]
    table = people(LEFT_OUT)
    out = back(plan_of(table).release(convert(table), keep_order=True))
    assert tuples(out, ["age", "region"]) == [row for row in tuples(table, ["age", "region"]) if row[0] != 50]


def test_types_of_known_columns(program):
    table = people(MERGED)
    big = table.assign(age=table["age"].map({30: 2**60 + 1, 40: 2**60 + 2, 50: 2**60 + 3}), region=table["region"] == "north")
    plan = plan_of(big)
    out = plan.release(big, keep_order=True)
    assert out["age"].dtype == "Int64" and out["region"].dtype == "boolean"
    assert set(out["age"].dropna()) == {2**60 + 1, 2**60 + 2}, "no digit is lost"
    ordered = pl.from_pandas(table).with_columns(pl.col("region").cast(pl.Enum(["south", "west", "north"])))
    assert plan_of(table).release(ordered)["region"].dtype == pl.Enum(["south", "north"])
    categories = table.assign(region=table["region"].astype("category"))
    assert list(plan_of(table).release(categories)["region"].cat.categories) == ["north", "south"]


def test_noise_beside_known_columns():
    table = people(MERGED)
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="sex", known=["age", "region"], public="hours", min_group=10),
                          epsilon=0.5, method="exact", noise="laplace")
    out = plan.release(table)
    assert tuples(out, ["age", "region"]) == [(None, None) if row[0] == 50 else row for row in tuples(table, ["age", "region"])]
    assert not set(out["hours"]) <= set(table["hours"])


@pytest.mark.parametrize("cells", [MERGED, LEFT_OUT])
def test_parquet(tmp_path, cells):
    table = people(cells)
    table.to_parquet(tmp_path / "t.parquet", row_group_size=100)
    plan = fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", epsilon=0.5, **ASKED)
    assert plan == plan_of(table)
    out = pa.parquet.read_table(tmp_path / "out.parquet").to_pandas()
    assert list(out.columns) == ["age", "region", "job", "hours"]
    known = [(None, None) if row[0] == 50 else row for row in tuples(table, ["age", "region"])]
    if cells is LEFT_OUT:
        known = [row for row in known if row[0]]
    assert tuples(out, ["age", "region"]) != known and collections.Counter(tuples(out, ["age", "region"])) == collections.Counter(known)
    receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
    assert receipt["shuffled"] and receipt["rows"] == len(known) and receipt["rows_dropped"] == (cells is LEFT_OUT)
    fugu.release_file(tmp_path / "t.parquet", tmp_path / "again.parquet", plan=plan, keep_order=True)
    again = pa.parquet.read_table(tmp_path / "again.parquet").to_pandas()
    assert tuples(again, ["age", "region"]) == known
    assert not json.loads((tmp_path / "again.parquet.receipt.json").read_text())["shuffled"]


def test_one_row_of_each_person():
    table = people({**LARGE, (50, "north"): 6})  # with every row of theirs the group would be large enough
    table = pd.concat([table, table]).assign(who=[f"p{k}" for k in range(len(table))] * 2)
    plan = plan_of(table, person="who")
    out = plan.release(table)
    assert len(out) == 560 and set(out["age"]) == {30, 40}


def test_new_data():
    table = people(LEFT_OUT)
    plan = plan_of(table)
    new = table[["age", "region", "job", "hours"]].iloc[:50].reset_index(drop=True)
    assert len(plan.release(new, new_data=True)) == (new["age"] != 50).sum()
    for change, says in ((("age", 60), "the plan does not know this group of the known columns"),
                         (("job", "pilot"), "the plan does not know this value"),
                         (("hours", 25 if new.loc[0, "region"] == "north" else 20), "does not know this value together")):
        other = new.copy()
        other.loc[0, change[0]] = change[1]
        with pytest.raises(fugu.DataError, match=f"^the table: row 1, column '.*': .*{says}") as raised:
            plan.release(other, new_data=True)
        assert raised.value.hint and str(change[1]) not in str(raised.value)
        with pytest.raises(fugu.UsageError, match="the known columns show which rows are missing"):
            plan.release(other, new_data=True, drop=True)
    with pytest.raises(fugu.UsageError, match="region"):
        plan.release(new.drop(columns="region"), new_data=True)


def test_another_table_is_refused():
    table = people(MERGED)
    plan = plan_of(table)
    other = table.copy()
    other.loc[0, "region"] = "south" if table.loc[0, "region"] == "north" else "north"
    with pytest.raises((fugu.GuaranteeError, fugu.DataError)):
        plan.release(other)
    moved = table.copy()
    moved.loc[0, "sex"] = "F" if table.loc[0, "sex"] == "M" else "M"
    with pytest.raises(fugu.GuaranteeError, match="not the one that the plan was made from"):
        plan.release(moved)


def test_what_goes_with_known_columns():
    table = people(LARGE)
    plan = plan_of(table)
    with pytest.raises(fugu.UsageError, match="--keep: known columns are written in any case"):
        plan.release(table, keep="age")
    with pytest.raises(fugu.UsageError, match="--keep-unprotected: column 'age' is known, and written in any case"):
        plan.release(table, keep_unprotected="age")
    with pytest.raises(fugu.UsageError, match="trade places as a whole"):
        plan.releaser()
    one = plan_of(table, public="job")
    with pytest.raises(fugu.UsageError, match="the plan has known columns, and this is a single column") as raised:
        one.release(table["job"])
    assert "whole table" in raised.value.hint
