"""Tables and sums for what an adversary may believe: losses in Fractions, from the plan's integers alone."""

import collections
import json
import random
from fractions import Fraction

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
BELIEF = {"name": "rumour", "given": {"b": {"values": [0, 4], "mass": ["1/3", "2/3"]}, "a": {"values": [0], "mass": [1]}}}


def growth_below(exponent, terms=60):
    """A rational just below e^exponent, exponent >= 0: the series cut off."""
    total = term = Fraction(1)
    for k in range(1, terms):
        term *= Fraction(exponent) / k
        total += term
    return total


def noise_of(plan):
    """The ratio of the plan's Laplace noise, r of r^|z|."""
    mechanism = plan["mechanism"]
    assert mechanism["noise"] == "laplace" and mechanism["reach"] == 0 and list(map(int, mechanism["weights"])) == [1]
    return Fraction(int(mechanism["tail"]["numerator"]), 2 ** int(mechanism["tail"]["log2_denominator"]))


def outputs(law, ratio, points):
    """P(Y = y) up to the constant that all secrets share; the points are every atom, where the loss is largest."""
    return [sum(mass * ratio ** abs(y - x) for x, mass in law.items()) for y in points]


def largest_odds(laws, ratio):
    """The largest P(y|a)/P(y|b) over outputs and secrets: of the raw values where there is no noise."""
    points = sorted({x for law in laws.values() for x in law})
    seen = [outputs(law, ratio, points) for law in laws.values()]
    return max(Fraction(max(column), min(column)) if min(column) else float("inf") for column in zip(*seen))


def laws_of(rows):
    """{secret: {value: frequency}} of (secret, value) rows."""
    counts = collections.defaultdict(collections.Counter)
    for secret, value in rows:
        counts[secret][value] += 1
    return {s: {x: Fraction(n, sum(c.values())) for x, n in c.items()} for s, c in counts.items()}


def plan_laws(prior):
    return {s: {x: Fraction(m, sum(law["mass"])) for x, m in zip(law["values"], law["mass"])}
            for s, law in prior["given"].items()}


def write_people(fugu):
    """Rows (s, g, h, x): groups g differ in what x says of s; g = tiny has few, g = one has no b at all."""
    dice = random.Random(3)
    rows = []
    for g, lean in (("left", 0), ("right", 1), ("up", 2)):
        for k in range(300):
            s = "ab"[k % 2]
            rows.append((s, g, "hi" if k % 3 else "lo", dice.randint(0, 3) + (lean if s == "b" else 0)))
    rows += [("ab"[k % 2], "tiny", "hi", k % 4) for k in range(10)] + [("a", "one", "hi", k % 4) for k in range(30)]
    dice.shuffle(rows)
    fugu.write("people.csv", "s,g,h,x\n" + "".join(f"{s},{g},{h},{x}\n" for s, g, h, x in rows))
    return rows


def calibrated(fugu, *flags):
    fugu.ok("calibrate", "people.csv", *FLAGS, *flags, "-o", "plan.json", "--force")
    fugu.ok("verify", "plan.json")
    return json.loads((fugu.folder / "plan.json").read_text())
