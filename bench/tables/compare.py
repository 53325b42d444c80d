#!/usr/bin/env python3
"""What a released table is still good for: a classifier of income is trained on released rows and tested on true ones, beside training on
the true table and on randomized response; and how well the secret is guessed from true and from released rows.

Usage: compare.py BUILD [--epsilon E] [--check]. It reads ../shared/data/adult and writes into a folder of its own.
"""
import argparse
import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult.data"
NAMES = ["age", "workclass", "weight", "education", "education_num", "marital", "occupation", "relationship", "race", "sex", "gain", "loss",
         "hours", "country", "income"]
RELEASED = ["age", "workclass", "education", "marital", "occupation", "hours", "country", "income"]


def read_adult():
    rows = []
    for fields in csv.reader(io.StringIO(ADULT.read_text()), skipinitialspace=True):
        if len(fields) != len(NAMES):
            continue
        row = dict(zip(NAMES, fields))
        row["age"], row["hours"] = str(int(row["age"]) // 10 * 10), str(int(row["hours"]) // 10 * 10)
        rows.append(row)
    return rows


def write(path, rows, names):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def release(program, folder, secret, epsilon):
    """The released rows, in the order of the true ones, and what the plan says of them."""
    began = time.monotonic()
    subprocess.run([program, "release", "train.csv", "--secret", secret, "--public", ",".join(RELEASED), "--epsilon", epsilon, "--method", "swap",
                    "--not-missing", "?", "--rows-independent", "--publish-min", "1", "-o", f"{secret}.csv", "--quiet"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    plan = json.loads((folder / f"{secret}.csv.plan.json").read_text())
    return list(csv.DictReader(open(folder / f"{secret}.csv", newline=""))), plan["mechanism"]["unchanged"], seconds


def randomized_response(rows, epsilon, draw):
    """Each column by itself, its share of epsilon: kept, or another of its values."""
    values = {name: sorted({row[name] for row in rows}) for name in RELEASED}
    kept = {name: numpy.exp(epsilon / len(RELEASED)) / (numpy.exp(epsilon / len(RELEASED)) + len(values[name]) - 1) for name in RELEASED}
    result = []
    for row in rows:
        result.append({name: row[name] if draw.random() < kept[name] else draw.choice([v for v in values[name] if v != row[name]])
                       for name in RELEASED})
    return result


def accuracy(train, test, target, sources, answers=None):
    """Of a logistic regression that learns `target` from the other columns of `train`."""
    encoder = OneHotEncoder(handle_unknown="ignore")
    features = encoder.fit_transform([[row[name] for name in sources] for row in train])
    model = LogisticRegression(max_iter=2000).fit(features, answers or [row[target] for row in train])
    guessed = model.predict(encoder.transform([[row[name] for name in sources] for row in test]))
    return float(numpy.mean(guessed == [row[target] for row in test]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--epsilon", default="0.5")
    parser.add_argument("--check", action="store_true", help="fail where the release is worth less than half of what the truth is")
    asked = parser.parse_args()
    if not ADULT.exists():
        sys.exit("the Adult data set is not here: " + str(ADULT.name))
    draw = random.Random(1)
    rows = read_adult()
    draw.shuffle(rows)
    train, test = rows[:22_000], rows[22_000:]
    sources = [name for name in RELEASED if name != "income"]
    usual = max(sum(row["income"] == income for row in test) for income in {row["income"] for row in test}) / len(test)
    print(f"Adult, eight columns, epsilon {asked.epsilon}: {len(train):,} rows are released, {len(test):,} true rows test")
    print(f"\nincome, guessed of true rows by a classifier trained on      right")
    print(f"  nothing (the usual income)                               {usual:8.1%}")
    truth = accuracy(train, test, "income", sources)
    print(f"  the true table                                           {truth:8.1%}")
    worst = 1.0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder / "train.csv", train, [*RELEASED, "sex", "race"])
        lines = []
        for secret in ("sex", "race"):
            released, kept, seconds = release((asked.build / "fugu").resolve(), folder, secret, asked.epsilon)
            found = accuracy(released, test, "income", sources)
            worst = min(worst, (found - usual) / (truth - usual))
            print(f"  rows that trade places to hide {secret:<5} ({kept:.1%} as they were) {found:8.1%}   ({seconds:.0f} s)")
            # An attacker who knows the true law guesses the secret of the people behind true and behind released rows.
            answers = [row[secret] for row in train]
            half = len(train) // 2
            before = accuracy(train[:half], train[half:], secret, RELEASED)
            guess = [{**row, secret: who[secret]} for row, who in zip(released, train)]
            after = accuracy(guess[:half], guess[half:], secret, RELEASED)
            blind = max(answers.count(value) for value in set(answers)) / len(answers)
            lines.append(f"  {secret:<6} {blind:10.1%} {before:14.1%} {after:18.1%}")
        noisy = randomized_response(train, float(asked.epsilon), draw)
        print(f"  randomized response, the same epsilon over eight columns {accuracy(noisy, test, 'income', sources):8.1%}")
        print("\nthe secret is guessed right    blindly   by true rows   by released rows")
        print("\n".join(lines))
    if asked.check and worst < 0.5:
        sys.exit("the release is worth less than half of what the truth is")


if __name__ == "__main__":
    main()
