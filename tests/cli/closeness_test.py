"""Beliefs that are close to a prior: each is held to epsilon. Losses recomputed in Fractions.

The worst of these beliefs is a linear programme over boxes: lower ends first, then the rest to the values that an output
prefers, each up to its upper end."""

import json
import os
import random
from fractions import Fraction

import pytest

from beliefs import BELIEF, FLAGS, calibrated, growth_below, largest_odds, noise_of, outputs, plan_laws, write_people
from tampering_test import canonical, digest, read, refused


@pytest.fixture
def people(fugu):
    return write_people(fugu)


def extreme(law, lam, kernel, most):
    """The most, or the least, that a belief within max-divergence lam of the law gives: sum of kernel(x) b(x), in Fractions
    (e^lam from below, so that the boxes are within the true ones by a factor of 1e-60)."""
    factor = growth_below(lam)
    belief = {x: mass / factor for x, mass in law.items()}
    rest = 1 - sum(belief.values())
    for x in sorted(law, key=kernel, reverse=most):
        more = min(rest, law[x] * factor - belief[x])
        belief[x] += more
        rest -= more
    assert rest == 0
    return sum(kernel(x) * mass for x, mass in belief.items())


def worst_odds(laws, lam, kernels):
    """Over secrets, outputs and close beliefs; one kernel an output."""
    return max(extreme(laws[a], lam, kernel, True) / extreme(laws[b], lam, kernel, False)
               for kernel in kernels for a in laws for b in laws if a != b)


def laplace_kernels(laws, ratio):
    return [lambda x, y=y: ratio ** abs(y - x) for y in sorted({x for law in laws.values() for x in law})]


def by_budget(fugu, *flags):
    """A plan that holds the priors themselves to a smaller budget."""
    question = calibrated(fugu, *flags)["scenario"]
    question["closeness_by"] = "budget"
    fugu.write("question.json", json.dumps(question))
    fugu.ok("calibrate", "--scenario", "question.json", "-o", "plan.json", "--force")
    fugu.ok("verify", "plan.json")
    return json.loads((fugu.folder / "plan.json").read_text())


def test_every_close_belief_is_gone_through(fugu, people):
    plan = calibrated(fugu, "--closeness", "0.1")
    assert plan["scenario"]["closeness_by"] == "boxes"
    laws = plan_laws(plan["scenario"]["priors"][0])
    worst, limit = worst_odds(laws, Fraction(1, 10), laplace_kernels(laws, noise_of(plan))), growth_below(Fraction(1, 2))
    assert limit * Fraction(999, 1000) < worst <= limit * (1 + Fraction(1, 10**40))
    assert noise_of(plan) < noise_of(by_budget(fugu, "--closeness", "0.1"))  # which needs more noise


def random_question(dice, secrets, values):
    given = {}
    for s in range(secrets):
        mass = [dice.choice([0, 1, 2, 5, 9, 30]) for _ in range(values)]
        mass[dice.randrange(values)] += 3
        given[f"s{s}"] = {"values": sorted(dice.sample(range(12), values)), "mass": mass}
    return given


@pytest.mark.parametrize("method", ["exact", "optimal", "channel", "sensitivity"])
def test_random_questions(fugu, method):
    dice, tight = random.Random(method), 0
    questions = 8 if os.environ.get("FUGU_LONG") or method != "optimal" else 3
    for k in range(questions):
        lam = dice.choice([Fraction(1, 20), Fraction(1, 4), Fraction(2, 5)])
        priors = [{"name": f"p{p}", "given": random_question(dice, 2 + k % 2, 4)} for p in range(1 + k % 2)]
        fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": float(lam), "priors": priors}))
        fugu.ok("calibrate", "--scenario", "s.json", "--method", method, "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")
        plan = json.loads((fugu.folder / "plan.json").read_text())
        kernels = kernels_of(plan)
        limit = growth_below(Fraction(1, 2))
        worst = max(worst_odds(plan_laws(prior), lam, kernels) for prior in plan["scenario"]["priors"])
        assert worst <= limit * (1 + Fraction(1, 10**40))
        tight += worst > limit * Fraction(999, 1000)
    assert tight >= questions - 2 or method == "sensitivity"


