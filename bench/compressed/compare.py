"""Release a table into a compressed file by the fugu program, beside DuckDB counting and rewriting it into one.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--repeat N] [--threads N] [--seed SEED] [--folder DIR] [--old PROGRAM]

FOLDER holds the built fugu and bench/count_generate; --old is another build of fugu. Every file that fugu writes is read
back by gzip or zstd. Times of fugu are those of the whole process, DuckDB's of its two queries.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, parser_of, peak, timed  # noqa: E402

DUCKDB = pathlib.Path(__file__).parent.parent / "release" / "duckdb_rewrite.py"
MEMORY_LIMIT = 128 * 1024  # kilobytes
AT_LEAST = 1  # times as fast as DuckDB


def run_fugu(program, plan, table, output, threads):
    return timed(program, "release", table, "--plan", plan, "--threads", threads, "--force", "--quiet", "-o", output)


def lines_of(path):
    program = {".gz": "gzip", ".zst": "zstd"}[path.suffix]
    with subprocess.Popen([program, "-dc", path], stdout=subprocess.PIPE) as process:
        return sum(1 for _ in process.stdout)


def compare(options, plan, table, ending):
    output = table.with_name("fugu.csv" + ending)
    runs = [lambda: run_fugu(options.programs / "fugu", plan, table, output, options.threads),
            lambda: answer_of(sys.executable, DUCKDB, table, table.with_name("duckdb.csv" + ending), options.threads)]
    if options.old:
        runs.append(lambda: run_fugu(options.old, plan, table, table.with_name("old.csv" + ending), options.threads))
    ours, theirs, *others = in_turns(options.repeat, *runs)
    if lines_of(output) != options.rows + 1:
        sys.exit(f"bench: {output.name} does not read back")
    seconds, peer = median(ours), median(theirs)
    row = {"task": f"release into {ending}", "rows": options.rows, "fugu_seconds": seconds, "fugu_cpu_seconds": median(ours, "cpu"),
           "fugu_bytes": output.stat().st_size, "fugu_kilobytes": peak(ours), "duckdb_seconds": peer, "ratio": peer / seconds,
           "duckdb_kilobytes": peak(theirs), "at_least": AT_LEAST, "met": peer / seconds >= AT_LEAST and peak(ours) <= MEMORY_LIMIT,
           "duckdb": theirs[0]["version"]}
    for old in others:
        row |= {"old_seconds": median(old), "old_cpu_seconds": median(old, "cpu"), "old_kilobytes": peak(old),
                "old_bytes": table.with_name("old.csv" + ending).stat().st_size}
    return row


def main():
    parser = parser_of("fugu release into gzip and zstd beside DuckDB's GROUP BY and rewrite, on the same table")
    parser.add_argument("programs", type=pathlib.Path, metavar="FOLDER", help="of fugu and bench/count_generate")
    parser.add_argument("--rows", type=int, default=20_000_000, metavar="N", help="of the table (default 2e7)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs after a warm-up (default 3)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of all (default 2)")
    parser.add_argument("--folder", metavar="DIR", help="for the tables and outputs (default TMPDIR)")
    parser.add_argument("--seed", type=int, default=1, help="of the random table (default 1)")
    parser.add_argument("--old", type=pathlib.Path, metavar="PROGRAM", help="another build of fugu, beside this one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fugu-bench-", dir=options.folder) as folder:
        table, plan = pathlib.Path(folder) / "table.csv", pathlib.Path(folder) / "plan.json"
        with table.open("wb") as file:
            subprocess.run([options.programs / "bench" / "count_generate", str(options.rows), str(options.seed)], check=True, stdout=file)
        subprocess.run([options.programs / "fugu", "calibrate", table, "--secret", "region", "--public", "amount", "--epsilon", "1",
                        "--quiet", "-o", plan], check=True, capture_output=True)
        rows = [compare(options, plan, table, ending) for ending in (".gz", ".zst")]
    print(f"fugu release of {options.rows:.0e} rows by a plan beside DuckDB {rows[0]['duckdb']} (GROUP BY and a rewrite without "
          f"noise), {options.threads} threads each; medians, in turns; memory target <= 128 MB\n")
    print(f"{'task':<20}{'fugu':>9}{'cpu':>9}{'DuckDB':>9}{'ratio':>7}  {'target':<7}{'met':<5}{'size':>7}  peak memory")
    for r in rows:
        print(f"{r['task']:<20}{r['fugu_seconds']:>7.2f} s{r['fugu_cpu_seconds']:>7.2f} s{r['duckdb_seconds']:>7.2f} s"
              f"{r['ratio']:>7.1f}  >= {r['at_least']:<4}{'yes' if r['met'] else 'NO':<5}{r['fugu_bytes'] / 1e6:>4.0f} MB"
              f"  {r['fugu_kilobytes'] / 1024:.0f} MB (DuckDB {r['duckdb_kilobytes'] / 1024:.0f} MB)")
        if options.old:
            print(f"{'  the old build':<20}{r['old_seconds']:>7.2f} s{r['old_cpu_seconds']:>7.2f} s{'':>9}{r['old_seconds'] / r['fugu_seconds']:>7.1f}"
                  f"{'':<14}{r['old_bytes'] / 1e6:>4.0f} MB  {r['old_kilobytes'] / 1024:.0f} MB")
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
