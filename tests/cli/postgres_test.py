"""Tables in a real PostgreSQL: what is read is what a CSV of the same texts gives, and what is written is whole."""

import json
import sqlite3

import pytest

from beside_csv import csv_field, plan_of, write_csv

pytestmark = pytest.mark.usefixtures("few_people")
FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


def even(values):
    """Both secrets have the same law of x, so no noise is needed, and what comes out is what went in."""
    return ", ".join(f"('{secret}', {value})" for value in values for secret in "ab")


def test_adult_is_released_by_one_command_from_the_scenario_of_its_csv(fugu, postgres, adult_rows):
    write_csv(fugu, "adult.csv", adult_rows)
    numbers = {"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours"}
    postgres.sql("CREATE TABLE adult (" + ", ".join(f"{name} {'integer' if name in numbers else 'text'}"
                                                   for name in adult_rows[0]) + ")")
    postgres.sql("COPY adult FROM STDIN (FORMAT csv, HEADER)", stdin=(fugu.folder / "adult.csv").read_text())
    for secret, public in (("race", "occupation"), ("sex", "hours"), ("race", "age")):
        flags = ["--secret", secret, "--public", public, "--not-missing", "?", "--epsilon", "0.5"]
        assert plan_of(fugu, postgres.url, "--table", "adult", *flags) == plan_of(fugu, "adult.csv", *flags)
    flags = ["--secret", "race", "--public", "occupation", "--given", "sex", "--keep", "sex", "--not-missing", "?", "--epsilon", "0.5"]
    said = fugu.ok("release", postgres.url, "--table", "adult", *flags, "--into", "adult_released")
    assert f"Released {len(adult_rows) - 1:,} rows to table adult_released.".replace(",", " ") in said.replace(",", " ")
    assert postgres.sql("SELECT count(*), count(DISTINCT occupation) FROM adult_released") == ["32561|15"]
    assert postgres.sql("SELECT sex, count(*) FROM adult_released GROUP BY 1 ORDER BY 1") == postgres.sql(
        "SELECT sex, count(*) FROM adult GROUP BY 1 ORDER BY 1")
    changed = postgres.sql("SELECT a.occupation <> r.occupation FROM (SELECT *, row_number() OVER () k FROM adult) a JOIN "
                           "(SELECT *, row_number() OVER () k FROM adult_released) r USING (k)")
    assert 0 < changed.count("t") < len(changed)
    receipt = json.loads((fugu.folder / "adult_released.receipt.json").read_text())
    assert receipt["rows"] == 32561 and receipt["output"] is None
    assert (fugu.folder / "adult_released.plan.json").stat().st_mode & 0o777 == 0o600
    fugu.ok("verify", "adult_released.plan.json")


def test_whole_rows_trade_places_beside_known_columns(fugu, postgres, adult_rows):
    """The same plan as of the CSV; the new table has the known columns as they were, and of the others only rows that occur in their group."""
    write_csv(fugu, "adult.csv", adult_rows)
    postgres.sql("CREATE TABLE adult (" + ", ".join(f"{name} text" for name in adult_rows[0]) + ")")
    postgres.sql("COPY adult FROM STDIN (FORMAT csv, HEADER)", stdin=(fugu.folder / "adult.csv").read_text())
    flags = ["--secret", "sex", "--known", "race", "--public", "workclass,income", "--not-missing", "?", "--epsilon", "0.5", "--method", "swap",
             "--rows-independent"]
    assert plan_of(fugu, postgres.url, "--table", "adult", *flags) == plan_of(fugu, "adult.csv", *flags)
    fugu.ok("release", postgres.url, "--table", "adult", *flags, "--into", "released")
    assert postgres.sql("SELECT race, count(*) FROM released GROUP BY 1 ORDER BY 1") == postgres.sql(
        "SELECT race, count(*) FROM adult GROUP BY 1 ORDER BY 1")
    assert postgres.sql("SELECT count(*) FROM (SELECT race, workclass, income FROM released EXCEPT SELECT race, workclass, income FROM adult) new") == ["0"]
    assert postgres.sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'released' ORDER BY ordinal_position") == [
        "workclass", "income", "race"]
    assert json.loads((fugu.folder / "released.receipt.json").read_text())["shuffled"]


