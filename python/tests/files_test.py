"""Parquet files, released batch by batch."""

import datetime
import hashlib
import json
import os
import signal
import subprocess
import sys

import fugu
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fugu._whole import WholeFile
from tables import PEOPLE


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(pa.Table.from_pandas(PEOPLE, preserve_index=False), path)
    return path


def test_at_once(people, tmp_path):
    out = tmp_path / "out.parquet"
    plan = fugu.release_file(people, out, secret="race", public="hours", epsilon=0.1, method="exact")
    assert plan.to_json() == fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.1, method="exact").to_json()
    released = pq.read_table(out)
    assert released.column_names == ["hours"] and released.num_rows == len(PEOPLE)
    assert released.schema.field("hours").type == pa.int64()
    assert sorted(os.listdir(tmp_path)) == ["out.parquet", "out.parquet.plan.json", "out.parquet.receipt.json", "people.parquet"]
    assert (tmp_path / "out.parquet.plan.json").stat().st_mode & 0o777 == 0o600
    receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
    assert receipt["rows"] == len(PEOPLE)
    estimates = fugu.estimate(released, tmp_path / "out.parquet.receipt.json")
    assert estimates["estimates"][0]["rows"] == len(PEOPLE)
    assert "digest" in estimates["estimates"][0]["notes"][-1]
    assert receipt["output"] == "sha256:" + hashlib.sha256(out.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64(), pa.timestamp("ms"), pa.timestamp("ns")], ids=str)
def test_dates_come_back_in_their_type(tmp_path, kind):
    days = [19000 + k * 7 % 30 for k in range(600)]
    table = pa.table({"race": ["ab"[k % 2] for k in range(600)], "day": pa.array(days, pa.int32()).cast(pa.date32()).cast(kind)})
    pq.write_table(table, tmp_path / "in.parquet")
    plan = fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", secret="race", public="day", epsilon=0.5, date_unit="month")
    frame = table.to_pandas()
    same = fugu.Scenario.from_table(frame, secret="race", public="day", date_unit={"day": "month"})
    assert json.loads(plan.to_json())["scenario"]["priors"] == json.loads(fugu.calibrate(same, epsilon=0.5).to_json())["scenario"]["priors"]
    released = pq.read_table(tmp_path / "out.parquet")
    stored = pq.read_schema(tmp_path / "in.parquet").field("day").type  # Parquet has no date64
    assert released.schema.field("day").type == stored and released.num_rows == 600
    assert all(value.day == 1 for value in released["day"].to_pylist())
    assert plan.release(frame)["day"].dtype == frame["day"].dtype
    shaped = fugu.Scenario.from_table(frame, secret="race", public="day", clip=(datetime.date(2022, 1, 10), datetime.date(2022, 1, 20)))
    assert json.loads(shaped.to_json())["source"]["clip"] == ["2022-01-10", "2022-01-20"]


def test_another_releases_receipt_is_refused(people, tmp_path):
    out, again = tmp_path / "out.parquet", tmp_path / "again.parquet"
    plan = fugu.release_file(people, out, secret="race", public="hours", epsilon=0.1, method="exact")
    fugu.release_file(people, again, plan=plan)
    receipt = tmp_path / "out.parquet.receipt.json"
    assert fugu.estimate(out)["estimates"][0]["notes"] == []
    with pytest.raises(fugu.DataError, match="not the one"):
        fugu.estimate(again, receipt)
    released = pq.read_table(out).to_pandas()
    with pytest.raises(fugu.DataError, match="rows"):
        fugu.estimate(released.iloc[1:], receipt)
    assert fugu.estimate(released.iloc[1:], receipt, part=True)["estimates"][0]["rows"] == len(PEOPLE) - 1
    with pytest.raises(fugu.DataError, match="no column 'hours'"):
        fugu.estimate(released.rename(columns={"hours": "age"}), receipt)
    with pytest.raises(fugu.DataError, match="no column 'hours'"):
        fugu.estimate(released["hours"].rename("age"), receipt)
    assert fugu.estimate(released["hours"], receipt)["estimates"][0]["rows"] == len(PEOPLE)
    assert "names" in fugu.estimate(released["hours"].tolist(), receipt)["estimates"][0]["notes"][-1]


