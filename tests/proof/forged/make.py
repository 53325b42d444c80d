"""Makes the three forged plans beside it: make.py PROGRAM. Each is what a verifier with the named fault would accept: every number
that it states besides its privacy is right, or what that verifier would find."""

import decimal
import fractions
import json
import math
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import plans

FUGU = sys.argv[1]
decimal.getcontext().prec = 120


def calibrated(question, *flags):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "s.json").write_text(json.dumps(question))
        subprocess.run([FUGU, "calibrate", "--scenario", "s.json", *flags, "-o", "p.json"], cwd=folder, check=True, capture_output=True)
        return plans.read(pathlib.Path(folder) / "p.json")


def verifies(plan):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "p.json"
        path.write_text(plans.canonical(plans.sealed(plan)))
        done = subprocess.run([FUGU, "verify", path], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()


def keep(name, plan):
    (HERE / f"{name}.json").write_text(plans.canonical(plans.sealed(plan)) + "\n")
    print(name, verifies(plan))


def up(number):
    """The least double that is not below."""
    near = float(number)
    return near if decimal.Decimal(near) >= number else math.nextafter(near, math.inf)


def loss(plan, low, high, output):
    """Of lattice Laplace noise on integers."""
    tail = plan["mechanism"]["tail"]
    ratio = fractions.Fraction(int(tail["numerator"]), 2 ** tail["log2_denominator"])
    given = plan["scenario"]["priors"][0]["given"]

    def mass(law):
        return sum(m * ratio ** abs(output - x) for x, m in zip(law["values"], law["mass"])) / sum(law["mass"])
    quotient = mass(given[low]) / mass(given[high])
    quotient = max(quotient, 1 / quotient)
    return (decimal.Decimal(quotient.numerator) / decimal.Decimal(quotient.denominator)).ln()


def outermost_output():
    """Private at every output but the last value and beyond."""
    question = {"priors": [{"given": {"A": {"values": [0, 1, 2, 3], "mass": [10, 10, 10, 1]},
                                      "B": {"values": [0, 1, 2, 3], "mass": [10, 10, 10, 5]}}}]}
    plan = calibrated(question, "--epsilon", "0.6", "--method", "exact")
    losses = [loss(plan, "A", "B", y) for y in range(4)]
    epsilon = plans.Literal("0.5")
    assert losses[3] > decimal.Decimal("0.59") and max(losses[:3]) < decimal.Decimal("0.49"), losses
    worst = max(range(3), key=losses.__getitem__)
    plan["scenario"]["epsilon"] = plan["guarantee"]["epsilon"] = epsilon
    plan["witness"].update(output=worst, loss=plans.Literal(repr(up(losses[worst]))))
    keep("outermost-output", plan)


def bound_inward():
    """One output's odds exceed e^epsilon by less than 2^-190 of it."""
    question = {"priors": [{"given": {"A": {"values": [0], "mass": [1]}, "B": {"values": [1], "mass": [1]}}}]}
    plan = calibrated(question, "--epsilon", "0.5", "--method", "channel")
    small = 2**200 + 1
    large = int((decimal.Decimal("0.5").exp() * small).to_integral_value(rounding=decimal.ROUND_FLOOR))

    def with_large(large):
        # 0 stays with large of small + large, 1 becomes 0 with small of it.
        plan["mechanism"].update(inputs=[0, 1], outputs=[0, 1], weights=[[str(large), str(small)], [str(small), str(large)]], unbiased=False)
        error = fractions.Fraction(small, small + large)
        plan["mechanism"]["mse"] = plan["mechanism"]["error"] = plans.Literal(repr(float(error)))
        plan["witness"].update(pair=["A", "B"], output=0, loss=plans.Literal("0.5"))
        return plan
    status, said = verifies(with_large(large))
    assert status == 0, said  # the same with one less is a plan
    keep("bound-inward", with_large(large + 1))


def pair_skipped():
    """Private for the pairs of A, not for B and C."""
    laws = {"A": [5, 5, 5], "B": [8, 5, 3], "C": [3, 5, 8], "D": [5, 5, 5]}
    given = {secret: {"values": [0, 1, 2], "mass": mass} for secret, mass in laws.items()}
    pairs = [["A", "B"], ["A", "C"], ["B", "C"]]
    flags = ["--epsilon", "0.3", "--method", "exact"]
    whole = calibrated({"priors": [{"given": given}], "pairs": pairs}, *flags)
    part = calibrated({"priors": [{"given": given}], "pairs": pairs[:2]}, *flags)
    assert max(loss(part, "B", "C", y) for y in range(3)) > decimal.Decimal("0.35")
    keep("pair-skipped", {**whole, "mechanism": part["mechanism"], "witness": part["witness"], "notes": part["notes"]})


outermost_output()
bound_inward()
pair_skipped()
