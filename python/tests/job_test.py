"""Jobs in Python are those of the program."""

import json
import pathlib
import pickle
import subprocess

import fugu
import pytest
import schemas

COLUMNS = {"race": {"role": "secret"}, "job": {"role": "public"}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [("A", "clerk")] * 40 + [("A", "cook")] * 30 + [("B", "clerk")] * 30 + [("B", "cook")] * 45
    (tmp_path / "people.csv").write_text("race,job\n" + "".join(f"{race},{job}\n" for race, job in rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job(**sections):
    return fugu.Job(**{"table": {"file": "people.csv"}, "columns": COLUMNS, "budget": {"epsilon": 0.5}, "outputs": {"release": "out.csv"}, **sections})


def test_the_program_and_the_package_do_the_same(folder, program):
    made = job(outputs={"release": "out.csv", "statement": "s.json"})
    made.save("job.json")
    plan = fugu.Job.load("job.json").run()
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(files) == {"people.csv", "job.json", "out.csv", "out.csv.plan.json", "out.csv.receipt.json", "s.json"}
    assert (folder / "out.csv.plan.json").stat().st_mode & 0o777 == 0o600
    subprocess.run([program, "run", "job.json", "--force"], check=True, capture_output=True)
    assert (folder / "out.csv.plan.json").read_bytes() == files["out.csv.plan.json"] == plan.to_json().encode()
    assert (folder / "s.json").read_bytes() == files["s.json"]
    subprocess.run([program, *made.flags[1:], "--force"], check=True, capture_output=True)
    assert (folder / "out.csv.plan.json").read_bytes() == files["out.csv.plan.json"]


def test_files_are_as_their_schemas_say(folder):
    made = job(outputs={"release": "out.csv", "statement": "s.json"})
    made.save("job.json")
    made.run()
    plan = fugu.Plan.load("out.csv.plan.json")
    (folder / "scenario.json").write_text(plan.scenario.to_json())
    coin = fugu.calibrate(fugu.Scenario({"yes": {0: 3, 1: 1}, "no": {0: 1, 1: 3}}), epsilon=0.5)
    coin.save("coin.json")
    kinds = schemas.hold_new({}, folder)
    assert sorted(kinds) == ["job", "plan", "plan", "receipt", "scenario", "statement"]


def test_check_does_nothing(folder):
    before = sorted(path.name for path in folder.iterdir())
    said = job().check()
    assert "Hidden: race." in said and "Released: job." in said and any("out.csv.receipt.json" in sentence for sentence in said)
    assert sorted(path.name for path in folder.iterdir()) == before
    job().run()
    with pytest.raises(fugu.UsageError, match="the file exists"):
        job().check()
    job().check(force=True)


def test_a_job_that_ends_with_the_plan(folder, program):
    plan = job(outputs={"plan": "plan.json", "statement": "s.json"}).run()
    assert fugu.Plan.load("plan.json") == plan
    assert json.loads((folder / "s.json").read_text()) == plan.statement()
    with pytest.raises(fugu.UsageError, match="the file exists"):
        job(outputs={"plan": "plan.json"}).run()
    assert job(outputs={}).run() == plan


def test_paths_lie_in_its_folder(folder):
    (folder / "jobs").mkdir()
    (folder / "people.csv").rename(folder / "jobs" / "people.csv")
    job().save("jobs/job.json")
    fugu.Job.load(pathlib.Path("jobs") / "job.json").run()
    assert (folder / "jobs" / "out.csv").exists()
    job(folder="jobs").run(force=True)


def test_a_job_does_not_replace_itself(folder):
    job(outputs={"release": "job.json"}).save("job.json")
    with pytest.raises(fugu.UsageError, match="this is the input"):
        fugu.Job.load("job.json").run(force=True)


def test_the_ledger(folder):
    counted = {"budget": {"epsilon": 0.2}, "ledger": {"file": "l.db", "dataset": "d", "budget": 0.25}}
    job(**counted).run()
    with pytest.raises(fugu.BudgetError):
        job(**counted).run(force=True, values_unchanged=True)


@pytest.mark.parametrize("sections, kind, says", [
    ({"budget": {}}, fugu.DataError, "the job: budget.epsilon: no epsilon is given"),
    ({"seed": 1}, fugu.DataError, 'the job: the key "seed" is unknown'),
    ({"columns": {"race": {"role": "boss"}}}, fugu.DataError, "there is no such role"),
    ({"table": {}}, fugu.DataError, "no table is given"),
    ({"table": {"file": "none.csv"}}, fugu.FileError, "none.csv"),
    ({"budget": {"epsilon": object()}}, fugu.UsageError, "a job is JSON"),
    ({"outputs": {"release": "out.csv", "report": "r.html"}}, fugu.UsageError, "outputs.report"),
])
def test_what_is_wrong_is_said(folder, sections, kind, says):
    with pytest.raises(kind) as raised:
        job(**sections).run()
    assert says in str(raised.value)
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv"]


def test_a_job_is_a_value(folder):
    one, two = job(), pickle.loads(pickle.dumps(job()))
    assert one == two and hash(one) == hash(two) and one != job(budget={"epsilon": 1})
    assert fugu.Job.from_json(one.to_json()) == one and one.to_dict()["budget"] == {"epsilon": 0.5}
    assert repr(one).startswith("<fugu.Job: fugu release people.csv --secret race")
    assert str(one) == one.to_json()


def test_progress_and_warnings(folder):
    heard = []
    job().run(progress=lambda fraction, what: heard.append(what))
    assert heard
    rows = (folder / "people.csv").read_text().replace("race,job", "race,job,note").splitlines()
    (folder / "people.csv").write_text("\n".join([rows[0], *[f"{row},n{k % 3}" for k, row in enumerate(rows[1:])]]) + "\n")
    with pytest.warns(UserWarning, match="note"):
        job(release={"keep_unprotected": ["note"]}).run(force=True)