# Types, values in SQL, and the texts that they are read as.
TYPES = {
    "smallint": (["-32768", "0", "7"], ["-32768", "0", "7"]),
    "integer": (["-5", "100000", "7"], ["-5", "100000", "7"]),
    "bigint": (["-4", "12", "7"], ["-4", "12", "7"]),
    "numeric": (["1.0", "1.00", "-0.5", "100000000000"], ["1.0", "1.00", "-0.5", "100000000000"]),
    "numeric(6,2)": (["1", "2.5", "0"], ["1.00", "2.50", "0.00"]),
    "real": (["0.1", "-0.0", "0.5", "1e-3"], ["0.1", "0", "0.5", "0.001"]),
    "double precision": (["0.1", "-0.0", "100000", "2.5"], ["0.1", "0", "100000", "2.5"]),
    "text": (["'a'", "' a'", "'A'", "'ü,\"; DROP TABLE t; --'", "E'two\\nlines'", "'\\.'", "'o07'"],
             ["a", " a", "A", "ü,\"; DROP TABLE t; --", "two\nlines", "\\.", "o07"]),
    "varchar(9)": (["'b'", "'b '", "'c'"], ["b", "b ", "c"]),
    "char(4)": (["'d'", "'e   '", "'f'"], ["d", "e", "f"]),
    "boolean": (["true", "false"], ["true", "false"]),
    'text COLLATE "blind"': (["'a'", "'A'", "'á'"], ["a", "A", "á"]),
}


@pytest.mark.parametrize("type", TYPES)
def test_every_type_has_the_texts_of_its_csv(fugu, postgres, type):
    values, texts = TYPES[type]
    postgres.sql("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);"
                 f"CREATE TABLE t (s text, x {type})")
    # Unlike laws, so that the counts matter: the k-th value comes k + 1 times with a and three times with b.
    rows = [(secret, k) for k in range(len(values)) for secret in ["a"] * (k + 1) + ["b"] * 3]
    postgres.sql("INSERT INTO t VALUES " + ", ".join(f"('{secret}', {values[k]})" for secret, k in rows))
    write_csv(fugu, "t.csv", [["s", "x"]] + [[secret, texts[k]] for secret, k in rows])
    for flags in (FLAGS, ["--secret", "x", "--public", "s", "--epsilon", "1"]):
        assert plan_of(fugu, postgres.url, "--table", "t", *flags) == plan_of(fugu, "t.csv", *flags)
    said = fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--into", "out")
    assert f"Released {len(rows)} rows" in said
    # By the plan, whose counts are compared: the rows are read as they were counted.
    fugu.ok("release", postgres.url, "--table", "t", "--plan", "out.plan.json", "-o", "out.csv")


@pytest.mark.parametrize("type", TYPES)
def test_without_noise_a_column_comes_back_as_it_was(fugu, postgres, type):
    values, texts = TYPES[type]
    postgres.sql("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);"
                 f"CREATE TABLE t (s text, x {type}); INSERT INTO t VALUES {even(values)}")
    flags = FLAGS + (["--range", "clamp"] if "int" in type else [])
    fugu.ok("release", postgres.url, "--table", "t", *flags, "--into", "out")
    same = postgres.sql('SELECT bool_and(o.x::text COLLATE "C" = t.x::text OR o.x::text::numeric = t.x::text::numeric) FROM '
                        "(SELECT x, row_number() OVER () k FROM out) o JOIN (SELECT x, row_number() OVER () k FROM t) t "
                        "USING (k)" if "text" not in type and "char" not in type and type != "boolean" else
                        'SELECT bool_and(o.x::text COLLATE "C" = t.x::text COLLATE "C") FROM (SELECT x, row_number() OVER () '
                        "k FROM out) o JOIN (SELECT x, row_number() OVER () k FROM t) t USING (k)")
    assert same == ["t"]
    made = postgres.sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'out'::regclass AND "
                        "attname = 'x'")[0]
    assert made == ("text" if "text" in type or "char" in type else
                    "numeric" if type in ("real", "double precision", "numeric", "numeric(6,2)") and type != "bigint" else type)


