"""fugu::Error arrives as the exception of its kind, with the message and the hint of the command line."""

import pickle
import subprocess

import pytest

import fugu
from fugu import _core

KINDS = {
    1: (fugu.InternalError, RuntimeError),
    2: (fugu.UsageError, ValueError),
    3: (fugu.DataError, ValueError),
    4: (fugu.GuaranteeError, Exception),
    5: (fugu.FileError, OSError),
    6: (fugu.BudgetError, Exception),
}


@pytest.mark.parametrize("status", KINDS)
def test_every_kind_has_its_exception(status):
    kind, natural = KINDS[status]
    with pytest.raises(fugu.Error) as raised:
        _core.raise_error(status, "column 'x': something", "do this")
    error = raised.value
    assert type(error) is kind
    assert isinstance(error, natural)
    assert (error.message, error.hint, error.status) == ("column 'x': something", "do this", status)
    assert str(error) == "column 'x': something\nhint: do this"


def test_no_two_kinds_are_one():
    for kind, _ in KINDS.values():
        others = [other for other, _ in KINDS.values() if other is not kind]
        assert not issubclass(kind, tuple(others))


def test_an_error_without_a_hint_is_its_message():
    assert str(fugu.DataError("alone")) == "alone"


def test_a_file_error_is_no_errno():
    error = fugu.FileError("cannot open out.csv", "check the folder")
    assert (error.errno, error.strerror, error.filename) == (None, None, None)
    assert str(error) == "cannot open out.csv\nhint: check the folder"


def test_nothing_that_a_terminal_obeys_reaches_it():
    """Names of columns are anybody's; a message shows them as the command line does."""
    table = {"s\x1b[2J": ["a", "b"] * 3, "x\u202e": [1, 2] * 3}
    for wrong in ({"secret": "no\x1b]0;such\x07", "public": "x\u202e"}, {"secret": "s\x1b[2J", "public": ["x\u202e", "\x9b"]}):
        with pytest.raises(fugu.UsageError) as raised:
            fugu.Scenario.from_table(table, **wrong)
        assert not set(str(raised.value)) & {"\x1b", "\x07", "\u202e", "\x9b"}
    assert fugu.DataError("\udc9b\n").message == "??", "what is no Unicode at all"
    with pytest.raises(fugu.UsageError) as raised:
        _core.raise_error(2, "column '\x1b[31m\r\x9b'", "give \x00")
    assert (raised.value.message, raised.value.hint) == ("column '?[31m??'", "give ?") and raised.value.args == (raised.value.message, raised.value.hint)
    with pytest.warns(UserWarning, match=r"a\?\[2Jb is released exactly") as heard:
        plan = fugu.calibrate(fugu.Scenario.from_table({"s": ["a", "b"] * 30, "x": ["u", "v", "v"] * 20}, secret="s", public="x"), epsilon=1)
        plan.release({"s": ["a", "b"] * 30, "x": ["u", "v", "v"] * 20, "a\x1b[2Jb": [1] * 60}, keep_unprotected="a\x1b[2Jb")
    assert "\x1b" not in str(heard[0].message)


@pytest.mark.parametrize("status", KINDS)
def test_errors_travel_between_processes(status):
    error = pickle.loads(pickle.dumps(KINDS[status][0]("message", "hint")))
    assert (type(error), error.message, error.hint) == (KINDS[status][0], "message", "hint")


def test_the_version_is_the_programs(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.split()[-1] == fugu.__version__
