"""What whoever receives a release can say of the true values."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._frames import frame_of
from fugu._progress import Progress, progress_of
from fugu.plan import Plan

if TYPE_CHECKING:
    from fugu._texts import Names, Number
    from fugu.plan import Path


def estimate(
    data: object,
    statement: Mapping[str, Any] | Plan | Path | None = None,
    *,
    column: str | None = None,
    by: Names | None = None,
    confidence: Number | None = None,
    of: str | None = None,
    support: object = None,
    bin: Number | None = None,
    quantiles: object = None,
    part: bool = False,
    table: Names | None = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Mean, quantiles and shares of the true values, with bounds that account for the noise.

    `data` is the released table or column, or the path of a CSV file; `statement` what came with it: a dictionary, or
    the path of a statement or receipt (of a file, the receipt beside it when not given). A receipt must be of this very
    table: of as many rows and, for a file, the same bytes; `part` says that these are some of its rows, or all of them
    written anew. Where rows traded places, the dictionary has their counts by the columns of `table`, or by each released
    column.
    """
    texts = _texts.asked("estimate", locals())
    stream: object = None
    if isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith((".parquet", ".pq")):
        from fugu.files import parquet_table

        stream = parquet_table(os.fspath(data), None).__arrow_c_stream__()
        texts["file"] = os.fspath(data)
        if statement is None and os.path.exists(os.fspath(data) + ".receipt.json"):
            statement = os.fspath(data) + ".receipt.json"
    elif isinstance(data, (str, os.PathLike)):
        texts["TABLE"] = os.fspath(data)
        if statement is None and os.path.exists(texts["TABLE"] + ".receipt.json"):
            statement = texts["TABLE"] + ".receipt.json"
    else:
        frame = frame_of(data)
        name = getattr(data, "name", None) if frame.is_column else None
        if frame.is_column and not (isinstance(name, str) and name):
            texts.setdefault("column", "1")
        stream = frame.stream([name] if isinstance(name, str) and name else None)
    if isinstance(statement, Plan):
        statement = statement.statement(publish_min=1)  # it goes no further
    if statement is None:
        raise UsageError("--statement is missing", "give the statement or the receipt that came with the table")
    if isinstance(statement, Mapping):
        text, place = json.dumps(statement), "the statement"
    else:
        place = os.fspath(statement)
        text = _texts.read_file(statement)
    with progress_of(progress) as tell:
        return dict(json.loads(_core.estimate(stream, texts, text, place, tell)))
