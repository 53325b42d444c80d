"""The worker of the soak that releases by Spark, whose driver or whose Java is killed. It is slow: a Spark takes seconds to start."""
import collections
import json
import os
import pathlib
import signal
import subprocess
import time

from account import Ledger

TESTS = pathlib.Path(__file__).resolve().parents[2] / "python" / "tests"
ROWS = 2000

# Releases one after the other, each told when it is there.
DRIVER = """
import pathlib, sys
import fugu, fugu.spark
sys.path.insert(0, sys.argv[1])
from conftest import start_spark
folder, ledger, dataset, budget, first = pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5], int(sys.argv[6])
session = start_spark("local[1]", folder / "scratch")
rows = session.read.csv(str(folder / "t.csv"), header=True, inferSchema=True)
plan = fugu.Plan.load(str(folder / "plan.json"))
account = fugu.Ledger(ledger, dataset=dataset, budget=budget)
print("ready", flush=True)
for number in range(first, first + 1000):
    try:
        fugu.spark.release(rows, plan, "x", str(folder / "out" / str(number)), ledger=account, rows_independent=True)
    except fugu.BudgetError:
        print("spent", flush=True)
        break
    print(number, flush=True)
"""

COUNT = """
import json, pathlib, sys
import pyarrow.parquet
rows = {}
for folder in pathlib.Path(sys.argv[1]).iterdir():
    if not folder.name.startswith("."):
        column = pyarrow.parquet.read_table(folder).column("x")
        rows[folder.name] = [len(column), column.null_count, (folder / "_SUCCESS").exists()]
print(json.dumps(rows))
"""


class Sparks:
    def __init__(self, program, python, folder, rng):
        self.program, self.python, self.folder, self.rng = program, python, folder, rng
        self.outcomes = collections.Counter()
        # Spark calls a folder by its file system.
        self.ledger = Ledger(program, folder, lambda name: (folder / "out" / name).exists(), lambda output: output.rsplit("/", 1)[-1])
        (folder / "out").mkdir(parents=True)
        (folder / "t.csv").write_text("s,x\n" + "".join(f"{'ab'[k % 2]},{k % 2 + 2 * (k % 3)}\n" for k in range(ROWS)))
        subprocess.run([program, "calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", Ledger.EPSILON, "-o", "plan.json"],
                       cwd=folder, check=True, capture_output=True)

    def until(self, end):
        first = 0
        while time.monotonic() < end:
            sure, first = self.one(first), first + 1000
            self.check(sure)
            time.sleep(self.rng.uniform(0, 20))

    def one(self, first):
        """One Spark until it is killed; answers which releases it had told."""
        dataset = f"people{first // 1000 // 3}"
        process = subprocess.Popen([self.python, "-I", "-B", "-c", DRIVER, TESTS, self.folder, self.ledger.path, dataset, Ledger.BUDGET, str(first)],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, start_new_session=True)
        assert process.stdout.readline() == "ready\n", "no Spark began"
        time.sleep(self.rng.uniform(0.5, 8))
        if self.rng.random() < 0.5:
            process.kill()  # Java sees that nobody is there any more
            self.outcomes["drivers killed"] += 1
        else:
            os.killpg(process.pid, signal.SIGKILL)
            self.outcomes["drivers and Java killed"] += 1
        said = process.communicate()[0].split()
        with_java = [path for path in pathlib.Path("/proc").iterdir() if path.name.isdigit() and self.belongs(path)]
        for _ in range(300):
            if not any(self.belongs(path) for path in with_java):
                break
            time.sleep(0.1)
        else:
            os.killpg(process.pid, signal.SIGKILL)
            self.outcomes["Java that stayed, killed"] += 1
        self.outcomes["budget spent"] += "spent" in said
        return {word for word in said if word.isdigit()}

    def belongs(self, process):
        try:
            return str(self.folder).encode() in (process / "cmdline").read_bytes() and b"java" in (process / "cmdline").read_bytes()
        except OSError:
            return False

    def check(self, sure):
        told = json.loads(subprocess.run([self.python, "-I", "-c", COUNT, self.folder / "out"], check=True, capture_output=True).stdout)
        for name, (rows, missing, success) in told.items():
            assert (rows, missing, success) == (ROWS, 0, True), (name, rows, missing, success)
        assert sure <= set(told), f"told, and not there: {sure - set(told)}"
        states, recorded = self.ledger.check(sure)
        assert set(told) <= recorded, f"visible and not in the ledger: {set(told) - recorded}"
        self.outcomes["folders"] = len(told)
        self.outcomes["hidden ones after kills"] = sum(path.name.startswith(".") for path in (self.folder / "out").iterdir())
        self.outcomes["spent, not done"] = states["spent"]
