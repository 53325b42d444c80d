"""The worker of the soak that releases from PostgreSQL into PostgreSQL, while programs are killed, connections cut, the server
stopped and its disk filled."""
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from account import Ledger

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import postgres_cluster  # noqa: E402

ROWS = {"few": 400, "many": 60_000}
MIB = 1 << 20
ENDS = {"alone": 3, "killed": 4, "cut": 4, "stopped": 1, "full": 2}
UNKNOWN = "while the new table was being committed"  # the one error after which the table may be there


class Release:
    """One release: what is read, where it goes, and what happens to it, drawn at random."""

    def __init__(self, rng, count, ledger, clock, has_small_disk):
        self.table = rng.choices(list(ROWS), [3, 2])[0]
        self.rows = ROWS[self.table]
        self.replaces = rng.random() < 0.4
        self.into = "kept" if self.replaces else f"out{count}"
        self.charged = not self.replaces and self.table == "few" and rng.random() < 0.7
        self.end = rng.choices(list(ENDS), list(ENDS.values()))[0]
        if self.end == "full" and not has_small_disk:
            self.end = "alone"
        self.moment = rng.random()
        self.signal = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        self.mode = rng.choice(["immediate", "immediate", "fast"])
        self.which = rng.choice(["FROM STDIN", "TO STDOUT", ""])  # the writer's connection, the reader's, or both
        self.free = rng.choice([0, 16_384, 100_000, MIB])
        self.query = rng.random() < 0.3  # then the rows are read again and compared before they go out
        source = ["--query", f"SELECT s, x FROM {self.table}"] if self.query else ["--table", self.table]
        self.flags = [*source, "--secret", "s", "--public", "x", "--epsilon", ledger.EPSILON if self.charged else "0.7", "--into", self.into]
        self.flags += ["--force"] * self.replaces + (ledger.flags(count) if self.charged else [])
        self.environment = clock if rng.random() < 0.3 else {}
        if self.end == "full":
            self.environment = {**self.environment, "PGOPTIONS": "-c default_tablespace=small"}


