"""Tables and columns of polars; a lazy frame is collected, and what is released is a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fugu._frames import _ASK_IT, Carried, Frame, Released, known, places_of, quiet


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
            columns.append(_written_anew(column, carried.na) if name in carried.covered else _without_unused(column))
        return pl.DataFrame(columns).rechunk()

    def reordered(self, table: Any, order: bytes) -> Any:
        return table[places_of(order)].rechunk()


def _written_anew(column: Any, na: Sequence[str]) -> Any:
    """A covered column, built of its distinct values as Python has them; texts that mean missing are nulls.

    The codes of a Categorical tell in which order this process met its texts, so that it becomes an Enum of them.
    """
    import polars as pl

    plain = column.cast(pl.String) if isinstance(column.dtype, (pl.Categorical, pl.Enum)) else column
    values = [value for value in plain.unique().drop_nulls().sort().to_list() if value != "" and value not in na]
    if isinstance(column.dtype, pl.Enum):
        values = [text for text in column.dtype.categories if text in values]
    if plain.dtype.is_float():
        values = [value + 0.0 for value in values]  # a zero has no sign
    kind = column.dtype if plain is column else pl.Enum(values)
    anew = pl.Series(column.name, values, dtype=kind)
    if not values:
        return pl.Series(column.name, [None] * len(plain), dtype=kind)
    places = pl.Series(range(len(values)), dtype=pl.UInt32)
    return anew.gather(plain.replace_strict(pl.Series(values, dtype=plain.dtype), places, default=None, return_dtype=pl.UInt32))


def _without_unused(column: Any) -> Any:
    import polars as pl

    if not isinstance(column.dtype, pl.Enum):
        return column
    texts = column.cast(pl.String)
    used = set(texts.unique())
    return texts.cast(pl.Enum([text for text in column.dtype.categories if text in used]))


def _series(like: Any, released: Released) -> Any:
    import polars as pl

    series = pl.Series(released.column).alias(like.name).rechunk()
    if series.dtype == like.dtype:
        return series
    if isinstance(like.dtype, pl.Enum):
        fits = released.labels and set(released.labels) <= set(like.dtype.categories)
        return series.cast(pl.String).cast(like.dtype) if fits else series
    categories = (pl.Categorical, pl.String)
    return series.cast(like.dtype) if series.dtype in categories and like.dtype in categories else series


class PolarsColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.alias(columns[0] if columns else "column").to_frame().__arrow_c_stream__()

    def column_out(self, released: Released) -> Any:
        return _series(self.data, released)
