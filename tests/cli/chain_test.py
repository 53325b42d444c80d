"""fugu chain: counts of the states of a Markov chain."""
import fractions
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTIVITIES = ROOT.parent / "shared" / "data" / "ordonez_adl" / "OrdonezA_ADLs.txt"


def chain(p=0.9, q=0.1, start="stationary"):
    rows = [[f"{10 - round(10 * q)}/10", f"{round(10 * q)}/10"], [f"{10 - round(10 * p)}/10", f"{round(10 * p)}/10"]]
    return {"states": ["0", "1"], "chains": [{"transition": rows, "start": start}]}


@pytest.fixture
def matrix(fugu):
    fugu.write("chain.json", json.dumps(chain()))
    return "chain.json"


@pytest.mark.parametrize("p, q, quilt, transfer, exact", [
    (.6, .4, 3.572, 1.467, 1.467), (.7, .3, 6.724, 2.257, 2.257), (.8, .2, 13.08, 3.849, 3.849), (.9, .1, 31.74, 8.640, 8.640),
    (.2, .6, 7.168, 2.329, 0.745)])
def test_known_answers(fugu, p, q, quilt, transfer, exact):
    fugu.write("chain.json", json.dumps(chain(p, q)))
    found = json.loads(fugu.ok("chain", "--matrix", "chain.json", "--length", 100, "--state", "1", "--epsilon", 1,
                               "--compare", "--format", "json"))["candidates"]
    scales = {row["method"]: row["scale"] for row in found}
    assert list(scales) == ["group", "quilt-approx", "quilt", "transfer", "exact"]
    assert scales["group"] == pytest.approx(100)
    assert scales["quilt"] == pytest.approx(quilt, rel=5e-4)
    assert scales["exact"] == pytest.approx(exact, rel=5e-4)
    assert scales["quilt"] <= scales["quilt-approx"] <= 100
    assert scales["transfer"] == pytest.approx(transfer, rel=5e-4)


def test_the_example_needs_the_same_noise_at_every_length(fugu):
    for length in (100, 10_000, 1_000_000):
        plan = json.loads(fugu.ok("chain", "--matrix", ROOT / "examples" / "chain.json", "--length", length, "--state", "on",
                                  "--epsilon", 1, "--format", "json"))
        assert plan["guarantee"]["method"] == "transfer"
        assert plan["mechanism"]["scale"] == pytest.approx(5.912947, abs=5e-7)
        fugu.write("plan.json", json.dumps(plan))
        fugu.ok("verify", "plan.json")


def test_a_mixture_of_the_chains_is_said_to_be_left_out(fugu):
    fugu.ok("chain", "--matrix", ROOT / "examples" / "chain.json", "--length", 50, "--state", "on", "--epsilon", 1, "-o", "two.json")
    assert "a mixture of these chains is not covered" in " ".join(fugu.ok("statement", "two.json").split())
    fugu.write("chain.json", json.dumps(chain()))
    fugu.ok("chain", "--matrix", "chain.json", "--length", 50, "--state", "1", "--epsilon", 1, "-o", "one.json")
    assert "mixture" not in fugu.ok("statement", "one.json")


def test_the_small_example_of_song_wang_and_chaudhuri(fugu):
    fugu.write("chain.json", json.dumps({"states": ["0", "1"], "chains": [
        {"transition": [[0.9, 0.1], [0.4, 0.6]], "start": [0.8, 0.2]}]}))
    plan = json.loads(fugu.ok("chain", "--matrix", "chain.json", "--length", 3, "--state", "1", "--epsilon", 10,
                              "--method", "quilt", "--format", "json"))
    assert plan["mechanism"]["scale"] == pytest.approx(0.155849, abs=1e-6)


def test_a_plan_verifies_is_stated_and_releases(fugu, matrix):
    base = ("chain", "--matrix", matrix, "--length", 50, "--state", "1", "--epsilon", 1)
    assert "method transfer" in fugu.ok(*base, "-o", "plan.json")
    verified = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))
    assert verified["verified"] and verified["loss"] <= 1 and verified["prior"].startswith("time ")
    assert "state at any one time" in " ".join(fugu.ok("statement", "plan.json").split())
    int(fugu.ok(*base, "--observed", "-", stdin="20\n"))
    shares = fugu.ok(*base[:5], "--histogram", "--frequency", "--epsilon", 1, "--observed", "-", stdin="0.4 0.6")
    assert len(shares.splitlines()) == 2
    assert all((fractions.Fraction(line) * 50).denominator == 1 for line in shares.splitlines())


