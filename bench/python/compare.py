"""What Python adds: Scenario.from_table and plan.release of a million rows from each kind of table, beside the core alone.

compare.py BUILD [--rows N] [--repeat N] [--check] [--json FILE]

The core's own time is that of the same call on an Arrow stream that is ready, of the same columns as a pyarrow table; both run
in turns, in one process, and the ratio is that of the quickest runs. The issue's target is a ratio of at most 1.3.
"""

import argparse
import json
import pathlib
import platform
import random
import sys
import time

import duckdb
import pandas
import polars
import pyarrow

import fugu
from fugu import _core

TARGET = 1.3
SEXES = ["Female", "Male"]
JOBS = ["Adm-clerical", "Craft-repair", "Exec-managerial", "Machine-op-inspct", "Other-service", "Prof-specialty", "Sales"]


def columns(rows):
    """Three columns that depend on each other: texts, texts, whole numbers."""
    draw = random.Random(1)
    people = [(sex, job, age) for sex in SEXES for job in JOBS for age in range(17, 91)]
    weights = [20 + (7 * k) % 13 + (k % 74) // 9 * (1 if person[0] == "Male" else -1) for k, person in enumerate(people)]
    drawn = draw.choices(people, weights, k=rows)
    return {"sex": [p[0] for p in drawn], "job": [p[1] for p in drawn], "age": [p[2] for p in drawn]}


def kinds(table):
    """The same table as each package holds it, by its name."""
    frame = table.to_pandas()
    categories = frame.assign(sex=frame["sex"].astype("category"), job=frame["job"].astype("category"))
    yield "pyarrow", table, table
    yield "pyarrow, dictionaries", encoded(table), encoded(table)
    yield "pandas", frame, table
    yield "pandas, object", frame.assign(sex=frame["sex"].astype(object), job=frame["job"].astype(object)), table
    yield "pandas, categories", categories, encoded(table)
    yield "polars", polars.from_arrow(table), table
    yield "polars, Categorical", polars.from_arrow(table).with_columns(polars.col("sex", "job").cast(polars.Categorical)), encoded(table)
    yield "DuckDB", duckdb.from_arrow(table), table


def encoded(table):
    for k, name in enumerate(("sex", "job")):
        table = table.set_column(k, name, table[name].combine_chunks().dictionary_encode())
    return table


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(whole, core, repeat):
    """The quickest of both, warmed up: whatever else runs on the machine only adds."""
    whole(), core()
    both = [(seconds(whole), seconds(core)) for _ in range(repeat)]
    return [min(side) for side in zip(*both)]


def measured(name, data, ready, public, repeat):
    """A row for counting and one for releasing."""
    question = {"secret": "sex", "public": public}
    scenario = fugu.Scenario.from_table(data, **question)
    plan = fugu.calibrate(scenario, epsilon=0.5)
    ready = ready.select(["sex", public])
    counting = in_turns(lambda: fugu.Scenario.from_table(data, **question),
                        lambda: _core.Scenario.of_rows(ready.__arrow_c_stream__(), question, [], None, None), repeat)
    releasing = in_turns(lambda: plan.release(data),
                         lambda: plan._core.release(ready.__arrow_c_stream__(), False, False, None), repeat)
    for task, (whole, core) in (("from_table", counting), ("release", releasing)):
        yield {"table": name, "public": public, "task": task, "seconds": whole, "core_seconds": core, "ratio": whole / core}


def main():
    parser = argparse.ArgumentParser(description="Python's own part of counting and releasing")
    parser.add_argument("build", nargs="?", help="unused: the wheel is what is measured")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", metavar="FILE", help="write the numbers there too")
    parser.add_argument("--check", action="store_true", help="exit with status 1 when a ratio passes the target")
    options = parser.parse_args()
    table = pyarrow.table(columns(options.rows))
    print(f"{options.rows:,} rows by fugu {fugu.__version__}, Python {platform.python_version()}; the quickest of each, in turns. pandas {pandas.__version__}, "
          f"polars {polars.__version__}, pyarrow {pyarrow.__version__}, DuckDB {duckdb.__version__}\n")
    print(f"{'table':<24}{'column':<16}{'call':<12}{'whole':>10}{'core alone':>12}{'ratio':>7}  at most {TARGET}")
    rows = []
    for name, data, ready in kinds(table):
        for public in ("age", "job"):
            for row in measured(name, data, ready, public, options.repeat):
                rows.append(row)
                what = "whole numbers" if public == "age" else "texts"
                print(f"{name:<24}{what:<16}{row['task']:<12}{row['seconds'] * 1e3:>7.1f} ms{row['core_seconds'] * 1e3:>9.1f} ms"
                      f"{row['ratio']:>7.2f}  {'yes' if row['ratio'] <= TARGET else 'NO'}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    missed = [row for row in rows if row["ratio"] > TARGET]
    if missed:
        print(f"\n{len(missed)} of {len(rows)} pass {TARGET}")
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()
