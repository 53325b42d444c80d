"""What Spark writes appears whole or not at all, in one version."""

import pytest

pytest.importorskip("pyspark")

import fugu
import pyarrow as pa
import pyarrow.parquet as pq
from fugu._spark_folder import NewFolder, check_that_tasks_commit_once


def hidden_files(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(".fugu"))


def numbers(spark, rows):
    return spark.range(rows).selectExpr("id")


def write(spark, path, rows, overwrite=False):
    with NewFolder(spark, str(path), overwrite) as folder:
        folder.write(numbers(spark, rows))
        assert not path.exists() or overwrite
        folder.appear()


def test_it_appears_when_it_is_whole(spark, tmp_path):
    write(spark, tmp_path / "out", 1000)
    assert spark.read.parquet(str(tmp_path / "out")).count() == 1000
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_what_is_not_named_does_not_appear(spark, tmp_path):
    with NewFolder(spark, str(tmp_path / "out"), False) as folder:
        folder.write(numbers(spark, 10))
        assert hidden_files(tmp_path) != []
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_fails_leaves_nothing(spark, tmp_path):
    broken = spark.range(0, 100, 1, 4).selectExpr("raise_error('broken') as x")
    with pytest.raises(Exception, match="broken"):
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            folder.write(broken)
            folder.appear()
    assert list(tmp_path.iterdir()) == []


def test_a_path_that_exists_is_refused(spark, tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(fugu.FileError, match="it exists already") as raised:
        NewFolder(spark, str(tmp_path / "out"), False)
    assert 'mode="overwrite"' in raised.value.hint


def test_overwriting_replaces_all_of_it(spark, tmp_path):
    write(spark, tmp_path / "out", 1000)
    write(spark, tmp_path / "out", 7, overwrite=True)
    assert spark.read.parquet(str(tmp_path / "out")).count() == 7
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_overwriting_that_fails_keeps_the_old(spark, tmp_path):
    write(spark, tmp_path / "out", 1000)
    with pytest.raises(Exception, match="broken"):
        with NewFolder(spark, str(tmp_path / "out"), True) as folder:
            folder.write(spark.range(4).selectExpr("raise_error('broken') as x"))
    assert spark.read.parquet(str(tmp_path / "out")).count() == 1000
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_came_meanwhile_is_not_written_into(spark, tmp_path):
    with pytest.raises(fugu.FileError, match="already exists"):
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            folder.write(numbers(spark, 10))
            (tmp_path / "out").mkdir()
            folder.appear()
    assert list((tmp_path / "out").iterdir()) == []
    assert hidden_files(tmp_path) == []


def test_a_job_that_did_not_finish_gets_no_name(spark, tmp_path):
    with pytest.raises(fugu.InternalError, match="did not finish"):
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            folder.write(numbers(spark, 10))
            hidden = tmp_path / hidden_files(tmp_path)[0]
            (hidden / "_SUCCESS").unlink()
            folder.appear()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [("", "no output is given"), ("/", "no folder that can be written"), ("/nowhere/at/all", "does not exist"),
     ("strange://host/x", "strange://host/x: ")],
)
def test_a_place_that_cannot_be_written_is_refused(spark, path, message):
    with pytest.raises(fugu.Error) as raised:
        NewFolder(spark, path, False)
    assert message in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize(
    ("name", "other", "usual"),
    [("spark.sql.sources.commitProtocolClass", "org.apache.spark.internal.io.HadoopMapReduceCommitProtocol",
      "org.apache.spark.sql.execution.datasources.SQLHadoopMapReduceCommitProtocol"),
     ("spark.sql.sources.outputCommitterClass", "org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter",
      "org.apache.parquet.hadoop.ParquetOutputCommitter"),
     ("spark.sql.parquet.output.committer.class", "org.apache.hadoop.mapreduce.lib.output.BindingPathOutputCommitter",
      "org.apache.parquet.hadoop.ParquetOutputCommitter")],
)
def test_another_way_to_commit_is_refused(spark, name, other, usual):
    spark.conf.set(name, other)
    try:
        with pytest.raises(fugu.UsageError, match=name):
            check_that_tasks_commit_once(spark)
        spark.conf.set(name, usual)
        check_that_tasks_commit_once(spark)
    finally:
        spark.conf.unset(name)


def test_a_committer_of_hadoops_configuration_is_refused(spark):
    name = "spark.sql.parquet.output.committer.class"
    spark._jsc.hadoopConfiguration().set(name, "org.example.DirectCommitter")
    try:
        with pytest.raises(fugu.UsageError, match=name):
            check_that_tasks_commit_once(spark)
    finally:
        spark._jsc.hadoopConfiguration().unset(name)
    check_that_tasks_commit_once(spark)


def one_part_done_then_a_failure(spark):
    """Its first part is committed long before its second fails."""

    def run(batches):
        import time

        from pyspark import TaskContext

        if TaskContext.get().partitionId() == 1:
            time.sleep(3)
            raise ValueError("broken")
        yield from batches

    return spark.range(0, 100, 1, 2).mapInArrow(run, "id long")


VERSION = "mapreduce.fileoutputcommitter.algorithm.version"


