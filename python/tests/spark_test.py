"""fugu.spark on one process: the same counts as from the file, the same checks, the types, one draw for every row."""

import csv
import decimal
import json
import subprocess

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.parquet
from pyspark import cloudpickle
from pyspark.sql.types import DecimalType, LongType, StringType

import fugu
import fugu.spark
from fugu._spark_errors import worker_errors
from fugu._spark_files import writing
from fugu._spark_hand_over import handing_over
from fugu.spark import _drawing, _gathered, _work_of
from known_test import MERGED
from known_test import people as known_people
from tables import run, write_csv

PEOPLE = 600


def people():
    """(id, group, job, hours, pay): the secret is the group."""
    for k in range(PEOPLE):
        right = k % 3 == 0
        job = ["baker", "clerk", "cook"][k // 3 % (2 if right else 3)]
        yield k, "right" if right else "left", job, 30 + (k * 7 + right) % 12, decimal.Decimal(k // 3 % (4 if right else 5)) / 4


SCHEMA = "id long, group string, job string, hours int, pay decimal(9,2)"


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(list(people()), SCHEMA).repartition(5, "id").cache()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "people.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["id", "group", "job", "hours", "pay"])
        writer.writerows(people())
    return path


def plan_of(frame, column="hours", epsilon=2, **question):
    return fugu.calibrate(fugu.spark.count(frame, secret="group", public=column, epsilon=epsilon, **question), method="exact")


def rows_of(frame, *columns):
    return sorted(frame.select(*columns).collect(), key=lambda row: row[0])


# Counting


@pytest.mark.parametrize("column", ["hours", "job", "pay"])
def test_the_plan_is_the_command_lines_byte_for_byte(frame, file, program, tmp_path, column):
    subprocess.run([program, "calibrate", file, "--secret", "group", "--public", column, "--epsilon", "2", "--method", "exact", "-o",
                    tmp_path / "plan.json"], check=True, capture_output=True)
    assert plan_of(frame, column).to_json() == (tmp_path / "plan.json").read_text()


def test_given_columns_are_counted_as_in_the_file(frame, file, program, tmp_path):
    subprocess.run([program, "calibrate", file, "--secret", "group", "--public", "hours", "--given", "job", "--epsilon", "2", "--method", "exact",
                    "-o", tmp_path / "plan.json"], check=True, capture_output=True)
    assert plan_of(frame, given="job").to_json() == (tmp_path / "plan.json").read_text()


def test_counting_does_not_depend_on_how_the_rows_lie(frame):
    assert plan_of(frame).to_json() == plan_of(frame.coalesce(1).orderBy("job")).to_json()


def test_a_column_that_is_not_there(frame):
    with pytest.raises(fugu.UsageError, match="column 'house': there is no such column") as raised:
        fugu.spark.count(frame, secret="group", public="house", epsilon=1)
    assert "hours" in raised.value.hint


def test_names_that_spark_would_read_as_something_else(spark):
    frame = spark.createDataFrame([("a", 1), ("b", 2), ("a", 2), ("b", 1)], ["the.group", "count`s"])
    scenario = fugu.spark.count(frame, secret="the.group", public="count`s", epsilon=1)
    assert json.loads(scenario.to_json())["source"] == {"secret": ["the.group"], "public": ["count`s"]}


def test_what_is_no_frame(frame):
    with pytest.raises(fugu.UsageError, match="no frame of a Spark"):
        fugu.spark.count(frame.toPandas(), secret="group", public="hours", epsilon=1)


# Releasing


@pytest.mark.parametrize("column", ["hours", "job", "pay"])
def test_every_row_is_released_once(frame, tmp_path, column):
    """Of noise that is not held within a range numbers have their widest type: a narrower one would tell how far they reach."""
    widest = {"hours": LongType(), "pay": DecimalType(38, 2), "job": StringType()}
    released = fugu.spark.release(frame, plan_of(frame, column), column, str(tmp_path / "out"), keep_unprotected="id")
    assert released.schema[column].dataType == widest[column]
    assert released.columns == [column, "id"]
    assert [row.id for row in rows_of(released, "id")] == list(range(PEOPLE))
    before = dict(rows_of(frame, "id", column))
    changed = sum(before[row.id] != row[column] for row in released.collect())
    assert PEOPLE / 20 < changed < PEOPLE, "noise was drawn, and not everywhere"


def test_a_ledger_counts_a_release_before_its_folder_appears(frame, tmp_path):
    scenario = fugu.spark.count(frame, secret="group", public="hours", rows_independent=True)
    plan = fugu.calibrate(scenario, epsilon=0.4, method="dp-laplace")
    ledger = fugu.Ledger(tmp_path / "budget.db", dataset="people", budget=0.4)
    released = fugu.spark.release(frame, plan, "hours", str(tmp_path / "one"), ledger=ledger, rows_independent=True)
    assert released.count() == PEOPLE and 0 < ledger.spent["spent"]["epsilon"] <= 0.4
    with pytest.raises(fugu.BudgetError):
        fugu.spark.release(frame, plan, "hours", str(tmp_path / "two"), ledger=ledger, rows_independent=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["budget.db", "one"]
    assert ledger.accounts()[0]["releases"][0]["output"] == f"file:{tmp_path / 'one'}"


def test_the_frame_does_not_change_when_it_is_computed_again(frame, tmp_path):
    released = fugu.spark.release(frame, plan_of(frame), "hours", str(tmp_path / "out"), keep_unprotected="id")
    first = rows_of(released, "id", "hours")
    assert rows_of(released, "id", "hours") == first
    assert rows_of(released.repartition(3), "id", "hours") == first


def test_a_lazy_frame_of_draws_does_change(frame):
    """The control: this is what release() must not hand out."""
    plan = plan_of(frame)
    draw = _drawing([releaser.to_json() for releaser in plan._core.releasers(5)], False, fugu.__version__)
    lazy = frame.select("hours", "id").mapInArrow(draw, "hours long, id long")
    assert rows_of(lazy, "id", "hours") != rows_of(lazy, "id", "hours")


def test_a_plain_udf_draws_twice_within_one_query(frame):
    """The control as most would write it: a column drawn once and used twice is drawn twice."""
    from pyspark.sql.functions import col, udf

    def draw(value):
        import random

        return value + random.randint(-1000, 1000)

    noisy = frame.withColumn("noisy", udf(draw, "int")(col("hours")))
    assert rows_of(noisy, "id", "noisy") != rows_of(noisy, "id", "noisy")


def test_two_releases_are_two_draws(frame, tmp_path):
    plan = plan_of(frame)
    one, two = (fugu.spark.release(frame, plan, "hours", str(tmp_path / name), keep_unprotected="id") for name in ("one", "two"))
    assert rows_of(one, "id", "hours") != rows_of(two, "id", "hours")


def test_what_goes_to_the_workers_knows_no_secret_and_no_count(frame):
    plan = plan_of(frame, "job")
    draw = _drawing([releaser.to_json() for releaser in plan._core.releasers(5)], False, "0")
    sent = cloudpickle.dumps(writing(draw, ["job"], [1, 0], "/out", "snappy"))
    assert b"baker" in sent, "the map of the values does go"
    for word in (b"left", b"right", b"group", b"mass", b"prior", b"epsilon"):
        assert word in plan.to_json().encode(), "the plan has it"
        assert word not in sent


def test_the_table_must_be_the_plans(frame, tmp_path):
    plan = plan_of(frame)
    with pytest.raises(fugu.GuaranteeError, match="not the one that the plan was made from"):
        fugu.spark.release(frame.limit(PEOPLE - 1), plan, "hours", str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []
    released = fugu.spark.release(frame.limit(PEOPLE - 1), plan, "hours", str(tmp_path / "out"), new_data=True)
    assert released.count() == PEOPLE - 1


def changing(spark, marks, wrong):
    """A table in three parts that is another one, of a row less, when it is computed for the `wrong`th time."""

    def run(batches):
        import pathlib
        import uuid

        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        time = len(list(pathlib.Path(marks).glob(f"{part}.*")))
        pathlib.Path(marks, f"{part}.{uuid.uuid4().hex}").touch()
        for batch in batches:
            yield batch.slice(1) if time == wrong and part == 2 else batch

    marks.mkdir()
    return spark.createDataFrame(list(people()), SCHEMA).repartition(3, "id").mapInArrow(run, SCHEMA)


def test_the_rows_that_are_drawn_are_the_ones_that_are_compared(spark, tmp_path):
    frame = changing(spark, tmp_path / "marks", 2)
    alone = {"rows_independent": True}  # else the column of ids is looked at as well
    released = fugu.spark.release(frame, plan_of(frame, **alone), "hours", str(tmp_path / "out"), **alone)
    assert released.count() == PEOPLE
    assert len(list((tmp_path / "marks").iterdir())) == 2 * 3, "counted once, drawn once, not computed in between"
    again = changing(spark, tmp_path / "others", 1)
    with pytest.raises(fugu.GuaranteeError, match="not the one that the plan was made from"):
        fugu.spark.release(again, plan_of(again, **alone), "hours", str(tmp_path / "other"), **alone)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "others", "out"]


def test_what_is_wrong_with_a_table_is_said_of_its_columns(frame, spark, tmp_path):
    """Workers, who see a batch of nameless columns, stumble first."""
    stranger = spark.createDataFrame([(PEOPLE, "left", "astronaut", 31, None)], SCHEMA)
    with pytest.raises(fugu.DataError, match="^the table: a row, column 'job': the plan does not know this value"):
        fugu.spark.release(frame.union(stranger), plan_of(frame, "job"), "job", str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


def test_no_rows_of_new_data(frame, tmp_path):
    plan = plan_of(frame)
    released = fugu.spark.release(frame.filter("id < 0"), plan, "hours", str(tmp_path / "out"), new_data=True)
    assert released.count() == 0 and released.columns == ["hours"]


def test_the_sessions_settings_are_as_before(frame, spark, tmp_path):
    names = ["spark.sql.execution.arrow.maxRecordsPerBatch", "spark.sql.execution.arrow.maxBytesPerBatch"]
    seen = []
    for begin in (False, True):
        before = [spark.conf.get(name) for name in names]
        with handing_over(frame, plan_of(frame), ["hours", "group"]):
            with handing_over(frame, plan_of(frame), ["hours"]):
                seen.append([spark.conf.get(name) for name in names])
            assert [spark.conf.get(name) for name in names] == seen[-1]
        assert [spark.conf.get(name) for name in names] == before
        spark.conf.set(names[0], "70000")
    spark.conf.unset(names[0])
    assert seen == [["50000", "2147483647"], ["70000", "2147483647"]]


def test_where_rows_may_be_of_any_length_spark_weighs_them(frame, spark):
    name = "spark.sql.execution.arrow.maxBytesPerBatch"
    weighed = spark.conf.get(name)
    long = spark.createDataFrame([(1, [1], "x")], "hours int, list array<int>, group string")
    plan = plan_of(frame)
    with handing_over(long, plan, ["hours", "list"]):
        assert spark.conf.get(name) == weighed
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000000")
    try:
        with handing_over(long, plan, ["hours", "group"]):
            assert spark.conf.get(name) == weighed
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def test_a_plan_that_was_touched_does_not_release(frame, tmp_path):
    honest = json.loads(plan_of(frame).to_json())
    honest["mechanism"]["tail"]["numerator"] = "1"
    with pytest.raises(fugu.Error):
        fugu.spark.release(frame, fugu.Plan.from_json(json.dumps(honest)), "hours", str(tmp_path / "out"), new_data=True)
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_the_plan_does_not_know(frame, spark, tmp_path):
    stranger = spark.createDataFrame([("left", "astronaut")], "group string, job string")
    with pytest.raises(fugu.DataError) as raised:
        fugu.spark.release(stranger, plan_of(frame, "job"), "job", str(tmp_path / "out"), new_data=True)
    assert raised.value.hint
    assert "astronaut" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []
    both = frame.select("group", "job").union(stranger)
    released = fugu.spark.release(both, plan_of(frame, "job"), "job", str(tmp_path / "out"), new_data=True, drop=True)
    assert released.count() == PEOPLE


@pytest.mark.parametrize("secret", ["group", ["group", "job"]])
def test_new_data_has_no_other_secrets(frame, spark, tmp_path, secret):
    plan = fugu.calibrate(fugu.spark.count(frame, secret=secret, public="hours", epsilon=2), method="exact")
    strangers = spark.createDataFrame([(PEOPLE, "nobody", "cook", 31, None), (PEOPLE + 1, None, "cook", 31, None)], SCHEMA)
    with pytest.raises(fugu.DataError, match="^the table: a row, column 'group': the (plan does not know this secret|field is missing)") as raised:
        fugu.spark.release(frame.union(strangers), plan, "hours", str(tmp_path / "out"), new_data=True)
    assert "nobody" not in str(raised.value) and "such rows out" in raised.value.hint
    with pytest.raises(fugu.UsageError, match="^the table: a row, column 'group': the row would be left out"):
        fugu.spark.release(
            frame.union(strangers), plan, "hours", str(tmp_path / "out"), new_data=True, drop=True, keep_unprotected="id")
    assert list(tmp_path.iterdir()) == []
    released = fugu.spark.release(frame.union(strangers), plan, "hours", str(tmp_path / "out"), new_data=True, drop=True)
    assert released.count() == PEOPLE
    alone = frame.union(strangers).select("hours")
    assert fugu.spark.release(alone, plan, "hours", str(tmp_path / "alone"), new_data=True).count() == PEOPLE + 2


def test_missing_values(spark, tmp_path):
    table = [("a", 1, 0), ("b", 2, 1), ("a", None, 2), (None, 1, 3), ("b", 1, 4), ("a", 2, 5), ("", 2, 6)]
    frame = spark.createDataFrame(table, "s string, x int, id int")
    with pytest.raises(fugu.DataError):
        fugu.spark.count(frame, secret="s", public="x", epsilon=1)
    plan = fugu.calibrate(fugu.spark.count(frame, secret="s", public="x", epsilon=1, missing="drop"), method="exact")
    with pytest.raises(fugu.UsageError, match="the row would be left out") as raised:
        fugu.spark.release(frame, plan, "x", str(tmp_path / "out"), keep_unprotected=["id"])
    assert raised.value.hint and list(tmp_path.iterdir()) == []
    assert fugu.spark.release(frame, plan, "x", str(tmp_path / "out")).count() == 4
    no_secret = frame.filter("id != 2")
    with pytest.raises(fugu.UsageError, match="^the table: a row, column 's': the row would be left out"):
        fugu.spark.release(no_secret, plan, "x", str(tmp_path / "there"), keep_unprotected=["id"])
    there = no_secret.filter("s != ''")
    released = fugu.spark.release(there, plan, "x", str(tmp_path / "there"), keep_unprotected=["id"])
    assert [row.id for row in rows_of(released, "id")] == [0, 1, 4, 5]


def test_names_that_are_data(frame, spark, tmp_path):
    plan = plan_of(frame, "hours")
    named = frame.withColumnRenamed("job", "cook")  # a job of theirs
    with pytest.raises(fugu.DataError, match="the name of column 3 is one of its own values"):
        fugu.spark.release(named, plan, "hours", str(tmp_path / "out"), keep_unprotected="cook")
    assert list(tmp_path.iterdir()) == []
    assert fugu.spark.release(frame, plan, "hours", str(tmp_path / "out"), keep_unprotected="job").count() == PEOPLE


def test_values_that_no_prior_expects(spark, tmp_path):
    table = [(s, g, x, 7 * x) for s in "ab" for g in "pq" for x in ((0, 1, 10) if g == "p" else (0, 10)) for _ in range(25)]
    frame = spark.createDataFrame(table, "s string, g string, x int, y int")
    said = "the plan does not know this value"

    def release(plan, rows, columns, name, **how):
        new = spark.createDataFrame(rows, "s string, g string, x int, y int")
        return fugu.spark.release(new, plan, columns, str(tmp_path / name), new_data=True, **how).count()

    plan = fugu.calibrate(fugu.spark.count(frame, secret="s", public="x", epsilon=1), method="exact")
    rows = [("a", "p", 0, 0), ("b", "q", 5, 0)]  # workers see it
    with pytest.raises(fugu.DataError, match=said):
        release(plan, rows, "x", "one")
    assert release(plan, rows, "x", "one", drop=True) == 1
    with pytest.raises(fugu.UsageError, match="would be left out"):
        release(plan, rows, "x", "kept", drop=True, keep_unprotected="y")
    plan = fugu.calibrate(fugu.spark.count(frame, secret="s", public="x", given="g", epsilon=1), method="exact")
    rows = [("a", "p", 1, 0), ("b", "q", 1, 0)]  # of which q has none
    with pytest.raises(fugu.DataError, match=said):
        release(plan, rows, "x", "given")
    assert release(plan, rows, "x", "given", drop=True) == 1
    plan = fugu.calibrate(fugu.spark.count(frame, secret="s", public=["x", "y"], epsilon=1), method="exact")
    rows = [("a", "p", 1, 7), ("b", "q", 1, 0)]  # each of both, and not together
    with pytest.raises(fugu.DataError, match=said + " together"):
        release(plan, rows, ["x", "y"], "both")
    assert release(plan, rows, ["x", "y"], "both", drop=True) == 1
    with pytest.raises(fugu.UsageError, match="would be left out"):
        release(plan, rows, ["x", "y"], "both-kept", drop=True, keep_unprotected="g")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["both", "given", "one"]


def test_several_columns_at_once(frame, tmp_path):
    plan = fugu.calibrate(fugu.spark.count(frame.filter("id < 60"), secret="group", public=["hours", "pay"], epsilon=4), method="exact")
    released = fugu.spark.release(frame.filter("id < 60"), plan, ["hours", "pay"], str(tmp_path / "out"), keep_unprotected="id")
    assert released.columns == ["hours", "pay", "id"]
    assert released.count() == 60


# Whole rows


@pytest.fixture(scope="module")
def groups(spark):
    """Rows in groups of known columns, one of them small: as pandas has them, and as Spark does."""
    table = known_people(MERGED)
    table["id"] = range(len(table))
    return table, spark.createDataFrame(table).repartition(3, "id").cache()


def whole_rows(frame, **asked):
    asked = {"secret": "sex", "known": ["age", "region"], "public": ["job", "hours"], "min_group": 10, **asked}
    return fugu.calibrate(fugu.spark.count(frame, **asked), epsilon=0.5)


def test_whole_rows_are_drawn_within_their_groups(groups, program, tmp_path):
    table, frame = groups
    plan = whole_rows(frame)
    write_csv(tmp_path / "t.csv", table)
    run(program, "calibrate", tmp_path / "t.csv", "--secret", "sex", "--known", "age,region", "--public", "job,hours", "--min-group", "10",
        "--epsilon", "0.5", "-o", tmp_path / "plan.json")
    assert plan.to_json() == (tmp_path / "plan.json").read_text()
    assert whole_rows(frame, public="all", except_="id") == plan
    out = fugu.spark.release(frame, plan, ["job", "hours"], str(tmp_path / "out"), keep_unprotected="id")
    assert out.columns == ["job", "hours", "age", "region", "id"], "the secret is not there"
    assert [out.schema[name].dataType for name in out.columns] == [frame.schema[name].dataType for name in out.columns]
    before = table[["age", "region", "job", "hours"]].itertuples(index=False, name=None)
    before = [(None, None, *row[2:]) if row[0] == 50 else row for row in before]
    after = [tuple(row)[1:] for row in rows_of(out, "id", "age", "region", "job", "hours")]
    assert [row[:2] for row in after] == [row[:2] for row in before]
    assert set(after) <= set(before), "a row that its group does not have"
    assert 0.02 < sum(a != b for a, b in zip(after, before)) / len(before) < 0.6
    # A count n keeps its mean and is off by less than sqrt(n): six of these are a false alarm below one in ten million.
    for row in set(before):
        assert abs(after.count(row) - before.count(row)) < 6 * before.count(row) ** 0.5, row


def test_what_draws_rows_knows_no_secret(groups):
    plan = whole_rows(groups[1])
    sent = cloudpickle.dumps(_drawing(_work_of(plan, 5, False), False, "0"))
    assert b"nurse" in sent and b"totals" in sent, "the rows do go"
    for word in (b'"sex"', b'"F"', b"mass", b"prior", b"epsilon"):
        assert word in plan.to_json().encode(), "the plan has it"
        assert word not in sent


def test_rows_that_the_plan_does_not_know(groups, spark, tmp_path):
    table, frame = groups
    plan = whole_rows(frame)
    new = frame.filter("id < 50").drop("sex")
    assert fugu.spark.release(new, plan, ["job", "hours"], str(tmp_path / "out"), new_data=True).count() == 50
    for change, says in (("60 AS age", "the plan does not know this group of the known columns"),
                         ("'pilot' AS job", "the plan does not know this value"),
                         ("'baker' AS job", "the plan does not know this value together")):
        name = change.split()[-1]
        one = frame.filter("region = 'north' AND age = 30").limit(1).drop("sex")
        other = one.selectExpr(*(change if column == name else column for column in one.columns))
        with pytest.raises(fugu.DataError, match=f"^the table: a row, column '{name}': {says}"):
            fugu.spark.release(other, plan, ["job", "hours"], str(tmp_path / "no"), new_data=True)
        # Workers say so as well, of a frame that is another when it is drawn.
        draw = _drawing(_work_of(plan, 5, True), False, fugu.__version__, [2, 3], columns=2, known=[2, 3])
        with pytest.raises(fugu.DataError, match=says):
            with worker_errors():
                next(iter(draw(other.select("job", "hours", "age", "region").toArrow().to_batches())))
    with pytest.raises(fugu.UsageError, match="the known columns show which rows are missing"):
        fugu.spark.release(other, plan, ["job", "hours"], str(tmp_path / "no"), new_data=True, drop=True)
    with pytest.raises(fugu.GuaranteeError, match="not the one that the plan was made from"):
        fugu.spark.release(frame.filter("id > 0"), plan, ["job", "hours"], str(tmp_path / "no"))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_small_batches_are_drawn_together():
    """In their order, none left behind, and what waits is bounded."""

    def batches(*sizes):
        rows = iter(range(sum(sizes)))
        return [pa.record_batch({"a": pa.array([next(rows) for _ in range(size)], pa.int64())}) for size in sizes]

    def gathered(sizes, **bounds):
        together = list(_gathered(iter(batches(*sizes)), **bounds))
        assert [value for batch in together for value in batch.column(0).to_pylist()] == list(range(sum(sizes)))
        return [batch.num_rows for batch in together]

    assert gathered([4, 4, 4, 4, 4, 1], rows=10) == [12, 9]
    assert gathered([4, 4, 4], rows=4) == [4, 4, 4]
    assert gathered([2, 2, 2, 2, 1], size=24) == [4, 4, 1]  # 8 bytes a row
    assert gathered([0, 0]) == [0]
    assert gathered([]) == []


def test_batches_that_are_drawn_together_are_drawn_row_by_row(frame):
    plan = plan_of(frame, "job")
    draw = _drawing([releaser.to_json() for releaser in plan._core.releasers(5)], False, fugu.__version__)
    rows = pa.record_batch({"job": ["cook", "clerk"] * 5000, "id": list(range(10000))})
    drawn = list(draw(iter([rows.slice(start, 100) for start in range(0, 10000, 100)])))
    assert [batch.num_rows for batch in drawn] == [10000]
    assert drawn[0].column("id") == rows.column("id")
    assert set(drawn[0].column("job").to_pylist()) <= {"baker", "clerk", "cook"}
    with pytest.raises(RuntimeError, match="does not know"):
        list(draw(iter([rows, pa.record_batch({"job": ["astronaut"], "id": [0]})])))


def test_an_empty_frame(frame, tmp_path):
    released = fugu.spark.release(frame.limit(0), plan_of(frame), "hours", str(tmp_path / "out"), new_data=True)
    assert released.count() == 0
    assert released.columns == ["hours"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"keep_unprotected": "group"}, "is the secret"), ({"keep_unprotected": "hours"}, "is released already"),
     ({"keep_unprotected": "none"}, "there is no such column"), ({"keep": "job"}, "--keep"),
     ({"mode": "append"}, "there is no mode 'append'")],
)
def test_what_is_refused(frame, tmp_path, options, message):
    with pytest.raises(fugu.UsageError, match=message):
        fugu.spark.release(frame, plan_of(frame), "hours", str(tmp_path / "out"), **options)
    assert list(tmp_path.iterdir()) == []


def test_what_few_people_share_is_not_published(frame, spark, tmp_path):
    rare = frame.union(spark.createDataFrame([(PEOPLE + k, "left", "pope", 30, decimal.Decimal(0)) for k in range(4)], SCHEMA))
    plan = plan_of(rare, "job")
    with pytest.raises(fugu.UsageError, match="fewer than 5 people share some of its categories"):
        fugu.spark.release(rare, plan, "job", str(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []
    with pytest.warns(UserWarning, match="id is released exactly as it is"):
        fugu.spark.release(rare, plan, "job", str(tmp_path / "out"), publish_min=4, keep_unprotected="id")


def test_another_column_than_the_plans(frame, tmp_path):
    with pytest.raises(fugu.UsageError, match="not what the plan releases") as raised:
        fugu.spark.release(frame, plan_of(frame), "job", str(tmp_path / "out"))
    assert "'hours'" in raised.value.hint


def test_given_columns_are_kept(frame, tmp_path):
    covered = frame.filter("job <> 'cook'")  # no cook is right
    plan = plan_of(covered, given="job")
    released = fugu.spark.release(covered, plan, "hours", str(tmp_path / "out"), keep="job", keep_unprotected="id")
    assert rows_of(released, "id", "job") == rows_of(covered, "id", "job")
    with pytest.raises(fugu.UsageError, match="does not cover"):
        fugu.spark.release(frame, plan_of(frame, given="job"), "hours", str(tmp_path / "other"), keep="job")


def test_an_output_that_exists(frame, tmp_path):
    fugu.spark.release(frame, plan_of(frame), "hours", str(tmp_path / "out"))
    with pytest.raises(fugu.FileError, match="it exists already"):
        fugu.spark.release(frame, plan_of(frame), "hours", str(tmp_path / "out"))
    assert fugu.spark.release(frame, plan_of(frame), "hours", str(tmp_path / "out"), mode="overwrite").count() == PEOPLE


def test_parquet_comes_in_and_goes_out(frame, spark, tmp_path):
    frame.write.parquet(str(tmp_path / "in"))
    table = spark.read.parquet(str(tmp_path / "in"))
    fugu.spark.release(table, plan_of(table), "hours", str(tmp_path / "out"))
    assert pa.parquet.read_table(tmp_path / "out").num_rows == PEOPLE


def test_the_original_is_not_replaced(frame, spark, tmp_path):
    frame.write.parquet(str(tmp_path / "in"))
    table = spark.read.parquet(str(tmp_path / "in"))
    for path in (tmp_path / "in", tmp_path):
        with pytest.raises(fugu.UsageError, match="the frame is read from there"):
            fugu.spark.release(table, plan_of(table), "hours", str(path), mode="overwrite")
    assert spark.read.parquet(str(tmp_path / "in")).columns == frame.columns
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_the_workers_must_have_the_same_fugu(frame):
    plan = plan_of(frame)
    draw = _drawing([releaser.to_json() for releaser in plan._core.releasers(5)], False, "99.0")
    with pytest.raises(Exception, match="the driver has 99.0"):
        frame.select("hours").mapInArrow(draw, "hours int").collect()
