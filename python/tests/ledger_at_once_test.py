"""One ledger that many programs use at once, Python's, the command line's and Spark's, some of them killed: never over its budget."""

import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import time

import fugu
import pandas
import pytest

ROWS = pandas.DataFrame({"s": ["a", "b"] * 50, "x": [0, 2] * 50})

MEMORY = """
import sys, fugu, pandas
plan, rows = fugu.Plan.load(sys.argv[1]), pandas.read_csv(sys.argv[2])
try:
    plan.release(rows, ledger=fugu.Ledger(sys.argv[3], dataset="people", budget=sys.argv[4])).to_csv(sys.argv[5], index=False)
except fugu.BudgetError:
    sys.exit(6)
"""

FILE = """
import sys, fugu
try:
    fugu.release_file(sys.argv[2].replace(".csv", ".parquet"), sys.argv[5], plan=fugu.Plan.load(sys.argv[1]), ledger=fugu.Ledger(sys.argv[3], dataset="people", budget=sys.argv[4]))
except fugu.BudgetError:
    sys.exit(6)
"""

# Several releases one after the other; the status is how many went out.
SPARK = """
import os, sys, time, pathlib, fugu, fugu.spark
sys.path.insert(0, sys.argv[7])
from conftest import start_spark
scratch = pathlib.Path(sys.argv[6])
scratch.mkdir()
session = start_spark("local[1]", scratch)
plan, out = fugu.Plan.load(sys.argv[1]), 0
rows = session.read.csv(sys.argv[2], header=True, inferSchema=True)
assert rows.count() == 100
(scratch / "ready").touch()
while not (scratch / "go").exists():
    time.sleep(0.1)
for k in range(4):
    try:
        fugu.spark.release(rows, plan, "x", sys.argv[5] + str(k), ledger=fugu.Ledger(sys.argv[3], dataset="people", budget=sys.argv[4]), rows_independent=True)
        out += 1
    except fugu.BudgetError:
        pass
session.stop()
os._exit(100 + out)
"""


