"""Tables and columns of other packages: in as Arrow streams, out as the type they came in.

Nothing is imported here before a table of that package is given. What other packages say of a value that they cannot
convert is not repeated: it would show the value.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fugu import _core
from fugu._errors import DataError, Error, UsageError
from fugu._kept import in_one_chunk, taken, unprotected_part, written_anew

_ASK_IT = "run it by itself: its package says what is wrong"
_PYARROW = "pip install pyarrow, or give a table that has __arrow_c_stream__"


def _package(data: object) -> str:
    return type(data).__module__.partition(".")[0].lstrip("_")


def pyarrow_for(what: str) -> Any:
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError(f"{what} is read through pyarrow, which is not installed", _PYARROW) from None
    return pyarrow


class Released(NamedTuple):
    """A released column."""

    column: _core.Column
    #: The plan's categories in their order; none where it releases numbers.
    labels: Sequence[str] = ()


class Carried(NamedTuple):
    """The names of the columns that go along with the released ones."""

    covered: Sequence[str] = ()  #: by the promise: what their texts tell, and nothing else, may be seen
    unprotected: Sequence[str] = ()
    na: Sequence[str] = ()  #: texts of the covered ones that mean missing
    hidden: Any = None  #: of which rows the covered ones are nulls; None: of none


def warn_of_unprotected(names: Sequence[str], depth: int, person: str = "") -> None:
    """Tells whoever released these columns as they are what that means; the call is so many functions up."""
    if names:
        warnings.warn(_core.unprotected_warning(list(names), person), UserWarning, stacklevel=depth + 1)


def warn_of_range(plan: Any, least: int, depth: int) -> None:
    """Tells the owner where the scale of a plan's noise tells how far the column reaches; the call is so many functions up."""
    if warning := plan.range_warning(least):
        warnings.warn(warning, UserWarning, stacklevel=depth + 1)


class Frame:
    """A table or a column, and how to make one of its kind again."""

    def __init__(self, data: object) -> None:
        self.data: Any = data

    #: Whether it is one column without a table.
    is_column = False
    #: The column that says how often a row comes; None where each row comes once.
    times: str | None = None
    #: What is to know its rows when they have been counted.
    remembered: _core.Remembered | None = None

    def columns(self) -> list[str]:
        raise NotImplementedError

    def stream(self, columns: Sequence[str] | None) -> object:
        """A capsule of these columns, all where None. A column by itself is called by the first of these names."""
        raise NotImplementedError

    def fixed(self, columns: Sequence[str]) -> Frame:
        """The same rows whenever they are read."""
        return self

    def counted(self, columns: Sequence[str]) -> Counted | None:
        """The distinct rows of these columns, where the package counts better than the core could."""
        return None

    def repeats(self, column: str) -> tuple[int, int]:
        """How many values a column has, and in how many rows; only of a frame that counts."""
        raise NotImplementedError

    def column_out(self, released: Released) -> Any:
        raise NotImplementedError

    def table_out(self, released: Mapping[str, Released], carried: Carried, stays: Any) -> Any:
        """The released columns and those carried along, in the table's order; `stays` says of which rows, None: of all."""
        raise NotImplementedError

    def reordered(self, table: Any, order: bytes) -> Any:
        """A table of this kind, its rows in that order."""
        raise NotImplementedError

    def _order(self, released: Mapping[str, Released], carried: Carried) -> list[str]:
        wanted = {*released, *carried.covered, *carried.unprotected}
        for name in carried.unprotected:
            if name not in self.columns():
                raise UsageError(f"--keep-unprotected: there is no column '{name}'", "name a column of the table")
        return [name for name in self.columns() if name in wanted]


def watched(columns: Iterable[str], used: Iterable[str]) -> list[str]:
    """Columns whose names say that they may hold people's numbers, less those that are used."""
    mine = set(used)
    return [name for name in columns if name not in mine and _core.may_name_people(name)]


def stream_of(frame: Frame, columns: Sequence[str], besides: Sequence[str]) -> object:
    """A capsule of these columns, and of others that are only looked at: without them where they cannot be read."""
    if besides:
        try:
            return frame.stream([*columns, *besides])
        except Error:
            pass
    return frame.stream(columns)


def check_people(repeats: Any, names: Iterable[str]) -> None:
    """Refuses columns that look like people's numbers that come again: `repeats` says how many values are in how many rows."""
    for name in names:
        _core.check_people(name, *repeats(name))