def kernels_of(plan):
    """One function of the value for each output that matters, in Fractions."""
    mechanism = plan["mechanism"]
    if mechanism["noise"] == "channel":
        rows = {x: [Fraction(int(w), sum(map(int, row))) for w in row]
                for x, row in zip(mechanism["inputs"], mechanism["weights"])}
        return [lambda x, y=y: rows[x][y] for y in range(len(mechanism["outputs"])) if any(row[y] for row in rows.values())]
    reach, weights = mechanism["reach"], list(map(int, mechanism["weights"]))
    if mechanism["symmetric"]:
        weights = weights[:0:-1] + weights
    ratio = Fraction(int(mechanism["tail"]["numerator"]), 2 ** int(mechanism["tail"]["log2_denominator"]))
    step = Fraction(str(plan["scenario"]["lattice"]["step"]))

    def share(z):
        return weights[z + reach] if abs(z) <= reach else weights[0 if z < 0 else -1] * ratio ** (abs(z) - reach)
    values = {x for prior in plan["scenario"]["priors"] for law in prior["given"].values() for x in law["values"]}
    places = {x: round((x - min(values)) / step) for x in values}
    return [lambda x, y=y: Fraction(share(y - places[x])) for y in range(-reach, max(places.values()) + reach + 1)]


def test_the_papers_column(fugu):
    counts = {"White": [806, 3694, 2523, 3237, 3646, 3651, 1134, 1611, 3084, 915, 1360, 114, 519, 1523],
              "Asian-Pac-Islander": [44, 89, 128, 108, 135, 186, 23, 59, 139, 16, 28, 4, 15, 65]}
    given = {s: {"values": list(range(1, 15)), "mass": mass} for s, mass in counts.items()}
    for closeness, scale in ((0.24, 2.21), (0.3, 2.95)):
        fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": closeness, "priors": [{"name": "t", "given": given}]}))
        plan = json.loads(fugu.ok("calibrate", "--scenario", "s.json", "--format", "json"))
        assert plan["mechanism"]["scale"] == pytest.approx(scale, abs=0.005)
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": 0.24, "closeness_by": "budget",
                                     "priors": [{"name": "t", "given": given}]}))
    plan = json.loads(fugu.ok("calibrate", "--scenario", "s.json", "--format", "json"))
    assert plan["mechanism"]["scale"] == pytest.approx(8.17, abs=0.005)


