"""fugu.spark beside Spark itself: count, calibrate and release a Parquet table, and group and rewrite it without noise.

compare.py BUILD [--rows N …] [--public hours|job] [--repeat N] [--cores N] [--memory SIZE] [--folder DIR]
           [--check] [--json FILE]

Each side runs in a process and a Java of its own, in turns, and is timed after the same work on a small table, so that Java has
compiled what it runs. Both write one column as Parquet. A ratio is of fugu's seconds to Spark's; the target is at most 1.5, and
an exponent of growth of at most 1.1 from one size to the next. The processor's seconds stand beside them. The tables are written to a temporary folder and deleted.
"""

import json
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, in_turns, median, missed, parser_of  # noqa: E402

TARGET, GROWTH = 1.5, 1.1
SIDE = pathlib.Path(__file__).with_name("side.py")
CHUNK = 1_000_000
GROUPS = ["north", "east", "south", "west", "abroad"]
JOBS = ["Adm-clerical", "Craft-repair", "Exec-managerial", "Machine-op-inspct", "Other-service", "Prof-specialty", "Sales"]


def write_table(path, rows):
    """Three columns of which two lean on the first, in row groups of a million, encoded by dictionaries."""
    import numpy
    import pyarrow
    import pyarrow.parquet

    random = numpy.random.default_rng(1)
    encoded = lambda codes, values: pyarrow.DictionaryArray.from_arrays(codes.astype(numpy.int32), values)
    writer = None
    for start in range(0, rows, CHUNK):
        size = min(CHUNK, rows - start)
        group = random.integers(len(GROUPS), size=size, dtype=numpy.int8)
        hours = random.integers(56, size=size, dtype=numpy.int8) + group
        job = numpy.minimum(random.integers(len(JOBS) + 2, size=size, dtype=numpy.int8), len(JOBS) - 1 - group // 3)
        columns = {"region": encoded(group, GROUPS), "hours": encoded(hours, pyarrow.array(range(20, 80), pyarrow.int32())),
                   "job": encoded(job, JOBS)}
        table = pyarrow.table(columns)
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema, compression="snappy")
        writer.write_table(table, row_group_size=CHUNK)
    writer.close()


def compare(rows, options, folder):
    table, small = folder / f"{rows}.parquet", folder / "small.parquet"
    write_table(table, rows)
    if not small.exists():
        write_table(small, CHUNK)
    run = lambda side: lambda: answer_of(sys.executable, SIDE, side, small, table, folder / "out", options.public, options.cores,
                                         options.memory)
    # The first runs are measured, too: each warms itself up.
    ours, theirs = in_turns(options.repeat, run("fugu"), run("spark"), warm_up=False)
    bytes_read = table.stat().st_size
    table.unlink()
    report = {"task": f"{rows:,} rows", "rows": rows, "megabytes": bytes_read / 1e6, "seconds": median(ours),
              "spark_seconds": median(theirs), "ratio": median(ours) / median(theirs),
              "cpu": median(ours, "cpu"), "spark_cpu": median(theirs, "cpu"), "ratio_of_cpu": median(ours, "cpu") / median(theirs, "cpu")}
    report |= {f"{part}_seconds": median(ours, part) for part in ("count", "calibrate", "release")}
    report |= {f"spark_{part}_seconds": median(theirs, part) for part in ("group", "rewrite")}
    report |= {"java_kilobytes": max(run["java"] for run in ours), "spark_java_kilobytes": max(run["java"] for run in theirs),
               "worker_kilobytes": max(run["worker"] for run in ours), "version": ours[0]["version"]}
    return report


def growth(smaller, larger, key="seconds"):
    return math.log(larger[key] / smaller[key]) / math.log(larger["rows"] / smaller["rows"])


def print_head(report, options):
    print(f"fugu.spark (count, calibrate, release) beside Spark {report['version']} (GROUP BY and a rewrite without noise), "
          f"local[{options.cores}], column {options.public}; medians of {options.repeat}, in turns\n")
    print(f"{'rows':>13}{'count':>8}{'calibrate':>11}{'release':>9}{'fugu':>9}{'GROUP BY':>10}{'rewrite':>9}{'Spark':>9}{'ratio':>7}"
          f"{'cpu':>9}{'Spark':>9}{'ratio':>7}  {'growth (Spark)':<16}{'met':<5}peak memory")


def print_row(report):
    r = report
    grown = f"{r['growth']:.2f} ({r['spark_growth']:.2f})" if r["growth"] else "–"
    print(f"{r['rows']:>13,}{r['count_seconds']:>8.1f}{r['calibrate_seconds']:>11.2f}{r['release_seconds']:>9.1f}{r['seconds']:>7.1f} s"
          f"{r['spark_group_seconds']:>10.1f}{r['spark_rewrite_seconds']:>9.1f}{r['spark_seconds']:>7.1f} s{r['ratio']:>7.2f}"
          f"{r['cpu']:>7.1f} s{r['spark_cpu']:>7.1f} s{r['ratio_of_cpu']:>7.2f}  {grown:<16}{'yes' if r['met'] else 'NO':<5}"
          f"a worker {r['worker_kilobytes'] / 1024:.0f} MB, "
          f"Java {r['java_kilobytes'] / 1024:.0f} MB (Spark {r['spark_java_kilobytes'] / 1024:.0f} MB)", flush=True)


def main():
    parser = parser_of("fugu.spark beside Spark's own GROUP BY and rewrite")
    parser.add_argument("build", nargs="?", help="unused: the wheel is what is measured")
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000_000, 100_000_000])
    parser.add_argument("--public", choices=["hours", "job"], default="hours", help="the released column: whole numbers or texts")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", default="2g", help="of Java")
    parser.add_argument("--folder", help="for the tables")
    options = parser.parse_args()
    reports = []
    with tempfile.TemporaryDirectory(prefix="fugu-spark-", dir=options.folder) as folder:
        for rows in options.rows:
            report = compare(rows, options, pathlib.Path(folder))
            report["growth"] = growth(reports[-1], report) if reports else None
            report["spark_growth"] = growth(reports[-1], report, "spark_seconds") if reports else None
            report["met"] = report["ratio"] <= TARGET and (report["growth"] or 0) <= GROWTH
            if not reports:
                print_head(report, options)
            print_row(report)
            reports.append(report)
    finish(options, reports, missed(reports))


if __name__ == "__main__":
    main()
