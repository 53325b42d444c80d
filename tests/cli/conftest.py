"""Runs the built program, named by the environment variable FUGU, as a user would."""
import collections
import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys

import pytest

import postgres_cluster

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import schemas
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
SANITIZED = "FUGU_SANITIZED" in os.environ  # slower, with mappings and limits of its own (cmake/sanitizers.cmake)
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult.data"

Result = collections.namedtuple("Result", "status out err")


def makes_plan(arguments):
    """Whether these words make a plan of a table, by whatever method."""
    words = [str(word) for word in arguments]
    named = any(word.split("=")[0] in ("--method", "--plan", "--help", "-h") for word in words)
    return words[:1] in (["calibrate"], ["release"]) and not named


KNOWN_WARNINGS = ("fugu: warning: column", "fugu: warning: the noise exceeds")


class Runner:
    #: Flags of every release and statement.
    publishing = ()
    #: Of every plan that names no method: most tests are about noise. None for what the program chooses.
    method = "exact"

    def __init__(self, folder):
        self.folder = folder
        self.held = []  # kinds of the files that it wrote, each as its schema says

    def __call__(self, *arguments, stdin=b"", **environment):
        if arguments and arguments[0] in ("release", "statement"):
            arguments += self.publishing
        if self.method and makes_plan(arguments):
            arguments += ("--method", self.method)
        text = stdin.encode() if isinstance(stdin, str) else stdin
        before = schemas.state(self.folder)
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, input=text, capture_output=True,
                              env={**os.environ, **environment}, timeout=1200 if SANITIZED else 120)
        self.held += filter(None, schemas.hold_new(before, self.folder))
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *arguments, **more):
        """Nothing on standard error, but for warnings: of columns that nothing is promised about, of scales that tell the range, and
        where a plan is printed of noise that exceeds a column's spread."""
        result = self(*arguments, **more)
        assert result.status == 0, result
        lines = [line for line in result.err.splitlines() if not line.startswith(KNOWN_WARNINGS)]
        if "--keep-unprotected" in arguments:
            assert len(lines) == 1 and lines[0].startswith("fugu: warning: --keep-unprotected: "), result
        else:
            assert lines == [], result
        return result.out

    def fails(self, status, *arguments, says=(), **more):
        """Two lines on standard error behind warnings of the plan, nothing on standard output, and no new file."""
        before = sorted(path.name for path in self.folder.iterdir())
        result = self(*arguments, **more)
        assert result.status == status, result
        assert result.out == "", result
        lines = [line for line in result.err.splitlines() if not line.startswith(KNOWN_WARNINGS)]
        assert len(lines) == 2 and result.err.endswith("\n"), result
        assert lines[0].startswith("fugu: ") and len(lines[0]) > 12, result
        assert lines[1].startswith("hint: ") and len(lines[1]) > 12, result
        for text in [says] if isinstance(says, str) else says:
            assert text in result.err, result
        assert sorted(path.name for path in self.folder.iterdir()) == before
        return result.err

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


@pytest.fixture
def fugu(tmp_path):
    return Runner(tmp_path)


@pytest.fixture
def few_people(fugu):
    """For tests of tables so small that nothing in them is shared by five."""
    fugu.publishing = ("--publish-min", "1")


@pytest.fixture
def grades():
    return ROOT / "examples" / "grades.csv"


@pytest.fixture(scope="session")
def shared_cluster():
    """The cluster that ctest has started, or one of this run's own."""
    where = pathlib.Path(os.environ.get("FUGU_POSTGRES", "/nowhere"))
    if where.exists():
        yield postgres_cluster.Cluster(json.loads(where.read_text())["folder"])
        return
    cluster = postgres_cluster.Cluster.start()
    yield cluster
    cluster.remove()


class Database:
    """A database of its own for one test."""

    def __init__(self, cluster, name):
        self.cluster = cluster
        self.name = name
        self.url = cluster.url(database=name)

    def url_for(self, user, password=None):
        return self.cluster.url(user, self.name, password)

    def sql(self, text, **more):
        return self.cluster.sql(text, database=self.name, **more)

    def tables(self):
        return self.sql("SELECT nspname || '.' || relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace "
                        "WHERE relkind IN ('r', 'v') AND nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1")

    def sessions(self):
        return self.sql("SELECT state, translate(query, chr(10), ' ') FROM pg_stat_activity WHERE application_name = 'fugu' AND datname = "
                        "current_database()")


def fresh_database(cluster):
    name = f"test_{os.getpid()}_{next(_numbers)}"
    cluster.sql(f"CREATE DATABASE {name}")
    return Database(cluster, name)


_numbers = itertools.count()


@pytest.fixture
def postgres(shared_cluster):
    database = fresh_database(shared_cluster)
    yield database
    shared_cluster.sql(f"DROP DATABASE {database.name} WITH (FORCE)")


@pytest.fixture(scope="session")
def adult_rows():
    """Rows of the Adult table, names first, with the fields' blanks taken off; the test is skipped without it."""
    if not ADULT.exists():
        pytest.skip("the Adult table is not here")
    names = ("age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,"
             "capital_gain,capital_loss,hours,country,income").split(",")
    with ADULT.open() as file:
        return [names] + [[field.strip() for field in row] for row in csv.reader(file) if row]


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """A folder in which `fugu demo` has run, and what it said."""
    folder = tmp_path_factory.mktemp("demo")
    runner = Runner(folder)
    runner.said = runner.ok("demo")
    return runner
