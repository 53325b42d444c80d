"""One table in every form that fugu reads, and what fugu makes of it there.

A table here is texts with holes. What corresponds: a hole is an empty field of CSV (in quotes or not), a null of Arrow, a NULL of
SQL; the empty text is the same thing wherever there are texts. A column of numbers or truth values is typed where the source has
types, and its shortest texts where it has none.
"""

import csv
import datetime
import os
import re
import sqlite3
import subprocess
import sys
from fractions import Fraction
from typing import NamedTuple

import fugu
import pandas as pd
import polars as pl
import pyarrow as pa

FLAGS = ("secret", "public", "given", "na", "missing", "min_group")


class Column(NamedTuple):
    name: str
    kind: str  # text, int, float, bool or date
    fields: list  # texts, or None


class Refused(NamedTuple):
    """What was said against a table, but for the place: which row, of which table."""

    status: int
    words: str

    @classmethod
    def of(cls, status, message):
        return cls(status, re.sub(r"^fugu: |\b(the table|t\.csv|t): |\b(line \d+|row \d+|a row)(, |: | is )", "", message))


def number_or_text(text):
    try:
        return Fraction(text)
    except (TypeError, ValueError):
        return text


def typed(column):
    """The column's values as Python has them."""
    make = {"text": str, "int": int, "float": float, "bool": "true".__eq__, "date": datetime.date.fromisoformat}[column.kind]
    return [None if field is None or (field == "" and column.kind != "text") else make(field) for field in column.fields]


def read_as(value, kind, released):
    """A field that came out: of numbers their value, of texts the very text; what is missing is the empty one."""
    if value is None or value is pd.NA or value != value:
        return ""
    if kind == "date" and not isinstance(value, str):
        assert value.isoformat()[10:] in ("", "T00:00:00"), value
        return value.isoformat()[:10]
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return number_or_text(text) if released or kind in ("int", "float") else text


class Source:
    """Where a table may come from. `choose` picks among the forms that the source has for one column."""

    has_order = True

    def __init__(self, folder):
        self.folder = folder

    def plan(self, table, question, choose):
        """The plan that counting the table gives, or what was said against it."""
        raise NotImplementedError

    def release(self, table, plan, options, choose):
        """The rows that come out, or what was said against them."""
        raise NotImplementedError


class Program(Source):
    """Sources of the command line."""

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program

    def put(self, table, choose):
        raise NotImplementedError

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, timeout=120)
        if done.returncode == 0:
            return done.stdout.decode()
        return Refused.of(done.returncode, done.stderr.decode().split("\nhint: ")[0].strip().splitlines()[-1])

    def plan(self, table, question, choose):
        flags = [part for name in FLAGS if question.get(name)
                 for part in ("--" + name.replace("_", "-"), question[name] if isinstance(question[name], str) else ",".join(question[name]))]
        return self.run("calibrate", *self.put(table, choose), *flags, "--epsilon", 1, "-o", "-")

    def release(self, table, plan, options, choose):
        (self.folder / "plan.json").write_text(plan)
        flags = [part for name in ("keep", "keep_unprotected") if options.get(name)
                 for part in ("--" + name.replace("_", "-"), ",".join(options[name]))]
        flags += ["--new-data"] if options.get("new_data") else []
        flags += ["--missing", "drop"] if options.get("drop") else []
        said = self.run("release", *self.put(table, choose), "--plan", "plan.json", "--keep-order", *flags, "--publish-min", 1, "-o", "out.csv", "--force")
        if isinstance(said, Refused):
            return said
        kinds = {column.name: column.kind for column in table}
        with open(self.folder / "out.csv", newline="") as file:
            names, *rows = csv.reader(file)
        return [tuple(read_as(value, kinds[name], name in options["released"]) for name, value in zip(names, row)) for row in rows]


class CsvFile(Program):
    def put(self, table, choose):
        def field(text):
            odd = text is not None and (text != text.strip() or any(c in text for c in ',"\n\r;\t'))
            return '"' + (text or "").replace('"', '""') + '"' if odd or choose([False, True]) else text or ""

        lines = [[column.name for column in table], *zip(*(column.fields for column in table))]
        text = "".join(",".join(map(field, line)) + "\n" for line in lines)
        (self.folder / "t.csv").write_text(text, newline="")
        return ["t.csv"]


def rows_of(table):
    return list(zip(*map(typed, table)))


class Sqlite(Program):
    TYPES = {"text": "TEXT", "int": "INTEGER", "float": "REAL", "bool": "TEXT", "date": "DATE"}

    def put(self, table, choose):
        (self.folder / "people.db").unlink(missing_ok=True)
        connection = sqlite3.connect(self.folder / "people.db")
        with connection:
            connection.execute("CREATE TABLE t (" + ", ".join(f'"{c.name}" {self.TYPES[c.kind]}' for c in table) + ")")
            plain = [column._replace(kind="text") if column.kind in ("bool", "date") else column for column in table]
            connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(table))})", rows_of(plain))
        connection.close()
        return ["sqlite:people.db", "--table", "t"]


