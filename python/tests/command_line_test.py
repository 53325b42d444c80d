"""The same question gives the same plan, byte for byte, from Python and from the command line."""

import json

import fugu
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import PEOPLE, run, write_csv


def python_plan(table, asked, wishes):
    return fugu.calibrate(fugu.Scenario.from_table(table, **asked), **wishes).to_json()


QUESTIONS = [
    ({"secret": "race", "public": "job"}, {"epsilon": 0.5}, ["--secret", "race", "--public", "job", "--epsilon", "0.5"]),
    (
        {"secret": ["race", "sex"], "public": "hours", "pairs": [("A & f", "B & f"), ("A & m", None)]},
        {"epsilon": 0.1, "delta": 1e-5, "noise": "gaussian"},
        ["--secret", "race,sex", "--public", "hours", "--pairs", "A & f:B & f,A & m:*", "--epsilon", "0.1", "--delta", "1e-05",
         "--noise", "gaussian"],
    ),
    (
        {"secret": "race", "public": "hours", "given": "sex", "min_group": 5, "clip": (25, 39.5), "step": 0.5},
        {"epsilon": "1/3", "method": "optimal"},
        ["--secret", "race", "--public", "hours", "--given", "sex", "--min-group", "5", "--clip", "25:39.5", "--step", "0.5",
         "--epsilon", "1/3", "--method", "optimal"],
    ),
    (
        {"secret": "race", "public": "job", "order": ["nurse", "cook", "clerk"], "confidence": 0.95, "closeness": 0.01},
        {"epsilon": 2, "method": "sensitivity"},
        ["--secret", "race", "--public", "job", "--order", "nurse,cook,clerk", "--confidence", "0.95", "--closeness", "0.01",
         "--epsilon", "2", "--method", "sensitivity"],
    ),
    (
        {"secret": "race", "public": ["hours", "job"], "noise_shares": [1, 0.5]},
        {"epsilon": 1},
        ["--secret", "race", "--public", "hours,job", "--noise-shares", "1,0.5", "--epsilon", "1"],
    ),
]


@pytest.mark.parametrize("asked, wishes, flags", QUESTIONS)
@pytest.mark.parametrize("convert", [lambda t: t, pl.from_pandas, lambda t: pa.Table.from_pandas(t, preserve_index=False)])
def test_plans_are_the_same(program, tmp_path, asked, wishes, flags, convert):
    path = write_csv(tmp_path / "people.csv", PEOPLE)
    run(program, "calibrate", path, *flags, "-o", tmp_path / "plan.json")
    written = (tmp_path / "plan.json").read_text()
    assert python_plan(convert(PEOPLE), asked, wishes) == written
    assert python_plan(str(path), asked, wishes) == written
    assert fugu.Plan.from_json(written).to_json() == written


def test_awkward_values_count_alike(program, tmp_path):
    table = pd.DataFrame(
        {
            "s": ["x,y", 'say "z"', "x,y", 'say "z"', "ü", "ü"],
            "v": [0.1, -0.1, 1e-7, 0.30000000000000004, 100.0, -0.0],
        }
    )
    path = write_csv(tmp_path / "t.csv", table)
    flags = ["--secret", "s", "--public", "v", "--epsilon", "0.7", "--step", "0.1"]
    run(program, "calibrate", path, *flags, "-o", tmp_path / "plan.json")
    asked = {"secret": "s", "public": "v", "step": 0.1}
    assert python_plan(table, asked, {"epsilon": 0.7}) == (tmp_path / "plan.json").read_text()


def test_comparison_and_estimates_are_the_same(program, tmp_path):
    path = write_csv(tmp_path / "people.csv", PEOPLE)
    flags = ["--secret", "race", "--public", "hours", "--epsilon", "0.5,1", "--format", "json"]
    scenario = fugu.Scenario.from_table(PEOPLE, secret="race", public="hours")
    comparison = fugu.compare(scenario, epsilon=[0.5, 1])
    assert comparison.to_json() == run(program, "compare", path, *flags)
    assert [row["epsilon"] for row in comparison][0] == 0.5
    assert len(comparison) == len(comparison.to_pandas())

    plan = fugu.calibrate(scenario, epsilon=0.5, method="exact")
    released = plan.release(PEOPLE)
    (tmp_path / "statement.json").write_text(json.dumps(plan.statement()))
    out = write_csv(tmp_path / "out.csv", released)
    said = run(program, "estimate", out, "--statement", tmp_path / "statement.json", "--format", "json")
    assert fugu.estimate(released, plan.statement()) == json.loads(said)
    assert fugu.estimate(out, tmp_path / "statement.json") == json.loads(said)
    assert fugu.estimate(released["hours"], plan.statement())["estimates"][0]["rows"] == len(PEOPLE)