class Databases:
    MIB = 24  # of its small disk

    def __init__(self, program, folder, disk, rng, clock):
        self.program, self.folder, self.disk, self.rng, self.clock = program, folder, disk, rng, clock
        self.outcomes = collections.Counter()
        self.ledger = Ledger(program, folder, lambda table: table in self.tables(), lambda output: output.rsplit(" ", 1)[-1])
        self.sure, self.charged, self.usual, self.states = set(), set(), {}, {}
        folder.mkdir()

    def tables(self):
        return set(self.cluster.sql("SELECT relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'r' AND "
                                    "nspname = 'public'"))

    def until(self, end):
        self.cluster = postgres_cluster.Cluster.start()
        try:
            for table, rows in ROWS.items():
                self.cluster.sql(f"CREATE TABLE {table} (s text, x int); INSERT INTO {table} SELECT CASE WHEN k % 2 = 0 THEN 'a' ELSE 'b' END, "
                                 f"k % 2 + 2 * (k % 3) FROM generate_series(1, {rows}) k; ANALYZE {table}")
            if self.disk:
                self.cluster.sql(f"CREATE TABLESPACE small LOCATION '{self.disk.folder}'")
            self.expected = self.tables()
            count = 0
            while time.monotonic() < end:
                count += 1
                release = Release(self.rng, count, self.ledger, self.clock, self.disk is not None)
                try:
                    self.run(release)
                    if count % 50 == 0:
                        self.check_ledger()
                except BaseException:
                    print(f"the release: {vars(release)}", flush=True)
                    raise
            self.check_ledger()
        finally:
            self.cluster.remove()

    def check_ledger(self):
        states, recorded = self.ledger.check(self.sure)
        visible = self.charged & self.expected
        assert visible <= recorded, f"visible and not in the ledger: {visible - recorded}"
        self.states = dict(states)

    def run(self, release):
        if release.end == "full":
            self.disk.leave(release.free)
        before = self.files()
        begin = time.monotonic()
        process = subprocess.Popen([self.program, "release", self.cluster.url(), *release.flags], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **release.environment})
        harm = {"killed": lambda: process.send_signal(release.signal), "cut": lambda: self.cut(release.which),
                "stopped": lambda: self.cluster.stop(release.mode)}.get(release.end)
        harmful = threading.Timer(self.usual.get(release.table, 0.3) * 1.1 * release.moment, harm) if harm else None
        if harmful:
            harmful.start()
        said, complained = process.communicate(timeout=300)
        if harmful:
            harmful.join()
        if release.end == "alone":
            self.usual[release.table] = time.monotonic() - begin
        if release.end == "stopped":
            self.cluster.up()
        if release.end == "full":
            self.disk.clear()
        self.wait_for_sessions()
        self.check(release, process.returncode, complained.decode(), before)

    def cut(self, which):
        self.cluster.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fugu' AND query LIKE '%{which}%'")

    def wait_for_sessions(self):
        """Whoever was killed may have a session for a moment longer."""
        for _ in range(600):
            if self.cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'fugu'") == ["0"]:
                return
            time.sleep(0.05)
        raise AssertionError("a session of nobody's goes on")

    def files(self):
        return {path.name for path in self.folder.iterdir() if not path.name.startswith("budget.db")}

    def check(self, release, status, complained, before):
        there, files = self.tables(), self.files()
        new = there - self.expected
        assert self.expected <= there and new <= {release.into}, f"other tables: {new}, gone: {self.expected - there}"
        if release.charged:
            self.charged.add(release.into)
        own = {f"{release.into}.receipt.json", f"{release.into}.plan.json"}
        lost = False
        if status == 0:
            self.outcomes[f"released, {release.end}"] += 1
            assert release.into in there and own <= files, (there, files)
            if release.charged:
                self.sure.add(release.into)
        elif status == -signal.SIGKILL:
            self.outcomes["killed, the table is there" if new else "killed"] += 1
        elif status in (128 + signal.SIGTERM, 128 + signal.SIGINT, -signal.SIGTERM, -signal.SIGINT):
            self.outcomes["interrupted"] += 1
            assert not new and files == before, (new, before, files)
        else:
            lines = complained.splitlines()
            assert status in (5, 6), (status, complained)
            assert len(lines) == 2 and lines[0].startswith("fugu: ") and lines[1].startswith("hint: "), complained
            assert "bug in fugu" not in complained, complained
            assert release.end in ("cut", "stopped", "full") if status == 5 else release.charged, complained
            lost = UNKNOWN in complained
            self.outcomes["budget spent" if status == 6 else f"failed, {release.end}" + ", it may be there" * lost] += 1
            assert lost or not new, f"it failed, and is there: {complained}"
            assert files == before or (lost and files <= before), f"before: {before}, now: {files}"
        if release.into in there:
            self.whole(release, files)
        self.clear(release, there, files)

    def whole(self, release, files):
        """The new one or, where it replaces another, that one: all its rows, and no other's receipt."""
        [found] = self.cluster.sql(f"SELECT count(*) || ' ' || count(x) FROM {release.into}")
        rows = int(found.split()[0])
        assert found == f"{rows} {rows}" and rows in (ROWS.values() if release.replaces else [release.rows]), found
        receipt = f"{release.into}.receipt.json"
        if receipt in files:
            assert json.loads((self.folder / receipt).read_text())["rows"] == rows, "the receipt of another table"
        else:
            self.outcomes["a table without its receipt"] += 1

    def clear(self, release, there, files):
        """What was charged stays; of the others only the table that is replaced, with its files."""
        keep = {"kept.receipt.json", "kept.plan.json"}
        if release.replaces and "kept" in there:
            self.expected.add("kept")
        elif release.into in there and release.charged:
            self.expected.add(release.into)
        elif release.into in there:
            self.cluster.sql(f"DROP TABLE {release.into}")
        for name in files - keep:
            if ".json." in name:  # of a table that was being replaced
                self.outcomes["an old file under a temporary name after a kill"] += 1
            (self.folder / name).unlink()
