"""Normal laws and mixtures in scenario files: the whole way to a release, and against Python's own erfc."""

import json
import math
import re

import pytest

from conftest import ROOT
from tampering_test import Literal, canonical, digest, read


def law_file(**changes):
    scenario = {
        "epsilon": 0.5,
        "priors": [{"name": "p", "given": {"A": {"gaussian": {"mean": 40, "sd": 12.5}},
                                           "B": {"mixture": [{"weight": 2, "gaussian": {"mean": 45, "sd": 10}},
                                                             {"weight": 1, "gaussian": {"mean": 30.5, "sd": 20}}]}}}],
        "lattice": {"step": 1, "origin": 0},
        "source": {"secret": ["s"], "public": ["x"], "clip": [0, 100]},
    }
    scenario.update(changes)
    return json.dumps({key: value for key, value in scenario.items() if value is not None})


def cells(parts, low, high):
    """Masses on the integers low … high, the tails at the ends: tails on each cell's own side of the mean."""
    whole = sum(weight for weight, _, _ in parts)

    def between(u, v):
        tail = lambda z: math.erfc(z / math.sqrt(2)) / 2
        return tail(u) - tail(v) if u >= 0 else tail(-v) - tail(-u)

    return [sum(weight / whole * between((x - 0.5 - mean) / sd if x > low else -math.inf,
                                         (x + 0.5 - mean) / sd if x < high else math.inf)
                for weight, mean, sd in parts) for x in range(low, high + 1)]


def test_exact_laplace_is_that_of_the_definition(fugu):
    fugu.write("s.json", law_file())
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    scale = float(plan["mechanism"]["scale"])
    laws = [cells([(1, 40, 12.5)], 0, 100), cells([(2, 45, 10), (1, 30.5, 20)], 0, 100)]

    def loss(theta):
        at = [[math.fsum(mass * math.exp(-abs(y - x) / theta) for x, mass in enumerate(law)) for y in range(101)]
              for law in laws]
        return max(abs(math.log(p / q)) for p, q in zip(*at))

    assert loss(scale) == pytest.approx(0.5, rel=1e-9)
    assert loss(0.999 * scale) > 0.5
    assert float(plan["witness"]["loss"]) <= 0.5


def test_a_plan_holds_the_law(fugu):
    fugu.write("s.json", law_file())
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    assert plan["scenario"]["priors"] == json.loads(law_file())["priors"]
    assert any("held between 0 and 100" in line for line in plan["assumptions"])
    assert any("mean 40 and standard deviation 12.5" in line for line in plan["notes"])
    fugu.ok("verify", "plan.json")
    statement = fugu.ok("statement", "plan.json")
    assert "12.5" not in statement  # the law is the owner's; how values are held is for all
    assert "held between 0 and 100" in re.sub(r"\s+", " ", statement)


@pytest.mark.parametrize("change", [("mean", "41"), ("sd", "12.4")])
def test_another_law_does_not_verify(fugu, change):
    fugu.write("s.json", law_file())
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    key, value = change
    plan["scenario"]["priors"][0]["given"]["A"]["gaussian"][key] = Literal(value)
    plan["digest"] = digest(plan)
    fugu.write("forged.json", canonical(plan))
    fugu.fails(4, "verify", "forged.json", says="the plan does not verify")


def test_compare_shows_the_methods(fugu):
    fugu.write("s.json", law_file(source=None))
    out = fugu.ok("compare", "--scenario", "s.json", "--step", "10", "--all")
    assert "exact" in out and "kantorovich" in out
    fugu.ok("compare", "--scenario", "s.json", "--delta", "0.001", "--noise", "laplace,gaussian", "--step", "10")


def test_release_holds_and_moves_values_by_the_same_map(fugu):
    # So little is protected that the noise is none: what comes out is the map.
    fugu.write("s.json", law_file(epsilon=50, lattice={"step": 5, "origin": 0}))
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "plan.json")
    assert float(read(fugu.folder / "plan.json")["mechanism"]["scale"]) == 0
    fugu.write("t.csv", "s,x\nA,-1e9\nA,2.4\nB,2.5\nB,47.51\nA,100.4\nB,123456\n")
    fugu.fails(4, "release", "t.csv", "--plan", "plan.json", "-o", "out.csv", says="--new-data")
    fugu("release", "t.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv")
    assert (fugu.folder / "out.csv").read_text().split() == ["x", "0", "0", "5", "50", "100", "100"]


def test_what_is_wrong_is_said(fugu):
    fugu.write("s.json", law_file(lattice=None))
    fugu.fails(3, "calibrate", "--scenario", "s.json", says=["a law needs a lattice", "--step"])
    fugu.ok("calibrate", "--scenario", "s.json", "--step", "2", "-o", "plan.json")
    fugu.write("s.json", law_file())
    fugu.fails(3, "calibrate", "--scenario", "s.json", "--confidence", "0.9", says="a confidence needs")
    fugu.fails(3, "calibrate", "--scenario", "s.json", "--step", "0.0001", says="more than 100000 points")


def test_two_plans_compose(fugu):
    fugu.write("s.json", law_file(lattice={"step": 10, "origin": 0}))
    for name in ("one.json", "two.json"):
        fugu.ok("calibrate", "--scenario", "s.json", "-o", name)
    out = fugu.ok("compose", "one.json", "two.json", "--format", "json")
    ratio = math.exp(-10 / float(read(fugu.folder / "one.json")["mechanism"]["scale"]))
    laws = [cells([(1, 4, 1.25)], 0, 10), cells([(2, 4.5, 1), (1, 3.05, 2)], 0, 10)]
    joint = [[math.fsum(mass * ratio ** (abs(y - x) + abs(z - x)) for x, mass in enumerate(law))
              for y in range(11) for z in range(11)] for law in laws]
    loss = max(abs(math.log(p / q)) for p, q in zip(*joint))
    assert float(json.loads(out)["epsilon"]) == pytest.approx(loss, rel=1e-9)
    fugu.write("s.json", law_file(lattice={"step": 10, "origin": 0}, source={"secret": ["s"], "public": ["x"], "clip": [0, 90]}))
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "three.json")
    fugu.fails(4, "compose", "one.json", "three.json", says="held within different ranges")


def test_the_documents_example_runs(fugu):
    text = (ROOT / "docs" / "formats.md").read_text()
    example, = [block for block in re.findall(r"```json\n(.*?)```", text, flags=re.S) if '"mixture"' in block]
    fugu.write("s.json", example)
    fugu.ok("calibrate", "--scenario", "s.json", "-o", "plan.json")
    fugu.ok("verify", "plan.json")
