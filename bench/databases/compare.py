"""fugu release from a database's table into a new one, beside the database copying the same rows by itself.

compare.py FOLDER [--json FILE] [--check] [--rows N …] [--sqlite-rows N …] [--repeat N] [--threads N]

FOLDER holds the built fugu. PostgreSQL runs in a private cluster in a temporary folder, stopped and deleted at the end; its
peer is COPY out of one psql into COPY in of another, of the released column; beside it stands CREATE TABLE AS, which copies
within the server. SQLite's peer is INSERT INTO … SELECT. fugu also counts, calibrates, proves and draws, and writes the rows
in random order, or with --keep-order in the table's. Times are those of whole processes.
"""

import pathlib
import sqlite3
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from postgres_cluster import Cluster  # noqa: E402
from side_by_side import finish, in_turns, median, missed, parser_of, peak, timed  # noqa: E402

MEMORY_LIMIT = 128 * 1024  # kilobytes
AT_MOST = 1.5  # of PostgreSQL's own copying
FLAGS = ["--secret", "region", "--public", "amount", "--epsilon", "1", "--force", "--quiet", "--format", "json"]


def fugu(options, folder, url, *more):
    return timed(options.programs / "fugu", "release", url, *more, *FLAGS, "--threads", options.threads, "--into", "ours",
                 folder=folder)


def rows_made(count):
    return (f"SELECT 'region ' || (k * 7919 % 11) AS region, (k * 104729 + k / 11 % 3 * (k % 11)) % 97 AS amount "
            f"FROM generate_series(1::bigint, {count}) k")


def with_postgres(options, folder, rows):
    cluster = Cluster.start("shared_buffers = 512MB\nmax_wal_size = 4GB\n")
    try:
        cluster.sql(f"CREATE TABLE people AS {rows_made(rows)}; VACUUM ANALYZE people")
        url = cluster.url()

        def made(name, run):
            cluster.sql(f"DROP TABLE IF EXISTS {name}")
            return run()

        def copies():
            copy = (f"psql -X -q -d '{url}' -c 'COPY (SELECT amount FROM people) TO STDOUT' | psql -X -q -d '{url}' -c 'BEGIN' "
                    "-c 'CREATE TABLE theirs (amount bigint)' -c 'COPY theirs FROM STDIN' -c 'COMMIT'")
            return timed("bash", "-c", copy, folder=folder)

        def copies_within():
            return timed("psql", "-X", "-q", "-d", url, "-c", "CREATE TABLE within AS SELECT amount FROM people", folder=folder)

        return compare(f"PostgreSQL, {rows:.0e} rows", options, rows,
                       lambda *more: made("ours", lambda: fugu(options, folder, url, "--table", "people", *more)),
                       lambda: made("theirs", copies), lambda: made("within", copies_within),
                       lambda: [int(cluster.sql(f"SELECT count(*) FROM {name}")[0]) for name in ("ours", "theirs", "within")],
                       AT_MOST if rows >= 10_000_000 else None)
    finally:
        cluster.remove()


def with_sqlite(options, folder, rows):
    path = pathlib.Path(folder) / "people.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE people (region TEXT, amount INTEGER)")
    connection.execute("BEGIN")
    connection.execute(
        "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < ?) INSERT INTO people "
        "SELECT 'region ' || (k * 7919 % 11), (k * 104729 + k / 11 % 3 * (k % 11)) % 97 FROM n", [rows])
    connection.execute("COMMIT")

    def ours(*more):
        connection.execute("DROP TABLE IF EXISTS ours")
        return fugu(options, folder, f"sqlite:{path}", "--table", "people", *more)

    def peer():
        connection.execute("DROP TABLE IF EXISTS theirs")
        start = time.perf_counter()
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE theirs (amount INTEGER)")
        connection.execute("INSERT INTO theirs SELECT amount FROM people")
        connection.execute("COMMIT")
        return {"seconds": time.perf_counter() - start}

    return compare(f"SQLite, {rows:.0e} rows", options, rows, ours, peer, None,
                   lambda: [connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("ours", "theirs")], None)


def compare(title, options, rows, ours, peer, within, found, at_most):
    runs = [ours, lambda: ours("--keep-order"), peer] + ([within] if within else [])
    ours, in_order, theirs, *inside = in_turns(options.repeat, *runs)
    if set(found()) != {rows}:
        sys.exit(f"bench: the rows of '{title}' differ")
    seconds, beside = median(ours), median(theirs)
    return {"task": title, "rows": rows, "fugu_seconds": seconds, "in_order_seconds": median(in_order), "peer_seconds": beside,
            "within_seconds": median(inside[0]) if inside else None, "ratio": seconds / beside, "at_most": at_most,
            "fugu_kilobytes": max(peak(ours), peak(in_order)),
            "met": (at_most is None or seconds <= at_most * beside) and max(peak(ours), peak(in_order)) <= MEMORY_LIMIT}


def main():
    parser = parser_of("fugu release within a database beside the database's own copying")
    parser.add_argument("programs", type=pathlib.Path, metavar="FOLDER", help="of fugu")
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000], metavar="N",
                        help="in PostgreSQL (default 1e5, 1e6 and 1e7)")
    parser.add_argument("--sqlite-rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000], metavar="N",
                        help="in SQLite (the same)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs after a warm-up (default 3)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of fugu (default 2)")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    rows = []
    for task, sizes in ((with_postgres, options.rows), (with_sqlite, options.sqlite_rows)):
        for size in sizes:
            with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
                rows.append(task(options, folder, size))
    print("fugu release (count, calibrate, draw, write) into a new table, in random order and in the table's, beside COPY out | COPY "
          "in (PostgreSQL) and INSERT INTO ... SELECT (SQLite) of the same column, without noise, and PostgreSQL's CREATE TABLE AS; "
          "medians, in turns; memory target <= 128 MB\n")
    print(f"{'task':<28}{'fugu':>9}{'in order':>10}{'peer':>9}{'ratio':>7}{'AS':>9}  {'target':<9}{'met':<5}peak memory")
    for r in rows:
        target = f"<= {r['at_most']}" if r["at_most"] else "-"
        within = f"{r['within_seconds']:.2f} s" if r["within_seconds"] else "-"
        print(f"{r['task']:<28}{r['fugu_seconds']:>7.2f} s{r['in_order_seconds']:>8.2f} s{r['peer_seconds']:>7.2f} s"
              f"{r['ratio']:>7.2f}{within:>9}  {target:<9}{'yes' if r['met'] else 'NO':<5}{r['fugu_kilobytes'] / 1024:.0f} MB")
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
