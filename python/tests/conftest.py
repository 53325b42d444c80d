import os
import pathlib
import shutil
import sys

import fugu
import pytest
from fugu._whole import WholeFile
from tables import PEOPLE

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "support"))
import schemas  # noqa: E402


@pytest.fixture(autouse=True, scope="session")
def files_are_as_their_schemas_say():
    """Every file of fugu's formats that the package writes, as it gets its name."""
    commit = WholeFile.commit

    def held(self):
        commit(self)
        if self.path.endswith(".json"):
            schemas.held(pathlib.Path(self.path))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WholeFile, "commit", held)
        yield


@pytest.fixture(scope="session")
def program():
    """The command line built beside the wheel."""
    if "FUGU" not in os.environ:
        pytest.skip("FUGU names no program")
    return os.environ["FUGU"]


# The Spark of this process, and what it was asked for.
_running = {"asked": None, "session": None}

# Both compilers of Java's would work longer on Spark than the tests do.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def stop_spark():
    if _running["session"] is not None:
        _running["session"].stop()
    _running.update(asked=None, session=None)


def start_spark(master, scratch, **settings):
    """A process has one Spark, whose Java stays: who asks for the same gets the one that runs, and for another one it ends."""
    pytest.importorskip("pyspark")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java")
    from pyspark.sql import SparkSession

    if _running["asked"] == (master, settings):
        return _running["session"]
    stop_spark()
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("fugu")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": _JAVA,
        "spark.executor.extraJavaOptions": _JAVA,
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.sql.shuffle.partitions": "4",
        # Spark's own defaults: what one Spark sets, the next of the same Java would inherit.
        "spark.speculation": "false",
        "spark.hadoop.outputCommitCoordination.enabled": "true",
        **settings,
    }.items():
        builder = builder.config(name, value)
    _running.update(asked=(master, settings), session=builder.getOrCreate())
    return _running["session"]


@pytest.fixture(scope="session")
def spark_scratch(tmp_path_factory):
    yield tmp_path_factory.mktemp("spark")
    stop_spark()


@pytest.fixture(scope="module")
def spark(spark_scratch):
    """Spark within one process, the same for every module that asks for it."""
    return start_spark("local[2]", spark_scratch)


@pytest.fixture(scope="module")
def cluster(spark_scratch):
    """Spark with two workers that are processes of their own."""
    return start_spark("local-cluster[2,1,1024]", spark_scratch)


@pytest.fixture(scope="module")
def hours():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.02, method="exact")


@pytest.fixture(scope="module")
def jobs():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="job"), epsilon=0.5)