def quiet(convert: Any, what: str, hint: str = "give the column one type: numbers or texts") -> Any:
    """Runs work of another package, whose own message may show a value: where it fails, only its kind is told."""
    try:
        return convert()
    except (Error, KeyboardInterrupt, MemoryError):
        raise
    except Exception as failure:
        kind = type(failure).__name__
    raise DataError(f"{what}: it cannot be read ({kind})", hint)


def along(name: str, part: Callable[..., Any], *column: Any) -> Any:
    """What a package makes of a column that goes along unprotected."""
    return quiet(lambda: part(*column), f"--keep-unprotected: column '{name}'", "make numbers or texts of it")


def column_stream(column: Any, columns: Sequence[str] | None) -> object:
    """A column of pyarrow as a table of that one, so that it has a name, and a structure is no table."""
    return pyarrow_for("the column").table([column], names=[columns[0] if columns else "column"]).__arrow_c_stream__()


def check_names(frame: Frame, names: Iterable[str], na: Sequence[str], there: Sequence[str]) -> None:
    """Refuses columns whose name is one of their own texts: the core says so where it counts, and here where it does not.

    `there` are the columns of the whole table, by whose places messages call them.
    """
    for name in names:
        if there.count(name) != 1:
            continue  # which others refuse, in their own words
        try:
            stream = frame.stream([name])
        except DataError:
            continue  # objects that are no texts
        _core.check_names(stream, list(na), [there.index(name) + 1])


class ArrowFrame(Frame):
    """A pyarrow table, record batch or reader."""

    def __init__(self, data: object) -> None:
        super().__init__(data)
        self._pa = pyarrow_for("the table")
        if isinstance(data, self._pa.RecordBatchReader):
            self.data = quiet(data.read_all, "the table", _ASK_IT)

    def columns(self) -> list[str]:
        return [str(name) for name in self.data.schema.names]

    def stream(self, columns: Sequence[str] | None) -> object:
        table = self.data if columns is None else self.data.select(known(columns, self.columns()))
        if len(set(table.schema.names)) != len(table.schema.names):
            raise UsageError("the table has several columns of one name", "give each column its own name")
        if isinstance(table, self._pa.RecordBatch):
            table = self._pa.Table.from_batches([table])
        return table.__arrow_c_stream__()

    def table_out(self, released: Mapping[str, Released], carried: Carried, stays: Any) -> Any:
        pa = self._pa
        source = self.data if isinstance(self.data, pa.Table) else pa.Table.from_batches([self.data])
        columns = {}
        for name in self._order(released, carried):
            column = source.column(name)
            if name in released:
                columns[name] = cast_texts(pa.chunked_array(released[name].column), column.type)
            elif name in carried.covered:
                columns[name] = written_anew(column, stays, carried.na, carried.hidden)
            else:
                columns[name] = along(name, unprotected_part, column, stays)
        table = pa.table(columns).combine_chunks()
        if isinstance(self.data, pa.RecordBatch):
            batches = table.to_batches()
            return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)
        return table

    def reordered(self, table: Any, order: bytes) -> Any:
        pa = self._pa
        places = pa.Array.from_buffers(pa.int64(), table.num_rows, [None, pa.py_buffer(order)])
        columns = [taken(pa.chunked_array([c]) if isinstance(c, pa.Array) else c, places) for c in table.columns]
        again = pa.table(columns, names=table.schema.names).combine_chunks()
        if isinstance(table, pa.RecordBatch):
            batches = again.to_batches()
            return batches[0] if batches else table
        return again


def cast_texts(released: Any, wanted: Any) -> Any:
    """The type that the column came in, where only the layout of its texts differs."""
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if released.type != wanted and any(t(released.type) for t in texts) and any(t(wanted) for t in texts):
        return released.cast(wanted)
    return released


def known(columns: Sequence[str], there: Sequence[str]) -> list[str]:
    for name in columns:
        if there.count(name) > 1:
            raise UsageError(f"the table has several columns '{name}'", "give each column its own name")
        if name not in there:
            listed = ", ".join(repr(other) for other in there[:12])
            raise UsageError(f"the table has no column '{name}'", f"its columns are {listed}")
    return list(columns)