def test_free_noise_may_leave_the_range_of_small_integers(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x smallint); INSERT INTO t SELECT CASE WHEN k % 3 = 0 THEN 'a' ELSE 'b' END, k % 2 "
                 "FROM generate_series(1, 300) k")
    fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--into", "free")
    fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--range", "clamp", "--into", "held")
    types = dict(row.split("|") for row in postgres.sql(
        "SELECT attrelid::regclass, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid IN "
        "('free'::regclass, 'held'::regclass) AND attnum > 0"))
    assert types == {"free": "bigint", "held": "smallint"}
    assert postgres.sql("SELECT min(x) >= 0 AND max(x) <= 1 FROM held") == ["t"]


@pytest.mark.parametrize("type, value", [
    ("time without time zone", "'12:30'"), ("timestamp with time zone", "'2020-01-01'"), ("uuid", "gen_random_uuid()"),
    ("bytea", "'x'"), ("jsonb", "'{}'"), ("integer[]", "'{1}'"), ("interval", "'1 day'"), ("money", "1"), ("mood", "'ok'"),
    ("inet", "'::1'")])
def test_other_types_are_refused_by_name_and_may_be_cast_or_kept(fugu, postgres, type, value):
    postgres.sql(f"CREATE TYPE mood AS ENUM ('ok'); CREATE TABLE t (s text, x {type}, y integer); "
                 f"INSERT INTO t VALUES ('a', {value}, 1), ('b', {value}, 1)")
    fugu.fails(3, "calibrate", postgres.url, "--table", "t", *FLAGS, says=["column 'x'", f"type {type}", "cast"])
    fugu.fails(3, "calibrate", postgres.url, "--table", "t", "--secret", "x", "--public", "y", "--epsilon", "1",
               says=["column 'x'", f"type {type}"])
    if type not in ("uuid",):
        fugu.ok("calibrate", postgres.url, "--query", "SELECT s, x::text FROM t", *FLAGS)
    fugu.ok("release", postgres.url, "--table", "t", "--secret", "s", "--public", "y", "--epsilon", "1",
            "--keep-unprotected", "x", "--into", "kept")
    assert postgres.sql("SELECT x FROM kept ORDER BY x::text") == postgres.sql("SELECT x FROM t ORDER BY x::text")
    found = json.loads(fugu.ok("inspect", postgres.url, "--table", "t", "--format", "json"))["columns"]
    assert [column["kind"] for column in found] == ["category", "number", "other"] and type in found[2]["note"]


@pytest.mark.parametrize("type", ["date", "timestamp without time zone", "text"])
def test_dates_come_back_as_dates(fugu, postgres, type):
    """Whatever the session's style of dates is: the texts are of ISO form."""
    postgres.sql(f"CREATE TABLE t (s text, x {type}); INSERT INTO t SELECT (ARRAY['a', 'b'])[1 + k % 2], "
                 f"(date '2024-02-20' + (k * 7 % 20) * interval '1 day')::date::{type} FROM generate_series(1, 400) k")
    postgres.sql("ALTER DATABASE postgres SET DateStyle = 'German, DMY'")
    try:
        fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--range", "clamp", "--into", "out")
        fugu.ok("release", postgres.url, "--table", "t", "--plan", "out.plan.json", "--into", "again")
    finally:
        postgres.sql("ALTER DATABASE postgres RESET DateStyle")
    assert postgres.sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'out'::regclass AND attname = 'x'") == [type]
    assert postgres.sql("SELECT count(*), min(x::date) >= date '2024-02-20', max(x::date) <= date '2024-03-10' FROM out") == ["400|t|t"]


