"""The studios of the soak: one that must not grow, whatever connections are lost, and others that are killed at work."""
import contextlib
import http.client
import os
import pathlib
import resource
import socket
import struct
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIB = 1 << 20
GRADES = "union,grade\n" + "yes,3\nyes,4\nyes,5\nno,4\nno,5\nno,7\n" * 300
QUESTION = {"secret": "union", "public": "grade", "epsilon": "0.5"}


def start(program, folder, limits=(), flags=(), clock=None):
    """The client of tests/studio, with this program and these limits."""
    os.environ["FUGU"] = program
    sys.path.insert(0, str(ROOT / "tests" / "studio"))
    from conftest import Studio

    folder.mkdir(exist_ok=True)
    studio = Studio(folder, "--no-browser", *flags, environment=clock, start_new_session=True)
    for which, most in limits:
        resource.prlimit(studio.process.pid, which, (most, most))
    return studio


class LongStudio:
    """Uploads, calibrates and releases again and again; memory, threads and open files of its first and last tenth are compared."""

    LIMITS = [(resource.RLIMIT_NOFILE, 48), (resource.RLIMIT_AS, 3000 * MIB)]
    MORE_MIB, MORE_FILES = 16, 10  # what comes and goes; a leak in every release would be more

    def __init__(self, program, folder, rng):
        self.program, self.folder, self.rng = program, folder, rng
        self.figures, self.lost = {}, 0

    def until(self, end):
        studio = start(self.program, self.folder, self.LIMITS)
        seen, count, begin = [], 0, time.monotonic()
        while time.monotonic() < end:
            count += 1
            self.lose_a_connection(studio)
            table = studio.upload(GRADES, f"{count}.csv")
            studio.done("release", table, QUESTION, output=f"{count}.csv")
            lines = (self.folder / f"{count}.csv").read_text().splitlines()
            assert len(lines) == GRADES.count("\n"), len(lines)
            for path in self.folder.iterdir():
                path.unlink()
            seen.append((time.monotonic() - begin, *self.measured(studio.process.pid)))
        studio.process.terminate()
        assert studio.ended() == 0
        warm = [row for row in seen if row[0] > (end - begin) / 5] or seen
        tenth = max(1, len(warm) // 10)
        first, last = (max(row[1] for row in part) for part in (warm[:tenth], warm[-tenth:]))
        self.figures = {"releases": count, "connections_lost": self.lost, "memory_mib_early": first, "memory_mib_late": last,
                        "files_early": max(row[2] for row in warm[:tenth]), "files_late": max(row[2] for row in warm[-tenth:]),
                        "threads_late": warm[-1][3]}
        assert last <= first + self.MORE_MIB, f"it grows: {self.figures}"
        assert self.figures["files_late"] <= self.figures["files_early"] + self.MORE_FILES, f"files stay open: {self.figures}"

    def lose_a_connection(self, studio):
        """In the middle of a table that is uploaded, or right after a request, whose answer nobody reads."""
        whole = (f"POST {studio.root}api/upload?name=lost.csv HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nOrigin: http://127.0.0.1:{studio.port}\r\n"
                 f"Content-Type: application/octet-stream\r\nContent-Length: {len(GRADES)}\r\n\r\n{GRADES}").encode()
        with socket.create_connection(("127.0.0.1", studio.port), timeout=60) as connection:
            if self.rng.random() < 0.5:  # it is reset, and does not end
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.sendall(whole[:self.rng.randint(0, len(whole))])
        self.lost += 1

    @staticmethod
    def measured(pid):
        """(MiB, open files, threads)"""
        fields = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
        return int(fields["VmRSS"].split()[0]) // 1024, len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])


def killed_studio(program, folder, rng, end, killed, ledger, clock):
    """One after the other, each killed while it releases: no output, or a whole one, and none that the ledger does not know."""
    table = "s,x\n" + "a,1\na,3\nb,2\nb,6\n" * 500_000
    question = {"secret": "s", "public": "x", "epsilon": ledger.EPSILON}
    seen, count, patience = set(), 0, 0.3  # seconds, which become those of about every second release
    ledger.exists = lambda output: output in seen or pathlib.Path(output).exists()
    while time.monotonic() < end:
        count += 1
        studio = start(program, folder, flags=ledger.flags(count), clock=clock if rng.random() < 0.5 else None)
        number = studio.upload(table)
        out = folder / f"{count}.csv"
        request = {"table": number, "question": question, "plan": {}, "output": out.name, "digest": studio.digest(number, question)}
        killer = threading.Timer(rng.uniform(0, 2 * patience), studio.process.kill)
        killer.start()
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            studio.finished(studio.ask("POST", "/api/release", request).json)
        killer.join()
        studio.stop()
        killed["output whole" if out.exists() else "no output"] += 1
        assert not out.exists() or len(out.read_text().splitlines()) == table.count("\n")
        patience = min(10, patience * (0.8 if out.exists() else 1.25))
        if out.exists():
            seen.add(str(out))
        for path in folder.iterdir():
            path.unlink()
        _, recorded = ledger.check(set())
        assert seen <= recorded, f"visible and not in the ledger: {seen - recorded}"
        time.sleep(rng.uniform(0, 2))
    studio = start(program, folder)  # clears what the killed ones left
    studio.process.terminate()
    assert studio.ended() == 0
