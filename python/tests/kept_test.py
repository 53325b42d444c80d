"""Columns that go along: what is seen of the covered ones follows from their texts alone.

Each test writes one table in two ways that the core reads as the same texts; the second way goes with the secret. What comes
out must be the same, but for the noise.
"""

import decimal

import duckdb
import fugu
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SECRETS = ["A", "B", "B", "A"] * 30
HOURS = [20, 40, 20, 40, 40, 20] * 20
PLACES = ["x", "y"] * 60
IS_A = np.array([secret == "A" for secret in SECRETS])


def arrow_table(place, **others):
    return pa.table({"race": SECRETS, "hours": HOURS, "place": place, **others})


def pandas_table(place):
    return pd.DataFrame({"race": SECRETS, "hours": HOURS, "place": place})


def plan_of(table, **question):
    return fugu.calibrate(fugu.Scenario.from_table(table, secret="race", public="hours", given="place", **question), epsilon=1)


def kept(table, **question):
    return plan_of(table, **question).release(table, keep="place")["place"]


def signed_zeros(kind):
    zeros = np.where(np.arange(120) % 2 == 0, 0.0, 1.5)
    return np.where((zeros == 0) & IS_A, -0.0, zeros).astype(kind)


def no_sign(values):
    return not np.signbit(np.asarray(values, dtype=float)).any() and 0.0 in values


# ---- zeros


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_a_zero_has_no_sign(kind, tmp_path):
    zeros = signed_zeros(kind)
    assert np.signbit(zeros).any(), "there is something to hide"
    table = arrow_table(zeros)
    assert no_sign(kept(table).to_numpy()) and kept(table).type == table.schema.field("place").type
    assert no_sign(kept(table.to_batches()[0]).to_numpy())
    assert no_sign(kept(pl.from_arrow(table)).to_numpy())
    assert no_sign(kept(pl.from_arrow(arrow_table(np.where(zeros == 0, -np.abs(zeros), zeros)))).to_numpy())
    assert no_sign([value for value, in kept_of_relation(table)])
    for dtype in (kind, kind.replace("f", "F"), pd.ArrowDtype(pa.from_numpy_dtype(kind))):
        frame = pandas_table(pd.Series(zeros).astype(dtype))
        assert kept(frame).dtype == frame["place"].dtype and no_sign(kept(frame).to_numpy(dtype=float))
    assert no_sign(kept({"race": SECRETS, "hours": HOURS, "place": list(map(float, zeros))}).to_numpy())
    pq.write_table(table, tmp_path / "in.parquet")
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(table), keep="place")
    assert no_sign(pq.read_table(tmp_path / "out.parquet")["place"].to_numpy())


def kept_of_relation(table):
    relation = duckdb.from_arrow(table)
    return plan_of(relation).release(relation, keep="place").project("place").fetchall()


def test_half_precision_is_refused():
    with pytest.raises(fugu.DataError, match="half-precision"):
        kept(arrow_table(signed_zeros("float16")))


def test_a_zero_in_a_dictionary_has_no_sign():
    codes = pa.array(np.where(signed_zeros("float64") == 0, np.where(IS_A, 0, 1), 2))
    column = kept(arrow_table(pa.DictionaryArray.from_arrays(codes, pa.array([-0.0, 0.0, 1.5]))))
    assert column.chunk(0).dictionary.to_pylist() == [0.0, 1.5] and no_sign(column.chunk(0).dictionary.to_numpy())


# ---- dictionaries


def two_codes_of_x(kind=None, ordered=False):
    """ "x" by one code for A, and by another for B."""
    codes = [0 if place == "x" and a else 1 if place == "x" else 2 for place, a in zip(PLACES, IS_A, strict=True)]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(["x", "x", "y"], kind), ordered=ordered)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("ordered", [False, True])
def test_a_dictionary_has_one_code_for_a_text(kind, ordered, tmp_path):
    table = arrow_table(two_codes_of_x(kind, ordered))
    column = kept(table)
    # The width of codes would tell how many texts there were, those of rows that were left out among them.
    assert column.type == pa.dictionary(pa.int32(), kind, ordered) and column.to_pylist() == PLACES
    assert column.chunk(0).dictionary.to_pylist() == ["x", "y"] and column.chunk(0).indices.to_pylist() == [0, 1] * 60
    if kind == pa.string():
        pq.write_table(table, tmp_path / "in.parquet")
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(table), keep="place")
        written = pq.read_table(tmp_path / "out.parquet", read_dictionary=["place"])["place"]
        assert written.chunk(0).dictionary.to_pylist() == ["x", "y"] and written.to_pylist() == PLACES


