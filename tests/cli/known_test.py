"""Roles of columns: --known, whose groups the promise is made within and which are written as they are; --public all with --except;
--also, further beliefs beside the table's own."""

import collections
import csv
import io
import json
import random
import sqlite3
from fractions import Fraction

import pytest

from beliefs import growth_below
from tampering_test import canonical, digest

NAMES = ["sex", "age", "region", "job", "hours"]
ASK = ["--secret", "sex", "--known", "age,region", "--public", "hours", "--epsilon", "1", "--min-group", "10", "--method", "exact",
       "--noise", "laplace"]


def people(cells, seed=7):
    """(age, region) -> how many of each sex; rows in random order."""
    draw = random.Random(seed)
    rows = [(sex, age, region, draw.choice(["clerk", "driver"]), draw.randint(20, 24) + (sex == "M"))
            for (age, region), count in cells.items() for sex in "FM" for _ in range(count)]
    draw.shuffle(rows)
    return rows


def text_of(rows, names=NAMES):
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"


def table_of(text):
    return list(csv.DictReader(io.StringIO(text)))


LARGE = {("30", "north"): 40, ("30", "south"): 30, ("40", "north"): 30}
MERGED = {**LARGE, ("50", "north"): 6, ("50", "south"): 6}
LEFT_OUT = {**LARGE, ("50", "north"): 3}