def test_by_a_plan(people, tmp_path):
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.1)
    out = tmp_path / "out.parquet"
    fugu.release_file(people, out, plan=plan, keep_unprotected="sex")
    assert pq.read_table(out).column_names == ["hours", "sex"]
    assert sorted(os.listdir(tmp_path)) == ["out.parquet", "out.parquet.receipt.json", "people.parquet"]
    with pytest.raises(fugu.UsageError, match="exists"):
        fugu.release_file(people, out, plan=plan)
    fugu.release_file(people, out, plan=plan, force=True)

    other = tmp_path / "other.parquet"
    pq.write_table(pa.Table.from_pandas(PEOPLE.iloc[1:], preserve_index=False), other)
    with pytest.raises(fugu.GuaranteeError):
        fugu.release_file(other, tmp_path / "o2.parquet", plan=plan)
    fugu.release_file(other, tmp_path / "o2.parquet", plan=plan, new_data=True)
    assert pq.read_table(tmp_path / "o2.parquet").num_rows == len(PEOPLE) - 1


def test_nothing_is_left_behind(people, tmp_path):
    before = sorted(os.listdir(tmp_path))
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(people.read_bytes()[:-100])
    for source, options, kind in [
        (people, {"secret": "race", "public": "nope", "epsilon": 1}, fugu.UsageError),
        (people, {"secret": "race", "public": "hours"}, fugu.UsageError),
        (people, {"epsilon": 1}, fugu.UsageError),
        (people, {"secret": "race", "public": "hours", "epsilon": 1, "keep_unprotected": "race"}, fugu.UsageError),
        (broken, {"secret": "race", "public": "hours", "epsilon": 1}, fugu.FileError),
        (tmp_path / "none.parquet", {"secret": "race", "public": "hours", "epsilon": 1}, fugu.FileError),
    ]:
        with pytest.raises(kind):
            fugu.release_file(source, tmp_path / "out.parquet", **options)
    with pytest.raises(OSError):
        fugu.release_file(people, tmp_path / "no-such-folder" / "out.parquet", secret="race", public="hours", epsilon=1)
    with pytest.raises(fugu.UsageError, match="this is the input"):
        fugu.release_file(people, people, secret="race", public="hours", epsilon=1, force=True)
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "broken.parquet"])


def test_an_input_that_is_missing(people, tmp_path):
    out = tmp_path / "out.parquet"
    out.write_text("old")
    with pytest.raises(fugu.FileError, match="missing.parquet: it cannot be read") as raised:
        fugu.release_file(tmp_path / "missing.parquet", out, secret="race", public="hours", epsilon=1, force=True)
    assert raised.value.hint == "check the name of the file" and out.read_text() == "old"


def test_the_input_is_none_of_what_is_written(people, tmp_path):
    beside = tmp_path / "out.receipt.json"
    os.rename(people, beside)
    before = beside.read_bytes()
    with pytest.raises(fugu.UsageError, match="out.receipt.json: this is the input"):
        fugu.release_file(beside, tmp_path / "out", secret="race", public="hours", epsilon=1, force=True)
    assert beside.read_bytes() == before


@pytest.fixture
def between_the_names(monkeypatch):
    """Runs something once between the names of two files: after the first of them has its own."""

    def arrange(happen):
        commit, waiting = WholeFile.commit, [happen]

        def commit_and_then(file):
            commit(file)
            while waiting:
                waiting.pop()()

        monkeypatch.setattr(WholeFile, "commit", commit_and_then)

    return arrange


