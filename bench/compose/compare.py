"""Several releases of the paper's column: what they promise together, beside the sum of their epsilons.

compare.py BUILD [--json FILE] [--check]

Gaussian plans at (0.1, 1e-5) by three methods, and pure ones by sharp, each released 2, 3 and 10 times: the sum of the epsilons, the
least bound without a delta, and the least one with the sum of the deltas (of pure plans 1e-5).
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, parser_of  # noqa: E402

PAPER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "paper.json"
EPSILON, DELTA, SECONDS = 0.1, 1e-5, 10
GAUSSIAN = ["--delta", DELTA, "--noise", "gaussian"]
PLANS = {"theorem3a": GAUSSIAN, "kantorovich": GAUSSIAN, "exact": GAUSSIAN, "sharp": []}


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def scenario_of():
    table = json.loads(PAPER.read_text())["adult"]
    laws = {secret: {"values": table["values"], "mass": [f"{count}/{sum(counts)}" for count in counts]}
            for secret, counts in table["counts"].items()}
    return {"priors": [{"given": laws}]}


def measured(program, folder, method, flags, number):
    plan = folder / f"{method}.json"
    run(program, "calibrate", "--scenario", folder / "s.json", "--epsilon", EPSILON, *flags, "--method", method, "-o", plan, "--force")
    asked = number * DELTA if flags else DELTA
    pure, start = json.loads(run(program, "compose", *[plan] * number, "--delta", 0, "--format", "json")), time.perf_counter()
    with_delta = json.loads(run(program, "compose", *[plan] * number, "--delta", asked, "--format", "json"))
    return {"method": method, "releases": number, "scale": json.loads(plan.read_text())["mechanism"]["scale"], "sum": number * EPSILON,
            "without_delta": pure["epsilon"], "with_delta": with_delta["epsilon"], "delta": with_delta["delta"],
            "bound": with_delta["bound"], "seconds": time.perf_counter() - start}


def main():
    parser = parser_of("several releases beside the sum of their epsilons")
    parser.add_argument("build", type=pathlib.Path, help="the folder with the built fugu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        folder = pathlib.Path(folder)
        (folder / "s.json").write_text(json.dumps(scenario_of()))
        rows = [measured(options.build / "fugu", folder, method, flags, number)
                for method, flags in PLANS.items() for number in (2, 3, 10)]
    print(f"Releases of the paper's column at epsilon {EPSILON}, the first three with Gaussian noise and delta {DELTA} each\n")
    print("  method       scale    releases  sum  without delta  with delta  bound     seconds")
    for row in rows:
        print(f"  {row['method']:<11} {row['scale']:8.4f} {row['releases']:9} {row['sum']:5.1f} {row['without_delta']:14.5f} "
              f"{row['with_delta']:11.5f}  {row['bound']:<9} {row['seconds']:6.2f}")
    met = all(row["with_delta"] <= row["without_delta"] and row["seconds"] <= SECONDS for row in rows)
    finish(options, {"rows": rows, "met": met}, [] if met else ["several releases"])


if __name__ == "__main__":
    main()
