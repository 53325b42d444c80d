"""fugu.spark takes columns by the texts that the core reads: bytes for bytes, one way to write each."""

import decimal
import math

import pytest

pytest.importorskip("pyspark")

import fugu
import fugu.spark
from pyspark.sql import functions as sql

# (secret, given, public, id)
ROWS = [("A", "x", 1, 0), ("B", "x", 2, 1), ("A", "y", 2, 2), ("B", "y", 1, 3), ("A", "x", 2, 4), ("B", "y", 2, 5)] * 20
SCHEMA = "s string, g string, v int, id int"


def frame_of(spark, rows=ROWS, schema=SCHEMA):
    return spark.createDataFrame([(*row[:-1], k) for k, row in enumerate(rows)], schema)


def collated(frame, *columns):
    for name in columns:
        frame = frame.withColumn(name, sql.collate(name, "UTF8_LCASE"))
    return frame


def plan_of(frame, **question):
    return fugu.calibrate(fugu.spark.count(frame, secret="s", public="v", epsilon=2, **question), method="exact")


def ids(frame):
    return sorted(row.id for row in frame.select("id").collect())


# Collations


@pytest.mark.parametrize("secret", ["s", ["s", "g"]])
def test_new_data_has_no_secret_that_only_a_collation_makes_known(spark, tmp_path, secret):
    plan = fugu.calibrate(fugu.spark.count(frame_of(spark), secret=secret, public="v", epsilon=2), method="exact")
    strangers = collated(frame_of(spark, [*ROWS, ("a", "x", 1, 0)]), "s", "g")
    with pytest.raises(fugu.DataError, match="the plan does not know this secret"):
        fugu.spark.release(strangers, plan, "v", str(tmp_path / "out"), new_data=True)
    released = fugu.spark.release(strangers, plan, "v", str(tmp_path / "out"), new_data=True, drop=True)
    assert released.count() == len(ROWS)


@pytest.mark.parametrize(("public", "given"), [("v", ["g"]), ("g", [])])
def test_a_plan_is_of_the_texts_as_they_are(spark, public, given):
    both = [(s, g, v, 0) for s in "AaBb" for g in "xX" for v in (1, 2) for _ in range(2 + v * (s in "Ab") + (g == "X"))]
    question = {"secret": "s", "public": public, "given": given, "min_group": 1 if given else None, "epsilon": 2}
    table = {name: [row[k] for row in both] for k, name in enumerate(("s", "g", "v"))}
    counted = fugu.spark.count(collated(frame_of(spark, both), "s", "g"), **question)
    assert counted.to_json() == fugu.Scenario.from_table(table, **question).to_json()


def test_a_collated_column_is_released_and_kept(spark, tmp_path):
    frame = collated(frame_of(spark), "s", "g")
    released = fugu.spark.release(frame, plan_of(frame, given="g"), "v", str(tmp_path / "out"), keep="g", keep_unprotected="id")
    assert dict(released.select("id", "g").collect()) == {k: row[1] for k, row in enumerate(ROWS)}


# Missing fields are texts


@pytest.mark.parametrize(
    ("kind", "values", "na", "gone"),
    [("int", [7, 8], "007", None), ("int", [7, 8], "7", 7), ("boolean", [True, False], "1", None),
     ("boolean", [True, False], "true", True), ("double", [1e5, 0.5], "100000.0", None), ("double", [1e5, 0.5], "1e+05", 1e5),
     ("double", [0.0, 0.5], "0", 0.0), ("decimal(5,2)", [1, 2], "1", None), ("decimal(5,2)", [1, 2], "1.00", 1),
     ("string", ["KEINE", "keine"], "keine", "keine"), ("string collate UTF8_LCASE", ["KEINE", "keine"], "keine", "keine")],
)
def test_rows_are_dropped_by_what_the_core_reads(spark, tmp_path, kind, values, na, gone):
    table = [("A" if k % 2 else "B", values[k // 2 % 2], 10 + k // 4 % 2, k) for k in range(120)] + [("A", None, 10, 120)]
    if kind.startswith("decimal"):
        table = [(s, None if g is None else decimal.Decimal(g), v, k) for s, g, v, k in table]
    frame = spark.createDataFrame(table, f"s string, g {kind.split()[0]}, v int, id int")
    frame = collated(frame, "g") if "collate" in kind else frame
    plan = plan_of(frame, given="g", missing="drop", na=[na])
    released = fugu.spark.release(frame, plan, "v", str(tmp_path / "out"))
    assert released.count() == sum(g is not None and (gone is None or g != gone) for _, g, _, _ in table)
    with pytest.raises(fugu.UsageError, match="^the table: a row, column 'g': the row would be left out"):
        fugu.spark.release(frame, plan, "v", str(tmp_path / "kept"), keep_unprotected="id")


def test_rows_of_a_missing_secret_are_dropped_by_its_text(spark, tmp_path):
    """007 is how nobody writes 7, so that no row of 7 is missing."""
    rows = [(7 + k % 2, "x", 10 + k // 2 % 2, k) for k in range(80)] + [(None, "x", 10, 80)]
    frame = frame_of(spark, rows, "s int, g string, v int, id int")
    released = fugu.spark.release(frame, plan_of(frame, missing="drop", na=["007"]), "v", str(tmp_path / "out"))
    assert released.count() == 80


# One way to write a text


@pytest.mark.parametrize("kind", ["float", "double"])
def test_a_kept_zero_has_no_sign(spark, tmp_path, kind):
    signed = [(s, (-0.0 if s == "A" else 0.0) if g == "x" else 1.5, v, k) for s, g, v, k in ROWS]
    frame = frame_of(spark, signed, f"s string, g {kind}, v int, id int")
    assert any(math.copysign(1, row.g) < 0 for row in frame.collect()), "there is something to hide"
    released = fugu.spark.release(frame, plan_of(frame, given="g"), "v", str(tmp_path / "out"), keep="g", keep_unprotected="id")
    assert released.schema["g"].dataType == frame.schema["g"].dataType
    found = {row.id: row.g for row in released.collect()}
    assert found == {k: row[1] for k, row in enumerate(signed)}
    assert all(math.copysign(1, value) > 0 for value in found.values())