def test_ctrl_c_waits_until_all_files_have_their_names(people, tmp_path, between_the_names):
    between_the_names(lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        fugu.release_file(people, tmp_path / "out.parquet", secret="race", public="hours", epsilon=1)
    assert sorted(os.listdir(tmp_path)) == ["out.parquet", "out.parquet.plan.json", "out.parquet.receipt.json", "people.parquet"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_name_that_was_taken_meanwhile_leaves_no_other(people, tmp_path, between_the_names):
    between_the_names(lambda: (tmp_path / "out.parquet.receipt.json").write_text("another"))
    with pytest.raises(fugu.UsageError, match="out.parquet.receipt.json: the file exists"):
        fugu.release_file(people, tmp_path / "out.parquet", secret="race", public="hours", epsilon=1)
    assert sorted(os.listdir(tmp_path)) == ["out.parquet.receipt.json", "people.parquet"]


def test_only_ordinary_files_are_replaced(people, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.symlink(tmp_path / "elsewhere", tmp_path / "link")
    for name in ("pipe", "link"):
        with pytest.raises(fugu.UsageError, match="no ordinary file"):
            fugu.release_file(people, tmp_path / name, secret="race", public="hours", epsilon=1, force=True)
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=1)
    with pytest.raises(fugu.UsageError, match="no ordinary file"):
        plan.save(tmp_path / "link", force=True)


def test_a_release_that_fails_keeps_what_it_would_replace(people, tmp_path):
    out = tmp_path / "out.parquet"
    plan = fugu.release_file(people, out, secret="race", public="hours", epsilon=0.1)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    other = tmp_path / "people.parquet"
    pq.write_table(pa.Table.from_pandas(PEOPLE.assign(hours=99), preserve_index=False), other)
    before["people.parquet"] = other.read_bytes()
    with pytest.raises(fugu.DataError):
        fugu.release_file(other, out, plan=plan, new_data=True, force=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_parquet_files_are_tables(people, tmp_path):
    of_file = fugu.Scenario.from_table(people, secret="race", public="hours")
    assert of_file == fugu.Scenario.from_table(PEOPLE, secret="race", public="hours")
    fugu.release_file(people, tmp_path / "out.parquet", secret="race", public="hours", epsilon=0.1, method="exact")
    assert fugu.estimate(tmp_path / "out.parquet")["estimates"][0]["rows"] == len(PEOPLE)


def test_an_unknown_value_late_in_the_file_leaves_nothing(tmp_path):
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.1)
    rows = pd.concat([PEOPLE] * 400 + [PEOPLE.assign(hours=99)], ignore_index=True)
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pandas(rows, preserve_index=False), path)
    with pytest.raises(fugu.DataError, match=f"row {400 * len(PEOPLE) + 1}, .*does not know this value"):
        fugu.release_file(path, tmp_path / "out.parquet", plan=plan, new_data=True)
    assert os.listdir(tmp_path) == ["in.parquet"]
    fugu.release_file(path, tmp_path / "out.parquet", plan=plan, new_data=True, drop=True)
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 400 * len(PEOPLE)


def test_texts_that_are_read_as_codes_are_the_same_texts(tmp_path):
    """Whatever layout the file has, its scenario is that of the table, and what is written has the file's types."""
    races = [["white", "black", "", None, "a race of more than sixteen bytes"][k * 7 % 5] for k in range(3000)]
    hours = pa.array([20 + k * 11 % 3 for k in range(3000)])
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        table = pa.table({"race": pa.array(races).cast(pa.string()).cast(kind), "hours": hours})
        pq.write_table(table, tmp_path / "in.parquet", row_group_size=700)
        options = {"secret": "race", "public": "hours", "missing": "keep"}
        scenario = fugu.Scenario.from_table(tmp_path / "in.parquet", **options)
        assert scenario.to_json() == fugu.Scenario.from_table(table, **options).to_json()
        plan = fugu.calibrate(scenario, epsilon=1)
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, keep_unprotected=[], force=True)
        assert pq.read_table(tmp_path / "out.parquet").schema.names == ["hours"]
    pq.write_table(pa.table({"race": [["a", "b"][k % 2] for k in range(3000)], "job": [["x", "y", "z"][k * 7 % 3] for k in range(3000)]}), tmp_path / "in.parquet")
    fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", secret="race", public="job", epsilon=1, force=True)
    assert pq.read_schema(tmp_path / "out.parquet").field("job").type == pa.string()


def test_the_file_that_was_opened_is_read_to_the_end(people, tmp_path):
    """A file that takes its name meanwhile is noticed, and never read."""
    table = fugu.files._Input(str(people))
    os.replace(people, tmp_path / "moved.parquet")
    pq.write_table(pa.table({"race": ["other"] * 9, "hours": [1] * 9}), people)
    assert table.reader(["race", "hours"]).read_all().num_rows == len(PEOPLE)
    with pytest.raises(fugu.FileError, match="was changed"):
        table.check_same()


