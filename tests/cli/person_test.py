"""One person, several rows: noticed, and one row of each drawn (docs/columns.md)."""
import collections
import csv
import hashlib
import hmac
import json
import random
import shutil
import sqlite3

import pytest

ASK = ["--secret", "race", "--public", "x", "--epsilon", "1"]
PERSON = ["--person", "patient_nbr"]


def rows_of(seed=1, people=300, missing=False):
    rng = random.Random(seed)
    rows = []
    for person in range(people):
        for _ in range(rng.choice([1, 1, 2, 3, 6])):
            race = rng.choice("ab")
            x = "" if missing and rng.random() < 0.1 else str(rng.randrange(4) + (race == "a"))
            rows.append({"patient_nbr": f"p{person}", "race": race, "x": x, "sex": rng.choice("FM"), "y": str(rng.randrange(2))})
    rng.shuffle(rows)
    return rows


def write(fugu, name, rows, columns=("patient_nbr", "race", "x", "sex", "y")):
    fugu.write(name, ",".join(columns) + "\n" + "".join(",".join(row[c] for c in columns) + "\n" for row in rows))


def read(fugu, name):
    return (fugu.folder / name).read_text()


def key(seed, person, texts, j):
    parts = [text.encode() for text in (person, *texts)]
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts) + j.to_bytes(8, "big")
    return hmac.new(bytes.fromhex(seed), message, hashlib.sha256).digest()


def drawn(rows, seed, columns):
    """The row of each person, by the rule of docs/formats.md."""
    own = collections.defaultdict(collections.Counter)
    for row in rows:
        own[row["patient_nbr"]][tuple(row[c] for c in columns)] += 1
    return {person: min((key(seed, person, texts, j), texts) for texts, times in mine.items() for j in range(times))[1]
            for person, mine in own.items()}


def counts_in(plan):
    """Of one column, by secret and value."""
    laws = plan["scenario"]["priors"][0]["given"]
    return {(secret, int(value)): count for secret, law in laws.items() for value, count in zip(law["values"], law["mass"])}


def plan_of(fugu, *more, table="t.csv"):
    fugu.ok("calibrate", table, *ASK, *PERSON, *more, "-o", "plan.json", "--force")
    return json.loads(read(fugu, "plan.json"))


def released_people(fugu, name):
    with open(fugu.folder / name) as file:
        return list(csv.DictReader(file))


def test_people_who_come_again_are_noticed(fugu):
    write(fugu, "t.csv", rows_of())
    rows = len(rows_of())
    for command in (["release", "t.csv", *ASK, "-o", "out.csv"], ["calibrate", "t.csv", *ASK, "-o", "p.json"], ["compare", "t.csv", *ASK]):
        fugu.fails(2, *command, says=["column 'patient_nbr' looks like a person's number, and some people have several rows\n",
                                      "--person patient_nbr", "--rows-independent"])
    assert f"a person's number? 300 values in {rows} rows: --person patient_nbr" in fugu.ok("inspect", "t.csv")
    fugu.ok("release", "t.csv", *ASK, "--rows-independent", "-o", "out.csv")
    assert len(released_people(fugu, "out.csv")) == rows
    assert "the owner says that they are of different people, or independent" in read(fugu, "out.csv.receipt.json")


def test_who_comes_once_is_no_matter(fugu):
    rows = rows_of()
    for k, row in enumerate(rows):
        row["patient_nbr"] = f"p{k}"
    write(fugu, "t.csv", rows)
    fugu.ok("release", "t.csv", *ASK, "-o", "out.csv")


