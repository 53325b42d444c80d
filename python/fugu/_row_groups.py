"""The row groups of a Parquet file: of so many rows each, so that where the input's begin, and what was left out, is not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fugu._kept import unprotected_part, written_anew

ROWS = 1 << 17  # of a group


def row_groups(parts: Iterator[Any], covered: Sequence[str] = (), unprotected: Sequence[str] = ()) -> Iterator[Any]:
    """The parts of a table, put together and parted again."""
    import pyarrow as pa  # type: ignore[import-untyped]

    waiting = next(parts, None)
    if waiting is None:
        return
    for part in parts:
        waiting = pa.concat_tables([waiting, part])
        while waiting.num_rows > ROWS:
            yield _in_one_piece(waiting.slice(0, ROWS), covered, unprotected)
            waiting = waiting.slice(ROWS)
    yield _in_one_piece(waiting, covered, unprotected)


def _in_one_piece(group: Any, covered: Sequence[str], unprotected: Sequence[str]) -> Any:
    """Written anew once more: put together, the dictionaries of several parts list first what the first part had."""
    group = group.combine_chunks()
    for name, anew in [*((name, written_anew) for name in covered), *((name, unprotected_part) for name in unprotected)]:
        group = group.set_column(group.schema.get_field_index(name), name, anew(group.column(name), None))
    return group
