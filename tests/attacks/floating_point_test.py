"""Residue of floating-point numbers (Mironov, CCS 2012): which texts can come out must not depend on the value.

The defence: indices are whole numbers, noise is drawn in whole steps, and a text is made from the index alone
(fugu/release/released_values.cc). Writing through doubles makes test_every_text_is_the_one_of_its_lattice_point fail,
writing the input's own text where there is no noise test_how_a_value_was_written_is_not_released.
"""

import decimal
import json
import math
import random
import re

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


def released(fugu, values, plan_rows, *flags):
    """What is released of a table of these values by a plan made from the others."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in plan_rows))
    fugu.ok("calibrate", "in.csv", *FLAGS, *flags, "-o", "plan.json", "--force")
    fugu.write("new.csv", "x\n" + "".join(f"{x}\n" for x in values))
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv", "--force")
    return (fugu.folder / "out.csv").read_text().splitlines()[1:]


TENTHS = [("ab"[k % 2], f"{k % 2 * 0.3 + k % 7 * 0.1:.1f}") for k in range(140)]
LARGE = [("ab"[k % 2], str(2**53 + k % 2 * 3 + k % 7)) for k in range(140)]


@pytest.mark.parametrize("rows, step, form", [(TENTHS, "0.1", r"-?\d+\.\d"), (LARGE, "1", r"-?\d+")], ids=["tenths", "large"])
def test_every_text_is_the_one_of_its_lattice_point(fugu, rows, step, form):
    texts = released(fugu, [x for _, x in rows] * 100, rows)
    assert all(re.fullmatch(form, text) and not re.fullmatch(r"-[0.]+", text) for text in texts)
    assert all(decimal.Decimal(text) % decimal.Decimal(step) == 0 for text in texts)
    odd = sum(int(text[-1]) % 2 for text in texts)  # every lattice point, not every second one
    assert 0.4 < odd / len(texts) < 0.6


def attack(outputs, guesses, grid):
    """How many outputs are possible under one guess of the value only, where noise is on `grid`."""
    return sum(len([x for x in guesses if grid(decimal.Decimal(y) - decimal.Decimal(x))]) == 1 for y in outputs)


def test_no_output_rules_out_a_value(fugu):
    texts = released(fugu, ["0.1"] * 5000, TENTHS)
    assert attack(texts, ["0.1", "0.4"], lambda z: z % decimal.Decimal("0.1") == 0) == 0


def test_the_attack_works_on_noise_in_doubles():
    """The control: Laplace noise in doubles as textbooks have it, from a coarse uniform number, and the same attack."""
    noise = {math.copysign(2.0 * math.log(k / 1024), sign) for k in range(1, 1024) for sign in (-1, 1)}
    rng = random.Random(3)
    outputs = [0.1 + rng.choice(sorted(noise)) for _ in range(500)]
    sums = {x: {x + z for z in noise} for x in (0.1, 0.4)}
    told = sum((y in sums[0.1]) != (y in sums[0.4]) for y in outputs)
    assert told > 450


def test_how_a_value_was_written_is_not_released(fugu):
    """Without noise the very text would come back if it were kept: 1, 1.0, +1, 1e0 may go with the secret."""
    rows = [("ab"[k % 2], x) for k in range(2) for x in ("0.5", "1.0", "2.5")]
    texts = released(fugu, ["1", "1.0", "1.00", "+1", "1e0", "10e-1", " 1 ", '"1"'], rows)
    assert json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["scale"] == 0
    assert set(texts) == {"1.0"}
