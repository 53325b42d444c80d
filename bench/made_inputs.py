"""Inputs of a size for the programs that are measured, always the same ones."""

import json
import random


def laws(folder, values, secrets):
    """Random laws of as many secrets over as many values."""
    path = folder / f"{values}x{secrets}.json"
    if not path.exists():
        chance = random.Random(1)
        given = {f"s{s}": {"values": list(range(values)),
                           "mass": [max(5, round(100 * chance.lognormvariate(0, 0.5))) for _ in range(values)]}
                 for s in range(secrets)}
        path.write_text(json.dumps({"epsilon": 0.5, "priors": [{"given": given}]}))
    return path


def chain(folder, states):
    """A chain that stays where it is 999 times in 1,000."""
    path = folder / f"chain{states}.json"
    chance = random.Random(1)
    rows = []
    for state in range(states):
        weights = [0 if other == state else chance.randint(1, 9) for other in range(states)]
        rows.append(["999/1000" if other == state else f"{weight}/{1000 * sum(weights)}"
                     for other, weight in enumerate(weights)])
    path.write_text(json.dumps({"states": list(map(str, range(states))),
                                "chains": [{"transition": rows, "start": "stationary"}]}))
    return path


def users(folder, count):
    path = folder / f"users{count}.csv"
    chance = random.Random(1)
    path.write_text("p\n" + "".join(f"{chance.uniform(0.05, 0.95):.9f}\n" for _ in range(count)))
    return path
