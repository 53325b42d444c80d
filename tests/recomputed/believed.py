"""Laws that counts or a closeness allow (docs/math.md, section 9): sets of laws with bounds for each value and for the
masses up to it. Bounds are rounded inward, so that every law of such a set is one that the promise must hold for."""

import bisect
import functools
import math
from fractions import Fraction

import mpmath

from exact import growth, number

BITS = 192


class Set:
    """low <= p <= high for each value, and where there is a band, lowest <= p_1 + … + p_k <= highest for each k."""

    def __init__(self, values, one):
        self.values, self.one, self.bounds, self.bands = values, one, {}, {}


def most(weights, bounds, band, one):
    """The largest sum of weights · p over the laws of a set. The best that the first k values can do with a mass m is a
    concave function of m: a start, and slopes that fall. Each value adds a slope, the band cuts both ends."""
    start = value = length = 0
    slopes = []
    for k, (weight, (low, high)) in enumerate(zip(weights, bounds)):
        start, value = start + low, value + weight * low
        bisect.insort(slopes, (-weight, high - low))
        length += high - low
        lowest, highest = band[k] if band else (0, one)
        if k == len(weights) - 1:
            lowest = highest = one
        while start < lowest:
            slope, width = slopes.pop(0)
            taken = min(width, lowest - start)
            start, value, length = start + taken, value - slope * taken, length - taken
            if taken < width:
                slopes.insert(0, (slope, width - taken))
        assert start <= highest, "no law is within the bounds"
        while start + length > highest:
            slope, width = slopes.pop()
            cut = min(width, start + length - highest)
            length -= cut
            if cut < width:
                slopes.append((slope, width - cut))
    return value


def extremes(kernel, chosen, secret):
    """At every output the most and the least that a law of the set gives it."""
    bounds, band, found = chosen.bounds[secret], chosen.bands.get(secret), ([], [])
    for k in range(len(kernel.outputs)):
        weights = [kernel.rows[x][k] for x in chosen.values]
        found[0].append(most(weights, bounds, band, chosen.one))
        found[1].append(-most([-weight for weight in weights], bounds, band, chosen.one))
    return found


def faced(kernel, chosen, prior):
    """The masses to compare at each output for a limit (i, j), and what 1 is there: laws of different secrets vary by themselves, and in a
    mixture (section 19) the own law is the same on both sides."""
    unit = math.lcm(*(share.denominator for share in prior.shares.values()))
    shares = {s: int(share * unit) for s, share in prior.shares.items()}
    found = {s: extremes(kernel, chosen, s) for s in chosen.bounds}

    def sides(i, j):
        if i in found and j in found:
            return [unit * mass for mass in found[i][0]], [unit * mass for mass in found[j][1]]
        s, side = (i, 0) if i in found else (j, 1)
        own = [unit * mass for mass in found[s][side]]
        mixed = [shares[s] * mass for mass in found[s][side]]
        for other, extreme in found.items():
            if other != s:
                mixed = [total + shares[other] * mass for total, mass in zip(mixed, extreme[1 - side])]
        return (own, mixed) if side == 0 else (mixed, own)

    return sides, chosen.one * unit


# ---- Bounds from counts ----

def binomial_tail(k, n, p):
    """P(at least k of n); p may be a double, for a guess, or a number of mpmath."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def hypergeometric_tail(k, n, marked, people):
    """P(at least k marked among n drawn of so many people, of whom `marked` are marked), exactly."""
    ways = sum(math.comb(marked, i) * math.comb(people - marked, n - i) for i in range(k, min(n, marked) + 1))
    return Fraction(ways, math.comb(people, n))


def hoeffding_tail(k, n, p):
    """Hoeffding's bound of the same, for draws without replacement from any number of people."""
    exp, log = (math.exp, math.log) if isinstance(p, float) else (mpmath.exp, mpmath.log)
    return exp(-n * (k / n * log(k / (n * p)) + ((n - k) / n * log((n - k) / (n * (1 - p))) if k < n else 0)))


