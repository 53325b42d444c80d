"""A ledger of the soak, and what must hold of it at any time."""
import collections
import json
import pathlib
import sqlite3
import subprocess


class Ledger:
    """Of all workers who share it. An account takes some fifty releases, then the next one is opened."""

    BUDGET, EPSILON = "1", "0.05"

    def __init__(self, program, folder, exists=lambda output: pathlib.Path(output).exists(), name=lambda output: output):
        self.program, self.path, self.exists, self.name = program, folder / "budget.db", exists, name

    def flags(self, count):
        return ["--ledger", str(self.path), "--dataset", f"people{count // 50}", "--budget", self.BUDGET]

    def check(self, sure):
        """`sure`: outputs whose release ended with status 0. Answers how many releases are in each state, and their outputs."""
        if not self.path.exists() or not self.is_set_up():
            assert not sure
            return collections.Counter(), set()
        with sqlite3.connect(self.path) as ledger:
            assert ledger.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert ledger.execute("PRAGMA foreign_key_check").fetchall() == []
        said = subprocess.run([self.program, "ledger", "show", "--ledger", self.path, "--format", "json"], check=True, capture_output=True).stdout
        states, recorded = collections.Counter(), set()
        for account in json.loads(said)["accounts"]:
            assert account["spent"]["epsilon"] <= float(self.BUDGET), account
            for row in account["releases"]:
                states[row["state"]] += 1
                output = self.name(row["output"])
                if row["state"] != "void":
                    recorded.add(output)
                assert row["state"] != "done" or self.exists(output), f"done, and not there: {row}"
                assert output not in sure or row["state"] == "done", f"status 0, and not done: {row}"
        assert sure <= recorded, f"released and not recorded: {sure - recorded}"
        return states, recorded

    def is_set_up(self):
        """Not where the very first release was killed before there was anything to enter it in."""
        with sqlite3.connect(self.path) as ledger:
            return bool(ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'releases'").fetchall())

    def void(self, output):
        """A killed release that never appeared: the budget comes back."""
        if not self.is_set_up():
            return
        with sqlite3.connect(self.path) as ledger:
            rows = ledger.execute("SELECT id FROM releases WHERE output = ? AND state = 'spent'", (output,)).fetchall()
        for (number,) in rows:
            subprocess.run([self.program, "ledger", "void", str(number), "--ledger", self.path, "--reason", "killed"],
                           check=True, capture_output=True)
