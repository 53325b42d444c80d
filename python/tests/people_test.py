"""One person, several rows; weights; counted tables: frames as files."""

import io
import json
import pickle
import random
import re

import fugu
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ASK = {"secret": "race", "public": "x"}


def table(seed=1, people=200):
    rng = random.Random(seed)
    rows = []
    for person in range(people):
        for _ in range(rng.choice([1, 1, 2, 4])):
            race = rng.choice("ab")
            rows.append((person, race, rng.randrange(4) + (race == "a"), rng.choice([0.5, 1.0, 2.25]), rng.randrange(3)))
    rng.shuffle(rows)
    return pd.DataFrame(rows, columns=["patient_nbr", "race", "x", "w", "n"])


def frames(df):
    yield df
    yield pl.from_pandas(df)
    yield pa.Table.from_pandas(df, preserve_index=False)
    duckdb = pytest.importorskip("duckdb")
    yield duckdb.from_df(df)


def number_of(released):
    return released.num_rows if hasattr(released, "num_rows") else len(released)


def test_people_who_come_again_are_noticed(tmp_path):
    df = table()
    df.to_csv(tmp_path / "t.csv", index=False)
    df.to_parquet(tmp_path / "t.parquet")
    for data in [*frames(df), str(tmp_path / "t.csv"), str(tmp_path / "t.parquet")]:
        with pytest.raises(fugu.UsageError, match="looks like a person's number"):
            fugu.Scenario.from_table(data, **ASK, epsilon=1)
        fugu.Scenario.from_table(data, **ASK, epsilon=1, rows_independent=True)
    narrow = fugu.Scenario.from_table(df[["race", "x"]], **ASK, epsilon=1).calibrate()
    for data in frames(df):
        with pytest.raises(fugu.UsageError, match="looks like a person's number"):
            narrow.release(data)
        narrow.release(data, rows_independent=True)
    with pytest.raises(fugu.UsageError, match="looks like a person's number"):
        fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=narrow)
    with pytest.raises(fugu.UsageError, match="looks like a person's number"):
        fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=narrow, new_data=True)
    assert not (tmp_path / "out.parquet").exists()
    fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=narrow, rows_independent=True)


def test_every_source_takes_the_same_row_of_each_person(tmp_path):
    """A plan releases only the very rows that it was made from: what another draw took would be refused."""
    df = table()
    plan = fugu.Scenario.from_table(df, **ASK, person="patient_nbr", epsilon=1).calibrate()
    for data in frames(df.sample(frac=1, random_state=3)):
        assert number_of(plan.release(data)) == 200
    df.to_parquet(tmp_path / "t.parquet", row_group_size=50)
    fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=plan)
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 200
    receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
    assert receipt["rows"] == 200 and receipt["rows_dropped"] is False
    assert plan.to_dict()["scenario"]["source"]["person"]["seed"] not in json.dumps(receipt)
    with pytest.warns(UserWarning, match="whoever knows a person's patient_nbr finds that person's row"):
        kept = plan.release(df, keep_unprotected="patient_nbr")
    assert sorted(kept["patient_nbr"]) == sorted(set(df["patient_nbr"]))
    made = fugu.release_file(tmp_path / "t.parquet", tmp_path / "new.parquet", **ASK, person="patient_nbr", epsilon=1)
    assert pq.read_table(tmp_path / "new.parquet").num_rows == 200
    assert len(made.release(df)) == 200
    other = df.copy()
    other.loc[0, "patient_nbr"] = 10_000
    with pytest.raises(fugu.GuaranteeError):
        plan.release(other)
    assert len(plan.release(table(seed=2, people=50), new_data=True)) == 50


def test_what_people_need(tmp_path):
    df = table()
    plan = fugu.Scenario.from_table(df, **ASK, person="patient_nbr", epsilon=1).calibrate()
    with pytest.raises(fugu.UsageError, match="one row per person"):
        plan.release(df["x"])
    with pytest.raises(fugu.UsageError, match="one row per person"):
        plan.releaser()
    with pytest.raises(fugu.UsageError, match="patient_nbr"):
        plan.release(df[["race", "x"]])
    with pytest.raises(fugu.UsageError, match="several rows per person"):
        fugu.Scenario.from_table(df, **ASK, person="patient_nbr", rows_per_person=3, given="n")


