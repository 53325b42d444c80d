"""Promises in belief and budgets of their own, as Fractions have them: the mixture of the secrets is one more law."""

import itertools
import math
import random
from fractions import Fraction

from optima import Case, Programme, growth_below, random_case, ratio

ALL = "(all)"


class Promised(Case):
    """A case with what is promised of it: `ordered` are the limits, each with a budget."""

    def __init__(self, case, promise="odds", own=(), rest="0.5", shares=None):
        given = [prior["given"] for prior in case.file["priors"]]
        super().__init__(given, "all" if promise != "odds" else case.file["pairs"])
        self.own, self.rest = dict(own), rest
        self.epsilon = ",".join([f"{name}={least}" for name, least in self.own.items()] + [f"*={rest}"]) if own else rest
        if promise != "odds":
            self.file["promise"] = promise
            self.ordered = [(secret, ALL) for secret in given[0]]
            self.ordered += [(ALL, secret) for secret in given[0]] if promise == "belief-both" else []
        self.mixed = []  # by prior, what the secrets weigh in the mixture
        for k, laws in enumerate(self.priors):
            if promise == "odds":
                continue
            weigh = {s: sum(map(Fraction, law["mass"])) for s, law in given[k].items()}
            if shares:
                weigh = {s: Fraction(share) for s, share in shares[k].items()}
                self.file["priors"][k]["shares"] = shares[k]
            total = sum(weigh.values())
            self.mixed.append({s: weight / total for s, weight in weigh.items()})
            mixture = {}
            for secret, law in list(laws.items()):
                for x, mass in law.items():
                    mixture[x] = mixture.get(x, 0) + mass * weigh[secret] / total
            laws[ALL] = mixture

    def budget(self, way, epsilon=None):
        named = [s for s in way if s != ALL]
        pair = ":".join(sorted(named))
        if pair in self.own:
            return self.own[pair]
        return min([self.own.get(s, self.rest) for s in named], key=Fraction)


def random_promise(seed, **more):
    """Of one of five kinds, in turn."""
    dice = random.Random(seed)
    case = random_case(seed, **more)
    secrets = list(case.file["priors"][0]["given"])
    least, rest = sorted(dice.sample(["0.05", "0.1", "0.25", "0.5", "1", "1.5"], 2), key=Fraction)
    kind = seed % 5
    pairs = list(itertools.combinations(secrets, 2)) if case.file["pairs"] == "all" else case.file["pairs"]
    protected = sorted({secret for pair in pairs for secret in pair})
    if kind == 0:
        return Promised(case, "odds", {dice.choice(protected): least}, rest)
    if kind == 1:
        own = {":".join(sorted(dice.choice(pairs))): least}
        if dice.random() < 0.5:
            own[dice.choice(protected)] = dice.choice([least, rest])
        return Promised(case, "odds", own, rest)
    # Not so much that nothing is said of any secret.
    rest = least if kind != 4 else min(rest, "0.5", key=Fraction)
    shares = None
    if dice.random() < 0.5:
        shares = [{s: str(Fraction(dice.randint(1, 50), 100)) for s in secrets} for _ in case.priors]
    own = {dice.choice(secrets): least} if kind == 4 and Fraction(least) < Fraction(rest) else {}
    return Promised(case, "belief-both" if kind == 3 else "belief", own, rest, shares)


def says_something(case):
    """Whether a promise in belief says something of some secret under some prior; else it is refused."""
    if not any(way[1] == ALL for way in case.ordered) or any(way[0] == ALL for way in case.ordered):
        return True
    return any(share * growth_below(case.budget((s, ALL))) < 1 for shares in case.mixed for s, share in shares.items())


def tightest(case, masses):
    """The largest loss as a share of its budget, over all limits and outputs."""
    worst = 0.0
    for laws in case.priors:
        found = {secret: masses(law) for secret, law in laws.items()}
        for way in case.ordered:
            for p, q in zip(found[way[0]], found[way[1]]):
                if p > 0:
                    assert q > 0
                    worst = max(worst, (math.log(p.numerator) - math.log(p.denominator) - math.log(q.numerator) + math.log(q.denominator)) / float(Fraction(case.budget(way))))
    return worst


def laplace_masses(case, mechanism):
    """What each value weighs as an output, up to a factor, of lattice Laplace: elsewhere no ratio is larger."""
    r, step = ratio(mechanism), Fraction(mechanism["lattice"]["step"])
    assert mechanism["reach"] == 0
    index = {x: int((x - case.values[0]) / step) for x in case.values}
    return lambda law: [sum(m * r ** abs(index[y] - index[x]) for x, m in law.items()) for y in case.values]


def swap_masses(case, mechanism):
    points = [Fraction(x) for x in mechanism["points"]]
    totals = list(map(int, mechanism["totals"]))
    rows = [[Fraction(0)] * len(points) for _ in points]
    for k, total in enumerate(totals):
        rows[k][k] = Fraction(1)
    for source, to, weight in mechanism["flows"]:
        share = Fraction(int(weight), totals[source])
        rows[source][to] += share
        rows[source][source] -= share
    place = {x: k for k, x in enumerate(points)}
    return lambda law: [sum(m * rows[place[x]][k] for x, m in law.items()) for k in range(len(points))]


def swap_limit(case, loss):
    """The least error of values that trade places, by HiGHS: P(y|x) as variables."""
    n = len(case.values)
    place = {x: n * i for i, x in enumerate(case.values)}
    costs = [float(w * loss(x, y)) for x, w in zip(case.values, case.population) for y in case.values]
    unit = max(costs) or 1.0
    lp = Programme(cost / unit for cost in costs)
    for i in range(n):
        lp.add([(n * i + k, 1.0) for k in range(n)], 1, 1)
        lp.add([(n * k + i, float(case.population[k] / case.population[i])) for k in range(n)], 1, 1)
    for laws in case.priors:
        lp.privacy(case, laws, None, 0, ((lambda law, k=k: [(place[x] + k, float(m)) for x, m in law.items()], 1.0, 1) for k in range(n)))
    return lp.solve() * unit
