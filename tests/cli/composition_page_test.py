"""docs/composition.md: every command on the page is run, in order, and prints what the page says."""

import os
import pathlib
import re
import subprocess

import pytest

from conftest import PROGRAM, ROOT

PAGE = ROOT / "docs" / "composition.md"
REST = "…"  # any lines, or none


def steps(page=PAGE):
    """(command, expected lines) of every block."""
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text(), flags=re.S | re.M):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = step.rstrip("\n").split("\n")
            command = [lines.pop(0)]
            while "\n".join(command).count("'") % 2:  # it goes on
                command.append(lines.pop(0))
            yield "\n".join(command), lines


def matches(expected, seen):
    if not expected:
        return not seen
    if expected[0] == REST:
        return any(matches(expected[1:], seen[k:]) for k in range(len(seen) + 1))
    return bool(seen) and expected[0] == seen[0] and matches(expected[1:], seen[1:])


def without_draws(lines):
    """The lines with every number as #, for output that is drawn anew each time."""
    return [" ".join(re.sub(r"[\d.,]*\d", "#", line).split()) for line in lines]


def run_page(page, tmp_path, least, first=()):
    """Runs the page's commands, after those of `first`, in an empty folder."""
    found = [*((command, []) for command in first), *steps(page)]
    assert len(found) >= least
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "fugu").symlink_to(pathlib.Path(PROGRAM).resolve())
    work = tmp_path / "work"
    work.mkdir()
    defined = ""
    for command, expected in found:
        if command.startswith("table()"):
            defined = command + "\n"
            continue
        done = subprocess.run(["bash", "-c", defined + command], cwd=work, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
        seen = (done.stdout + done.stderr).rstrip("\n").split("\n") if done.stdout + done.stderr else []
        if command.startswith("fugu estimate"):
            expected, seen = without_draws(expected), without_draws(seen)
        assert matches(expected, seen), f"{command}\n{done.stdout}{done.stderr}"


def test_every_command_of_the_page(tmp_path):
    run_page(PAGE, tmp_path, 18)


@pytest.mark.parametrize("expected, seen", [(["a"], []), (["a", REST, "c"], ["a", "b"]), (["a"], ["a", "b"]), ([REST, "x"], ["a"])])
def test_what_differs_is_seen(expected, seen):
    assert not matches(expected, seen)


def test_only_numbers_are_drawn():
    assert without_draws(["  Sales  3,223  11.17 %"]) == without_draws(["  Sales    901   3.20 %"]) == ["Sales # # %"]
    assert without_draws(["Sales 3"]) != without_draws(["Sales -"])
