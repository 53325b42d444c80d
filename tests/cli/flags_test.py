"""What can be asked stands in one table: the program, the documents and Python's arguments say the same."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMANDS = {"question": ["calibrate", "compare", "figure", "release"], "plan": ["calibrate", "release"], "release": ["release"],
            "ledger": ["release", "studio"], "outputs": [], "crowd": ["count"], "chain": ["chain"], "rate": ["rate"], "budget": ["count", "rate", "chain"], "estimate": ["estimate"], "preview": ["preview"]}


@pytest.fixture
def flags(fugu):
    return json.loads(fugu.ok("--flags"))


def plain(text):
    return " ".join(text.split())


def test_documents_and_arguments_are_those_of_the_table(fugu):
    check = subprocess.run([ROOT / "scripts" / "docs-help", "--check"], capture_output=True, text=True,
                           env={**os.environ, "FUGU": os.path.abspath(os.environ["FUGU"])})
    assert (check.returncode, check.stderr) == (0, "")


def test_every_flag_is_in_the_help_of_its_commands(fugu, flags):
    helps = {}
    for row in flags:
        for command in row["commands"] or COMMANDS[row["texts"]]:
            text = helps.setdefault(command, plain(fugu.ok(command, "--help-all")))
            name = row["name"] if row["name"].isupper() else "--" + row["name"]
            assert f"{name} " in text
            first = [one for one in flags if (one["texts"], one["name"]) == (row["texts"], row["name"])
                     and command in (one["commands"] or COMMANDS[one["texts"]])][0]
            assert plain(first["help"]) in text, (command, row["name"])


def test_what_a_plan_says_already_is_refused(fugu, flags, grades):
    """Every flag of a question or a plan, but those that say how the table is read."""
    free = {"TABLE", "table", "query", "separator", "scenario", "rows-independent"}
    for row in flags:
        if row["texts"] not in ("question", "plan") or row["name"] in free:
            continue
        value = [] if "switch" in row["kind"] else ["keep"]
        words = ["release", grades, "--plan", "plan.json", "-o", "out.csv", "--" + row["name"], *value]
        done = fugu(*words)
        assert (done.status, done.err.splitlines()[0]) == (2, f"fugu: --{row['name']}: the plan says this already")


def test_what_a_scenario_file_has_no_place_for_is_refused(fugu, flags):
    kept = {"epsilon", "promise", "shares", "delta", "confidence", "bounds", "population", "census", "closeness", "pairs", "prior", "scenario", "noise", "noise-shares", "range", "step"}
    for row in flags:
        if row["texts"] != "question" or row["name"] in kept:
            continue
        name = row["name"] if row["name"].isupper() else "--" + row["name"]
        given = ["table.csv"] if name == "TABLE" else [name] if "switch" in row["kind"] else [name, "keep"]
        done = fugu("compare", "--scenario", "s.json", *given)
        assert done.status == 2 and done.err.startswith(f"fugu: --scenario: {name} cannot be used with a scenario file"), done
