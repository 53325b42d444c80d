"""What workers do where they can write files: each writes what it draws, and counts the rows that it draws from.

One pass over the table is then enough to draw it and to see that it is the plan's. A file has a name that nobody else chooses;
which files count is what the driver hears of each task that ended well, once for each.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]

from fugu._errors import FileError
from fugu._row_groups import row_groups
from fugu._spark_errors import send_errors

TIMES = "how often the row comes"  # the name of a column beside the table's own
TOLD = "part int, file string, counts binary"  # what the driver hears of each task
_PARTS = 64  # counts of so many batches are put together

#: What Spark calls the compressions that both write, and what pyarrow does.
CODECS = {"snappy": "snappy", "zstd": "zstd", "gzip": "gzip", "lz4_raw": "lz4", "none": "none", "uncompressed": "none"}


class Told(NamedTuple):
    """Of all tasks: the files by part, and the rows that were drawn from, each with how often it comes."""

    files: dict[int, str]
    counts: Any


class _Tally:
    """How often each row of these columns came."""

    def __init__(self, columns: Sequence[int]) -> None:
        self._columns = list(columns)
        self._counts: list[Any] = []

    def add(self, batch: Any) -> None:
        if not self._columns:
            return
        keys = pa.Table.from_batches([batch.select(self._columns)])
        self._counts.append(_counted(keys.group_by(keys.column_names, use_threads=False), [([], "count_all")]))
        if len(self._counts) == _PARTS:
            self._counts = [_together(self._counts)]

    def as_bytes(self) -> bytes:
        if not self._counts:
            return b""
        counts, sink = _together(self._counts), pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, counts.schema) as stream:
            stream.write_table(counts)
        return bytes(sink.getvalue())


def _counted(groups: Any, what: Any) -> Any:
    counted = groups.aggregate(what)
    return counted.rename_columns([*counted.column_names[:-1], TIMES])


def _together(counts: Sequence[Any]) -> Any:
    whole = pa.concat_tables(counts)
    return _counted(whole.group_by(whole.column_names[:-1], use_threads=False), [(TIMES, "sum")])


def writing(
    draw: Callable[[Iterable[Any]], Iterable[Any]], names: Sequence[str], counted: Sequence[int], folder: str, codec: str
) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """What the workers run: `draw` gets the first columns, whose names these are; the `counted` ones are counted, by place."""

    def write(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        tally = _Tally(counted)

        def passing() -> Iterator[Any]:
            for batch in batches:
                with send_errors():
                    tally.add(batch)
                yield batch.select(range(len(names)))

        parts = (pa.Table.from_batches([batch]).rename_columns(list(names)) for batch in draw(passing()))
        name = _write(parts, folder, codec)
        task: Any = TaskContext.get()
        with send_errors():
            told = [[task.partitionId()], [name], [tally.as_bytes()]]
            types = [pa.int32(), pa.string(), pa.binary()]
            columns = [pa.array(values, kind) for values, kind in zip(told, types, strict=True)]
        yield pa.RecordBatch.from_arrays(columns, names=["part", "file", "counts"])

    return write


def _write(parts: Iterator[Any], folder: str, codec: str) -> str:
    """The name of the file; empty where there are no rows."""
    name, writer = "", None
    for group in row_groups(part for part in parts if part.num_rows > 0):
        with _file_errors():
            if writer is None:
                name = f"{secrets.token_hex(16)}.parquet"
                writer = parquet.ParquetWriter(os.path.join(folder, name), group.schema, compression=codec)
            writer.write_table(group)
    if writer is not None:
        with _file_errors():
            writer.close()
    return name


@contextlib.contextmanager
def _file_errors() -> Iterator[None]:
    try:
        yield
    except OSError as failure:
        with send_errors():
            reason = failure.strerror or type(failure).__name__
            raise FileError(f"a worker cannot write the new folder ({reason})", "name a folder that all workers share") from None


def told(rows: Iterable[Any], names: Sequence[str]) -> Told:
    """What the tasks said, the counted columns by their names."""
    files, counts = {}, []
    for part, file, counted in rows:
        if file:
            files[part] = file
        if counted:
            counts.append(pa.ipc.open_stream(counted).read_all())
    return Told(files, pa.concat_tables(counts).rename_columns([*names, TIMES]) if counts else None)
