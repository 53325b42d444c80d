"""A folder of Parquet files that Spark writes and that appears under its name whole, or not at all."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from types import TracebackType
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as parquet  # type: ignore[import-untyped]
from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession

from fugu._errors import FileError, InternalError, UsageError
from fugu._spark_files import CODECS

# With these, the files of a task are seen when the driver has let this one attempt commit, and not before: the algorithm's
# version 2 moves them into place one by one, so that a killed attempt could leave some behind.
_COMMITTING = {
    "mapreduce.fileoutputcommitter.algorithm.version": "1",
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "true",
}
_PROTOCOL = "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol"
_COMMITTER = "org.apache.parquet.hadoop.ParquetOutputCommitter"
_PARTS = "_temporary"  # within the hidden folder; while it is there nothing gets its name


def check_that_tasks_commit_once(spark: SparkSession) -> None:
    """Refuses a Spark whose settings could show two versions of a row, or draw twice for nothing."""
    settings = {
        "spark.speculation": "false",
        "spark.hadoop.outputCommitCoordination.enabled": "true",
        "spark.sql.sources.commitProtocolClass": _PROTOCOL,
        # A committer of its own could write into place directly.
        "spark.sql.sources.outputCommitterClass": _COMMITTER,
        "spark.sql.parquet.output.committer.class": _COMMITTER,
    }
    for name, wanted in settings.items():
        found = _setting(spark, name) or wanted
        if found != wanted:
            raise UsageError(
                f"{name} is {found}, and a release must not run a task twice and keep both",
                f"start Spark with {name}={wanted}",
            )


def _setting(spark: SparkSession, name: str) -> str | None:
    """What a setting is, where it is set: what writes asks Hadoop's configuration, with the session's on top."""
    if not name.startswith("spark.sql."):
        return spark.sparkContext.getConf().get(name, None)
    hadoop: Any = spark._jsc.hadoopConfiguration()
    return spark.conf.get(name, None) or hadoop.get(name)


def _places_read(df: DataFrame) -> list[Any]:
    """The files that a frame is read from, and the folders that were asked for, as java.net.URIs.

    Spark forgets the files of a frame that is kept in memory, but not what it was made of.
    """
    jvm: Any = df.sparkSession._jvm
    places = [jvm.java.net.URI(file) for file in df.inputFiles()]
    with contextlib.suppress(Py4JError):
        leaves: Any = df._jdf.queryExecution().analyzed().collectLeaves()
        for k in range(leaves.size()):
            with contextlib.suppress(Py4JError):  # not every leaf is of files
                paths = leaves.apply(k).relation().location().rootPaths()
                places += [paths.apply(j).toUri() for j in range(paths.size())]
    return places


def place_of(spark: SparkSession, path: str) -> str:
    """The folder with its file system: `file:/out`, `hdfs://host/out`."""
    jvm: Any = spark._jvm
    try:
        asked = jvm.org.apache.hadoop.fs.Path(path)
        return str(asked.getFileSystem(spark._jsc.hadoopConfiguration()).makeQualified(asked).toString())
    except Py4JError:
        return path  # what is wrong with it is said where it is written


def _is_plain(kind: Any) -> bool:
    """Whether pyarrow and Spark write the same of it."""
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_string, pa.types.is_date32, pa.types.is_decimal128)
    return any(test(kind) for test in tests)


@contextlib.contextmanager
def _os_errors(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as failure:
        raise FileError(f"{path}: it cannot be written ({failure.strerror})", "see that all workers share the folder and the disk is not full") from None


class NewFolder(contextlib.AbstractContextManager["NewFolder"]):
    """Writes beside `path` under a hidden name, and renames when all is there. Leaves nothing when it is left by an error.

    Where the file system renames a folder at once (local disks, HDFS), so does this appear; an object store copies file by
    file.
    """

    def __init__(self, spark: SparkSession, path: str, overwrite: bool) -> None:
        self._spark = spark
        self._overwrite = overwrite
        jvm: Any = spark._jvm
        if not path:
            raise UsageError("path: no output is given", "name the folder to write")
        self._configuration: Any = spark._jsc.hadoopConfiguration()
        self._hadoop: Any = jvm.org.apache.hadoop.fs
        with self._file_errors(path):
            asked = self._hadoop.Path(path)
            self._files: Any = asked.getFileSystem(self._configuration)
            self._path: Any = self._files.makeQualified(asked)
            self._check_place(path)
            self._hidden = self._beside()
        self.name = self._path.toString()

    def check_that_it_is_not_read(self, df: DataFrame) -> None:
        """Refuses to replace what the frame is read from: the original would be gone."""
        if not self._overwrite:
            return
        with self._file_errors(self.name):
            target = self._parts(self._path)
            for uri in _places_read(df):
                read = self._parts(self._hadoop.Path(uri))
                if all(ours == theirs for ours, theirs in zip(target, read)):
                    raise UsageError(f"{self.name}: the frame is read from there", "give the output another path")

    def _parts(self, path: Any) -> tuple[str, ...]:
        """A path part by part, so that one lies in another where it begins like it."""
        uri = path.getFileSystem(self._configuration).makeQualified(path).toUri()
        local = uri.getScheme() == "file"
        folder = os.path.realpath(uri.getPath()) if local else uri.getPath()
        return (uri.getScheme(), uri.getAuthority() or "", *PurePosixPath(folder).parts)

    def __enter__(self) -> "NewFolder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._delete(self._hidden)

    def write(self, frame: DataFrame) -> None:
        """Runs the frame once and writes it, still hidden. A job that is stopped is stopped before this returns."""
        with self._stopped_in_time():
            frame.write.mode("errorifexists").options(**_COMMITTING).parquet(self._hidden.toString())

    # ---- where workers write the files

    def codec(self, types: Iterable[Any]) -> str | None:
        """The compression of files that workers write by themselves; None where Spark has to write them: to what is no folder of this
        machine, of other types, or where Spark or Hadoop has settings of its own for Parquet, as for encryption."""
        settings = self._spark._jsparkSession.sessionState().newHadoopConf()
        usual = settings.getPropsWithPrefix("parquet.").isEmpty() and self._spark.conf.get("spark.sql.files.maxRecordsPerFile", "0") == "0"
        if not usual or self._path.toUri().getScheme() != "file" or not all(map(_is_plain, types)):
            return None
        return CODECS.get(str(self._spark.conf.get("spark.sql.parquet.compression.codec")).lower())

    def parts(self) -> str:
        """The folder in which workers write, each a file of a name that is new."""
        folder = os.path.join(self._hidden.toUri().getPath(), _PARTS)
        with _os_errors(self.name):
            os.makedirs(folder)
        return folder

    def collect(self, frame: DataFrame) -> list[Any]:
        """Runs the frame once: of each part, the rows of one attempt that ended well."""
        with self._stopped_in_time():
            return frame.collect()

    def take(self, files: Mapping[int, str], none: Any, codec: str) -> None:
        """Of what workers wrote these files, by part; any other is of an attempt that did not count, and goes. `none` is a table
        without rows, for a folder without files."""
        hidden = self._hidden.toUri().getPath()
        written = os.path.join(hidden, _PARTS)
        run = secrets.token_hex(8)
        with _os_errors(self.name):
            for part, file in files.items():
                os.rename(os.path.join(written, file), os.path.join(hidden, f"part-{part:05}-{run}.parquet"))
            if not files:
                parquet.write_table(none, os.path.join(hidden, f"part-00000-{run}.parquet"), compression=codec)
            shutil.rmtree(written)
            with open(os.path.join(hidden, "_SUCCESS"), "xb"):
                pass

    @contextlib.contextmanager
    def _stopped_in_time(self) -> Iterator[None]:
        context = self._spark.sparkContext
        tag = f"fugu-{secrets.token_hex(8)}"
        context.addJobTag(tag)
        try:
            yield
        except BaseException:
            context.cancelJobsWithTag(tag)
            raise
        finally:
            context.removeJobTag(tag)

    def appear(self) -> None:
        """Gives the folder its name."""
        with self._file_errors(self.name):
            names = {status.getPath().getName() for status in self._files.listStatus(self._hidden)}
            if "_SUCCESS" not in names or "_temporary" in names:
                raise InternalError(f"{self.name}: Spark did not finish writing", "look into Spark's log")
            replaced = None
            if self._overwrite and self._files.exists(self._path):
                replaced = self._beside()
                self._rename(self._path, replaced)
            try:
                self._rename(self._hidden, self._path)
            except BaseException:
                if replaced is not None:
                    self._rename(replaced, self._path)
                raise
            if replaced is not None:
                self._delete(replaced)

    def _check_place(self, path: str) -> None:
        parent = self._path.getParent()
        if parent is None:
            raise UsageError(f"{path}: this is no folder that can be written", "name a folder below it")
        if not self._files.exists(parent):
            raise FileError(f"{path}: its folder does not exist", "make the folder first")
        if self._files.exists(self._path) and not self._overwrite:
            raise FileError(f"{path}: it exists already", 'give another path, or mode="overwrite"')

    def _beside(self) -> Any:
        return self._hadoop.Path(self._path.getParent(), f".fugu-{secrets.token_hex(8)}")

    def _rename(self, source: Any, target: Any) -> None:
        # FileSystem.rename would move into a folder that has appeared meanwhile; this one refuses.
        kind = getattr(self._hadoop, "Options$Rename")
        gateway: Any = self._spark.sparkContext._gateway
        context = self._hadoop.FileContext.getFileContext(source.toUri(), self._configuration)
        context.rename(source, target, gateway.new_array(kind, 0))

    def _delete(self, folder: Any) -> None:
        # What cannot be deleted is hidden and never read: no reason to hide the error that led here.
        with contextlib.suppress(Exception):
            self._files.delete(folder, True)

    @contextlib.contextmanager
    def _file_errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except Py4JJavaError as error:
            reason = str(error.java_exception.toString()).splitlines()[0]
            raise FileError(f"{path}: {reason}", "check that the folder can be written") from None
