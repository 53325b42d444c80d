"""Tables and columns of every kind go in, and come out as what they were."""

import datetime
import decimal

import duckdb
import fugu
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import PEOPLE

JOBS = {"clerk", "cook", "nurse"}


def quiet_plan(table, public, **options):
    """A plan whose noise is almost never anything, so that values can be compared."""
    return fugu.calibrate(fugu.Scenario.from_table(table, secret="race", public=public, **options), epsilon=99, method="exact")


# ---- tables


def test_pandas(jobs):
    released = jobs.release(PEOPLE)
    assert list(released.columns) == ["job"] and released["job"].dtype == PEOPLE["job"].dtype
    assert len(released) == len(PEOPLE) and set(released["job"]) <= JOBS
    shifted = PEOPLE.set_index(pd.Index(range(1000, 1000 + len(PEOPLE)), name="person"))
    for released in (jobs.release(shifted), jobs.release(shifted["job"])):
        assert released.index.equals(pd.RangeIndex(len(PEOPLE))), "an index may hold the secret, or the values"
        assert released.index.name is None
    kept = jobs.release(PEOPLE, keep_unprotected="sex")
    assert list(kept.columns) == ["job", "sex"] and list(kept["sex"]) == list(PEOPLE["sex"])
    assert list(PEOPLE.columns) == ["race", "job", "hours", "sex"], "the table itself is not touched"


def test_polars(jobs):
    table = pl.from_pandas(PEOPLE)
    released = jobs.release(table, keep_unprotected=["sex"])
    assert isinstance(released, pl.DataFrame) and released.columns == ["job", "sex"] and released.height == table.height
    assert isinstance(jobs.release(table["job"]), pl.Series)
    assert isinstance(jobs.release(table.lazy()), pl.DataFrame)


def test_pyarrow(jobs):
    table = pa.Table.from_pandas(PEOPLE, preserve_index=False)
    released = jobs.release(table)
    assert released.schema == table.select(["job"]).schema.remove_metadata() and released.num_rows == table.num_rows
    chunked = pa.concat_tables([table.slice(0, 7), table.slice(7, 100), table.slice(107)])
    assert jobs.release(chunked).num_rows == table.num_rows
    assert len(jobs.release(chunked["job"])) == table.num_rows
    batch = table.combine_chunks().to_batches()[0]
    assert isinstance(jobs.release(batch), pa.RecordBatch)
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert jobs.release(reader).num_rows == table.num_rows


def test_duckdb(jobs):
    people = duckdb.from_df(PEOPLE)
    scenario = fugu.Scenario.from_table(people, secret="race", public="job")
    assert scenario.to_json() == fugu.Scenario.from_table(PEOPLE, secret="race", public="job").to_json()
    released = jobs.release(people)
    assert type(released) is type(people) and released.columns == ["job"]
    assert released.fetchall() == released.fetchall(), "what was drawn is drawn once"


def test_duckdb_counts_texts_as_they_are():
    """A collation makes one group of two texts; a plan of such counts would not be that of the rows."""
    database = duckdb.connect()
    database.execute("CREATE TABLE people (race VARCHAR, times VARCHAR COLLATE NOCASE)")
    rows = [("A", "x"), ("B", "x"), ("A", "X"), ("B", "X"), ("A", "y"), ("B", "X")] * 5
    database.executemany("INSERT INTO people VALUES (?, ?)", rows)
    table = {"race": [row[0] for row in rows], "times": [row[1] for row in rows]}
    assert fugu.Scenario.from_table(database.table("people"), secret="race", public="times").to_json() == \
        fugu.Scenario.from_table(table, secret="race", public="times").to_json()


def test_duckdb_names_the_row_that_is_wrong():
    people = duckdb.from_df(with_nulls(lambda table: table))
    with pytest.raises(fugu.DataError, match=r"row (4|6), column '(hours|race)': the field is missing"):
        fugu.Scenario.from_table(people, secret="race", public="hours")
    dropped = fugu.Scenario.from_table(people, secret="race", public="hours", missing="drop")
    assert dropped.to_json() == fugu.Scenario.from_table(with_nulls(lambda table: table), secret="race", public="hours", missing="drop").to_json()


