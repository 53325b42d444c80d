"""A second opinion on the optimal methods: HiGHS gets the same linear programmes, Fractions the same sums."""

import itertools
import json
import math
import pathlib
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, sparse

PAPER = json.loads((pathlib.Path(__file__).parents[1] / "data" / "paper.json").read_text())["adult"]
LIMITS = {"0.05": 0.52597, "0.1": 0.32256, "0.2": 0.19828, "0.3": 0.12058, "0.5": 0.02420, "0.7": 0.00133}
LOSSES = {"squared": lambda x, y: (x - y) ** 2, "absolute": lambda x, y: abs(x - y), "zero-one": lambda x, y: int(x != y)}
EPSILONS = ["0.1", "0.25", "0.5", "1", "2"]
GAIN = 1e-3  # where the search for a longer reach or another tail stops


def close(value):
    return pytest.approx(value, rel=1e-6, abs=1e-9)


class Case:
    """A scenario as its file says it, its masses as Fractions."""

    def __init__(self, priors, pairs="all"):
        self.file = {"priors": [{"given": given} for given in priors], "pairs": pairs}
        self.priors = []
        for given in priors:
            laws = {}
            for secret, law in given.items():
                total = sum(map(Fraction, law["mass"]))
                laws[secret] = {Fraction(x): Fraction(m) / total for x, m in zip(law["values"], law["mass"]) if m}
            self.priors.append(laws)
        self.values = sorted({x for laws in self.priors for law in laws.values() for x in law})
        people = {}
        for law in priors[0].values():
            for x, mass in zip(law["values"], law["mass"]):
                people[Fraction(x)] = people.get(Fraction(x), 0) + Fraction(mass)
        everyone = sum(people.values())
        self.population = [people.get(x, 0) / everyone for x in self.values]
        chosen = itertools.combinations(priors[0], 2) if pairs == "all" else pairs
        self.ordered = [way for a, b in chosen for way in ((a, b), (b, a))]

    def budget(self, way, epsilon):
        """Of an ordered pair."""
        return epsilon

    def means(self):
        return [{s: sum(x * m for x, m in law.items()) for s, law in laws.items()} for laws in self.priors]


def paper():
    return Case([{name: {"values": PAPER["values"], "mass": counts} for name, counts in PAPER["counts"].items()}])


def random_case(seed, full=False, narrow=False, priors=None, secrets=None):
    """Some with gaps, coarse or fractional steps, values that a secret does not have, a list of pairs."""
    dice = random.Random(seed)
    count = dice.randint(2, 8)
    step, origin = dice.choice([(1, 0), (1, 0), (3, -5), (Fraction(1, 2), 2)])
    places = sorted(dice.sample(range(count if narrow or dice.random() < 0.5 else 3 * count), count))
    values = [str(origin + step * place) for place in places]
    names = "ABCD"[: secrets or dice.randint(2, 4)]
    given = []
    for _ in range(priors or dice.randint(1, 2)):
        given.append({})
        for name in names:
            mass = [dice.randint(1, 40) if full or dice.random() < 0.85 else 0 for _ in values]
            mass[dice.randrange(count)] += 1
            given[-1][name] = {"values": values, "mass": mass}
    pairs = "all"
    if not full and dice.random() < 0.4:
        every = [list(pair) for pair in itertools.combinations(names, 2)]
        pairs = dice.sample(every, dice.randint(1, len(every)))
    return Case(given, pairs)


def calibrate(fugu, case, *arguments):
    """The plan's mechanism; the plan is proved by the program before it is believed."""
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    fugu.ok("calibrate", "--scenario", scenario, *arguments, "-o", "plan.json", "--force")
    assert json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["verified"] is True
    return json.loads((fugu.folder / "plan.json").read_text())["mechanism"]


def growth_below(epsilon):
    """A rational just below e^epsilon."""
    terms, term = Fraction(1), Fraction(1)
    for k in range(1, 40):
        term *= Fraction(epsilon) / k
        terms += term
    return terms


def prove(case, epsilon, delta, masses):
    """masses(law) lists what the outputs weigh; the hockey-stick of every pair is at most delta, exactly."""
    for laws in case.priors:
        found = {secret: masses(law) for secret, law in laws.items()}
        for a, b in case.ordered:
            growth = growth_below(case.budget((a, b), epsilon))
            above = [p - growth * q for p, q in zip(found[a], found[b])]
            assert sum(excess for excess in above if excess > 0) <= Fraction(delta), (a, b, float(max(above)))


