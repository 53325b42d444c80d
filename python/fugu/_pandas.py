"""Tables and columns of pandas.

What is released has a new index of its own: the table's may hold the secret, or the very values.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

from fugu._errors import DataError, UsageError
from fugu._frames import Carried, Frame, Released, along, cast_texts, column_stream, known, places_of, pyarrow_for, quiet
from fugu._kept import in_one_chunk, taken, unprotected_part, written_anew


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

    def table_out(self, released: Mapping[str, Released], carried: Carried, stays: Any) -> Any:
        import pandas as pd

        pa = pyarrow_for("a pandas table")
        columns = []
        for name in self._order(released, carried):
            series = self._series(name)
            if name in released:
                columns.append(_series_from_arrow(series, pa.chunked_array(released[name].column)))
            elif name in carried.covered:
                columns.append(_written_anew(pa, series, stays, carried, f"column '{name}'"))
            else:
                columns.append(along(name, _unprotected_part, pa, series, stays))
        return _table(columns)

    def reordered(self, table: Any, order: bytes) -> Any:
        places = places_of(order)
        return _table([_rows_at(table.iloc[:, k], places) for k in range(table.shape[1])])


def _table(columns: Sequence[Any]) -> Any:
    import pandas as pd

    table = pd.concat(columns, axis=1, ignore_index=True)
    table.columns = pd.Index([series.name for series in columns], tupleize_cols=False)
    table.attrs.clear()
    return table


def _rows_at(series: Any, places: Any) -> Any:
    import pandas as pd

    if not _is_arrow_backed(series):
        return series.iloc[places].reset_index(drop=True)
    pa = pyarrow_for("a pandas table")
    return pd.Series(series.dtype.__from_arrow__(taken(_chunks(pa, series), pa.array(places))), name=series.name)


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


def _written_anew(pa: Any, series: Any, stays: Any, carried: Carried, what: str) -> Any:
    """A covered column, of the values that its Arrow column has: whatever Python object stood for one."""
    _check_representations(series if stays is None else series[stays], what)
    column = quiet(lambda: written_anew(_series_to_arrow(pa, series, what), stays, carried.na, carried.hidden), what)
    return _series_from_arrow(series, column)


def _check_representations(series: Any, what: str) -> None:
    import pandas as pd

    values = series.cat.categories if isinstance(series.dtype, pd.CategoricalDtype) else series
    if values.dtype == object and any(not isinstance(value, str) for value in values.dropna()):
        raise UsageError(
            f"--keep: {what} holds Python objects that are no texts, and one value may have several",
            "give the column a type of NumPy or Arrow, or make texts of it: astype(str)",
        )


def _unprotected_part(pa: Any, series: Any, stays: Any) -> Any:
    """A column as it is, less the rows that do not stay, and nothing that no row of it shows: a masked array has values below its
    nulls, and categories may be listed in the order of the rows."""
    import pandas as pd

    if hasattr(series.dtype, "__from_arrow__") and hasattr(series.array, "__arrow_array__"):
        column = unprotected_part(_chunks(pa, series), stays)
        return pd.Series(series.dtype.__from_arrow__(column), name=series.name)
    series = (series.copy() if stays is None else series[stays]).reset_index(drop=True)
    if series.dtype == object:
        return _apart(series)
    if not isinstance(series.dtype, pd.CategoricalDtype):
        return series
    series = series.cat.remove_unused_categories()
    return series if series.cat.ordered else series.cat.reorder_categories(_sorted(series.cat.categories))


def _apart(series: Any) -> Any:
    """Python's objects, of equal texts one, of anything else one for each row: a pickle says which rows share an object, and those of
    rows that were read together do."""
    import pandas as pd

    texts: dict[str, str] = {}

    def anew(value: Any) -> Any:
        if type(value) is str:
            return texts.setdefault(value, value)
        if value is None or type(value) in (bool, int, float):
            return value  # of which a pickle says no such thing
        try:
            return pickle.loads(pickle.dumps(value))
        except Exception:
            return value  # which no pickle holds

    return pd.Series([anew(value) for value in series], dtype=object, name=series.name)


def _sorted(categories: Any) -> Any:
    try:
        return categories.sort_values()
    except TypeError:  # of several types
        return sorted(categories, key=str)


def _series_from_arrow(like: Any, column: Any) -> Any:
    import pandas as pd

    pa = pyarrow_for("a pandas column")
    column = in_one_chunk(column)
    dtype = like.dtype
    if isinstance(dtype, pd.ArrowDtype):
        return pd.Series(pd.arrays.ArrowExtensionArray(cast_texts(column, dtype.pyarrow_dtype)), name=like.name)
    if column.null_count and dtype.kind in "iub" and not pd.api.types.is_extension_array_dtype(dtype):
        # A column of NumPy has no room for nulls, and floats none for every whole number.
        nullable = pd.array([], dtype="boolean" if dtype.kind == "b" else dtype.name.replace("i", "I", 1).replace("u", "U", 1)).dtype
        return pd.Series(column.to_pandas(types_mapper=lambda kind: nullable).array, name=like.name)
    texts = _is_text(pa, column.type) or pa.types.is_dictionary(column.type)
    if isinstance(dtype, pd.CategoricalDtype) or (dtype == object and texts):
        series = column.to_pandas()
        series.name = like.name
        return series.astype(object) if dtype == object else series
    series = pd.Series(column.to_pandas().array, name=like.name)
    # The first that is there: the type must not tell whether the first row is missing.
    before = _series_to_arrow(pa, like[like.notna()].iloc[:1], "the column").type
    same = before == column.type or (_is_text(pa, before) and _is_text(pa, column.type))
    return series.astype(dtype) if same and series.dtype != dtype else series


def _is_text(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


class PandasColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return column_stream(_series_to_arrow(pyarrow_for("a pandas column"), self.data, "the column"), columns)

    def column_out(self, released: Released) -> Any:
        return _series_from_arrow(self.data, pyarrow_for("a pandas column").chunked_array(released.column))
