"""The package and its stub are typed: mypy, strict, over what is installed and over a caller."""

import pathlib
import subprocess
import sys

import fugu

PACKAGE = pathlib.Path(fugu.__file__).parent

CALLER = """
import fugu

def status(error: fugu.Error) -> int:
    print(error.message.upper(), error.hint.upper())
    return error.status

version: str = fugu.__version__
try:
    fugu._core.raise_error(2, "message", "hint")
except fugu.UsageError as error:
    status(error)
"""


def mypy(*arguments, cwd):
    command = [sys.executable, "-I", "-B", "-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_the_package_is_typed(tmp_path):
    done = mypy("-p", "fugu", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_caller_is_checked(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER)
    done = mypy("caller.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_caller_that_is_wrong_is_told(tmp_path):
    (tmp_path / "caller.py").write_text(CALLER.replace("error.status", "error.stat").replace("raise_error(2,", "raise_error('2',"))
    done = mypy("caller.py", cwd=tmp_path)
    assert '"Error" has no attribute "stat"' in done.stdout
    assert 'incompatible type "str"; expected "int"' in done.stdout


def test_the_stub_is_in_the_wheel():
    assert (PACKAGE / "_core.pyi").read_text().count("def ") > 0
    assert (PACKAGE / "py.typed").exists()
