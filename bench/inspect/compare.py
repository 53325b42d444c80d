"""A look at a wide table: fugu inspect beside DuckDB's SUMMARIZE, on the same file, in turns.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--repeat N]

FOLDER holds the built fugu. The table has 50 columns and is written to a temporary folder (TMPDIR says where; 320 MB by
default). Medians, the file in the page cache. inspect counts every distinct value; SUMMARIZE estimates how many there are.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, in_turns, median, missed, parser_of, peak, timed  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SUMMARIZE = "import duckdb, sys; print(len(duckdb.sql(f\"SUMMARIZE SELECT * FROM read_csv('{sys.argv[1]}', header = true)\").fetchall()))"
LIMIT = 5  # seconds for a million rows, on two cores


def main():
    parser = parser_of("fugu inspect beside DuckDB's SUMMARIZE, on a table of 50 columns")
    parser.add_argument("programs", type=pathlib.Path, help="folder of the built fugu")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "stays.csv"
        subprocess.run([sys.executable, HERE / "wide_table.py", table, str(options.rows)], check=True)
        ours, theirs = in_turns(options.repeat, lambda: timed(options.programs / "fugu", "inspect", table),
                                lambda: timed(sys.executable, "-c", SUMMARIZE, table))
        size = table.stat().st_size
    seconds, peer, limit = median(ours), median(theirs), LIMIT * options.rows / 1_000_000
    row = {"task": "inspect, 50 columns", "rows": options.rows, "bytes": size, "fugu_seconds": seconds, "duckdb_seconds": peer,
           "ratio": peer / seconds, "at_most_seconds": limit, "fugu_kilobytes": peak(ours), "duckdb_kilobytes": peak(theirs), "met": seconds <= limit}
    print(f"{options.rows:,} rows of 50 columns, {size / 1e6:.0f} MB: fugu inspect {seconds:.2f} s ({peak(ours) / 1024:.0f} MB), "
          f"DuckDB SUMMARIZE {peer:.2f} s ({peak(theirs) / 1024:.0f} MB), ratio {peer / seconds:.1f}; "
          f"target {limit:g} s: {'met' if row['met'] else 'NOT met'}")
    finish(options, [row], missed([row]))


if __name__ == "__main__":
    main()
