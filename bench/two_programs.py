#!/usr/bin/env python3
"""Two builds of the program side by side, in turns: the ratio of their times and of their memory, task by task.

Usage: bench/two_programs.py OLD/fugu NEW/fugu [--rows N] [--turns N]
"""

import argparse
import os
import pathlib
import random
import subprocess
import tempfile

from side_by_side import in_turns, median, timed


def write_table(path, rows):
    random.seed(1)
    with open(path, "w") as file:
        file.write("race,sex,age,job,hours\n")
        jobs = [f"job {k}" for k in range(14)]
        for _ in range(rows):
            race = random.choice("ABCDE")
            file.write(f"{race},{random.choice('fm')},{17 + int(random.random() ** 2 * 70)},{random.choice(jobs)},{random.choice([20, 35, 38, 40, 45, 60])}\n")


TASKS = {
    "inspect": ["inspect", "t.csv", "--secret", "race"],
    "compare": ["compare", "t.csv", "--secret", "race", "--public", "age", "--epsilon", "0.5", "--noise", "laplace"],
    "calibrate, given sex": ["calibrate", "t.csv", "--secret", "race", "--public", "job", "--given", "sex", "--epsilon", "0.5"],
    "release": ["release", "t.csv", "--secret", "race", "--public", "age", "--epsilon", "0.5", "-o", "out.csv", "--force"],
    "release of two columns": ["release", "t.csv", "--secret", "race", "--public", "age,job", "--epsilon", "2", "-o", "out.csv", "--force"],
    "estimate": ["estimate", "out1.csv", "--statement", "out1.csv.receipt.json"],
    "verify": ["verify", "plan.json"],
    "optimal": ["calibrate", "--scenario", "s.json", "--epsilon", "0.5", "--method", "optimal", "-o", "o.json", "--force"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs=2)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    programs = [str(pathlib.Path(program).resolve()) for program in options.programs]
    with tempfile.TemporaryDirectory(prefix="fugu-two-") as folder:
        write_table(os.path.join(folder, "t.csv"), options.rows)
        made = ["t.csv", "--secret", "race", "--public", "hours", "--epsilon", "0.5"]
        # By the old one: the new one reads what it wrote.
        for arguments in (["release", *made, "-o", "out1.csv"], ["calibrate", *made, "-o", "plan.json"]):
            subprocess.run([programs[0], *arguments], cwd=folder, check=True, capture_output=True)
        law = '{"values": [%s], "mass": [%s]}'
        given = ", ".join(f'"{s}": ' + law % (", ".join(map(str, range(30))), ", ".join(str(1 + (x * x * (k + 3) + 7 * k) % 11) for x in range(30)))
                          for k, s in enumerate("AB"))
        pathlib.Path(folder, "s.json").write_text('{"epsilon": 0.5, "pairs": "all", "priors": [{"given": {%s}}]}' % given)
        print(f"{'task':24} {'old s':>8} {'new/old':>8} {'old MiB':>8} {'new/old':>8}")
        for task, arguments in TASKS.items():
            runs = in_turns(options.turns, *(lambda program=program: timed(program, *arguments, folder=folder) for program in programs))
            cpu = [min(run["cpu"] for run in side) for side in runs]
            memory = [median(side, "kilobytes") / 1024 for side in runs]
            print(f"{task:24} {cpu[0]:8.2f} {cpu[1] / cpu[0]:8.2f} {memory[0]:8.0f} {memory[1] / memory[0]:8.2f}", flush=True)


main()