@pytest.mark.parametrize("most", [0, 200_000, 1 << 20])
@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.large_string()], ids=str)
def test_rows_that_are_remembered_come_out_as_those_that_are_read(tmp_path, monkeypatch, kind, most):
    """Without noise they are the file's, however many of them were remembered when they were counted, and in the same row groups."""
    monkeypatch.setattr(fugu.files, "_MOST_ORDER", most)
    values = pa.array([str(k * k % 7) for k in range(0, 400_000, 2) for _ in "ab"]).cast(kind)
    table = pa.table({"s": pa.array(["a", "b"] * 200_000), "v": values})
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(table, source, row_group_size=70_000)
    reader, read = fugu.files._Input.reader, []

    def counting(self, columns, written=(), first=0):
        read.append(first)
        return reader(self, columns, written, first)

    monkeypatch.setattr(fugu.files._Input, "reader", counting)
    options = {"kind": {"v": "category"}} if kind != pa.int64() else {}
    plan = fugu.release_file(source, out, secret="s", public="v", epsilon=0.1, **options)
    released = pq.read_table(out)
    assert released.schema.field("v").type == kind and released["v"].to_pylist() == values.to_pylist()
    assert [pq.ParquetFile(out).metadata.row_group(k).num_rows for k in range(4)] == [1 << 17, 1 << 17, 1 << 17, 400_000 - 3 * (1 << 17)]
    receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
    assert receipt["rows"] == 400_000 and receipt["output"] == "sha256:" + hashlib.sha256(out.read_bytes()).hexdigest()
    assert len(read) == (1 if most >= 400_000 else 2) and (most == 0 or max(read[1:], default=1) > 0)
    fugu.release_file(source, out, plan=plan, force=True)
    assert pq.read_table(out)["v"].to_pylist() == values.to_pylist()
    assert len(read) == (2 if most >= 400_000 else 4)
    both = table.append_column("other", values)
    pq.write_table(both, source)
    fugu.release_file(source, out, plan=plan, keep_unprotected="other", force=True)
    assert pq.read_table(out).equals(both.select(["v", "other"]))


@pytest.mark.parametrize("most", [0, 300, 1 << 20])
def test_rows_that_are_left_out_are_so_whether_remembered_or_read(tmp_path, monkeypatch, most):
    monkeypatch.setattr(fugu.files, "_MOST_ORDER", most)
    values = [None if k % 5 == 0 else k // 2 % 7 for k in range(60_000)]
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"s": [["a", "b", None][k % 3] for k in range(60_000)], "v": values}), source, row_group_size=7000)
    with pytest.raises(fugu.DataError, match="row 1, column 'v'"):
        fugu.release_file(source, out, secret="s", public="v", epsilon=1)
    plan = fugu.release_file(source, out, secret="s", public="v", epsilon=1, missing="drop")
    stay = sum(value is not None and k % 3 != 2 for k, value in enumerate(values))
    for _ in range(2):
        receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
        assert pq.read_table(out).num_rows == receipt["rows"] == stay
        fugu.release_file(source, out, plan=plan, drop=True, force=True)
    other = tmp_path / "other.parquet"
    pq.write_table(pq.read_table(source).slice(3), other)
    with pytest.raises(fugu.GuaranteeError, match="not the one"):
        fugu.release_file(other, out, plan=plan, force=True)


def test_memory_stays_bounded(tmp_path):
    """A file of 160 MB of numbers is released in far less memory than it has."""
    path = tmp_path / "big.parquet"
    schema = pa.schema([("s", pa.string()), ("v", pa.int64())])
    random = np.random.default_rng(5)
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for _ in range(40):
            secret = random.integers(0, 2, 250_000)
            columns = [pa.array(np.where(secret == 1, "A", "B")), pa.array(random.binomial(20, 0.4 + 0.1 * secret))]
            writer.write_table(pa.table(columns, schema=schema))
    code = (
        "import fugu, sys, resource, pyarrow.parquet as pq\n"
        "def peak(): return int([l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1]) // 1024\n"
        "before = peak()\n"
        "fugu.release_file(sys.argv[1], sys.argv[2], secret='s', public='v', epsilon=0.5)\n"
        "print(peak() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path, tmp_path / "out.parquet"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert pq.ParquetFile(tmp_path / "out.parquet").metadata.num_rows == 10_000_000
    assert int(done.stdout) < 150, "MiB beyond the packages themselves"


def test_what_is_whole_but_not_released_is_its_owners_alone(tmp_path, monkeypatch):
    """A ledger may still refuse it: until it has its name nobody else may read it. The umask is every thread's, and stays."""
    mask = os.umask(0)
    os.umask(mask)
    monkeypatch.delattr(os, "umask")
    with WholeFile(str(tmp_path / "out.csv"), force=False) as file:
        file.write("x\n")
        assert os.stat(file.temporary).st_mode & 0o077 == 0
        file.commit()
    assert (tmp_path / "out.csv").stat().st_mode & 0o777 == 0o666 & ~mask


def test_what_replaces_a_file_may_be_read_by_nobody_else(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("old")
    path.chmod(0o600)
    with WholeFile(str(path), force=True) as file:
        file.write("x\n")
        file.commit()
    assert path.read_text() == "x\n" and path.stat().st_mode & 0o777 == 0o600
