"""Draws of noise on one core: fugu's exact samplers with secure words beside numpy's Generator.laplace, in turns.

compare.py FUGU_SAMPLE_BENCH [--json FILE] [--check] [--repeat N] [--count DRAWS]
"""

import pathlib
import platform
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import Competitor, finish, in_turns, median, missed, parser_of  # noqa: E402

NUMPY = pathlib.Path(__file__).with_name("numpy_laplace.py")
TARGET = 2.5

# fugu's task, the target, and what the row is called. All are held against numpy's Laplace of the same scale.
TASKS = (
    ("laplace 0.2", None, "lattice Laplace, 0.2 steps"),
    ("laplace 1", TARGET, "lattice Laplace, 1 step"),
    ("laplace 100", TARGET, "lattice Laplace, 100 steps"),
    ("laplace 1000000", None, "lattice Laplace, 1e6 steps"),
    ("laplace 1099511627776", None, "lattice Laplace, 2^40 steps"),
    ("gaussian 10", TARGET, "Gaussian table, 10 steps"),
    ("power:0.5 10", None, "power:0.5, 10 steps"),
)


def compare(fugu, peer, options):
    rows = []
    for task, target, title in TASKS:
        scale = task.split()[1]
        draws, peer_draws = in_turns(options.repeat, lambda: fugu.run(f"{task} {options.count}"),
                                     lambda: peer.run(f"laplace {scale} {options.count}"))
        ours, theirs = median(draws) / options.count, median(peer_draws) / options.count
        ratio = theirs / ours
        rows.append({"task": title, "fugu_seconds": ours, "numpy_seconds": theirs, "ratio": ratio, "at_least": target,
                     "met": ratio >= target if target else None, "ready_seconds": draws[0]["ready_seconds"]})
    return rows


def show(rows):
    print(f"{'noise':<30}{'fugu':>12}{'numpy':>12}{'ratio':>8}  {'target':<9}{'met':<5}tables made in")
    for r in rows:
        target = f">= {r['at_least']}" if r["at_least"] else "-"
        met = {True: "yes", False: "NO", None: ""}[r["met"]]
        print(f"{r['task']:<30}{r['fugu_seconds'] * 1e9:>9.2f} ns{r['numpy_seconds'] * 1e9:>9.2f} ns{r['ratio']:>8.1f}  "
              f"{target:<9}{met:<5}{r['ready_seconds'] * 1e3:.1f} ms")


def main():
    parser = parser_of("fugu's samplers beside numpy's Laplace, per core")
    parser.add_argument("program", help="the built fugu_sample_bench")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (default 5)")
    parser.add_argument("--count", type=int, default=10_000_000, metavar="DRAWS", help="draws a run (default 1e7)")
    options = parser.parse_args()

    fugu = Competitor(options.program, "serve")
    peer = Competitor(sys.executable, str(NUMPY))
    version = peer.run("version")["version"]
    rows = compare(fugu, peer, options)
    words = min(fugu.run(f"words {options.count}")["seconds"] for _ in range(options.repeat))
    fugu.close()
    peer.close()

    print(f"Draws a core: fugu beside numpy {version}'s Generator.laplace of the same scale "
          f"(Python {platform.python_version()}); medians, in turns, per draw\n")
    show(rows)
    print(f"\nSecure words: {8e-9 * options.count / words:.1f} GB/s a core.")
    report = {"numpy": version, "sample": rows, "words_per_second": options.count / words}
    finish(options, report, missed(rows))


if __name__ == "__main__":
    main()
