#!/usr/bin/env python3
"""How long a release takes by the value it releases: a measurement for docs/threat-model.md, not a test.

    FUGU=build/fugu python3 tests/attacks/measure_time.py [ROWS [ROUNDS]]

Each round releases a table of one value only, for each value in turn, so that a drift of the machine hits all alike. What is
shown is the processor's time of the process, median over the rounds, and the quartiles.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(os.environ.get("FUGU", "build/fugu"))
VALUES = ["1", "2", "9", "10", "99", "100"]  # one to three digits; the outermost are rare in the plan's table


def seconds(folder, table):
    process = subprocess.Popen([PROGRAM, "release", table, "--plan", "plan.json", "--new-data", "-o", "out.csv", "--force",
                                "--threads", "1"], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_utime + usage.ru_stime


def main(rows=2_000_000, rounds=15):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts = [1, 50, 200, 200, 50, 2]
        lines = [f"{s},{x}\n" for s in "ab" for x, count in zip(VALUES, counts if s == "a" else counts[::-1]) for _ in range(count)]
        (folder / "in.csv").write_text("s,x\n" + "".join(lines))
        subprocess.run([PROGRAM, "calibrate", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "plan.json"],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        for value in VALUES:
            (folder / f"{value}.csv").write_text("x\n" + f"{value}\n" * rows)
        times = {value: [] for value in VALUES}
        for _ in range(rounds):
            for value in VALUES:
                times[value].append(seconds(folder, f"{value}.csv"))
        for value in VALUES:
            low, middle, high = statistics.quantiles(times[value], n=4)
            print(f"value {value:>4}: {1e9 * middle / rows:6.2f} ns a row  ({1e9 * low / rows:.2f} to {1e9 * high / rows:.2f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
