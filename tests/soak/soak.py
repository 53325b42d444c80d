"""Releases without end, under limits of memory, open files and file size, on full disks, with a clock that jumps, killed at
random: nothing half-written, nothing lost, nothing leaked, no budget passed.

    soak.py PROGRAM [--seconds 600] [--workers 2] [--seed N] [--json FILE] [--spark PYTHON]

Each worker releases tables of its own into a folder of its own; all of them share one ledger. One more has a disk of its own
that is nearly full, and one a PostgreSQL server, whose connections are cut, which is stopped, and whose disk is filled. Beside
them runs one studio for the whole time, whose memory, threads and open files are measured while connections to it are lost, and
further ones that are killed at work. With --spark, which names a Python that has fugu and PySpark, Sparks are killed as well. A
finding is printed with the command that led to it, and the status is then 1.

Disks are small only where this may mount one, as root may; the rest needs no rights.
"""
import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import resource
import sys
import tempfile
import threading
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from account import Ledger  # noqa: E402
from command import OnFullDisk, Worker  # noqa: E402
from conditions import SmallDisk, jumping_clock, mounts_of_our_own  # noqa: E402
from database import Databases  # noqa: E402
from pages import killed_studio, LongStudio  # noqa: E402
from spark import Sparks  # noqa: E402
import postgres_cluster  # noqa: E402


def own(place, name):
    """A folder for a ledger of one's own."""
    (place / name).mkdir()
    return place / name


def soak(program, seconds, workers, seed, spark):
    findings, threads, disks = [], [], []
    with tempfile.TemporaryDirectory(prefix="fugu-soak-") as place, contextlib.ExitStack() as at_the_end:
        place = pathlib.Path(place)
        temporary = place / "temporary"
        temporary.mkdir()
        os.environ["TMPDIR"] = str(temporary)
        ledger, clock, end = Ledger(program, place), jumping_clock(place), time.monotonic() + seconds
        rng = lambda name: random.Random(f"{seed} {name}")
        if mounts_of_our_own():
            for mib, owner in ((OnFullDisk.MIB, None), (Databases.MIB, "postgres" if os.getuid() == 0 else None)):
                with contextlib.suppress(OSError):
                    disks.append(SmallDisk(mib, owner))
                    at_the_end.callback(disks[-1].remove)

        def guarded(name, work):
            def run():
                try:
                    work()
                except Exception:  # whatever it is, it is what was looked for
                    findings.append(f"{name}: {traceback.format_exc()}")
                    print(f"FINDING {findings[-1]}", flush=True)
            threads.append(threading.Thread(target=run, name=name))
            threads[-1].start()

        crew = [Worker(program, place / f"worker{k}", ledger, rng(k), clock) for k in range(workers)]
        if len(disks) == 2:
            crew.append(OnFullDisk(program, disks[0], Ledger(program, own(disks[0].folder, "ledger")), rng("full"), clock))
        for worker in crew:
            guarded(worker.folder.name, lambda worker=worker: worker.until(end))
        databases = Databases(program, place / "database", disks[1] if len(disks) == 2 else None, rng("database"), clock)
        if postgres_cluster.programs():
            guarded("databases", lambda: databases.until(end))
        studio = LongStudio(program, place / "studio", rng("studio"))
        guarded("studio", lambda: studio.until(end))
        killed, of_studios = collections.Counter(), Ledger(program, own(place, "studios"))
        guarded("killed studios", lambda: killed_studio(program, place / "killed", rng("killed"), end, killed, of_studios, clock))
        sparks = Sparks(program, spark, place / "spark", rng("spark")) if spark else None
        if sparks:
            guarded("Spark", lambda: sparks.until(end))
        for thread in threads:
            thread.join()

        states = collections.Counter()
        for of_these in {worker.ledger for worker in crew}:
            theirs = [worker for worker in crew if worker.ledger is of_these]
            found, recorded = of_these.check(set().union(*(worker.sure for worker in theirs)))
            states += found
            visible = set().union(*(worker.visible() for worker in theirs))
            if not visible <= recorded:
                findings.append(f"visible and not in the ledger: {visible - recorded}")
        left = sorted(path.name for path in temporary.iterdir())
        if left:
            findings.append(f"left in TMPDIR: {left}")
        return {
            "seconds": seconds, "seed": seed,
            "commands": dict(sum((worker.outcomes for worker in crew[:workers]), collections.Counter())),
            "on_a_full_disk": dict(crew[workers].outcomes) if len(crew) > workers else "no disk could be mounted",
            "databases": dict(databases.outcomes),
            "most_memory_of_a_process_mib": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "whole_under_a_temporary_name_after_a_kill": sum(worker.temporary_names for worker in crew),
            "ledger": dict(states), "ledger_of_databases": databases.states, "ledger_of_studios": dict(of_studios.check(set())[0]),
            "studio": studio.figures,
            "killed_studios": dict(killed),
            "spark": dict(sparks.outcomes) if sparks else "not asked for",
            "findings": findings,
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--json")
    parser.add_argument("--spark", metavar="PYTHON")
    options = parser.parse_args()
    found = soak(str(pathlib.Path(options.program).resolve()), options.seconds, options.workers, options.seed, options.spark)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=2) + "\n")
    for name, value in found.items():
        if name != "findings":
            print(f"{name.replace('_', ' '):<44}{value}")
    print(f"{len(found['findings'])} findings")
    return 1 if found["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
