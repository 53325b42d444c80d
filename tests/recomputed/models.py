"""Plans of models (docs/math.md, section 12): every law by going through what can happen, then the loss as ever."""

import itertools
import math
from fractions import Fraction

import promise
from exact import number


class Law(dict):
    """Masses by value."""

    def plus(self, other):
        """Of the sum of two independent values."""
        found = Law()
        for (x, p), (y, q) in itertools.product(self.items(), other.items()):
            total = tuple(a + b for a, b in zip(x, y)) if isinstance(x, tuple) else x + y
            found[total] = found.get(total, 0) + p * q
        return found


class Believed:
    """Laws as `promise.outcomes` wants them."""

    def __init__(self, name, laws):
        self.name, self.known = name, None
        self.one = math.lcm(*(mass.denominator for law in laws.values() for mass in law.values()))
        self.laws = {s: {x: int(mass * self.one) for x, mass in law.items() if mass} for s, law in laws.items()}
        self.values = sorted({x for law in self.laws.values() for x in law})


def users(model):
    """Each kind of user: the letters are shifts of the law of everybody else; absent is the mixture."""
    kinds = []
    for kind in model["users"]:
        masses = [number(mass) for mass in kind["mass"]]
        values = [number(x) for x in kind.get("values", model.get("values"))]
        law = Law()
        for x, mass in zip(values, masses):
            law[x] = law.get(x, 0) + mass / sum(masses)
        kinds.append((int(kind["count"]), values, [mass / sum(masses) for mass in masses], law))
    for n, (_, values, masses, _) in enumerate(kinds):
        others = Law({Fraction(0): Fraction(1)})
        for m, (count, _, _, law) in enumerate(kinds):
            for _ in range(count - (m == n)):
                others = others.plus(law)
        laws = {letter: Law({x: Fraction(1)}).plus(others) for letter, x, mass in zip(model["letters"], values, masses) if mass}
        letters = list(laws)
        absent = Law()
        for letter, mass in zip(model["letters"], masses):
            for x, p in laws.get(letter, {}).items():
                absent[x] = absent.get(x, 0) + mass * p
        laws["absent"] = absent
        pairs = [] if model["pairs"] == "absent" else list(itertools.permutations(letters, 2))
        pairs += [] if model["pairs"] == "values" else [way for s in letters for way in ((s, "absent"), ("absent", s))]
        if pairs:
            yield Believed(f"kind {n + 1}", laws), pairs


def stationary(rows):
    """The law pi with pi = pi P, by elimination in fractions."""
    n = len(rows)
    table = [[rows[j][i] - (i == j) for j in range(n)] + [Fraction(0)] for i in range(n)]
    table[-1] = [Fraction(1)] * (n + 1)
    for k in range(n):
        pivot = next(i for i in range(k, n) if table[i][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for i in range(n):
            if i != k and table[i][k]:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k])]
    return [row[-1] for row in table]


def chains(model):
    """Each chain and time: every sequence of states, by the state at that time."""
    states, length = model["states"], int(model["length"])
    unit = Fraction(1, length) if model["frequency"] else Fraction(1)
    for chain in model["chains"]:
        rows = [[number(p) for p in row] for row in chain["transition"]]
        rows = [[p / sum(row) for p in row] for row in rows]
        start = stationary(rows) if chain["start"] == "stationary" else [number(p) for p in chain["start"]]
        start = [p / sum(start) for p in start]
        laws = [[Law() for _ in states] for _ in range(length)]
        for path in itertools.product(range(len(states)), repeat=length):
            mass = start[path[0]] * math.prod(rows[a][b] for a, b in zip(path, path[1:]))
            if not mass:
                continue
            counts = tuple(path.count(k) * unit for k in range(len(states)))
            value = counts if model["counted"] is None else counts[states.index(model["counted"])]
            for time, state in enumerate(path):
                laws[time][state][value] = laws[time][state].get(value, 0) + mass
        for time, by_state in enumerate(laws):
            possible = {states[k]: Law({x: p / sum(law.values()) for x, p in law.items()}) for k, law in enumerate(by_state) if law}
            if len(possible) > 1:
                yield Believed(f"time {time + 1}", possible), list(itertools.permutations(possible, 2))


def rates(model):
    """How many rows have which secret value; pairs of tables that at most `within` changed rows make of one another."""
    rows, within, query = (model[key] for key in ("rows", "within", "query"))
    rows, within = int(rows), int(within)
    values = [number(x) / (rows if query == "mean" else 1) for x in model["values"]]
    if query == "histogram":
        values = [tuple(Fraction(k == n) for k in range(len(values))) for n in range(len(values))]
    single = []
    for law in model["laws"]:
        masses = [number(mass) for mass in law]
        found = Law()
        for x, mass in zip(values, masses):
            if mass:
                found[x] = found.get(x, 0) + mass / sum(masses)
        single.append(found)
    laws = {}
    for split in itertools.product(range(rows + 1), repeat=len(single)):
        if sum(split) == rows:
            total = None
            for many, law in zip(split, single):
                for _ in range(many):
                    total = law if total is None else total.plus(law)
            laws[split] = total
    pairs = [(a, b) for a, b in itertools.permutations(laws, 2) if sum(abs(x - y) for x, y in zip(a, b)) <= 2 * within]
    yield Believed("tables", laws), pairs


def recompute(plan):
    """Every pair that the model has, as `promise.recompute` has it."""
    model, guarantee = plan["model"], plan["guarantee"]
    epsilon, delta = number(guarantee["epsilon"]), number(guarantee["delta"])
    found = []
    for prior, pairs in {"users": users, "chain": chains, "rate": rates}[model["kind"]](model):
        noise = plan["mechanism"]
        if isinstance(prior.values[0], tuple):
            kernel = promise.joint_kernel([noise] * len(prior.values[0]), prior.values)
        else:
            kernel = promise.noise_kernel(noise, prior.values)
        found += promise.outcomes([kernel], [prior], [(a, b, epsilon) for a, b in pairs], delta)
    return found