ODD = ['we"ird', "semi;colon", "two words", "UPPER", "ünï✓", "'; DROP TABLE victim; --", 'a"; DROP TABLE victim; --', "a.b",
       "$1", "back\\slash", "%s{0}", "select"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


@pytest.mark.parametrize("name", ODD)
def test_odd_names_and_texts_are_never_read_as_sql(fugu, postgres, name):
    texts = [text.replace("'", "''") for text in ODD + ["NULL", "\\N", "'", "''", '""', "x,y", "a\tb"]]
    postgres.sql(f"CREATE TABLE victim (x int); CREATE SCHEMA {quoted(name)}; CREATE TABLE {quoted(name)}.{quoted(name)} "
                 f"({quoted('s ' + name)} text, {quoted(name)} text); INSERT INTO {quoted(name)}.{quoted(name)} VALUES "
                 + even(f"'{text}'" for text in texts))
    into = quoted(name) + "." + quoted("out " + name)
    fugu.ok("release", postgres.url, "--table", f"{quoted(name)}.{quoted(name)}", "--secret", csv_field("s " + name),
            "--public", csv_field(name), "--not-missing", "NULL,\\N", "--epsilon", "0.5", "--into", into)
    assert postgres.sql(f"SELECT {quoted(name)} FROM {into}") == postgres.sql(
        f"SELECT {quoted(name)} FROM {quoted(name)}.{quoted(name)}")
    assert "public.victim" in postgres.tables() and len(postgres.tables()) == 3
    written = sorted(path.name for path in fugu.folder.iterdir())
    assert len(written) == 2 and written[1].endswith(".receipt.json") and "/" not in written[0]


def test_names_are_folded_as_in_sql(fugu, postgres):
    postgres.sql('CREATE TABLE People (s text, x int); CREATE TABLE "People" (s text, x int, y int);'
                 f"INSERT INTO people VALUES {even([1])}")
    fugu.ok("calibrate", postgres.url, "--table", "PEOPLE", *FLAGS)
    fugu.fails(3, "calibrate", postgres.url, "--table", '"People"', *FLAGS, says="no rows")
    fugu.fails(2, "calibrate", postgres.url, "--table", '"PEOPLE"', *FLAGS, says=["no table", "double quotes"])
    for bad in ("two words", "a.b.c", "a.", '"open', "x;y", "1st"):
        fugu.fails(2, "calibrate", postgres.url, "--table", bad, *FLAGS, says=["--table", "is not the name"])
    fugu.fails(2, "release", postgres.url, "--table", "people", *FLAGS, "--into", "x" * 64, says=["--into", "63"])


def test_missing_values(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x text, y text); INSERT INTO t VALUES " + even(["'u', 'k'", "'v', ''", "NULL, NULL"]))
    fugu.fails(3, "release", postgres.url, "--table", "t", *FLAGS, "--into", "o", says=["a row, column 'x'", "missing"])
    said = fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--missing", "drop", "--into", "dropped")
    assert "dropped 2 rows" in said and postgres.sql("SELECT x FROM dropped") == ["u", "u", "v", "v"]
    # The last rows of the heap are missing, and one column alone is read: none is lost.
    said = fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "--missing", "keep", "--into", "kept")
    assert "Released 6 rows" in said
    assert postgres.sql("SELECT x FROM kept") == ["u", "u", "v", "v", "(missing)", "(missing)"]
    beside = ["--keep-unprotected", "y", "--into", "with_y"]
    fugu.fails(2, "release", postgres.url, "--table", "t", *FLAGS, "--missing", "drop", *beside, says=["left out because of this field", "--missing keep"])
    assert fugu("release", postgres.url, "--table", "t", *FLAGS, "--missing", "keep", *beside).status == 0
    assert postgres.sql("SELECT x, y IS NULL, y FROM with_y") == ["u|f|k", "u|f|k", "v|f|", "v|f|", "(missing)|t|", "(missing)|t|"]
    write_csv(fugu, "t.csv", [["s", "x"]] + [[s, x] for x in ("u", "v", "") for s in "ab"])
    for missing in ("drop", "keep"):
        assert plan_of(fugu, postgres.url, "--table", "t", *FLAGS, "--missing", missing) == plan_of(
            fugu, "t.csv", *FLAGS, "--missing", missing)


