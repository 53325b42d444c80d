"""A Spark that may keep two versions of a row, or draw twice for nothing, is refused."""

import pytest

pytest.importorskip("pyspark")

import fugu
from conftest import start_spark
from fugu._spark_folder import check_that_tasks_commit_once

# Fixed when Spark starts, so each needs a Spark of its own.
REFUSED = [("spark.speculation", "true"), ("spark.hadoop.outputCommitCoordination.enabled", "false")]


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_it_is_refused(spark_scratch, name, value):
    session = start_spark("local[1]", spark_scratch, **{name: value})
    with pytest.raises(fugu.UsageError) as raised:
        check_that_tasks_commit_once(session)
    assert name in raised.value.message
    assert name in raised.value.hint


def test_the_usual_settings_are_not(spark_scratch):
    check_that_tasks_commit_once(start_spark("local[1]", spark_scratch))
