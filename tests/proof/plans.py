"""Plans by `fugu calibrate` of random scenarios, forgeries of them, and what the two verifiers say of each."""

import fractions
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from tampering_test import Literal, canonical, digest, read  # noqa: E402


def sealed(plan):
    return {**plan, "digest": digest(plan)}


# ---- Scenarios ----

METHODS = ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact", "exact", "optimal", "optimal", "channel", "channel", "swap",
           "swap", "swap", "randomized-response"]
HEAVY = ["sensitivity", "kantorovich", "relaxed", "harmonic", "exact"]
JOINT = ["sensitivity", "kantorovich", "exact", "exact", "swap", "swap"]


def mass(rng):
    kind = rng.random()
    if kind < 0.7:
        return rng.choice([1, 1, 2, 3, 5, 8, rng.randint(1, 40), rng.randint(1, 5000)])
    if kind < 0.85:
        return f"{rng.randint(1, 12)}/{rng.randint(1, 12)}"
    return rng.randint(1, 999) / 1000


def one_column(rng, secrets, step):
    count = rng.choice([1, 2, 3, 4, 5, 6, 8, 12, 20])
    spread = rng.choice([1, 1, 1, 2, 5, 40])
    values = sorted(rng.sample(range(0, count * spread + 3), min(count, count * spread + 2)))
    own = rng.random() < 0.5  # whether every secret has every value
    law = {}
    for secret in secrets:
        taken = values if own else sorted(rng.sample(values, rng.randint(1, len(values))))
        law[secret] = {"values": [value * step for value in taken], "mass": [mass(rng) for _ in taken]}
    return law


def several_columns(rng, secrets, columns):
    values = sorted({tuple(rng.randint(0, 3) for _ in range(columns)) for _ in range(rng.randint(2, 8))})
    law = {}
    for secret in secrets:
        taken = values if rng.random() < 0.5 else sorted(rng.sample(values, rng.randint(1, len(values))))
        law[secret] = {"values": [list(value) for value in taken], "mass": [rng.randint(1, 30) for _ in taken]}
    return law


def scenario(rng):
    """A scenario, and the flags to calibrate it with."""
    secrets = [f"s{k}" for k in range(rng.choice([2, 2, 2, 3, 3, 4, 5]))]
    joint = rng.random() < 0.2
    columns = rng.choice([2, 2, 3]) if joint else 1
    step = rng.choice([1, 1, 1, 2, 0.5])
    priors = []
    for k in range(rng.choice([1, 1, 1, 2, 3])):
        given = several_columns(rng, secrets, columns) if joint else one_column(rng, secrets, step)
        priors.append({"name": f"belief {k}", "given": given})
    everything = [[a, b] for i, a in enumerate(secrets) for b in secrets[i + 1:]]
    pairs = "all" if rng.random() < 0.6 else rng.sample(everything, rng.randint(1, len(everything)))
    epsilon = rng.choice(["0.05", "0.1", "0.3", "0.5", "1", "1.5", "3", "7", str(rng.randint(1, 400) / 100)])
    question = {"priors": priors, "pairs": pairs}
    if joint:
        question["lattice"] = [{"step": 1}] * columns
        return question, ["--epsilon", epsilon, "--method", rng.choice(JOINT)]
    if rng.random() < 0.15:
        return question, ["--epsilon", epsilon, "--noise", rng.choice(["power:0.5", "log:4"]), "--method", rng.choice(HEAVY)]
    more = rng.choice([[], [], [], [], [], [], [], ["--delta", "0.001"], ["--closeness", "0.02"], ["--promise", "belief"]])
    if not more and rng.random() < 0.1:  # a secret or a pair has less
        least = rng.randint(30, 100) / 100
        epsilon = f"{rng.choice([secrets[0], ':'.join(secrets[:2])])}={float(epsilon) * least:.4f},*={epsilon}"
    method = rng.choice(METHODS)
    wide = any(law["values"][-1] - law["values"][0] > 8 * step for prior in priors for law in prior["given"].values())
    if method == "optimal" and (float(epsilon.split("=")[-1]) < 0.3 or wide):
        method = "exact"  # its linear programme would take long
    limit = ["--time-limit", "1"] if method in ("optimal", "channel") else []
    return question, ["--epsilon", epsilon, "--method", method, *limit, *more]