def test_into_a_file_and_by_an_earlier_plan(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1, 2, 2, 3])}")
    fugu.ok("release", postgres.url, "--table", "t", *FLAGS, "-o", "out.csv")
    assert (fugu.folder / "out.csv").read_text() == "x\n" + "".join(f"{x}\n{x}\n" for x in (1, 2, 2, 3))
    fugu.ok("release", postgres.url, "--table", "t", "--plan", "out.csv.plan.json", "--into", "by_plan")
    assert not (fugu.folder / "by_plan.plan.json").exists()
    postgres.sql("INSERT INTO t VALUES ('a', 1)")
    fugu.fails(4, "release", postgres.url, "--table", "t", "--plan", "out.csv.plan.json", "--into", "other",
               says="not the one that the plan was made from")
    assert "public.other" not in postgres.tables()
    fugu.ok("release", postgres.url, "--table", "t", "--plan", "out.csv.plan.json", "--new-data", "--into", "other")


def test_a_query_is_one_select_that_only_reads(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1, 2])}")
    ask = lambda query: ["release", postgres.url, "--query", query, *FLAGS, "--into", "out"]
    fugu.ok(*ask("SELECT s, x + 1 AS x FROM t -- all of it\n ; \n"))
    assert postgres.sql("SELECT x FROM out ORDER BY 1") == ["2", "2", "3", "3"]
    fugu.ok(*ask("WITH w AS (SELECT * FROM t) SELECT s, x, x AS y, x AS y FROM w"), "--force")
    for bad in ("SELECT s, x FROM t; DROP TABLE t", "SELECT s, x FROM t) AS q; DROP TABLE t; --", "DROP TABLE t",
                "INSERT INTO t VALUES ('c', 1) RETURNING s, x", "DELETE FROM t RETURNING s, x", "", ";", "SELECT nothing FROM t",
                "VALUES (1", "COPY t TO STDOUT", "BEGIN"):
        err = fugu.fails(2, "calibrate", postgres.url, "--query", bad, *FLAGS)
        assert "--query" in err
    postgres.sql("CREATE FUNCTION sneaky() RETURNS int LANGUAGE sql AS $$ DELETE FROM t RETURNING 1 $$")
    fugu.fails(5, "calibrate", postgres.url, "--query", "SELECT s, sneaky() AS x FROM t", *FLAGS, says="read-only")
    assert postgres.sql("SELECT count(*) FROM t") == ["4"]
    # What is random is not counted once and released from other rows.
    fugu.fails(4, "release", postgres.url, "--query", "SELECT s, (random() * 3)::int AS x FROM t, generate_series(1, 500)",
               *FLAGS, "--into", "random", says="not the one")
    postgres.sql("CREATE VIEW dice AS SELECT s, (random() * 3)::int AS x FROM t, generate_series(1, 500)")
    fugu.fails(4, "release", postgres.url, "--table", "dice", *FLAGS, "--into", "random", says="not the one")


def test_rows_in_any_order_are_those_that_were_counted(fugu, postgres):
    """Where rows trade places, even what is random is released as it was counted, and once is enough."""
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t VALUES ('a', 1), ('b', 1);"
                 "CREATE VIEW dice AS SELECT s, (random() * 3)::int AS x, 'g' || length(s) AS g FROM t, generate_series(1, 500)")
    for source in (["--table", "dice"], ["--query", "SELECT * FROM dice"]):
        for more in ([], ["--known", "g"], ["--missing", "drop"]):
            fugu.ok("release", postgres.url, *source, "--secret", "s", "--public", "x", "--epsilon", "9", "--method", "swap", *more,
                    "--into", "out", "--force")
            given = json.loads((fugu.folder / "out.plan.json").read_text())["scenario"]["priors"][0]["given"]
            counted = {value: sum(int(law["mass"][law["values"].index(value)]) for law in given.values()) for value in range(4)}
            assert postgres.sql("SELECT x, count(*) FROM out GROUP BY 1 ORDER BY 1") == [f"{x}|{n}" for x, n in counted.items()]
            assert postgres.sql("SELECT x FROM out") != postgres.sql("SELECT x FROM out ORDER BY 1")
    # In their order they are read again.
    fugu.fails(4, "release", postgres.url, "--table", "dice", *FLAGS, "--method", "swap", "--keep-order", "--into", "ordered",
               says="not the one")


def test_no_private_value_in_the_servers_errors(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x text); INSERT INTO t VALUES ('a', 'hush7'), ('b', '1')")
    err = fugu.fails(5, "calibrate", postgres.url, "--query", "SELECT s, x::int AS x FROM t", *FLAGS, says="22P02")
    assert "hush" not in err
    err = fugu.fails(5, "calibrate", postgres.url, "--query", "SELECT s, 1 / (length(x) - 1) AS x FROM t", *FLAGS)
    assert "hush" not in err


