"""How long the dear calibrations take, how much memory, and how both grow: eight questions at three sizes each.

compare.py BUILD [--old PROGRAM] [--limit SECONDS] [--only WORD] [--json FILE] [--check]

Every input is made here, by a fixed seed. With --old the same questions go to another build of the program in turns with
this one, and the table says how many times longer it took (of processor time), how much more memory, and how far the two
answers are apart; what takes the old one more than --limit seconds is left.
"""

import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from made_inputs import chain, laws, users  # noqa: E402
from side_by_side import finish, parser_of  # noqa: E402

GAP = 1e-3  # of a channel's or a swap's error above what is proved to be the least


def by_laws(method, values, secrets, *more):
    return lambda folder, size: ["calibrate", "--scenario", laws(folder, values(size), secrets(size)), "--method", method, *more]


def same(size):
    return size


def of(number):
    return lambda size: number


# What it is; what its sizes are; the sizes; the seconds that the largest is to take; the question.
CASES = [
    ("relaxed", "secrets and values", (250, 500, 1000), 3, by_laws("relaxed", same, same)),
    ("harmonic", "secrets and values", (250, 500, 1000), 3, by_laws("harmonic", same, same)),
    ("exact with delta", "secrets, 100 values", (75, 150, 300), 10, by_laws("exact", of(100), same, "--delta", "0.001")),
    ("optimal noise", "values, 5 secrets", (100, 200, 400), 5, by_laws("optimal", same, of(5))),
    ("channel", "values, 5 secrets", (250, 500, 1000), 60, by_laws("channel", same, of(5))),
    ("swap", "values, 5 secrets", (250, 500, 1000), 60, by_laws("swap", same, of(5))),
    ("quilts", "states, a million times", (12, 25, 50), 5,
     lambda folder, size: ["chain", "--matrix", chain(folder, size), "--length", 1_000_000, "--state", "1", "--epsilon", 1,
                           "--method", "quilt"]),
    ("count with delta", "distinct users", (25_000, 50_000, 100_000), 10,
     lambda folder, size: ["count", "--probabilities", users(folder, size), "--epsilon", "0.01", "--delta", "1e-6"]),
]


def run(program, arguments, plan, limit=None):
    """Seconds, processor time and memory of a calibration; None when it takes longer than the limit."""
    plan.unlink(missing_ok=True)
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, [program, *arguments, "-o", plan])), stdout=subprocess.DEVNULL)
    while limit and time.perf_counter() - start < limit and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.05)
    if limit and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        process.kill()
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"bench: {program} failed")
    stated = json.loads(plan.read_text())
    return {"seconds": time.perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime, "kilobytes": usage.ru_maxrss,
            "error": stated["mechanism"]["mse"], "gap": gap_of(stated)}


def gap_of(plan):
    """How far the error of a channel or a swap may be from the least, where its notes say."""
    for note in plan["notes"]:
        if "lies between" in note:
            low, high = (float(word.strip(".").replace(",", "")) for word in note.split("lies between")[1].split(" and "))
            return high / low - 1 if low > 0 else math.inf
    return 0.0


def measure(program, options, case, folder):
    name, what, sizes, seconds, question = case
    rows = []
    for size in sizes:
        arguments = question(folder, size)
        row = {"size": size, **run(program, arguments, folder / "plan.json")}
        if options.old:
            row["old"] = run(options.old, arguments, folder / "old.json", options.limit)
        if rows:
            row["growth"] = math.log(row["cpu"] / rows[-1]["cpu"]) / math.log(size / rows[-1]["size"])
        rows.append(row)
        print_row(row, options)
    met = rows[-1]["seconds"] <= seconds and rows[-1]["gap"] <= GAP
    print(f"    to be at most {seconds} s" + (f", within {GAP:g} of the least" if name in ("channel", "swap") else "") + "\n")
    return {"task": name, "sizes": what, "rows": rows, "at_most": seconds, "met": met}


def print_row(row, options):
    text = f"  {row['size']:>8,} {row['seconds']:9.2f} s {row['cpu']:9.2f} s {row['kilobytes'] / 1024:8.0f} MiB"
    text += f"  n^{row['growth']:.1f}" if "growth" in row else "       "
    text += f"  gap {row['gap']:.1e}" if row["gap"] else ""
    if options.old:
        old = row["old"]
        text += (f"   old {old['cpu']:.2f} s: {old['cpu'] / row['cpu']:.1f} times, memory {old['kilobytes'] / row['kilobytes']:.1f} times, "
                 f"errors differ by {abs(row['error'] / old['error'] - 1) if old['error'] else 0:.1e}" if old
                 else f"   old: more than {options.limit:g} s")
    print(text, flush=True)


def main():
    parser = parser_of("dear calibrations at three sizes each")
    parser.add_argument("build", type=pathlib.Path, help="the folder with the built fugu")
    parser.add_argument("--old", metavar="PROGRAM", help="another build, for the ratio")
    parser.add_argument("--limit", type=float, default=300, help="seconds that the old one may take")
    parser.add_argument("--only", default="", help="the cases whose name has this word")
    options = parser.parse_args()
    report = []
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        for case in CASES:
            if options.only not in case[0]:
                continue
            print(f"{case[0]}: {case[1]}; seconds, processor time, peak memory, growth\n")
            report.append(measure(options.build / "fugu", options, case, pathlib.Path(folder)))
    finish(options, {"cases": report}, [row["task"] for row in report if not row["met"]])


if __name__ == "__main__":
    main()
