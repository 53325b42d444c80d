"""What fugu-check says of files that are no plan, or of plans that it does not cover."""

import json
import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHECK = os.environ.get("FUGU_CHECK", str(ROOT / "build" / "fugu-check"))
#: Private: the plan of a column whose values need no noise.
PLAN = {
    "fugu": 1, "digest": "sha256:" + "0" * 64,
    "guarantee": {"epsilon": 0.5, "delta": 0, "method": "exact", "pairs": 1, "priors": 1, "confidence": None},
    "mechanism": {"noise": "laplace", "scale": 0, "reach": 0, "symmetric": True, "weights": ["1"],
                  "tail": {"numerator": "0", "log2_denominator": 0}, "mse": 0, "lattice": {"step": 1, "origin": 0}},
    "sensitivity": {"range": 1, "w_inf": 1, "w_1": 0.1},
    "witness": {"prior": "p", "pair": ["a", "b"], "output": 0, "loss": 0.4, "delta": None}, "assumptions": [], "notes": [],
    "scenario": {"epsilon": 0.5, "delta": 0, "pairs": "all", "lattice": {"step": 1, "origin": 0},
                 "priors": [{"name": "p", "given": {"a": {"values": [0, 1], "mass": [3, 2]}, "b": {"values": [0, 1], "mass": [2, 2]}}}]}}


