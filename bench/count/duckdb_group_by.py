"""DuckDB's side of the counting benchmark: a plain GROUP BY over the CSV file, in a process of its own.

duckdb_group_by.py FILE THREADS answers in JSON. Only the query is timed, not the import and not the connection.
"""

import json
import pathlib
import re
import sys
import time

import duckdb


def main():
    path, threads = sys.argv[1], int(sys.argv[2])
    connection = duckdb.connect(config={"threads": threads})
    query = f"SELECT region, amount, count(*) FROM read_csv('{path}') GROUP BY ALL"
    start = time.perf_counter()
    cells = connection.sql(query).fetchall()
    seconds = time.perf_counter() - start
    peak = re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())
    print(json.dumps({"seconds": seconds, "rows": sum(cell[2] for cell in cells), "pairs": len(cells),
                      "kilobytes": int(peak[1]), "version": duckdb.__version__}))


if __name__ == "__main__":
    main()
