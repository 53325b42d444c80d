"""One worker of the soak: releases on the command line, limited and killed, and what must hold after each of them."""
import collections
import gzip
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import threading
import time

# Rows, and whether a release of it goes through the ledger. The value gives the secret away: noise is needed.
TABLES = {"small": (200, True), "middle": (20_000, False), "big": (400_000, False)}
MIB = 1 << 20


def write_tables(folder):
    folder.mkdir()
    for name, (rows, _) in TABLES.items():
        text = "".join(f"{'ab'[k % 2]},{k % 2 + 2 * (k % 3)},{k % 5}\n" for k in range(200))
        (folder / f"{name}.csv").write_text("s,x,y\n" + text * (rows // 200))


def read_output(path, name):
    """`name` is the output's own: its ending tells how it is compressed."""
    if name.endswith(".gz"):
        return gzip.decompress(path.read_bytes())
    if name.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout
    return path.read_bytes()


class Command:
    """One release: its flags, limits and end, drawn at random."""

    def __init__(self, rng, count, ledger, clock):
        self.table = rng.choices(list(TABLES), [5, 3, 2])[0]
        self.rows, charged = TABLES[self.table]
        self.charged = charged and rng.random() < 0.7
        self.output = f"{count}.csv{rng.choice(['', '', '.gz', '.zst'])}"
        self.replaces = not self.charged and rng.random() < 0.3
        self.digest = rng.random() < 0.5
        self.flags = ["--secret", "s", "--public", "x", "--epsilon", ledger.EPSILON if self.charged else "0.7", "-o", self.output]
        self.flags += ["--force"] * self.replaces + ["--digest"] * self.digest + ["--shuffle"] * (rng.random() < 0.2)
        if self.charged:
            self.flags += ledger.flags(count)
        self.limits = {}
        if rng.random() < 0.5:
            self.limits[resource.RLIMIT_AS] = int(rng.triangular(60, 600, 80)) * MIB
        if rng.random() < 0.4:
            self.limits[resource.RLIMIT_NOFILE] = rng.randint(4, 24)
        if rng.random() < 0.15:
            self.limits[resource.RLIMIT_FSIZE] = rng.choice([0, 1000, 4096, 100_000, MIB])
        self.environment = clock if not self.limits and rng.random() < 0.5 else {}
        self.kill = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]) if rng.random() < 0.5 else None
        self.moment = rng.random()


