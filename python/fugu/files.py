"""Parquet files on one machine: read and released in batches, in bounded memory."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from fugu import _core, _texts
from fugu._errors import DataError, Error, FileError, UsageError
from fugu._frames import ArrowFrame, Carried, OtherFrame, check_names, hidden_rows, names_of, staying_rows, warn_of_unprotected, watched
from fugu._progress import Progress, progress_of
from fugu._row_groups import ROWS, row_groups
from fugu._whole import WholeFile, cannot_write, check_replaceable, commit_together
from fugu.ledger import Facts, Ledger, within_budget
from fugu.plan import Plan, calibrate
from fugu.scenario import Scenario

if TYPE_CHECKING:
    from fugu._texts import Names
    from fugu.plan import Path

_MOST_ORDER = 1 << 28  # bytes for the order of a file's rows
_AT_ONCE = 1 << 20  # rows that are drawn while none are written


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError("Parquet files are read through pyarrow, which is not installed", "pip install pyarrow") from None
    return pyarrow


class _Input:
    """A Parquet file, whose batches can be read several times, and whether it is still the same."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._state = self._now()
        pyarrow = _pyarrow()
        self._source = self._read(lambda: pyarrow.OSFile(path))
        self.file = self._open([])
        self.columns = [str(name) for name in self.file.schema_arrow.names]

    def _open(self, as_codes: list[str]) -> Any:
        """The file that was opened first, whatever has its name now."""
        parquet = _pyarrow().parquet
        return self._read(
            lambda: parquet.ParquetFile(self._source, pre_buffer=False, buffer_size=1 << 20, read_dictionary=as_codes)
        )

    def _now(self) -> tuple[int, ...]:
        try:
            state = os.stat(self.path)
        except OSError as failure:
            raise FileError(f"{self.path}: it cannot be read ({failure.strerror})", "check the name of the file") from None
        return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns

    def _read(self, what: Any) -> Any:
        try:
            return what()
        except OSError as failure:
            reason = failure.strerror or type(failure).__name__
        except Exception as failure:
            reason = type(failure).__name__
        raise FileError(f"{self.path}: it is no whole Parquet file ({reason})", "give a Parquet file")

    def is_at(self, path: str) -> bool:
        try:
            state = os.stat(path)
        except OSError:
            return False
        return (state.st_dev, state.st_ino) == self._state[:2]

    def check_same(self) -> None:
        if self._now() != self._state:
            raise FileError(f"{self.path}: the table was changed while it was released", "run it again when nobody writes to it")

    def batches(self, file: Any, columns: list[str], first: int = 0) -> Iterator[Any]:
        """The rows from this one on, counted from 0."""
        metadata, group = file.metadata, 0
        while first > 0 and group < metadata.num_row_groups and metadata.row_group(group).num_rows <= first:
            first -= metadata.row_group(group).num_rows
            group += 1
        batches = file.iter_batches(batch_size=ROWS, row_groups=range(group, metadata.num_row_groups), columns=columns)
        while True:
            batch = self._read(lambda: next(batches, None))
            if batch is None:
                return
            if batch.num_rows >= first:
                yield batch.slice(first)
            first = max(first - batch.num_rows, 0)

    def _as_codes(self, columns: Iterable[str]) -> list[str]:
        """Those whose texts stand in the file as a dictionary and codes: reading the codes takes a tenth of the time."""
        import pyarrow as pa

        schema, metadata = self.file.schema_arrow, self.file.metadata
        if metadata.num_row_groups == 0 or metadata.num_columns != len(schema):  # nested columns have several parts
            return []
        first = metadata.row_group(0)
        texts = (name for name in columns if schema.names.count(name) == 1 and pa.types.is_string(schema.field(name).type))
        chunks = {name: first.column(schema.names.index(name)) for name in texts}
        # A text by itself takes at least 4 bytes.
        return [name for name, chunk in chunks.items() if chunk.has_dictionary_page and chunk.total_uncompressed_size < 4 * chunk.num_values]

    def none_of(self, columns: list[str]) -> Any:
        """A table of these columns without rows."""
        import pyarrow as pa

        self._check(columns)
        return pa.schema([self.file.schema_arrow.field(name) for name in columns]).empty_table()

    def _check(self, columns: list[str]) -> None:
        for name in columns:
            if name not in self.columns:
                listed = ", ".join(repr(other) for other in self.columns[:12])
                raise UsageError(f"{self.path}: the table has no column '{name}'", f"its columns are {listed}")

    def used(self, columns: Sequence[str], watches: bool) -> list[str]:
        return [*dict.fromkeys(columns), *(watched(self.columns, columns) if watches else [])]

    def reader(self, columns: list[str], written: Iterable[str] = (), first: int = 0) -> Any:
        """These columns, from that row on; of those that are not `written` again only the values are as in the file, not the types."""
        import pyarrow as pa

        self._check(columns)
        codes = self._as_codes(set(columns) - set(written))
        file = self._open(codes) if codes else self.file
        schema = pa.schema([file.schema_arrow.field(name) for name in columns])
        return pa.RecordBatchReader.from_batches(schema, self.batches(file, columns, first))


