"""The arguments of the package are the flags of the command line, by one table."""

import inspect
import json

import fugu
import pytest
from fugu import _core, _texts

WHOLE = {
    "from_table": fugu.Scenario.from_table,
    "calibrate": fugu.calibrate,
    "compare": fugu.compare,
    "count": fugu.count,
    "compare_count": fugu.compare_count,
    "rate": fugu.rate,
    "chain": fugu.chain,
    "estimate": fugu.estimate,
}
PARTLY = {
    "release": fugu.Plan.release,
    "release_file": fugu.release_file,
    "statement": fugu.Plan.statement,
    "releaser": fugu.Plan.releaser,
    "picture": fugu.Plan.picture,
}
# Of those: what Python alone has, or what the question says.
OWN = {"progress", "drop", "seconds", "public", "secret"}


def keywords(function):
    return {name: each.default for name, each in inspect.signature(function).parameters.items()
            if each.kind is inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", WHOLE)
def test_arguments_are_the_flags_of_the_table(name):
    there, asked = keywords(WHOLE[name]), _texts.flags(name)
    assert set(there) == {*asked, "progress"}
    for argument, row in asked.items():
        default = {"switch": False, "not switch": True, "files": ()}.get(row["kind"])
        assert there[argument] == (inspect.Parameter.empty if row["python"]["required"] else default), argument


@pytest.mark.parametrize("name", PARTLY)
def test_what_a_release_takes_is_in_the_table(name):
    there, asked = set(keywords(PARTLY[name])), set(_texts.flags(name))
    assert asked <= there
    assert there - asked <= OWN


def test_every_function_of_the_table_is_there():
    named = {function for row in json.loads(_core.flags) for function in row["python"]["functions"]}
    assert named == {*WHOLE, *PARTLY, "spark.release"}


def test_texts_have_the_names_of_the_flags():
    arguments = dict.fromkeys(_texts.flags("from_table"))
    asked = _texts.asked("from_table", {**arguments, "bin_edges": [18, 30.5], "clip": (20, 70), "header": False, "pairs": [("A", None)]})
    assert asked == {"bin-edges": "18,30.5", "clip": "20:70", "no-header": "yes", "pairs": "A:*"}
