"""Wrong arguments get a word and a hint of fugu's own."""

import fugu
import pytest
from tables import PEOPLE


@pytest.fixture(scope="module")
def hours():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.02)


@pytest.mark.parametrize("call", [
    lambda plan: fugu.calibrate(PEOPLE, epsilon=1),
    lambda plan: fugu.compare(None, epsilon=1),
    lambda plan: fugu.compose(plan, 3),
    lambda plan: fugu.calibrate(plan.scenario, method=3),
    lambda plan: plan.release(PEOPLE, new_data="no"),
    lambda plan: plan.release(PEOPLE, drop=1),
    lambda plan: plan.release("people.csv"),
    lambda plan: fugu.Plan.from_json({"fugu": 1}),
    lambda plan: fugu.Scenario({"a": [1, 2], "b": [3, 4]}),
    lambda plan: fugu.Scenario(3),
    lambda plan: fugu.chain(matrix=[[1, 0], [0, 1]], epsilon=1, length=5, state="a"),
    lambda plan: fugu.Scenario.from_table(PEOPLE, secret=b"race", public="hours"),
    lambda plan: fugu.Scenario.from_table(PEOPLE, secret="race", public="hours", progress=3),
    lambda plan: fugu.release_file("in.parquet", "out.parquet", plan="plan.json"),
    lambda plan: fugu.count(users=3, p=0.5, epsilon=1).release(2, keep="sex"),
])
def test_wrong_arguments_get_a_word_and_a_hint(hours, call):
    with pytest.raises(fugu.UsageError) as raised:
        call(hours)
    assert raised.value.hint


def test_missing_files_are_file_errors(hours, tmp_path):
    for call in (fugu.Plan.load, fugu.Scenario.from_file, lambda path: fugu.estimate([40], path)):
        with pytest.raises(fugu.FileError):
            call(tmp_path / "none.json")
    with pytest.raises(fugu.DataError, match="no users"):
        fugu.count(probabilities=[], epsilon=1)
