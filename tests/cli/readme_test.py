"""The README and the pages of a first release: every command is run in an empty folder and prints what the page says."""
import re
import subprocess

import pytest

from composition_page_test import run_page, steps
from conftest import ADULT, PROGRAM, ROOT

README = (ROOT / "README.md").read_text()
ROWS = re.findall(r"^    (?:before|after|  +) *(>|Male|Female)? +(\d+)  (.*)$", README, flags=re.M)


@pytest.mark.parametrize("page, least, first", [
    ("README.md", 3, ["fugu demo >story.txt"]), ("docs/first-release.md", 8, []), ("docs/models.md", 2, []), ("docs/paper.md", 2, [])])
def test_every_command_of_the_page(tmp_path, page, least, first):
    run_page(ROOT / page, tmp_path, least, first)


def test_the_readme_is_one_screen():
    shown = [line for _, lines in steps(ROOT / "README.md") for line in lines]
    assert len(steps_of("README.md")) == 3 and len([line for line in shown if line != "…"]) <= 8
    assert len(README.splitlines()) <= 110
    assert [line for line in README.splitlines() if len(line) > 122] == []


def steps_of(page):
    return list(steps(ROOT / page))


def fields(age, rest):
    """A row of the README by its columns, with age and hours in tens as a release has them."""
    parts = re.split(r" {2,}", rest)
    parts[4] = tens(parts[4])
    return [tens(age), *parts]


def tens(number):
    return str(int(number) // 10 * 10 + 5)


def test_three_of_the_five_rows_are_as_they_were():
    assert len(ROWS) == 10
    for (_, age, rest), (mark, new_age, new_rest) in zip(ROWS[:5], ROWS[5:]):
        assert (fields(age, rest) == fields(new_age, new_rest)) == (mark != ">")


@pytest.mark.skipif(not ADULT.exists(), reason="the table is public, and not part of the repository")
def test_the_figures_of_the_readme(tmp_path):
    """The first five rows of the table are those that the README shows, and its command prints what the README says of them."""
    lines = [line.split(", ") for line in ADULT.read_text().splitlines()[:5]]
    assert [(secret, [age, *re.split(r" {2,}", rest)]) for secret, age, rest in ROWS[:5]] == [
        (line[9], [line[k - 1] for k in (1, 2, 4, 6, 7, 13, 14, 15)]) for line in lines]
    (tmp_path / "adult.data").symlink_to(ADULT)
    command, = re.findall(r"^    fugu (release adult\.data .*\\\n.*)$", README, flags=re.M)
    done = subprocess.run(["bash", "-c", f"'{PROGRAM}' {command}"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=600)
    kept, = re.findall(r"([0-9.]+) % of the rows", done.stdout.split("  error ")[1].split("\n")[0])
    sure, = re.findall(r"a 50 % belief in any secret becomes at most ([0-9.]+) %", done.stdout)
    promise = (f"**Somebody who is 50 % sure of a person's sex becomes at most {sure} % sure; "
               f"{float(kept):.0f} % of the rows, put into tens, stay unchanged.**")
    assert promise in " ".join(README.split())