class ArrowColumn(Frame):
    """A pyarrow array or chunked array."""

    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        pa = pyarrow_for("the column")
        return column_stream(self.data if isinstance(self.data, pa.ChunkedArray) else pa.chunked_array([self.data]), columns)

    def column_out(self, released: Released) -> Any:
        pa = pyarrow_for("the column")
        column = in_one_chunk(cast_texts(pa.chunked_array(released.column), self.data.type))
        if isinstance(self.data, pa.ChunkedArray):
            return column
        return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


class OtherFrame(Frame):
    """Anything that gives its columns by Arrow's protocol; what is released is a pyarrow table."""

    def fixed(self, columns: Sequence[str]) -> Frame:
        return ArrowFrame(quiet(lambda: pyarrow_for("the table").table(self.data), "the table", _ASK_IT))

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.__arrow_c_stream__()


class ListColumn(Frame):
    """A list, a tuple or a NumPy array."""

    is_column = True

    def __init__(self, data: object) -> None:
        super().__init__(data)
        pa = pyarrow_for("a list")
        self._array = quiet(lambda: pa.array(data), "the column")

    def stream(self, columns: Sequence[str] | None) -> object:
        return ArrowColumn(self._array).stream(columns)

    def column_out(self, released: Released) -> Any:
        column = pyarrow_for("a list").chunked_array(released.column)
        if _package(self.data) != "numpy":
            return type(self.data)(column.to_pylist())
        values = column.to_numpy()
        if self.data.dtype.kind == "U" and released.labels:
            return values.astype(f"<U{max(map(len, released.labels))}")
        return values


class Counted(ArrowFrame):
    """Distinct rows, and a column of how often each comes: what a GROUP BY gives."""

    def __init__(self, data: object, times: str) -> None:
        super().__init__(data)
        self.times = times

    def columns(self) -> list[str]:
        return [name for name in super().columns() if name != self.times]

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.__arrow_c_stream__()


def frame_of(data: object) -> Frame:
    """The table or column as a frame. Raises UsageError for what is neither."""
    if isinstance(data, Frame):
        return data
    package, name = _package(data), type(data).__name__
    if package == "pandas" and name in ("Series", "DataFrame"):
        from fugu._pandas import PandasColumn, PandasFrame

        return PandasColumn(data) if name == "Series" else PandasFrame(data)
    if package == "polars":
        from fugu._polars import PolarsColumn, PolarsFrame

        return PolarsColumn(data) if name == "Series" else PolarsFrame(data)
    if package == "pyarrow":
        pa = sys.modules["pyarrow"]
        return ArrowColumn(data) if isinstance(data, (pa.Array, pa.ChunkedArray)) else ArrowFrame(data)
    if name == "DuckDBPyRelation":
        from fugu._duckdb import DuckFrame

        return DuckFrame(data)
    if isinstance(data, (list, tuple)) or name == "ndarray":
        return ListColumn(data)
    if isinstance(data, Mapping):
        pa = pyarrow_for("a dictionary of columns")
        return ArrowFrame(quiet(lambda: pa.table(dict(data)), "the table"))
    if hasattr(data, "__arrow_c_stream__"):
        return OtherFrame(data)
    raise UsageError(f"a {name} is no table that can be read", "give a pandas, polars, pyarrow or DuckDB table")


def staying_rows(left_out: bytes | None) -> Any:
    """Which rows are released: an array of NumPy where it is there, which the others take at once."""
    if left_out is None:
        return None
    try:
        import numpy as np
    except ImportError:
        return [flag == 0 for flag in left_out]
    return np.frombuffer(left_out, dtype=np.uint8) == 0


def hidden_rows(hidden: bytes | None) -> Any:
    """The same of the rows that are released without what is known of them."""
    shown = staying_rows(hidden)
    return [not row for row in shown] if isinstance(shown, list) else None if shown is None else ~shown


def places_of(order: bytes) -> Any:
    """Numbers of 8 bytes, as NumPy's where it is there."""
    try:
        import numpy as np
    except ImportError:
        return list(memoryview(order).cast("q"))
    return np.frombuffer(order, dtype=np.int64)


def names_of(value: str | Iterable[str] | None) -> list[str]:
    """Column names as texts, whatever they were: pandas calls columns by numbers too."""
    if value is None:
        return []
    several = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    return [str(name) for name in (value if several else [value])]
