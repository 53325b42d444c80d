"""Small tables that the tests share, and a way to run the command line on them."""

import csv
import subprocess

import pandas as pd

PEOPLE = pd.DataFrame(
    {
        "race": ["A", "B", "A", "B", "A", "B", "A", "B", "A", "A", "B", "A"] * 50,
        "job": ["cook", "clerk", "nurse", "cook", "cook", "clerk", "nurse", "nurse", "clerk", "cook", "cook", "clerk"] * 50,
        "hours": [40, 38, 20, 40, 38, 38, 20, 20, 40, 38, 40, 40] * 50,
        "sex": ["f", "m", "f", "f", "m", "m", "m", "f", "f", "m", "f", "m"] * 50,
    }
)


def write_csv(path, table):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(table.columns)
        for row in table.itertuples(index=False):
            rows.writerow(["" if value is None or value != value else value for value in row])
    return path


def run(program, *arguments, status=0):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout
