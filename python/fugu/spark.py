"""Counting and releasing Spark frames.

A release is a map, but not a lazy one: Spark may compute a lazy frame as often as it likes, and each time would draw new
noise for the same rows. `release` therefore runs the map once, writes what was drawn, and gives back the frame of the files.
"""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

try:
    importlib.import_module("pandas")  # PySpark wants it where mapInArrow is called, and would say so only then
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.compute as compute  # type: ignore[import-untyped]
    import pyspark.sql.functions as sql
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.pandas.types import from_arrow_type, to_arrow_type
    from pyspark.sql.types import StringType, StructField, StructType
except ImportError as missing_package:
    raise ImportError("fugu.spark needs PySpark, pyarrow and pandas: pip install 'pyspark>=4,<5' pyarrow pandas") from missing_package

from fugu import _core, _texts
from fugu._errors import Error, UsageError
from fugu._frames import ArrowFrame, Carried, Counted, check_names, check_people, names_of, quiet, warn_of_unprotected, watched
from fugu._kept import written_anew
from fugu._spark_errors import send_errors, worker_errors
from fugu._spark_files import TIMES, TOLD, told, writing
from fugu._spark_folder import NewFolder, check_that_tasks_commit_once, place_of
from fugu._spark_hand_over import handing_over
from fugu.ledger import Facts, Ledger, within_budget
from fugu.plan import Plan
from fugu.scenario import Scenario

if TYPE_CHECKING:
    from fugu._texts import Names

_OTHER = "the same column of other rows"  # others

# What is drawn at once. Each draw has a cost of its own, and Spark's batches are small: 10,000 rows where nobody asked for more.
_ROWS = 50_000
_BYTES = 1 << 24


def count(df: DataFrame, *, secret: Names, public: Names, given: Names | None = None, **question: Any) -> Scenario:
    """The scenario of a frame, as `Scenario.from_table` makes it, with the same arguments.

    Spark counts; the distinct rows of these columns come to the driver.
    """
    _check_frame(df)
    if question.get("person") is not None:
        raise UsageError("--person: Spark frames take every row for now", "draw one row per person before, or release from a file")
    question = _texts.named_columns({**question, "secret": secret, "public": public, "given": given}, df.columns)
    used = [name for role in ("secret", "given", "known", "public") for name in names_of(question.get(role))]
    _check_people(df, [] if question.get("rows_independent") else watched(df.columns, used))
    counted = _counted(df, [*used, *names_of(question.get("weight")), *names_of(question.get("count"))])
    return Scenario.from_table(counted, **question)