def test_a_changed_plan_is_refused(fugu, matrix):
    fugu.ok("chain", "--matrix", matrix, "--length", 50, "--state", "1", "--epsilon", 1, "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    plan["model"]["length"] = 500
    fugu.write("changed.json", json.dumps(plan))
    fugu.fails(4, "verify", "changed.json", says="digest")


def test_composition_pays_what_states_say_of_each_other_once(fugu, matrix):
    base = ("chain", "--matrix", matrix, "--length", 100, "--epsilon", 1)
    fugu.ok(*base, "--state", "1", "--method", "quilt", "-o", "one.json")
    fugu.ok(*base, "--histogram", "-o", "all.json")
    fugu.ok(*base[:4], 90, *base[5:], "--state", "1", "-o", "shorter.json")
    fugu.ok("calibrate", ROOT / "examples" / "grades.csv", "--secret", 1, "--public", 2, "--epsilon", 1, "-o", "table.json")
    assert json.loads(fugu.ok("compose", "one.json", "--format", "json")) == {"epsilon": 1, "delta": 0, "bound": "single"}
    both = json.loads(fugu.ok("compose", "one.json", "all.json", "--format", "json"))
    assert both["bound"] == "transfer" and both["delta"] == 0 and 0 < both["epsilon"] < 2
    assert "paid once" in fugu.ok("compose", "one.json", "one.json")
    fugu.fails(4, "compose", "one.json", "shorter.json", says="same length")
    fugu.fails(4, "compose", "one.json", "table.json", says="some about a model")


def test_a_sequence_makes_its_chain(fugu):
    fugu.write("states.csv", "state\n" + "a\na\nb\nb\nb\na\n" * 20)
    base = ("chain", "--sequence", "states.csv", "--epsilon", 2)
    plan = json.loads(fugu.ok(*base, "--state", "b", "--format", "json"))
    assert plan["model"]["states"] == ["a", "b"] and plan["model"]["length"] == 120
    assert plan["model"]["chains"][0]["transition"] == [["39/59", "20/59"], ["1/3", "2/3"]]
    assert any("estimated from the very sequence" in sentence for sentence in plan["assumptions"])
    assert len(fugu.ok(*base, "--histogram", "--observed", "sequence").split()) == 2
    assert plan == json.loads(fugu.ok("chain", "--sequence", "-", "--epsilon", 2, "--state", "b", "--format", "json",
                                      stdin=(fugu.folder / "states.csv").read_bytes()))


def test_the_exact_law_of_a_long_chain_is_refused(fugu, matrix):
    out = " ".join(fugu.ok("chain", "--matrix", matrix, "--length", 1_000_000, "--state", "1", "--epsilon", 1).split())
    assert "method transfer hides" in out
    out = " ".join(fugu.ok("chain", "--matrix", matrix, "--length", 1_000_000, "--state", "1", "--epsilon", 1, "--method", "quilt").split())
    assert "method quilt hides" in out
    fugu.fails(2, "chain", "--matrix", matrix, "--length", 1_000_000, "--state", "1", "--epsilon", 1, "--method", "exact",
               says=["--method exact", "would take too long", "--method transfer"])


@pytest.mark.parametrize("status, says, flags", [
    (2, "--matrix and --sequence", ["--state", "1", "--epsilon", "1"]),
    (2, "--state and --histogram", ["--matrix", "chain.json", "--length", "9", "--epsilon", "1"]),
    (2, "--length", ["--matrix", "chain.json", "--state", "1", "--epsilon", "1"]),
    (2, "--length", ["--matrix", "chain.json", "--length", "0", "--state", "1", "--epsilon", "1"]),
    (2, "--epsilon", ["--matrix", "chain.json", "--length", "9", "--state", "1"]),
    (2, "--delta", ["--matrix", "chain.json", "--length", "9", "--state", "1", "--epsilon", "1", "--delta", "0.1"]),
    (2, "--state", ["--matrix", "chain.json", "--length", "9", "--state", "2", "--epsilon", "1"]),
    (2, "--method", ["--matrix", "chain.json", "--length", "9", "--state", "1", "--epsilon", "1", "--method", "best"]),
    (2, "histogram", ["--matrix", "chain.json", "--length", "9", "--histogram", "--epsilon", "1", "--method", "exact"]),
    (2, "--observed", ["--matrix", "chain.json", "--length", "9", "--state", "1", "--epsilon", "1", "--observed", "x"]),
    (3, "fewer than two", ["--sequence", "same.csv", "--state", "a", "--epsilon", "1"]),
    (3, "no step leaves", ["--sequence", "once.csv", "--state", "a", "--epsilon", "1"]),
    (3, "there is no state", ["--sequence", "empty.csv", "--column", "1", "--state", "a", "--epsilon", "1"]),
])
def test_errors_are_two_lines(fugu, matrix, status, says, flags):
    fugu.write("same.csv", "s\na\na\n")
    fugu.write("once.csv", "s\na\na\nb\n")
    fugu.write("empty.csv", "s,t\na,1\n,2\nb,3\n")
    fugu.fails(status, "chain", *flags, says=says)


def test_the_true_number_is_never_shown(fugu, matrix):
    for text in ["777", "-777", "777 777", "777.5", "secret777"]:
        message = fugu.fails(3, "chain", "--matrix", matrix, "--length", 9, "--state", "1", "--epsilon", 1, "--observed", "-",
                             stdin=text)
        assert "777" not in message


@pytest.mark.skipif(not ACTIVITIES.exists(), reason="the table is not there")
def test_a_month_of_activities(fugu):
    subprocess.run([sys.executable, ROOT / "examples" / "activities.py", ACTIVITIES, fugu.folder / "states.csv"], check=True,
                   capture_output=True)
    assert len((fugu.folder / "states.csv").read_text().splitlines()) == 19_875
    found = json.loads(fugu.ok("chain", "--sequence", "states.csv", "--state", "Sleeping", "--epsilon", 1, "--compare",
                               "--format", "json"))["candidates"]
    scales = {row["method"]: row["scale"] for row in found}
    assert scales["group"] == pytest.approx(19_874)
    assert scales["quilt"] == pytest.approx(3178.55, rel=1e-4)
    assert scales["transfer"] == pytest.approx(809.415, rel=1e-5)
    assert scales["exact"] is None
    fugu.ok("chain", "--sequence", "states.csv", "--state", "Sleeping", "--epsilon", 1, "-o", "plan.json")
    fugu.ok("verify", "plan.json")


def test_a_first_state_is_no_header(fugu):
    states = "on\noff\n" * 50 + "on\n"
    fugu.write("bare.csv", states)
    ask = ["--length", "100", "--state", "on", "--epsilon", "1"]
    fugu.fails(3, "chain", "--sequence", "bare.csv", *ask, says=["looks like data", "--no-header"])
    fugu.write("named.csv", "state\n" + states + "off\noff\n")
    fugu.ok("chain", "--sequence", "named.csv", *ask)