def test_models_are_the_same(program, tmp_path):
    run(program, "count", "--users", 25, "--p", 0.7, "--epsilon", 1, "-o", tmp_path / "count.json")
    plan = fugu.count(users=25, p=0.7, epsilon=1)
    assert plan.to_json() == (tmp_path / "count.json").read_text()
    assert 0 <= plan.release(17) + 100 and isinstance(plan.release(17), int)

    (tmp_path / "users.csv").write_text("\n".join(["0.1", "0.25", "0.9"]) + "\n")
    run(program, "count", "--probabilities", tmp_path / "users.csv", "--epsilon", 1, "-o", tmp_path / "users.json")
    assert fugu.count(probabilities=[0.1, 0.25, 0.9], epsilon=1).to_json() == (tmp_path / "users.json").read_text()

    chain = {"states": ["off", "on"], "chains": [{"transition": [[0.9, 0.1], [0.4, 0.6]], "start": "stationary"}]}
    (tmp_path / "chain.json").write_text(json.dumps(chain))
    run(program, "chain", "--matrix", tmp_path / "chain.json", "--length", 50, "--state", "on", "--epsilon", 1,
        "-o", tmp_path / "plan.json")
    assert fugu.chain(matrix=chain, length=50, state="on", epsilon=1).to_json() == (tmp_path / "plan.json").read_text()

    states = list("aabbbabababbbaabbbaab")
    (tmp_path / "states.csv").write_text("state\n" + "\n".join(states) + "\n")
    run(program, "chain", "--sequence", tmp_path / "states.csv", "--state", "a", "--epsilon", 1, "-o", tmp_path / "s.json")
    plan = fugu.chain(sequence=states, state="a", epsilon=1)
    assert plan.to_json() == (tmp_path / "s.json").read_text()
    assert isinstance(plan.release(), int)


def test_rates_are_the_same(program, tmp_path):
    people = {"died": ["yes"] * 40 + ["no"] * 80, "ward": ["ICU"] * 30 + ["A"] * 10 + ["ICU"] * 20 + ["A"] * 60}
    rows = "".join(f"{died},{ward}\n" for died, ward in zip(people["died"], people["ward"]))
    (tmp_path / "t.csv").write_text("died,ward\n" + rows)
    question = ["rate", tmp_path / "t.csv", "--secret", "died", "--public", "ward", "--within", "0.05", "--epsilon", 1]
    scenario = fugu.Scenario.from_table(people, secret="died", public="ward")
    for flags, arguments in [(["--count", "ICU"], {"count": "ICU"}), (["--histogram"], {"histogram": True})]:
        run(program, *question, *flags, "-o", tmp_path / "rate.json", "--force")
        plan = fugu.rate(scenario, within=0.05, epsilon=1, **arguments)
        assert plan.to_json() == (tmp_path / "rate.json").read_text()
    assert len(plan.release()) == 2
    assert isinstance(fugu.rate(scenario, within="all", epsilon=50, count="ICU", method="group").release(), int)
    with pytest.raises(fugu.UsageError, match="--within: 'most' is not a share"):
        fugu.rate(scenario, within="most", epsilon=1, count="ICU")


def test_composition_is_the_same(program, tmp_path):
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.5)
    plan.save(tmp_path / "plan.json")
    said = json.loads(run(program, "compose", tmp_path / "plan.json", tmp_path / "plan.json", "--format", "json"))
    together = fugu.compose(plan, plan)
    assert {key: together[key] for key in said} == said
    assert (tmp_path / "plan.json").stat().st_mode & 0o777 == 0o600
    assert json.loads(run(program, "verify", tmp_path / "plan.json", "--format", "json")) == plan.verify()
    with pytest.raises(fugu.UsageError, match="the file exists"):
        plan.save(tmp_path / "plan.json")


def test_composition_with_a_delta_and_of_a_table_that_grew(program, tmp_path):
    def of(table):
        return fugu.calibrate(fugu.Scenario.from_table(table, secret="race", public="hours"), epsilon=0.5, method="exact")

    plan, more = of(PEOPLE), of(pd.concat([PEOPLE, PEOPLE.head(6)]))
    plan.save(tmp_path / "plan.json")
    said = json.loads(run(program, "compose", *[tmp_path / "plan.json"] * 3, "--delta", "0.001", "--format", "json"))
    together = fugu.compose(plan, plan, plan, delta=0.001)
    assert {key: together[key] for key in said} == said and together["delta"] <= 0.001
    with pytest.raises(fugu.GuaranteeError, match="priors differ"):
        fugu.compose(plan, more)
    assert fugu.compose(plan, more, values_unchanged=True)["epsilon"] > 0


def test_laws_as_a_dictionary_are_a_scenario_file(program, tmp_path):
    (tmp_path / "s.json").write_text(
        '{"priors": [{"name": "given", "given": {"y": {"values": [1, 2], "mass": ["1/3", 0.25]}, '
        '"n": {"values": [1, 2], "mass": [1, 3]}}}]}'
    )
    run(program, "calibrate", "--scenario", tmp_path / "s.json", "--epsilon", "0.5", "-o", tmp_path / "plan.json")
    from fractions import Fraction

    scenario = fugu.Scenario({"y": {1: Fraction(1, 3), 2: 0.25}, "n": {1: 1, 2: 3}})
    written = (tmp_path / "plan.json").read_text()
    assert fugu.calibrate(scenario, epsilon=0.5).to_json() == written
    assert fugu.calibrate(fugu.Scenario.from_file(tmp_path / "s.json"), epsilon=0.5).to_json() == written
    assert fugu.Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()
