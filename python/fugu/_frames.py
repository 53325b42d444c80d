"""Tables and columns of other packages: in as Arrow streams, out as the type they came in.

Nothing is imported here before a table of that package is given. What other packages say of a value that they cannot
convert is not repeated: it would show the value.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fugu import _core
from fugu._errors import DataError, UsageError

_PYARROW = "pip install pyarrow, or give a table that has __arrow_c_stream__"


def _package(data: object) -> str:
    return type(data).__module__.partition(".")[0].lstrip("_")


def _pyarrow(what: str) -> Any:
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError(f"{what} is read through pyarrow, which is not installed", _PYARROW) from None
    return pyarrow


class Frame:
    """A table or a column, and how to make one of its kind again."""

    def __init__(self, data: object) -> None:
        self.data: Any = data

    #: Whether it is one column without a table.
    is_column = False
    #: The column that says how often a row comes; None where each row comes once.
    times: str | None = None

    def columns(self) -> list[str]:
        raise NotImplementedError

    def stream(self, columns: Sequence[str] | None) -> object:
        """A capsule of these columns, all where None; a column has no others."""
        raise NotImplementedError

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        """The released column; `kept` says which rows it has."""
        raise NotImplementedError

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        """The released columns and those carried along, in the table's order."""
        raise NotImplementedError

    def _order(self, released: Mapping[str, _core.Column], carried: Sequence[str]) -> list[str]:
        wanted = {*released, *carried}
        for name in carried:
            if name not in self.columns():
                raise UsageError(f"--keep-unprotected: there is no column '{name}'", "name a column of the table")
        return [name for name in self.columns() if name in wanted]


def _quiet(convert: Any, what: str) -> Any:
    """Runs a conversion of another package, and names the column alone where it fails."""
    try:
        return convert()
    except (UsageError, DataError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as failure:
        kind = type(failure).__name__
    raise DataError(f"{what}: its values cannot be read as one type ({kind})", "give the column one type: numbers or texts")


class ArrowFrame(Frame):
    """A pyarrow table, record batch or reader."""

    def __init__(self, data: object) -> None:
        super().__init__(data)
        self._pa = _pyarrow("the table")
        if isinstance(data, self._pa.RecordBatchReader):
            self.data = data.read_all()

    def columns(self) -> list[str]:
        return [str(name) for name in self.data.schema.names]

    def stream(self, columns: Sequence[str] | None) -> object:
        table = self.data if columns is None else self.data.select(_known(columns, self.columns()))
        if isinstance(table, self._pa.RecordBatch):
            table = self._pa.Table.from_batches([table])
        return table.__arrow_c_stream__()

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        pa, order = self._pa, self._order(released, carried)
        source = self.data if isinstance(self.data, pa.Table) else pa.Table.from_batches([self.data])
        rest = source.select([name for name in order if name not in released])
        if kept is not None:
            rest = rest.filter(pa.array(kept))
        columns = {name: _cast(pa.chunked_array(column), source.schema.field(name).type) for name, column in released.items()}
        table = pa.table({name: columns[name] if name in columns else rest.column(name) for name in order})
        if isinstance(self.data, pa.RecordBatch):
            batches = table.combine_chunks().to_batches()
            return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)
        return table


def _cast(released: Any, wanted: Any) -> Any:
    """The type that the column came in, where only the layout of its texts differs."""
    import pyarrow as pa

    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    if released.type != wanted and any(t(released.type) for t in texts) and any(t(wanted) for t in texts):
        return released.cast(wanted)
    return released


def _known(columns: Sequence[str], there: Sequence[str]) -> list[str]:
    for name in columns:
        if name not in there:
            listed = ", ".join(repr(other) for other in there[:12])
            raise UsageError(f"the table has no column '{name}'", f"its columns are {listed}")
    return list(columns)


class ArrowColumn(Frame):
    """A pyarrow array or chunked array."""

    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        pa = _pyarrow("the column")
        column = self.data if isinstance(self.data, pa.ChunkedArray) else pa.chunked_array([self.data])
        return column.__arrow_c_stream__()

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        pa = _pyarrow("the column")
        column = _cast(pa.chunked_array(released), self.data.type)
        if isinstance(self.data, pa.ChunkedArray):
            return column
        return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


