"""What a plan promises, computed a second time from its file alone (docs/formats.md), in whole numbers.

No code of the program has a part in this. Every output of a finite range is looked at one by one, also where docs/math.md
says that fewer suffice. Laws and weights become whole numbers over one denominator, so that two masses at an output are
compared with e^epsilon exactly: mpmath bounds e^epsilon, with more digits until the comparison is decided.
"""

import functools
import hashlib
import itertools
import json
import math
from fractions import Fraction

import mpmath
from mpmath import iv

import believed
from exact import exceeds, growth, loss_of, number

ALL = "(all)"


# ---- Files ----

class Number(str):
    """A literal, as it stands."""


def read(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def canonical(value):
    if isinstance(value, dict):
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def digest(plan):
    bare = {key: value for key, value in plan.items() if key != "digest"}
    return "sha256:" + hashlib.sha256(canonical(bare).encode()).hexdigest()


def sealed(plan):
    return canonical({**plan, "digest": digest(plan)})


# ---- Laws ----

def law_of(given, source, lattice):
    """Masses by value; a normal law is held within the clip and moved to the lattice (section 12)."""
    if "values" in given:
        law = {}
        for x, mass in zip(given["values"], given["mass"]):
            law[number(x)] = law.get(number(x), 0) + number(mass)
        return law
    parts = given["mixture"] if "mixture" in given else [{"weight": "1", "gaussian": given["gaussian"]}]
    step, origin = number(lattice["step"]), number(lattice.get("origin", "0"))
    first, last = (math.floor((number(end) - origin) / step + Fraction(1, 2)) for end in source["clip"])
    law = {}
    with mpmath.workprec(640):
        for part in parts:
            mean, sd = number(part["gaussian"]["mean"]), number(part["gaussian"]["sd"])
            below = lambda u: mpmath.erfc(-mpmath.mpf(u.numerator) / u.denominator / mpmath.sqrt(2)) / 2
            for k in range(first, last + 1):
                low, high = ((origin + (k + Fraction(side, 2)) * step - mean) / sd for side in (-1, 1))
                if low > 0:  # the upper tail has its own digits
                    mass = below(-low) - (below(-high) if k < last else 0)
                else:
                    mass = (below(high) if k < last else 1) - (below(low) if k > first else 0)
                mass = below(-low) if k == last and low > 0 else below(high) if k == first and k < last else mass
                exact = Fraction(*mpmath.libmp.to_rational(mass._mpf_))
                law[origin + k * step] = law.get(origin + k * step, 0) + number(part["weight"]) * exact
    return law


def whole(numbers):
    """Whole numbers in these proportions, and what 1 has become."""
    one = math.lcm(*(Fraction(x).denominator for x in numbers))
    return [int(x * one) for x in numbers], one


class Prior:
    """Laws of the secrets as whole numbers that add up to `one`, with the mixture (all) of section 19."""

    def __init__(self, prior, scenario):
        self.name, self.known = prior.get("name"), prior.get("known")
        source = scenario.get("source") or {}
        self.counted = {s: law_of(law, source, scenario.get("lattice")) for s, law in prior["given"].items()}
        sums = {s: sum(law.values()) for s, law in self.counted.items()}
        shares = {s: number(share) for s, share in prior["shares"].items()} if "shares" in prior else sums
        if "shares" not in prior and any("values" not in law for law in prior["given"].values()):
            shares = dict.fromkeys(sums, Fraction(1))
        self.shares = {s: shares[s] / sum(shares.values()) for s in sums}
        laws = {s: {x: mass / sums[s] for x, mass in law.items() if mass} for s, law in self.counted.items()}
        laws[ALL] = {}
        for s, share in self.shares.items():
            for x, mass in laws[s].items():
                laws[ALL][x] = laws[ALL].get(x, 0) + share * mass
        self.one = math.lcm(*(mass.denominator for law in laws.values() for mass in law.values()))
        self.laws = {s: {x: int(mass * self.one) for x, mass in law.items()} for s, law in laws.items()}
        self.values = sorted(laws[ALL])


def priors_of(scenario):
    return [Prior({"name": f"prior {k}", **prior}, scenario) for k, prior in enumerate(scenario["priors"], 1)]


def limits_of(scenario):
    """(s, s', epsilon): P(y|s) <= e^epsilon P(y|s') at every output (section 19)."""
    secrets, rest = list(scenario["priors"][0]["given"]), number(scenario["epsilon"])
    own = {frozenset(b["secrets"]): number(b["epsilon"]) for b in scenario.get("budgets", [])}
    least = lambda *named: min([rest] + [own[key] for key in [frozenset([s]) for s in named] + [frozenset(named)] if key in own])
    promise, pairs = scenario.get("promise", "odds"), scenario.get("pairs", "all")
    if promise != "odds":
        limits = [(s, ALL, least(s)) for s in secrets]
        return limits + ([(ALL, s, epsilon) for s, _, epsilon in limits] if promise == "belief-both" else [])
    if pairs == "all":
        pairs = itertools.combinations(secrets, 2)
    elif pairs == "neighbours":
        pairs = zip(secrets, secrets[1:])
    return [limit for a, b in pairs for limit in ((a, b, least(a, b)), (b, a, least(a, b)))]


# ---- Mechanisms ----

class Kernel:
    """P(y|x) for every y that is looked at, as whole numbers over `one`: rows[x][k] is that of outputs[k].
    times[k] is what the k-th counts in a sum over all outputs: the outermost stand for the geometric tail beyond."""

    def __init__(self, outputs, rows, one, times=None):
        self.outputs, self.rows, self.one = outputs, rows, one
        self.times = times or [1] * len(outputs)

    def masses(self, law):
        parts = [(mass, self.rows[x]) for x, mass in law.items()]
        return [sum(mass * row[k] for mass, row in parts) for k in range(len(self.outputs))]


WIDE = 40_000  # bits of a weight beyond which intervals take the place of whole numbers


def noise_kernel(noise, values, beyond=1):
    """Section 13: weights up to the reach, then a geometric tail. Every lattice point from the least value less the reach
    to the greatest value and the reach, and `beyond` more; on a wide lattice those near values and some in the gaps."""
    step, origin = (number(noise["lattice"].get(key, "0")) for key in ("step", "origin"))
    places = [(x - origin) / step for x in values]
    assert all(place.denominator == 1 for place in places), "a value is off the lattice"
    places = [int(place) for place in places]
    reach, weights = int(noise["reach"]), list(map(int, noise["weights"]))
    bits, numerator = int(noise["tail"]["log2_denominator"]), int(noise["tail"]["numerator"])
    assert len(weights) == (reach + 1 if noise["symmetric"] else 2 * reach + 1) and 0 <= numerator < 2**bits
    assert all(weight >= 0 for weight in weights) and any(weights)
    full = weights[:0:-1] + weights if noise["symmetric"] else weights
    first, last = min(places) - reach - beyond, max(places) + reach + beyond
    most = last - min(places) - reach
    tail = Fraction(numerator, 2**bits)
    if most * bits <= WIDE:
        powers = [numerator**k << bits * (most - k) for k in range(most + 1)]
        power, scale, outputs = powers.__getitem__, 1 << bits * most, range(first, last + 1)
    else:
        iv.prec = 320
        power = functools.lru_cache(None)(lambda k: iv.mpf(numerator) ** k / iv.mpf(2) ** (bits * k) if numerator else 0)
        near = {y for x in places for y in range(x - reach - 1, x + reach + 2)}
        gaps = {a + (b - a) * part // 16 for a, b in zip(places, places[1:]) for part in range(1, 16)}
        scale, outputs = 1, sorted(near | gaps | {first, last})

    def weight(z):
        if abs(z) <= reach:
            return full[reach + z] * scale
        return (full[0] if z < 0 else full[-1]) * power(abs(z) - reach)

    rows = {x: [weight(y - place) for y in outputs] for x, place in zip(values, places)}
    one = (sum(full) + (full[0] + full[-1]) * tail / (1 - tail)) * scale
    times = [Fraction(1)] * len(outputs)
    times[0] = times[-1] = 1 / (1 - tail)
    return Kernel([origin + y * step for y in outputs], rows, one, times)


def joint_kernel(columns, values):
    """Section 11: independent noise on each column, on the grid of all lattice points from the least to the greatest
    value of each; beyond, nothing changes."""
    parts = [noise_kernel(column, sorted({x[c] for x in values}), beyond=0) for c, column in enumerate(columns)]
    outputs = list(itertools.product(*(part.outputs for part in parts)))
    rows = {x: [math.prod(cell) for cell in itertools.product(*(part.rows[x[c]] for c, part in enumerate(parts)))] for x in values}
    return Kernel(outputs, rows, math.prod(part.one for part in parts))


def channel_kernel(channel):
    """Section 8: a row of whole numbers for each value."""
    outputs, sums = [number(y) for y in channel["outputs"]], [sum(map(int, row)) for row in channel["weights"]]
    assert all(len(row) == len(outputs) and min(map(int, row)) >= 0 for row in channel["weights"]) and min(sums) > 0
    one = math.lcm(*sums)
    rows = {number(x): [int(w) * (one // total) for w in row] for x, row, total in zip(channel["inputs"], channel["weights"], sums)}
    return Kernel(outputs, rows, one)


def swap_kernel(stratum):
    """Section 16: a row becomes another with probability flow / total, and else stays."""
    points, totals = [number(x) for x in stratum["points"]], list(map(int, stratum["totals"]))
    stays, one = list(totals), math.lcm(*totals)
    rows = [[0] * len(points) for _ in points]
    for source, to, weight in stratum["flows"]:
        rows[int(source)][int(to)] += int(weight)
        stays[int(source)] -= int(weight)
    assert min(stays) >= 0 and len(totals) == len(points) == len(set(points)), "more leaves a row than there is"
    for k, total in enumerate(totals):
        rows[k][k] += stays[k]
        rows[k] = [weight * (one // total) for weight in rows[k]]
    return Kernel(points, dict(zip(points, rows)), one)


def kernel_of(mechanism, prior, values):
    if mechanism["noise"] == "channel":
        return channel_kernel(mechanism)
    if mechanism["noise"] == "swap":
        strata = [s for s in mechanism.get("strata", [mechanism]) if s.get("known") == prior.known or "strata" not in mechanism]
        assert len(strata) == 1, "no stratum of these known columns"
        return swap_kernel(strata[0])
    if "columns" in mechanism:
        return joint_kernel(mechanism["columns"], values)
    return noise_kernel(mechanism, values)


# ---- Loss and hockey-stick ----

def worst(p, q):
    """The place where p/q is largest: (place, p there, q there)."""
    if not all(isinstance(x, int) for x in (*p, *q)):  # of a wide lattice
        return max(((k, a, b) for k, (a, b) in enumerate(zip(p, q)) if a != 0 or b != 0), key=lambda at: loss_of(*at[1:])[1])
    best = None
    for k, (a, b) in enumerate(zip(p, q)):
        if (a or b) and (best is None or a * best[2] > best[1] * b):
            best = k, a, b
    return best


class OnlySome(Exception):
    """On a wide lattice some outputs are looked at, and there is no sum over all of them."""


def hockey_stick(p, q, times, one, epsilon):
    """Bounds of the sum over all outputs of [p - e^epsilon q]_+ (sections 0 and 5)."""
    if not all(isinstance(x, int) for x in (*p, *q)):
        raise OnlySome
    bits, found = 320, []
    for factor in growth(epsilon, bits)[::-1]:
        sums = {}
        for a, b, many in zip(p, q, times):
            sums[many] = sums.get(many, 0) + max(0, (a << bits) - factor * b)
        found.append(Fraction(sum(many * total for many, total in sums.items())) / (one * 2**bits))
    return found


class Outcome:
    """What was found of one limit under one prior."""

    def __init__(self, prior, limit, **found):
        self.prior, self.limit = prior, limit
        self.__dict__.update(found)


def outcomes(kernels, priors, limits, delta, sets=None):
    """Every limit under every prior: the largest loss and where, or the hockey-stick where there is a delta. With `sets`
    a law may be any of a set (section 9): at each output the most of one against the least of the other."""
    for n, (kernel, prior) in enumerate(zip(kernels, priors)):
        if sets is None:
            masses = {s: kernel.masses(law) for s, law in prior.laws.items()}
            faced, one = (lambda i, j: (masses[i], masses[j])), prior.one
        else:
            faced, one = believed.faced(kernel, sets[n], prior)
        for i, j, epsilon in limits:
            p, q = faced(i, j)
            if delta:
                low, high = hockey_stick(p, q, kernel.times, one * kernel.one, epsilon)
                yield Outcome(prior, (i, j, epsilon), low=low, high=high, kept=high <= delta)
            else:
                place, a, b = worst(p, q)
                yield Outcome(prior, (i, j, epsilon), at=[(x, y) for x, y in zip(p, q)], outputs=kernel.outputs, loss=(a, b),
                              output=kernel.outputs[place], kept=not exceeds(a, b, epsilon))


def promised(scenario):
    """The limits and the delta under the priors themselves, closeness by a smaller budget taken off (section 9)."""
    limits, delta = limits_of(scenario), number(scenario.get("delta") or "0")
    closeness = number(scenario.get("closeness") or "0")
    if closeness and scenario.get("closeness_by") != "boxes":
        limits = [(i, j, epsilon - 2 * closeness) for i, j, epsilon in limits]
        delta = delta / Fraction(growth(closeness)[1], 2**192)
    return limits, delta


def recompute(plan):
    """Every limit of a plan's scenario under every prior."""
    scenario, mechanism = plan["scenario"], plan["mechanism"]
    priors = priors_of(scenario)
    limits, delta = promised(scenario)
    sets = None
    if scenario.get("confidence") or (scenario.get("closeness") and scenario.get("closeness_by") == "boxes"):
        sets = believed.sets_of(plan, priors)
    kernels = [kernel_of(mechanism, prior, sets[n].values if sets else prior.values) for n, prior in enumerate(priors)]
    return list(outcomes(kernels, priors, limits, delta, sets))


# ---- What else the integers must keep ----

def invariant(plan):
    """Section 16: as much comes to a row as leaves it, and totals are as the people of the stratum's first prior."""
    mechanism, priors = plan["mechanism"], priors_of(plan["scenario"])
    for stratum in mechanism.get("strata", [mechanism]):
        balance = [0] * len(stratum["totals"])
        for source, to, weight in stratum["flows"]:
            balance[int(source)] -= int(weight)
            balance[int(to)] += int(weight)
        own = next(prior for prior in priors if "strata" not in mechanism or prior.known == stratum["known"])
        people = {}
        for law in own.counted.values():
            for x, mass in law.items():
                people[x] = people.get(x, 0) + mass
        totals = {number(x): int(total) for x, total in zip(stratum["points"], stratum["totals"])}
        people = {x: count for x, count in people.items() if count}
        if any(balance) or set(totals) != set(people):
            return False
        if len({totals[x] / people[x] for x in totals}) != 1:
            return False
    return True


def mean_square(noise):
    """Of what is drawn, in units squared (section 13); and the mean, times the sum of the weights."""
    reach, weights, step = int(noise["reach"]), list(map(int, noise["weights"])), number(noise["lattice"]["step"])
    full = weights[:0:-1] + weights if noise["symmetric"] else weights
    t = Fraction(int(noise["tail"]["numerator"]), 2 ** int(noise["tail"]["log2_denominator"]))
    # Sums over k >= 1 of t^k, k t^k, k^2 t^k.
    s0, s1, s2 = t / (1 - t), t / (1 - t) ** 2, t * (1 + t) / (1 - t) ** 3
    ends_ = full[0] + full[-1]
    total = sum(full) + ends_ * s0
    mean = sum(w * (k - reach) for k, w in enumerate(full)) + (full[-1] - full[0]) * (reach * s0 + s1)
    square = sum(w * (k - reach) ** 2 for k, w in enumerate(full)) + ends_ * (reach**2 * s0 + 2 * reach * s1 + s2)
    return square / total * step**2, mean


def unbiased(channel):
    """Whether the mean output of every input is that input."""
    kernel = channel_kernel(channel)
    return all(sum(w * y for w, y in zip(row, kernel.outputs)) == x * kernel.one for x, row in kernel.rows.items())


# ---- Several releases of one value ----

def released_together(plans, epsilon, delta):
    """Section 10: the releases as one kernel on the grid of all outputs; whether epsilon and delta hold, and the largest
    loss or the hockey-stick."""
    scenario = plans[0]["scenario"]
    closeness = number(scenario.get("closeness") or "0")
    priors, found = priors_of(scenario), []
    limits = [(i, j, epsilon - 2 * closeness) for i, j, _ in limits_of(scenario)]
    for prior in priors:
        parts = [kernel_of(plan["mechanism"], prior, prior.values) for plan in plans]
        rows = {x: [math.prod(cell) for cell in itertools.product(*(part.rows[x] for part in parts))] for x in prior.values}
        times = [math.prod(cell) for cell in itertools.product(*(part.times for part in parts))]
        outputs = list(itertools.product(*(part.outputs for part in parts)))
        kernel = Kernel(outputs, rows, math.prod(part.one for part in parts), times)
        found += outcomes([kernel], [prior], limits, delta)
    return found
