"""How often a state occurs in a Markov chain: what each state passes on to the next beside Song, Wang and Chaudhuri's quilts.

compare.py BUILD [--json FILE] [--check]

Their grid of 25 chains of two states (100 times, epsilon 1), each stationary: P(0|0) and P(1|1) in 0.1, 0.3, …, 0.9. Then the
time that a plan and its proof take at growing lengths.
"""

import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, parser_of  # noqa: E402

TARGET, SECONDS = 2.9, 2
STAYS = [1, 3, 5, 7, 9]
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "chain.json"


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def scales(program, folder, first, second):
    path = folder / "chain.json"
    rows = [[f"{first}/10", f"{10 - first}/10"], [f"{10 - second}/10", f"{second}/10"]]
    path.write_text(json.dumps({"states": ["0", "1"], "chains": [{"transition": rows, "start": "stationary"}]}))
    found = json.loads(run(program, "chain", "--matrix", path, "--length", 100, "--state", "1", "--epsilon", 1, "--compare",
                           "--format", "json"))
    return {row["method"]: row["scale"] for row in found["candidates"]}


def at_length(program, folder, length):
    plan = folder / f"{length}.json"
    start = time.perf_counter()
    run(program, "chain", "--matrix", EXAMPLE, "--length", length, "--state", "on", "--epsilon", 1, "-o", plan)
    made = time.perf_counter()
    run(program, "verify", plan)
    return {"length": length, "scale": json.loads(plan.read_text())["mechanism"]["scale"], "plan_seconds": made - start,
            "verify_seconds": time.perf_counter() - made}


def main():
    parser = parser_of("chains by transfer beside Markov quilts")
    parser.add_argument("build", type=pathlib.Path, help="the folder with the built fugu")
    options = parser.parse_args()
    program = options.build / "fugu"
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        folder = pathlib.Path(folder)
        grid = {f"{a / 10} {b / 10}": scales(program, folder, a, b) for a, b in itertools.product(STAYS, STAYS)}
        lengths = [at_length(program, folder, length) for length in (100, 10_000, 1_000_000)]
    ratios = {other: statistics.median(row[other] / row["transfer"] for row in grid.values())
              for other in ("group", "quilt-approx", "quilt", "exact")}
    least = min(row["quilt"] / row["transfer"] for row in grid.values())
    slowest = max(row["plan_seconds"] + row["verify_seconds"] for row in lengths)
    print("Counts of a state in 25 chains of Song's grid, 100 times, epsilon 1: noise in units of transfer's\n")
    print("  P(0|0)  P(1|1)  transfer    quilt   exact  quilt / transfer")
    for name, row in grid.items():
        stays = name.split()
        print(f"  {stays[0]:>6}  {stays[1]:>6}  {row['transfer']:8.4f} {row['quilt']:8.3f} {row['exact']:7.3f}  "
              f"{row['quilt'] / row['transfer']:16.2f}")
    print("\n  medians: " + ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items()) +
          f"; quilt at least {least:.2f}  (target: median quilt >= {TARGET}, none below 1)\n")
    for row in lengths:
        print(f"  examples/chain.json, {row['length']:>9,} times: scale {row['scale']:.6f}, plan {row['plan_seconds']:.2f} s, "
              f"proof {row['verify_seconds']:.2f} s")
    met = ratios["quilt"] >= TARGET and least >= 1 - 1e-9 and slowest <= SECONDS
    report = {"grid": grid, "median_ratios": ratios, "least_ratio": least, "at_least": TARGET, "lengths": lengths, "met": met}
    finish(options, report, [] if met else ["chains beside quilts"])


if __name__ == "__main__":
    main()