def test_duckdb_carries_columns_along(jobs):
    released = jobs.release(duckdb.from_df(PEOPLE), keep_unprotected="sex")
    assert released.columns == ["job", "sex"]
    assert [row[1] for row in released.fetchall()] == list(PEOPLE["sex"])


def test_pandas_objects():
    table = PEOPLE.astype({"race": object, "job": object})
    table.loc[[3, 4], "job"] = [None, float("nan")]
    as_texts = table.astype({"race": "str", "job": "str"})
    question = {"secret": "race", "public": "job", "missing": "drop"}
    scenario = fugu.Scenario.from_table(table, **question)
    assert scenario.to_json() == fugu.Scenario.from_table(as_texts, **question).to_json()
    plan = fugu.calibrate(scenario, epsilon=99, method="exact")
    released = plan.release(table, drop=True)["job"]
    assert released.dtype == object and {type(value) for value in released} == {str}
    assert (released == table["job"].drop([3, 4]).reset_index(drop=True)).mean() > 0.99
    mixed = table.assign(job=[*table["job"][:-1], 7])
    with pytest.raises(fugu.DataError, match="one type|several Python types"):
        fugu.Scenario.from_table(mixed, **question)
    late = pd.DataFrame({"race": ["A", "B"] * 1000, "job": pd.Series(["x"] * 1999 + [7], dtype=object)})
    with pytest.raises(fugu.DataError, match="one type"):
        fugu.Scenario.from_table(late, secret="race", public="job")


def test_other_tables_by_the_arrow_protocol(jobs):
    class Table:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.Table.from_pandas(PEOPLE, preserve_index=False).__arrow_c_stream__()

    assert jobs.release(Table()).num_rows == len(PEOPLE)
    assert jobs.release({name: list(PEOPLE[name]) for name in PEOPLE}).num_rows == len(PEOPLE)


# ---- types


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "Int16", "Int64",
                                   "float32", "float64", "Float64", "int64[pyarrow]", "double[pyarrow]"])
def test_numbers_of_every_width(dtype):
    table = PEOPLE.assign(hours=PEOPLE["hours"].astype(dtype))
    assert fugu.Scenario.from_table(table, secret="race", public="hours").to_json() == \
        fugu.Scenario.from_table(PEOPLE, secret="race", public="hours").to_json()
    plan = quiet_plan(table, "hours", range="clamp")
    released = plan.release(table["hours"])
    assert released.dtype == table["hours"].dtype
    assert (released == table["hours"]).mean() > 0.99


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_a_type_does_not_tell_how_far_the_values_reach(hours, dtype):
    """A narrow type that stayed, or did not, told whether the largest value is near its end."""
    assert hours.release(PEOPLE["hours"].astype(dtype)).dtype == "int64"
    for largest in (60, 30_000):
        table = pd.DataFrame({"race": ["a", "b"] * 100, "pay": pd.Series([20, 20, 40, 40] * 50).astype("int16")})
        table.loc[0, "pay"] = largest
        assert quiet_plan(table, "pay").release(table["pay"]).dtype == "int64"


def test_decimals():
    values = pa.array([decimal.Decimal(int(h)) / 4 for h in PEOPLE["hours"]], pa.decimal128(10, 2))
    table = pa.table({"race": PEOPLE["race"], "pay": values})
    plan = quiet_plan(table, "pay", range="clamp")
    released = plan.release(table)["pay"]
    assert released.type == pa.decimal128(10, 2)
    assert sum(a == b for a, b in zip(released.to_pylist(), values.to_pylist())) > 0.99 * len(values)
    tight = pa.array([decimal.Decimal(int(h)) / 4 for h in PEOPLE["hours"]], pa.decimal128(4, 2))
    noisy = fugu.calibrate(fugu.Scenario.from_table(pa.table({"race": PEOPLE["race"], "pay": tight}), secret="race", public="pay"), epsilon=0.01, method="exact")
    assert noisy.release(tight).type == pa.decimal128(38, 2)


