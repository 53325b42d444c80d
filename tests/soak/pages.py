"""The studios of the soak: one that must not grow, and others that are killed at work."""
import contextlib
import http.client
import os
import pathlib
import resource
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MIB = 1 << 20
GRADES = "union,grade\n" + "yes,3\nyes,4\nyes,5\nno,4\nno,5\nno,7\n" * 300
QUESTION = {"secret": "union", "public": "grade", "epsilon": "0.5"}


def start(program, folder, limits=()):
    """The client of tests/studio, with this program and these limits."""
    os.environ["FUGU"] = program
    sys.path.insert(0, str(ROOT / "tests" / "studio"))
    from conftest import Studio

    folder.mkdir(exist_ok=True)
    studio = Studio(folder, "--no-browser", start_new_session=True)
    for which, most in limits:
        resource.prlimit(studio.process.pid, which, (most, most))
    return studio


class LongStudio:
    """Uploads, calibrates and releases again and again; memory, threads and open files of its first and last tenth are compared."""

    LIMITS = [(resource.RLIMIT_NOFILE, 48), (resource.RLIMIT_AS, 3000 * MIB)]
    MORE_MIB, MORE_FILES = 16, 10  # what comes and goes; a leak in every release would be more

    def __init__(self, program, folder, rng):
        self.program, self.folder, self.rng = program, folder, rng
        self.figures = {}

    def until(self, end):
        studio = start(self.program, self.folder, self.LIMITS)
        seen, count, begin = [], 0, time.monotonic()
        while time.monotonic() < end:
            count += 1
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
        self.figures = {"releases": count, "memory_mib_early": first, "memory_mib_late": last,
                        "files_early": max(row[2] for row in warm[:tenth]), "files_late": max(row[2] for row in warm[-tenth:]),
                        "threads_late": warm[-1][3]}
        assert last <= first + self.MORE_MIB, f"it grows: {self.figures}"
        assert self.figures["files_late"] <= self.figures["files_early"] + self.MORE_FILES, f"files stay open: {self.figures}"

    @staticmethod
    def measured(pid):
        """(MiB, open files, threads)"""
        fields = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
        return int(fields["VmRSS"].split()[0]) // 1024, len(os.listdir(f"/proc/{pid}/fd")), int(fields["Threads"])


def killed_studio(program, folder, rng, end, killed):
    """One after the other, each killed while it releases: no output, or a whole one."""
    table = "s,x\n" + "a,1\na,3\nb,2\nb,6\n" * 500_000
    question = {"secret": "s", "public": "x", "epsilon": "0.5"}
    while time.monotonic() < end:
        studio = start(program, folder)
        number = studio.upload(table)
        request = {"table": number, "question": question, "plan": {}, "output": "out.csv", "digest": studio.digest(number, question)}
        killer = threading.Timer(rng.uniform(0, 0.5), studio.process.kill)
        killer.start()
        with contextlib.suppress(ConnectionError, http.client.HTTPException):
            studio.finished(studio.ask("POST", "/api/release", request).json)
        killer.join()
        studio.stop()
        out = folder / "out.csv"
        killed["output whole" if out.exists() else "no output"] += 1
        assert not out.exists() or len(out.read_text().splitlines()) == table.count("\n")
        for path in folder.iterdir():
            path.unlink()
        time.sleep(rng.uniform(0, 2))
    studio = start(program, folder)  # clears what the killed ones left
    studio.process.terminate()
    assert studio.ended() == 0
