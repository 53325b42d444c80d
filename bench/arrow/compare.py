"""Tables of pyarrow, pandas and polars in memory, and Parquet files, released by fugu beside their own packages counting and rewriting.

compare.py BUILD [--rows N] [--repeat N] [--folder DIR] [--check] [--json FILE]

Three sizes each: of files N, N/10 and N/100 rows, of tables in memory a tenth of that. Each side is a process of its own, in
turns on the same rows: eight texts and whole numbers below 1,000 that lean on them. The peer counts the distinct rows with its
GROUP BY and makes the released column anew, without noise; from file to file in batches, the count first. The time of the
calibration, which does not grow with the rows, is in fugu's time of files; in memory it stands by itself.
"""

import pathlib
import sys
import tempfile

import numpy
import pyarrow
import pyarrow.parquet

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import Competitor, finish, in_turns, median, missed, parser_of, peak  # noqa: E402

WORK = pathlib.Path(__file__).with_name("work.py")
REGIONS = ["northern", "southern", "eastern", "western", "midlands", "islands", "capital", "abroad"]
AT_LEAST = 3
MEMORY_LIMIT = 1024 * 1024  # kilobytes, of a file of any size
GROUP = 1 << 20  # rows that are made at once


def write_table(path, rows):
    random = numpy.random.default_rng(1)
    schema = pyarrow.schema([("region", pyarrow.string()), ("amount", pyarrow.int64())])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for first in range(0, rows, GROUP):
            size = min(GROUP, rows - first)
            region = random.integers(0, len(REGIONS), size)
            amount = (random.integers(0, 800, size) + random.integers(0, 800, size)) // 2 + 25 * region
            texts = pyarrow.array(REGIONS).take(pyarrow.array(region))
            writer.write_table(pyarrow.table([texts, pyarrow.array(amount)], schema=schema))


def answers_of(commands, tasks, repeat):
    """What each task's own process says, in turns."""
    sides = [Competitor(sys.executable, *map(str, [WORK, *command])) for command in commands]
    try:
        return in_turns(repeat, *(lambda side=side, task=task: side.run(task) for side, task in zip(sides, tasks)))
    finally:
        for side in sides:
            side.close()


def in_memory(kind, table, rows, repeat):
    command = [kind, table]
    ours, theirs = answers_of([command, command], ["fugu", "peer"], repeat)
    calibration = median(ours, "calibrate_seconds")
    seconds, peer = median(ours) - calibration, median(theirs)
    return {"task": f"{kind}, {rows:.0e} rows in memory", "fugu_seconds": seconds, "peer_seconds": peer, "rewrite_seconds": None,
            "calibrate_seconds": calibration, "ratio": peer / seconds, "fugu_cpu_seconds": median(ours, "cpu"),
            "peer_cpu_seconds": median(theirs, "cpu"), "fugu_kilobytes": peak(ours), "peer_kilobytes": peak(theirs), "met": None}


def of_files(table, rows, repeat, largest):
    names = ["fugu", "peer", "rewrite"]
    commands = [["files", table, table.with_name(name + ".parquet")] for name in names]
    ours, theirs, rewrites = answers_of(commands, names, repeat)
    seconds, peer = median(ours), median(theirs)
    return {"task": f"Parquet to Parquet, {rows:.0e} rows", "fugu_seconds": seconds, "peer_seconds": peer,
            "rewrite_seconds": median(rewrites), "calibrate_seconds": None, "ratio": peer / seconds,
            "fugu_cpu_seconds": median(ours, "cpu"), "peer_cpu_seconds": median(theirs, "cpu"), "fugu_kilobytes": peak(ours),
            "peer_kilobytes": peak(theirs), "met": (peer / seconds >= AT_LEAST and peak(ours) <= MEMORY_LIMIT) if largest else None}


def main():
    parser = parser_of("Arrow tables and Parquet files released beside their packages' own counting and rewriting")
    parser.add_argument("build", nargs="?", help="unused: the wheel is what is measured")
    parser.add_argument("--rows", type=int, default=100_000_000, metavar="N", help="of the largest file (default 1e8)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs after a warm-up (default 3)")
    parser.add_argument("--folder", metavar="DIR", help="for the files (default TMPDIR)")
    options = parser.parse_args()
    print(f"count, calibrate, draw and write beside the package's own count and rewrite, without noise; medians, in turns. At least "
          f"{AT_LEAST} times as fast with the largest file, in at most {MEMORY_LIMIT >> 20} GB\n")
    print(f"{'table':<38}{'fugu':>9}{'cpu':>9}{'peer':>9}{'cpu':>9}{'ratio':>7}{'rewrite':>10}{'calibrate':>11}  {'met':<5}peak memory")
    rows = []

    def add(r):
        rows.append(r)
        times = "".join(f"{r[key]:>7.2f} s" for key in ("fugu_seconds", "fugu_cpu_seconds", "peer_seconds", "peer_cpu_seconds"))
        alone = "".join(f"{r[key]:>{width - 2}.2f} s" if r[key] is not None else " " * width
                        for key, width in (("rewrite_seconds", 10), ("calibrate_seconds", 11)))
        met = {None: "", True: "yes", False: "NO"}[r["met"]]
        print(f"{r['task']:<38}{times}{r['ratio']:>7.1f}{alone}  {met:<5}{r['fugu_kilobytes'] / 1024:.0f} MB (peer "
              f"{r['peer_kilobytes'] / 1024:.0f} MB)", flush=True)

    with tempfile.TemporaryDirectory(prefix="fugu-bench-", dir=options.folder) as folder:
        table = pathlib.Path(folder) / "table.parquet"
        for part in (1000, 100, 10):
            write_table(table, options.rows // part)
            for kind in ("pyarrow", "pandas", "polars"):
                add(in_memory(kind, table, options.rows // part, options.repeat))
        for part in (100, 10, 1):
            write_table(table, options.rows // part)
            add(of_files(table, options.rows // part, options.repeat, part == 1))
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
