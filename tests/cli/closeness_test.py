"""Beliefs that are close to a prior: each is held to epsilon. Losses recomputed in Fractions."""

import json
import random
from fractions import Fraction

import pytest

from beliefs import BELIEF, FLAGS, calibrated, growth_below, largest_odds, noise_of, outputs, plan_laws, write_people
from tampering_test import canonical, digest, read


@pytest.fixture
def people(fugu):
    return write_people(fugu)


def test_closeness_tightens_what_is_proved(fugu, people):
    plan = calibrated(fugu, "--closeness", "0.1")
    assert plan["guarantee"]["epsilon"] == 0.5 and plan["guarantee"]["closeness"] == 0.1
    odds = largest_odds(plan_laws(plan["scenario"]["priors"][0]), noise_of(plan))
    tight = growth_below(Fraction(3, 10))
    assert tight * Fraction(999, 1000) < odds <= tight
    assert plan["witness"]["loss"] <= 0.3
    verified = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))
    assert verified["epsilon"] == 0.5 and verified["closeness"] == 0.1 and verified["loss"] <= 0.3
    for text in (fugu.ok("statement", "plan.json"), " ".join(plan["assumptions"])):
        assert "at most e^0.1 times and at least e^-0.1 times" in " ".join(text.split())
    assert "at most 62.3 %" in fugu.ok("statement", "plan.json")
    assert "within a factor e^0.1" in fugu.ok("compare", "people.csv", *FLAGS, "--closeness", "0.1")


def near(law, lam, dice):
    """A random belief within max-divergence lam of the law, both ways, most of it on the edge: some atoms are raised,
    the others lowered as much as makes up for it, all by exact factors within e^-lam..e^lam."""
    most = growth_below(lam)
    atoms = sorted(law)
    up = set(dice.choice([atoms[k:] for k in range(1, len(atoms))] + [atoms[:k] for k in range(1, len(atoms))]
                         + [dice.sample(atoms, dice.randint(1, len(atoms) - 1))]))
    raised = sum(law[x] for x in up)
    # raised * f + (1 - raised) * g = 1 with 1/most <= g <= 1 <= f <= most.
    f = min(most, (1 - (1 - raised) / most) / raised)
    g = (1 - raised * f) / (1 - raised)
    belief = {x: law[x] * (f if x in up else g) for x in atoms}
    assert sum(belief.values()) == 1
    assert all(law[x] / most <= belief[x] <= law[x] * most for x in atoms)
    return belief


def test_beliefs_that_are_close_see_no_more_than_epsilon(fugu, people):
    lam, limit = Fraction(1, 5), growth_below(Fraction(1, 2))
    plan, alone = calibrated(fugu, "--closeness", "0.2"), calibrated(fugu)
    laws = plan_laws(plan["scenario"]["priors"][0])
    ratio, bare, dice, worst, worst_alone = noise_of(plan), noise_of(alone), random.Random(5), 0, 0
    for _ in range(300):
        belief = {secret: near(law, lam, dice) for secret, law in laws.items()}
        worst = max(worst, largest_odds(belief, ratio))
        worst_alone = max(worst_alone, largest_odds(belief, bare))
    assert worst <= limit
    assert worst_alone > limit  # without closeness such beliefs do see more


def test_closeness_with_delta(fugu, people):
    plan = calibrated(fugu, "--closeness", "0.1", "--delta", "0.01")
    assert plan["guarantee"]["delta"] == 0.01
    assert plan["witness"]["delta"] <= 0.01 / 1.1051
    # The hockey-stick of near beliefs, with the noise's own mass in full.
    ratio, growth, dice = noise_of(plan), growth_below(Fraction(1, 2)), random.Random(6)
    laws = plan_laws(plan["scenario"]["priors"][0])
    points = range(-60, 70)
    for _ in range(30):
        a, b = (outputs(near(laws[s], Fraction(1, 10), dice), ratio, points) for s in "ab")
        for p, q in ((a, b), (b, a)):
            beyond = sum(max(0, x - growth * y) for x, y in zip(p, q)) * (1 - ratio) / (1 + ratio)
            assert float(beyond) <= 0.01


def test_a_raised_closeness_is_refused(fugu, people):
    calibrated(fugu, "--closeness", "0.1")
    for where in (["scenario"], ["guarantee"], ["scenario", "guarantee"]):
        plan = read(fugu.folder / "plan.json")
        for part in where:
            plan[part]["closeness"] = 0.15
        plan["assumptions"] = [text.replace("e^0.1 ", "e^0.15 ").replace("e^-0.1 ", "e^-0.15 ").replace("0.3.", "0.2.")
                               for text in plan["assumptions"]]
        plan["digest"] = digest(plan)
        fugu.write("bad.json", canonical(plan))
        fugu.fails(4, "verify", "bad.json",
                   says="more than epsilon 0.2, which is what the closeness leaves" if len(where) == 2 else "not what the plan's scenario says")
    plan = read(fugu.folder / "plan.json")
    del plan["scenario"]["closeness"]
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(4, "verify", "bad.json", says="guarantee.closeness")


def test_closeness_errors(fugu, people):
    ask = ["calibrate", "people.csv", *FLAGS]
    for value in ("0.25", "0.3", "1"):
        fugu.fails(2, *ask, "--closeness", value, says=["--closeness", "below 0.25"])
    fugu.fails(2, *ask, "--closeness", "-1", says="--closeness")
    fugu.fails(2, *ask, "--closeness", "near", says="--closeness")
    fugu.fails(2, "compare", "people.csv", *FLAGS[:4], "--epsilon", "0.5,0.1", "--closeness", "0.1", says="--closeness")
    plain = calibrated(fugu)
    assert calibrated(fugu, "--closeness", "0") == plain
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": 0.3, "priors": [BELIEF]}))
    fugu.fails(3, "calibrate", "--scenario", "s.json", says="s.json.closeness")
    fugu.ok("calibrate", "--scenario", "s.json", "--epsilon", "1")
