"""Tables in SQLite files: what is read is what a CSV of the same texts gives, and what is written is whole."""

import json
import signal
import sqlite3
import subprocess
import time

import pytest

from conftest import PROGRAM
from beside_csv import csv_field, plan_of, write_csv

pytestmark = pytest.mark.usefixtures("few_people")
FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
URL = "sqlite:people.db"


class File:
    def __init__(self, folder):
        self.path = folder / "people.db"

    def run(self, sql, rows=()):
        connection = sqlite3.connect(self.path)
        with connection:
            found = (connection.executemany(sql, rows) if rows else connection.execute(sql)).fetchall()
        connection.close()
        return found

    def tables(self):
        return [name for name, in self.run("SELECT name FROM sqlite_schema ORDER BY 1")]


@pytest.fixture
def people(fugu):
    return File(fugu.folder)


def even(values):
    return [(secret, value) for value in values for secret in "ab"]


# Declared types, values, and the texts that they are read as.
KINDS = {
    "INTEGER": ([-5, 0, 100000], ["-5", "0", "100000"]),
    "REAL": ([0.1, -0.0, 100000.0, 2.5, 0.0009765625], ["0.1", "0", "100000", "2.5", "0.0009765625"]),
    "TEXT": (["a", " a", "A", 'ü,"; DROP TABLE t; --', "two\nlines", "o07", "\\."], None),
    "TEXT COLLATE NOCASE": (["a", "A", "b"], None),
    "": (["one", "two", "Three"], None),
    "NUMERIC": ([1, 2.5, 3.0], ["1", "2.5", "3"]),
}


