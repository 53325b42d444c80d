"""Count, calibrate and release a table by the fugu program, beside DuckDB counting and rewriting it without noise.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--wide-rows N] [--repeat N] [--threads N] [--seed SEED]

FOLDER holds the built fugu and bench/count_generate. fugu's time is that of the whole process, its output synced to the
disk; DuckDB's is that of its two queries. The tables are written to a temporary folder and deleted at the end.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

DUCKDB = pathlib.Path(__file__).with_name("duckdb_rewrite.py")
MEMORY_LIMIT = 128 * 1024  # kilobytes


def run_fugu(programs, table, output, threads):
    command = [programs / "fugu", "release", table, "--secret", "region", "--public", "amount", "--epsilon", "1",
               "--threads", threads, "--force", "--quiet", "--format", "json", "-o", output]
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit("bench: fugu release failed")
    return {"seconds": time.perf_counter() - start, "rows": json.loads(said)["rows"], "kilobytes": usage.ru_maxrss,
            "cpu": usage.ru_utime + usage.ru_stime}


def compare(title, table, options, at_least):
    fugu = lambda: run_fugu(options.programs, table, table.with_name("fugu.csv"), options.threads)
    duckdb = lambda: json.loads(subprocess.run(
        [sys.executable, DUCKDB, table, table.with_name("duckdb.csv"), str(options.threads)],
        check=True, stdout=subprocess.PIPE, text=True).stdout)
    ours, theirs = zip(*[(fugu(), duckdb()) for _ in range(options.repeat + 1)][1:])
    if any(answer["rows"] != ours[0]["rows"] for answer in ours + theirs):
        sys.exit(f"bench: the rows of '{title}' differ")
    seconds, peer = (statistics.median(answer["seconds"] for answer in answers) for answers in (ours, theirs))
    peak = max(answer["kilobytes"] for answer in ours)
    return {"task": title, "rows": ours[0]["rows"], "fugu_seconds": seconds, "duckdb_seconds": peer,
            "fugu_cpu_seconds": statistics.median(answer["cpu"] for answer in ours), "ratio": peer / seconds,
            "at_least": at_least, "fugu_kilobytes": peak, "duckdb_kilobytes": max(a["kilobytes"] for a in theirs),
            "met": peer / seconds >= at_least and peak <= MEMORY_LIMIT, "duckdb": theirs[0]["version"]}


def main():
    parser = argparse.ArgumentParser(description="fugu release beside DuckDB's GROUP BY and rewrite, on the same tables")
    parser.add_argument("programs", type=pathlib.Path, metavar="FOLDER", help="of fugu and bench/count_generate")
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
        (f"{options.rows:.0e} rows, 2 columns", options.rows, [], 5),
        (f"{options.wide_rows:.0e} rows, 40 columns, quotes", options.wide_rows, ["wide"], 1),
    ):
        with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
            table = pathlib.Path(folder) / "table.csv"
            with table.open("wb") as file:
                subprocess.run([options.programs / "bench" / "count_generate", str(count), str(options.seed), *kind],
                               check=True, stdout=file)
            rows.append(compare(title, table, options, at_least))
    print(f"fugu release (count, calibrate, draw, write) beside DuckDB {rows[0]['duckdb']} (GROUP BY and a rewrite without "
          f"noise), {options.threads} threads each; medians, in turns, same files; memory target <= 128 MB\n")
    print(f"{'task':<34}{'fugu':>9}{'cpu':>9}{'DuckDB':>9}{'ratio':>7}  {'target':<7}{'met':<5}peak memory")
    for r in rows:
        print(f"{r['task']:<34}{r['fugu_seconds']:>7.2f} s{r['fugu_cpu_seconds']:>7.2f} s{r['duckdb_seconds']:>7.2f} s"
              f"{r['ratio']:>7.1f}  >= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}"
              f"{r['fugu_kilobytes'] / 1024:.0f} MB (DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB)")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    if options.check and not all(r["met"] for r in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
