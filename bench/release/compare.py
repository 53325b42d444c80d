"""Count, calibrate and release a table by the fugu program, beside DuckDB counting and rewriting it without noise.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--wide-rows N] [--repeat N] [--threads N] [--seed SEED]

FOLDER holds the built fugu and bench/count_generate. fugu's time is that of the whole process, its output synced to the
disk; DuckDB's is that of its two queries. The tables are written to a temporary folder and deleted at the end.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, peak, timed  # noqa: E402
from two_tables import hold_same, on_each, options_of  # noqa: E402

DUCKDB = pathlib.Path(__file__).with_name("duckdb_rewrite.py")
MEMORY_LIMIT = 128 * 1024  # kilobytes


def run_fugu(programs, table, output, threads):
    answer = timed(programs / "fugu", "release", table, "--secret", "region", "--public", "amount", "--epsilon", "1",
                   "--threads", threads, "--force", "--quiet", "--format", "json", "-o", output)
    return answer | {"rows": json.loads(answer["said"])["rows"]}


def compare(title, table, options, at_least):
    fugu = lambda: run_fugu(options.programs, table, table.with_name("fugu.csv"), options.threads)
    duckdb = lambda: answer_of(sys.executable, DUCKDB, table, table.with_name("duckdb.csv"), options.threads)
    ours, theirs = in_turns(options.repeat, fugu, duckdb)
    hold_same(title, ours + theirs, "rows")
    seconds, peer = median(ours), median(theirs)
    return {"task": title, "rows": ours[0]["rows"], "fugu_seconds": seconds, "duckdb_seconds": peer,
            "fugu_cpu_seconds": median(ours, "cpu"), "ratio": peer / seconds,
            "at_least": at_least, "fugu_kilobytes": peak(ours), "duckdb_kilobytes": peak(theirs),
            "met": peer / seconds >= at_least and peak(ours) <= MEMORY_LIMIT, "duckdb": theirs[0]["version"]}


def main():
    options = options_of("fugu release beside DuckDB's GROUP BY and rewrite, on the same tables",
                         "of fugu and bench/count_generate")
    rows = on_each(options, options.programs / "bench" / "count_generate", 5, 1, compare)
    print(f"fugu release (count, calibrate, draw, write) beside DuckDB {rows[0]['duckdb']} (GROUP BY and a rewrite without "
          f"noise), {options.threads} threads each; medians, in turns, same files; memory target <= 128 MB\n")
    print(f"{'task':<34}{'fugu':>9}{'cpu':>9}{'DuckDB':>9}{'ratio':>7}  {'target':<7}{'met':<5}peak memory")
    for r in rows:
        print(f"{r['task']:<34}{r['fugu_seconds']:>7.2f} s{r['fugu_cpu_seconds']:>7.2f} s{r['duckdb_seconds']:>7.2f} s"
              f"{r['ratio']:>7.1f}  >= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}"
              f"{r['fugu_kilobytes'] / 1024:.0f} MB (DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB)")
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
