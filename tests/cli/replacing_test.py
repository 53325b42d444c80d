"""The files of a release, table, receipt and plan, are of one release at every moment: killed, failed, or two at once.

Kills are at each step that gives or takes a name, by strace, which kills as the step begins.
"""
import fcntl
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from conftest import PROGRAM, SANITIZED

FLAGS = ["--secret", "s", "--public", "x"]
NAMES = ["out.csv", "out.csv.plan.json", "out.csv.receipt.json"]
STEPS = ["linkat", "link", "rename", "renameat", "renameat2", "unlink", "unlinkat", "flock", "fsync"]


@pytest.fixture
def table(fugu):
    return fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 2}\n" for k in range(200)))


def release(epsilon, *more, output="out.csv"):
    return ["release", "in.csv", *FLAGS, "--epsilon", epsilon, "-o", output, *more]


def test_what_replaces_a_file_may_be_read_by_nobody_else(fugu, table):
    """The table that replaced one of mode 0600 was everybody's to read."""
    fugu.ok(*release("0.5"))
    modes = {"out.csv": 0o600, "out.csv.receipt.json": 0o640}
    for name, mode in modes.items():
        (fugu.folder / name).chmod(mode)
    fugu.ok(*release("0.4", "--force"))
    assert {name: (fugu.folder / name).stat().st_mode & 0o777 for name in modes} == modes


def start(fugu, *arguments):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def can_trace():
    if SANITIZED or not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0


def killed_at_each_step(fugu, arguments, prepare):
    """Runs the command again and again, killed at the next step each time; yields after each kill."""
    kills = 0
    for step in STEPS:
        for number in range(1, 200):
            prepare()
            done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={step}", "-e",
                                   f"inject={step}:signal=KILL:when={number}", PROGRAM, *map(str, arguments)],
                                  cwd=fugu.folder, capture_output=True)
            if done.returncode == 0:
                break
            assert done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), done
            kills += 1
            yield f"{step} {number}"
    assert kills > 5, "the control: something was killed"


def check_pairs(folder, old=b""):
    """What stands beside the table is of the same release. The plan is told by its epsilon, which is 0.1 for the old one."""
    table, plan, receipt = (folder / name for name in NAMES)
    if not table.exists():
        assert not receipt.exists()
        return
    digest = "sha256:" + hashlib.sha256(table.read_bytes()).hexdigest()
    if receipt.exists():
        assert json.loads(receipt.read_text())["output"] == digest
    if plan.exists():
        assert (json.loads(plan.read_text())["scenario"]["epsilon"] == 0.1) == (table.read_bytes() == old)


@pytest.mark.skipif(not can_trace(), reason="needs strace, and the right to use it")
def test_a_kill_leaves_no_second_name(fugu, table):
    """Nothing of the output is there under another name, where nobody would look before the release is made void."""
    def clean():
        for path in fugu.folder.glob("out.csv*"):
            path.unlink()

    for moment in killed_at_each_step(fugu, release("0.1"), clean):
        assert {path.name for path in fugu.folder.glob("out.csv*")} <= set(NAMES), moment
        check_pairs(fugu.folder, (fugu.folder / "out.csv").read_bytes() if (fugu.folder / "out.csv").exists() else b"")


@pytest.mark.skipif(not can_trace(), reason="needs strace, and the right to use it")
def test_a_kill_leaves_no_output_beside_the_receipt_of_another(fugu, table):
    fugu.ok(*release("0.1"))
    old = {name: (fugu.folder / name).read_bytes() for name in NAMES}

    def as_before():
        for path in fugu.folder.glob("out.csv*"):
            path.unlink()
        for name, contents in old.items():
            (fugu.folder / name).write_bytes(contents)

    seen = set()
    for _ in killed_at_each_step(fugu, release("0.2", "--force"), as_before):
        check_pairs(fugu.folder, old["out.csv"])
        seen.add((fugu.folder / "out.csv").read_bytes() == old["out.csv"])
    assert seen == {True, False}, "the control: kills before and after the output appeared"


def failing(fugu, step, number, arguments):
    """The command, whose step of that number the kernel refuses."""
    return subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={step}", "-e", f"inject={step}:error=EIO:when={number}",
                           PROGRAM, *map(str, arguments)], cwd=fugu.folder, capture_output=True, text=True)


@pytest.mark.skipif(not can_trace(), reason="needs strace, and the right to use it")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_where_one_file_cannot_appear_none_does(fugu, table, number):
    """The plan, the output and the receipt are linked one after the other."""
    done = failing(fugu, "linkat", number, release("0.1"))
    assert done.returncode == 5 and NAMES[[1, 0, 2][number - 1]] in done.stderr, done
    assert [path.name for path in fugu.folder.iterdir()] == ["in.csv"]


