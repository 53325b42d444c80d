"""How many rows Spark hands to a worker's Python at once while a release runs.

Spark weighs its batch again for every row, which takes longer than the row, and begins a new one after 10,000. Where the plan
knows how long a row may be, a number of rows bounds a batch as well.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BooleanType, DateType, NumericType, StringType

from fugu.plan import Plan

ROWS = 50_000
_BYTES = 1 << 26  # of a batch, as Spark has it where nobody says otherwise

_RECORDS = "spark.sql.execution.arrow.maxRecordsPerBatch"
_WEIGHED = "spark.sql.execution.arrow.maxBytesPerBatch"
_NEVER = str(2**31 - 1)

_lock = threading.Lock()
_before: dict[str, str | None] = {}
_running = 0


@contextlib.contextmanager
def handing_over(df: DataFrame, plan: Plan, names: Iterable[str]) -> Iterator[None]:
    """While a job runs that hands these columns over."""
    rows = max(ROWS, int(str(df.sparkSession.conf.get(_RECORDS))))
    longest = _longest(plan._data["scenario"])
    widths = [_width(df.schema[name].dataType, longest) for name in dict.fromkeys(names)]
    if None in widths or rows * sum(width or 0 for width in widths) > _BYTES:
        yield
        return
    _begin(df.sparkSession, rows)
    try:
        yield
    finally:
        _end(df.sparkSession)


def _begin(spark: SparkSession, rows: int) -> None:
    global _running
    with _lock:
        _running += 1
        if _running == 1:
            _before.update({name: spark.conf.get(name, None) for name in (_RECORDS, _WEIGHED)})
            spark.conf.set(_RECORDS, str(rows))
            spark.conf.set(_WEIGHED, _NEVER)


def _end(spark: SparkSession) -> None:
    """The last of those that run at once gives back what the first one found."""
    global _running
    with _lock:
        _running -= 1
        if _running > 0:
            return
        for name, value in _before.items():
            if value is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, value)


def _width(kind: Any, longest: int) -> int | None:
    """How many bytes a value may take; None where nothing says so. A character takes up to 4."""
    if isinstance(kind, (NumericType, BooleanType, DateType)):
        return 16
    return 4 + 4 * longest if isinstance(kind, StringType) else None


def _longest(data: Any) -> int:
    """Of the texts in a plan, which has those of the table."""
    if isinstance(data, str):
        return len(data)
    if isinstance(data, dict):
        return max(map(_longest, [*data, *data.values()]), default=0)
    return max(map(_longest, data), default=0) if isinstance(data, list) else 0
