"""fugu release as a user runs it: what is written, what never is, and what happens when things go wrong."""

import gzip
import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time

import pytest

from conftest import PROGRAM

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


@pytest.fixture
def table(fugu):
    rows = "".join(f"{'ab'[k % 2]},{k % 7 + k % 2}\n" for k in range(1000))
    return fugu.write("in.csv", "s,x\n" + rows)


@pytest.fixture
def plan(fugu, table):
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    return fugu.folder / "plan.json"


def test_one_line_release_writes_output_receipt_and_plan(fugu, table):
    said = fugu.ok("release", table, *FLAGS, "-o", "out.csv")
    assert "Released 1,000 rows to out.csv" in said
    lines = (fugu.folder / "out.csv").read_text().splitlines()
    assert lines[0] == "x" and len(lines) == 1001
    assert all(line.lstrip("-").isdigit() for line in lines[1:])
    plan = fugu.folder / "out.csv.plan.json"
    assert stat.S_IMODE(plan.stat().st_mode) == 0o600
    fugu.ok("verify", plan)
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    assert receipt["rows"] == 1000 and receipt["statement_digest"].startswith("sha256:")
    assert json.loads(plan.read_text())["digest"] not in json.dumps(receipt)
    digest = subprocess.run(["sha256sum", fugu.folder / "out.csv"], capture_output=True, text=True).stdout.split()[0]
    assert receipt["output"] == "sha256:" + digest
    assert receipt["statement"]["guarantee"]["epsilon"] == 0.5


def test_what_a_pipe_yields_next_is_another_table(fugu):
    """It is read twice, and nothing says that both times are the same: the second one is looked at as if it were new."""
    rows = {"first": "s,x\n" + "1,1\n2,1\n1,2\n2,2\n" * 60, "swapped": "x,s\n" + "1,1\n1,2\n2,1\n2,2\n" * 60,
            "fewer": "s,x\n" + "1,1\n2,1\n1,2\n2,2\n" * 59}
    pipe = fugu.folder / "pipe"
    os.mkfifo(pipe)
    ask = ["release", pipe, *FLAGS, "--method", "exact", "--rows-independent", "--keep-order", "-o", "out.csv", "--force"]

    def feed(second):
        for table in (rows["first"], second):
            with pipe.open("w") as end:
                end.write(table)
            time.sleep(0.3)  # until the reader has closed it

    for second, status in (("first", 0), ("swapped", 0), ("fewer", 4)):
        feeder = threading.Thread(target=feed, args=(rows[second],), daemon=True)
        feeder.start()
        assert fugu(*ask).status == status
        feeder.join()
        if status == 0:
            x = 0 if second == "swapped" else 1
            table = [row.split(",") for row in rows[second].splitlines()]
            assert (fugu.folder / "out.csv").read_text().split() == [row[x] for row in table]


def test_flags_are_judged_before_the_table(fugu):
    for wrong in (["--missing", "some"], ["--kind", "x"], ["--delta", "9"]):
        assert fugu("release", "nothing.csv", *FLAGS, *wrong, "-o", "out.csv").status == 2
    fugu.fails(5, "release", "nothing.csv", *FLAGS, "-o", "out.csv", says="there is no such file")


def test_a_column_that_is_the_weight_is_nobody_s_number(fugu):
    """Whoever names it says what it is: in one go and by a plan."""
    fugu.write("in.csv", "s,x,person_id\n" + "a,1,1\nb,1,1\n" * 5)
    fugu.ok("release", "in.csv", *FLAGS, "--weight", "person_id", "-o", "out.csv")
    fugu.ok("release", "in.csv", "--plan", "out.csv.plan.json", "-o", "again.csv")