def test_a_short_column_of_a_wide_table_is_released(fugu, people):
    """Of many columns one is read: the room for its rows is made by what is read, not by what the table has."""
    people.run("CREATE TABLE t (s TEXT, x INTEGER, " + ", ".join(f"c{k} TEXT" for k in range(20)) + ")")
    people.run("INSERT INTO t (s, x) VALUES (?, ?)", [("ab"[k % 2], k // 2 % 7) for k in range(70_000)])
    for output in (["-o", "out.csv"], ["--into", "released"]):
        assert "Released 70,000 rows" in fugu.ok("release", URL, "--table", "t", *FLAGS, *output)
    assert (fugu.folder / "out.csv").read_text().count("\n") == 70_001
    assert people.run("SELECT count(*) FROM released") == [(70_000,)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_has_the_texts_of_its_csv(fugu, people, kind):
    values, texts = KINDS[kind]
    texts = texts or values
    people.run(f"CREATE TABLE t (s TEXT, x {kind})")
    rows = [(secret, k) for k in range(len(values)) for secret in ["a"] * (k + 1) + ["b"] * 3]
    people.run("INSERT INTO t VALUES (?, ?)", [(secret, values[k]) for secret, k in rows])
    write_csv(fugu, "t.csv", [["s", "x"]] + [[secret, texts[k]] for secret, k in rows])
    for flags in (FLAGS, ["--secret", "x", "--public", "s", "--epsilon", "1"]):
        assert plan_of(fugu, URL, "--table", "t", *flags) == plan_of(fugu, "t.csv", *flags)
    fugu.ok("release", URL, "--table", "t", *FLAGS, "--into", "out")
    fugu.ok("release", URL, "--table", "t", "--plan", "out.plan.json", "-o", "out.csv")
    assert people.run("SELECT count(*) FROM out") == [(len(rows),)]


@pytest.mark.parametrize("kind", KINDS)
def test_without_noise_a_column_comes_back_as_it_was(fugu, people, kind):
    values, _ = KINDS[kind]
    people.run(f"CREATE TABLE t (s TEXT, x {kind})")
    people.run("INSERT INTO t VALUES (?, ?)", even(values))
    fugu.ok("release", URL, "--table", "t", *FLAGS, "--into", "out")
    found = [value for value, in people.run("SELECT x FROM out")]
    expected = [value for value, in people.run("SELECT x FROM t")]
    assert found == expected and people.run("PRAGMA integrity_check") == [("ok",)]


def test_adult_gives_the_scenario_of_its_csv(fugu, people, adult_rows):
    write_csv(fugu, "adult.csv", adult_rows)
    numbers = {"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours"}
    people.run("CREATE TABLE adult (" + ", ".join(f"{name} {'INTEGER' if name in numbers else 'TEXT'}"
                                                 for name in adult_rows[0]) + ")")
    people.run(f"INSERT INTO adult VALUES ({','.join('?' * len(adult_rows[0]))})", adult_rows[1:])
    flags = ["--secret", "race", "--public", "occupation", "--not-missing", "?", "--epsilon", "0.5"]
    assert plan_of(fugu, URL, "--table", "adult", *flags) == plan_of(fugu, "adult.csv", *flags)
    fugu.ok("release", URL, "--table", "adult", *flags, "--into", "adult_released")
    assert people.run("SELECT count(*), count(DISTINCT occupation) FROM adult_released") == [(32561, 15)]


ODD = ['we"ird', "semi;colon", "two words", "UPPER", "ünï✓", "'; DROP TABLE victim; --", 'a"; DROP TABLE victim; --', "a.b",
       "?1", "[x]", "select"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("name", ODD)
def test_odd_names_and_texts_are_never_read_as_sql(fugu, people, name):
    people.run("CREATE TABLE victim (x)")
    people.run(f"CREATE TABLE {quoted(name)} ({quoted('s ' + name)} TEXT, {quoted(name)} TEXT)")
    texts = ODD + ["NULL", "'", '""', "x,y", "a\tb"]
    people.run(f"INSERT INTO {quoted(name)} VALUES (?, ?)", even(texts))
    into = quoted("out " + name)
    fugu.ok("release", URL, "--table", quoted(name), "--secret", csv_field("s " + name), "--public", csv_field(name),
            "--not-missing", "NULL", "--epsilon", "0.5", "--into", into)
    assert people.run(f"SELECT {quoted(name)} FROM {into}") == [(text,) for text in texts for _ in "ab"]
    assert "victim" in people.tables() and len(people.tables()) == 3


def test_missing_values_and_kept_columns(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x TEXT, y, z VARCHAR(9))")
    rows = [("u", 5, "007"), ("v", 2.5, None), ("", "5", ""), (None, None, "z")]
    people.run("INSERT INTO t VALUES (?, ?, ?, ?)", [(s, *row) for row in rows for s in "ab"])
    fugu.fails(3, "release", URL, "--table", "t", *FLAGS, "--into", "o", says=["a row, column 'x'", "missing"])
    fugu.ok("release", URL, "--table", "t", *FLAGS, "--missing", "keep", "--into", "all_rows")
    assert people.run("SELECT x FROM all_rows") == [(x,) for x in ("u", "u", "v", "v") + ("(missing)",) * 4]
    fugu.ok("release", URL, "--table", "t", *FLAGS, "--missing", "keep", "--keep-unprotected", "y,z", "--into", "kept")
    assert people.run("SELECT y, z, typeof(y) FROM kept") == people.run("SELECT y, z, typeof(y) FROM t")
    assert "VARCHAR(9)" in people.run("SELECT sql FROM sqlite_schema WHERE name = 'kept'")[0][0]


def test_blobs_and_nul_are_refused(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x, y INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?, 1)", [("a", b"\x01"), ("b", b"\x01")])
    fugu.fails(3, "calibrate", URL, "--table", "t", *FLAGS, says=["column 'x'", "blob", "cast"])
    fugu.fails(3, "release", URL, "--table", "t", "--secret", "s", "--public", "y", "--epsilon", "1", "--keep-unprotected",
               "x", "--into", "out", says="blob")
    people.run("UPDATE t SET x = 'a' || char(0) || 'b'")
    fugu.fails(3, "calibrate", URL, "--table", "t", *FLAGS, says=["column 'x'", "NUL"])
    assert people.tables() == ["t"]


def test_queries(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1, 2]))
    fugu.ok("release", URL, "--query", "SELECT s, x + 1 AS x FROM t -- all\n;", *FLAGS, "--into", "out")
    assert people.run("SELECT x FROM out") == [(2,), (2,), (3,), (3,)]
    for bad in ("SELECT s, x FROM t; DROP TABLE t", "DROP TABLE t", "DELETE FROM t RETURNING s, x", "", "PRAGMA table_info(t)",
                "SELECT nothing FROM t", "SELECT s, x FROM t) SELECT 1 --"):
        fugu.fails(2, "calibrate", URL, "--query", bad, *FLAGS, says="--query")
    people.run("CREATE VIEW dice AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 5000) "
               "SELECT s, x FROM t UNION ALL SELECT s, 1 + (random() > 0) FROM t, n")
    # What is random is not counted once and released from other rows; that it comes out alike has a chance of 1e-4.
    fugu.fails(4, "release", URL, "--table", "dice", *FLAGS, "--into", "random", says="not the one")
    assert people.tables() == ["dice", "out", "t"]


def test_no_private_value_in_its_words(fugu, people):
    people.run("CREATE TABLE t (s, x)")
    people.run("INSERT INTO t VALUES ('private', 1), ('other', 2)")
    err = fugu.fails(5, "calibrate", "sqlite:people.db", "--query", "SELECT x AS s, json_extract('{}', s) AS x FROM t", *FLAGS)
    assert "private" not in err and "other" not in err


def test_a_release_that_nobody_listens_to_is_one(fugu, people):
    people.run("CREATE TABLE t (s, x)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1]))
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "release", "sqlite:people.db", "--table", "t", *FLAGS, "--into", "out"], cwd=fugu.folder,
                              stdout=full)
    assert done.returncode == 0 and (fugu.folder / "out.receipt.json").exists()


def test_replacing_and_what_may_not_be_replaced(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1]))
    people.run("CREATE TABLE out (old)")
    people.run("CREATE VIEW on_out AS SELECT * FROM out")
    people.run("CREATE VIEW v AS SELECT * FROM t")
    ask = lambda *more: ["release", URL, *FLAGS, *more]
    before = people.tables()
    fugu.fails(2, *ask("--table", "t", "--into", "OUT"), says=["--into", "already", "--force"])
    for force in ([], ["--force"]):
        fugu.fails(2, *ask("--table", "t", "--into", "T", *force), says="is the input")
        fugu.fails(2, *ask("--table", "v", "--into", "main.t", *force), says="is the input")
        fugu.fails(2, *ask("--query", "SELECT * FROM v", "--into", "t", *force), says="is the input")
        fugu.fails(2, *ask("--table", "t", "--into", "v", *force))
    fugu.ok(*ask("--table", "t", "--into", "out", "--force"))
    assert people.run("SELECT x FROM on_out") == [(1,), (1,)] and people.tables() == before
    fugu.fails(2, "release", URL, "--table", "t", *FLAGS, "-o", "people.db", "--force", says="this is the input")
    fugu.fails(2, *ask("--table", "t", "--into", "more"), "--ledger", "people.db", "--dataset", "d", "--budget", "1",
               says="database")


