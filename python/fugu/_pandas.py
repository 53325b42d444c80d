"""Tables and columns of pandas.

What is released has a new index of its own: the table's may hold the secret, or the very values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fugu import _core
from fugu._errors import DataError
from fugu._frames import Frame, cast_texts, column_stream, known, pyarrow_for, quiet


class PandasFrame(Frame):
    def columns(self) -> list[str]:
        return [str(name) for name in self.data.columns]

    def _series(self, name: str) -> Any:
        return self.data.iloc[:, self.columns().index(name)]

    def stream(self, columns: Sequence[str] | None) -> object:
        pa = pyarrow_for("a pandas table")
        wanted = known(self.columns() if columns is None else columns, self.columns())
        arrays = [_series_to_arrow(pa, self._series(name), f"column '{name}'") for name in wanted]
        return pa.table(arrays, names=wanted).__arrow_c_stream__()

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        import pandas as pd

        order = self._order(released, carried)
        columns = []
        for name in order:
            series = self._series(name)
            if name in released:
                columns.append(_series_from_arrow(series, released[name]))
            else:
                columns.append((series if kept is None else series[kept]).reset_index(drop=True))
        table = pd.concat(columns, axis=1, ignore_index=True)
        table.columns = pd.Index([series.name for series in columns], tupleize_cols=False)
        table.attrs.clear()
        return table


def _series_to_arrow(pa: Any, series: Any, what: str) -> Any:
    if series.dtype == object:
        kinds = {type(value) for value in series.iloc[:1000].dropna()}
        if len(kinds) > 1:
            raise DataError(f"{what}: it mixes values of several Python types", "give the column one type: numbers or texts")
        texts = quiet(lambda: _distinct_texts(pa, series), what) if kinds == {str} else None
        if texts is not None:
            return texts
    if _is_arrow_backed(series):
        return quiet(lambda: _chunks(pa, series), what)
    return quiet(lambda: pa.chunked_array([pa.Array.from_pandas(series)]), what)


def _distinct_texts(pa: Any, series: Any) -> Any:
    """Python's own strings, each distinct one converted once; None where one is no string."""
    places, distinct = series.factorize()
    if any(type(value) is not str for value in distinct):
        return None
    indices = pa.array(places, pa.int32(), mask=places < 0)
    return pa.chunked_array([pa.DictionaryArray.from_arrays(indices, pa.array(distinct, pa.string()))])


def _is_arrow_backed(series: Any) -> bool:
    return hasattr(series.array, "__arrow_array__") and hasattr(series.array, "_pa_array")


def _chunks(pa: Any, series: Any) -> Any:
    array = pa.array(series.array, from_pandas=True)
    return array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])


def _series_from_arrow(like: Any, released: _core.Column) -> Any:
    import pandas as pd

    pa = pyarrow_for("a pandas column")
    column = pa.chunked_array(released)
    dtype = like.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return pd.Series(pd.arrays.ArrowExtensionArray(cast_texts(column, dtype.pyarrow_dtype)), name=like.name)
    if isinstance(dtype, pd.CategoricalDtype) or (dtype == object and pa.types.is_dictionary(column.type)):
        series = column.to_pandas()
        series.name = like.name
        return series.astype(object) if dtype == object else series
    series = pd.Series(column.to_pandas().array, name=like.name)
    before = _series_to_arrow(pa, like.iloc[:1], "the column").type
    same = before == column.type or (_is_text(pa, before) and _is_text(pa, column.type))
    return series.astype(dtype) if same and series.dtype != dtype else series


def _is_text(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


class PandasColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return column_stream(_series_to_arrow(pyarrow_for("a pandas column"), self.data, "the column"), columns)

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        return _series_from_arrow(self.data, released)