def test_negative_scales_and_tiny_decimals():
    for kind in (pa.decimal128(5, -2), pa.decimal128(20, 15)):
        unit = decimal.Decimal(1).scaleb(-kind.scale)
        values = pa.array([unit * k for k in (1, 2, 3, 2)] * 10, kind)
        table = pa.table({"race": ["A", "B", "B", "A"] * 10, "v": values})
        released = quiet_plan(table, "v", range="clamp").release(table["v"])
        assert set(released.to_pylist()) <= set(values.to_pylist())


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()),
                                  pa.dictionary(pa.uint32(), pa.large_string())])
def test_texts_and_dictionaries(jobs, kind):
    column = pa.chunked_array([pa.array(PEOPLE["job"]).cast(pa.string())]).cast(kind) if not pa.types.is_dictionary(kind) else \
        pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array([("clerk", "nurse", "cook").index(j) for j in PEOPLE["job"]], kind.index_type),
                                                         pa.array(["clerk", "nurse", "cook"], kind.value_type))])
    released = jobs.release(column)
    # The width of codes would tell how many texts there were, those that are not released among them.
    assert released.type == (pa.dictionary(pa.int32(), kind.value_type) if pa.types.is_dictionary(kind) else kind)
    assert set(released.to_pylist()) <= JOBS


def test_a_dictionary_tells_nothing_of_the_rows(jobs):
    """pyarrow orders a dictionary by what comes first: the released one is in the plan's order whatever came first."""
    for first in ("nurse", "cook"):
        rows = PEOPLE.sort_values("job", key=lambda job: job != first)
        released = jobs.release(pa.array(rows["job"]).dictionary_encode())
        assert released.dictionary.to_pylist() == ["clerk", "cook", "nurse"]


def test_categories_and_truth_values():
    table = PEOPLE.assign(job=pd.Categorical(PEOPLE["job"], categories=["nurse", "cook", "clerk", "unused"], ordered=True),
                          boss=PEOPLE["hours"] > 30)
    plan = quiet_plan(table, "job", order=["nurse", "cook", "clerk"])
    released = plan.release(table["job"])
    assert isinstance(released.dtype, pd.CategoricalDtype) and released.dtype.ordered
    assert list(released.dtype.categories) == ["nurse", "cook", "clerk"]
    assert (released.astype(str) == PEOPLE["job"]).mean() > 0.99
    truth = quiet_plan(table, "boss").release(table["boss"])
    assert truth.dtype == bool and (truth == table["boss"]).mean() > 0.99
    assert quiet_plan(pl.from_pandas(table), "boss").release(pl.Series(table["boss"])).dtype == pl.Boolean
    polar = pl.from_pandas(PEOPLE).with_columns(pl.col("job").cast(pl.Categorical))
    assert quiet_plan(polar, "job").release(polar["job"]).dtype == pl.Enum(["clerk", "cook", "nurse"])


def test_numbers_as_categories_keep_their_type():
    plan = quiet_plan(PEOPLE, "hours", order=["20", "38", "40"])
    released = plan.release(PEOPLE["hours"])
    assert released.dtype == "int64" and set(released) <= {20, 38, 40}


def test_lists_and_arrays(hours):
    released = hours.release(list(PEOPLE["hours"]))
    assert isinstance(released, list) and all(isinstance(value, int) for value in released)
    array = hours.release(PEOPLE["hours"].to_numpy())
    assert isinstance(array, np.ndarray) and array.dtype == np.int64


def test_floats_are_their_shortest_decimals():
    table = pd.DataFrame({"race": ["A", "B"] * 20, "v": [0.1, 0.2, 0.2, 0.1] * 10})
    plan = quiet_plan(table, "v")
    assert set(np.round(plan.release(table["v"]) * 10, 9) % 1) == {0.0}
    assert set(plan.release(table["v"])) <= {k / 10 for k in range(-50, 50)}, "each is the nearest double of its decimal"
    single = table.assign(v=table["v"].astype("float32"))
    assert fugu.Scenario.from_table(single, secret="race", public="v").to_json() == \
        fugu.Scenario.from_table(table, secret="race", public="v").to_json()


