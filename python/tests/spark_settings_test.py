"""A Spark that may keep two versions of a row, or draw twice for nothing, is refused."""

import pytest

pytest.importorskip("pyspark")

import fugu
from conftest import start_spark
from fugu._spark_folder import check_that_tasks_commit_once

# Fixed when Spark starts, so each needs a Spark of its own; what one of them sets, the next would inherit.
USUAL = {"spark.speculation": "false", "spark.hadoop.outputCommitCoordination.enabled": "true"}
REFUSED = [("spark.speculation", "true"), ("spark.hadoop.outputCommitCoordination.enabled", "false")]


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_it_is_refused(tmp_path, name, value):
    session = start_spark("local[1]", tmp_path, **{**USUAL, name: value})
    try:
        with pytest.raises(fugu.UsageError) as raised:
            check_that_tasks_commit_once(session)
        assert name in raised.value.message
        assert name in raised.value.hint
    finally:
        session.stop()


def test_the_usual_settings_are_not(tmp_path):
    session = start_spark("local[1]", tmp_path, **USUAL)
    try:
        check_that_tasks_commit_once(session)
    finally:
        session.stop()
