"""Columns of keep_unprotected, and texts in random order: the values that the rows show, and nothing that lies in their buffers."""

import io
import pickle
import re

import fugu
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.filterwarnings("ignore:--keep-unprotected")
MARKER = "SEKRIT, what somebody once told"
NUMBER = int.from_bytes(b"SEKRIT-8", "little")
UNPROTECTED = ["note", "amount"]


def told(marked, rows=120, **others):
    """A table whose rows at these places have what must not be seen."""
    notes = [MARKER if row in marked else f"note {row} of somebody else" for row in range(rows)]
    numbers = pa.array([NUMBER if row in marked else row for row in range(rows)], pa.int64())
    return pa.table({"race": (["A", "B", "B", "A"] * rows)[:rows], "hours": ([20, 40, 20, 40, 40, 20] * rows)[:rows],
                     **others, "note": notes, "amount": numbers})


def with_notes(table, notes):
    return table.set_column(table.schema.get_field_index("note"), "note", notes)


def pandas_of(table):
    return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def polars_of(note):
    return lambda table: pl.from_arrow(table).with_columns(note=note)


FRAMES = {
    "string": lambda table: table,
    "string_view": lambda table: with_notes(table, table["note"].cast(pa.string_view())),
    "dictionary": lambda table: with_notes(table, table["note"].combine_chunks().dictionary_encode()),
    "binary": lambda table: with_notes(table, table["note"].cast(pa.binary())),
    "binary_view": lambda table: with_notes(table, table["note"].cast(pa.binary()).cast(pa.binary_view())),
    "list": lambda table: with_notes(table, pa.array([[note] for note in table["note"].to_pylist()])),
    "polars": pl.from_arrow,
    "polars, categories": polars_of(pl.col("note").cast(pl.Categorical)),
    "polars, binary": polars_of(pl.col("note").cast(pl.Binary)),
    "polars, nested": polars_of(pl.struct("note", listed=pl.concat_list("note"))),
    "pandas": pandas_of,
    "pandas, categories": lambda table: pandas_of(table).astype({"note": "category"}),
    "pandas, objects": lambda table: pandas_of(table).astype({"note": object}),
    "pandas of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas of views": lambda table: pandas_of(table).astype({"note": pd.ArrowDtype(pa.string_view())}),
}


def written_down(released):
    """The bytes of a table in every way in which it is soon passed on."""
    yield pickle.dumps(released)
    table = pa.Table.from_pandas(released) if isinstance(released, pd.DataFrame) else pa.table(released)
    yield pickle.dumps(table)
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    yield file.getvalue()
    if isinstance(released, pl.DataFrame):
        file = io.BytesIO()
        released.write_ipc(file, compression="uncompressed")
        yield file.getvalue()


def tells(table):
    return any(b"SEKRIT" in data for data in written_down(table))


def values(released, name):
    column = released[name]
    return column.to_pylist() if isinstance(released, pa.Table) else column.to_list()


def plan_of(table, **question):
    return fugu.calibrate(fugu.Scenario.from_table(table, **{"secret": "race", "public": "hours", **question}), epsilon=1)


@pytest.mark.parametrize("frame", FRAMES)
def test_rows_that_were_cut_off_do_not_come_along(frame):
    table = FRAMES[frame](told({120, 121, 122}, 123))
    assert tells(table), "there is something to hide"
    table = table.iloc[:120] if isinstance(table, pd.DataFrame) else table.slice(0, 120)
    released = plan_of(table).release(table, keep_unprotected=UNPROTECTED)
    assert values(released, "amount") == list(range(120)) and values(released, "note") == values(table, "note")
    assert not tells(released)


@pytest.mark.parametrize("frame", FRAMES)
def test_a_group_that_is_left_out_does_not_come_along(frame):
    places = ["north" if row < 117 else "tiny" for row in range(120)]
    table = FRAMES[frame](told({117, 118, 119}, place=pa.array(places)))
    released = plan_of(table, known="place").release(table, keep_unprotected=UNPROTECTED)
    assert len(released) == 117 and not tells(released)


