"""polars' side of the release benchmark: a plain count of the groups and a plain rewrite of one column, without any noise.

polars_rewrite.py FILE OUTPUT THREADS answers in JSON. Only the two queries are timed, by the streaming engine, without and
with putting the output on the disk, as fugu does before it names it.
"""

import json
import os
import pathlib
import re
import sys
import time


def main():
    path, output, threads = sys.argv[1:4]
    os.environ["POLARS_MAX_THREADS"] = threads  # read when it is imported
    import polars

    start = time.perf_counter()
    cells = polars.scan_csv(path).group_by("region", "amount").len().collect(engine="streaming")
    polars.scan_csv(path).select(polars.col("amount") + 1).sink_csv(output)
    seconds = time.perf_counter() - start
    file = os.open(output, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
    synced = time.perf_counter() - start
    peak = re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())
    print(json.dumps({"seconds": seconds, "synced_seconds": synced, "rows": int(cells["len"].sum()), "kilobytes": int(peak[1]),
                      "version": polars.__version__}))


if __name__ == "__main__":
    main()