def test_a_table_with_more_columns_than_the_plans(fugu):
    """The plan's own had no numbers of people: the release sees them."""
    rows = rows_of()
    write(fugu, "narrow.csv", rows, ["race", "x"])
    write(fugu, "t.csv", rows)
    fugu.ok("calibrate", "narrow.csv", *ASK, "-o", "plan.json")
    for more in ([], ["--new-data"]):
        fugu.fails(2, "release", "t.csv", "--plan", "plan.json", *more, "-o", "out.csv", "--force", says="looks like a person's number")
        fugu.ok("release", "t.csv", "--plan", "plan.json", *more, "--rows-independent", "-o", "out.csv", "--force")
    lite = sqlite3.connect(fugu.folder / "t.db")
    lite.execute("CREATE TABLE t (patient_nbr TEXT, race TEXT, x INTEGER)")
    lite.executemany("INSERT INTO t VALUES (:patient_nbr, :race, :x)", rows)
    lite.commit()
    fugu.fails(2, "release", "sqlite:t.db", "--table", "t", *ASK, "-o", "o.csv", says="looks like a person's number")
    fugu.fails(2, "release", "sqlite:t.db", "--table", "t", "--plan", "plan.json", "-o", "o.csv", says="looks like a person's number")


@pytest.mark.parametrize("given", [False, True])
def test_the_counts_are_those_of_the_draw(fugu, given):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan = plan_of(fugu, *(["--given", "sex", "--min-group", "1"] if given else []))
    person = plan["scenario"]["source"]["person"]
    assert person["column"] == "patient_nbr" and person["rows"] == 1 and len(person["seed"]) == 64
    columns = ["race", "sex", "x"] if given else ["race", "x"]
    taken = collections.Counter((texts[0], int(texts[-1])) for texts in drawn(rows, person["seed"], columns).values())
    assert sum(taken.values()) == 300
    assert counts_in(plan) == taken
    other = plan_of(fugu, *(["--given", "sex", "--min-group", "1"] if given else []))
    assert other["scenario"]["source"]["person"]["seed"] != person["seed"]
    fugu.ok("verify", "plan.json")


def test_every_source_draws_the_same(fugu, postgres):
    """A plan is released only from the very rows that were counted: those of another draw are refused."""
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan_of(fugu)
    write(fugu, "other.csv", sorted(rows, key=lambda row: row["y"]), ["y", "x", "patient_nbr", "race"])
    lite = sqlite3.connect(fugu.folder / "t.db")
    lite.execute("CREATE TABLE t (patient_nbr TEXT, race TEXT, x NUMERIC)")
    lite.executemany("INSERT INTO t VALUES (:patient_nbr, :race, :x)", reversed(rows))
    lite.commit()
    postgres.sql("CREATE TABLE t (patient_nbr text, race text, x numeric(5, 2)); INSERT INTO t VALUES "
                 + ", ".join(f"('{row['patient_nbr']}', '{row['race']}', {row['x']})" for row in rows))
    for threads in ("1", "2"):
        for table in (["t.csv"], ["other.csv"], ["sqlite:t.db", "--table", "t"], [postgres.url, "--table", "t"]):
            fugu.ok("release", *table, "--plan", "plan.json", "-o", "out.csv", "--force", "--threads", threads)
            assert len(released_people(fugu, "out.csv")) == 300
    changed = json.loads(read(fugu, "plan.json"))
    changed["scenario"]["source"]["person"]["seed"] = "0" * 64
    del changed["digest"]
    fugu.write("changed.json", json.dumps(changed))
    assert fugu("release", "t.csv", "--plan", "changed.json", "-o", "o.csv").status != 0


