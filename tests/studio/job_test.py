"""Jobs on the page: what is opened there and saved again is what the program does."""
import json

import pytest

from conftest import GRADES, fugu

JOB = {"format": "fugu-job", "version": 1, "table": {"file": "data/grades.csv", "missing": "drop"},
       "columns": {"union": {"role": "secret"}, "grade": {"role": "public", "kind": "number", "clip": [3, 6]}},
       "secrets": {"priors": ["p.json"]}, "budget": {"epsilon": 0.50}, "mechanism": {"method": "optimal"},
       "release": {"shuffle": True, "publish_min": 1}, "ledger": {"file": "l.db", "dataset": "d", "budget": 1},
       "outputs": {"release": "out/released.csv", "statement": "s.json"}}


def opened(studio, job):
    answer = studio.ask("POST", "/api/job", {"text": job if isinstance(job, str) else json.dumps(job)})
    return answer.status, answer.json


def test_a_job_is_opened(studio):
    status, job = opened(studio, JOB)
    assert status == 200
    assert job == {"table": "data/grades.csv", "roles": {"secret": ["union"], "public": ["grade"]},
                   "question": {"secret": "union", "public": "grade", "epsilon": "0.5", "clip": "3:6", "kind": "grade=number", "missing": "drop"},
                   "plan": {"method": "optimal"}, "output": "released.csv", "keep": "", "shuffle": True,
                   "not_here": ["secrets.priors", "release.publish_min", "ledger.file", "ledger.dataset", "ledger.budget", "outputs.statement"]}


def test_what_is_opened_is_saved_again(studio):
    table = studio.open("grades.csv")
    job = opened(studio, JOB)[1]
    file = studio.done("save-job", table, job["question"], job["plan"], output=job["output"], shuffle=True, job=json.dumps(JOB))
    assert file["name"] == "job.json"
    assert studio.download(file).json == JOB
    changed = {**job["question"], "epsilon": "0.7", "clip": "", "secret": "grade", "public": "union", "kind": ""}
    saved = studio.download(studio.done("save-job", table, changed, {}, output="new.csv", job=json.dumps(JOB))).json
    assert saved == {**{key: value for key, value in JOB.items() if key != "mechanism"}, "budget": {"epsilon": 0.7},
                     "columns": {"union": {"role": "public"}, "grade": {"role": "secret"}}, "release": {"publish_min": 1},
                     "outputs": {"release": "new.csv", "statement": "s.json"}}


def test_a_saved_job_makes_the_plan_that_was_shown(studio, tmp_path):
    table = studio.open("grades.csv")
    question = {"secret": "union", "public": "grade", "epsilon": "0.5", "clip": "3:6", "no-header": False}
    saved = studio.download(studio.done("save-job", table, question, {"method": "relaxed"}, output="out.csv"))
    (tmp_path / "job.json").write_text(json.dumps({**saved.json, "release": {"publish_min": 1}}))
    fugu(tmp_path, "run", "job.json")
    assert json.loads((tmp_path / "out.csv.plan.json").read_text())["digest"] == studio.digest(table, question, {"method": "relaxed"})
    assert "no_header" not in saved.json["table"] and saved.json["table"] == {"file": "grades.csv"}


@pytest.mark.parametrize("job, says", [
    ("{", "the job"), ('{"format": "x", "version": 1}', "the job.format: this is not a job"), ({**JOB, "seed": 1}, 'the key "seed" is unknown'),
    ({**JOB, "columns": {"a": {"role": "boss"}}}, "there is no such role"),
])
def test_what_is_no_job_is_said(studio, job, says):
    status, answer = opened(studio, job)
    assert status == 200 and says in answer["error"]["message"] and answer["error"]["status"] == 3


def test_other_requests_are_refused(studio):
    assert studio.ask("POST", "/api/job", {"file": "/etc/passwd"}).status == 400
    assert studio.ask("POST", "/api/job", {"text": 1}).status == 400
    table = studio.upload(GRADES, "g.csv")
    assert "the job" in studio.wrong("save-job", table, {"secret": "union"}, job="{")["message"]
