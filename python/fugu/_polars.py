"""Tables and columns of polars; a lazy frame is collected, and what is released is a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fugu import _core
from fugu._frames import _ASK_IT, Frame, known, quiet


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

    def table_out(self, released: Mapping[str, _core.Column], carried: Sequence[str], kept: Any) -> Any:
        import polars as pl

        mask = None if kept is None else pl.Series(kept, dtype=pl.Boolean)
        columns = []
        for name in self._order(released, carried):
            column = self.data.get_column(name)
            if name in released:
                columns.append(_series(column, released[name]))
            else:
                columns.append(column if mask is None else column.filter(mask))
        return pl.DataFrame(columns)


def _series(like: Any, released: _core.Column) -> Any:
    import polars as pl

    series = pl.Series(released).alias(like.name)
    if series.dtype == like.dtype:
        return series
    if isinstance(like.dtype, pl.Enum):
        fits = set(series.cast(pl.String).unique()) <= set(like.dtype.categories)
        return series.cast(pl.String).cast(like.dtype) if fits else series
    categories = (pl.Categorical, pl.String)
    return series.cast(like.dtype) if series.dtype in categories and like.dtype in categories else series


class PolarsColumn(Frame):
    is_column = True

    def stream(self, columns: Sequence[str] | None) -> object:
        return self.data.alias(columns[0] if columns else "column").to_frame().__arrow_c_stream__()

    def column_out(self, released: _core.Column, kept: Any) -> Any:
        return _series(self.data, released)