def test_exactly_one_row_of_each_person(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    said = fugu("release", "t.csv", *ASK, *PERSON, "--keep-unprotected", "patient_nbr,y", "-o", "out.csv")
    assert said.status == 0 and "Released 300 rows, one of each person" in said.out
    assert "whoever knows a person's patient_nbr finds that person's row" in said.err
    released = released_people(fugu, "out.csv")
    assert sorted(row["patient_nbr"] for row in released) == sorted({row["patient_nbr"] for row in rows})
    plan = json.loads(read(fugu, "out.csv.plan.json"))
    taken = drawn(rows, plan["scenario"]["source"]["person"]["seed"], ["race", "x"])
    there = {(row["patient_nbr"], row["race"], row["x"], row["y"]) for row in rows}
    for row in released:
        assert any((row["patient_nbr"], *taken[row["patient_nbr"]], row["y"]) == other for other in there)
    fugu.ok("release", "t.csv", *ASK, *PERSON, "-o", "plain.csv")
    assert list(released_people(fugu, "plain.csv")[0]) == ["x"]


def test_what_is_published_has_no_seed(fugu):
    write(fugu, "t.csv", rows_of())
    fugu.ok("release", "t.csv", *ASK, *PERSON, "-o", "out.csv")
    seed = json.loads(read(fugu, "out.csv.plan.json"))["scenario"]["source"]["person"]["seed"]
    receipt = read(fugu, "out.csv.receipt.json")
    statement = fugu.ok("statement", "out.csv.plan.json", "--format", "json")
    report = fugu.ok("report", "out.csv.plan.json", "--public", "-o", "public.html") + read(fugu, "public.html")
    sentence = "One row of each person, told by patient_nbr, was drawn at random, and the promise is about that row"
    for text in (receipt, statement):
        assert sentence in text
    for text in (receipt, statement, report):
        assert seed not in text and '"seed"' not in text
    assert json.loads(receipt)["rows_dropped"] is False


def test_several_columns_and_a_confidence(fugu):
    rows = rows_of(people=400)
    write(fugu, "t.csv", rows)
    fugu.ok("release", "t.csv", "--secret", "race", "--public", "x,y", "--epsilon", "1", *PERSON, "-o", "two.csv")
    assert len(released_people(fugu, "two.csv")) == 400
    plan = json.loads(read(fugu, "two.csv.plan.json"))
    taken = drawn(rows, plan["scenario"]["source"]["person"]["seed"], ["race", "x", "y"])
    assert len(taken) == 400
    fugu.ok("release", "t.csv", "--secret", "race", "--public", "y", "--epsilon", "2", "--confidence", "0.9", "--kind", "y=category",
            "--order", "0,1", *PERSON, "-o", "sure.csv")
    assert len(released_people(fugu, "sure.csv")) == 400


def test_rows_are_left_out_before_the_draw(fugu):
    rows = rows_of(missing=True)
    write(fugu, "t.csv", rows)
    fugu.fails(3, "calibrate", "t.csv", *ASK, *PERSON, "-o", "p.json", says="the field is missing")
    plan = plan_of(fugu, "--missing", "drop")
    there = [row for row in rows if row["x"]]
    taken = drawn(there, plan["scenario"]["source"]["person"]["seed"], ["race", "x"])
    assert counts_in(plan) == collections.Counter((race, int(x)) for race, x in taken.values())
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert len(released_people(fugu, "out.csv")) == len(taken)
    assert json.loads(read(fugu, "out.csv.receipt.json"))["rows_dropped"] is True


def test_a_row_of_nobody(fugu):
    rows = rows_of()
    rows[7]["patient_nbr"] = ""
    write(fugu, "t.csv", rows)
    for missing in ("error", "keep"):
        fugu.fails(3, "calibrate", "t.csv", *ASK, *PERSON, "--missing", missing, "--kind", "x=category", "-o", "p.json",
                   says=["line 9, column 'patient_nbr': the row does not say whose it is", "--missing drop"])
    fugu.ok("release", "t.csv", *ASK, *PERSON, "--missing", "drop", "-o", "out.csv")
    assert len(released_people(fugu, "out.csv")) == len({row["patient_nbr"] for row in rows} - {""})


def test_new_data_has_one_row_of_each_person(fugu):
    write(fugu, "t.csv", rows_of())
    plan_of(fugu)
    write(fugu, "new.csv", rows_of(seed=2, people=120))
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv")
    assert len(released_people(fugu, "out.csv")) == 120
    write(fugu, "narrow.csv", rows_of(seed=2), ["race", "x"])
    fugu.fails(2, "release", "narrow.csv", "--plan", "plan.json", "--new-data", "-o", "o.csv", says="'patient_nbr'")
    fugu.fails(2, "release", "-", "--plan", "plan.json", "--new-data", "-o", "o.csv", stdin=read(fugu, "new.csv"),
               says=["one row per person, and must read the table twice", "into a file"])


def test_other_tables_are_refused(fugu):
    rows = rows_of()
    write(fugu, "t.csv", rows)
    plan_of(fugu)
    rows[0]["patient_nbr"] = "another"
    write(fugu, "t.csv", rows)
    fugu.fails(4, "release", "t.csv", "--plan", "plan.json", "-o", "o.csv", says="not the one that the plan was made from")


def test_other_threads_and_orders_of_flags(fugu):
    write(fugu, "t.csv", rows_of())
    for more, says in (
        (["--rows-per-person", "2"], "one person's rows have different secrets"),
        (["--rows-per-person", "x"], "--rows-per-person: "),
        (["--rows-independent"], "--person says that rows of one person belong together"),
    ):
        fugu.fails(3 if "2" in more else 2, "calibrate", "t.csv", *ASK, *PERSON, *more, "-o", "p.json", says=says)
    fugu.ok("calibrate", "t.csv", *ASK, *PERSON, "--rows-per-person", "1", "-o", "p.json")
    fugu.fails(2, "calibrate", "t.csv", *ASK, "--rows-per-person", "1", "-o", "q.json", says="no column says whose row it is")
    for column, says in (("race", "is the secret"), ("x", "is a released column"), ("nobody", "no column")):
        fugu.fails(2, "calibrate", "t.csv", *ASK, "--person", column, "-o", "q.json", says=says)
    fugu.fails(2, "calibrate", "t.csv", *ASK, "--given", "sex", "--person", "sex", "-o", "q.json", says="is among --given")
    fugu.fails(2, "release", "t.csv", "--plan", "p.json", *PERSON, "-o", "o.csv", says="the plan says this already")


@pytest.mark.parametrize("person, says", [
    ({"column": "patient_nbr", "rows": 2, "seed": "0" * 64}, "the values are not of so many rows"),
    ({"column": "patient_nbr", "rows": 0, "seed": "0" * 64}, "a number of rows of one person"),
    ({"column": "patient_nbr", "rows": 65, "seed": "0" * 64}, "a number of rows of one person"),
    ({"column": "patient_nbr", "rows": 1, "seed": "0" * 63}, "64 hexadecimal digits"),
    ({"column": "patient_nbr", "rows": 1}, "seed"),
])
def test_what_a_file_says_of_people(fugu, person, says):
    source = {"secret": ["race"], "public": ["x"], "person": person}
    fugu.write("s.json", json.dumps({"epsilon": 1, "source": source, "priors": [{"name": "p", "given": {"a": {"values": [0, 1], "mass": [3, 1]}, "b": {"values": [0, 1], "mass": [1, 3]}}}]}))
    fugu.fails(3, "calibrate", "--scenario", "s.json", "-o", "p.json", says=says)


def test_an_audit_of_the_plan(fugu):
    write(fugu, "t.csv", rows_of())
    fugu.ok("release", "t.csv", *ASK, *PERSON, "-o", "out.csv")
    fugu.ok("audit", "out.csv.plan.json", "--draws", "2000")
    fugu.fails(2, "audit", "out.csv.plan.json", "--original", "t.csv", "--released", "out.csv", says="one row per person")


def wide(people=120):
    """Values that hardly any two rows share, so that those of rows which are not drawn are none of the plan's."""
    rng = random.Random(5)
    return [{"patient_nbr": f"p{p}", "race": rng.choice("ab"), "x": str(rng.randrange(100000)), "sex": "F", "y": "0"} for p in range(people) for _ in range(4)]


def test_rows_that_were_not_drawn_need_not_be_the_plans(fugu):
    """Else only draws with the outermost values would be released."""
    write(fugu, "t.csv", wide())
    for _ in range(3):
        plan_of(fugu)
        fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv", "--force")
        assert len(released_people(fugu, "out.csv")) == 120
    fugu.ok("release", "t.csv", *ASK, *PERSON, "-o", "out.csv", "--force")


def test_a_drawn_row_must_be_the_plans(fugu):
    write(fugu, "t.csv", rows_of())
    plan_of(fugu)
    write(fugu, "new.csv", [{"patient_nbr": "q", "race": "a", "x": "77", "sex": "F", "y": "0"}] + rows_of(seed=2))
    fugu.fails(3, "release", "new.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv", says=["line 2", "does not know this value"])
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "--missing", "drop", "-o", "out.csv")
    assert len(released_people(fugu, "out.csv")) == len({row["patient_nbr"] for row in rows_of(seed=2)})