class Crowd:
    """Processes that wait for one ledger, which is held until all of them are there."""

    def __init__(self, folder, program, budget):
        self.folder, self.program, self.budget = folder, program, budget
        self.plan, self.table, self.ledger = (str(folder / name) for name in ("plan.json", "t.csv", "budget.db"))
        scenario = fugu.Scenario.from_table(ROWS, secret="s", public="x")
        fugu.calibrate(scenario, epsilon=0.1, method="dp-laplace").save(self.plan)
        ROWS.to_csv(self.table, index=False)
        ROWS.to_parquet(folder / "t.parquet")
        self.running = {}

    def start(self, name, *command):
        self.running[name] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def release(self, number):
        """By the command line, or by Python to memory or a file."""
        out = str(self.folder / f"{number}{'.parquet' if number % 4 == 1 else '.csv'}")
        if number % 2 == 0:
            self.start(out, self.program, "release", self.table, "--plan", self.plan, "-o", out, "--ledger", self.ledger, "--dataset", "people",
                       "--budget", self.budget, "--quiet")
        else:
            self.start(out, sys.executable, "-c", FILE if number % 4 == 1 else MEMORY, self.plan, self.table, self.ledger, self.budget, out)

    def spark(self, number):
        out = str(self.folder / f"spark{number}-")
        self.start(out, sys.executable, "-c", SPARK, self.plan, self.table, self.ledger, self.budget, out, str(self.folder / f"scratch{number}"),
                   str(pathlib.Path(__file__).parent))

    def first(self):
        self.release(0)
        assert self.running.popitem()[1].wait() == 0

    def gather(self, seconds):
        """All are started, and most of them wait when this returns: whoever holds the ledger lets nobody release."""
        holder = sqlite3.connect(self.ledger, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        for scratch in self.folder.glob("scratch*"):
            (scratch / "go").touch()
        for number in range(1, 51):
            self.release(number)
        time.sleep(seconds)
        assert len(self.records()["releases"]) == 1
        holder.execute("ROLLBACK")
        holder.close()

    def end(self, kills, rng, within):
        """Kills some of those still there at random moments; answers how all of them ended, by their outputs."""
        for _ in range(kills):
            time.sleep(rng.uniform(0, within / kills))
            there = sorted(name for name, process in self.running.items() if process.poll() is None)
            if there:
                self.running[rng.choice(there)].send_signal(signal.SIGKILL)
        return {name: process.wait(600) for name, process in self.running.items()}

    def records(self):
        with sqlite3.connect(self.ledger) as ledger:
            assert ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert ledger.execute("PRAGMA foreign_key_check").fetchall() == []
        said = subprocess.run([self.program, "ledger", "show", "--ledger", self.ledger, "--format", "json"], check=True, capture_output=True, text=True)
        [account] = json.loads(said.stdout)["accounts"]
        return account


def check(crowd, ended, fit):
    account = crowd.records()
    outputs = [row["output"] for row in account["releases"]]
    assert account["spent"]["epsilon"] <= float(crowd.budget)
    assert len(outputs) <= fit
    visible = {path for path in crowd.folder.iterdir() if path.name[0].isdigit() and path.suffix in (".csv", ".parquet")}
    named = {path for path in visible if int(path.stem) % 4 != 3}  # a release to memory has no place in the ledger
    assert {str(path) for path in named} <= set(outputs)
    assert len(visible) - len(named) <= outputs.count("")
    done = {name for name, status in ended.items() if status == 0}
    assert done <= {str(path) for path in visible} and not set(ended.values()) - {0, 6, -signal.SIGKILL} - set(range(100, 105))
    for row in account["releases"]:
        assert row["state"] == "done" or row["output"] not in done, row
    return account


def test_fifty_programs_at_once_never_pass_the_budget(tmp_path, program):
    crowd = Crowd(tmp_path, program, "1.55")
    crowd.first()
    crowd.gather(6)
    ended = crowd.end(10, random.Random(5), 1)
    account = check(crowd, ended, 15)
    # Who was not killed went out or was refused, and what was counted is as much as fits.
    assert len(account["releases"]) == 15 and account["more"] == {"releases": 0, "or_more": False}
    assert 4 <= list(ended.values()).count(0) <= 14 and list(ended.values()).count(6) >= 50 - 10 - 14
    assert -signal.SIGKILL in ended.values(), "the control: somebody was killed"
    assert [row["state"] for row in account["releases"]].count("done") >= 1 + list(ended.values()).count(0)


@pytest.mark.skipif("FUGU_LONG" not in os.environ, reason="set FUGU_LONG")
def test_with_spark_and_in_many_rounds(tmp_path, program):
    pytest.importorskip("pyspark")
    rng = random.Random(6)
    figures = []
    for turn in range(4):
        folder = tmp_path / str(turn)
        folder.mkdir()
        crowd = Crowd(folder, program, "4.05")
        crowd.first()
        for number in (1, 2):
            crowd.spark(number)
        while not all((folder / f"scratch{number}" / "ready").exists() for number in (1, 2)):
            assert all(process.poll() is None for process in crowd.running.values())
            time.sleep(0.2)
        crowd.gather(20)
        ended = crowd.end(12, rng, 4)
        account = check(crowd, ended, 40)
        assert 6 not in ended.values() or len(account["releases"]) == 40
        sparks = {name: status for name, status in ended.items() if "/spark" in name}
        for name, status in sparks.items():
            recorded = [row["output"] for row in account["releases"] if name in row["output"]]
            seen = [path for path in folder.iterdir() if str(path).startswith(name)]
            assert len(seen) <= len(recorded) and (status < 0 or status - 100 == len(seen) == len(recorded))
        figures.append({"released": sum(status == 0 for status in ended.values()), "refused": sum(status == 6 for status in ended.values()),
                        "killed": sum(status < 0 for status in ended.values()), "by Spark": [status - 100 for status in sparks.values()],
                        "spent, not done": sum(row["state"] == "spent" for row in account["releases"])})
    print(json.dumps(figures))
    assert any(sum(count for count in one["by Spark"] if count > 0) for one in figures), "the control: Spark released something"