class PandasFrame(Frame):
    def columns(self) -> list[str]:
        return [str(name) for name in self.data.columns]

    def _named(self) -> Any:
        names = self.columns()
        if names == list(self.data.columns):
            return self.data
        return self.data.set_axis(names, axis=1)

    def stream(self, columns: Sequence[str] | None) -> object:
        pa = _pyarrow("a pandas table")
        named = self._named()
        arrays = []
        wanted = _known(columns, self.columns()) if columns is not None else self.columns()
        for name in wanted:
            series = named[name]
            if series.ndim != 1:
                raise UsageError(f"the table has several columns '{name}'", "give each column its own name")
            arrays.append(_series_to_arrow(pa, series, f"column '{name}'"))
        return pa.table(arrays, names=wanted).__arrow_c_stream__()

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        named, order = self._named(), self._order(released, carried)
        part = named[order] if kept is None else named.loc[kept, order]
        columns = {name: _series_from_arrow(named[name], column, part.index) for name, column in released.items()}
        return part.assign(**columns)


def _series_to_arrow(pa: Any, series: Any, what: str) -> Any:
    if series.dtype == object:
        kinds = {type(value) for value in series.iloc[:1000].dropna()}
        if len(kinds) > 1:
            raise DataError(f"{what}: it mixes values of several Python types", "give the column one type: numbers or texts")
        texts = _quiet(lambda: _distinct_texts(pa, series), what) if kinds == {str} else None
        if texts is not None:
            return texts
    return _quiet(lambda: pa.chunked_array([pa.Array.from_pandas(series)])
                  if not _is_arrow_backed(series) else _quiet_chunks(pa, series), what)


def _distinct_texts(pa: Any, series: Any) -> Any:
    """Python's own strings, each distinct one converted once; None where one is no string."""
    places, distinct = series.factorize()
    if any(type(value) is not str for value in distinct):
        return None
    indices = pa.array(places, pa.int32(), mask=places < 0)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, pa.array(distinct, pa.string()))])


def _is_arrow_backed(series: Any) -> bool:
    return hasattr(series.array, "__arrow_array__") and hasattr(series.array, "_pa_array")


def _quiet_chunks(pa: Any, series: Any) -> Any:
    array = pa.array(series.array, from_pandas=True)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _series_from_arrow(like: Any, released: _core.Column, index: Any) -> Any:
    import pandas as pd
    import pyarrow as pa

    column = pa.chunked_array(released)
    dtype = like.dtype
    if isinstance(dtype, pd.ArrowDtype):
        cast = _cast(column, dtype.pyarrow_dtype)
        return pd.Series(pd.arrays.ArrowExtensionArray(cast), index=index, name=like.name)
    if isinstance(dtype, pd.CategoricalDtype) or (dtype == object and pa.types.is_dictionary(column.type)):
        series = column.to_pandas()
        series.index, series.name = index, like.name
        return series.astype(object) if dtype == object else series
    series = pd.Series(column.to_pandas().array, index=index, name=like.name)
    before = _series_to_arrow(pa, like.iloc[:1], "the column").type
    same = before == column.type or (_is_text(pa, before) and _is_text(pa, column.type))
    return series.astype(dtype) if same and series.dtype != dtype else series


