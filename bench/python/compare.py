"""What Python adds: Scenario.from_table and plan.release of a million rows from each kind of table, beside the core alone.

compare.py BUILD [--rows N] [--repeat N] [--check] [--json FILE]

The core's own time is that of the same call on an Arrow stream that is ready, of the same columns as a pyarrow table. The export is
what the package itself takes to hand these columns out as Arrow: nothing for Arrow's own columns, but a query for a relation,
and a million objects for columns of Python's own strings. All three run in turns, in one process, and the quickest runs
count. The target is that the whole is at most 1.3 times the core and the export; the ratio to the core alone stands beside it.
"""

import functools
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, in_turns, parser_of  # noqa: E402

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


def export(data, names):
    """The columns as Arrow, by the package's own means."""
    if isinstance(data, pandas.DataFrame):
        return pyarrow.Table.from_pandas(data[names], preserve_index=False)
    if isinstance(data, duckdb.DuckDBPyRelation):
        return data.project(", ".join(names)).to_arrow_table()
    return pyarrow.table(data.select(names))


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def quickest(repeat, *works):
    """Of each, in turns: whatever else runs on the machine only adds."""
    return [min(times) for times in in_turns(repeat, *(functools.partial(seconds, work) for work in works))]


def measured(name, data, ready, public, repeat):
    """A row for counting and one for releasing."""
    question = {"secret": "sex", "public": public}
    names = ["sex", public]
    plan = fugu.calibrate(fugu.Scenario.from_table(data, **question), epsilon=0.5)
    ready = ready.select(names)
    tasks = {
        "from_table": (lambda: fugu.Scenario.from_table(data, **question),
                       lambda: _core.Scenario.of_rows(ready.__arrow_c_stream__(), question, [], None, None)),
        "release": (lambda: plan.release(data),
                    lambda: plan._core.release(ready.__arrow_c_stream__(), False, False, 1, None)),
    }
    for task, (whole, core) in tasks.items():
        all_of_it, alone, handed = quickest(repeat, whole, core, lambda: export(data, names))
        yield {"table": name, "public": public, "task": task, "seconds": all_of_it, "core_seconds": alone, "export_seconds": handed,
               "ratio_to_core": all_of_it / alone, "ratio": all_of_it / (alone + handed)}


def main():
    parser = parser_of("Python's own part of counting and releasing")
    parser.add_argument("build", nargs="?", help="unused: the wheel is what is measured")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=12)
    options, _ = parser.parse_known_args()
    table = pyarrow.table(columns(options.rows))
    print(f"{options.rows:,} rows by fugu {fugu.__version__}, Python {platform.python_version()}; the quickest of each, in turns. "
          f"pandas {pandas.__version__}, polars {polars.__version__}, pyarrow {pyarrow.__version__}, DuckDB {duckdb.__version__}\n")
    print(f"{'table':<24}{'column':<16}{'call':<12}{'whole':>10}{'core':>10}{'export':>10}{'to core':>9}{'to both':>9}  "
          f"at most {TARGET}")
    rows = []
    for name, data, ready in kinds(table):
        for public in ("age", "job"):
            for row in measured(name, data, ready, public, options.repeat):
                rows.append(row)
                what = "whole numbers" if public == "age" else "texts"
                times = "".join(f"{row[key] * 1e3:>7.1f} ms" for key in ("seconds", "core_seconds", "export_seconds"))
                print(f"{name:<24}{what:<16}{row['task']:<12}{times}{row['ratio_to_core']:>9.2f}{row['ratio']:>9.2f}  "
                      f"{'yes' if row['ratio'] <= TARGET else 'NO'}", flush=True)
    finish(options, rows, [f"{row['task']} of {row['public']} from {row['table']}" for row in rows if row["ratio"] > TARGET])


if __name__ == "__main__":
    main()
