"""A release on two workers of their own, one of which is killed in the middle: the output is whole and drawn once."""

import contextlib
import os
import pathlib
import signal
import threading
import time

import pytest

pytest.importorskip("pyspark")

import fugu
import fugu.spark

ROWS, PARTS = (10_000_000, 40) if os.environ.get("FUGU_LONG") else (24_000, 12)


def table(spark):
    """A row id, a secret that the value depends on, and the value."""
    return spark.range(0, ROWS, 1, PARTS).selectExpr(
        "id", "if(id % 3 = 0, 'left', 'right') as side", "cast((id * 7 + if(id % 3 = 0, 1, 0)) % 11 as int) as value"
    )


def plan_of(frame):
    return fugu.calibrate(fugu.spark.count(frame, secret="side", public="value", epsilon=1), method="exact")


def slow(frame, marks):
    """The same rows, each part a while later; every attempt at a part leaves a mark with its process when it begins and when it ends."""

    def run(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        mark = pathlib.Path(marks, f"{context.partitionId()}.{context.attemptNumber()}.{os.getpid()}")
        mark.touch()
        time.sleep(0.3)
        yield from batches
        mark.with_name(mark.name + ".done").touch()

    return frame.mapInArrow(run, frame.schema)


def executors(spark):
    """The worker processes of this very application."""
    application = spark.sparkContext.applicationId
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue  # it has ended
            if application in words and any("ExecutorBackend" in word for word in words):
                found.append(int(folder.name))
    return found


def parent(pid):
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def python_worker(pid):
    return pid


def executor(pid):
    """The executor started a Python daemon, which forked the worker."""
    return parent(parent(pid))


def kill_amid(mark, victim):
    """Whether the process of a part begun was killed before the part ended: it is stopped first, so that it cannot end meanwhile."""
    pid = int(mark.name.split(".")[2])
    try:
        target = victim(pid)
        os.kill(pid, signal.SIGSTOP)
        if mark.with_name(mark.name + ".done").exists():
            os.kill(pid, signal.SIGCONT)
            return False
        os.kill(target, signal.SIGKILL)
    except OSError:
        return False  # it ended before it was stopped
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)  # its executor may have taken it along
    return True


def kill_one(victim, marks, killed):
    """Waits for the middle of the job, then kills what works on a part."""
    for _ in range(6000):
        if len(list(marks.glob("*.done"))) >= PARTS // 4:
            for mark in marks.iterdir():
                if not mark.name.endswith(".done") and kill_amid(mark, victim):
                    killed.append(mark.name)
                    return
        time.sleep(0.05)


def check_whole(released, out):
    frame = released.toPandas() if ROWS <= 1_000_000 else None
    assert released.count() == ROWS
    assert released.select("id").distinct().count() == ROWS
    assert released.selectExpr("min(id)", "max(id)").collect() == [(0, ROWS - 1)]
    names = sorted(path.name for path in out.glob("part-*"))
    assert len(names) == PARTS
    assert sorted({int(name.split("-")[1]) for name in names}) == list(range(PARTS))
    if frame is not None:
        assert released.toPandas().sort_values("id").equals(frame.sort_values("id"))


def test_a_release_by_two_workers(cluster, tmp_path):
    frame = table(cluster)
    assert len(executors(cluster)) == 2
    released = fugu.spark.release(frame, plan_of(frame), "value", str(tmp_path / "out"), keep_unprotected="id")
    check_whole(released, tmp_path / "out")


@pytest.mark.parametrize("victim", [executor, python_worker])
def test_a_worker_is_killed_in_the_middle(cluster, tmp_path, victim):
    frame = table(cluster)
    plan = plan_of(frame)
    marks, killed = tmp_path / "marks", []
    marks.mkdir()
    killer = threading.Thread(target=kill_one, args=(victim, marks, killed))
    killer.start()
    released = fugu.spark.release(slow(frame, marks), plan, "value", str(tmp_path / "out"), keep_unprotected="id", new_data=True)
    killer.join()
    assert killed, "the control: something was killed while the job ran"
    attempts = [path.name for path in marks.iterdir() if not path.name.endswith(".done")]
    assert len(attempts) > PARTS, "a part was begun twice"
    assert not (marks / f"{killed[0]}.done").exists()
    check_whole(released, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "out"]


@pytest.mark.parametrize("victim", [executor, python_worker])
def test_a_worker_that_writes_its_part_is_killed(cluster, tmp_path, victim):
    """The released column alone: workers write it, and count what they draw from."""
    marks, killed = tmp_path / "marks", []
    marks.mkdir()
    frame = table(cluster)
    plan = plan_of(frame)
    killer = threading.Thread(target=kill_one, args=(victim, marks, killed))
    killer.start()
    released = fugu.spark.release(slow(frame, marks), plan, "value", str(tmp_path / "out"))
    killer.join()
    assert killed, "the control: something was killed while the job ran"
    assert len([path for path in marks.iterdir() if not path.name.endswith(".done")]) > PARTS, "a part was begun twice"
    assert released.count() == ROWS
    parts = sorted(path.name[:10] for path in (tmp_path / "out").iterdir() if path.name != "_SUCCESS")
    assert parts == [f"part-{part:05}" for part in range(PARTS)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "out"]


def test_a_job_that_keeps_failing_leaves_nothing(cluster, tmp_path):
    def breaks(batches):
        for batch in batches:
            if batch.column(0)[0].as_py() > ROWS // 2:
                raise ValueError("broken")
            yield batch

    frame = table(cluster)
    plan = plan_of(frame)
    broken = frame.mapInArrow(breaks, frame.schema)
    with pytest.raises(fugu.DataError, match="it cannot be read") as raised:
        fugu.spark.release(broken, plan, "value", str(tmp_path / "out"), new_data=True)
    assert "broken" not in str(raised.value), "what another library says may quote a value"
    assert list(tmp_path.iterdir()) == []