def _is_text(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


class PandasColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return _series_to_arrow(_pyarrow("a pandas column"), self.data, "the column").__arrow_c_stream__()

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        index = self.data.index if kept is None else self.data.index[kept]
        return _series_from_arrow(self.data, released, index)


class PolarsFrame(Frame):
    def __init__(self, data: object) -> None:
        super().__init__(data)
        if type(data).__name__ == "LazyFrame":
            self.data = self.data.collect()

    def columns(self) -> list[str]:
        return list(self.data.columns)

    def stream(self, columns: Sequence[str] | None) -> object:
        table = self.data if columns is None else self.data.select(_known(columns, self.columns()))
        return table.__arrow_c_stream__()

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        import polars as pl

        order = self._order(released, carried)
        rest = self.data.select([name for name in order if name not in released])
        if kept is not None:
            rest = rest.filter(pl.Series(kept, dtype=pl.Boolean))
        columns = [_polars_series(self.data[name], column) for name, column in released.items()]
        return pl.DataFrame([*columns, *rest.get_columns()]).select(order)


def _polars_series(like: Any, released: _core.Column) -> Any:
    import polars as pl

    series = pl.Series(like.name, released)
    return series if series.dtype == like.dtype or isinstance(like.dtype, pl.Enum) else _polars_cast(series, like)


def _polars_cast(series: Any, like: Any) -> Any:
    import polars as pl

    categories = (pl.Categorical, pl.String)
    return series.cast(like.dtype) if series.dtype in categories and like.dtype in categories else series


class PolarsColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.__arrow_c_stream__()

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        return _polars_series(self.data, released)


class DuckFrame(Frame):
    """A DuckDB relation; what is released is a relation over the released rows, on the default connection."""

    def __init__(self, data: object) -> None:
        super().__init__(data)
        self._whole: Any = None

    def columns(self) -> list[str]:
        return [str(name) for name in self.data.columns]

    def _select(self, columns: Sequence[str]) -> Any:
        return self.data.project(", ".join(map(_quoted, columns)))

    def stream(self, columns: Sequence[str] | None) -> object:
        wanted = self.columns() if columns is None else _known(columns, self.columns())
        return self._select(wanted).__arrow_c_stream__()

    def fixed(self, columns: Sequence[str]) -> ArrowFrame:
        """Its rows read once: a relation is a query, and may give others the next time."""
        _pyarrow("a DuckDB relation")
        there = self.columns()
        wanted = [name for name in there if name in columns] or there
        return ArrowFrame(self._select(wanted).to_arrow_table())

    def counted(self, columns: Sequence[str]) -> Counted:
        """Its distinct rows and how often each comes, counted by DuckDB."""
        _pyarrow("a DuckDB relation")
        times = "times"
        while times in columns:
            times += "_"
        kinds = dict(zip(self.columns(), map(str, self.data.types)))
        # A collation would make one text of several.
        exact = {name: _quoted(name) + (" COLLATE C" if kinds[name] == "VARCHAR" else "") for name in _known(columns, self.columns())}
        shown = ", ".join(f"{expression} AS {_quoted(name)}" for name, expression in exact.items())
        groups = self.data.aggregate(f"{shown}, count(*) AS {_quoted(times)}", ", ".join(exact.values()))
        return Counted(groups.to_arrow_table(), times)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class OtherFrame(Frame):
    """Anything that gives its columns by Arrow's protocol; what is released is a pyarrow table."""

    def fixed(self) -> ArrowFrame:
        return ArrowFrame(_pyarrow("the table").table(self.data))

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.__arrow_c_stream__()


class ListColumn(Frame):
    """A list, a tuple or a NumPy array."""

    is_column = True

    def __init__(self, data: object) -> None:
        super().__init__(data)
        pa = _pyarrow("a list")
        self._array = _quiet(lambda: pa.array(data), "the column")

    def stream(self, columns: Sequence[str] | None) -> object:
        return ArrowColumn(self._array).stream(None)

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        column = _pyarrow("a list").chunked_array(released)
        if _package(self.data) != "numpy":
            return type(self.data)(column.to_pylist())
        values = column.to_numpy()
        return values.astype(self.data.dtype) if self.data.dtype.kind in "UO" else values


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
    if package == "pandas":
        return PandasColumn(data) if name == "Series" else PandasFrame(data)
    if package == "polars":
        return PolarsColumn(data) if name == "Series" else PolarsFrame(data)
    if package == "pyarrow":
        pa = sys.modules["pyarrow"]
        return ArrowColumn(data) if isinstance(data, (pa.Array, pa.ChunkedArray)) else ArrowFrame(data)
    if name == "DuckDBPyRelation":
        return DuckFrame(data)
    if isinstance(data, (list, tuple)) or name == "ndarray":
        return ListColumn(data)
    if isinstance(data, Mapping):
        pa = _pyarrow("a dictionary of columns")
        return ArrowFrame(_quiet(lambda: pa.table(dict(data)), "the table"))
    if hasattr(data, "__arrow_c_stream__"):
        return OtherFrame(data)
    raise UsageError(f"a {name} is no table that can be read", "give a pandas, polars, pyarrow or DuckDB table, or the path of a CSV file")


def kept_rows(left_out: bytes | None) -> Any:
    """Which rows are released: an array of NumPy where it is there, which the others take at once."""
    if left_out is None:
        return None
    try:
        import numpy as np
    except ImportError:
        return [flag == 0 for flag in left_out]
    return np.frombuffer(left_out, dtype=np.uint8) == 0


def names_of(value: str | Iterable[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)
