"""A plan in place of a statement, a receipt in place of a plan: named for what it is, with where the other one is."""
import pytest


@pytest.fixture
def files(fugu, grades):
    fugu.ok("release", grades, "--secret", "union", "--public", "grade", "--epsilon", "0.5", "--publish-min", "1", "-o", "out.csv")
    fugu.ok("statement", "out.csv.plan.json", "--publish-min", "1", "-o", "statement.json")
    fugu.write("job.json", '{"format": "fugu-job", "version": 1, "table": {"file": "t.csv"}}')
    fugu.write("scenario.json", '{"priors": [{"given": {"a": {"values": [1], "mass": [1]}, "b": {"values": [2], "mass": [1]}}}]}')
    return fugu


@pytest.mark.parametrize("words, file, found, wanted, hint", [
    (["verify"], "out.csv.receipt.json", "a receipt", "a plan", "out.csv.plan.json"),
    (["statement"], "statement.json", "a statement", "a plan", "out.csv.plan.json"),
    (["report", "-o", "r.html"], "out.csv.receipt.json", "a receipt", "a plan", "out.csv.plan.json"),
    (["compose"], "out.csv.receipt.json", "a receipt", "a plan", "out.csv.plan.json"),
    (["release", "t.csv", "-o", "x.csv", "--plan"], "out.csv.receipt.json", "a receipt", "a plan", "out.csv.plan.json"),
    (["verify"], "job.json", "a job", "a plan", "fugu run"),
    (["verify"], "scenario.json", "a scenario", "a plan", "fugu calibrate --scenario"),
    (["estimate", "out.csv", "--statement"], "out.csv.plan.json", "a plan", "a statement", "out.csv.receipt.json"),
    (["estimate", "out.csv", "--statement"], "job.json", "a job", "a statement", "out.csv.receipt.json"),
    (["run"], "out.csv.plan.json", "a plan", "a job", "--plan"),
    (["run", "--check"], "statement.json", "a statement", "a job", "--job"),
    (["calibrate", "--epsilon", "1", "--scenario"], "out.csv.plan.json", "a plan", "a scenario", "fugu verify"),
    (["compare", "--epsilon", "1", "--scenario"], "job.json", "a job", "a scenario", "fugu demo"),
])
def test_another_kind_of_file_is_named(files, words, file, found, wanted, hint):
    said = files.fails(3, *words, file, says=[f"fugu: {file}: this is {found}, not {wanted}\n", hint])
    assert "known keys" not in said


def test_the_right_kind_is_taken(files):
    files.ok("verify", "out.csv.plan.json")
    files.ok("calibrate", "--scenario", "scenario.json", "--epsilon", "1")
    for statement in ("statement.json", "out.csv.receipt.json"):
        files.ok("estimate", "out.csv", "--statement", statement)
        files.ok("preview", statement)
