"""Releases without end, under limits of memory, open files and file size, killed at random: nothing half-written, nothing
lost, nothing leaked.

    soak.py PROGRAM [--seconds 600] [--workers 2] [--seed N] [--json FILE]

Each worker releases tables of its own into a folder of its own; all of them share one ledger. Beside them runs one studio
for the whole time, whose memory, threads and open files are measured, and further ones that are killed at work. A finding
is printed with the command that led to it, and the status is then 1.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from command import Worker  # noqa: E402
from pages import killed_studio, LongStudio  # noqa: E402


class Ledger:
    """Of all workers. An account takes some fifty releases, then the next one is opened."""

    BUDGET, EPSILON = "1", "0.05"

    def __init__(self, program, folder):
        self.program, self.path = program, folder / "budget.db"

    def flags(self, count):
        return ["--ledger", str(self.path), "--dataset", f"people{count // 50}", "--budget", self.BUDGET]

    def check(self, sure):
        """`sure`: outputs whose release ended with status 0. Answers how many releases are in each state."""
        with sqlite3.connect(self.path) as ledger:
            assert ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert ledger.execute("PRAGMA foreign_key_check").fetchall() == []
        said = subprocess.run([self.program, "ledger", "show", "--ledger", self.path, "--format", "json"], check=True, capture_output=True).stdout
        states, recorded = collections.Counter(), set()
        for account in json.loads(said)["accounts"]:
            assert account["spent"]["epsilon"] <= float(self.BUDGET), account
            for row in account["releases"]:
                states[row["state"]] += 1
                if row["state"] != "void":
                    recorded.add(row["output"])
                assert row["state"] != "done" or pathlib.Path(row["output"]).exists(), f"done, and not there: {row}"
                assert row["output"] not in sure or row["state"] == "done", f"status 0, and not done: {row}"
        assert sure <= recorded, f"released and not recorded: {sure - recorded}"
        return states, recorded

    def void(self, output):
        """A killed release that never appeared: the budget comes back."""
        with sqlite3.connect(self.path) as ledger:
            if not ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'releases'").fetchall():
                return  # the very first release was killed before there was anything to enter it in
            rows = ledger.execute("SELECT id FROM releases WHERE output = ? AND state = 'spent'", (output,)).fetchall()
        for (number,) in rows:
            subprocess.run([self.program, "ledger", "void", str(number), "--ledger", self.path, "--reason", "killed"],
                           check=True, capture_output=True)


def soak(program, seconds, workers, seed):
    findings, threads = [], []
    with tempfile.TemporaryDirectory(prefix="fugu-soak-") as place:
        place = pathlib.Path(place)
        temporary = place / "temporary"
        temporary.mkdir()
        os.environ["TMPDIR"] = str(temporary)
        ledger = Ledger(program, place)
        end = time.monotonic() + seconds

        def guarded(name, work):
            def run():
                try:
                    work()
                except Exception:  # whatever it is, it is what was looked for
                    findings.append(f"{name}: {traceback.format_exc()}")
                    print(f"FINDING {findings[-1]}", flush=True)
            threads.append(threading.Thread(target=run, name=name))
            threads[-1].start()

        crew = [Worker(program, place / f"worker{k}", ledger, random.Random(f"{seed} {k}")) for k in range(workers)]
        studio = LongStudio(program, place / "studio", random.Random(f"{seed} studio"))
        killed = collections.Counter()
        for worker in crew:
            guarded(worker.folder.name, lambda worker=worker: worker.until(end))
        guarded("studio", lambda: studio.until(end))
        guarded("killed studios", lambda: killed_studio(program, place / "killed", random.Random(f"{seed} killed"), end, killed))
        for thread in threads:
            thread.join()

        states, recorded = ledger.check(set().union(*(worker.sure for worker in crew)))
        visible = set().union(*(worker.visible() for worker in crew))
        if not visible <= recorded:
            findings.append(f"visible and not in the ledger: {visible - recorded}")
        left = sorted(path.name for path in temporary.iterdir())
        if left:
            findings.append(f"left in TMPDIR: {left}")
        return {
            "seconds": seconds, "seed": seed,
            "commands": dict(sum((worker.outcomes for worker in crew), collections.Counter())),
            "most_memory_of_a_process_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "whole_under_a_temporary_name_after_a_kill": sum(worker.temporary_names for worker in crew),
            "ledger": dict(states),
            "studio": studio.figures,
            "killed_studios": dict(killed),
            "findings": findings,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--json")
    options = parser.parse_args()
    found = soak(str(pathlib.Path(options.program).resolve()), options.seconds, options.workers, options.seed)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=2) + "\n")
    for name, value in found.items():
        if name != "findings":
            print(f"{name.replace('_', ' '):<44}{value}")
    print(f"{len(found['findings'])} findings")
    return 1 if found["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