def released(fugu, rows, *flags):
    fugu.write("t.csv", text_of(rows))
    fugu.ok("calibrate", "t.csv", *ASK, *flags, "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    said = fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    return json.loads((fugu.folder / "plan.json").read_text()), table_of((fugu.folder / "out.csv").read_text()), said


def test_known_columns_are_written_and_each_group_is_a_prior(fugu):
    rows = people(LARGE)
    plan, out, _ = released(fugu, rows)
    scenario = plan["scenario"]
    assert [(prior["name"], prior["known"]) for prior in scenario["priors"]] == [
        ("age = 30 & region = north", ["30", "north"]), ("age = 30 & region = south", ["30", "south"]),
        ("age = 40 & region = north", ["40", "north"])]
    assert scenario["source"]["known"] == ["age", "region"] and "given" not in scenario["source"]
    assert list(out[0]) == ["age", "region", "hours"]
    assert [(row["age"], row["region"]) for row in out] == [row[1:3] for row in rows]
    assert [row["hours"] for row in out] != [str(row[4]) for row in rows]


def test_the_promise_holds_within_every_group(fugu):
    rows = people(MERGED)
    plan, _, _ = released(fugu, rows)
    noise = plan["mechanism"]
    ratio = Fraction(int(noise["tail"]["numerator"]), 2 ** int(noise["tail"]["log2_denominator"]))
    worst = Fraction(1)
    small = {group for group, count in MERGED.items() if count < 10}
    laws = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for sex, age, region, _, hours in rows:
        laws["(other)" if (age, region) in small else (age, region)][sex][hours] += 1
    for law in laws.values():
        for out in range(15, 32):
            seen = [sum(Fraction(n, sum(law[s].values())) * ratio ** abs(out - x) for x, n in law[s].items()) for s in "FM"]
            worst = max(worst, max(seen) / min(seen))
    assert growth_below(Fraction(1)) * Fraction(999, 1000) < worst <= growth_below(Fraction(1), 80)


def test_small_groups_together_are_released_without_what_is_known(fugu):
    rows = people(MERGED)
    plan, out, _ = released(fugu, rows)
    assert [prior["known"] for prior in plan["scenario"]["priors"]][-1] == ["(other)"]
    assert plan["scenario"]["source"]["merged"] == ["age = 50 & region = north", "age = 50 & region = south"]
    assert [(row["age"], row["region"]) for row in out] == [("", "") if row[1] == "50" else row[1:3] for row in rows]
    assert any("merged into the group (other)" in note and "age = 50 & region = south" in note for note in plan["notes"])


def test_groups_that_stay_small_are_left_out(fugu):
    rows = people(LEFT_OUT)
    plan, out, said = released(fugu, rows)
    assert plan["scenario"]["source"]["left_out"] == ["age = 50 & region = north"]
    assert [(row["age"], row["region"]) for row in out] == [row[1:3] for row in rows if row[1] != "50"]
    assert "left out 6 rows of groups that are too small" in said
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    assert receipt["rows_dropped"] and receipt["rows"] == len(out)


def test_what_only_a_left_out_group_has_is_not_told(fugu):
    rows = people(LEFT_OUT)
    rows = [(*row[:3], "astronaut" if row[1] == "50" else row[3], row[4]) for row in rows]
    fugu.write("t.csv", text_of(rows))
    flags = ["job" if flag == "hours" else flag for flag in ASK]
    fugu.ok("calibrate", "t.csv", *flags, "-o", "plan.json")
    assert "astronaut" not in (fugu.folder / "plan.json").read_text()
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert "astronaut" not in (fugu.folder / "out.csv").read_text()


def test_of_several_columns_only_rows_of_released_groups_are_points(fugu):
    rows = people(LEFT_OUT) + [("F", "50", "north", "clerk", 60)]
    fugu.write("t.csv", text_of(rows))
    flags = ["job,hours" if flag == "hours" else flag for flag in ASK]
    fugu.ok("calibrate", "t.csv", *flags, "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    out = table_of((fugu.folder / "out.csv").read_text())
    assert list(out[0]) == ["age", "region", "job", "hours"] and all(row["age"] != "50" for row in out)


def test_another_table_is_refused(fugu):
    rows = people(LEFT_OUT)
    fugu.write("t.csv", text_of(rows))
    fugu.ok("calibrate", "t.csv", *ASK, "-o", "plan.json")
    for name, other in {"moved": [("M" if row == rows[0] and row[0] == "F" else "F" if row == rows[0] else row[0], *row[1:]) for row in rows],
                        "more": [*rows, ("F", "50", "north", "clerk", 22), *[("M", "50", "north", "clerk", 22)] * 20]}.items():
        fugu.write(f"{name}.csv", text_of(other))
        if name == "moved":
            fugu.fails(4, "release", "moved.csv", "--plan", "plan.json", "-o", "no.csv", says="the table is not the one")
        else:  # the group that was left out is still small, and nothing is said of it
            fugu.ok("release", "more.csv", "--plan", "plan.json", "-o", "still.csv")
    fugu.write("large.csv", text_of([*rows, *[(sex, "50", "north", "clerk", 22) for sex in "FM"] * 10]))
    fugu.fails(4, "release", "large.csv", "--plan", "plan.json", "-o", "no.csv", says="the table is not the one")


def test_new_data_must_have_the_plans_groups(fugu):
    rows = people(LEFT_OUT)
    fugu.write("t.csv", text_of(rows))
    fugu.ok("calibrate", "t.csv", *ASK, "-o", "plan.json")
    fugu.write("new.csv", "age,region,hours\n30,north,22\n50,north,99\n40,north,23\n")
    fugu.ok("release", "new.csv", "--plan", "plan.json", "--new-data", "-o", "new.out.csv")
    out = table_of((fugu.folder / "new.out.csv").read_text())
    assert [(row["age"], row["region"]) for row in out] == [("30", "north"), ("40", "north")]
    fugu.write("other.csv", "age,region,hours\n30,north,22\n60,north,22\n")
    said = fugu.fails(3, "release", "other.csv", "--plan", "plan.json", "--new-data", "-o", "no.csv",
                      says=["other.csv: line 3, column 'age'", "does not know this group of the known columns"])
    assert "60" not in said
    fugu.fails(2, "release", "other.csv", "--plan", "plan.json", "--new-data", "--missing", "drop", "-o", "no.csv",
               says="the known columns show which rows are missing")
    fugu.write("lacks.csv", "age,hours\n30,22\n")
    fugu.fails(2, "release", "lacks.csv", "--plan", "plan.json", "--new-data", "-o", "no.csv", says="region")


def test_new_data_has_values_of_its_own_group(fugu):
    rows = [(*row[:4], 20 if row[1:3] == ("40", "north") else row[4]) for row in people(LARGE)]
    fugu.write("t.csv", text_of(rows))
    fugu.ok("calibrate", "t.csv", *ASK, "-o", "plan.json")
    fugu.write("new.csv", "age,region,hours\n40,north,24\n")
    fugu.fails(3, "release", "new.csv", "--plan", "plan.json", "--new-data", "-o", "no.csv", says="does not know this value")


def test_a_missing_known_field_is_a_group_and_stays_missing(fugu):
    rows = [(*row[:2], "" if row[2] == "south" else row[2], *row[3:]) for row in people(LARGE)]
    plan, out, _ = released(fugu, rows, "--missing", "keep")
    assert ["30", "(missing)"] in [prior["known"] for prior in plan["scenario"]["priors"]]
    assert [(row["age"], row["region"]) for row in out] == [row[1:3] for row in rows]


def test_no_row_is_dropped_beside_known_columns(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    fugu.fails(2, "calibrate", "t.csv", *ASK, "--missing", "drop", says="known columns are written")


def test_a_text_that_plans_use_for_small_groups_is_refused(fugu):
    rows = [(*row[:2], "(other)" if row[2] == "south" else row[2], *row[3:]) for row in people(LARGE)]
    fugu.write("t.csv", text_of(rows))
    flags = ["region" if flag == "age,region" else flag for flag in ASK]
    fugu.fails(3, "calibrate", "t.csv", *flags, says=["column 'region'", "all small groups together"])


@pytest.mark.parametrize("flags, says", [
    (["--known", "sex"], "--known: column 'sex' is the secret"),
    (["--known", "hours"], "--known: column 'hours' is the released column"),
    (["--known", "age,age"], "--known: column 'age' is named twice"),
    (["--known", "age", "--given", "region"], "--given: this cannot be used with --known"),
    (["--known", "age", "--person", "age"], "--person: column 'age' is among --known"),
    (["--known", "height"], "height"),
    (["--except", "job"], "--except: this works with --public all only"),
    (["--also", "independent"], "independent is what the table says already"),
    (["--also", "smoothed:0"], "fugu does not know this belief"),
    (["--also", "smoothed:1,smoothed:1.0"], "smoothed:1 comes twice"),
    (["--min-group", "3"], "--min-group: there are no groups"),
])
def test_roles_that_do_not_go_together(fugu, flags, says):
    fugu.write("t.csv", text_of(people(LARGE)))
    fugu.fails(2, "calibrate", "t.csv", "--secret", "sex", "--public", "hours", "--epsilon", "1", *flags, says=says)


def test_no_group_is_large_enough(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    fugu.fails(2, "calibrate", "t.csv", *ASK[:-6], "--min-group", "41", says="--known: no group has 41 or more people")


def test_keep_has_no_place(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    fugu.ok("calibrate", "t.csv", *ASK, "-o", "plan.json")
    for flags, says in {("--keep", "age"): "--keep: known columns are written in any case",
                        ("--keep", "job"): "--keep: the plan was not calibrated against column 'job'",
                        ("--keep-unprotected", "age"): "--keep-unprotected: column 'age' is known",
                        ("--keep-unprotected", "sex"): "is the secret"}.items():
        fugu.fails(2, "release", "t.csv", "--plan", "plan.json", *flags, "-o", "no.csv", says=says)
    fugu.ok("release", "t.csv", "--plan", "plan.json", "--keep-unprotected", "job", "-o", "out.csv")
    assert list(table_of((fugu.folder / "out.csv").read_text())[0]) == ["age", "region", "job", "hours"]


def test_known_fields_are_written_by_their_meaning(fugu):
    rows = people(LARGE)
    lines = [f'{sex}, "{age}" ,{region},{job},{hours}' if sex == "F" else f"{sex},{age},{region},{job},{hours}"
             for sex, age, region, job, hours in rows]
    fugu.write("t.csv", "\n".join([",".join(NAMES), *lines]) + "\n")
    fugu.ok("release", "t.csv", *ASK, "-o", "out.csv")
    assert '"' not in (fugu.folder / "out.csv").read_text()


def test_public_all_is_every_other_column(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    ask = ["--secret", "sex", "--known", "age,region", "--epsilon", "1", "--min-group", "10"]
    fugu.ok("calibrate", "t.csv", *ask, "--public", "all", "-o", "all.json")
    fugu.ok("calibrate", "t.csv", *ask, "--public", "job,hours", "-o", "named.json")
    assert (fugu.folder / "all.json").read_text() == (fugu.folder / "named.json").read_text()
    fugu.ok("calibrate", "t.csv", *ask, "--public", "all", "--except", "job", "-o", "one.json")
    assert json.loads((fugu.folder / "one.json").read_text())["scenario"]["source"]["public"] == ["hours"]
    fugu.ok("calibrate", "-", *ask, "--public", "all", "--except", "4", "-o", "piped.json", stdin=text_of(people(LARGE)))
    assert (fugu.folder / "piped.json").read_text() == (fugu.folder / "one.json").read_text()
    fugu.ok("statement", "all.json", "-o", "statement.json")
    columns = json.loads((fugu.folder / "statement.json").read_text())["columns"]
    assert columns["public"] == ["job", "hours"] and columns["known"] == ["age", "region"] and columns["given"] == []
    fugu.fails(2, "calibrate", "t.csv", *ask, "--public", "all", "--except", "age", says="--except: column 'age' would not be released anyway")
    fugu.fails(2, "calibrate", "t.csv", *ask, "--public", "all", "--except", "job,hours", says="every column has another role")
    fugu.fails(2, "calibrate", "t.csv", *ask, "--public", "all", "--except", "height", says="height")
    fugu.fails(2, "calibrate", "t.csv", *ask, "--public", "all", "--delta", "0.1", says="--delta: this works with one released column only")


def test_a_column_called_all_is_named_by_its_number(fugu):
    rows = people(LARGE)
    fugu.write("t.csv", text_of(rows, ["sex", "age", "region", "job", "all"]))
    ask = ["--secret", "sex", "--epsilon", "1"]
    fugu.fails(2, "calibrate", "t.csv", *ask, "--public", "all", says=["one column has that name", "by its number, 5"])
    fugu.ok("calibrate", "t.csv", *ask, "--public", "5", "-o", "plan.json")
    assert json.loads((fugu.folder / "plan.json").read_text())["scenario"]["source"]["public"] == ["all"]


def test_public_all_of_a_database(fugu):
    rows = people(MERGED)
    with sqlite3.connect(fugu.folder / "t.db") as database:
        database.execute("create table people (sex text, age integer, region text, job text, hours integer)")
        database.executemany("insert into people values (?, ?, ?, ?, ?)", rows)
    ask = ["--table", "people", "--secret", "sex", "--known", "age,region", "--public", "all", "--except", "job", "--epsilon", "1",
           "--min-group", "10"]
    fugu.ok("release", "sqlite:t.db", *ask, "-o", "out.csv")
    out = table_of((fugu.folder / "out.csv").read_text())
    assert [(row["age"], row["region"]) for row in out] == [("", "") if row[1] == "50" else row[1:3] for row in rows]
    fugu.ok("release", "sqlite:t.db", *ask, "--into", "released")
    with sqlite3.connect(fugu.folder / "t.db") as database:
        written = database.execute("select age, region, hours from released").fetchall()
    assert sorted(str(row[:2]) for row in written) == sorted(
        str((None, None) if row[1] == "50" else (int(row[1]), row[2])) for row in rows)


JOB = {"format": "fugu-job", "version": 1, "table": {"file": "t.csv"},
       "columns": {"sex": {"role": "secret"}, "age": {"role": "known"}, "region": {"role": "known"}, "hours": {"role": "public"}},
       "secrets": {"min_group": 10}, "budget": {"epsilon": 1}, "release": {"keep_order": True}, "outputs": {"release": "out.csv"}}


def test_a_job_has_the_role_known(fugu):
    rows = people(LARGE)
    fugu.write("t.csv", text_of(rows))
    fugu.write("job.json", json.dumps(JOB))
    assert "Known, and written unchanged: age, region." in fugu.ok("run", "job.json", "--check")
    fugu.ok("run", "job.json")
    out = table_of((fugu.folder / "out.csv").read_text())
    assert [(row["age"], row["region"]) for row in out] == [row[1:3] for row in rows]


def test_a_job_releases_all_but_some(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    columns = {"sex": {"role": "secret"}, "age": {"role": "known"}, "region": {"role": "known"}, "all": {"role": "public"},
               "job": {"role": "except"}}
    fugu.write("job.json", json.dumps({**JOB, "columns": columns}))
    fugu.ok("run", "job.json", "--check")
    fugu.ok("run", "job.json")
    assert list(table_of((fugu.folder / "out.csv").read_text())[0]) == ["age", "region", "hours"]


def test_further_beliefs_are_priors_of_every_group(fugu):
    rows = people(MERGED)
    fugu.write("t.csv", text_of(rows))
    flags = ["job,hours" if flag == "hours" else flag for flag in ASK]
    fugu.ok("calibrate", "t.csv", *flags, "--also", "independent,smoothed:0.50", "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    priors = {prior["name"]: prior for prior in plan["scenario"]["priors"]}
    assert len(priors) == 12 and plan["scenario"]["source"]["also"] == ["independent", "smoothed:0.5"]
    group = "age = 30 & region = north"
    own, apart, smooth = (priors[name] for name in (group, group + ", independent", group + ", smoothed by 0.5"))
    assert own["known"] == apart["known"] == smooth["known"] == ["30", "north"]
    counts = {s: {tuple(v): m for v, m in zip(law["values"], law["mass"])} for s, law in own["given"].items()}
    occur = sorted({v for law in counts.values() for v in law})
    for s, law in counts.items():
        margins = [collections.Counter() for _ in range(2)]
        for value, mass in law.items():
            for c in range(2):
                margins[c][value[c]] += mass
        expected = {v: margins[0][v[0]] * margins[1][v[1]] for v in occur if margins[0][v[0]] * margins[1][v[1]]}
        got = {tuple(v): int(m) for v, m in zip(apart["given"][s]["values"], apart["given"][s]["mass"])}
        assert {v: Fraction(m, sum(got.values())) for v, m in got.items()} == {v: Fraction(m, sum(expected.values())) for v, m in expected.items()}
        got = {tuple(v): int(m) for v, m in zip(smooth["given"][s]["values"], smooth["given"][s]["mass"])}
        assert got == {v: 2 * law.get(v, 0) + 1 for v in occur}
    assert any("restricted to the rows that occur in the group" in sentence for sentence in plan["assumptions"])
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")


def test_further_beliefs_without_known_columns(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    ask = ["--secret", "sex", "--public", "hours", "--epsilon", "1", "--also", "smoothed:1"]
    fugu.ok("calibrate", "t.csv", *ask, "-o", "plan.json")
    assert [p["name"] for p in json.loads((fugu.folder / "plan.json").read_text())["scenario"]["priors"]] == ["empirical", "smoothed by 1"]
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    fugu.fails(2, "calibrate", "t.csv", *ask, "--confidence", "0.9", "--clip", "20:25", "--step", "1", says="--also: a confidence")


def test_a_prior_of_a_file_has_no_place_beside_known_columns(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    fugu.write("p.json", json.dumps({"given": {"F": {"values": [20], "mass": [1]}, "M": {"values": [20], "mass": [1]}}}))
    fugu.fails(2, "calibrate", "t.csv", *ASK, "--prior", "p.json", says="--prior: a belief from a file is about the whole table")


def forged(plan, change):
    plan = json.loads(json.dumps(plan))
    change(plan)
    plan["digest"] = digest(plan)
    return plan


def test_forged_strata_do_not_verify(fugu):
    plan, _, _ = released(fugu, people(MERGED))

    def rename(plan):
        plan["scenario"]["priors"][0]["known"] = ["31", "north"]

    def raise_least(plan):
        plan["scenario"]["source"]["min_group"] = 13
        plan["assumptions"] = [text.replace("at least 10 people", "at least 13 people") for text in plan["assumptions"]]

    def unmerge(plan):
        del plan["scenario"]["source"]["merged"]

    def known_no_more(plan):
        del plan["scenario"]["source"]["known"]

    for change in (rename, raise_least, unmerge, known_no_more):
        (fugu.folder / "forged.json").write_text(canonical(forged(plan, change)))
        result = fugu("verify", "forged.json")
        assert result.status == 4, (change.__name__, result)


def test_the_audit_finds_nothing(fugu):
    plan, _, _ = released(fugu, people(MERGED))
    fugu.ok("audit", "plan.json", "--draws", "20000")
    fugu.ok("audit", "--plan", "plan.json", "--released", "out.csv", "--original", "t.csv")


def test_the_audit_of_rows_that_trade_places_looks_within_each_group(fugu):
    """A right release passes; one that sends a row to what only another group has, or that keeps every row, does not."""
    fugu.write("t.csv", text_of([(sex, age, region, job, hours + 50 * (age == "40")) for sex, age, region, job, hours in people(MERGED)] * 20))
    fugu.ok("calibrate", "t.csv", "--secret", "sex", "--known", "age,region", "--public", "job,hours", "--epsilon", "0.2", "--min-group", "130",
            "--method", "swap", "--rows-independent", "-o", "plan.json")
    fugu.ok("audit", "plan.json", "--draws", "20000")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "--keep-order", "--rows-independent", "-o", "out.csv")
    compared = ["audit", "--plan", "plan.json", "--original", "t.csv", "--released"]
    fugu.ok(*compared, "out.csv")
    header, *rows = (fugu.folder / "out.csv").read_text().splitlines()
    true = table_of((fugu.folder / "t.csv").read_text())

    def wrong_group(row):
        age, region, job, hours = row.split(",")
        return ",".join([age, region, job, str(int(hours) + (-50 if age == "40" else 50))])
    first = next(k for k, row in enumerate(rows) if row.startswith(("30", "40")))
    fugu.write("moved.csv", "\n".join([header, *rows[:first], wrong_group(rows[first]), *rows[first + 1:]]) + "\n")
    fugu.fails(4, *compared, "moved.csv", says=["check possible"])
    kept = [",".join(["", ""] if row["age"] == "50" else [row["age"], row["region"]]) + f",{row['job']},{row['hours']}" for row in true]
    fugu.write("kept.csv", "\n".join([header, *kept]) + "\n")
    fugu.fails(4, *compared, "kept.csv", says="do not publish it")
    shown = [row if row.startswith(("30", "40")) else "50,north," + row.split(",", 2)[2] for row in rows]  # what is known of small groups
    fugu.write("shown.csv", "\n".join([header, *shown]) + "\n")
    fugu.fails(4, *compared, "shown.csv", says=["column 'age' is known", "check columns"])


def test_with_a_confidence_small_groups_are_left_out(fugu):
    fugu.write("t.csv", text_of(people({group: 20 * count for group, count in LARGE.items()} | {("50", "north"): 20, ("50", "south"): 20})))
    ask = ["--secret", "sex", "--known", "age,region", "--public", "job", "--epsilon", "1", "--min-group", "30", "--confidence", "0.9"]
    fugu.ok("calibrate", "t.csv", *ask, "-o", "plan.json")
    source = json.loads((fugu.folder / "plan.json").read_text())["scenario"]["source"]
    assert source["left_out"] == ["age = 50 & region = north", "age = 50 & region = south"] and "merged" not in source
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert {row["age"] for row in table_of((fugu.folder / "out.csv").read_text())} == {"30", "40"}


def test_one_row_of_each_person_is_drawn_over_all_groups(fugu):
    rows = people(LEFT_OUT)
    twice = [(k, *row) for k, row in enumerate(rows)] + [(k, row[0], "50", "north", *row[3:]) for k, row in enumerate(rows) if k % 40 == 0]
    fugu.write("t.csv", text_of(twice, ["id", *NAMES]))
    fugu.ok("calibrate", "t.csv", *ASK, "--person", "id", "-o", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert all(row["age"] != "50" for row in table_of((fugu.folder / "out.csv").read_text()))


def test_the_ledger_wants_the_same_known_columns(fugu):
    fugu.write("t.csv", text_of(people(LARGE)))
    ledger = ["--ledger", "l.db", "--dataset", "d"]
    fugu.ok("release", "t.csv", *ASK, *ledger, "--budget", "5", "-o", "a.csv")
    fugu.ok("release", "t.csv", *ASK, *ledger, "-o", "b.csv")
    fewer = ["age" if flag == "age,region" else flag for flag in ASK]
    fugu.fails(6, "release", "t.csv", *fewer, *ledger, "-o", "c.csv", says="other known columns")
