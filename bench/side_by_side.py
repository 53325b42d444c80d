"""What the benchmarks share: their options and their end, turns, and the programs under measurement."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time


def parser_of(description):
    """With the two options that finish heeds."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    parser.add_argument("--check", action="store_true", help="exit with status 1 when a target is missed")
    return parser


def missed(rows):
    """The tasks that miss their target; a row whose "met" is None has none."""
    return [row["task"] for row in rows if row["met"] is False]


def finish(options, report, missed_targets):
    """The last step: the report as JSON where it is asked for, the targets missed, and the exit status."""
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n")
    if missed_targets:
        print("\ntargets missed: " + "; ".join(missed_targets))
    sys.exit(1 if missed_targets and options.check else 0)


def in_turns(repeat, *runs, warm_up=True):
    """Each run `repeat` times, after one warm-up unless they warm themselves up, taking turns; the answers of each."""
    rounds = [[run() for run in runs] for _ in range(repeat + warm_up)][int(warm_up):]
    return [list(answers) for answers in zip(*rounds)]


def median(answers, key="seconds"):
    return statistics.median(answer[key] for answer in answers)


def peak(answers):
    return max(answer["kilobytes"] for answer in answers)


def answer_of(*command):
    """What a program that measures itself says, in JSON."""
    return json.loads(subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout)


def timed(*command, folder=None):
    """The time and memory of a whole process, and what it said."""
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: {command[0]} failed")
    return {"seconds": time.perf_counter() - start, "kilobytes": usage.ru_maxrss, "cpu": usage.ru_utime + usage.ru_stime,
            "said": said}


class Competitor:
    """A process that has read the input and runs one task for each line it is sent."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, task):
        self.process.stdin.write(task + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"bench: {self.process.args[0]} stopped during '{task}'")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
