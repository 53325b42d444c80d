"""What somebody may change in the file of a plan: what is drawn, and what is claimed of which laws. Each function changes a
plan in place and says whether it did; what the guarantee repeats of the scenario goes along."""

import copy
import itertools
from fractions import Fraction

import promise
from promise import Number

#: What `fugu verify` says of a plan whose promise it has proved, and which says something else that is not so.
FACTS = ["the witness is not", "the scale is not", "the mse is not", "the objective", "the error is not", "the unchanged share", "the influence",
         "the sensitivity is not", "the assumptions are not", "what comes to a row", "the groups", "a group has", "a belief beside"]


def proved(done):
    """Whether `fugu verify` has proved the promise of a plan, whatever else it finds wrong in it."""
    return done.returncode == 0 or (done.returncode == 4 and any(f"does not verify: {fact}" in done.stderr for fact in FACTS))


def written(value):
    value = Fraction(value)
    return Number(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


# ---- What is drawn ----

def lowered(rng, text):
    number = int(text)
    return str(max(0, number - rng.choice([1, number >> 40, number >> 20, number >> 6, number // 3, number])))


def integers(rng, plan):
    """One integer is another."""
    mechanism = plan["mechanism"]
    if mechanism["noise"] == "channel":
        row = rng.choice(mechanism["weights"])
        k = rng.randrange(len(row))
        row[k] = lowered(rng, row[k])
        mechanism["unbiased"] = sum(map(int, row)) > 0 and promise.unbiased(mechanism)
        return sum(map(int, row)) > 0
    if mechanism["noise"] == "swap":
        stratum = rng.choice(mechanism.get("strata", [mechanism]))
        if not stratum["flows"]:
            return False
        flow = rng.choice(stratum["flows"])
        flow[2] = str(max(1, int(lowered(rng, flow[2]))))
        return True
    noise = rng.choice(mechanism["columns"]) if "columns" in mechanism else mechanism
    if len(noise["weights"]) > 1 and rng.random() < 0.7:
        k = rng.randrange(len(noise["weights"]))
        noise["weights"][k] = lowered(rng, noise["weights"][k])
        return any(map(int, noise["weights"]))
    noise["tail"]["numerator"] = lowered(rng, noise["tail"]["numerator"])
    if "mse" in noise and noise is not mechanism:  # which is held against the noise before anything is proved
        square = float(promise.mean_square(noise)[0])
        noise["mse"] = Number(int(square) if square.is_integer() else repr(square))
    return True


# ---- What is claimed ----

def both(plan, key, value):
    for part in (plan["scenario"], plan["guarantee"]):
        part.pop(key, None)
        if value is not None:
            part[key] = value
    return True


def plain(plan):
    """One epsilon for the odds of all pairs."""
    both(plan, "promise", None)
    both(plan, "budgets", None)
    for prior in plan["scenario"]["priors"]:
        prior.pop("shares", None)
    return every_pair(plan)


def every_pair(plan):
    many = len(plan["scenario"]["priors"][0]["given"])
    plan["scenario"]["pairs"], plan["guarantee"]["pairs"] = "all", Number(many * (many - 1) // 2)
    return True


def epsilon(rng, plan):
    factor = rng.choice(["1/2", "9/10", "99/100", "999999/1000000", "101/100", "2"])
    return both(plan, "epsilon", written(min(Fraction(100), Fraction(plan["scenario"]["epsilon"]) * Fraction(factor))))


def delta(rng, plan):
    return plain(plan) and both(plan, "delta", written(Fraction(rng.choice(["0", "1/10", "1/100", "1/100000"]))))


def mass(rng, plan):
    laws = [law for prior in plan["scenario"]["priors"] for law in prior["given"].values() if "mass" in law]
    if not laws:
        return False
    masses = rng.choice(laws)["mass"]
    k = rng.randrange(len(masses))
    now = Fraction(masses[k])
    counts = bool(plan["scenario"].get("confidence"))
    masses[k] = written(now + rng.choice([1, 3, 10]) if counts else now * Fraction(rng.choice(["1/2", "1001/1000", "2", f"1/{10**9}", "0"])))
    return any(map(Fraction, masses))


def pairs(rng, plan):
    if plan["scenario"].get("promise") or plan["scenario"].get("budgets"):
        return False
    every = list(itertools.combinations(plan["scenario"]["priors"][0]["given"], 2))
    chosen = rng.sample(every, rng.randint(1, len(every)))
    plan["scenario"]["pairs"], plan["guarantee"]["pairs"] = [list(pair) for pair in chosen], Number(len(chosen))
    return True


def belief(rng, plan):
    if Fraction(plan["scenario"].get("delta") or 0):
        return False
    plain(plan)
    if rng.random() < 0.4:
        for prior in plan["scenario"]["priors"]:
            prior["shares"] = {secret: Number(rng.randint(1, 9)) for secret in prior["given"]}
    return both(plan, "promise", rng.choice(["belief", "belief-both"]))


def closeness(rng, plan):
    near = rng.choice([None, "1/100", "1/10", "3/10"])
    plan["scenario"].pop("closeness_by", None)
    if near:
        plan["scenario"]["closeness_by"] = rng.choice(["boxes", "budget"])
    return both(plan, "closeness", near and written(Fraction(near)))


def bounds(rng, plan):
    """Of a confidence: another one, other bounds, or people who were drawn otherwise."""
    scenario = plan["scenario"]
    if not scenario.get("confidence"):
        return False
    kind = rng.random()
    if kind < 0.4:
        return both(plan, "confidence", written(Fraction(rng.choice(["1/2", "9/10", "99/100"]))))
    if kind < 0.8:
        scenario["bounds"] = rng.choice(["boxes", "band", "both"])
        return True
    return scenario.pop("sampling", None) is not None


def priors(rng, plan):
    """One less, or one more in which the laws have changed places."""
    scenario = plan["scenario"]
    source = scenario.get("source") or {}
    if source.get("given") or source.get("person"):
        return False  # whose names say what they are of
    if len(scenario["priors"]) > 1 and rng.random() < 0.5:
        scenario["priors"].pop(rng.randrange(len(scenario["priors"])))
    else:
        more = copy.deepcopy(rng.choice(scenario["priors"]))
        laws = list(more["given"].values())
        rng.shuffle(laws)
        scenario["priors"].append({**more, "name": f"more {len(scenario['priors'])}", "given": dict(zip(more["given"], laws))})
    plan["guarantee"]["priors"] = Number(len(scenario["priors"]))
    return True


CLAIMS = [epsilon, delta, mass, mass, pairs, belief, closeness, bounds, priors]


def forge(rng, plan):
    """Changes one to three things; whether anything changed."""
    if "model" in plan or rng.random() < 0.4:
        return integers(rng, plan)
    return any([rng.choice([*CLAIMS, integers])(rng, plan) for _ in range(rng.choice([1, 1, 2, 3]))])