def release(
    df: DataFrame,
    plan: Plan,
    column: Names,
    path: str,
    *,
    keep: Names | None = None,
    keep_unprotected: Names | None = None,
    new_data: bool = False,
    drop: bool = False,
    publish_min: int = _core.publish_min,
    rows_independent: bool = False,
    mode: str = "error",
    ledger: Ledger | None = None,
) -> DataFrame:
    """Releases the plan's column of a frame into the folder `path` of Parquet files; returns the frame of these files.

    The plan is verified here, on the driver, and the frame must be the one that it was made from unless `new_data` says that
    it is not. Workers get the mechanism and the map of the values, with the list of those that occur, not the plan: no
    secrets, and no counts but how often each value or row occurs where they trade places. Of their own rows they tell the driver how
    often each came, before anything of them is seen. The plan's known columns are
    written beside the released ones. What is seen was drawn once for every row: the files appear together, when all are there, each from one attempt at
    its task.
    `keep` carries the columns along that the plan was calibrated against, `keep_unprotected` others, with no promise about
    them; `drop` leaves out rows whose value is missing or unknown to the plan, in place of an error, and new rows of a secret
    that the plan does not know, but none beside kept columns, which would show whose rows these are; categories, ends and values that fewer than `publish_min` people share are refused; `mode` is "error", where the path must not exist, or "overwrite".
    A `ledger`, on the driver, counts the release before its folder appears, and refuses it where the budget would be passed.
    """
    _check_frame(df)
    least = _texts.people(publish_min, "publish_min")
    if mode not in ("error", "overwrite"):
        raise UsageError(f"mode: there is no mode {mode!r}", 'give mode="error" or mode="overwrite"')
    check_that_tasks_commit_once(df.sparkSession)
    released = _released(plan, names_of(column))
    if plan._person():
        raise UsageError("the plan takes one row per person, which Spark frames do not for now", "release from a file or a frame")
    _check_people(df, plan._watched(df.columns, plan._counted_columns(), _texts.switch(rows_independent, "rows_independent")))
    plan._core.check_kept(names_of(keep), names_of(keep_unprotected))
    carried = plan._carried(names_of(keep), names_of(keep_unprotected))
    _check_columns(df, [*released, *carried.covered, *carried.unprotected])

    def make(count: Callable[[], None]) -> str:
        with NewFolder(df.sparkSession, path, mode == "overwrite") as folder:
            folder.check_that_it_is_not_read(df)
            checking = plan._core.start(least)  # verifies the plan
            looked_at = [*released, *plan._source("known")] if new_data else []
            looks = _Looks([*looked_at, *names_of(keep_unprotected)], plan._source("na"), df.columns)
            drawing = _drawing_of(df, _work_of(plan, least, new_data), released, carried, drop, looks)
            counted = [] if new_data else _columns_of_counts(plan)
            _check_columns(df, counted)
            check = functools.partial(_check, df, counted, checking, drop)
            leaves_out = _leaves_out(df, plan, new_data, drop)
            codec = None if carried.covered or carried.unprotected else folder.codec(drawing.types)
            if counted and (leaves_out or codec is None):
                check()
                counted = []
            beside = Carried(names_of(keep), names_of(keep_unprotected))
            rows = _rows_that_stay(df, plan, checking, new_data, drop, beside) if leaves_out else df
            with handing_over(df, plan, [*drawing.names, *counted]):
                if codec is None:
                    with worker_errors():
                        folder.write(_plain(rows, drawing.names).mapInArrow(drawing.draw, drawing.schema))
                else:
                    _write_in_one_pass(rows, drawing, counted, check, folder, codec)
            count()
            folder.appear()
        return str(folder.name)

    place = path if ledger is None else place_of(df.sparkSession, path)
    facts = Facts(place, names_of(keep), names_of(keep_unprotected), new_data, drop)
    name = within_budget(ledger, plan, facts, make)
    warn_of_unprotected(names_of(keep_unprotected), 2)
    return df.sparkSession.read.parquet(name)


def _released(plan: Plan, asked: list[str]) -> list[str]:
    released = plan._source("public")
    if not released or not plan._source("secret"):
        raise UsageError("the plan does not name the columns of a table", "calibrate what fugu.spark.count gives")
    if asked != released:
        raise UsageError("column: this is not what the plan releases", "the plan releases " + ", ".join(map(repr, released)))
    return released


def _column(name: str) -> Column:
    return sql.col("`" + name.replace("`", "``") + "`")


def _exact(df: DataFrame, name: str) -> Column:
    """A column by the bytes of its texts, as the core takes them: a collation would make one of several."""
    is_text = isinstance(df.schema[name].dataType, StringType)
    return sql.collate(_column(name), "UTF8_BINARY") if is_text else _column(name)


def _check_frame(df: Any) -> None:
    if isinstance(df, DataFrame) and getattr(df.sparkSession, "_jvm", None) is not None:
        return
    raise UsageError(
        "this is no frame of a Spark that runs here",
        "give a pyspark.sql.DataFrame of a classic session; Spark Connect cannot run fugu's driver part",
    )


def _check_columns(df: DataFrame, names: Iterable[str]) -> None:
    for name in names:
        if df.columns.count(name) != 1:
            there = "there is no such column" if name not in df.columns else "two columns have this name"
            raise UsageError(f"column {name!r}: {there}", "the frame has: " + ", ".join(df.columns))


