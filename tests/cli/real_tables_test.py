"""Tables as they are: what is no table, what is missing, what was meant."""
import json

import pytest

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


def test_an_unknown_secret_lists_the_secrets(fugu):
    fugu.write("t.csv", table(secret="abc"))
    fugu.fails(2, "compare", "t.csv", *ASK, "--pairs", "a:z", says=["there is no secret 'z'", "the secrets are: a, b, c"])


@pytest.mark.parametrize("mark", ["?", "NULL", "NA", "n/a", "-", "Unknown", "NaN"])
@pytest.mark.parametrize("place", ["secret", "public", "given"])
def test_marks_of_missing_fields_are_asked_about(fugu, mark, place):
    """A "?" is no sixth race: whoever counts it as one says so."""
    rows = table().replace("s,x", "s,x,g").replace("\n", ",u\n").replace("s,x,g,u", "s,x,g")
    odd = {"secret": f"{mark},1,u\n", "public": f"a,{mark},u\n", "given": f"a,1,{mark}\n"}[place]
    fugu.write("t.csv", rows + odd * 30)
    ask = ["compare", "t.csv", *ASK, *(["--given", "g"] if place == "given" else [])]
    column = {"secret": "s", "public": "x", "given": "g"}[place]
    fugu.fails(3, *ask, says=[f"column '{column}'", f"'{mark}' looks like a missing value (30 rows)", f"--na '{mark}'", "--missing drop"])
    fugu.ok(*ask, f"--na={mark}", "--missing", "drop")
    if place != "public":
        fugu.ok(*ask, f"--not-missing={mark}")
    note = {column["name"]: column["note"] for column in json.loads(fugu.ok("inspect", "t.csv", "--format", "json"))["columns"]}[column]
    assert f"'{mark}' looks like a missing value (30 rows)" in note


def test_what_is_declared_is_no_mark(fugu):
    fugu.write("t.csv", "s,x\n" + "a,low\nb,unknown\na,unknown\nb,low\n" * 20)
    fugu.fails(3, "compare", "t.csv", *ASK, says="--not-missing 'unknown'")
    fugu.ok("compare", "t.csv", *ASK, "--order", "low,unknown")


def hospital():
    """A hospital's table: the oddities of a real one, a few hundred stays of fewer patients."""
    lines = ["encounter_id,patient_nbr,race,admission_type_id,zip,days,diag,weight,A1C"]
    for k in range(600):
        lines.append(",".join([str(1000 + k), str(5000 + k * 11 % 420), ["white", "black", "?"][k * k % 7 % 3], str(k % 6 + 1),
                               f"{k % 40 + 2100:05d}", str(k % 13 + 1), ["250.83", "V27", "428", "E885"][k % 4],
                               ["?", "[75-100)"][k % 5 == 0], ["None", ">7", "Norm"][k % 3]]))
    return "\n".join(lines) + "\n"


def test_inspect_says_what_the_columns_are(fugu):
    fugu.write("stays.csv", hospital())
    columns = {column["name"]: column for column in json.loads(fugu.ok("inspect", "stays.csv", "--format", "json"))["columns"]}
    kinds = {name: column["kind"] for name, column in columns.items()}
    notes = {name: column["note"] or "" for name, column in columns.items()}
    assert kinds == {"encounter_id": "code", "patient_nbr": "number", "race": "category", "admission_type_id": "code", "zip": "code",
                     "days": "number", "diag": "mixed", "weight": "category", "A1C": "category"}
    assert "a person's number? 420 values in 600 rows" in notes["patient_nbr"]
    assert "person" not in notes["encounter_id"], "nobody has two"
    assert "begin with zeros: --kind zip=code" in notes["zip"]
    assert "--kind diag=code" in notes["diag"]
    assert "'?' looks like a missing value" in notes["race"] and "'?'" in notes["weight"]
    assert notes["A1C"] == "", "None is an answer"


def test_codes_are_asked_about_and_released_as_they_are_written(fugu):
    fugu.write("stays.csv", hospital())
    ask = ["release", "stays.csv", "--secret", "race", "--na", "?", "--missing", "drop", "--epsilon", "0.5", "-o", "out.csv", "--force", "--rows-independent",
           "--public"]
    for column, sign in (("zip", "begin with zeros"), ("admission_type_id", "its name says so")):
        fugu.fails(2, *ask, column, says=[f"column '{column}' may hold a code", sign, "--kind COL=code"])
        fugu.ok(*ask, column, "--kind", f"{column}=code")
        written = (fugu.folder / "out.csv").read_text().split()[1:]
        assert set(written) <= {line.split(",")[{"zip": 4, "admission_type_id": 3}[column]] for line in hospital().splitlines()[1:]}
        fugu.ok(*ask, column, "--kind", f"{column}=number")
    fugu.ok(*ask, "zip", "--bin", "10")  # which says that they are numbers
    fugu.fails(3, *ask, "diag", says=["mixes numbers and text", "--kind COL=code"])
    fugu.ok(*ask, "diag", "--kind", "diag=category")
    assert set((fugu.folder / "out.csv").read_text().split()[1:]) <= {"250.83", "V27", "428", "E885"}
    fugu.ok("release", "stays.csv", "--plan", "out.csv.plan.json", "-o", "again.csv")
    fugu.ok("verify", "out.csv.plan.json")


@pytest.mark.parametrize("kind, says", [("diag", "is no COL=KIND"), ("diag=date", "'date' is unknown"), ("nobody=code", "no column 'nobody'")])
def test_kinds_that_are_none(fugu, kind, says):
    fugu.write("stays.csv", hospital())
    fugu.fails(2, "compare", "stays.csv", "--secret", "race", "--public", "diag", "--epsilon", "1", "--kind", kind, says=says)
