"""The peer table: fugu, OpenDP and diffprivlib on the same columns, at the same epsilon, on one core.

compare.py BUILD [--data DIR] [--epsilon E] [--count N] [--json FILE]

Draws a second: N values of a column of whole numbers, each with noise of its own, the whole call from column to column.
Error: the root mean square of released less true over every row. The peers' noise is for the range of the values, fugu's
(method exact) for the secret.
"""

import argparse
import collections
import csv
import dataclasses
import json
import os
import pathlib
import platform
import subprocess
import tempfile
import textwrap
import time

import diffprivlib_geometric
import fugu_release
import numpy
import opendp_laplace

PEERS = (fugu_release, opendp_laplace, diffprivlib_geometric)
ADULT = (("sex → hours-per-week", 9, 12), ("race → education-num", 8, 4))


@dataclasses.dataclass
class Question:
    title: str
    secrets: list
    values: numpy.ndarray
    epsilon: str

    @property
    def range(self):
        return int(self.values.max() - self.values.min())


def questions(build, data, epsilon):
    """Adult's columns where the data set is there, else the program's own table."""
    adult = data / "adult" / "adult.data"
    if adult.exists():
        with open(adult, newline="") as file:
            rows = [[field.strip() for field in row] for row in csv.reader(file) if row]
        return [Question(title, [row[secret] for row in rows], numpy.array([int(row[value]) for row in rows]), epsilon)
                for title, secret, value in ADULT]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "fugu", "demo", "--dir", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        with open(pathlib.Path(folder) / "adult-occupation.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    places = {job: k + 1 for k, job in enumerate(sorted({row["occupation"] for row in rows}))}
    return [Question("race → occupation, 1 to 14", [row["race"] for row in rows],
                     numpy.array([places[row["occupation"]] for row in rows]), epsilon)]


def repeated(question, count):
    """All rows over and over, at least so many: their frequencies stay, and fugu's plan with them."""
    times = -(-count // len(question.values))
    return dataclasses.replace(question, secrets=question.secrets * times, values=numpy.tile(question.values, times))


def draws_a_second(peer, question):
    """Of the quickest whole call: of five, or of one where that takes long."""
    release = peer.mechanism(question)
    quickest = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        release(question.values)
        seconds = time.perf_counter() - start
        quickest = min(quickest, seconds)
        if seconds > 2:
            break
    return len(question.values) / quickest


def core_draws_a_second(build, scale, count):
    """The sampler alone, without reading, checking and writing a column."""
    done = subprocess.run([build / "bench" / "fugu_sample_bench", "serve"], input=f"laplace {scale} {count}\n" * 5,
                          capture_output=True, text=True, check=True)
    return count / min(json.loads(line)["seconds"] for line in done.stdout.splitlines())


def error(peer, question):
    released = peer.mechanism(question)(question.values)
    return float(numpy.sqrt(numpy.mean((released - question.values).astype(float) ** 2)))


def main():
    parser = argparse.ArgumentParser(description="fugu, OpenDP and diffprivlib on the same columns")
    parser.add_argument("build", type=pathlib.Path, help="the folder that fugu was built in")
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser.add_argument("--data", type=pathlib.Path, default=root.parent / "shared" / "data")
    parser.add_argument("--epsilon", default="0.5")
    parser.add_argument("--count", type=int, default=1_000_000, metavar="N", help="values to draw, in whole tables (default 1e6)")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    options, _ = parser.parse_known_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core for everyone

    asked = questions(options.build, options.data, options.epsilon)
    long = repeated(asked[0], options.count)
    core = core_draws_a_second(options.build, 20, options.count)
    rows = [{"who": "fugu's sampler alone", "draws": core, "call": "NoiseSampler::draw, scale 20", "errors": []}]
    rows += [{"who": peer.NAME, "draws": draws_a_second(peer, long), "call": peer.CALL,
              "errors": [error(peer, question) for question in asked]} for peer in PEERS]
    show(rows, asked, len(long.values), options)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")


def show(rows, asked, count, options):
    peopled = collections.Counter(len(question.values) for question in asked).most_common(1)[0][0]
    print(f"{count:,} values a call on one core; error (root mean square) at epsilon {options.epsilon} "
          f"over {peopled:,} people; Python {platform.python_version()}\n")
    columns = "".join(f"{question.title:>28}" for question in asked)
    print(f"{'':<24}{'draws a second':>16}{columns}  call")
    for row in rows:
        errors = "".join(f"{error:>28.2f}" for error in row["errors"]) or " " * 28 * len(asked)
        print(f"{row['who']:<24}{row['draws']:>16,.0f}{errors}  {row['call']}")
    print("\nWhat each guarantees, for each released value:")
    for peer in PEERS:
        print(textwrap.fill(f"{peer.NAME}: {peer.GUARANTEE}", 120, initial_indent="  ", subsequent_indent="    "))


if __name__ == "__main__":
    main()