def test_the_order_of_a_dictionary_is_that_of_its_texts():
    """Whatever was read first, or stood in the dictionary and in no row; an order that the owner gave stays."""
    for ordered, listed in ((False, ["x", "y"]), (True, ["y", "x"])):
        places = pa.DictionaryArray.from_arrays(pa.array([0 if place == "y" else 2 for place in PLACES]),
                                                pa.array(["y", "unused", "x"]), ordered=ordered)
        column = kept(arrow_table(places), missing="drop")
        assert column.chunk(0).dictionary.to_pylist() == listed and column.to_pylist() == PLACES


def test_pandas_categories():
    for ordered, listed in ((False, ["x", "y"]), (True, ["y", "x"])):
        places = pd.Categorical(PLACES, categories=["y", "unused", "x"], ordered=ordered)
        column = kept(pandas_table(places))
        assert list(column.cat.categories) == listed and column.cat.ordered == ordered and list(column) == PLACES
    numbers = pd.Categorical([1 if place == "x" else 2 for place in PLACES], categories=[2, 1, 7])
    assert list(kept(pandas_table(numbers)).cat.categories) == [1, 2]
    objects = pd.Categorical([decimal.Decimal(1)] * 120)
    with pytest.raises(fugu.UsageError, match="column 'place' holds Python objects that are no texts"):
        kept(pandas_table(objects))


def test_polars_categories():
    """A process numbers the texts of a Categorical as it meets them: here the one of a row first that is left out."""
    alive = pl.Series(["y", "x"], dtype=pl.Categorical)
    table = pl.from_arrow(arrow_table(PLACES)).with_columns(pl.col("place").cast(pl.Categorical))
    column = kept(table)
    assert column.to_list() == PLACES and column.to_physical().to_list() == [0, 1] * 60 and len(alive) == 2
    for order in (["x", "unused", "y"], ["y", "x", "unused"]):
        column = kept(table.with_columns(pl.col("place").cast(pl.Enum(order))))
        assert column.dtype == pl.Enum([text for text in order if text != "unused"]) and column.to_list() == PLACES


@pytest.mark.parametrize("option", ["keep", "keep_unprotected"])
def test_categories_of_no_row_are_not_seen(option):
    listed = ["seen here and nowhere else", "x", "y"]
    table = pandas_table(PLACES)
    categories = table.assign(place=pd.Categorical(PLACES, categories=listed))
    arrow = pa.Table.from_pandas(categories, preserve_index=False)
    frame = pl.from_pandas(table).with_columns(pl.col("place").cast(pl.Enum(listed)))
    options = {option: "place", "drop": True}
    plan = plan_of(table, missing="drop")
    assert list(plan.release(categories, **options)["place"].cat.categories) == ["x", "y"]
    assert plan.release(arrow, **options)["place"].chunk(0).dictionary.to_pylist() == ["x", "y"]
    assert plan.release(frame, **options)["place"].dtype == pl.Enum(["x", "y"])
    table.loc[0, ["race", "place"]] = [None, listed[0]]
    plan = plan_of(table, missing="drop")
    with pytest.raises(fugu.UsageError, match="row 1, column 'race': the row would be left out"):
        plan.release(table, **options)


# ---- objects and other types


def test_pandas_objects_are_texts():
    decimals = [decimal.Decimal("1.0") if a else decimal.Decimal("1.00") for a in IS_A]
    for values in (decimals, [1] * 120, [1.5] * 120, [True] * 120):
        with pytest.raises(fugu.UsageError, match="column 'place' holds Python objects that are no texts") as raised:
            kept(pandas_table(pd.Series(values, dtype=object)))
        assert "astype(str)" in raised.value.hint

    class Text(str):
        pass

    table = pd.concat([pandas_table(pd.Series(PLACES, dtype=object))] * 10, ignore_index=True)
    late = (table.index > 1000) & (table["race"] == "A")
    table["place"] = pd.Series([Text(place) if odd else place for place, odd in zip(table["place"], late, strict=True)], dtype=object)
    assert {type(value) for value in table["place"]} == {str, Text}
    column = kept(table)
    assert column.dtype == object and {type(value) for value in column} == {str} and list(column) == PLACES * 10