@pytest.mark.skipif(not can_trace(), reason="needs strace, and the right to use it")
def test_where_nothing_can_be_replaced_the_old_files_stay(fugu, table):
    fugu.ok(*release("0.1"))
    old = {path.name: path.read_bytes() for path in fugu.folder.iterdir()}
    done = failing(fugu, "rename", 1, release("0.2", "--force"))
    assert done.returncode == 5 and "out.csv: " in done.stderr, done
    assert old == {path.name: path.read_bytes() for path in fugu.folder.iterdir()}


def test_releases_that_replace_one_another_wait(fugu, table):
    """Whoever holds the folder puts files there alone."""
    fugu.ok(*release("0.1"))
    old = (fugu.folder / "out.csv").read_bytes()
    folder = os.open(fugu.folder, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    process = start(fugu, *release("0.2", "--force"))
    time.sleep(0.5)
    assert process.poll() is None and (fugu.folder / "out.csv").read_bytes() == old
    check_pairs(fugu.folder, old)
    os.close(folder)
    process.communicate()
    assert process.returncode == 0 and (fugu.folder / "out.csv").read_bytes() != old
    check_pairs(fugu.folder, old)


def test_two_at_once_do_not_mix(fugu, table):
    for _ in range(8):
        running = [start(fugu, *release(epsilon, "--force")) for epsilon in ("0.1", "0.2", "0.3")]
        assert all((process.communicate(), process.returncode)[1] == 0 for process in running)
        told = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
        assert told["output"] == "sha256:" + hashlib.sha256((fugu.folder / "out.csv").read_bytes()).hexdigest()
        plan = json.loads((fugu.folder / "out.csv.plan.json").read_text())
        assert plan["scenario"]["epsilon"] == told["statement"]["guarantee"]["epsilon"]
        assert sorted(path.name for path in fugu.folder.iterdir()) == ["in.csv", *NAMES]


def test_a_plan_of_another_release_goes_and_its_own_stays(fugu, table):
    fugu.ok(*release("0.1"))
    fugu.ok("calibrate", table, *FLAGS, "--epsilon", "0.2", "-o", "plan.json")
    plan = fugu.folder / "out.csv.plan.json"
    before = plan.read_bytes()
    fugu.ok("release", "in.csv", "--plan", "out.csv.plan.json", "-o", "out.csv", "--force")
    assert plan.read_bytes() == before
    fugu.ok("release", "in.csv", "--plan", "plan.json", "-o", "out.csv", "--force")
    assert not plan.exists()
    assert sorted(path.name for path in fugu.folder.iterdir()) == ["in.csv", "out.csv", "out.csv.receipt.json", "plan.json"]


@pytest.mark.parametrize("taken", NAMES)
def test_a_name_that_is_taken_meanwhile_leaves_nothing_else(fugu, table, taken):
    ledger = ["--ledger", "budget.db", "--dataset", "d", "--budget", "1"]
    fugu.ok(*release("0.1", *ledger, output="first.csv"))
    holder = sqlite3.connect(fugu.folder / "budget.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    process = start(fugu, *release("0.1", *ledger))
    time.sleep(0.5)
    fugu.write(taken, "theirs")
    holder.execute("ROLLBACK")
    holder.close()
    assert f"{taken}: the file exists" in process.communicate()[1].decode() and process.returncode == 2
    assert [path.name for path in fugu.folder.glob("out.csv*")] == [taken] and (fugu.folder / taken).read_text() == "theirs"


@pytest.mark.parametrize("taken", ["rel.plan.json", "rel.receipt.json"])
def test_a_table_that_cannot_have_its_files_does_not_appear(fugu, taken):
    with sqlite3.connect(fugu.folder / "people.db") as people:
        people.execute("CREATE TABLE t (s, x)")
        people.executemany("INSERT INTO t VALUES (?, ?)", [("ab"[k % 2], k % 2) for k in range(200)])
    ask = ["release", "sqlite:people.db", "--table", "t", *FLAGS, "--epsilon", "0.1", "--ledger", "budget.db", "--dataset", "d",
           "--budget", "1", "--into"]
    fugu.ok(*ask, "first")
    holder = sqlite3.connect(fugu.folder / "budget.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    process = start(fugu, *ask, "rel")
    time.sleep(0.5)
    fugu.write(taken, "theirs")
    holder.execute("ROLLBACK")
    holder.close()
    assert f"{taken}: the file exists" in process.communicate()[1].decode() and process.returncode == 2
    with sqlite3.connect(fugu.folder / "people.db") as people:
        assert people.execute("SELECT name FROM sqlite_schema ORDER BY name").fetchall() == [("first",), ("t",)]
    assert [path.name for path in fugu.folder.glob("rel*")] == [taken]


def test_a_refusal_under_force_leaves_the_old_files(fugu, table):
    ledger = ["--ledger", "budget.db", "--dataset", "d"]
    fugu.ok(*release("0.1", *ledger, "--budget", "0.15"))
    old = {name: (fugu.folder / name).read_bytes() for name in NAMES}
    fugu.fails(6, *release("0.1", *ledger, "--force"))
    assert old == {name: (fugu.folder / name).read_bytes() for name in NAMES}