class Programme:
    """Rows for HiGHS. Its tolerances are as tight as they go."""

    def __init__(self, costs):
        self.costs, self.rows, self.bounds, self.sides = list(costs), [], [], []

    def add(self, terms, low, high):
        self.rows.append(terms)
        self.sides.append((low, high))

    def variable(self):
        self.costs.append(0.0)
        return len(self.costs) - 1

    def privacy(self, case, laws, epsilon, delta, outputs):
        """outputs yields a function from law to terms, the unit of its masses, and how often its excess counts."""
        excess = {way: [] for way in case.ordered}
        for terms_of, unit, weight in outputs:
            terms = {secret: terms_of(law) for secret, law in laws.items()}
            for a, b in case.ordered:
                growth = math.exp(float(Fraction(case.budget((a, b), epsilon))))
                row = list(terms[a]) + [(v, -growth * c) for v, c in terms[b]]
                if delta:
                    slack = self.variable()
                    row.append((slack, -1.0))
                    excess[a, b].append((slack, weight * unit / delta))
                self.add(row, -np.inf, 0)
        if delta:
            for row in excess.values():
                self.add(row, -np.inf, 1)

    def solve(self):
        """The least cost; None when there is no solution."""
        places = [(k, v, c) for k, row in enumerate(self.rows) for v, c in row]
        lines, columns, entries = zip(*places)
        matrix = sparse.csr_matrix((entries, (lines, columns)), shape=(len(self.rows), len(self.costs)))
        low, high = np.array(self.sides).T
        equal = low == high
        done = optimize.linprog(self.costs, matrix[~equal], high[~equal], matrix[equal] if equal.any() else None,
                                high[equal] if equal.any() else None, bounds=(0, None), method="highs",
                                options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
        assert done.status in (0, 2), done.message
        return done.fun if done.status == 0 else None


def channel_limit(case, epsilon, loss, outputs=None, delta=0, unbiased=False):
    outputs = case.values if outputs is None else outputs
    width = len(outputs)
    place = {x: width * i for i, x in enumerate(case.values)}
    costs = [share * loss(x, y) for x, share in zip(case.values, case.population) for y in outputs]
    unit = float(max(costs)) or 1.0
    lp = Programme(float(cost) / unit for cost in costs)
    for x in case.values:
        lp.add([(place[x] + k, 1.0) for k in range(width)], 1, 1)
        if unbiased:
            far = float(outputs[-1] - outputs[0])
            lp.add([(place[x] + k, float(y - x) / far) for k, y in enumerate(outputs)], 0, 0)
    for laws in case.priors:
        lp.privacy(case, laws, epsilon, delta,
                   ((lambda law, k=k: [(place[x] + k, float(m)) for x, m in law.items()], 1.0, 1) for k in range(width)))
    least = lp.solve()
    return None if least is None else least * unit


def check_channel(case, mechanism, epsilon, loss, outputs=None, delta=0):
    """The plan's numbers again from its integers."""
    points = [Fraction(y) for y in mechanism["outputs"]]
    assert [Fraction(x) for x in mechanism["inputs"]] == case.values
    assert set(points) <= set(case.values if outputs is None else outputs)
    rows = {}
    for x, weights in zip(case.values, mechanism["weights"]):
        weights = list(map(int, weights))
        assert min(weights) >= 0
        rows[x] = [Fraction(w, sum(weights)) for w in weights]
    prove(case, epsilon, delta, lambda law: [sum(m * rows[x][k] for x, m in law.items()) for k in range(len(points))])
    for name, measure in (("error", loss), ("mse", LOSSES["squared"])):
        mean = sum(p * c * measure(x, y) for x, p in zip(case.values, case.population) for c, y in zip(rows[x], points))
        assert mechanism[name] == pytest.approx(float(mean), rel=1e-12, abs=0)
    return rows, points


def tail_sum(r, start, power):
    """The sum over k >= 0 of (start + k)^power r^k."""
    rest = 1 - r
    return [1 / rest, start / rest + r / rest**2, start**2 / rest + 2 * start * r / rest**2 + r * (1 + r) / rest**3][power]


def noise_limit(case, epsilon, step, reach, r, power=2, symmetric=True, delta=0):
    """Least error of noise with geometric tails. Variables and rows are in units of lattice Laplace of that ratio."""
    r, step = float(r), float(step)
    place = lambda z: min(abs(z), reach) if symmetric else min(max(z, -reach), reach) + reach
    edge = r**reach
    scale = 2 * r * tail_sum(r, 1, power)
    size = reach + 1 if symmetric else 2 * reach + 1
    mass, mean, costs = np.zeros(size), np.zeros(size), np.zeros(size)
    for z in range(-reach, reach + 1):
        sums = [edge * tail_sum(r, reach, k) if abs(z) == reach and reach else r ** abs(z) * abs(z) ** k for k in (0, 1, 2)]
        if reach == 0:
            sums = [(1 + r) / (1 - r), 0, 2 * r * tail_sum(r, 1, 2)]
            sums[1] = 2 * r * tail_sum(r, 1, 1)
        mass[place(z)] += sums[0]
        mean[place(z)] += math.copysign(sums[1], z)
        costs[place(z)] += sums[power] / scale
    lp = Programme(costs)
    lp.add(list(enumerate(mass / mass.sum())), 1, 1)
    if not symmetric:
        lp.add(list(enumerate(mean / np.abs(mean).max())), 0, 0)
    index = {x: int((x - case.values[0]) / Fraction(step)) for x in case.values}

    def outputs(laws):
        places = [index[x] for law in laws.values() for x in law]
        first, last = min(places) - reach, max(places) + reach
        for y in range(first, last + 1):
            nearest = min(abs(y - x) for x in places)

            def terms_of(law, unit=1.0):
                terms = {}
                for x, m in law.items():
                    z = y - index[x]
                    terms[place(z)] = terms.get(place(z), 0) + float(m) * r ** (abs(z) - nearest)
                return [(v, c / unit) for v, c in terms.items()]

            unit = max(sum(c for _, c in terms_of(law)) for law in laws.values())
            weight = 1 / (1 - r) if y in (first, last) else 1
            yield lambda law, unit=unit: terms_of(law, unit), unit * r**nearest / mass.sum(), weight

    for laws in case.priors:
        lp.privacy(case, laws, epsilon, delta, outputs(laws))
    least = lp.solve()
    return math.inf if least is None else least * scale / mass.sum() * step**power


def ratio(mechanism):
    return Fraction(int(mechanism["tail"]["numerator"]), 2 ** mechanism["tail"]["log2_denominator"])


def check_noise(case, mechanism, epsilon, power=2, symmetric=True, delta=0):
    """The plan's numbers again from its integers."""
    reach, r, step = mechanism["reach"], ratio(mechanism), Fraction(mechanism["lattice"]["step"])
    weights = list(map(int, mechanism["weights"]))
    if mechanism["symmetric"]:
        weights = weights[:0:-1] + weights
    assert len(weights) == 2 * reach + 1 and min(weights) >= 0

    def weight(z):
        return weights[z + reach] if abs(z) <= reach else weights[0 if z < 0 else -1] * r ** (abs(z) - reach)

    sums = [sum(w * abs(z) ** k for z, w in enumerate(weights, -reach)) +
            (weights[0] + weights[-1]) * r * tail_sum(r, reach + 1, k) for k in (0, 1, 2)]
    for name, k in (("error", power), ("mse", 2)):
        assert mechanism[name] == pytest.approx(float(sums[k] / sums[0] * step**k), rel=1e-12, abs=0)
    if not symmetric:
        drift = (weights[-1] - weights[0]) * r * tail_sum(r, reach + 1, 1)
        assert sum(w * z for z, w in enumerate(weights, -reach)) + drift == 0
    index = {x: int((x - case.values[0]) / step) for x in case.values}
    ends = (-reach, index[case.values[-1]] + reach)

    def masses(law):
        return [sum(m * weight(y - index[x]) for x, m in law.items()) / sums[0] * (1 / (1 - r) if y in ends and delta else 1)
                for y in range(ends[0], ends[1] + 1)]

    prove(case, epsilon, delta, masses)


def check_optimal(fugu, case, epsilon, symmetric=True, loss="squared", delta=0, others=(1.25, 0.8)):
    """At the plan's reach and tail HiGHS finds the same error; elsewhere it gains next to nothing."""
    arguments = ["--method", "optimal", "--epsilon", epsilon, "--loss", loss]
    arguments += [] if symmetric else ["--asymmetric"]
    arguments += ["--delta", delta] if delta else []
    found = calibrate(fugu, case, *arguments)
    power = 1 if loss == "absolute" else 2
    check_noise(case, found, epsilon, power, symmetric, delta)
    assert found["objective"] == loss
    r, reach = float(ratio(found)), found["reach"]
    if r == 0:
        assert found["error"] == 0
        return found
    step = Fraction(found["lattice"]["step"])
    limit = lambda reach, r: noise_limit(case, epsilon, step, reach, r, power, symmetric, float(delta))
    if reach:
        assert found["error"] == close(limit(reach, r))
    for far, other in [(max(2 * reach, 8), 1)] + [(reach, by) for by in others]:
        assert limit(far, r**other) >= found["error"] * (1 - GAIN), (far, other)
    return found