@pytest.mark.parametrize("dtype", ["bool", "boolean", "int8", "uint64", "Int32", "float32", "str", "string", "string[python]",
                                   "object", "category", "int16[pyarrow]", "bool[pyarrow]", "string[pyarrow]"])
def test_pandas_types_stay(dtype):
    numbers = any(word in dtype for word in ("int", "Int", "float", "bool"))
    places = pd.Series([0, 1] * 60 if numbers else PLACES).astype(dtype)
    column = kept(pandas_table(places))
    pd.testing.assert_series_equal(column, places.rename("place"), check_categorical=False)


@pytest.mark.parametrize("kind", [pa.bool_(), pa.int8(), pa.uint64(), pa.float64(), pa.decimal128(5, 2), pa.string(), pa.large_string(),
                                  pa.string_view(), pa.dictionary(pa.int32(), pa.int32())])
def test_arrow_types_stay(kind):
    numbers = pa.array([0, 1] * 60, pa.int32())
    texts = pa.array(PLACES, pa.string())
    places = (texts if "string" in str(kind) else numbers.cast(pa.decimal128(15, 2)) if pa.types.is_decimal(kind) else numbers)
    places = places.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else places.cast(kind)
    column = kept(arrow_table(places))
    assert column.type == kind and column.to_pylist() == places.to_pylist()
    if "view" not in str(kind):
        frame = pl.from_arrow(arrow_table(places))
        assert kept(frame).dtype == frame["place"].dtype and kept(frame).to_list() == frame["place"].to_list()


def test_a_type_of_objects_does_not_tell_of_the_first_row():
    for first in ("20", None):
        table = pandas_table(PLACES).assign(hours=pd.Series([first, *map(str, HOURS[1:])], dtype=object))
        plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="race", public="hours", missing="drop"), epsilon=1)
        assert plan.release(table)["hours"].dtype == object


# ---- how the rows lie


def test_where_chunks_begin_is_not_seen(tmp_path):
    table = arrow_table(PLACES)
    cut = pa.concat_tables([table.slice(0, 17), table.slice(17)])
    released = plan_of(table).release(cut, keep="place", keep_unprotected=[])
    assert [column.num_chunks for column in released.columns] == [1, 1]
    assert plan_of(table).release(cut["hours"]).num_chunks == 1
    frame = pl.from_arrow(cut, rechunk=False)
    assert frame.n_chunks() == 2 and plan_of(table).release(frame, keep="place").n_chunks() == 1
    assert plan_of(table).release(frame["hours"]).n_chunks() == 1
    with pq.ParquetWriter(tmp_path / "in.parquet", cut.schema) as writer:
        writer.write_table(cut, row_group_size=17)
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(table), keep="place")
    assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups == 1


def test_row_groups_have_the_same_rows_whatever_was_left_out(tmp_path):
    rows = 300_000
    table = pa.table({"race": ["A", None, "B"] * (rows // 3), "hours": [20, 40] * (rows // 2), "place": ["y"] * (rows // 2) + ["x"] * (rows // 2)})
    table = table.set_column(2, "place", table["place"].dictionary_encode())
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=70_001)
    with pytest.raises(fugu.UsageError, match="column 'race': the row would be left out"):
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(table, missing="drop"), keep="place")
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan_of(table, missing="drop"))
    file = pq.ParquetFile(tmp_path / "out.parquet")
    assert [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)] == [1 << 17, 200_000 - (1 << 17)]
    places = ["y"] * 100_000 + ["x"] * 200_000  # both within the first group
    table = pa.table({"race": ["A", "B"] * (rows // 2), "hours": [20, 40] * (rows // 2), "place": pa.array(places).dictionary_encode()})
    pq.write_table(table, tmp_path / "all.parquet", row_group_size=70_001)
    fugu.release_file(tmp_path / "all.parquet", tmp_path / "kept.parquet", plan=plan_of(table), keep="place")
    file = pq.ParquetFile(tmp_path / "kept.parquet", read_dictionary=["place"])
    assert file.read()["place"].to_pylist() == places
    assert file.read_row_group(0)["place"].chunk(0).dictionary.to_pylist() == ["x", "y"], "whatever was read first"