# ---- nulls and odd values


def with_nulls(kind):
    table = PEOPLE.assign(hours=PEOPLE["hours"].astype("Int64"))
    table.loc[[3, 7], "hours"] = None
    table.loc[[5], "race"] = None
    return kind(table)


@pytest.mark.parametrize("kind", [lambda t: t, pl.from_pandas, lambda t: pa.Table.from_pandas(t, preserve_index=False)])
def test_nulls_stop_or_are_dropped(kind):
    table = with_nulls(kind)
    with pytest.raises(fugu.DataError, match=r"row (4|6), column '(hours|race)': the field is missing"):
        fugu.Scenario.from_table(table, secret="race", public="hours")
    scenario = fugu.Scenario.from_table(table, secret="race", public="hours", missing="drop")
    plan = fugu.calibrate(scenario, epsilon=1, method="exact")
    assert len(plan.release(table)) == len(PEOPLE) - 3
    with pytest.raises(fugu.UsageError, match="the kept columns show which rows are missing"):
        plan.release(table, keep_unprotected="sex")
    with pytest.raises(fugu.GuaranteeError):
        plan.release(table["hours"])  # which rows lack a secret cannot be seen


def test_nulls_as_a_category():
    table = PEOPLE.assign(job=PEOPLE["job"].where(PEOPLE["hours"] != 38, None))
    plan = quiet_plan(table, "job", missing="keep")
    assert "(missing)" in set(plan.release(table["job"]))


@pytest.mark.parametrize("column, word", [
    (pd.Series(pd.to_datetime(["2020-01-01"] * 600, utc=True)), "timestamps of a time zone"),
    (pd.Series([datetime.time(12)] * 600, dtype=pd.ArrowDtype(pa.time32("s"))), "times of day"),
    (pd.Series([datetime.timedelta(1)] * 600), "durations"),
    (pd.Series([[1]] * 600, dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "lists"),
    (pd.Series([b"x"] * 600, dtype=pd.ArrowDtype(pa.binary())), "binary data"),
])
def test_types_without_a_place_are_refused_by_name(column, word):
    table = PEOPLE.assign(when=column)
    with pytest.raises(fugu.DataError, match=rf"column 'when': it holds {word}"):
        fugu.Scenario.from_table(table, secret="race", public="when")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_floats_that_are_no_numbers(value):
    table = pl.from_pandas(PEOPLE).with_columns(v=pl.Series([value] + [1.0] * 599))
    with pytest.raises(fugu.DataError, match="row 1, column 'v': the value is not a finite number"):
        fugu.Scenario.from_table(table, secret="race", public="v")


def test_no_message_shows_a_value():
    mixed = PEOPLE.assign(job=["4711", 4712] * 300)
    with pytest.raises(fugu.DataError) as raised:
        fugu.Scenario.from_table(mixed, secret="race", public="job")
    error = raised.value
    while error is not None:
        assert "471" not in str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    plan = quiet_plan(PEOPLE, "hours")
    with pytest.raises(fugu.DataError, match=r"row 2, column 'hours': the plan does not know this value") as raised:
        plan.release([40, 4711, 20], new_data=True)
    assert "4711" not in str(raised.value)


def test_empty_frames():
    for empty in (PEOPLE.iloc[:0], pl.from_pandas(PEOPLE).head(0), pa.Table.from_pandas(PEOPLE).slice(0, 0)):
        with pytest.raises(fugu.DataError, match="the table has no rows"):
            fugu.Scenario.from_table(empty, secret="race", public="hours")
    plan = quiet_plan(PEOPLE, "hours")
    assert len(plan.release(PEOPLE.iloc[:0]["hours"], new_data=True)) == 0
    assert len(plan.release(PEOPLE.iloc[:0], new_data=True)) == 0
    assert plan.release(pl.from_pandas(PEOPLE).head(0), new_data=True).height == 0
    with pytest.raises(fugu.GuaranteeError):
        plan.release(PEOPLE.iloc[:0]["hours"])
