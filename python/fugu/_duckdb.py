"""Relations of DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fugu._frames import _ASK_IT, ArrowFrame, Counted, Frame, known, pyarrow_for, quiet


class DuckFrame(Frame):
    """A DuckDB relation; what is released is a relation over the released rows, on the default connection."""

    def columns(self) -> list[str]:
        return [str(name) for name in self.data.columns]

    def _select(self, columns: Sequence[str]) -> Any:
        return self.data.project(", ".join(map(_quoted, columns)))

    def stream(self, columns: Sequence[str] | None) -> object:
        wanted = self.columns() if columns is None else known(columns, self.columns())
        return quiet(self._select(wanted).to_arrow_table, "the relation", _ASK_IT).__arrow_c_stream__()

    def fixed(self, columns: Sequence[str]) -> ArrowFrame:
        """Its rows read once: a relation is a query, and may give others the next time."""
        pyarrow_for("a DuckDB relation")
        there = self.columns()
        wanted = [name for name in there if name in columns] or there
        return ArrowFrame(quiet(self._select(wanted).to_arrow_table, "the relation", _ASK_IT))

    def counted(self, columns: Sequence[str]) -> Counted:
        """Its distinct rows and how often each comes, counted by DuckDB."""
        pyarrow_for("a DuckDB relation")
        times = "times"
        while times in columns:
            times += "_"
        kinds = dict(zip(self.columns(), map(str, self.data.types)))
        # A collation would make one text of several.
        exact = {name: _quoted(name) + (" COLLATE C" if kinds[name] == "VARCHAR" else "") for name in known(columns, self.columns())}
        shown = ", ".join(f"{expression} AS {_quoted(name)}" for name, expression in exact.items())
        groups = self.data.aggregate(f"{shown}, count(*) AS {_quoted(times)}", ", ".join(exact.values()))
        return Counted(quiet(groups.to_arrow_table, "the relation", _ASK_IT), times)

    def repeats(self, column: str) -> tuple[int, int]:
        name = _quoted(column)
        found = quiet(self.data.aggregate(f"count(DISTINCT {name}), count({name})").fetchall, "the relation", _ASK_IT)[0]
        return int(found[0]), int(found[1])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