def test_parts_are_seen_when_the_job_is_done_whatever_the_session_says(spark, tmp_path):
    """Version 2 of the algorithm, which shows the parts one by one, is set, and is not used."""
    spark.conf.set(VERSION, "2")
    try:
        with pytest.raises(Exception, match="broken"):
            one_part_done_then_a_failure(spark).write.parquet(str(tmp_path / "naive"))
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            with pytest.raises(Exception, match="broken"):
                folder.write(one_part_done_then_a_failure(spark))
            assert list(tmp_path.glob(".fugu-*/part-*")) == []
    finally:
        spark.conf.unset(VERSION)
    assert len(list((tmp_path / "naive").glob("part-*"))) == 1, "the control shows what version 2 leaves"


# What workers write by themselves


def numbers_of(path):
    return sorted(pq.read_table(path)["id"].to_pylist())


def test_of_what_workers_wrote_only_what_counts_appears(spark, tmp_path):
    none = pa.table({"id": pa.array([], pa.int64())})
    with NewFolder(spark, str(tmp_path / "out"), False) as folder:
        parts = folder.parts()
        for name, rows in {"first": [1, 2], "again": [1, 3], "second": [4], "unfinished": [5]}.items():
            pq.write_table(pa.table({"id": rows}), f"{parts}/{name}")
        folder.take({0: "again", 1: "second"}, none, "snappy")
        folder.appear()
    assert numbers_of(tmp_path / "out") == [1, 3, 4]
    assert sorted(path.name[:10] for path in (tmp_path / "out").iterdir()) == ["_SUCCESS", "part-00000", "part-00001"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_no_rows_are_a_table_too(spark, tmp_path):
    with NewFolder(spark, str(tmp_path / "out"), False) as folder:
        folder.parts()
        folder.take({}, pa.table({"id": pa.array([], pa.int64())}), "snappy")
        folder.appear()
    assert spark.read.parquet(str(tmp_path / "out")).dtypes == [("id", "bigint")]


def test_a_file_that_is_gone_is_no_release(spark, tmp_path):
    with pytest.raises(fugu.FileError, match="it cannot be written"):
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            folder.parts()
            folder.take({0: "elsewhere"}, None, "snappy")
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_is_still_there_gets_no_name(spark, tmp_path):
    with pytest.raises(fugu.InternalError, match="did not finish"):
        with NewFolder(spark, str(tmp_path / "out"), False) as folder:
            folder.parts()
            folder.appear()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"), [("parquet.crypto.factory.class", "org.example.Keys"), ("parquet.block.size", "1000000"),
                        ("spark.sql.files.maxRecordsPerFile", "10"), ("spark.sql.parquet.compression.codec", "brotli")]
)
def test_where_parquet_has_settings_spark_writes(spark, tmp_path, name, value):
    with NewFolder(spark, str(tmp_path / "out"), False) as folder:
        assert folder.codec([pa.int64(), pa.string()]) == "snappy"
        assert folder.codec([pa.int64(), pa.timestamp("us")]) is None
        spark.conf.set(name, value)
        try:
            assert folder.codec([pa.int64()]) is None
        finally:
            spark.conf.unset(name)


# What the frame is read from


@pytest.fixture
def read(spark, tmp_path):
    """Two parts of a table with a space in its name, and a frame of one of them."""
    numbers(spark, 10).write.parquet(str(tmp_path / "the data" / "in" / "day=1"))
    numbers(spark, 10).write.parquet(str(tmp_path / "the data" / "in" / "day=2"))
    return spark.read.parquet(str(tmp_path / "the data" / "in"))


def refuses(spark, path, frame):
    with NewFolder(spark, str(path), True) as folder:
        with pytest.raises(fugu.UsageError, match="the frame is read from there") as raised:
            folder.check_that_it_is_not_read(frame)
        assert "another path" in raised.value.hint
    return True


@pytest.mark.parametrize("path", ["in", "in/day=1", ".", "in/new"])
def test_what_is_read_is_not_replaced(spark, tmp_path, read, path):
    before = sorted(file for file in tmp_path.rglob("*"))
    assert refuses(spark, tmp_path / "the data" / path, read)
    assert refuses(spark, tmp_path / "the data" / path, read.filter("id > 3").join(numbers(spark, 4), "id"))
    assert sorted(file for file in tmp_path.rglob("*")) == before


def test_what_is_read_and_kept_in_memory_is_not_replaced_either(spark, tmp_path, read):
    read.cache().count()
    try:
        again = spark.read.parquet(str(tmp_path / "the data" / "in"))
        assert refuses(spark, tmp_path / "the data" / "in", again.filter("id > 3"))
    finally:
        read.unpersist()


def test_a_link_to_what_is_read_is_not_replaced(spark, tmp_path, read):
    (tmp_path / "link").symlink_to(tmp_path / "the data" / "in")
    assert refuses(spark, tmp_path / "link", read)


def test_what_lies_beside_may_be_replaced(spark, tmp_path, read):
    for name in ("other", "in2", "i"):
        (tmp_path / "the data" / name).mkdir()
        with NewFolder(spark, str(tmp_path / "the data" / name), True) as folder:
            folder.check_that_it_is_not_read(read)
            folder.check_that_it_is_not_read(numbers(spark, 3))
    one_file = spark.read.parquet(str(next((tmp_path / "the data" / "in" / "day=1").glob("part-*"))))
    with NewFolder(spark, str(tmp_path / "the data" / "in" / "day=2"), True) as folder:
        folder.check_that_it_is_not_read(one_file)