class Postgres(Program):
    TYPES = {"text": "text", "int": "bigint", "float": "double precision", "bool": "boolean", "date": "date"}

    def __init__(self, folder, program, cluster):
        super().__init__(folder, program)
        self.cluster = cluster

    def put(self, table, choose):
        def literal(text):
            return "NULL" if text is None else "'" + text.replace("'", "''") + "'"

        columns = ", ".join(f'"{c.name}" {self.TYPES[c.kind]}' for c in table)
        fields = [[None if f == "" and c.kind != "text" else f for f in c.fields] for c in table]
        rows = ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in zip(*fields))
        self.cluster.sql(f"SET client_min_messages = error; DROP TABLE IF EXISTS t; CREATE TABLE t ({columns}); INSERT INTO t VALUES {rows};")
        return [self.cluster.url(), "--table", "t"]


def refusal_of(error):
    return Refused.of(error.status, error.message)


class Frames(Source):
    """Tables in memory."""

    def frame(self, table, choose):
        raise NotImplementedError

    def rows_out(self, frame):
        """Names, and rows of Python's values."""
        raise NotImplementedError

    def counted(self, frame, question):
        return fugu.Scenario.from_table(frame, **question)

    def released(self, frame, plan, columns, how):
        return plan.release(frame, **how, publish_min=1, keep_order=True)  # so that verdicts are compared row by row

    def plan(self, table, question, choose):
        try:
            return fugu.calibrate(self.counted(self.frame(table, choose), question), epsilon=1).to_json()
        except fugu.Error as error:
            return refusal_of(error)

    def release(self, table, plan, options, choose):
        kinds = {column.name: column.kind for column in table}
        how = {name: value for name, value in options.items() if name != "released"}
        try:
            names, rows = self.rows_out(self.released(self.frame(table, choose), fugu.Plan.from_json(plan), options["released"], how))
        except fugu.Error as error:
            return refusal_of(error)
        return [tuple(read_as(value, kinds[name], name in options["released"]) for name, value in zip(names, row)) for row in rows]


class Pandas(Frames):
    KINDS = {"text": ["object", "str", "category", "string[pyarrow]"], "int": ["Int64", "Int32", "int64[pyarrow]"],
             "float": ["float64", "Float64"], "bool": ["boolean", "bool[pyarrow]"],
             "date": ["datetime64[ns]", "datetime64[s]", "date32[pyarrow]", "object"]}

    def frame(self, table, choose):
        columns = [pd.Series(typed(c), dtype="object").astype(choose(self.KINDS[c.kind])) for c in table]
        return pd.concat(columns, axis=1, keys=[c.name for c in table])

    def rows_out(self, frame):
        return list(frame.columns), [tuple(row) for row in frame.astype(object).itertuples(index=False)]


class Polars(Frames):
    KINDS = {"text": [pl.String, pl.Categorical], "int": [pl.Int64, pl.Int16], "float": [pl.Float64], "bool": [pl.Boolean],
             "date": [pl.Date, pl.Datetime("us")]}

    def frame(self, table, choose):
        return pl.DataFrame([pl.Series(c.name, typed(c), dtype=choose(self.KINDS[c.kind])) for c in table])

    def rows_out(self, frame):
        return frame.columns, frame.rows()


class PyArrow(Frames):
    KINDS = {"text": [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
             "int": [pa.int64(), pa.int16(), pa.uint8()], "float": [pa.float64(), pa.float32()], "bool": [pa.bool_()],
             "date": [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ns")]}

    def frame(self, table, choose):
        def array(column):
            kind = choose(self.KINDS[column.kind])
            values = typed(column)
            if column.kind == "date":
                return pa.array(values, pa.date32()).cast(kind)
            return pa.array(values).dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) and any(
                value is not None for value in values) else pa.array(values, pa.string() if pa.types.is_dictionary(kind) else kind)

        frame = pa.table([array(column) for column in table], names=[column.name for column in table])
        cut = choose(range(frame.num_rows + 1))
        return pa.concat_tables([frame.slice(0, cut), frame.slice(cut)])

    def rows_out(self, frame):
        return frame.schema.names, [tuple(row.values()) for row in frame.to_pylist()]


class Spark(Frames):
    """Slow: for a few tables. Its rows have no order and no numbers."""

    has_order = False

    def __init__(self, folder, session):
        super().__init__(folder)
        self.session = session

    def frame(self, table, choose):
        kinds = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "date": pa.date32()}
        self.names = [column.name for column in table]
        return self.session.createDataFrame(pa.table([pa.array(typed(c), kinds[c.kind]) for c in table], names=[c.name for c in table]))

    def counted(self, frame, question):
        import fugu.spark

        return fugu.spark.count(frame, **question)

    def released(self, frame, plan, columns, how):
        import fugu.spark

        return fugu.spark.release(frame, plan, columns, str(self.folder / "spark"), **how, publish_min=1, mode="overwrite")

    def rows_out(self, frame):
        names = [name for name in self.names if name in frame.columns]  # in the table's order
        return names, [tuple(row[name] for name in names) for row in frame.collect()]


def start_cluster():
    """The private PostgreSQL of the command line's tests; None where there is no server."""
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "tests", "cli"))
    import postgres_cluster

    return postgres_cluster.Cluster.start() if postgres_cluster.programs() else None
