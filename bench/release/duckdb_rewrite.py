"""DuckDB's side of the release benchmark: a plain GROUP BY and a plain rewrite of one column, without any noise.

duckdb_rewrite.py FILE OUTPUT THREADS answers in JSON. Only the two queries are timed, without and with putting the
output on the disk, as fugu does before it names it.
"""

import json
import os
import pathlib
import re
import sys
import time

import duckdb


def main():
    path, output, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    connection = duckdb.connect(config={"threads": threads})
    start, cpu = time.perf_counter(), time.process_time()
    cells = connection.sql(f"SELECT region, amount, count(*) FROM read_csv('{path}') GROUP BY ALL").fetchall()
    connection.sql(f"COPY (SELECT amount + 1 AS amount FROM read_csv('{path}')) TO '{output}' (HEADER)")
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    file = os.open(output, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
    synced = time.perf_counter() - start
    peak = re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())
    print(json.dumps({"seconds": seconds, "synced_seconds": synced, "cpu": cpu, "rows": sum(cell[2] for cell in cells),
                      "kilobytes": int(peak[1]), "version": duckdb.__version__}))


if __name__ == "__main__":
    main()
