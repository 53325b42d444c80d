"""Counting pairs of a table: fugu's count_table beside DuckDB's GROUP BY, on the same files, in turns.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--wide-rows N] [--repeat N] [--threads N] [--seed SEED]

FOLDER holds the built count_bench and count_generate. The tables are written to a temporary folder (TMPDIR says
where; 2 GB by default) and deleted at the end. Medians, the files in the page cache.
"""

import pathlib
import platform
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, peak  # noqa: E402
from two_tables import hold_same, on_each, options_of  # noqa: E402

DUCKDB = pathlib.Path(__file__).with_name("duckdb_group_by.py")
MEMORY_LIMIT = 64 * 1024  # kilobytes


def compare(title, table, options, at_least):
    ours, theirs = in_turns(options.repeat, lambda: answer_of(options.programs / "count_bench", table, options.threads),
                            lambda: answer_of(sys.executable, DUCKDB, table, options.threads))
    hold_same(title, ours + theirs, "rows", "pairs")
    seconds, peer = median(ours), median(theirs)
    return {"task": title, "rows": ours[0]["rows"], "bytes": table.stat().st_size, "fugu_seconds": seconds,
            "duckdb_seconds": peer, "ratio": peer / seconds, "at_least": at_least,
            "fugu_kilobytes": peak(ours), "duckdb_kilobytes": peak(theirs),
            "met": peer / seconds >= at_least and peak(ours) <= MEMORY_LIMIT, "duckdb": theirs[0]["version"]}


def show(rows):
    print(f"{'task':<34}{'fugu':>9}{'ns/row':>8}{'MB/s':>7}{'DuckDB':>9}{'ratio':>7}  {'target':<7}{'met':<5}peak memory")
    for r in rows:
        print(f"{r['task']:<34}{r['fugu_seconds']:>7.2f} s{r['fugu_seconds'] / r['rows'] * 1e9:>8.1f}"
              f"{r['bytes'] / r['fugu_seconds'] / 1e6:>7.0f}{r['duckdb_seconds']:>7.2f} s{r['ratio']:>7.1f}  "
              f">= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}"
              f"{r['fugu_kilobytes'] / 1024:.0f} MB (DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB)")


def main():
    options = options_of("fugu's counting beside DuckDB's, on the same tables", "of count_bench and count_generate")
    rows = on_each(options, options.programs / "count_generate", 6, 1, compare)
    print(f"fugu's count_table beside DuckDB {rows[0]['duckdb']} (Python {platform.python_version()}), "
          f"{options.threads} threads each; medians, in turns, same files; memory target <= 64 MB\n")
    show(rows)
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