@pytest.mark.parametrize("computed", ["s::regclass::text", "s::regrole::text", "nextval(s)::text", "current_setting(s)", "shout(s)"])
def test_no_private_value_whatever_code_the_server_gives_it(fugu, postgres, computed):
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t SELECT 'private' || k % 2, k % 3 FROM generate_series(1, 60) k;"
                 "CREATE FUNCTION shout(t text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'saw %', t USING "
                 "ERRCODE = '42501'; END $$")
    err = fugu.fails(5, "calibrate", postgres.url, "--query", f"SELECT x AS s, {computed} AS x FROM t", *FLAGS, says="SQLSTATE")
    assert "private" not in err


def test_a_table_that_would_be_gone_is_refused(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1])}")
    fugu.fails(2, "release", postgres.url, "--table", "t", *FLAGS, "--into", "pg_temp.out", says="--into")


def test_a_password_in_a_broken_url_is_not_repeated(fugu):
    for url in ("postgresql://lim:hunter2/pw@/census", "postgresql://lim:hun@ter2@nohost.invalid/census",
                "POSTGRESQL://lim:hunter2pw@/census", "postgresq://lim:hunter2pw@/census"):
        for words in (["calibrate", url, "--table", "t", *FLAGS], [url], ["figure", url, "laws"], ["verify", url],
                      ["ledger", "show", "--ledger", url]):
            result = fugu(*words)
            assert result.status != 0 and not any(part in result.err for part in ("hunter2", "ter2", "hun@")), result


def test_replacing_and_what_may_not_be_replaced(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1])}; CREATE VIEW v AS SELECT * FROM t;"
                 "CREATE TABLE out (old int); CREATE VIEW only_a_view AS SELECT 1 AS x; CREATE TABLE used (x int);"
                 "CREATE VIEW on_used AS SELECT * FROM used")
    ask = lambda *more: ["release", postgres.url, *FLAGS, *more]
    before = postgres.tables()
    fugu.fails(2, *ask("--table", "t", "--into", "out"), says=["--into", "already", "--force"])
    for force in ([], ["--force"]):
        fugu.fails(2, *ask("--table", "t", "--into", "t", *force), says="is the input")
        fugu.fails(2, *ask("--table", "v", "--into", "public.t", *force), says="is the input")
        fugu.fails(2, *ask("--query", "SELECT * FROM v", "--into", "T", *force), says="is the input")
        fugu.fails(2, *ask("--table", "t", "--into", "only_a_view", *force), says="ordinary table")
    fugu.fails(5, *ask("--table", "t", "--into", "used", "--force"), says="depend")
    assert postgres.tables() == before
    fugu.ok(*ask("--table", "t", "--into", "out", "--force"))
    assert postgres.sql("SELECT x FROM out") == ["1", "1"] and postgres.tables() == before
    # The files are there: only --force replaces them.
    postgres.sql("DROP TABLE out")
    fugu.fails(2, *ask("--table", "t", "--into", "out"), says="out.receipt.json")
    fugu.ok(*ask("--table", "t", "--into", "out", "--force"))