def _check_people(df: DataFrame, names: list[str]) -> None:
    """Refuses columns that look like people's numbers that come again."""

    def repeats(name: str) -> tuple[int, int]:
        asked = df.agg(sql.count_distinct(_exact(df, name)), sql.count(_column(name)))
        found = quiet(asked.first, "the frame", "run df.count(): Spark says what is wrong")
        return int(found[0]), int(found[1])

    check_people(repeats, [name for name in names if df.columns.count(name) == 1])


def _counted(df: DataFrame, columns: list[str]) -> Counted:
    _check_columns(df, columns)
    groups = df.groupBy([_exact(df, name).alias(name) for name in dict.fromkeys(columns)])
    counted = groups.agg(sql.count(sql.lit(1)).alias(TIMES))
    return Counted(quiet(counted.toArrow, "the frame", "run df.count(): Spark says what is wrong"), TIMES)


def _columns_of_counts(plan: Plan) -> list[str]:
    weight = (plan._data["scenario"]["source"].get("weight") or {}).get("column")
    return [*dict.fromkeys([*plan._counted_columns(), *names_of(weight)])]


def _check(df: DataFrame, columns: list[str], checking: _core.Release, drop: bool, counts: Counted | None = None) -> None:
    """Whether the frame, or what was counted of it, is what the plan was made from."""
    counts = counts or _counted(df, columns)
    checking.check(counts.stream(None), drop, None, counts.times, True)


def _leaves_out(df: DataFrame, plan: Plan, new_data: bool, drop: bool) -> bool:
    """Whether rows may be left out that workers, who see the released columns, cannot tell: of one column by itself they can."""
    return (new_data or drop or _missing_drop(plan)) and bool(len(plan._source("public")) > 1 or _others(df, plan))


def _missing_drop(plan: Plan) -> bool:
    return bool(plan._data["scenario"]["source"].get("missing") == "drop")


def _others(df: DataFrame, plan: Plan) -> list[str]:
    """The columns besides the released ones that say which rows stay; new data need not have the secret."""
    besides = [*plan._source("secret"), *plan._source("given"), *plan._source("known")]
    return [name for name in besides if name in df.columns]


def _rows_that_stay(df: DataFrame, plan: Plan, checking: _core.Release, new_data: bool, drop: bool, carried: Carried) -> DataFrame:
    """Without the rows that the core leaves out."""
    names = [*dict.fromkeys([*_others(df, plan), *plan._source("public")])]
    counted = _counted(df, names)
    keep, beside_others = list(carried.covered), bool(carried.unprotected)
    return _without(df, counted, names, checking.rows_to_leave_out(counted.stream(None), new_data, drop, keep, beside_others))


def _without(df: DataFrame, counted: Counted, names: list[str], gone: bytes | None) -> DataFrame:
    """The frame less the rows that have the values of those that are flagged among the distinct ones."""
    if gone is None or not any(gone):
        return df
    return _less(df, counted.data.select(names).filter(compute.invert(_staying(gone, len(gone)))))


def _less(df: DataFrame, rows: Any) -> DataFrame:
    """Those rows of a frame whose columns do not have the values of one of a few rows."""
    names = rows.schema.names
    labels = [f"{_OTHER} {k}" for k in range(len(names))]
    few = df.sparkSession.createDataFrame(rows.rename_columns(labels))
    same = [_exact(df, name).eqNullSafe(_exact(few, label)) for name, label in zip(names, labels, strict=True)]
    return df.join(sql.broadcast(few), functools.reduce(operator.and_, same), "left_anti")


class _Looks(NamedTuple):
    """Whose names workers hold against the texts below them, as `check_names` takes it."""

    names: Sequence[str] = ()
    na: Sequence[str] = ()
    there: Sequence[str] = ()


class _Rows(NamedTuple):
    """What workers draw rows by, and not each column by itself."""

    releaser: str
    known: Sequence[str]  #: columns
    new_data: bool


