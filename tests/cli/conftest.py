"""Runs the built program, named by the environment variable FUGU, as a user would."""
import collections
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult.data"

Result = collections.namedtuple("Result", "status out err")


class Runner:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *arguments, stdin=b"", **environment):
        text = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, input=text, capture_output=True,
                              env={**os.environ, **environment}, timeout=120)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *arguments, **more):
        result = self(*arguments, **more)
        assert result.status == 0, result
        assert result.err == "", result
        return result.out

    def fails(self, status, *arguments, says=(), **more):
        """Two lines on standard error, nothing on standard output, and no new file."""
        before = sorted(path.name for path in self.folder.iterdir())
        result = self(*arguments, **more)
        assert result.status == status, result
        assert result.out == "", result
        lines = result.err.splitlines()
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
def grades():
    return ROOT / "examples" / "grades.csv"


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """A folder in which `fugu demo` has run, and what it said."""
    folder = tmp_path_factory.mktemp("demo")
    runner = Runner(folder)
    runner.said = runner.ok("demo")
    return runner
