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


def start_spark(master, scratch, **settings):
    pytest.importorskip("pyspark")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java")
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
        "spark.sql.shuffle.partitions": "4",
        **settings,
    }
    builder = SparkSession.builder.master(master).appName("fugu")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """Spark within one process."""
    session = start_spark("local[2]", tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Spark with two workers that are processes of their own."""
    session = start_spark("local-cluster[2,1,1024]", tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture(scope="module")
def hours():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.02, method="exact")


@pytest.fixture(scope="module")
def jobs():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="job"), epsilon=0.5)
