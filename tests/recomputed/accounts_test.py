"""Random releases into a ledger: what an account says is spent bounds what its releases tell together, to everybody whom one
of them covers. What they tell is computed from the table and the integers of the plans, for every output of all of them.

A sample with fixed seeds is part of the gate; FUGU_LONG asks for more, from a seed that is printed."""

import collections
import itertools
import math
import os
import pathlib
import random
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import judged
import promise
from exact import exceeds

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUGU = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
LONG = "FUGU_LONG" in os.environ
SEED = random.randrange(10**9) if LONG else 5
ACCOUNTS = 500 if LONG else 10 if "FUGU_SANITIZED" in os.environ else 40
MOST = 30_000  # outputs of all releases together


def fugu(folder, *words):
    return subprocess.run([FUGU, *words, "--threads", "1", "--quiet", "--format", "json"], cwd=folder, capture_output=True, text=True, timeout=100)


def people(rng):
    """Rows (s, group, x, y) of the same people at two times. Often x tells s to who knows the group, and to nobody else."""
    kind, often, rows = rng.choice(["coin", "any", "skew"]), rng.choice([0.5, 0.5, 0.1]), []
    for k in range(rng.choice([20, 60])):
        s, g = k % 2, int(rng.random() < often)
        x = s ^ g if kind == "coin" else rng.randint(0, 2) if kind == "any" else min(2, rng.choice([0, 0, 1, 2]) + s * rng.randint(0, 1))
        rows.append(("ab"[s], "UV"[g], x, rng.randint(0, 2)))
    rows += [(s, g, k, k) for s in "ab" for g in "UV" for k in (0, 1)]
    return rows, [(s, g, rng.choice([x, rng.randint(0, 2)]), 1 - x if x < 2 else y) for s, g, x, y in rows]


def value_of(row, column):
    found = tuple(Fraction(row["xy".index(name) + 2]) for name in column.split(","))
    return found if len(found) > 1 else found[0]


def released(rng, folder, tables):
    """Random releases of these tables: (which table, column, kernel, the groups in which who knows the group is covered)."""
    made = []
    for k in range(rng.choice([2, 2, 3])):
        which, column = rng.choice([0, 0, 0, 1]), rng.choice(["x", "x", "y", "x,y"])
        methods = ["exact", "sensitivity"] if column == "x,y" else ["exact", "exact", "dp-laplace", "dp-laplace", "sensitivity", "randomized-response", "sharp", "swap"]
        known = rng.random() < 0.35
        words = ["--given", "group", *rng.choice([["--min-group", "1"], ["--min-group", "1", "--keep", "group"], ["--min-group", "8"]])] if known else []
        words += ["--epsilon", rng.choice(["0.2", "0.5", "1"]), "--method", rng.choice(methods), "--publish-min", "1", "--rows-independent"]
        done = fugu(folder, "release", f"{which}.csv", "--secret", "s", "--public", column, *words, "-o", f"out{k}.csv", "--ledger", "budget.db", "--dataset", "people",
                    *([] if made else ["--budget", "60"]))
        assert done.returncode in (0, 2, 4, 6), done
        if done.returncode == 0:
            plan = promise.read((folder / f"out{k}.csv.plan.json").read_text())
            values = sorted({value_of(row, column) for row in tables[which]})
            source = plan["scenario"]["source"]
            covered = {group for group in "UV" if known and f"group = {group}" not in source.get("merged", []) + source.get("left_out", [])}
            made.append((which, column, promise.kernel_of(plan["mechanism"], promise.priors_of(plan["scenario"])[0], values), covered))
    return made


def told(tables, made, group):
    """Of every output of all releases, its mass with either secret, to who knows the group, or none where that is None."""
    kernels, one = [kernel for _, _, kernel, _ in made], math.prod(kernel.one for *_, kernel, _ in made)
    laws = {}
    for s in "ab":
        rows = [k for k, row in enumerate(tables[0]) if row[0] == s and group in (None, row[1])]
        counts = collections.Counter(tuple(value_of(tables[which][k], column) for which, column, _, _ in made) for k in rows)
        laws[s] = {values: Fraction(many, len(rows)) for values, many in counts.items()}
    for cell in itertools.product(*(range(len(kernel.outputs)) for kernel in kernels)):
        yield [sum(mass * math.prod(kernel.rows[x][k] for kernel, x, k in zip(kernels, values, cell)) for values, mass in laws[s].items()) / one for s in "ab"]


def account(seed, folder):
    """What contradicts the account; None where there is nothing to compare."""
    rng = random.Random(seed)
    tables = people(rng)
    for k, rows in enumerate(tables):
        (folder / f"{k}.csv").write_text("s,group,x,y\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    made = released(rng, folder, tables)
    if len(made) < 2 or math.prod(len(kernel.outputs) for *_, kernel, _ in made) > MOST:
        return None
    spent = promise.read(fugu(folder, "ledger", "show", "--ledger", "budget.db").stdout)["accounts"][0]["spent"]
    epsilon = judged.stated(spent["epsilon"])
    for group in [None, *sorted(set().union(*(covered for *_, covered in made)))]:
        for p, q in told(tables, made, group):
            common = math.lcm(p.denominator, q.denominator)
            if exceeds(int(max(p, q) * common), int(min(p, q) * common), epsilon):
                return [f"seed {seed}: to who knows {group} they tell more than {spent}"]
    return []


def test_an_account_bounds_what_its_releases_tell(tmp_path):
    compared, wrong = 0, []
    for k in range(ACCOUNTS):
        (tmp_path / str(k)).mkdir()
        found = account(SEED + k, tmp_path / str(k))
        compared, wrong = compared + (found is not None), wrong + (found or [])
    print(f"seed {SEED}: {compared} accounts compared")
    assert not wrong and compared > ACCOUNTS / 3, (compared, wrong)