@pytest.mark.parametrize("frame", FRAMES)
def test_a_row_of_a_person_that_was_not_drawn_does_not_come_along(frame):
    table = FRAMES[frame](told((), 240, person=pa.array(np.arange(240) // 2)))
    released = plan_of(table, person="person").release(table, keep_unprotected=UNPROTECTED)
    drawn = set(values(released, "amount"))
    assert len(drawn) == 120
    for data in written_down(released):
        assert {int(number) for number in re.findall(rb"note (\d+) of somebody", data)} == drawn


def null_above(array):
    """A null at row 7, and the value still below it."""
    bits = np.packbits(np.arange(len(array)) != 7, bitorder="little").tobytes()
    return pa.Array.from_buffers(array.type, len(array), [pa.py_buffer(bits), *array.buffers()[1:]])


@pytest.mark.parametrize("frame", ["string", "polars", "pandas", "pandas of Arrow"])
def test_what_lies_below_a_null_does_not_come_along(frame):
    table = told({7})
    for name in UNPROTECTED:
        table = table.set_column(table.schema.get_field_index(name), name, null_above(table[name].chunk(0)))
    table = FRAMES[frame](table)
    if frame == "pandas":
        table["amount"] = pd.arrays.IntegerArray(np.where(np.arange(120) == 7, NUMBER, 0), np.arange(120) == 7)
    assert tells(table), "there is something to hide"
    released = plan_of(table).release(table, keep_unprotected=UNPROTECTED)
    assert [value is None or value is pd.NA for value in values(released, "amount")] == [row == 7 for row in range(120)]
    assert not tells(released)


# ---- the order of the table


@pytest.mark.parametrize("frame", FRAMES)
def test_texts_lie_in_the_released_order(frame):
    """Whole rows come in random order, and the bytes of a text must not stay where they were."""
    table = FRAMES[frame](told((), place=pa.array(["a place of its own", "another such place"] * 60)))
    released = plan_of(table, public=["hours", "place"]).release(table, keep_unprotected=UNPROTECTED)
    rows = list(map(str, values(released, "amount")))
    assert sorted(rows) == sorted(map(str, range(120))) and rows != list(map(str, range(120)))
    lists_texts = frame == "dictionary" or "categories" in frame
    for data in written_down(released):
        places = [data.find(b"note %b of" % row.encode()) for row in (sorted(rows) if lists_texts else rows)]
        assert places == sorted(places) and -1 not in places
        met = re.findall(b"a place of its own|another such place", data)
        assert [text.decode() for text in met[:120]] == values(released, "place") or len(met) < 120, "a dictionary lists them once"


def shared(column):
    """Of a column of Python objects the sets of rows that share one, as a pickle of it has them."""
    column = pickle.loads(pickle.dumps(column))
    rows = {}
    for row, value in enumerate(column):
        rows.setdefault(id(value), set()).add(row)
    return {frozenset(found) for found in rows.values()}


@pytest.mark.parametrize("kind", [str, lambda text: [text], lambda text: (text, text)], ids=["texts", "lists", "tuples"])
def test_objects_do_not_say_which_rows_were_read_together(kind):
    """Tables of each secret, put together and sorted: the rows of each had objects of their own."""
    parts = []
    for race, hours in (("A", [20, 20, 40]), ("B", [20, 40, 40])):
        said = [kind("".join(["a note ", str(number)])) for number in range(3)]
        parts.append(pd.DataFrame({"race": race, "hours": hours * 40, "note": pd.Series([said[row // 40] for row in range(120)], dtype=object)}))
    table = pd.concat(parts).sort_values("hours", kind="stable", ignore_index=True)
    before = shared(table["note"])
    assert all(len(set(table["race"].iloc[list(rows)])) == 1 for rows in before), "there is something to hide"
    released = plan_of(table).release(table, keep_unprotected="note", keep_order=True)["note"]
    assert list(released) == list(table["note"])
    of_values = {frozenset(np.flatnonzero([value == one for value in released])) for one in map(kind, ["a note 0", "a note 1", "a note 2"])}
    assert shared(released) in (of_values, {frozenset([row]) for row in range(len(released))})


TEXTS = ["zebra", "ant", "mole", "bee"]


def met(kind=None):
    """A table whose texts are met in another order than theirs, and none of them in the last row."""
    notes = [*TEXTS * 30, None]
    return told((), 121).set_column(2, "note", pa.array(notes, kind).dictionary_encode())


def listed(column):
    if isinstance(column, pd.Series):
        return list(column.cat.categories) if hasattr(column, "cat") else pa.chunked_array([pa.array(column.array)]).chunk(0).dictionary.to_pylist()
    return column.chunk(0).dictionary.to_pylist()


def test_a_dictionary_is_in_the_order_of_its_texts(tmp_path, monkeypatch):
    table = met()
    plan = plan_of(table)
    assert listed(table["note"]) == TEXTS
    for kind in (table, table.to_pandas(), table.to_pandas(types_mapper=pd.ArrowDtype)):
        assert listed(plan.release(kind, keep_unprotected="note")["note"]) == sorted(TEXTS)
    pq.write_table(table, tmp_path / "in.parquet")
    monkeypatch.setattr("fugu.files.ROWS", 7)
    monkeypatch.setattr("fugu._row_groups.ROWS", 7)
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, keep_unprotected="note")
    written = pq.ParquetFile(tmp_path / "out.parquet", read_dictionary=["note"])
    assert written.num_row_groups == 18 and written.read()["note"].to_pylist() == table["note"].to_pylist()
    assert all(listed(written.read_row_group(group)["note"]) == sorted(TEXTS) for group in range(17))


def test_an_order_of_the_owner_stays():
    for table in (met(), met().to_pandas()):
        if isinstance(table, pd.DataFrame):
            table["note"] = pd.Categorical(table["note"], categories=["unused", *TEXTS], ordered=True)
        else:
            chunk = table["note"].chunk(0)
            table = table.set_column(2, "note", pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary, ordered=True))
        assert listed(plan_of(table).release(table, keep_unprotected="note")["note"]) == TEXTS
    table = pl.from_arrow(met()).with_columns(pl.col("note").cast(pl.Enum(["unused", *TEXTS])))
    assert plan_of(table).release(table, keep_unprotected="note")["note"].dtype == pl.Enum(TEXTS)


def test_categories_of_several_types_are_listed_by_their_texts():
    table = met().to_pandas()
    table["note"] = pd.Categorical([9, "ant", 1.5, "Bee"] * 30 + [None], categories=["Bee", 9, "ant", 1.5])
    assert listed(plan_of(table).release(table, keep_unprotected="note")["note"]) == [1.5, 9, "Bee", "ant"]


def test_codes_of_polars_tell_nothing_of_the_order_in_which_texts_were_met():
    table = pl.from_arrow(met()).with_columns(pl.col("note").cast(pl.Categorical)).head(120)
    alive = table["note"]
    assert alive.to_physical().to_list()[:3] != [3, 0, 2]
    unprotected = plan_of(table).release(table, keep_unprotected="note")["note"]
    assert unprotected.dtype == pl.Enum(sorted(TEXTS)) and unprotected.to_physical().to_list() == [3, 0, 2, 1] * 30
    plan = plan_of(table, public="note", order=["mole", "zebra", "ant", "bee"])
    for released in (plan.release(table)["note"], plan.release(alive), plan.releaser().release(alive)):
        assert released.dtype == pl.Enum(["mole", "zebra", "ant", "bee"])
    numbers = table.with_columns(note=pl.col("hours").cast(pl.String).cast(pl.Categorical))
    noisy = fugu.calibrate(fugu.Scenario.from_table(numbers, secret="race", public="note"), epsilon=1, method="exact")
    assert noisy.release(numbers)["note"].dtype == pl.String


def test_what_cannot_be_written_anew_is_refused():
    """Whatever the type: it is not carried along with the buffers that it came in."""
    half = pa.array([0] * 120, pa.int8())
    union = pa.UnionArray.from_sparse(half, [pa.array([MARKER] * 120)])
    table = with_notes(told(()), union)
    with pytest.raises(fugu.DataError, match="--keep-unprotected: column 'note'") as refused:
        plan_of(table).release(table, keep_unprotected="note")
    assert refused.value.hint == "make numbers or texts of it" and "SEKRIT" not in str(refused.value)
    moments = pl.from_arrow(told(())).with_columns(note=pl.concat_list(pl.lit(1).cast(pl.Datetime("ns"))))
    with pytest.raises(fugu.DataError, match="column 'note': Python has no exact values of its type"):
        plan_of(moments).release(moments, keep_unprotected="note")