def test_values_trade_places_against_every_close_belief(fugu):
    rows = [("ab"[k % 2], "xyz"[(k * k + k // (3 + k % 2)) % 3]) for k in range(900)]
    fugu.write("t.csv", "s,c\n" + "".join(f"{s},{c}\n" for s, c in rows))
    flags = ["t.csv", "--secret", "s", "--public", "c", "--epsilon", "0.5", "--rows-independent", "--method", "swap"]
    unchanged = []
    for closeness in ("0", "0.1", "0.3"):
        fugu.ok("calibrate", *flags, "--closeness", closeness, "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")
        plan = json.loads((fugu.folder / "plan.json").read_text())
        swap = plan["mechanism"]
        totals = list(map(int, swap["totals"]))
        share = [[Fraction(0)] * 3 for _ in range(3)]
        for a, b, flow in swap["flows"]:
            share[a][b] = Fraction(int(flow), totals[a])
        for a in range(3):
            share[a][a] = 1 - sum(share[a])
        laws = plan_laws(plan["scenario"]["priors"][0])
        kernels = [lambda x, y=y: share[x - 1][y] for y in range(3)]
        worst = worst_odds(laws, Fraction(closeness), kernels)
        assert worst <= growth_below(Fraction(1, 2)) * (1 + Fraction(1, 10**40))
        unchanged.append(swap["unchanged"])
    assert unchanged[0] > unchanged[1] > unchanged[2]


def test_a_smaller_budget_under_the_priors(fugu, people):
    plan = by_budget(fugu, "--closeness", "0.1")
    assert plan["guarantee"]["epsilon"] == 0.5 and plan["guarantee"]["closeness"] == 0.1
    odds = largest_odds(plan_laws(plan["scenario"]["priors"][0]), noise_of(plan))
    tight = growth_below(Fraction(3, 10))
    assert tight * Fraction(999, 1000) < odds <= tight
    assert plan["witness"]["loss"] <= 0.3
    verified = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))
    assert verified["epsilon"] == 0.5 and verified["closeness"] == 0.1 and verified["loss"] <= 0.3
    # A plan of a version that knew no other way says nothing of it.
    del plan["scenario"]["closeness_by"]
    plan["digest"] = digest(plan)
    fugu.write("old.json", canonical(plan))
    assert json.loads(fugu.ok("verify", "old.json", "--format", "json"))["loss"] <= 0.3
    plan = calibrated(fugu, "--closeness", "0.1")
    del plan["scenario"]["closeness_by"]
    plan["digest"] = digest(plan)
    fugu.write("old.json", canonical(plan))
    fugu.fails(4, "verify", "old.json")  # what boxes prove is no proof at a smaller budget


def test_closeness_is_stated(fugu, people):
    plan = calibrated(fugu, "--closeness", "0.1")
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
    small, plan = by_budget(fugu, "--closeness", "0.1", "--delta", "0.01"), calibrated(fugu, "--closeness", "0.1", "--delta", "0.01")
    assert small["witness"]["delta"] <= 0.01 / 1.1051
    assert plan["guarantee"]["delta"] == 0.01 and plan["witness"]["delta"] <= 0.01
    assert noise_of(plan) <= noise_of(small)  # the less of the two
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
    by_budget(fugu, "--closeness", "0.1")
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
    plan = calibrated(fugu, "--closeness", "0.1")
    plan["scenario"]["closeness"] = plan["guarantee"]["closeness"] = 0.15
    plan["assumptions"] = [text.replace("e^0.1 ", "e^0.15 ").replace("e^-0.1 ", "e^-0.15 ") for text in plan["assumptions"]]
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(4, "verify", "bad.json", says="more than epsilon 0.5")
    plan = read(fugu.folder / "plan.json")
    del plan["scenario"]["closeness"]
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    fugu.fails(4, "verify", "bad.json", says="guarantee.closeness")


def test_closeness_errors(fugu, people):
    ask = ["calibrate", "people.csv", *FLAGS]
    for value in ("0.25", "0.3", "1"):
        fugu.fails(2, *ask, "--closeness", value, "--method", "kantorovich", says=["--closeness", "below 0.25"])
        fugu.ok(*ask, "--closeness", value)
    fugu.fails(2, *ask, "--closeness", "-1", says="--closeness")
    fugu.fails(2, *ask, "--closeness", "near", says="--closeness")
    assert "leaves nothing" in fugu.ok("compare", "people.csv", *FLAGS[:4], "--epsilon", "0.5,0.1", "--closeness", "0.1", "--all")
    plain = calibrated(fugu)
    assert calibrated(fugu, "--closeness", "0") == plain
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": 0.3, "priors": [BELIEF]}))
    fugu.fails(2, "calibrate", "--scenario", "s.json", "--method", "kantorovich", says="--closeness")
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": 0.3, "closeness_by": "faith", "priors": [BELIEF]}))
    fugu.fails(3, "calibrate", "--scenario", "s.json", says="s.json.closeness_by")
    fugu.write("s.json", json.dumps({"epsilon": 0.5, "closeness": 0.3, "closeness_by": "budget", "priors": [BELIEF]}))
    fugu.fails(3, "calibrate", "--scenario", "s.json", says="s.json.closeness")
    fugu.ok("calibrate", "--scenario", "s.json", "--epsilon", "1")


def test_a_plan_of_several_rows_covers_close_beliefs_by_a_smaller_budget(fugu):
    """Where outputs are too many to look at each, the loss is bounded for the priors alone. A belief beside them may put each
    secret's rows at one end, and Laplace noise of scale 35 tells 0, 0, 0 from 150, 150, 150 by e^13."""
    rng = random.Random(1)
    people = [(person, rng.choice("ab")) for person in range(300)]
    fugu.write("t.csv", "id,s,x\n" + "".join(f"{person},{s},{rng.randrange(151)}\n" for person, s in people for _ in range(3)))
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x", "--person", "id", "--rows-per-person", "3", "--method", "harmonic",
            "--epsilon", "1", "-o", "p.json")
    plan = read(fugu.folder / "p.json")
    plan["scenario"].update(closeness=50, closeness_by="boxes")
    plan["guarantee"]["closeness"] = 50
    plan["assumptions"].insert(1, "A belief that is near a prior is covered too: one that gives every value, under every secret, at "
                               "most e^50 times and at least e^-50 times the probability that the prior gives it.")
    refused(fugu, plan, says="only a smaller budget covers close beliefs")


def test_a_plan_of_several_columns_covers_close_beliefs_by_a_smaller_budget(fugu):
    rng = random.Random(2)
    fugu.write("t.csv", "s,x,y\n" + "".join(f"{rng.choice('ab')},{rng.randrange(6)},{rng.randrange(6)}\n" for _ in range(400)))
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x,y", "--epsilon", "0.5", "--method", "exact", "-o", "p.json")
    plan = read(fugu.folder / "p.json")
    plan["scenario"].update(closeness=1, closeness_by="boxes")
    plan["guarantee"]["closeness"] = 1
    refused(fugu, plan, says="only a smaller budget covers close beliefs")
