"""Tables as they are: what is no table, what is missing, what was meant."""
import csv
import json

import pytest

from stays import DRUGS, KINDS, stay, stays

ASK = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


def table(marks=(), secret="ab"):
    rows = [(secret[k % len(secret)], k % 3) for k in range(60)]
    return "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows) + "".join(f"{s},{x}\n" for s, x in marks)


@pytest.mark.parametrize("bytes_, what, hint", [
    (b"PK\x03\x04\x14\x00\x06\x00\x08\x00", "Excel workbook (xlsx)", "save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel workbook", "save the sheet as CSV"),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)", "CSV"),
    (b"%PDF-1.7\n", "a PDF document", "CSV"),
    (b"PAR1\x15\x04", "a Parquet file", "fugu.release_file"),
    (b"SQLite format 3\x00", "a SQLite database", "sqlite:FILE"),
    (b"\xfd7zXZ\x00", "compressed with xz", "gzip and zstd"),
    (table().encode("utf-16"), "UTF-16", "iconv"),
    (table().encode("utf-16-le"), "UTF-16", "iconv"),
    (table().encode("utf-16-be"), "UTF-16", "iconv"),
])
def test_what_is_no_text_is_called_by_its_name(fugu, bytes_, what, hint):
    (fugu.folder / "t").write_bytes(bytes_)
    for command in (["compare", "t", *ASK], ["inspect", "t"]):
        fugu.fails(3, *command, says=[what, hint])


def test_names_that_begin_as_such_files_do(fugu):
    fugu.write("t.csv", "PAR1,BZh9\n" + "".join(f"{'ab'[k % 2]},{k % 3}\n" for k in range(60)))
    fugu.ok("compare", "t.csv", "--secret", "PAR1", "--public", "BZh9", "--epsilon", "0.5")


def test_a_separator_that_was_not_found(fugu):
    fugu.write("pipe.csv", table().replace(",", "|"))
    fugu.fails(2, "compare", "pipe.csv", *ASK, says="give --separator '|'")
    fugu.ok("compare", "pipe.csv", *ASK, "--separator", "|")
    fugu.write("comma.csv", table())
    fugu.fails(2, "compare", "comma.csv", *ASK, "--separator", ";", says="give --separator ','")


def test_a_comma_for_a_point(fugu):
    fugu.write("t.csv", table())
    for command in ("compare", "calibrate"):
        fugu.fails(2, command, "t.csv", *ASK[:4], "--epsilon", "0,5", says=["has a comma", "--epsilon 0.5"])
    fugu.ok("compare", "t.csv", *ASK[:4], "--epsilon", "0.5,1")


def test_an_unknown_secret_is_answered_with_where_to_look(fugu):
    fugu.write("t.csv", table(secret="abc"))
    fugu.fails(2, "compare", "t.csv", *ASK, "--pairs", "a:z", says=["there is no secret 'z'", "fugu figure laws"])


@pytest.mark.parametrize("mark", ["?", "NULL", "NA", "n/a", "-", "Unknown", "NaN"])
@pytest.mark.parametrize("place", ["secret", "public", "given"])
def test_marks_of_missing_fields_are_asked_about(fugu, mark, place):
    """A "?" is no sixth race: whoever counts it as one says so."""
    rows = table().replace("s,x", "s,x,g").replace("\n", ",u\n").replace("s,x,g,u", "s,x,g")
    odd = {"secret": f"{mark},1,u\n", "public": f"a,{mark},u\n", "given": f"a,1,{mark}\n"}[place]
    fugu.write("t.csv", rows + odd * 30)
    ask = ["compare", "t.csv", *ASK, *(["--given", "g"] if place == "given" else [])]
    column = {"secret": "s", "public": "x", "given": "g"}[place]
    fugu.fails(3, *ask, says=[f"column '{column}'", f"'{mark}' looks like a missing value\n", f"--na '{mark}' --missing drop leaves", f"--na '{mark}' --missing keep"])
    fugu.ok(*ask, f"--na={mark}", "--missing", "drop")
    if place != "public":
        fugu.ok(*ask, f"--not-missing={mark}")
    note = {column["name"]: column["note"] for column in json.loads(fugu.ok("inspect", "t.csv", "--format", "json"))["columns"]}[column]
    assert f"'{mark}' looks like a missing value (30 rows)" in note


def test_what_is_declared_is_no_mark(fugu):
    fugu.write("t.csv", "s,x\n" + "a,low\nb,unknown\na,unknown\nb,low\n" * 20)
    fugu.fails(3, "compare", "t.csv", *ASK, says="--not-missing 'unknown'")
    fugu.ok("compare", "t.csv", *ASK, "--order", "low,unknown")


