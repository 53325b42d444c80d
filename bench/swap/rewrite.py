"""Release of three columns whose rows trade places, beside DuckDB writing them as they are.

rewrite.py FOLDER [--json FILE] [--check] [--rows N] [--repeat N] [--threads N]

FOLDER holds the built fugu. fugu's time is that of the whole process: it counts the rows, compares them with the plan's, draws, puts
them in random order or keeps theirs, and syncs its output. DuckDB's is that of one query, which it does not sync. DuckDB runs in
processes of its own: a program's memory would else be measured with that of who starts it.
"""

import json

import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, parser_of, peak, timed  # noqa: E402

COLUMNS = "place,job,age"


def in_duckdb(task, *arguments):
    """write PATH ROWS: a few hundred kinds of rows that lean on one of three groups; rewrite PATH OUTPUT THREADS."""
    import duckdb
    {"write": write_table, "rewrite": rewrite}[task](duckdb, *arguments)


def write_table(duckdb, path, rows):
    duckdb.sql(f"""COPY (SELECT 'g' || s AS "group", 'p' || (floor(a * 12 + s) % 12)::int AS place, 'job ' || (floor(b * b * 9) + s)::int AS job,
               (20 + floor(c * 5) * 10)::int AS age FROM (SELECT floor(random() * 3)::int AS s, random() AS a, random() AS b, random() AS c
               FROM range({rows}))) TO '{path}' (HEADER)""")
    print("{}")


def rewrite(duckdb, table, output, threads):
    connection = duckdb.connect(config={"threads": int(threads)})
    start = time.perf_counter()
    connection.sql(f"COPY (SELECT {COLUMNS} FROM read_csv('{table}')) TO '{output}' (HEADER)")
    print(json.dumps({"seconds": time.perf_counter() - start, "version": duckdb.__version__}))


def main():
    parser = parser_of("rows that trade places, released beside DuckDB's plain rewrite")
    parser.add_argument("programs", type=pathlib.Path, help="folder of the built fugu")
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    fugu = options.programs.resolve() / "fugu"
    with tempfile.TemporaryDirectory(prefix="fugu-rewrite-") as folder:
        table, plan = pathlib.Path(folder, "t.csv"), pathlib.Path(folder, "plan.json")
        duck = lambda *arguments: answer_of(sys.executable, __file__, *arguments)
        duck("write", table, options.rows)
        timed(fugu, "calibrate", table, "--secret", "group", "--public", COLUMNS, "--epsilon", "0.5", "--method", "swap",
              "--rows-independent", "-o", plan)
        release = lambda *more: lambda: timed(fugu, "release", table, "--plan", plan, "-o", f"{folder}/fugu.csv", "--force", "--quiet",
                                              "--threads", options.threads, *more)
        shuffled, kept, peer = in_turns(options.repeat, release(), release("--keep-order"),
                                        lambda: duck("rewrite", table, f"{folder}/duckdb.csv", options.threads))
    rows = []
    print(f"{options.rows:,} rows of three columns that trade places, beside DuckDB {peer[0]['version']}'s rewrite, {options.threads} threads each")
    for task, ours in (("in random order", shuffled), ("--keep-order", kept)):
        ratio = median(peer) / median(ours)
        rows.append({"task": task, "rows": options.rows, "seconds": median(ours), "cpu": median(ours, "cpu"), "duckdb_seconds": median(peer),
                     "ratio": ratio, "kilobytes": peak(ours), "met": ratio >= 1})
        print(f"{task:<18}{median(ours):>8.1f} s{median(ours, 'cpu'):>8.1f} s cpu   DuckDB {median(peer):>6.1f} s   ratio {ratio:.2f}   "
              f"{peak(ours) / 1024:.0f} MB")
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    if sys.argv[1:2] in (["write"], ["rewrite"]):
        in_duckdb(*sys.argv[1:])
    else:
        main()