def test_several_rows_of_each_person(tmp_path):
    """Up to three, in random order, from every kind of frame; one promise about all of them."""
    df = table()
    df["race"] = df.groupby("patient_nbr")["race"].transform("first")
    plan = fugu.Scenario.from_table(df, **ASK, person="patient_nbr", rows_per_person=3, min_group=5, epsilon=1).calibrate()
    rows = int(df.groupby("patient_nbr").size().clip(upper=plan.to_dict()["scenario"]["source"]["person"]["rows"]).sum())
    for data in frames(df.sample(frac=1, random_state=3)):
        assert number_of(plan.release(data)) == rows
    with pytest.warns(UserWarning, match="patient_nbr"):
        kept = plan.release(df.sort_values("patient_nbr"), keep_unprotected="patient_nbr")
    assert kept.groupby("patient_nbr").size().max() == 3
    assert list(kept["patient_nbr"]) != sorted(kept["patient_nbr"]) and list(kept.index) == list(range(len(kept)))
    df.to_parquet(tmp_path / "t.parquet", row_group_size=50)
    fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=plan)
    receipt = json.loads((tmp_path / "out.parquet.receipt.json").read_text())
    assert pq.read_table(tmp_path / "out.parquet").num_rows == rows and receipt["rows"] == rows and receipt["shuffled"] is True
    with pytest.raises(fugu.UsageError, match="--keep-order: the plan releases several rows per person"):
        plan.release(df, keep_order=True)
    with pytest.raises(fugu.UsageError, match="--new-data: the plan releases several rows per person"):
        plan.release(df, new_data=True)
    other = df.copy()
    other["x"] = 4 - other["x"]
    with pytest.raises(fugu.GuaranteeError):
        plan.release(other)


def test_bags_of_texts_lie_in_the_released_order():
    """Two visits of each person, whose order is the secret: it must not stand in the buffers of a frame that is passed on."""
    morning, evening = "a visit in the morning", "a visit in the evening"
    secrets = [random.Random(person).choice(["rise", "fall"]) for person in range(200)]
    visits = [visit for secret in secrets for visit in ((morning, evening) if secret == "rise" else (evening, morning))]
    rows = pl.DataFrame({"secret": [secret for secret in secrets for _ in range(2)], "id": [k // 2 for k in range(400)], "visit": visits})
    plan = fugu.Scenario.from_table(rows, secret="secret", public="visit", person="id", rows_per_person=2, epsilon=0.1).calibrate(method="exact")
    for table in (rows, rows.to_arrow(), rows.to_pandas()):
        released = plan.release(table)
        file = io.BytesIO()
        frame = released if isinstance(released, pl.DataFrame) else pl.DataFrame(released)
        frame.write_ipc(file, compression="uncompressed")
        for data in (pickle.dumps(released), pickle.dumps(frame), file.getvalue()):
            lie = [text.decode() for text in re.findall(b"a visit in the (?:morning|evening)", data)]
            assert lie == frame["visit"].to_list() or len(lie) < 400, "pickle writes a Python object once"


def test_weights_and_counted_tables(tmp_path):
    df = table()
    df.to_csv(tmp_path / "t.csv", index=False)
    df.to_parquet(tmp_path / "t.parquet")
    weighted = [fugu.Scenario.from_table(data, **ASK, weight="w", rows_independent=True)
                for data in [*frames(df), str(tmp_path / "t.csv"), str(tmp_path / "t.parquet")]]
    assert len({scenario.to_json() for scenario in weighted}) == 1
    plan = weighted[0].calibrate(epsilon=1)
    for data in frames(df):
        assert number_of(plan.release(data)) == len(df)
    fugu.release_file(tmp_path / "t.parquet", tmp_path / "out.parquet", plan=plan)
    other = df.copy()
    other.loc[0, "w"] = 9.0
    with pytest.raises(fugu.GuaranteeError):
        plan.release(other)
    written_out = df.loc[df.index.repeat(df["n"])]
    counted = [fugu.Scenario.from_table(data, **ASK, count="n") for data in frames(df)]
    plain = fugu.Scenario.from_table(written_out, **ASK, rows_independent=True)
    for scenario in counted:
        assert json.loads(scenario.to_json())["priors"] == json.loads(plain.to_json())["priors"]
    with pytest.raises(fugu.UsageError, match="stands for several people"):
        counted[0].calibrate(epsilon=1).release(df)