class _Stream:
    """A reader as a table that is read once."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._reader.__arrow_c_stream__(requested_schema)


def parquet_table(path: str, columns: list[str] | None, watches: bool = False) -> _Stream:
    """These columns of a Parquet file, or all, as a table that is read once, batch by batch; `watches` those besides that may
    hold people's numbers."""
    table = _Input(path)
    return _Stream(table.reader(table.columns if columns is None else table.used(columns, watches)))


def release_file(
    input: Path,
    output: Path,
    *,
    plan: Plan | None = None,
    secret: Names | None = None,
    public: Names | None = None,
    new_data: bool = False,
    drop: bool = False,
    keep: Names | None = None,
    keep_unprotected: Names | None = None,
    publish_min: int = _core.publish_min,
    rows_independent: bool = False,
    keep_order: bool = False,
    ledger: Ledger | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Plan:
    """Releases a Parquet file into another, batch by batch; returns the plan it was released by.

    By a `plan` made before (its counts are compared with the file's unless `new_data`), or at once by the arguments of
    :meth:`Scenario.from_table` and :func:`calibrate`: the plan is then kept as OUTPUT.plan.json, readable by its owner.
    The order of the rows is held in memory where nothing but the released columns is written: a byte or two for each, 256 MB at most.
    OUTPUT appears when it is whole, with OUTPUT.receipt.json, which may be published with it: categories, ends and values
    that fewer than `publish_min` people share are refused. Rows that trade places as a whole are written in random order, all held in memory,
    unless `keep_order` says that theirs tells nothing. A `ledger` counts the release before it appears, and refuses it where the budget would be passed.
    """
    source, target = os.fspath(input), os.fspath(output)
    least = _texts.people(publish_min, "publish_min")
    independent = _texts.switch(rows_independent, "rows_independent")
    receipt, plan_path = target + ".receipt.json", target + ".plan.json"
    if plan is not None and not isinstance(plan, Plan):
        raise UsageError(f"plan: a {type(plan).__name__} is no plan", "give a fugu.Plan, for example fugu.Plan.load(path)")
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise FileError(f"{target}: its folder does not exist", "make the folder first")
    written = [target, receipt, *([] if plan else [plan_path])]
    for path in written:
        check_replaceable(path, force)
    table = _Input(source)
    for path in written:
        if table.is_at(path):
            raise UsageError(f"{path}: this is the input", "give the output another name")
    kept, unprotected = names_of(keep), names_of(keep_unprotected)
    roles = options if plan is None else plan._data.get("scenario", {}).get("source") or {}
    besides = [kept, unprotected, *(names_of(roles.get(role)) for role in ("known", "person", "weight"))]
    remembered = _core.Remembered(0 if any(besides) else _MOST_ORDER)
    with progress_of(progress) as tell:
        if plan is None:
            plan = _new_plan(table, secret, public, {**options, "rows_independent": independent}, remembered, tell)
            made = True
        elif secret is not None or public is not None or options:
            extra = next(iter(options), "secret")
            raise UsageError(f"{extra}: the plan says this already", "leave it out, or leave out plan")
        else:
            made = False
        plan._core.check_kept(kept, unprotected)
        release = plan._core.start(least)
        used = plan._columns_for(_Names(table.columns), new_data)
        columns = [*used, *plan._watched(table.columns, used, independent)]
        if not made and not new_data:
            release.check(table.reader(columns).__arrow_c_stream__(), drop, tell, None, independent, remembered)
        if plan._person():
            release.choose(table.reader(columns).__arrow_c_stream__(), new_data, drop, kept, bool(unprotected), tell)

        def make(count: Callable[[], None]) -> None:
            with contextlib.ExitStack() as files:
                table_file = files.enter_context(WholeFile(target, force=force))
                beside = files.enter_context(WholeFile(receipt, force=force))
                if made:
                    kept_plan = files.enter_context(WholeFile(plan_path, force=force, private=True))
                    kept_plan.write(plan.to_json())
                shuffled = plan._shuffles(keep_order)
                digest = files.enter_context(_GrowingDigest(table_file.temporary))
                rows, dropped, outside = _write(
                    table, table_file, digest, plan, release, columns, Carried(kept, unprotected), new_data, drop, independent, shuffled, remembered, tell)
                written_receipt = plan._core.receipt(rows, dropped, kept, unprotected, new_data, drop, digest.of_whole(), least, outside, shuffled)
                beside.write(written_receipt)
                table.check_same()
                count()
                commit_together([kept_plan, table_file, beside] if made else [table_file, beside])

        within_budget(ledger, plan, Facts(target, kept, unprotected, new_data, drop), make)
    warn_of_unprotected(unprotected, 2, plan._person())
    return plan


class _Names(ArrowFrame):
    """Columns by name alone."""

    def __init__(self, columns: list[str]) -> None:
        self._names = columns

    def columns(self) -> list[str]:
        return self._names


def _new_plan(table: _Input, secret: Names | None, public: Names | None, options: dict[str, Any], remembered: Any, tell: Any) -> Plan:
    if secret is None or public is None:
        raise UsageError("no plan is given", "give plan=, or secret=, public= and epsilon=")
    asked = _texts.named_columns({**options, "secret": secret, "public": public}, table.columns)
    secret, public = asked.pop("secret"), asked.pop("public")
    options.update(asked)
    made = {name: options.pop(name) for name in _texts.flags("calibrate") if name in options}
    person = names_of(options.get("person"))
    wanted = [*names_of(secret), *names_of(options.get("given")), *names_of(options.get("known")), *names_of(public), *person, *names_of(options.get("weight"))]
    frame = OtherFrame(_Stream(table.reader(table.used(wanted, not person and not options["rows_independent"]))))
    frame.remembered = remembered
    scenario = Scenario.from_table(frame, secret=secret, public=public, progress=tell or False, **options)
    return calibrate(scenario, progress=tell or False, **made)


def _write(
    table: _Input, output: WholeFile, digest: _GrowingDigest, plan: Plan, release: Any, columns: list[str], carried: Carried, new_data: bool, drop: bool, independent: bool, shuffled: bool, remembered: Any, tell: Any
) -> tuple[int, int, int]:
    """Writes what is released; how many rows were read, how many of them were left out, and how many with all of their stratum."""
    rows = written = dropped = outside = 0
    covered, public = plan._carried(carried.covered, ()).covered, plan._source("public")
    _pyarrow().default_memory_pool().release_unused()  # what the count was read through
    asked = new_data, drop, list(carried.covered), bool(carried.unprotected), independent
    read = list(dict.fromkeys(release.read(table.none_of(columns).__arrow_c_stream__(), *asked)))
    used = plan._columns_for(_Names(table.columns), new_data)
    # What was counted was looked at then.
    named = [*(columns if new_data else [name for name in columns if name not in used]), *carried.unprotected]
    total = max(table.file.metadata.num_rows, 1)

    def part_of(frame: ArrowFrame, result: Any, size: int) -> Any:
        nonlocal rows, written, dropped, outside
        released, left_out, hidden = result
        along = plan._carried(carried.covered, carried.unprotected, hidden_rows(hidden))
        part = frame.table_out(plan._released(released), along, staying_rows(left_out))
        rows += size
        written += part.num_rows
        dropped += (left_out or b"").count(1)  # not those of a person whose other row was drawn
        outside += (left_out or b"").count(3)
        if tell:
            tell(rows / total, f"released {written} rows")
        return part

    def parts() -> Iterator[Any]:
        # Beside the released columns nothing is read of rows whose order is remembered.
        if not [*named, *covered, *carried.unprotected]:
            like = ArrowFrame(table.none_of(read))
            if release.begin_with(remembered, like.stream(read), *asked):
                while True:
                    result, size = release.remembered_part(_AT_ONCE if shuffled else ROWS, None)
                    if size == 0:
                        break
                    yield part_of(like, result, size)
                if remembered.whole:
                    return
        wanted = [*dict.fromkeys([*read, *named, *covered, *carried.unprotected])]
        written_again = wanted if rows else [*public, *covered, *carried.unprotected]
        for batch in _ahead(table.reader(wanted, written_again, rows)):
            frame = ArrowFrame(_table_of(batch))
            check_names(frame, named, plan._source("na"), table.columns)
            yield part_of(frame, release.part(frame.stream(read), *asked, None), batch.num_rows)

    try:
        with contextlib.ExitStack() as open_files:
            writer: Any = None
            for group in row_groups(_shuffled(parts()) if shuffled else parts(), covered, carried.unprotected):
                if writer is None:
                    writer = open_files.enter_context(_pyarrow().parquet.ParquetWriter(output.temporary, group.schema))
                    follow = open_files.enter_context(_Behind(lambda _: digest.follow()))
                    write = open_files.enter_context(_Behind(writer.write_table))
                write(group)
                follow(None)
        if writer is None:
            raise DataError(f"{table.path}: the table has no rows", "give a table with rows")
        output.sync()
    except OSError as failure:
        if isinstance(failure, Error):
            raise
        raise cannot_write(output.path, failure) from None
    release.finish()
    return written + dropped + outside, dropped, outside


def _ahead(reader: Any) -> Iterator[Any]:
    """What a reader gives, the next batch being read while one is worked on."""
    with ThreadPoolExecutor(1) as thread:
        coming: Future[Any] = thread.submit(next, reader, None)
        while (batch := coming.result()) is not None:
            coming = thread.submit(next, reader, None)
            yield batch


class _Behind:
    """Work on one thing after the other, each while the next is made; its error comes with the next, or at the end."""

    def __init__(self, work: Callable[[Any], None]) -> None:
        self._work, self._thread = work, ThreadPoolExecutor(1)
        self._last: Future[None] | None = None

    def __call__(self, thing: Any) -> None:
        self._wait()
        self._last = self._thread.submit(self._work, thing)

    def __enter__(self) -> _Behind:
        return self

    def __exit__(self, *failure: object) -> None:
        with self._thread:
            if failure[0] is None:
                self._wait()

    def _wait(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            last.result()


class _GrowingDigest:
    """SHA-256 of a file that is only added to, taken while it is written."""

    def __init__(self, path: str) -> None:
        self._path, self._digest = path, hashlib.sha256()

    def __enter__(self) -> _GrowingDigest:
        self._file = open(self._path, "rb", buffering=0)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def follow(self) -> None:
        while block := self._file.read(1 << 20):
            self._digest.update(block)

    def of_whole(self) -> str:
        try:
            self.follow()
        except OSError as failure:
            raise FileError(f"{self._path}: it cannot be read for its digest ({failure.strerror})", "check the disk") from None
        return "sha256:" + self._digest.hexdigest()


def _table_of(batch: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches([batch])


def _shuffled(parts: Iterator[Any]) -> Iterator[Any]:
    """All parts as one, in an order that nobody can guess."""
    import pyarrow as pa

    there = list(parts)
    if there:
        whole = pa.concat_tables(there).combine_chunks()
        yield ArrowFrame(whole).reordered(whole, _core.random_order(whole.num_rows))