def _work_of(plan: Plan, least: int, new_data: bool) -> list[str] | _Rows:
    if plan._core.releases_rows():
        return _Rows(plan._core.row_releaser(least).to_json(), plan._source("known"), new_data)
    return [releaser.to_json() for releaser in plan._core.releasers(least)]


class _Drawing(NamedTuple):
    """What workers draw."""

    names: list[str]  #: of the columns: the released ones, then those that go along
    types: list[Any]  #: of the released ones, when they are drawn
    schema: StructType
    draw: Callable[[Iterable[Any]], Iterable[Any]]


def _drawing_of(
    df: DataFrame, work: list[str] | _Rows, released: list[str], carried: Carried, drop: bool, looks: _Looks
) -> _Drawing:
    kinds = {name: df.schema[name].dataType for name in [*released, *carried.covered, *carried.unprotected]}
    known = [list(kinds).index(name) for name in work.known] if isinstance(work, _Rows) else []
    none = pa.RecordBatch.from_arrays([pa.array([], to_arrow_type(kind)) for kind in kinds.values()], names=[*kinds])
    types = [column.type for column in _drawer(work, len(released), known)(none, False, False)[0]]
    kinds.update({name: from_arrow_type(kind) for name, kind in zip(released, types, strict=True)})
    schema = StructType([StructField(name, kind) for name, kind in kinds.items()])
    covered = [k for k, name in enumerate(kinds) if name in carried.covered]
    beside_kept = bool(carried.covered or carried.unprotected)
    looks = looks._replace(names=[name if name in looks.names else "" for name in kinds])
    draw = _drawing(work, drop, _core.version, covered, beside_kept, looks, len(released), known)
    return _Drawing([*kinds], types, schema, draw)


def _plain(df: DataFrame, names: Iterable[str]) -> DataFrame:
    """These columns under plain names: mapInArrow would read a dot or a backtick as something else.

    Mapped, it is a lazy frame of draws: only a NewFolder may run it, once.
    """
    return df.select([_column(name).alias(f"c{k}") for k, name in enumerate(names)])


def _write_in_one_pass(
    rows: DataFrame, drawing: _Drawing, counted: Sequence[str], check: Callable[..., None], folder: NewFolder, codec: str
) -> None:
    """Workers write, and count what they draw from: where these rows are not the plan's, nothing of them appears."""
    names = [*dict.fromkeys([*drawing.names, *counted])]
    places = [names.index(name) for name in counted]
    run = writing(drawing.draw, drawing.names, places, folder.parts(), codec)
    try:
        with worker_errors():
            done = told(folder.collect(_plain(rows, names).mapInArrow(run, TOLD)), counted)
    except Error:
        if counted:
            check()  # of another table this says so, whatever workers stumbled over
        raise
    if counted:
        check(None if done.counts is None else Counted(done.counts, TIMES))
    none = pa.schema([*zip(drawing.names, drawing.types, strict=True)]).empty_table()
    folder.take(done.files, none, codec)


#: Of a batch whose first columns are released, with `drop` and `beside_kept`: these drawn, less the rows that are left out;
#: which rows stay, None where all do; of which what is known is not written, None where there is none.
_Drawer = Callable[[Any, bool, bool], tuple[list[Any], Any, Any]]


def _drawer(work: list[str] | _Rows, columns: int, known: Sequence[int]) -> _Drawer:
    return _by_rows(work, columns, known) if isinstance(work, _Rows) else _by_column(work)


def _by_column(releasers: list[str]) -> _Drawer:
    ours = [_core.Releaser.of_json(releaser) for releaser in releasers]

    def draw(batch: Any, drop: bool, beside_kept: bool) -> tuple[list[Any], Any, Any]:
        released = [_release(releaser, pa.chunked_array([batch.column(k)]), drop, beside_kept) for k, releaser in enumerate(ours)]
        if all(left_out is None for _, left_out in released):
            return [column for column, _ in released], None, None
        stays = [_staying(left_out, batch.num_rows) for _, left_out in released]
        both = functools.reduce(compute.and_, stays)
        return [column.filter(both.filter(mine)) for (column, _), mine in zip(released, stays, strict=True)], both, None

    return draw


