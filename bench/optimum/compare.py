"""What the optimum saves, what it takes, and what its repair costs.

Usage: compare.py BUILD [--data DIR] [--repeat N]

Prints four tables: every method on real questions (where DIR holds the data), how the channel's time grows, the same
linear programme solved by SciPy's HiGHS, and how far the proved integers are above the solver's lower bound.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

import numpy
import scipy.optimize
import scipy.sparse

QUESTIONS = [
    ("race → occupation", "adult/adult.data", ["--no-header", "--secret", "9", "--public", "7", "--not-missing", "?"]),
    ("race → education-num", "adult/adult.data", ["--no-header", "--secret", "9", "--public", "5"]),
    ("sex → age", "adult/adult.data", ["--no-header", "--secret", "10", "--public", "1"]),
    ("marital → age (bank)", "bank/bank-full.csv", ["--secret", "marital", "--public", "age"]),
]
METHODS = ["kantorovich", "relaxed", "exact", "optimal", "channel"]
EPSILON = "0.5"


def run(program, *arguments):
    start = time.perf_counter()
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start, json.loads(done.stdout)


def table(rows):
    print("| " + " | ".join(rows[0]) + " |")
    print("| --- |" + " ---: |" * (len(rows[0]) - 1))
    for row in rows[1:]:
        print("| " + " | ".join(row) + " |")
    print()


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def questions(program, data):
    rows = [[f"mean square error at epsilon {EPSILON}", *METHODS]]
    for name, path, flags in QUESTIONS:
        if not (data / path).exists():
            print(f"({data / path} is not here)")
            continue
        row = [name]
        for method in METHODS:
            seconds, plan = run(program, "calibrate", data / path, *flags, "--epsilon", EPSILON, "--method", method,
                                "--format", "json")
            row.append(f"{number(plan['mechanism']['mse'])} ({seconds:.2f} s)")
        rows.append(row)
    table(rows)


def write_scenario(folder, values, secrets, seed=1):
    chance = random.Random(seed)
    given = {f"s{s}": {"values": list(range(values)),
                       "mass": [max(1, round(100 * chance.lognormvariate(0, 0.5))) for _ in range(values)]}
             for s in range(secrets)}
    path = folder / f"{values}x{secrets}.json"
    path.write_text(json.dumps({"epsilon": 0.5, "priors": [{"given": given}]}))
    return path


def growth(program, folder):
    rows = [["channel, random laws", "seconds"]]
    for values, secrets in [(50, 5), (100, 5), (100, 20), (200, 5), (200, 20), (400, 2)]:
        seconds, _ = run(program, "calibrate", "--scenario", write_scenario(folder, values, secrets), "--method",
                         "channel", "--format", "json")
        rows.append([f"{values} values, {secrets} secrets", f"{seconds:.2f}"])
    table(rows)


def highs(path, epsilon):
    """The least error of a channel, by HiGHS."""
    given = list(json.loads(path.read_text())["priors"][0]["given"].values())
    mass = numpy.array([secret["mass"] for secret in given], float)
    share = mass.sum(0) / mass.sum()
    mass /= mass.sum(1, keepdims=True)
    secrets, values = mass.shape
    steps = numpy.arange(values)
    cost = numpy.concatenate([(share[:, None] * (steps[:, None] - steps) ** 2).ravel(), numpy.zeros(values)])
    whole = scipy.sparse.hstack([scipy.sparse.kron(scipy.sparse.eye(values), numpy.ones((1, values))),
                                 scipy.sparse.csr_matrix((values, values))])
    masses = scipy.sparse.kron(mass, scipy.sparse.eye(values))  # rows (s, y), columns (x, y)
    least = scipy.sparse.kron(numpy.ones((secrets, 1)), scipy.sparse.eye(values))
    rows = scipy.sparse.vstack([scipy.sparse.hstack([-masses, least]),
                                scipy.sparse.hstack([masses, -numpy.exp(epsilon) * least])])
    start = time.perf_counter()
    found = scipy.optimize.linprog(cost, A_ub=rows.tocsr(), b_ub=numpy.zeros(rows.shape[0]), A_eq=whole.tocsr(),
                                   b_eq=numpy.ones(values), method="highs")
    return time.perf_counter() - start, found.fun


def peer(program, folder, repeat):
    rows = [["channel", "fugu, proved", "HiGHS, not proved", "ratio", "errors differ by"]]
    for values, secrets in [(20, 3), (40, 5), (60, 10), (100, 20)]:
        path = write_scenario(folder, values, secrets)
        mine, theirs = [], []
        for _ in range(repeat):
            seconds, plan = run(program, "calibrate", "--scenario", path, "--method", "channel", "--format", "json")
            mine.append(seconds)
            seconds, least = highs(path, 0.5)
            theirs.append(seconds)
        ours, other = sorted(mine)[repeat // 2], sorted(theirs)[repeat // 2]
        rows.append([f"{values} values, {secrets} secrets", f"{ours:.2f} s", f"{other:.2f} s", f"{other / ours:.1f}",
                     f"{plan['mechanism']['mse'] / least - 1:.1e}"])
    table(rows)


def repair(program, folder):
    worst, where = 0, ""
    for seed in range(40):
        chance = random.Random(seed)
        path = write_scenario(folder, chance.randint(3, 30), chance.randint(2, 6), seed)
        for epsilon in ("0.05", "0.2", "0.6"):
            _, plan = run(program, "calibrate", "--scenario", path, "--epsilon", epsilon, "--method", "channel",
                          "--format", "json")
            _, least = highs(path, float(epsilon))
            if least > 1e-9 and plan["mechanism"]["mse"] / least - 1 > worst:
                worst, where = plan["mechanism"]["mse"] / least - 1, f"{path.name} at epsilon {epsilon}"
    print(f"120 random channels: the proved integers are at most {worst:.1e} of the error above HiGHS ({where})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--repeat", type=int, default=3)
    options, _ = parser.parse_known_args()
    program = options.build / "fugu"
    with tempfile.TemporaryDirectory() as folder:
        questions(program, options.data)
        growth(program, pathlib.Path(folder))
        peer(program, pathlib.Path(folder), options.repeat)
        repair(program, pathlib.Path(folder))


if __name__ == "__main__":
    main()