def test_wrong_usage(fugu, postgres):
    postgres.sql(f"CREATE TABLE t (s text, x int); INSERT INTO t VALUES {even([1])}")
    fugu.write("t.csv", "s,x\na,1\nb,1\n")
    fugu.fails(2, "calibrate", postgres.url, *FLAGS, says=["--table", "--query"])
    fugu.fails(2, "calibrate", postgres.url, "--table", "t", "--query", "SELECT 1", *FLAGS, says="one of")
    fugu.fails(2, "calibrate", "t.csv", "--table", "t", *FLAGS, says="not a database")
    fugu.fails(2, "calibrate", postgres.url, "--table", "t", "--no-header", *FLAGS, says="--no-header")
    fugu.fails(2, "calibrate", postgres.url, "--table", "t", "--separator", ";", *FLAGS, says="--separator")
    fugu.fails(2, "calibrate", postgres.url, "--table", "t", "--secret", "s", "--public", "z", "--epsilon", "1",
               says=["no column 'z'", "s, x"])
    fugu.fails(2, "release", "t.csv", *FLAGS, "--into", "out", says="not a database")
    fugu.fails(2, "release", postgres.url, "--table", "t", *FLAGS, "--into", "o", "-o", "o.csv", says="one of")
    fugu.fails(2, "release", postgres.url, "--table", "t", *FLAGS, says="--into")
    secret_url = "postgresql://u:hush7@/db"
    fugu.ok("calibrate", "t.csv", *FLAGS, "-o", "plan.json")
    fugu.ok("statement", "plan.json", "-o", "statement.json")
    for command in (["estimate", secret_url, "--statement", "statement.json"], ["calibrate", "t.csv", *FLAGS, "-o", secret_url],
                    ["release", "t.csv", *FLAGS, "-o", secret_url], ["verify", secret_url],
                    ["calibrate", "postgresql://u:hush7%zz@/db", "--table", "t", *FLAGS],
                    ["calibrate", "postgresql://u:hush7@/db?nonsense=hush7", "--table", "t", *FLAGS]):
        err = fugu.fails(2, *command)
        assert "hush7" not in err


def test_the_ledger_counts_a_table_and_keeps_it(fugu, postgres):
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t VALUES " + ", ".join(
        f"('{'ab'[k % 2]}', {k % 2})" for k in range(40)))
    ask = lambda into, *more: ["release", postgres.url, "--table", "t", "--secret", "s", "--public", "x", "--epsilon", "0.1",
                               "--into", into, "--ledger", "budget.db", "--dataset", "d", *more]
    fugu.ok(*ask("first", "--budget", "0.15"))
    fugu.fails(6, *ask("second"), says="would be spent")
    assert "public.second" not in postgres.tables()
    account = json.loads(fugu.ok("ledger", "show", "--ledger", "budget.db", "--format", "json"))["accounts"][0]
    assert [(row["state"], row["output"].split(" ")[1]) for row in account["releases"]] == [("done", "first")]
    assert account["releases"][0]["output"].startswith("postgresql://")


def test_no_url_makes_a_table_void(fugu, postgres):
    """A URL with @ in a parameter is not shown, and is a database all the same."""
    postgres.sql("CREATE TABLE t (s text, x int); INSERT INTO t VALUES " + ", ".join(
        f"('{'ab'[k % 2]}', {k % 2})" for k in range(40)))
    fugu.ok("release", postgres.url_for("owner") + "&application_name=me@home", "--table", "t", "--secret", "s", "--public", "x",
            "--epsilon", "0.1", "--into", "rel", "--ledger", "budget.db", "--dataset", "d", "--budget", "1")
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        assert ledger.execute("SELECT output FROM releases").fetchall() == [("postgresql://... rel",)]
        ledger.execute("UPDATE releases SET state = 'spent'")
    fugu.fails(2, "ledger", "void", "1", "--ledger", "budget.db", "--reason", "x", says="went into a database")


def test_inspect_sees_what_the_csv_shows(fugu, postgres):
    rows = [["s", "n", "Label", "gone"]] + [["ab"[k % 2], str(k % 7), f"l {k % 3}", "" if k % 5 else "x"] for k in range(60)]
    write_csv(fugu, "t.csv", rows)
    postgres.sql('CREATE TABLE t (s text, n int, "Label" text, gone text)')
    postgres.sql("COPY t FROM STDIN (FORMAT csv, HEADER, FORCE_NULL (gone))", stdin=(fugu.folder / "t.csv").read_text())
    for secret in ([], ["--secret", "s"], ["--secret", "3"]):
        assert fugu.ok("inspect", postgres.url, "--table", "t", *secret) == fugu.ok("inspect", "t.csv", *secret)
    compared = fugu.ok("compare", postgres.url, "--table", "t", "--secret", "s", "--public", "n", "--epsilon", "1")
    of_file = fugu.ok("compare", "t.csv", "--secret", "s", "--public", "n", "--epsilon", "1")
    assert "postgresql" not in compared and [line for line in of_file.splitlines() if not line.startswith("  fugu release ")] == compared.splitlines()
