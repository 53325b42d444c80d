"""The optimal methods against a second solver: HiGHS gets the same linear programmes, Fractions the same sums."""

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
    growth = growth_below(epsilon)
    for laws in case.priors:
        found = {secret: masses(law) for secret, law in laws.items()}
        for a, b in case.ordered:
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
        growth = math.exp(float(Fraction(epsilon)))
        excess = {way: [] for way in case.ordered}
        for terms_of, unit, weight in outputs:
            terms = {secret: terms_of(law) for secret, law in laws.items()}
            for a, b in case.ordered:
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


@pytest.mark.parametrize("epsilon", LIMITS)
def test_the_papers_table(fugu, epsilon):
    case = paper()
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", epsilon)
    check_channel(case, found, epsilon, LOSSES["squared"])
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES["squared"]))
    assert found["error"] == pytest.approx(LIMITS[epsilon], rel=0, abs=5e-6)
    errors = [check_optimal(fugu, case, epsilon, symmetric, others=(1.5, 1.1, 0.9, 0.67))["error"] for symmetric in (True, False)]
    assert found["error"] < errors[1] <= errors[0] * (1 + 1e-6)
    if epsilon == "0.1":
        assert errors == pytest.approx([5.1314, 3.5215], abs=5e-5)


@pytest.mark.parametrize("seed", range(24))
def test_channels_of_random_scenarios(fugu, seed):
    case = random_case(seed)
    epsilon = EPSILONS[seed % len(EPSILONS)]
    for name, loss in LOSSES.items():
        found = calibrate(fugu, case, "--method", "channel", "--loss", name, "--epsilon", epsilon)
        check_channel(case, found, epsilon, loss)
        assert found["objective"] == name
        assert found["error"] == close(channel_limit(case, epsilon, loss))


@pytest.mark.parametrize("seed", range(100, 116))
def test_channels_with_delta(fugu, seed):
    case = random_case(seed)
    epsilon, delta = EPSILONS[seed % len(EPSILONS)], ["0.1", "0.01", "0.0001"][seed % 3]
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", epsilon, "--delta", delta)
    check_channel(case, found, epsilon, LOSSES["squared"], delta=delta)
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES["squared"], delta=float(delta)))


@pytest.mark.parametrize("delta", ["1e-12", "1e-9", "1e-7"])
def test_a_small_delta_costs_no_more_than_none(fugu, delta):
    case = random_case(2183)
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", "1", "--delta", delta)
    check_channel(case, found, "1", LOSSES["squared"], delta=delta)
    assert found["error"] == close(channel_limit(case, "1", LOSSES["squared"], delta=float(delta)))