def check(tmp_path, plan):
    path = tmp_path / "plan.json"
    path.write_text(plan if isinstance(plan, str) else json.dumps(plan))
    done = subprocess.run([CHECK, path], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.strip()


def changed(**changes):
    """The plan with some parts replaced: part__key=value."""
    plan = json.loads(json.dumps(PLAN))
    for name, value in changes.items():
        *path, key = name.split("__")
        part = plan
        for step in path:
            part = part[step]
        part[key] = value
    return plan


def test_a_plan(tmp_path):
    assert check(tmp_path, PLAN) == (0, "proved")


@pytest.mark.parametrize("change", [
    {"scenario__priors": [{"name": "p", "given": {"a": {"values": [0, 1], "mass": [7, 2]}, "b": {"values": [0, 1], "mass": [2, 2]}}}]},
    {"scenario__priors": [{"name": "p", "given": {"a": {"values": [0, 2], "mass": [3, 2]}, "b": {"values": [0, 1], "mass": [2, 2]}}}]},
    {"scenario__epsilon": 0.1, "guarantee__epsilon": 0.1}, {"guarantee__epsilon": 0.4}, {"guarantee__pairs": 2}, {"guarantee__priors": 2},
    {"scenario__pairs": [], "guarantee__pairs": 0}, {"scenario__priors": [], "guarantee__priors": 0, "guarantee__pairs": 0},
    {"scenario__budgets": [{"secrets": ["a"], "epsilon": 0.1}]},
    {"scenario__budgets": [{"secrets": ["b", "a"], "epsilon": 0.1}], "guarantee__budgets": [{"secrets": ["b", "a"], "epsilon": 0.1}]},
    {"scenario__budgets": [{"secrets": ["b"], "epsilon": 0.1}], "guarantee__budgets": [{"secrets": ["b"], "epsilon": 0.1}]},
    {"scenario__budgets": [{"secrets": ["b"], "epsilon": 0.6}], "guarantee__budgets": [{"secrets": ["b"], "epsilon": 0.6}]},
    {"mechanism__weights": ["0"]}, {"mechanism__reach": 1}, {"mechanism__tail": {"numerator": "1", "log2_denominator": 0}},
])
def test_not_proved(tmp_path, change):
    assert check(tmp_path, changed(**change))[0] in (3, 4)


@pytest.mark.parametrize("change, why", [
    ({"scenario__delta": 0.1, "guarantee__delta": 0.1}, "a delta above 0"), ({"guarantee__delta": "1e-9"}, "a delta above 0"),
    ({"scenario__confidence": 0.9}, "a confidence"), ({"scenario__closeness": 0.1}, "closeness"),
    ({"scenario__promise": "belief"}, "a promise in belief"),
    ({"scenario__source": {"person": {"column": "x", "rows": 2, "seed": "0" * 64}}}, "several rows of a person"),
    ({"model": {"kind": "users"}}, "a plan of a model"),
    ({"scenario__priors": [{"given": {"a": {"gaussian": {"mean": 0, "sd": 1}}, "b": {"gaussian": {"mean": 0, "sd": 1}}}}]}, "a law that a model states"),
])
def test_not_covered(tmp_path, change, why):
    assert check(tmp_path, changed(**change)) == (7, f"not covered: {why}")


@pytest.mark.parametrize("change", [
    {"surprise": 1}, {"scenario__surprise": 1}, {"guarantee__surprise": 1}, {"mechanism__surprise": 1}, {"fugu": 2}, {"mechanism": []},
    {"mechanism__lattice": {"step": 2, "origin": 0}}, {"mechanism__lattice": [{"step": 1}, {"step": 1}]}, {"scenario__lattice": {"step": 0}},
    {"scenario__lattice": []}, {"mechanism__tail": {"numerator": "-1", "log2_denominator": 0}}, {"mechanism__weights": ["1.0"]},
    {"scenario__pairs": [["a", "c"]]}, {"scenario__pairs": [["a", "a"]]}, {"scenario__pairs": "some"}, {"scenario__epsilon": 0, "guarantee__epsilon": 0},
    {"scenario__priors": [{"given": {"a": {"values": [0, 0.5], "mass": [3, 2]}, "b": {"values": [0, 1], "mass": [2, 2]}}}]},
    {"scenario__priors": [{"given": {"a": {"values": [0], "mass": [3, 2]}, "b": {"values": [0, 1], "mass": [2, 2]}}}]},
    {"scenario__priors": [{"given": {"a": {"values": [0, 1], "mass": [3, 2]}, "b": {"values": [0, 1], "mass": [2, "1/0"]}}}]},
    {"scenario__priors": [{"given": {"a": {"values": [0, 1], "mass": [3, 2], "more": 1}, "b": {"values": [0, 1], "mass": [2, 2]}}}]},
])
def test_no_plan(tmp_path, change):
    assert check(tmp_path, changed(**change))[0] == 3


def test_budgets_of_their_own(tmp_path):
    """Of a pair's own and those of its secrets the least counts, and what is stated of no pair is refused."""
    def status(*budgets):
        stated = [{"secrets": secrets, "epsilon": epsilon} for secrets, epsilon in budgets]
        return check(tmp_path, changed(scenario__budgets=stated, guarantee__budgets=stated))[0]
    assert status((["b", "a"], 0.3)) == 0
    assert status((["b"], 0.1), (["b", "a"], 0.3)) == 4
    assert status((["a", "a"], 0.01)) == 3 and status((["b"], 0.1), (["b"], 0.2)) == 3
    one_pair = {"scenario__pairs": [["a", "b"]], "guarantee__pairs": 1}
    law = PLAN["scenario"]["priors"][0]["given"]
    priors = [{"name": "empirical", "given": {**law, "c": law["b"]}}]
    for secrets in (["c"], ["a", "c"]):
        stated = [{"secrets": secrets, "epsilon": 0.01}]
        assert check(tmp_path, changed(scenario__priors=priors, scenario__budgets=stated, guarantee__budgets=stated, **one_pair))[0] == 3


def test_masses_that_are_negative_prove_nothing(tmp_path):
    law = {"values": [0, 1, 2], "mass": [3, 3, -1]}
    assert check(tmp_path, changed(scenario__priors=[{"given": {"a": law, "b": law}}]))[0] in (3, 4)


@pytest.mark.parametrize("text", [
    "", "{", "[1,]", "nul", "01", "1.", "+1", "NaN", '{"a": 1, "a": 1}', r'{"a": 1, "\u0061": 1}', '"\t"', '"\\ud800"', "1 2", "[" * 100 + "]" * 100,
    "/* a */ {}", "{a: 1}",
])
def test_no_json(tmp_path, text):
    assert check(tmp_path, text)[0] == 3


def test_a_key_that_stands_twice(tmp_path):
    text = json.dumps(PLAN).replace('"pairs": "all"', '"pairs": "all", "epsilon": 5', 1)
    assert check(tmp_path, text) == (3, check(tmp_path, text)[1]) and "twice" in check(tmp_path, text)[1]


def test_numbers_are_exact_as_written(tmp_path):
    """log(6/5) is 0.18232155679395462621…"""
    for epsilon, status in (("0.18232155679395462621", 4), ("0.18232155679395462622", 0)):
        text = json.dumps(PLAN).replace('"epsilon": 0.5', f'"epsilon": {epsilon}')
        text = text.replace('"mass": [3, 2]', '"mass": [6, 5]').replace('"mass": [2, 2]', '"mass": ["5/11", "6/11"]')
        assert check(tmp_path, text)[0] == status, epsilon


def test_a_missing_file_and_wrong_usage(tmp_path):
    assert subprocess.run([CHECK, tmp_path / "none.json"], capture_output=True).returncode == 5
    assert subprocess.run([CHECK], capture_output=True).returncode == 2


def test_every_stratum_has_a_prior_and_stands_once(tmp_path):
    """Of a stratum without a prior nothing is proved, and its people are released all the same."""
    def status(*strata):
        swap = {"noise": "swap", "scale": None, "mse": 0, "lattice": {"step": 1, "origin": 0}, "unchanged": 1,
                "strata": [{"known": [known], "points": [0, 1], "totals": ["5", "4"], "flows": []} for known in strata]}
        return check(tmp_path, changed(mechanism=swap, scenario__priors=[{**PLAN["scenario"]["priors"][0], "known": ["F"]}]))[0]
    assert status("F") == 0
    assert status("F", "M") == 4 and status("M") == 4
    assert status("F", "F") == 3


@pytest.mark.parametrize("text, expected", [("5e-1", 0), ("0.05e+1", 0), ("5e0x0", 3), ("5e0b0", 3), ("5e+-1", 3), ("5e", 3), ("5e--1", 3)])
def test_exponents_are_digits(tmp_path, text, expected):
    assert check(tmp_path, changed(scenario__epsilon=text, guarantee__epsilon=text))[0] == expected