def test_failures_leave_nothing_behind(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1]))
    ask = ["release", URL, "--table", "t", *FLAGS, "--into", "out"]
    fugu.fails(5, "calibrate", "sqlite:none.db", "--table", "t", *FLAGS, says="no such file")
    fugu.write("text.db", "this is no database" * 100)
    fugu.fails(3, "calibrate", "sqlite:text.db", "--table", "t", *FLAGS, says="database")
    fugu.fails(2, "calibrate", URL, "--table", "absent", *FLAGS, says="no table")
    fugu.fails(2, "calibrate", URL, "--table", "other.t", *FLAGS, says="no schema")
    holder = sqlite3.connect(people.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    fugu.fails(5, *ask, says="another process holds the database")
    fugu.ok("calibrate", URL, "--table", "t", *FLAGS)  # reading goes on
    holder.execute("ROLLBACK")
    holder.execute("BEGIN EXCLUSIVE")
    fugu.fails(5, "calibrate", URL, "--table", "t", *FLAGS, says="another process holds the database")
    holder.close()
    assert people.tables() == ["t"]


def test_a_signal_stops_it_and_leaves_nothing(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1]))
    endless = "SELECT t.* FROM t, (WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k FROM n)"
    before = sorted(path.name for path in fugu.folder.iterdir())
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([PROGRAM, "release", URL, "--query", endless, *FLAGS, "--into", "out"], cwd=fugu.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert process.returncode in (128 + number, -number) and out == b"", err
    assert sorted(path.name for path in fugu.folder.iterdir()) == before and people.tables() == ["t"]


def test_the_name_of_a_table_that_is_not_yet_whole_is_taken(fugu, people):
    people.run("CREATE TABLE t (s, x)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1, 2]))
    people.run("CREATE TABLE fugu_new_rel (x)")
    ask = ["release", URL, "--table", "t", *FLAGS, "--into", "rel"]
    fugu.fails(2, *ask, "--force", says=["--into", "'fugu_new_rel'", "drop"])
    fugu.ok(*ask)


def test_two_releases_at_once_and_the_ledger(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", [("ab"[k % 2], k % 2) for k in range(2000)])
    both = [subprocess.Popen([PROGRAM, "release", URL, "--table", "t", "--secret", "s", "--public", "x", "--epsilon", "0.1",
                              "--into", into, "--ledger", "budget.db", "--dataset", "d", "--budget", "0.2"],
                             cwd=fugu.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for into in ("one", "two")]
    assert [process.wait(60) for process in both] == [0, 0], [process.stderr.read() for process in both]
    assert people.run("SELECT (SELECT count(*) FROM one), (SELECT count(*) FROM two)") == [(2000, 2000)]
    fugu.fails(6, "release", URL, "--table", "t", "--secret", "s", "--public", "x", "--epsilon", "0.1", "--into", "three",
               "--ledger", "budget.db", "--dataset", "d")
    account = json.loads(fugu.ok("ledger", "show", "--ledger", "budget.db", "--format", "json"))["accounts"][0]
    assert sorted(row["output"] for row in account["releases"]) == ["sqlite:people.db one", "sqlite:people.db two"]
    assert people.tables() == ["one", "t", "two"]


def test_a_table_that_changes_between_two_commands_is_noticed(fugu, people):
    people.run("CREATE TABLE t (s TEXT, x INTEGER)")
    people.run("INSERT INTO t VALUES (?, ?)", even([1, 2]))
    fugu.ok("calibrate", URL, "--table", "t", *FLAGS, "-o", "plan.json")
    people.run("INSERT INTO t VALUES ('a', 1)")
    fugu.fails(4, "release", URL, "--table", "t", "--plan", "plan.json", "--into", "out", says="not the one")
    assert people.tables() == ["t"]
    assert fugu.ok("inspect", URL, "--table", "t", "--secret", "s").startswith("5 rows, 2 columns.")
