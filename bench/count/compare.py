"""Counting pairs of a table: fugu's count_table beside DuckDB's GROUP BY, on the same files, in turns.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--wide-rows N] [--repeat N] [--threads N] [--seed SEED]

FOLDER holds the built count_bench and count_generate. The tables are written to a temporary folder (TMPDIR says
where; 2 GB by default) and deleted at the end. Medians, the files in the page cache.
"""

import argparse
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

DUCKDB = pathlib.Path(__file__).with_name("duckdb_group_by.py")
MEMORY_LIMIT = 64 * 1024  # kilobytes


def answer_of(*command):
    done = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def compare(title, table, programs, options, at_least):
    fugu = lambda: answer_of(programs / "count_bench", table, options.threads)
    duckdb = lambda: answer_of(sys.executable, DUCKDB, table, options.threads)
    rounds = [(fugu(), duckdb()) for _ in range(options.repeat + 1)][1:]
    ours, theirs = zip(*rounds)
    if any(answer[key] != ours[0][key] for answer in ours + theirs for key in ("rows", "pairs")):
        sys.exit(f"bench: the counts of '{title}' differ")
    seconds, peer = (statistics.median(answer["seconds"] for answer in answers) for answers in (ours, theirs))
    peak = max(answer["kilobytes"] for answer in ours)
    return {"task": title, "rows": ours[0]["rows"], "bytes": table.stat().st_size, "fugu_seconds": seconds,
            "duckdb_seconds": peer, "ratio": peer / seconds, "at_least": at_least,
            "fugu_kilobytes": peak, "duckdb_kilobytes": max(answer["kilobytes"] for answer in theirs),
            "met": peer / seconds >= at_least and peak <= MEMORY_LIMIT, "duckdb": theirs[0]["version"]}


def show(rows):
    print(f"{'task':<34}{'fugu':>9}{'ns/row':>8}{'MB/s':>7}{'DuckDB':>9}{'ratio':>7}  {'target':<7}{'met':<5}peak memory")
    for r in rows:
        print(f"{r['task']:<34}{r['fugu_seconds']:>7.2f} s{r['fugu_seconds'] / r['rows'] * 1e9:>8.1f}"
              f"{r['bytes'] / r['fugu_seconds'] / 1e6:>7.0f}{r['duckdb_seconds']:>7.2f} s{r['ratio']:>7.1f}  "
              f">= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}"
              f"{r['fugu_kilobytes'] / 1024:.0f} MB (DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB)")


def main():
    parser = argparse.ArgumentParser(description="fugu's counting beside DuckDB's, on the same tables")
    parser.add_argument("programs", type=pathlib.Path, metavar="FOLDER", help="of count_bench and count_generate")
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    parser.add_argument("--check", action="store_true", help="exit with status 1 when a target is missed")
    parser.add_argument("--rows", type=int, default=100_000_000, metavar="N", help="of the narrow table (default 1e8)")
    parser.add_argument("--wide-rows", type=int, default=2_000_000, metavar="N", help="of the wide one (default 2e6)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs after a warm-up (default 3)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of both (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the random tables (default 1)")
    options = parser.parse_args()

    rows = []
    for title, count, kind, at_least in (
        (f"{options.rows:.0e} rows, 2 columns", options.rows, [], 6),
        (f"{options.wide_rows:.0e} rows, 40 columns, quotes", options.wide_rows, ["wide"], 1),
    ):
        with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
            table = pathlib.Path(folder) / "table.csv"
            with table.open("wb") as file:
                subprocess.run([options.programs / "count_generate", str(count), str(options.seed), *kind],
                               check=True, stdout=file)
            rows.append(compare(title, table, options.programs, options, at_least))

    print(f"fugu's count_table beside DuckDB {rows[0]['duckdb']} (Python {platform.python_version()}), "
          f"{options.threads} threads each; medians, in turns, same files; memory target <= 64 MB\n")
    show(rows)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    if options.check and not all(r["met"] for r in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
