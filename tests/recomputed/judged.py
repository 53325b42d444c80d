"""Whether a plan keeps what it states, by what `promise` and `models` recompute of it."""

import math
from fractions import Fraction

import models
import promise
from exact import loss_of, number

#: By how much a stated bound may be above what was recomputed, where the method proves the loss itself.
LOOSE = Fraction(1, 10**6)
#: Methods of models that state a bound of their own, which the loss need not attain.
BOUNDS = {"group", "quilt-approx", "quilt", "transfer", "rows", "part", "lemma2"}


def stated(value):
    """A number as it is written, or as the double that it is read as: a bound where one of them is."""
    return max(Fraction(value), Fraction(float(value)))


def broken(plan):
    """The limits that do not hold: an empty list where the promise is kept."""
    found = models.recompute(plan) if "model" in plan else promise.recompute(plan)
    return [outcome for outcome in found if not outcome.kept], found


def complaints(plan):
    """What is wrong with a plan, as sentences."""
    failed, found = broken(plan)
    wrong = [f"{o.limit[:2]} under {o.prior.name}: epsilon {float(o.limit[2])} does not hold" for o in failed]
    if promise.digest(plan) != plan["digest"]:
        wrong.append("the digest is another")
    wrong += drawn(plan)
    wrong += witnessed(plan, found) if not failed else []
    return wrong


def drawn(plan):
    """The integers that are drawn: balance, means and squares as they are stated."""
    mechanism, wrong = plan["mechanism"], []
    if mechanism["noise"] == "swap":
        if not promise.invariant(plan):
            wrong.append("trading places does not keep the frequencies")
    elif mechanism["noise"] == "channel":
        if mechanism["unbiased"] and not promise.unbiased(mechanism):
            wrong.append("the channel is not unbiased")
    else:
        squares = []
        for noise in mechanism.get("columns", [mechanism]):
            square, mean = promise.mean_square(noise)
            squares.append(square)
            if mean != 0:
                wrong.append("the mean of the noise is not 0")
        if "columns" in mechanism:  # several rows of a person have the columns of one over and over; the error is that of a row
            squares = squares[: len(squares) // int((plan["scenario"].get("source") or {}).get("person", {}).get("rows", 1))]
        if abs(sum(squares) - Fraction(mechanism["mse"])) > sum(squares) / 10**9:
            wrong.append("the mean square is another")
    return wrong


def within(output, outputs):
    """The output itself, or that at the edge of those that were looked at: beyond, no loss changes (section 5)."""
    if isinstance(output, tuple):
        return tuple(min(max(y, min(column)), max(column)) for y, column in zip(output, zip(*outputs)))
    return min(max(output, min(outputs)), max(outputs))


def witnessed(plan, found):
    """The stated loss or delta bounds what was recomputed, closely, and is attained where the witness says."""
    witness, wrong = plan["witness"], []
    if not found:  # nothing that could be told apart
        return wrong
    delta = number(plan["guarantee"]["delta"])
    pair = tuple(witness["pair"])
    own = "budgets" in plan.get("scenario", {})
    bound = "model" in plan and plan["guarantee"]["method"] in BOUNDS
    if delta:
        says, most = stated(witness["delta"]), max(o.low for o in found)
        if says < most:
            wrong.append(f"the stated delta {float(says)} is below {float(most)}")
        close = max(o.high for o in found)
        if not bound and says > close + max(close, delta / 1000) / 1000:
            wrong.append(f"the stated delta {float(says)} is far above {float(close)}")
        return wrong
    says = stated(witness["loss"])
    worst = max(loss_of(*o.loss)[0] for o in found)
    if not own and says < worst:
        wrong.append(f"the stated loss {float(says)} is below {float(worst)}")
    if bound:
        return wrong
    if "model" in plan:
        at = worst
    else:
        here = [o for o in found if o.prior.name == witness["prior"] and o.limit[:2] in (pair, pair[::-1])]
        if promise.ALL in pair or "promise" in plan["scenario"]:
            here = [o for o in here if o.limit[:2] == pair] or here
        losses = []
        for o in here:
            output = within(number(witness["output"]), o.outputs)
            for place, y in enumerate(o.outputs):
                if y == output:
                    p, q = o.at[place]
                    losses.append(loss_of(p, q)[1] if (p != 0 or q != 0) else -math.inf)
        if not losses:
            return wrong + ["the witness is no output that was looked at"]
        at = max(losses)
        if says < at:
            wrong.append(f"the stated loss {float(says)} is below {float(at)} at its own witness")
    if says - at > LOOSE * max(1, says):
        wrong.append(f"the stated loss {float(says)} is not attained: {float(at)}")
    return wrong