def test_beside_kept_columns_nobody_is_left_out(fugu):
    rows = rows_of() + [{"patient_nbr": "gone", "race": "a", "x": "", "sex": "F", "y": "0"}]
    write(fugu, "t.csv", rows)
    plan_of(fugu, "--missing", "drop")
    fugu.fails(2, "release", "t.csv", "--plan", "plan.json", "--keep-unprotected", "y", "-o", "out.csv", says=["would be left out", "kept"])
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")


def test_another_draw_is_of_other_values(fugu):
    """Whose value changes between two draws tells on people whose rows differ: the ledger must not take them for the same."""
    rows = [{"patient_nbr": f"p{p}", "race": "ab"[p % 2], "x": str(x), "sex": "F", "y": "0"}
            for p in range(24) for x in ((p // 2 % 2,) * 2 if p % 2 == 0 else (0, 1))]
    write(fugu, "t.csv", rows)
    account = ["--ledger", "l.db", "--dataset", "v", "--budget", "4"]
    fugu.ok("release", "t.csv", *ASK, *PERSON, *account, "-o", "one.csv", "--publish-min", "1")
    for more in ([], ["--values-unchanged"]):
        for whose in (PERSON, ["--rows-independent"]):
            shutil.copy(fugu.folder / "l.db", fugu.folder / "try.db")
            tried = [flag.replace("l.db", "try.db") for flag in account]
            result = fugu("release", "t.csv", *ASK, *whose, *tried, *more, "-o", "try.csv", "--publish-min", "1")
            if result.status == 0:  # a draw may leave noise in both that hides the values themselves: then it counts by that
                [view] = json.loads(fugu.ok("ledger", "show", "--ledger", "try.db", "--format", "json"))["accounts"]
                assert any("Values may have changed" in sentence for sentence in view["assumptions"]), view
                for path in fugu.folder.glob("try.csv*"):
                    path.unlink()
            else:
                assert result.status in (2, 6) and "try.csv" not in result.out and not (fugu.folder / "try.csv").exists(), result
            (fugu.folder / "try.db").unlink()
    # The same plan takes the same rows.
    said = fugu.ok("release", "t.csv", "--plan", "one.csv.plan.json", *account, "-o", "two.csv", "--publish-min", "1")
    assert "same rows" in said
    for name in ("a", "b"):
        fugu.ok("calibrate", "t.csv", *ASK, *PERSON, "-o", f"{name}.json")
    fugu.fails(4, "compose", "a.json", "b.json", says="other rows of the people")
    fugu.ok("compose", "a.json", "a.json")


def test_a_number_in_two_ways_is_nobodys(fugu):
    rows = [dict(row, patient_nbr="7.0" if k % 2 else "7") if row["patient_nbr"] == "p7" else dict(row, patient_nbr=row["patient_nbr"][1:])
            for k, row in enumerate(rows_of())]
    rows += [dict(rows[0], patient_nbr="7"), dict(rows[0], patient_nbr="7.0")]
    write(fugu, "t.csv", rows)
    fugu.fails(3, "calibrate", "t.csv", *ASK, *PERSON, "-o", "p.json", says="one number written in two ways")


@pytest.mark.parametrize("flag", ["--person", "--given", "--confidence", "--publish-min", "--ledger", "--clip", "--na", "--order", "--kind", "--weight"])
def test_an_empty_value_is_no_value(fugu, flag):
    """A variable of the shell that is not set."""
    write(fugu, "t.csv", rows_of())
    fugu.fails(2, "release", "t.csv", *ASK, "--rows-independent", flag, "", "-o", "out.csv", says=f"{flag}: the value is empty")