class Worker:
    def __init__(self, program, folder, ledger, rng, clock):
        self.program, self.folder, self.ledger, self.rng, self.clock = program, folder, ledger, rng, clock
        self.outcomes = collections.Counter()
        self.sure = set()           # outputs whose charged release ended with status 0
        self.charged = set()        # outputs of every charged release
        self.temporary_names = 0
        self.usual = {}             # how long a release of that table takes when left alone
        write_tables(folder)

    def visible(self):
        return {name for name in self.charged if pathlib.Path(name).exists()}

    def until(self, end):
        count = 0
        while time.monotonic() < end:
            count += 1
            command = Command(self.rng, count, self.ledger, self.clock)
            try:
                self.run(command)
            except BaseException:
                print(f"the command: {command.flags} on {command.table}, limits {command.limits}, killed by {command.kill}", flush=True)
                raise
            if count % 50 == 0 and self.ledger.path.exists():
                self.ledger.check(set())

    def run(self, command):
        out = self.folder / command.output
        old = b"the old one\n" if command.replaces else None
        if old:
            out.write_bytes(old)
        self.prepare(command)
        before = {path.name for path in self.folder.iterdir()}

        def limit():
            for which, most in command.limits.items():
                resource.setrlimit(which, (most, most))

        begin = time.monotonic()
        process = subprocess.Popen([self.program, "release", f"{command.table}.csv", *command.flags], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
                                   env={**os.environ, **command.environment})
        if command.kill:
            wait = self.usual.get(command.table, 0.2) * 1.2 * command.moment
            killer = threading.Timer(wait, lambda: process.send_signal(command.kill))
            killer.start()
        said, complained = process.communicate()
        if command.kill:
            killer.join()
        else:
            self.usual[command.table] = time.monotonic() - begin
        new = {path.name for path in self.folder.iterdir()} - before
        self.check(command, process.pid, process.returncode, complained.decode(), out, old, new)
        self.clear(command, new)

    def prepare(self, command):
        """Right before it begins."""

    def may_fail(self, command):
        return bool(command.limits)

    def check(self, command, process_number, status, complained, out, old, new):
        own = {command.output, f"{command.output}.receipt.json", f"{command.output}.plan.json"}
        others = new - own
        if command.charged:
            self.charged.add(str(out))
        self.outcomes["with a clock that jumps"] += bool(command.environment)
        if status == 0:
            self.outcomes["released"] += 1
            assert not others and (own - {command.output}) <= new, new
            self.whole(command, out)
            if command.charged:
                self.sure.add(str(out))
        elif status == -signal.SIGKILL:
            self.outcomes["killed"] += 1
            assert len(others) <= command.replaces, f"other names left: {others}"
            for name in others:  # between the link and the rename, where an old output is replaced: it is whole
                self.temporary_names += 1
                assert name.startswith(f"{command.output}.{process_number}-"), name
                self.rows(command, self.folder / name)
            if out.exists() and out.read_bytes() != old:
                self.whole(command, out, killed=True)
        elif status in (-signal.SIGTERM, -signal.SIGINT, 128 + signal.SIGTERM, 128 + signal.SIGINT):
            self.outcomes["interrupted"] += 1
            assert not new, f"left behind: {new}"
            assert old is None or out.read_bytes() == old
        elif status == 127 and "error while loading shared libraries" in complained:
            self.outcomes["never began"] += 1
            assert not new
        else:
            lines = complained.splitlines()
            assert status in (1, 5, 6), (status, complained)
            assert len(lines) == 2 and lines[0].startswith("fugu: ") and lines[1].startswith("hint: "), complained
            assert "bug in fugu" not in complained, complained
            assert self.may_fail(command) or (status == 6 and command.charged), complained
            self.outcomes[{1: "no memory", 5: "no file", 6: "budget spent"}[status]] += 1
            assert not new, f"left behind: {new}"
            assert old is None or out.read_bytes() == old

    def rows(self, command, path):
        lines = read_output(path, command.output).decode().split("\n")
        assert lines[0] == "x" and lines[-1] == "" and len(lines) == command.rows + 2, (len(lines), command.rows)
        for field in lines[1:-1]:
            int(field)

    def whole(self, command, out, killed=False):
        self.rows(command, out)
        receipt = out.with_name(out.name + ".receipt.json")
        if killed and not receipt.exists():
            self.outcomes["killed before the receipt"] += 1
            return
        told = json.loads(receipt.read_text())
        assert told["rows"] == command.rows
        assert not command.digest or told["output"] == "sha256:" + hashlib.sha256(out.read_bytes()).hexdigest()

    def clear(self, command, new):
        """A charged output stays: the ledger says that it is there. What a kill kept from appearing is made void."""
        out = self.folder / command.output
        if command.charged:
            if not out.exists() and self.ledger.path.exists() and self.rng.random() < 0.5:
                self.ledger.void(str(out))
            new -= {command.output}
        for name in new | ({command.output} if command.replaces else set()):
            if (self.folder / name).exists():
                os.unlink(self.folder / name)


class OnFullDisk(Worker):
    """The same on a disk of its own that is nearly full, with the ledger there."""

    MIB = 40  # the tables, and the outputs that an hour leaves

    def __init__(self, program, disk, ledger, rng, clock):
        self.disk = disk
        super().__init__(program, disk.folder / "worker", ledger, rng, clock)

    def prepare(self, command):
        self.disk.leave(self.rng.choice([0, 4096, 16_384, 65_536, 300_000, 4 * MIB]))

    def may_fail(self, command):
        return True

    def clear(self, command, new):
        self.disk.clear()
        super().clear(command, new)
