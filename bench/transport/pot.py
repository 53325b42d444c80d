"""POT's side of the transport benchmark; compare.py drives it beside fugu.cc.

pot.py DIR reads the input files of DIR, then one task name a line, and answers in JSON. Only the calls of
ot.emd_1d are timed. It gets what it likes best: sorted float arrays whose masses are already divided by their sum.
"""

import json
import pathlib
import sys
import time

import numpy
import ot


def masses(counts):
    return counts / counts.sum()


def read_two(path):
    words = numpy.fromfile(path, dtype=numpy.int64)
    n = int(words[0])
    atoms_a, counts_a, atoms_b, counts_b = words[1:].reshape(4, n)
    return atoms_a.astype(float), atoms_b.astype(float), masses(counts_a), masses(counts_b)


def read_secrets(path):
    words = numpy.fromfile(path, dtype=numpy.int64)
    secrets, values = (int(word) for word in words[:2])
    counts = words[2:].reshape(secrets, values)
    return numpy.arange(1.0, values + 1.0), [masses(row) for row in counts]


def timed_plan(x_a, x_b, a, b):
    start = time.perf_counter()
    plan = ot.emd_1d(x_a, x_b, a, b, metric="cityblock", dense=False)
    return time.perf_counter() - start, plan


def farthest(plan, x_a, x_b):
    """The largest distance between two atoms that the plan joins: POT has no W_inf of its own."""
    moved = plan.data > 0
    return numpy.abs(x_a[plan.row[moved]] - x_b[plan.col[moved]]).max()


def plan_of(two):
    seconds, plan = timed_plan(*two)
    x_a, x_b = two[:2]
    w_1 = float((numpy.abs(x_a[plan.row] - x_b[plan.col]) * plan.data).sum())
    return {"seconds": seconds, "cells": int(plan.nnz), "w_inf": farthest(plan, x_a, x_b), "w_1": w_1}


def pairs_of(folder, values, secrets):
    pairs = numpy.fromfile(folder / "pairs.bin", dtype=numpy.int64).reshape(-1, 2)
    total = 0.0
    distances = []
    for i, j in pairs:
        seconds, plan = timed_plan(values, values, secrets[i], secrets[j])
        total += seconds
        distances.append(farthest(plan, values, values))
    return {"seconds": total, "pairs": len(pairs), "w_inf": max(distances)}


def trap():
    x_a, x_b = numpy.array([0.0, 1.0, 1000.0]), numpy.array([0.0, 1000.0])
    _, plan = timed_plan(x_a, x_b, numpy.array([0.1, 0.2, 0.7]), numpy.array([0.3, 0.7]))
    return {"w_inf": farthest(plan, x_a, x_b)}


def gaps(folder):
    """Tables with the same share of mass below the gap on both sides: how often the plan crosses the gap."""
    atoms = numpy.array([0.0, 1, 2, 3, 4, 1000, 1001, 1002, 1003, 1004])
    tables = numpy.fromfile(folder / "gaps.bin", dtype=numpy.int64).reshape(-1, 2, atoms.size)
    crossed = 0
    for first, second in tables:
        _, plan = timed_plan(atoms, atoms, masses(first), masses(second))
        crossed += int(farthest(plan, atoms, atoms) > 500)
    return {"tables": len(tables), "crossed": crossed}


def main():
    folder = pathlib.Path(sys.argv[1])
    plans, wide = read_two(folder / "plans.bin"), read_two(folder / "plans_wide.bin")
    values, secrets = read_secrets(folder / "secrets.bin")
    tasks = {
        "plans": lambda: plan_of(plans),
        "plans_wide": lambda: plan_of(wide),
        "pairs": lambda: pairs_of(folder, values, secrets),
        "trap": trap,
        "gaps": lambda: gaps(folder),
        "version": lambda: {"version": ot.__version__},
    }
    for line in sys.stdin:
        print(json.dumps(tasks[line.strip()]()), flush=True)


if __name__ == "__main__":
    main()