@functools.lru_cache(maxsize=None)
def lower_end(k, n, tail, population):
    """A share at which k or more of n are barely not too rare. population: None for independent draws, 0 for an unknown
    number, else how many people there are."""
    if k == 0:
        return Fraction(0)
    if population:
        marked = next(m for m in range(k, population + 1) if hypergeometric_tail(k, n, m, population) > tail)
        return min(Fraction(marked, population), Fraction(k, n))
    rare = hoeffding_tail if population == 0 else binomial_tail
    low, high = 0.0, k / n
    for _ in range(60):  # a guess in doubles
        middle = (low + high) / 2
        low, high = (middle, high) if middle == 0 or rare(k, n, middle) <= tail else (low, middle)
    with mpmath.workprec(160):
        end = mpmath.mpf(high) * (1 + mpmath.mpf(10) ** -9)
        assert rare(k, n, end) > mpmath.mpf(tail.numerator) / tail.denominator, "the guess is wrong"
        return min(Fraction(*mpmath.libmp.to_rational(end._mpf_)), Fraction(k, n))


def count_bounds(k, n, tail, population):
    return lower_end(k, n, tail, population), 1 - lower_end(n - k, n, tail, population)


def counted_bounds(counts, wrong, kind, population):
    """Bounds of each value and of the masses up to it, which all hold but for a probability `wrong`."""
    n = sum(counts)
    share = wrong / 2 if kind == "both" else wrong
    sums = [sum(counts[: k + 1]) for k in range(len(counts))]
    bounds, band = [(Fraction(0), Fraction(1))] * len(counts), None
    if kind != "band":
        bounds = [count_bounds(k, n, share / (2 * len(counts)), population) for k in counts]
    if kind != "boxes":
        if population is None:
            with mpmath.workprec(160):
                width = mpmath.sqrt(mpmath.log(2 / (mpmath.mpf(share.numerator) / share.denominator)) / (2 * n))
                width = Fraction(*mpmath.libmp.to_rational(width._mpf_))
            band = [(max(0, Fraction(k, n) - width), min(1, Fraction(k, n) + width)) for k in sums]
        else:
            band = [count_bounds(k, n, share / (2 * len(counts)), population) for k in sums]
        band[-1] = (Fraction(1), Fraction(1))
    return bounds, band


def declared(plan):
    """The values that can occur, as the plan states them."""
    lattice = plan["scenario"]["lattice"]
    step, values = number(lattice["step"]), []
    for low, high in plan["guarantee"]["domain"]:
        low, high = number(low), number(high)
        values += [low + k * step for k in range(int((high - low) / step) + 1)]
    return values


def sets_of(plan, priors):
    """For each prior the laws that the promise is about."""
    scenario = plan["scenario"]
    confidence = number(scenario.get("confidence") or "0")
    closeness = number(scenario.get("closeness") or "0") if scenario.get("closeness_by") == "boxes" else Fraction(0)
    factor = Fraction(growth(closeness)[0], 2**BITS) if closeness else Fraction(1)  # at most e^closeness
    groups = [n > 0 and bool((scenario.get("source") or {}).get("given")) or prior.known is not None for n, prior in enumerate(priors)]
    split = 2 if any(groups) and not all(groups) else 1
    population = ((scenario.get("sampling") or {}).get("population") if isinstance(scenario.get("sampling"), dict) else None)
    found = []
    for n, prior in enumerate(priors):
        values = declared(plan) if confidence else prior.values
        chosen = Set(values, 1 << BITS)
        for secret, counted in prior.counted.items():
            if confidence:
                many = None
                if population is not None:
                    many = int(population[secret]) if isinstance(population, dict) and n == 0 and not groups[n] else 0
                wrong = (1 - confidence) / (split * groups.count(groups[n]) * len(prior.counted))
                bounds, band = counted_bounds([int(counted.get(x, 0)) for x in values], wrong, scenario.get("bounds", "boxes"), many)
            else:
                one = sum(counted.values())
                bounds, band = [(counted.get(x, 0) / one,) * 2 for x in values], None
            if closeness:
                near = lambda low, high: (low / factor, min(Fraction(1), high * factor))
                bounds = [near(*pair) for pair in bounds]
                if band:
                    band = [(max(low / factor, 1 - (1 - low) * factor), min(high * factor, 1 - (1 - high) / factor)) for low, high in band]
            inward = lambda low, high: (math.ceil(low * chosen.one), max(math.ceil(low * chosen.one), math.floor(high * chosen.one)))
            chosen.bounds[secret] = [inward(*pair) for pair in bounds]
            if band:
                chosen.bands[secret] = [inward(*pair) for pair in band]
        found.append(chosen)
    return found
