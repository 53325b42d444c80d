"""What a release would leave of its table, and what an actual one has left: before and after, side by side."""

from __future__ import annotations

import importlib.util
import json
import os
from typing import TYPE_CHECKING, Any

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._frames import Frame, OtherFrame, frame_of, names_of, stream_of
from fugu._progress import Progress, progress_of

if TYPE_CHECKING:
    from fugu._texts import Names
    from fugu.plan import Plan

_LOOKED_AT = 1000  # rows of a frame, for the few that are shown


def table_of(rows: list[dict[str, Any]]) -> Any:
    """A pandas data frame where pandas is installed, else the list of dictionaries."""
    if importlib.util.find_spec("pandas") is None:
        return rows
    import pandas as pd

    return pd.DataFrame(rows)


class _Compared:
    """Columns and associations before and after. All of it is private: it tells the table's frequencies."""

    def __init__(self, written: str) -> None:
        self._json = written
        self.data: dict[str, Any] = json.loads(written)

    def to_json(self) -> str:
        """docs/formats.md, "Preview"."""
        return self._json

    def column_rows(self) -> list[dict[str, Any]]:
        """A dictionary for each label of each column: its share of the rows before and after."""
        rows = []
        for column in self.data["columns"]:
            others = [column[key] for key in ("before", "after", "sd") if key in column]
            for label, *numbers in zip(column["labels"], *others, strict=True):
                row = {"column": column["name"], "label": label, **dict(zip(("before", "after", "sd"), numbers))}
                if "vanished" in column:
                    row["vanished"] = label in column["vanished"]
                rows.append(row)
        return rows

    def mean_rows(self) -> list[dict[str, Any]]:
        """A dictionary for each column of numbers: its mean and its spread before and after."""
        rows = []
        for column in self.data["columns"]:
            if column["mean"] is None:
                continue
            mean, spread = column["mean"], column["spread"]
            row = {"column": column["name"], "mean_before": mean["before"], "mean_after": mean["after"]}
            if "sd" in column:
                row["mean_sd"] = mean["sd"]
            rows.append({**row, "spread_before": spread["before"], "spread_after": spread["after"]})
        return rows

    def association_rows(self) -> list[dict[str, Any]]:
        """A dictionary for each pair of columns: the measure (V, r or eta), before, after, and the change."""
        found = self.data["associations"]
        names, rows = found["names"], []
        for a, first in enumerate(names):
            for b in range(a + 1, len(names)):
                before, after = found["before"][a][b], found["after"][a][b]
                change = None if before is None or after is None else after - before
                rows.append({"column": first, "other": names[b], "measure": found["measures"][a][b],
                             "before": before, "after": after, "change": change})
        return rows

    @property
    def columns(self) -> Any:
        return table_of(self.column_rows())

    @property
    def means(self) -> Any:
        return table_of(self.mean_rows())

    @property
    def associations(self) -> Any:
        return table_of(self.association_rows())


class Preview(_Compared):
    """What a release by a plan would leave: `columns`, `means`, `associations`, `cross` and `sample` as data frames, `data` as it is.

    After are averages over simulated draws by the plan's own sampler, not the release. It is private, like the plan.
    """

    def __init__(self, written: str, text: str) -> None:
        super().__init__(written)
        self._text = text

    @property
    def unchanged(self) -> float:
        """The share of rows that are released as they are."""
        return float(self.data["unchanged"])

    @property
    def notes(self) -> list[str]:
        return list(self.data["notes"])

    @property
    def guess(self) -> dict[str, Any]:
        """What :meth:`Plan.leakage` has: how often the secret is guessed, within proved bounds."""
        return dict(self.data["guess"])

    @property
    def cross(self) -> Any:
        """The share of rows by the two columns that were asked for; None where none were."""
        found = self.data["cross"]
        if found is None:
            return None
        (row, column), rows = found["columns"], []
        for a, first in enumerate(found["rows"]):
            for b, second in enumerate(found["columns_labels"]):
                rows.append({row: first, column: second, "before": found["before"][a][b], "after": found["after"][a][b]})
        return table_of(rows)

    @property
    def sample(self) -> Any:
        """A few rows, twice: before and after one simulated draw. `row` numbers them; after it no secret
        is shown, since none is released as it is."""
        found, rows = self.data["sample"], []
        for k, secret in enumerate(found["secret"]):
            for when in ("before", "after"):
                values = dict(zip(found["columns"], found[when][k], strict=True))
                rows.append({"row": k + 1, "when": when, "secret": secret if when == "before" else None, **values})
        return table_of(rows)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<fugu.Preview: {self.data['draws']} simulated draws, {self.unchanged:.0%} of the rows stay>"

    def _repr_html_(self) -> str:
        from fugu._html import preview_html

        return preview_html(self)


class Utility(_Compared):
    """What an actual release has left of its table: `columns`, `means` and `associations` as data frames. It is private, like the plan."""

    def __repr__(self) -> str:
        return f"<fugu.Utility: {len(self.data['columns'])} columns, {self.data['released']} released rows>"

    def _repr_html_(self) -> str:
        from fugu._html import utility_html

        return utility_html(self)


def preview_of(plan: Plan, table: object, cross: Names | None, draws: int | None, rows: int | None, progress: Progress) -> Preview:
    texts: dict[str, str] = {}
    if cross is not None:
        texts["cross"] = _texts.names(names_of(cross))
    for name, number in (("draws", draws), ("rows", rows)):
        if number is not None:
            texts[name] = _texts.number(number, name)
    stream: object = None
    if isinstance(table, (str, os.PathLike)) and not os.fspath(table).endswith((".parquet", ".pq")):
        texts["TABLE"] = os.fspath(table)
    elif isinstance(table, (str, os.PathLike)):
        from fugu.files import parquet_table

        table = parquet_table(os.fspath(table), None)
    if table is not None and "TABLE" not in texts:
        frame = _whole_table(_first_rows(table), "table")
        stream = stream_of(frame, plan._columns_for(frame, False), [])
    with progress_of(progress) as tell:
        return Preview(*plan._core.preview(stream, texts, tell))


def _first_rows(table: object) -> object:
    """Fewer rows to hand over, where the frame can say so."""
    head = getattr(table, "head", None)
    return head(_LOOKED_AT) if callable(head) and hasattr(table, "columns") else table


def _whole_table(data: object, name: str) -> Frame:
    frame = frame_of(data)
    if isinstance(frame, OtherFrame):
        frame = frame.fixed([])
    if frame.is_column:
        raise UsageError(f"{name}: this is one column, not a table", "give the whole table")
    return frame


def utility(before: object, after: object, plan: Plan, *, progress: Progress = None) -> Utility:
    """What a release has left: each column's shares, means and spreads, and the associations, before and after.

    `before` is the table that the plan was made from, whose counts are compared with the plan's; None takes these as they are. `after` is
    the released table. The secret is not released as it is, so nothing is said of its associations. The result is private: it tells the table's frequencies.
    """
    from fugu.plan import Plan as Proved

    if not isinstance(plan, Proved):
        raise UsageError(f"utility: a {type(plan).__name__} is no plan", "give the plan: fugu.utility(before, after, plan)")
    truth: object = None
    if before is not None:
        frame = _whole_table(before, "before")
        truth = stream_of(frame, plan._columns_for(frame, False), [])
    released = _whole_table(after, "after")
    wanted = [name for name in [*plan._source("known"), *plan._source("public")] if name in released.columns()]
    with progress_of(progress) as tell:
        return Utility(plan._core.utility(truth, stream_of(released, wanted or released.columns(), []), tell))
