"""Plans, statements and releases of earlier versions, kept in old_plans: what docs/compatibility.md promises of them."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
KEPT = ROOT / "tests" / "old_plans"
sys.path.insert(0, str(KEPT))
import make  # noqa: E402

VERSIONS = sorted(path.name for path in KEPT.iterdir() if path.is_dir() and path.name[0].isdigit())


def of_each(names):
    return [(version, name) for version in VERSIONS for name in names]


@pytest.fixture
def run(tmp_path):
    for name, text in make.tables().items():
        (tmp_path / name).write_text(text)

    def run(*words):
        return subprocess.run([PROGRAM, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def plan(version, name):
    return KEPT / version / f"{name}.json"


def test_versions_are_kept():
    assert "0.1" in VERSIONS
    for version in VERSIONS:
        kept = {path.name for path in (KEPT / version).iterdir()}
        assert {f"{name}.json" for name in [*make.PLANS, *make.MODELS, *make.REFUSED.get(version, [])]} <= kept
        assert sum(path.stat().st_size for path in (KEPT / version).iterdir()) < 200_000, "small enough to keep for good"


@pytest.mark.parametrize(("version", "name"), of_each([*make.PLANS, *make.MODELS]))
def test_an_old_plan_verifies(run, version, name):
    done = run("verify", plan(version, name))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("version", "name"), of_each(make.PLANS))
def test_an_old_plan_releases_its_table(run, tmp_path, version, name):
    done = run("release", "people.csv", "--plan", plan(version, name), "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    before, after = make.tables()["people.csv"].splitlines(), (tmp_path / "out.csv").read_text().splitlines()
    assert len(after) == len(before) and set(after[0].split(",")) <= set(before[0].split(","))
    assert run("estimate", "out.csv").returncode == 0, "by the receipt that stands beside it"


@pytest.mark.parametrize(("version", "name"), of_each(make.MODELS))
def test_an_old_plan_of_a_model_says_what_it_promises(run, version, name):
    done = run("statement", plan(version, name), "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


@pytest.mark.parametrize(("version", "name"), [(version, name) for version, plans in make.REFUSED.items() for name in plans])
def test_an_old_plan_that_must_be_made_again_says_so(run, tmp_path, version, name):
    for words in (["verify"], ["release", make.REFUSED[version][name][0], "-o", "out.csv", "--plan"]):
        done = run(*words, plan(version, name))
        assert done.returncode in (3, 4), done
        assert "calibrate again" in done.stderr, done.stderr
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(("version", "name"), of_each(make.PLANS))
def test_an_old_statement_estimates_a_table_of_its_columns(run, version, name):
    assert run("release", "people.csv", "--plan", plan(version, name), "-o", "out.csv").returncode == 0
    done = run("estimate", "out.csv", "--statement", KEPT / version / f"{name}.statement.json")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("version", "name"), of_each(make.RELEASED))
def test_an_old_release_is_estimated_by_its_receipt(run, tmp_path, version, name):
    for file in (f"{name}.csv", f"{name}.csv.receipt.json"):
        shutil.copy(KEPT / version / file, tmp_path / file)
    done = run("estimate", f"{name}.csv", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    lines = (tmp_path / f"{name}.csv").read_text().splitlines()
    (tmp_path / f"{name}.csv").write_text("\n".join(lines[:-1]) + "\n")
    assert run("estimate", f"{name}.csv").returncode == 3, "the control: a row less is not that release"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_plan_that_was_touched_is_refused(run, tmp_path, version):
    """The control: age is no excuse."""
    text = plan(version, "exact").read_text()
    assert '"epsilon": 0.5' in text
    (tmp_path / "touched.json").write_text(text.replace('"epsilon": 0.5', '"epsilon": 0.4'))
    assert run("verify", "touched.json").returncode in (3, 4)
