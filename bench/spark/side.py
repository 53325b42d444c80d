"""One side of the Spark benchmark: the same work on a small table and then, timed, on the large one.

side.py fugu|spark SMALL TABLE OUTPUT COLUMN CORES MEMORY answers in JSON: the seconds of each part; the processor's seconds of this
process, Java and the Python workers, all parts together; and the peak memory of Java and of the largest worker in kilobytes.
"""

import json
import os
import pathlib
import re
import shutil
import sys
import threading
import time

from pyspark.sql import SparkSession


class Peaks:
    """The peak memory of Java and of the workers below it, from /proc."""

    def __init__(self, java):
        self.java, self._workers, self._stopped = java, 0, threading.Event()
        pathlib.Path(f"/proc/{java}/clear_refs").write_text("5")  # the peak so far is the warm-up's
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self):
        self._stopped.set()
        self._thread.join()
        return {"java": peak_of(self.java), "worker": self._workers}

    def _watch(self):
        while not self._stopped.wait(0.2):
            self._workers = max([self._workers, *map(peak_of, below(self.java))])


def peak_of(process):
    try:
        found = re.search(r"VmHWM:\s*(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())
    except OSError:  # it has ended
        found = None
    return int(found[1]) if found else 0


def below(process):
    """The processes that it started, and those that these started."""
    try:
        tasks = list(pathlib.Path(f"/proc/{process}/task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        children = []
    return [*children, *(deeper for child in children for deeper in below(child))]


def processor_of(process):
    """The seconds that it, those below it and those that ended before them have had."""
    ticks = 0
    for each in [process, *below(process)]:
        try:
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def session(cores, memory):
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.driver.memory", memory)
    for name, value in {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "OFF",
                        "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",  # as docs/spark.md advises
                        "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def run_fugu(spark, table, output, column):
    import fugu
    import fugu.spark

    frame = spark.read.parquet(table)
    scenario, count = timed(lambda: fugu.spark.count(frame, secret="region", public=column, epsilon=0.5))
    plan, calibrate = timed(lambda: fugu.calibrate(scenario))
    _, release = timed(lambda: fugu.spark.release(frame, plan, column, output))
    return {"seconds": count + calibrate + release, "count": count, "calibrate": calibrate, "release": release}


def run_spark(spark, table, output, column):
    frame = spark.read.parquet(table)
    _, group = timed(lambda: frame.groupBy("region", column).count().toArrow())
    _, rewrite = timed(lambda: frame.select(column).write.parquet(output))
    return {"seconds": group + rewrite, "group": group, "rewrite": rewrite}


def main():
    side, small, table, output, column, cores, memory = sys.argv[1:]
    spark = session(cores, memory)
    run = {"fugu": run_fugu, "spark": run_spark}[side]

    def once(path):
        answer = run(spark, path, output, column)
        shutil.rmtree(output)
        return answer

    for _ in range(2):
        once(small)
    peaks = Peaks(spark.sparkContext._gateway.proc.pid)
    before = processor_of(os.getpid())
    answer = once(table)
    answer["cpu"] = processor_of(os.getpid()) - before
    print(json.dumps(answer | peaks.stop() | {"version": spark.version}))
    spark.stop()


if __name__ == "__main__":
    main()
