"""Tables and columns of polars; a lazy frame is collected, and what is released is a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fugu._errors import DataError
from fugu._frames import _ASK_IT, Carried, Frame, Released, along, known, places_of, quiet


class PolarsFrame(Frame):
    def __init__(self, data: object) -> None:
        super().__init__(data)
        if type(data).__name__ == "LazyFrame":
            self.data = quiet(self.data.collect, "the lazy frame", _ASK_IT)

    def columns(self) -> list[str]:
        return list(self.data.columns)

    def _part(self, columns: Sequence[str]) -> Any:
        import polars as pl

        # By place: select would take a name such as "*" for a pattern.
        return pl.DataFrame([self.data.get_column(name) for name in columns])

    def stream(self, columns: Sequence[str] | None) -> object:
        table = self.data if columns is None else self._part(known(columns, self.columns()))
        return table.__arrow_c_stream__()

    def table_out(self, released: Mapping[str, Released], carried: Carried, stays: Any) -> Any:
        import polars as pl

        mask = None if stays is None else pl.Series(stays, dtype=pl.Boolean)
        columns = []
        for name in self._order(released, carried):
            column = self.data.get_column(name)
            if name in released:
                columns.append(_series(column, released[name]))
                continue
            if name in carried.covered and carried.hidden is not None:
                hidden = pl.Series(carried.hidden, dtype=pl.Boolean)
                column = pl.select(pl.when(hidden).then(None).otherwise(column).alias(name)).to_series()
            column = column if mask is None else column.filter(mask)
            columns.append(_written_anew(column, carried.na) if name in carried.covered else along(name, _unprotected_part, column))
        return pl.DataFrame(columns).rechunk()

    def reordered(self, table: Any, order: bytes) -> Any:
        import polars as pl

        columns = [table.get_column(name)[places_of(order)] for name in table.columns]
        # A text keeps pointing to where its bytes lie, and these stay in the order of before.
        apart = [column.dtype in (pl.String, pl.Binary) or column.dtype.is_nested() for column in columns]
        return pl.DataFrame([_in_row_order(column) if far else column for column, far in zip(columns, apart, strict=True)]).rechunk()


def _in_row_order(column: Any) -> Any:
    """Its values in buffers of their own, in the order of the rows, with nothing below a null."""
    import polars as pl

    kind = column.dtype
    if kind == pl.Object:
        return column
    plain = column.to_physical() if kind.is_temporal() else column
    anew = pl.Series(column.name, plain.to_list(), dtype=plain.dtype).cast(kind)
    if kind.is_nested() and not anew.equals(column, null_equal=True):
        raise DataError(f"column '{column.name}': Python has no exact values of its type", "make numbers or texts of it")
    return anew


def _written_anew(column: Any, na: Sequence[str]) -> Any:
    """A covered column, built of its distinct values as Python has them; texts that mean missing are nulls."""
    import polars as pl

    plain = column.cast(pl.String) if isinstance(column.dtype, (pl.Categorical, pl.Enum)) else column
    values = [value for value in plain.unique().drop_nulls().sort().to_list() if value != "" and value not in na]
    if plain.dtype.is_float():
        values = [value + 0.0 for value in values]  # a zero has no sign
    kind = column.dtype if plain is column else _listing(values, column.dtype)
    anew = pl.Series(column.name, values, dtype=kind)
    if not values:
        return pl.Series(column.name, [None] * len(plain), dtype=kind)
    places = pl.Series(range(len(values)), dtype=pl.UInt32)
    return anew.gather(plain.replace_strict(pl.Series(values, dtype=plain.dtype), places, default=None, return_dtype=pl.UInt32))


def _unprotected_part(column: Any) -> Any:
    """A column as it is, and nothing that no row of it shows."""
    import polars as pl

    if not isinstance(column.dtype, (pl.Categorical, pl.Enum)):
        return _in_row_order(column)
    texts = column.cast(pl.String)
    there = texts.unique().drop_nulls().sort().to_list()
    return texts.cast(_listing(there, column.dtype))


def _listing(texts: Sequence[str], like: Any) -> Any:
    """An Enum of these texts, in the order of its owner where that is one of an Enum that has them all. Never a Categorical: its codes
    tell in which order this process met the texts."""
    import polars as pl

    if isinstance(like, pl.Enum):
        wanted = set(texts)
        listed = [text for text in like.categories if text in wanted]
        texts = listed if len(listed) == len(texts) else texts
    return pl.Enum(texts)


def _series(like: Any, released: Released) -> Any:
    import polars as pl

    series = pl.Series(released.column).alias(like.name).rechunk()
    if isinstance(like.dtype, (pl.Categorical, pl.Enum)) and released.labels:
        # What the plan releases and nothing else: another text may be that of one person.
        return series.cast(pl.String).cast(_listing(released.labels, like.dtype))
    return series.cast(pl.String) if isinstance(series.dtype, pl.Categorical) else series


class PolarsColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.alias(columns[0] if columns else "column").to_frame().__arrow_c_stream__()

    def column_out(self, released: Released) -> Any:
        return _series(self.data, released)