def make(fugu, folder, rng):
    """The path of a plan, or None where the question has none (an optimum with a bounded output, say)."""
    question, flags = scenario(rng)
    path = folder / "plan.json"
    path.unlink(missing_ok=True)
    (folder / "scenario.json").write_text(json.dumps(question))
    done = subprocess.run([fugu, "calibrate", "--scenario", "scenario.json", *flags, "-o", "plan.json"], cwd=folder, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode in (0, 2, 3, 4), done
    return path if done.returncode == 0 else None


# ---- Forgeries ----

def less(rng, text):
    """A whole number somewhat below another."""
    number = int(text)
    return str(max(0, number - rng.choice([1, number >> 60, number >> 40, number >> 20, number >> 10, number // 50, number // 3]))), number


def forge_noise(rng, mechanism):
    one = rng.choice(mechanism["columns"]) if "columns" in mechanism else mechanism
    if rng.random() < 0.5 or len(one["weights"]) == 1:
        one["tail"]["numerator"], _ = less(rng, one["tail"]["numerator"])
        if one is not mechanism:
            restate_error(one)
    else:
        place = rng.randrange(len(one["weights"]))
        one["weights"][place], _ = less(rng, one["weights"][place])


def restate_error(column):
    """What the reader of plans holds against the noise before anything is proved."""
    ratio = fractions.Fraction(int(column["tail"]["numerator"]), 2 ** column["tail"]["log2_denominator"])
    step = fractions.Fraction(getattr(column["lattice"]["step"], "text", column["lattice"]["step"]))
    column["mse"] = Literal(repr(float(2 * ratio / (1 - ratio) ** 2 * step**2)).removesuffix(".0"))


def forge_channel(rng, mechanism):
    row = rng.choice(mechanism["weights"])
    source, target = rng.randrange(len(row)), rng.randrange(len(row))
    left, was = less(rng, row[source])
    row[source] = left
    row[target] = str(int(row[target]) + was - int(left))


def forge_swap(rng, mechanism):
    stratum = rng.choice(mechanism["strata"]) if "strata" in mechanism else mechanism
    if not stratum["flows"] or rng.random() < 0.2:
        place = rng.randrange(len(stratum["totals"]))
        stratum["totals"][place] = str(int(stratum["totals"][place]) + rng.choice([1, 1000, 2**40]))
    elif rng.random() < 0.5:
        flow = rng.choice(stratum["flows"])
        flow[2], _ = less(rng, flow[2])
        if flow[2] == "0":
            stratum["flows"].remove(flow)
    else:
        stratum["flows"].remove(rng.choice(stratum["flows"]))


def forge_mechanism(rng, plan):
    mechanism = plan["mechanism"]
    {"channel": forge_channel, "swap": forge_swap}.get(mechanism["noise"], forge_noise)(rng, mechanism)


def forge_epsilon(rng, plan):
    """Both places, so that the plan states what it promises; often to just below the loss."""
    epsilon = float(plan["scenario"]["epsilon"])
    plan["scenario"].pop("budgets", None), plan["guarantee"].pop("budgets", None)
    loss = plan["witness"]["loss"] or epsilon
    factor = rng.choice([1 - 2**-45, 1 - 1e-9, 0.999, 0.9, 0.5])
    claimed = Literal(repr(max(1e-14, min(epsilon, rng.choice([loss, epsilon])) * factor)))
    plan["scenario"]["epsilon"] = plan["guarantee"]["epsilon"] = claimed


def some_law(rng, plan):
    return rng.choice(list(rng.choice(plan["scenario"]["priors"])["given"].values()))


def forge_mass(rng, plan):
    law = some_law(rng, plan)
    place = rng.randrange(len(law["mass"]))
    law["mass"][place] = int(law["mass"][place]) * rng.choice([2, 3, 7]) + rng.choice([0, 1])


def forge_value(rng, plan):
    """A value where there was none: often one that the mechanism does not know."""
    law = some_law(rng, plan)
    far = law["values"][-1]
    step = plan["scenario"]["lattice"]
    law["values"].append([x + 1 for x in far] if isinstance(far, list) else far + float(step["step"]) if "." in str(step["step"]) else far + int(step["step"]))
    law["mass"].append(rng.choice([1, 100]))


def forge_pairs(rng, plan):
    names = list(plan["scenario"]["priors"][0]["given"])
    plan["scenario"]["pairs"] = "all"
    plan["guarantee"]["pairs"] = len(names) * (len(names) - 1) // 2


def forge_prior(rng, plan):
    """One more belief, in which the secrets have traded laws."""
    prior = rng.choice(plan["scenario"]["priors"])
    names, laws = list(prior["given"]), list(prior["given"].values())
    k = rng.randrange(len(laws))
    mixed = json.loads(canonical(laws[k]), parse_float=Literal)
    mixed["mass"] = mixed["mass"][::-1]
    given = dict(zip(names, laws))
    given[names[k]] = mixed
    plan["scenario"]["priors"].append({**prior, "name": "another", "given": given})
    plan["guarantee"]["priors"] += 1


def forge_statement(rng, plan):
    """The guarantee alone: it states what the scenario does not promise."""
    key = rng.choice(["epsilon", "pairs", "priors"])
    plan["guarantee"][key] = Literal("0.01") if key == "epsilon" else plan["guarantee"][key] + 1


#: What bears on the guarantee. fugu-check does not look at the rest: names, errors, sentences.
BEARING = {"fugu", "guarantee", "scenario", "mechanism", "epsilon", "pairs", "priors", "lattice", "given", "known", "noise", "reach", "symmetric",
           "weights", "tail", "inputs", "outputs", "points", "totals", "flows", "strata", "columns"}


def forge_shape(rng, plan):
    """A key that nobody knows, or no list where one must be."""
    part = rng.choice([plan, plan["scenario"], plan["guarantee"], plan["mechanism"], plan["scenario"]["priors"][0]])
    if rng.random() < 0.5:
        part["epsilon_true"] = 0
    else:
        part[rng.choice(sorted(BEARING & set(part) - ({"weights"} if part is plan["scenario"] else set())))] = {"no": "such"}


FORGERIES = [forge_mechanism] * 6 + [forge_epsilon] * 4 + [forge_mass, forge_mass, forge_value, forge_pairs, forge_prior, forge_prior, forge_statement, forge_shape]


def forge(path, rng):
    plan = read(path)
    rng.choice(FORGERIES)(rng, plan)
    path.write_text(canonical(sealed(plan)))


# ---- Verdicts ----

#: What `fugu verify` says of a plan that is private and states something else that is not so.
FACTS = ("the witness is not", "the channel's outputs leave", "the scale is not", "the mse is not", "the objective does", "the error is not",
         "the unchanged share", "what comes to a row", "the influence", "releases of this influence", "an influence goes", "the groups", "a group has",
         "the first prior is not", "a prior is", "a belief beside", "the plan names a belief", "the sensitivity is not", "the assumptions are not")


def verdict_of_fugu(fugu, path):
    """private, not private, refused, or nothing where it did not come to the proof; and what it says."""
    done = subprocess.run([fugu, "verify", str(path)], capture_output=True, text=True, timeout=300)
    said = done.stderr.strip().split("\n")[0]
    if done.returncode == 0:
        return "private", said
    if done.returncode == 4 and any(f"the plan does not verify: {fact}" in said for fact in FACTS):
        return "private", said
    assert done.returncode in (3, 4), done
    if "is not that of the noise and the scenario" in said:
        return "nothing", said
    return ("not private" if done.returncode == 4 else "refused"), said


def verdict_of_check(check, path):
    done = subprocess.run([check, str(path)], capture_output=True, text=True, timeout=300)
    return {0: "private", 4: "not private", 3: "refused", 7: "not covered"}[done.returncode], done.stdout.strip()


def agree(ours, theirs):
    """No plan is private to one that is not to the other; a file may be refused as one or the other."""
    return "nothing" == ours or theirs == "not covered" or (ours == "private") == (theirs == "private")


def case(fugu, check, folder, seed, forged):
    """(verdict of fugu, verdict of fugu-check, what they said), or None where there is no plan."""
    rng = random.Random(f"{'forged' if forged else 'made'} {seed}")
    path = make(fugu, pathlib.Path(folder), rng)
    if path is None:
        return None
    if forged:
        forge(path, rng)
    ours, said = verdict_of_fugu(fugu, path)
    theirs, words = verdict_of_check(check, path)
    return ours, theirs, said, words
