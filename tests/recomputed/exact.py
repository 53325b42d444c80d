"""Numbers as they are written, and comparisons with e^epsilon that are decided, never guessed (docs/math.md, section 0)."""

import functools
import math
from fractions import Fraction

import mpmath
from mpmath import iv


def number(value):
    """Exact as written (section 0): 0.225 is 225/1000, "1/3" a third. A list is a value of several columns."""
    return tuple(map(number, value)) if isinstance(value, list) else Fraction(value)


def ends(interval):
    """The two ends of an interval of mpmath, as they are."""
    return [Fraction(*mpmath.libmp.to_rational(end)) for end in interval._mpi_]


@functools.lru_cache(maxsize=4096)
def growth(epsilon, bits=192):
    """Whole numbers around e^epsilon 2^bits."""
    iv.prec = bits + 64
    low, high = ends(iv.exp(iv.mpf(epsilon.numerator) / epsilon.denominator))
    return math.floor(low * 2**bits), math.ceil(high * 2**bits)


def exceeds(p, q, epsilon):
    """Whether p > e^epsilon q, decided. They are never equal for a rational epsilon that is not 0 (section 5)."""
    if isinstance(p, int) and isinstance(q, int):
        if q == 0 or epsilon == 0:
            return p > q
        bits = 192
        while True:
            low, high = growth(epsilon, bits)
            if p << bits <= low * q:
                return False
            if p << bits >= high * q:
                return True
            bits *= 2
    if q == 0:
        return p != 0
    iv.prec = 320
    decided = iv.mpf(p) > iv.exp(iv.mpf(epsilon.numerator) / epsilon.denominator) * q
    assert decided is not None, "320 bits do not decide"
    return decided


def loss_of(p, q):
    """Bounds of log p/q."""
    if q == 0:
        return (math.inf, math.inf) if p != 0 else (-math.inf, -math.inf)
    if p == 0:
        return -math.inf, -math.inf
    iv.prec = 320
    return tuple(ends(iv.log(iv.mpf(p) / iv.mpf(q))))
