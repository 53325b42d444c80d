"""One side of bench/run arrow, in a process of its own: what it took, as a line of JSON for each line that it is sent.

work.py pyarrow|pandas|polars FILE          holds the table in memory; "fugu" and "peer" are the tasks
work.py files FILE OUTPUT                   "fugu", "peer" and "rewrite" from file to file
"""

import json
import resource
import sys
import time

import pyarrow
import pyarrow.parquet

import fugu

QUESTION = {"secret": "region", "public": "amount"}
BATCH = 1 << 17


def release(data):
    """What it took to count and to release, and the plan between them, which takes the same for any number of rows."""
    start = time.perf_counter()
    scenario = fugu.Scenario.from_table(data, **QUESTION)
    counted = time.perf_counter()
    plan = fugu.calibrate(scenario, epsilon=1)
    calibrated = time.perf_counter()
    released = plan.release(data)
    return {"rows": len(released), "seconds": time.perf_counter() - start, "calibrate_seconds": calibrated - counted}


def count_and_rewrite(data):
    """The same columns counted together, and the released one written anew by the package itself."""
    start = time.perf_counter()
    if isinstance(data, pyarrow.Table):
        counts = data.group_by(["region", "amount"]).aggregate([([], "count_all")])
        column = pyarrow.compute.add(data["amount"], 1)
    elif type(data).__module__.startswith("polars"):
        counts = data.group_by(["region", "amount"]).len()
        column = data["amount"] + 1
    else:
        counts = data.groupby(["region", "amount"]).size()
        column = data["amount"] + 1
    assert len(counts) > 1
    return {"rows": len(column), "seconds": time.perf_counter() - start, "calibrate_seconds": 0}


def release_file(source, target):
    start = time.perf_counter()
    fugu.release_file(source, target, **QUESTION, epsilon=1, force=True)
    return {"seconds": time.perf_counter() - start}


def rewrite(source, target):
    """The released column, batch by batch: pyarrow's own way from file to file."""
    start = time.perf_counter()
    file = pyarrow.parquet.ParquetFile(source)
    with pyarrow.parquet.ParquetWriter(target, pyarrow.schema([file.schema_arrow.field("amount")])) as writer:
        for batch in file.iter_batches(batch_size=BATCH, columns=["amount"]):
            writer.write_batch(batch)
    return {"seconds": time.perf_counter() - start}


def count_and_rewrite_file(source, target):
    """The counts first, as a release needs them."""
    start = time.perf_counter()
    counts = []
    for batch in pyarrow.parquet.ParquetFile(source).iter_batches(batch_size=BATCH, columns=["region", "amount"]):
        counts.append(pyarrow.Table.from_batches([batch]).group_by(["region", "amount"]).aggregate([([], "count_all")]))
        if len(counts) == 64:
            counts = [together(counts)]
    assert together(counts).num_rows > 1
    rewrite(source, target)
    return {"seconds": time.perf_counter() - start}


def together(counts):
    whole = pyarrow.concat_tables(counts).group_by(["region", "amount"]).aggregate([("count_all", "sum")])
    return whole.rename_columns(["region", "amount", "count_all"])


def tasks(kind, source, *target):
    if kind == "files":
        return {"fugu": lambda: release_file(source, *target), "peer": lambda: count_and_rewrite_file(source, *target),
                "rewrite": lambda: rewrite(source, *target)}
    table = pyarrow.parquet.read_table(source)
    data = table.to_pandas() if kind == "pandas" else table
    if kind == "polars":
        import polars

        data = polars.from_arrow(table)
    return {"fugu": lambda: release(data), "peer": lambda: count_and_rewrite(data)}


def main():
    known = tasks(*sys.argv[1:])
    for line in sys.stdin:
        before = time.process_time()
        answer = known[line.strip()]()
        answer["cpu"] = time.process_time() - before
        answer["kilobytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