@pytest.mark.parametrize("seed", [s for s in range(200, 224) if s not in (216, 219)])
def test_optimal_noise_of_random_scenarios(fugu, seed):
    case = random_case(seed, narrow=seed % 4 != 0)
    epsilon = EPSILONS[2 + seed % 3]
    check_optimal(fugu, case, epsilon, seed % 2 == 0, ["squared", "absolute"][seed // 2 % 2])


@pytest.mark.parametrize("seed", range(300, 306))
def test_optimal_noise_with_delta(fugu, seed):
    case = random_case(seed, narrow=True, secrets=2)
    check_optimal(fugu, case, EPSILONS[2 + seed % 3], seed % 2 == 0, delta=["0.1", "0.01"][seed // 3 % 2], others=())


def test_the_second_opinion_notices(fugu):
    """Another budget, tail or reach gives HiGHS another error, and masses a little too far apart are caught."""
    case = paper()
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", "0.1")
    for epsilon in ("0.09999", "0.10001"):
        assert found["error"] != close(channel_limit(case, epsilon, LOSSES["squared"]))
    with pytest.raises(AssertionError):
        check_channel(case, found, "0.0999", LOSSES["squared"])
    noise = calibrate(fugu, case, "--method", "optimal", "--epsilon", "0.1")
    r = float(ratio(noise))
    for epsilon, reach, tail in (("0.09999", 20, r), ("0.10001", 20, r), ("0.1", 8, r), ("0.1", 8, r**0.8)):
        assert noise["error"] != close(noise_limit(case, epsilon, 1, reach, tail))
    with pytest.raises(AssertionError):
        check_noise(case, noise, "0.0999")


def outputs_beyond(case, epsilon, room):
    """Lattice points as far as an unbiased channel needs, and `room` steps more; the lattice's step is 1."""
    growth = math.exp(float(epsilon))
    low, high = float(case.values[0]), float(case.values[-1])
    for means in case.means():
        for a, b in case.ordered:
            low = min(low, (growth * float(means[a]) - float(means[b])) / (growth - 1))
            high = max(high, (growth * float(means[a]) - float(means[b])) / (growth - 1))
    return [Fraction(y) for y in range(math.floor(low) - room, math.ceil(high) + room + 1)]


def consecutive(seed):
    """Values 0, 1, 2, ..."""
    dice = random.Random(seed)
    values = list(range(dice.randint(2, 6)))
    law = lambda: {"values": values, "mass": [dice.randint(1, 40) for _ in values]}
    names = "ABC"[: dice.randint(2, 3)]
    return Case([{name: law() for name in names} for _ in range(dice.randint(1, 2))])


@pytest.mark.parametrize("seed", range(400, 412))
def test_unbiased_channels(fugu, seed):
    case, epsilon, name = consecutive(seed), EPSILONS[1 + seed % 4], ["squared", "absolute", "zero-one"][seed % 3]
    outputs = outputs_beyond(case, epsilon, 1 + seed % 2)
    found = calibrate(fugu, case, "--method", "channel", "--unbiased", "--epsilon", epsilon, "--loss", name,
                      f"--outputs={','.join(map(str, outputs))}")
    rows, points = check_channel(case, found, epsilon, LOSSES[name], outputs)
    assert found["unbiased"] is True
    assert all(sum(c * y for c, y in zip(row, points)) == x for x, row in rows.items())
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES[name], outputs, unbiased=True))


def test_unbiased_needs_outputs_beyond_the_values(fugu):
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    outputs = outputs_beyond(case, "0.1", 0)
    for some in (outputs[outputs.index(2):], outputs[: outputs.index(14)]):
        assert channel_limit(case, "0.1", LOSSES["squared"], some, unbiased=True) is None
        fugu.fails(4, "calibrate", "--scenario", scenario, "--method", "channel", "--unbiased", "--epsilon", "0.1",
                   f"--outputs={','.join(map(str, some))}", says=["unbiased", "--outputs"])
    found = calibrate(fugu, case, "--method", "channel", "--unbiased", "--epsilon", "0.1")
    rows, points = check_channel(case, found, "0.1", LOSSES["squared"], [Fraction(y) for y in found["outputs"]])
    assert all(sum(c * y for c, y in zip(row, points)) == x for x, row in rows.items())
    assert set(outputs) <= set(points)


def test_unbiased_with_no_room_to_spare(fugu):
    """The least and greatest values may be the ends of the outputs; they can then only become themselves."""
    mechanism = calibrate(fugu, paper(), "--method", "channel", "--unbiased", "--epsilon", "0.1", "--outputs",
                          ",".join(map(str, range(1, 15))))
    assert mechanism["error"] == close(channel_limit(paper(), "0.1", LOSSES["squared"], list(range(1, 15)),
                                                      unbiased=True))
    assert mechanism["unbiased"] is True


def test_a_small_programme_is_solved_without_a_note(fugu):
    case = {"A": {-5: 36, -2: 2}, "B": {-5: 12, -2: 9}}
    path = fugu.write("two.json", json.dumps({"priors": [{"given": {
        name: {"values": list(law), "mass": list(law.values())} for name, law in case.items()}}]}))
    plan = json.loads(fugu.ok("calibrate", "--scenario", path, "--method", "optimal", "--asymmetric", "--loss",
                              "absolute", "--epsilon", "2", "--format", "json"))
    assert plan["notes"] == [] and plan["mechanism"]["error"] < 0.03703


@pytest.mark.parametrize("seed", range(500, 506))
def test_a_table_of_losses(fugu, seed):
    case, dice = random_case(seed), random.Random(seed)
    step = Fraction(calibrate(fugu, case, "--epsilon", "1")["lattice"]["step"])
    outputs = case.values[1:] + [case.values[-1] + step]
    dice.shuffle(outputs)
    costs = {x: {y: Fraction(dice.randint(0, 90), 10) for y in outputs} for x in case.values}
    lines = [["value", *outputs]] + [[x, *map(float, costs[x].values())] for x in dice.sample(case.values, len(case.values))]
    table = fugu.write("loss.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
    epsilon = EPSILONS[seed % len(EPSILONS)]
    found = calibrate(fugu, case, "--method", "channel", "--loss", table, "--epsilon", epsilon)
    loss = lambda x, y: costs[x][y]
    check_channel(case, found, epsilon, loss, outputs)
    assert found["error"] == close(channel_limit(case, epsilon, loss, sorted(outputs)))
    assert found["objective"]["outputs"] == [pytest.approx(float(y)) for y in sorted(outputs)]


@pytest.mark.parametrize("method, slack", [("channel", 1e-6), ("optimal", GAIN)])
@pytest.mark.parametrize("seed", range(600, 603))
def test_more_to_hide_costs_more(fugu, method, slack, seed):
    """Error falls with epsilon, and grows with a pair and with a prior. Every secret has every value."""
    case = random_case(seed, full=True, narrow=True, priors=2, secrets=3)
    priors = [prior["given"] for prior in case.file["priors"]]

    def errors(cases):
        return [calibrate(fugu, case, "--method", method, "--epsilon", epsilon)["error"] for case, epsilon in cases]

    grid = ["0.3", "0.31", "0.4", "0.5", "0.7", "1", "1.4", "2", "3"]
    pairs = [[["A", "B"]], [["A", "B"], ["B", "C"]], "all"]
    for found in (errors([(case, epsilon) for epsilon in reversed(grid)]),
                  errors([(Case(priors, some), "0.5") for some in pairs]),
                  errors([(Case(priors[:count]), "0.5") for count in (1, 2)])):
        assert all(after >= before * (1 - slack) for before, after in zip(found, found[1:])), found
        assert found[-1] > 0


WRONG = [
    (["--method", "exact", "--unbiased"], 2, ["--unbiased", "--method exact"]),
    (["--method", "exact", "--loss", "absolute"], 2, ["--loss", "--method exact"]),
    (["--method", "exact", "--time-limit", "5"], 2, ["--time-limit", "--method exact"]),
    (["--method", "channel", "--asymmetric"], 2, ["--asymmetric", "--method channel"]),
    (["--method", "optimal", "--outputs", "1,2"], 2, ["--outputs", "--method optimal"]),
    (["--method", "channel", "--outputs", "1,2.5"], 2, ["--outputs", "2.5", "lattice"]),
    (["--method", "channel", "--outputs", "1,1"], 2, ["--outputs", "twice"]),
    (["--method", "channel", "--outputs", "1,x"], 2, ["--outputs", "x"]),
    (["--method", "channel", "--loss", "no-such-file"], 5, ["no-such-file"]),
    (["--method", "optimal", "--loss", "zero-one"], 2, ["--loss", "zero-one"]),
    (["--method", "channel", "--time-limit", "0"], 2, ["--time-limit", "0"]),
    (["--method", "optimal", "--time-limit", "-1"], 2, ["--time-limit", "-1"]),
    (["--method", "channel", "--noise", "gaussian"], 2, ["channel", "gaussian"]),
    (["--method", "optimal", "--noise", "gaussian"], 2, ["optimal", "gaussian"]),
    (["--method", "channel", "--unbiased", "--range", "clamp"], 2, ["--unbiased", "--range free"]),
]


@pytest.mark.parametrize("arguments, status, says", WRONG, ids=[" ".join(row[0][1:]) for row in WRONG])
def test_wrong_usage(fugu, arguments, status, says):
    scenario = fugu.write("scenario.json", json.dumps(paper().file))
    fugu.fails(status, "calibrate", "--scenario", scenario, "--epsilon", "0.5", *arguments, says=says)


TABLES = {
    "": "no rows",
    "value\n": "no output",
    "value,1,2\n": "no rows",
    "value,1,2\n0,1\n": "fields",
    "value,1,2\n0,1,-1\n": "cost",
    "value,1,2\n0,1,x\n": "cost",
    "value,1,1.5\n": "lattice",
    "value,1,1\n0,1,1\n": "twice",
    "value,1,2\n0,1,2\n": "lacks a value",
}


@pytest.mark.parametrize("table", TABLES)
def test_wrong_tables_of_losses(fugu, table):
    law = {"values": [0, 1, 2], "mass": [1, 2, 3]}
    scenario = fugu.write("scenario.json", json.dumps(Case([{"A": law, "B": {**law, "mass": [3, 1, 1]}}]).file))
    path = fugu.write("loss.csv", table)
    fugu.fails(3, "calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--loss", path,
               says=["--loss", TABLES[table]])


def test_compare_tells_the_limit(fugu):
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    shown = json.loads(fugu.ok("compare", "--scenario", scenario, "--epsilon", "0.5", "--format", "json"))
    rows = {row["method"]: row for row in shown["candidates"]}
    limit = channel_limit(case, "0.5", LOSSES["squared"])
    assert rows["channel"]["mse"] == shown["limit"]["mse"] == close(limit)
    assert shown["limit"]["bound"] <= limit * (1 + 1e-9) and shown["limit"]["bound"] == close(limit)
    assert rows["channel"]["times_limit"] == 1
    assert rows["optimal"]["times_limit"] == pytest.approx(rows["optimal"]["mse"] / limit, rel=1e-6)
    for row in rows.values():
        assert row["loss"] <= 0.5 and row["times_limit"] >= 1
    assert rows["channel"]["mse"] < rows["optimal"]["mse"] < rows["exact"]["mse"]


def scenario_of(fugu, laws):
    return fugu.write("laws.json", json.dumps({"priors": [{"given": {
        name: {"values": list(law), "mass": list(law.values())} for name, law in laws.items()}}]}))


def test_tiny_epsilons_are_no_worse_than_tinier_ones(fugu):
    """Where doubles run out the answer may be off, but never worse than one that serves as well."""
    errors = [calibrate(fugu, paper(), "--method", "channel", "--epsilon", epsilon)["mse"]
              for epsilon in ("1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4")]
    assert all(error < 0.80280 for error in errors)


@pytest.mark.parametrize("epsilon", ["12", "16", "20", "100"])
@pytest.mark.parametrize("delta", ["0", "1e-6", "0.3"])
def test_huge_epsilons_do_not_break_the_solver(fugu, epsilon, delta):
    scenario = scenario_of(fugu, {"A": {-18: 3, -7: 1}, "B": {-18: 1, -2: 5}, "C": {-7: 2}})
    for flags in (["optimal"], ["optimal", "--asymmetric"], ["channel"], ["channel", "--unbiased"]):
        fugu.ok("calibrate", "--scenario", scenario, "--epsilon", epsilon, "--delta", delta, "--method", *flags,
                "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")


def test_costs_beyond_reason(fugu):
    scenario = scenario_of(fugu, {"A": {1: 1, 2: 2, 4: 3}, "B": {1: 3, 2: 1, 4: 1}})
    table = fugu.write("loss.csv", "value,1,2,4\n1,0,1e300,9\n2,1,0,1\n4,4,1,0\n")
    fugu.ok("calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--loss", table)
    far = scenario_of(fugu, {"A": {0: 1, "1e300": 2}, "B": {0: 3, "1e300": 1, "2e300": 1}})
    fugu.fails(4, "calibrate", "--scenario", far, "--epsilon", "0.5", "--method", "channel")


def test_outputs_stay_within_a_clamped_range(fugu):
    scenario = scenario_of(fugu, {"A": {1: 1, 2: 2, 4: 3}, "B": {1: 3, 2: 1, 4: 1}})
    fugu.fails(2, "calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--outputs", "9",
               "--range", "clamp", says=["--outputs", "--range"])


def test_without_time_the_answer_is_still_no_worse_than_laplace(fugu):
    """Exact Laplace, moved to the nearest output, is a channel that is always there; and the note is shown."""
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    told = fugu.ok("calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--time-limit",
                   "1e-9", "-o", "plan.json")
    assert "time limit" in told
    assert json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["mse"] < 0.6422