def _release(releaser: _core.Releaser, column: Any, drop: bool, beside_kept: bool) -> tuple[Any, bytes | None]:
    released, left_out = releaser.release(column.__arrow_c_stream__(), drop, beside_kept, None)
    return pa.chunked_array(released).combine_chunks(), left_out


def _by_rows(work: _Rows, columns: int, known: Sequence[int]) -> _Drawer:
    ours = _core.RowsReleaser.of_json(work.releaser)

    def draw(batch: Any, drop: bool, beside_kept: bool) -> tuple[list[Any], Any, Any]:
        places = [*known, *range(columns)]
        table = pa.table([batch.column(k) for k in places], names=[f"c{k}" for k in places])
        released, left_out, hidden = ours.release(table.__arrow_c_stream__(), drop, beside_kept, work.new_data, None)
        covers = None if hidden is None else compute.invert(_staying(hidden, batch.num_rows))
        stays = None if left_out is None else _staying(left_out, batch.num_rows)
        return [pa.chunked_array(column).combine_chunks() for column in released], stays, covers

    return draw


def _drawing(
    work: list[str] | _Rows,
    drop: bool,
    version: str,
    covered: Sequence[int] = (),
    beside_kept: bool = False,
    looks: _Looks = _Looks(),
    columns: int = 1,
    known: Sequence[int] = (),
) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """What the workers run. It goes to them with these arguments, and nothing else does."""

    def draw(batches: Iterable[Any]) -> Iterator[Any]:
        with send_errors():
            _check_version(version)
            drawer = _drawer(work, columns, known)
        for batch in _gathered(batches):
            with send_errors():
                _check_names(batch, looks)
                drawn = _draw_batch(drawer, batch, covered, drop, beside_kept, looks.na)
            yield drawn

    return draw


def _gathered(batches: Iterable[Any], rows: int = _ROWS, size: int = _BYTES) -> Iterator[Any]:
    """The same rows in their order, in batches of so many rows or bytes and little more; the last one has what is left."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(part.num_rows for part in waiting) >= rows or sum(part.nbytes for part in waiting) >= size:
            yield _in_one(waiting)
            waiting = []
    if waiting:
        yield _in_one(waiting)


def _in_one(batches: list[Any]) -> Any:
    whole = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return whole[0] if whole else batches[0]  # of no rows


def _check_names(batch: Any, looks: _Looks) -> None:
    """`looks.names` are those of the batch's columns, empty where none is to be looked at."""
    for k, name in enumerate(looks.names):
        if name:
            column = ArrowFrame(pa.Table.from_arrays([batch.column(k)], names=[name]))
            check_names(column, [name], looks.na, looks.there)


def _check_version(driver: str) -> None:
    if driver != _core.version:
        raise UsageError(
            f"the workers have fugu {_core.version} and the driver has {driver}", "install the same wheel on all of them"
        )


def _draw_batch(drawer: _Drawer, batch: Any, covered: Sequence[int], drop: bool, beside_kept: bool, na: Sequence[str] = ()) -> Any:
    """The batch with its first columns drawn, less the rows that any of them leaves out; the covered ones are built anew."""
    columns, stays, hidden = drawer(batch, drop, beside_kept)
    for k in range(len(columns), batch.num_columns):
        column = pa.chunked_array([batch.column(k)])
        if k in covered:
            column = written_anew(column, stays, na, hidden)
        elif stays is not None:
            column = column.filter(stays)
        columns.append(column.combine_chunks())
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _staying(left_out: bytes | None, rows: int) -> Any:
    """One truth value for each row of a batch; `left_out` has a byte for each, or is None where none is left out."""
    flags = bytes(rows) if left_out is None else left_out
    return compute.equal(pa.Array.from_buffers(pa.uint8(), rows, [None, pa.py_buffer(flags)]), 0)
