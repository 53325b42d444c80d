"""What others on the same machine see of a release while it runs: rights, names, links.

The defences are in fugu/file/atomic_file.cc. Creating the unnamed file with the output's mode makes
test_what_is_being_written_is_the_owners_alone fail; following links, as canonical() or stat() would, makes the tests of
links fail; making a ledger with O_CREAT alone, or not looking at its mode, makes those of ledgers fail; writing under the output's own name makes test_nothing_has_a_name_before_it_is_whole fail.
"""

import os
import sqlite3
import stat
import subprocess

import pytest

from conftest import PROGRAM

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


@pytest.fixture
def plan(fugu):
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 7 + k % 2}\n" for k in range(700)))
    fugu.ok("calibrate", "in.csv", *FLAGS, "-o", "plan.json")
    return fugu.folder / "plan.json"


@pytest.fixture
def writing(fugu, plan):
    """A release into out/out.csv that has read some rows and waits for more."""
    (fugu.folder / "out").mkdir()
    process = subprocess.Popen([PROGRAM, "release", "-", "--plan", "plan.json", "--new-data", "-o", "out/out.csv"],
                               cwd=fugu.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, umask=0o022)
    process.stdin.write(b"x\n" + b"3\n" * 3_000_000)
    process.stdin.flush()
    yield process
    process.kill()
    process.wait()


def open_files(process, folder):
    """(path, mode) of what it has open in that folder, to write."""
    found = []
    for name in os.listdir(f"/proc/{process.pid}/fd"):
        path = f"/proc/{process.pid}/fd/{name}"
        leads = os.readlink(path)
        if leads.startswith(str(folder)):
            found.append((leads, stat.S_IMODE(os.stat(path).st_mode)))
    return found


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs Linux's /proc")
def test_what_is_being_written_is_the_owners_alone(fugu, writing):
    found = open_files(writing, fugu.folder / "out")
    assert len(found) == 2  # the table and its receipt
    assert {mode for _, mode in found} == {0o600}
    writing.stdin.close()
    assert writing.wait(60) == 0
    assert stat.S_IMODE((fugu.folder / "out" / "out.csv").stat().st_mode) == 0o644


def test_nothing_has_a_name_before_it_is_whole(fugu, writing):
    try:
        os.close(os.open(fugu.folder, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        pytest.skip("this file system has no unnamed files")
    assert list((fugu.folder / "out").iterdir()) == []
    writing.stdin.close()
    assert writing.wait(60) == 0
    assert sorted(path.name for path in (fugu.folder / "out").iterdir()) == ["out.csv", "out.csv.receipt.json"]


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
@pytest.mark.parametrize("name", ["out.csv", "out.csv.receipt.json", "out.csv.plan.json"])
@pytest.mark.parametrize("there", [True, False], ids=["file", "nothing"])
def test_links_at_the_output_are_refused(fugu, plan, name, force, there):
    """Somebody who may write in the folder puts a link where the output, its receipt or its plan will be."""
    victim = fugu.folder / "victim"
    if there:
        victim.write_text("untouched")
    (fugu.folder / name).symlink_to(victim)
    fugu.fails(2, "release", "in.csv", *FLAGS, "-o", "out.csv", *force, says="symbolic link")
    assert victim.exists() == there and (not there or victim.read_text() == "untouched")


@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_a_link_that_comes_while_it_is_written_is_not_followed(fugu, plan, force):
    victim = fugu.folder / "victim"
    victim.write_text("untouched")
    process = subprocess.Popen([PROGRAM, "release", "-", "--plan", "plan.json", "--new-data", "-o", "out.csv", *force],
                               cwd=fugu.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write(b"x\n" + b"3\n" * 3_000_000)  # more than the pipe holds: the release has begun
    process.stdin.flush()
    (fugu.folder / "out.csv").symlink_to(victim)
    process.stdin.close()
    assert process.wait(60) == (0 if force else 2)
    assert victim.read_text() == "untouched"
    assert (fugu.folder / "out.csv").is_symlink() != bool(force)  # refused, or replaced


def test_private_files_stay_private(fugu, plan):
    fugu.ok("release", "in.csv", *FLAGS, "-o", "out.csv", "--ledger", "budget.db", "--dataset", "d", "--budget", "1")
    for name in ("plan.json", "out.csv.plan.json", "budget.db"):
        assert stat.S_IMODE((fugu.folder / name).stat().st_mode) == 0o600, name


@pytest.mark.parametrize("mode", [0o666, 0o640, 0o602, 0o610])
def test_a_ledger_that_others_may_open_is_refused(fugu, plan, mode):
    """Somebody made the file before: what is written into it would be theirs to read."""
    ledger = fugu.write("budget.db", "")
    ledger.chmod(mode)
    ask = ["release", "in.csv", *FLAGS, "-o", "out.csv", "--ledger", "budget.db", "--dataset", "d", "--budget", "1"]
    fugu.fails(2, *ask, says="chmod 600 budget.db")
    assert ledger.read_bytes() == b""
    ledger.chmod(0o600)
    fugu.ok(*ask)
    ledger.chmod(mode)
    for command in (["show"], ["void", "1", "--reason", "x"]):
        fugu.fails(2, "ledger", *command, "--ledger", "budget.db", says="chmod 600")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_ledger_of_another_user_is_refused(fugu, plan):
    ledger = fugu.write("budget.db", "")
    ledger.chmod(0o600)
    os.chown(ledger, 65534, 65534)
    fugu.fails(2, "release", "in.csv", *FLAGS, "-o", "out.csv", "--ledger", "budget.db", "--dataset", "d", "--budget", "1",
               says="another user")


@pytest.mark.parametrize("ending", ["", "-journal"])
def test_no_ledger_is_made_through_a_link(fugu, plan, ending):
    (fugu.folder / f"budget.db{ending}").symlink_to("elsewhere")
    fugu.fails(2, "release", "in.csv", *FLAGS, "-o", "out.csv", "--ledger", "budget.db", "--dataset", "d", "--budget", "1",
               says=f"budget.db{ending} is ")
    assert not (fugu.folder / "elsewhere").exists()


def test_what_the_ledger_keeps_beside_is_private_too(fugu, plan):
    """A transaction that changes pages keeps the old ones in a journal."""
    fugu.ok("release", "in.csv", *FLAGS, "-o", "out.csv", "--ledger", "budget.db", "--dataset", "d", "--budget", "1")
    for mode in ("DELETE", "WAL"):
        ledger = sqlite3.connect(fugu.folder / "budget.db", isolation_level=None)
        ledger.execute(f"PRAGMA journal_mode = {mode}")
        ledger.execute("BEGIN IMMEDIATE")
        ledger.execute("UPDATE releases SET reason = 'x'")
        beside = [path for path in fugu.folder.iterdir() if path.name.startswith("budget.db-")]
        assert beside and all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in beside)
        ledger.execute("ROLLBACK")
        ledger.close()


def test_an_audit_leaves_nothing_behind(fugu, plan, tmp_path_factory):
    """Its draws are in memory alone: no file in the folder, none in the folder for temporary files."""
    spool = tmp_path_factory.mktemp("spool")
    before = sorted(fugu.folder.iterdir())
    fugu.ok("audit", "plan.json", "--draws", "1000", TMPDIR=str(spool))
    assert sorted(fugu.folder.iterdir()) == before and list(spool.iterdir()) == []
