"""Count, calibrate and release a table by the fugu program, beside DuckDB and polars counting and rewriting it without noise.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--wide-rows N] [--repeat N] [--threads N] [--seed SEED] [--folder DIR]

FOLDER holds the built fugu and bench/count_generate. fugu's time is that of the whole process, its output synced to the
disk; the others' is that of their two queries, and once more with their output synced, too. Beside DuckDB's ratios of
times stands that of the processor times, which other programs disturb less. The tables are written to a
temporary folder and deleted at the end; in a memory file system, --folder /dev/shm, nothing waits for the disk.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, peak, timed  # noqa: E402
from two_tables import hold_same, on_each, options_of  # noqa: E402

DUCKDB, POLARS = (pathlib.Path(__file__).with_name(name) for name in ("duckdb_rewrite.py", "polars_rewrite.py"))
MEMORY_LIMIT = 320 * 1024  # kilobytes; up to 256 MB of it hold the order of the rows


def run_fugu(programs, table, output, threads):
    answer = timed(programs / "fugu", "release", table, "--secret", "region", "--public", "amount", "--epsilon", "1",
                   "--threads", threads, "--force", "--quiet", "--format", "json", "-o", output)
    return answer | {"rows": json.loads(answer["said"])["rows"]}


def compare(title, table, options, at_least):
    fugu = lambda: run_fugu(options.programs, table, table.with_name("fugu.csv"), options.threads)
    duckdb = lambda: answer_of(sys.executable, DUCKDB, table, table.with_name("duckdb.csv"), options.threads)
    polars = lambda: answer_of(sys.executable, POLARS, table, table.with_name("polars.csv"), options.threads)
    ours, theirs, others = in_turns(options.repeat, fugu, duckdb, polars)
    hold_same(title, ours + theirs + others, "rows")
    seconds, peer, synced = median(ours), median(theirs), median(theirs, "synced_seconds")
    return {"task": title, "rows": ours[0]["rows"], "fugu_seconds": seconds, "duckdb_seconds": peer,
            "duckdb_synced_seconds": synced, "polars_seconds": median(others), "polars_ratio": median(others) / seconds,
            "polars_kilobytes": peak(others), "polars": others[0]["version"], "fugu_cpu_seconds": median(ours, "cpu"),
            "fugu_cpu_ns_a_row": median(ours, "cpu") / ours[0]["rows"] * 1e9, "duckdb_cpu_seconds": median(theirs, "cpu"),
            "ratio": peer / seconds, "ratio_synced": synced / seconds, "ratio_cpu": median(theirs, "cpu") / median(ours, "cpu"),
            "at_least": at_least, "fugu_kilobytes": peak(ours), "duckdb_kilobytes": peak(theirs),
            "met": peer / seconds >= at_least and peak(ours) <= MEMORY_LIMIT, "duckdb": theirs[0]["version"]}


def main():
    options = options_of("fugu release beside the GROUP BY and rewrite of DuckDB and polars, on the same tables",
                         "of fugu and bench/count_generate")
    rows = on_each(options, options.programs / "bench" / "count_generate", 5, 5, compare)
    print(f"fugu release (count, calibrate, draw, write) beside DuckDB {rows[0]['duckdb']} and polars {rows[0]['polars']} (GROUP BY and a "
          f"rewrite without noise), {options.threads} threads each; medians, in turns, same files; memory target <= 320 MB\n")
    print(f"{'task':<34}{'fugu':>9}{'cpu a row':>11}{'DuckDB':>9}{'ratio':>7}{'synced':>8}{'cpu':>6}  {'target':<7}{'met':<5}{'polars':>8}{'ratio':>7}  peak memory")
    for r in rows:
        print(f"{r['task']:<34}{r['fugu_seconds']:>7.2f} s{r['fugu_cpu_ns_a_row']:>8.1f} ns{r['duckdb_seconds']:>7.2f} s"
              f"{r['ratio']:>7.1f}{r['ratio_synced']:>8.1f}{r['ratio_cpu']:>6.1f}  >= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}"
              f"{r['polars_seconds']:>6.2f} s{r['polars_ratio']:>7.1f}  {r['fugu_kilobytes'] / 1024:.0f} MB "
              f"(DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB, polars {r['polars_kilobytes'] / 1024:.0f} MB)")
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