def test_release_by_plan_checks_the_table(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv")
    other = fugu.write("other.csv", table.read_text() + "a,1\n")
    fugu.fails(4, "release", other, "--plan", plan, "-o", "other-out.csv", says=["not the one", "--new-data"])
    fugu.ok("release", other, "--plan", plan, "--new-data", "-o", "other-out.csv")
    assumed = [any("each with one of the same secrets" in said for said in json.loads((fugu.folder / name).read_text())["statement"]["assumptions"])
               for name in ("out.csv.receipt.json", "other-out.csv.receipt.json")]
    assert assumed == [False, True], "what the promise needs of other rows is said with it"


def test_new_data_has_no_other_secrets(fugu, table, plan):
    """Nothing is promised about a secret that the plan has never seen: its values may go with it alone."""
    stranger = fugu.write("stranger.csv", table.read_text() + "c,1\n" * 3)
    release = ["release", stranger, "--plan", plan, "--new-data"]
    fugu.fails(3, *release, "-o", "out.csv", says=["line 1002", "does not know this secret", "--missing drop"])
    said = fugu.ok(*release, "--missing", "drop", "-o", "out.csv")
    assert "1,000 rows" in said and "one of its secrets" in said
    lines = [line.split(",")[1] for line in table.read_text().splitlines()]
    fugu.write("alone.csv", "\n".join(lines) + "\n")
    fugu.ok("release", "alone.csv", "--plan", plan, "--new-data", "-o", "alone-out.csv")  # it need not say whose they are


def test_new_data_with_two_columns_of_the_secrets_name_is_refused(fugu, table, plan):
    """Which of them holds the secret is not known, so that neither can be checked: no reason to check nothing."""
    rows = table.read_text().splitlines()
    fugu.write("twice.csv", "s,x,s\n" + "".join(f"{row},c\n" for row in rows[1:]))
    fugu.fails(2, "release", "twice.csv", "--plan", plan, "--new-data", "-o", "out.csv",
               says=["--plan", "several columns named 's'", "1 or 3"])
    fugu.fails(2, "release", "twice.csv", "--plan", plan, "-o", "out.csv", says="several columns named 's'")


def test_standard_streams(fugu, table, plan):
    out = fugu.ok("release", "-", "--plan", plan, "--new-data", "-o", "-", stdin=table.read_bytes())
    assert len(out.splitlines()) == 1001
    fugu.fails(2, "release", "-", "--plan", plan, "-o", "-", says="--new-data", stdin=table.read_bytes())


def test_compressed_both_ways(fugu, table, plan):
    packed = fugu.write("in.csv.gz", gzip.compress(table.read_bytes()))
    fugu.ok("release", packed, "--plan", plan, "-o", "out.csv.gz")
    assert len(gzip.decompress((fugu.folder / "out.csv.gz").read_bytes()).splitlines()) == 1001
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv.zst")
    assert (fugu.folder / "out.csv.zst").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    if shutil.which("zstd"):
        text = subprocess.run(["zstd", "-dc", fugu.folder / "out.csv.zst"], capture_output=True, check=True).stdout
        assert len(text.splitlines()) == 1001


def test_the_secret_is_never_written(fugu, table, plan):
    fugu.fails(2, "release", table, "--plan", plan, "--keep-unprotected", "s", "-o", "out.csv", says="is the secret")
    fugu.fails(2, "release", table, "--plan", plan, "--keep", "s", "-o", "out.csv", says="--keep")


def test_kept_columns_are_told(fugu):
    table = fugu.write("in.csv", "s,k,x\n" + "".join(f"{'ab'[i % 2]},k{i},{i % 3}\n" for i in range(60)))
    said = fugu("release", table, *FLAGS, "--keep-unprotected", "k", "-o", "out.csv")
    assert said.err == ("fugu: warning: --keep-unprotected: k is released exactly as it is: nothing is promised about what it "
                        "says of the secret\n")
    lines = (fugu.folder / "out.csv").read_text().splitlines()
    assert lines[0] == "k,x" and [line.split(",")[0] for line in lines[1:]] == [f"k{i}" for i in range(60)]
    statement = json.loads((fugu.folder / "out.csv.receipt.json").read_text())["statement"]
    assert statement["columns"]["kept_unprotected"] == ["k"] and "nothing is promised" in statement["statement"]


def test_existing_files_need_force_and_the_input_is_safe(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv")
    before = (fugu.folder / "out.csv").read_bytes()
    fugu.fails(2, "release", table, "--plan", plan, "-o", "out.csv", says="exists")
    assert (fugu.folder / "out.csv").read_bytes() == before
    fugu.ok("release", table, "--plan", plan, "-o", "out.csv", "--force")
    fugu.fails(2, "release", table, "--plan", plan, "-o", table, "--force", says="this is the input")
    (fugu.folder / "link.csv").symlink_to(table)
    fugu.fails(2, "release", table, "--plan", plan, "-o", "link.csv", "--force", says="this is the input")


def test_no_name_that_is_written_is_one_that_is_read(fugu, table, plan):
    for read, out in (("p.csv", "p.csv"), ("q.csv.receipt.json", "q.csv")):
        shutil.copy(plan, fugu.folder / read)
        fugu.fails(2, "release", table, "--plan", read, "--force", "-o", out, says="this is the input")
        assert json.loads((fugu.folder / read).read_text())["fugu"] == 1
    shutil.copy(table, fugu.folder / "w.csv.plan.json")
    fugu.fails(2, "release", "w.csv.plan.json", *FLAGS, "--force", "-o", "w.csv", says="this is the input")


def test_a_failed_release_leaves_no_plan(fugu, table):
    fugu.fails(2, "release", table, *FLAGS, "--keep-unprotected", "s", "-o", "left.csv", says="is the secret")
    fugu.ok("release", table, *FLAGS, "-o", "left.csv")


def test_flags_that_the_plan_has_said(fugu, table, plan):
    fugu.fails(2, "release", table, "--plan", plan, "--epsilon", "1", "-o", "out.csv", says="--epsilon")
    fugu.fails(2, "release", table, *FLAGS, says="-o")
    fugu.fails(2, "release", table, *FLAGS, "--new-data", "-o", "out.csv", says="--plan")


def test_statement(fugu, plan):
    fugu.ok("statement", plan, "-o", "statement.json")
    statement = json.loads((fugu.folder / "statement.json").read_text())
    assert set(statement) == {"fugu", "statement", "guarantee", "columns", "mechanism", "assumptions", "estimate"}
    counts = json.loads(plan.read_text())["scenario"]["priors"][0]["given"]["a"]["mass"]
    assert not any(f" {count}" in json.dumps(statement["mechanism"]) for count in counts)
    assert "at most 62.3 %" in fugu.ok("statement", plan)


def big_table(fugu, rows=400_000):
    return fugu.write("big.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 9}\n" for k in range(1000)) * (rows // 1000))


def leftovers(folder, before):
    return sorted(path.name for path in folder.iterdir() if path.name not in before)


def test_kill_at_any_moment_leaves_no_part(fugu):
    table = big_table(fugu)
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    before = {path.name for path in fugu.folder.iterdir()}
    command = [PROGRAM, "release", str(table), "--plan", "plan.json", "-o", "out.csv"]
    start = time.time()
    subprocess.run(command, cwd=fugu.folder, check=True, capture_output=True)
    whole = time.time() - start
    size = len((fugu.folder / "out.csv").read_bytes().splitlines())
    rng = random.Random(7)
    for _ in range(200 if os.environ.get("FUGU_LONG") else 20):
        for name in leftovers(fugu.folder, before):
            (fugu.folder / name).unlink()
        process = subprocess.Popen(command, cwd=fugu.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, whole * 1.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (fugu.folder / "out.csv").exists():
            assert len((fugu.folder / "out.csv").read_bytes().splitlines()) == size
        else:
            assert leftovers(fugu.folder, before) == []


def test_kill_leaves_the_old_file(fugu):
    table = big_table(fugu)
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    old = fugu.write("out.csv", "old\n")
    process = subprocess.Popen([PROGRAM, "release", str(table), "--plan", "plan.json", "-o", "out.csv", "--force"],
                               cwd=fugu.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    text = old.read_text()
    assert text == "old\n" or len(text.splitlines()) == 400_001


def test_interrupt_cleans_up(fugu):
    table = big_table(fugu, 4_000_000)
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    before = {path.name for path in fugu.folder.iterdir()}
    process = subprocess.Popen([PROGRAM, "release", str(table), "--plan", "plan.json", "-o", "out.csv"],
                               cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    if process.returncode == 0:
        pytest.skip("the release was done before the signal came")
    assert process.returncode in (128 + signal.SIGINT, -signal.SIGINT), err
    assert leftovers(fugu.folder, before) == []


def test_a_limit_of_file_size_is_an_error_like_any_other(fugu):
    table = big_table(fugu)
    before = {path.name for path in fugu.folder.iterdir()}
    done = subprocess.run([PROGRAM, "release", table, *FLAGS, "-o", "out.csv"], cwd=fugu.folder, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)))
    assert done.returncode == 5 and "File too large" in done.stderr and len(done.stderr.splitlines()) == 2, done
    assert leftovers(fugu.folder, before) == []


@pytest.mark.skipif(os.geteuid() != 0 or not sys.platform.startswith("linux"), reason="mounting needs root")
def test_full_disk(fugu):
    table = big_table(fugu)
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    disk = fugu.folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True).returncode != 0:
        pytest.skip("no tmpfs can be mounted here")
    try:
        result = fugu("release", table, "--plan", "plan.json", "-o", "disk/out.csv")
        assert result.status == 5 and "No space left" in result.err and len(result.err.splitlines()) == 2, result
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", disk], check=True)


def test_what_is_wrong_with_a_table_is_found_before_its_rows_are_on_standard_output(fugu, table, plan):
    rows = table.read_text().splitlines()[1:]
    fugu.write("other.csv", "s,x\n" + "\n".join(rows * 700) + "\na,99\n")
    fugu.fails(3, "release", "other.csv", "--plan", plan, "--new-data", "-o", "-", says="line 700002")
    fugu.write("kept.csv", "s,k,x\n" + "".join(row.replace(",", ",k,") + "\n" for row in rows * 700))
    keep = ["release", "kept.csv", "--plan", plan, "--new-data", "--keep-unprotected", "k"]
    fugu.fails(3, *keep, "-o", "kept-out.csv", says="--no-header")
    # Where a row is refused after others are out, the kept columns show which.
    fugu.fails(2, *keep, "-o", "-", says=["-o -", "refused or left out"])
    fugu.fails(2, "release", table, "--plan", plan, "--keep-unprotected", "s", "-o", "-")
    # All rows come, whether they fit what is held back or not.
    for times in (1, 2500):
        fugu.write("long.csv", "s,x\n" + "\n".join(rows * times) + "\n")
        out = fugu.ok("release", "long.csv", "--plan", plan, "--new-data", "-o", "-").splitlines()
        assert out[0] == "x" and len(out) == 1 + 1000 * times


def test_closed_pipe(fugu):
    table = big_table(fugu)
    fugu.ok("calibrate", table, *FLAGS, "-o", "plan.json")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([PROGRAM, "release", str(table), "--plan", "plan.json", "--new-data", "-o", "-"],
                          cwd=fugu.folder, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert done.returncode == 5 and len(done.stderr.splitlines()) == 2, done


def test_odd_files(fugu):
    header_only = fugu.write("header.csv", "s,x\n")
    fugu.fails(3, "release", header_only, *FLAGS, "-o", "out.csv", says="no rows")
    fugu.write("two.csv", "s,x\na,1\nb,1\n")
    fugu.ok("calibrate", "two.csv", *FLAGS, "-o", "two.json")
    fugu.ok("release", header_only, "--plan", "two.json", "--new-data", "-o", "none.csv")
    assert (fugu.folder / "none.csv").read_text() == "x\n"
    fugu.write("one.csv", "s,x\na,1")
    fugu.ok("release", "one.csv", "--plan", "two.json", "--new-data", "-o", "one-out.csv")
    assert (fugu.folder / "one-out.csv").read_text() == "x\n1"
    wide = "w" * 10_000_000
    fugu.write("wide.csv", f"s,k,x\na,{wide},1\nb,v,1\n")
    fugu.ok("release", "wide.csv", "--plan", "two.json", "--keep-unprotected", "k", "-o", "wide-out.csv")
    assert (fugu.folder / "wide-out.csv").read_text() == f"k,x\n{wide},1\nv,1\n"


def test_threads_change_nothing_but_the_noise(fugu):
    rows = "".join(f"{'ab'[k % 2]},\"k,{k}\",{k % 5}\r\n" for k in range(20000))
    table = fugu.write("in.csv", "s,k,x\r\n" + rows)
    kept = set()
    for threads in ("1", "2", "7"):
        fugu.ok("release", table, *FLAGS, "--keep-unprotected", "k", "--threads", threads, "-o", f"out{threads}.csv")
        text = (fugu.folder / f"out{threads}.csv").read_bytes()
        kept.add(tuple(line.rpartition(b",")[0] for line in text.split(b"\r\n")))
    assert len(kept) == 1


def test_noise_of_two_releases_differs(fugu, table, plan):
    fugu.ok("release", table, "--plan", plan, "-o", "first.csv")
    fugu.ok("release", table, "--plan", plan, "-o", "second.csv")
    assert (fugu.folder / "first.csv").read_bytes() != (fugu.folder / "second.csv").read_bytes()
