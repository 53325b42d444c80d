"""A bar appears where work is long or a bar was asked for, and nowhere else."""

import sys
import types

import fugu
import pytest
from fugu import _progress

SCENARIO = fugu.Scenario({"a": {0: 1, 1: 2}, "b": {0: 2, 1: 1}})


@pytest.fixture
def notebook(monkeypatch):
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)


def test_short_work_shows_nothing(notebook, monkeypatch, capsys):
    monkeypatch.setattr(_progress, "_PATIENCE", 1e9)
    fugu.calibrate(SCENARIO, epsilon=0.5)
    with _progress.progress_of(None) as tell:
        tell(0.5, "working")
    assert capsys.readouterr().err == ""


def test_long_work_shows_a_bar(notebook, monkeypatch, capsys):
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    with _progress.progress_of(None) as tell:
        tell(0.5, "working")
    assert "working:  50%" in capsys.readouterr().err


def test_a_bar_can_be_asked_for_and_forbidden(notebook, monkeypatch, capsys):
    monkeypatch.setattr(_progress, "_PATIENCE", 1e9)
    with _progress.progress_of(True) as tell:
        tell(0.25, "working")
    assert "working:  25%" in capsys.readouterr().err
    with _progress.progress_of(False) as tell:
        assert tell is None


def test_a_pipe_gets_no_bar(capsys):
    with _progress.progress_of(None) as tell:
        assert tell is None