def test_inspect_says_what_the_columns_of_a_hospital_are(fugu):
    fugu.write("stays.csv", stays())
    columns = {column["name"]: column for column in json.loads(fugu.ok("inspect", "stays.csv", "--format", "json"))["columns"]}
    notes = {name: column["note"] or "" for name, column in columns.items()}
    assert len(columns) == 50
    assert {name: column["kind"] for name, column in columns.items()} == KINDS | dict.fromkeys(DRUGS, "category")
    assert "a person's number? 700 values in 1,000 rows" in notes["patient_nbr"]
    assert "person" not in notes["encounter_id"], "nobody has two"
    assert "begin with zeros" in notes["zip"] and "--kind zip=code" in notes["zip"]
    for name in ("race", "weight", "payer_code", "medical_specialty"):
        assert "'?' looks like a missing value" in notes[name], name
    assert notes["A1Cresult"] == "", "None is an answer"
    assert columns["admitted"]["range"][0] == columns["discharged"]["range"][0] == "2004-01-01"


HIDES_RACE = ["--secret", "race", "--na", "?", "--missing", "drop", "--epsilon", "0.5"]
RELEASE = ["release", "stays.csv", *HIDES_RACE, "--rows-independent", "-o", "out.csv", "--force", "--public"]


def written(fugu):
    with open(fugu.folder / "out.csv", newline="") as file:
        return [row[0] for row in csv.reader(file)][1:]


def test_codes_are_asked_about_and_released_as_they_are_written(fugu):
    fugu.write("stays.csv", stays())
    for column, sign in (("zip", "begin with zeros"), ("admission_type_id", "its name says so")):
        fugu.fails(2, *RELEASE, column, says=[f"column '{column}' may hold codes", sign, f"--kind {column}=code"])
        fugu.ok(*RELEASE, column, "--kind", f"{column}=code")
        assert set(written(fugu)) <= {str(stay(k)[column]) for k in range(1000)}
        fugu.ok(*RELEASE, column, "--kind", f"{column}=number")
    fugu.ok(*RELEASE, "zip", "--bin", "10")  # which says that they are numbers
    fugu.ok(*RELEASE, "diag_1")
    assert set(written(fugu)) <= {"250.83", "V27", "428", "E885"}
    fugu.ok("release", "stays.csv", "--plan", "out.csv.plan.json", "-o", "again.csv")
    fugu.ok("verify", "out.csv.plan.json")


@pytest.mark.parametrize("kind, says", [("diag_1", "is not COL=KIND"), ("diag_1=day", "'day' is unknown"), ("diag_1=number:roman", "'number:roman' is unknown"), ("diag_1=code:mdy", "is unknown"), ("nobody=code", "no column 'nobody'")])
def test_kinds_that_are_none(fugu, kind, says):
    fugu.write("stays.csv", stays())
    fugu.fails(2, "compare", "stays.csv", "--secret", "race", "--public", "diag_1", "--epsilon", "1", "--kind", kind, says=says)


@pytest.mark.parametrize("first, below", [
    ("1931-07-19", lambda k: f"19{k % 60 + 40}-03-{k % 28 + 1:02d}"), ("19.07.1931", lambda k: f"{k % 28 + 1:02d}.03.19{k % 60 + 40}"),
    ('"77,77%"', lambda k: f'"{k % 60},5%"'), ('"1.234,5"', lambda k: f'"{k % 60},25"'), ("77%", lambda k: f"{k % 60}%"),
])
def test_a_first_line_of_dates_or_written_numbers_is_data(fugu, first, below):
    fugu.write("t.csv", f"c,{first}\n" + "".join(f"{'ab'[k % 2]},{below(k)}\n" for k in range(200)))
    error = fugu.fails(3, "compare", "t.csv", "--secret", "1", "--public", "2", "--epsilon", "1", "--kind", "2=category",
                       says=["the first line looks like data", "--no-header"])
    assert first.strip('"') not in error


def test_no_record_is_listed_as_names(fugu):
    fugu.write("t.csv", "Anna Schmidt,1970-02-03,HIV-7\nBob Maier,1971-02-04,HIV-8\nCarl X,1999-01-01,FLU-1\n")
    error = fugu.fails(2, "compare", "t.csv", "--secret", "hiv", "--public", "x", "--epsilon", "1", says=["the table has 3 columns", "--no-header"])
    assert "Anna" not in error and "HIV" not in error
