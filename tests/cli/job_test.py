"""Jobs: a file does what the same flags do, is explained without being done, and what is wrong with it is named by its place."""
import json
import os
import re
import shlex
import sqlite3
import stat

import pytest

from conftest import ROOT

ROWS = [("yes", k % 5 + 1, f"n{k}", k + 1) for k in range(60)] + [("no", k % 6 + 1, f"n{k}", k + 61) for k in range(60)]
TABLE = "union,grade,note,patient_nbr\n" + "".join(f"{union},{grade},{note},{nbr}\n" for union, grade, note, nbr in ROWS)
JOB = {"format": "fugu-job", "version": 1, "table": {"file": "people.csv"},
       "columns": {"union": {"role": "secret"}, "grade": {"role": "public"}},
       "budget": {"epsilon": 0.5}, "outputs": {"release": "out.csv"}}


@pytest.fixture
def people(fugu):
    fugu.method = None  # a job that names none gets what the program chooses
    fugu.write("people.csv", TABLE)
    return fugu


def write(fugu, name="job.json", **members):
    job = {key: value for key, value in {**JOB, **members}.items() if value is not None}
    return fugu.write(name, json.dumps(job)).name


def digest(fugu, name):
    return json.loads((fugu.folder / name).read_text())["digest"]


def files(fugu):
    return sorted(path.name for path in fugu.folder.iterdir())


def test_a_job_does_what_the_flags_do(people):
    job = write(people, columns={"union": {"role": "secret"}, "note": {"role": "out", "kind": "code"},
                                 "grade": {"role": "public", "kind": "number", "clip": [1, 5], "step": 1}},
                secrets={"pairs": [["yes", "no"]]}, mechanism={"method": "kantorovich"}, release={"publish_min": 2, "shuffle": True},
                outputs={"release": "out.csv", "statement": "statement.json", "report": "report.html"})
    said = people.ok("run", job)
    assert re.search(r"^Released 120 rows to out.csv\.", said) and "statement.json may be published" in said
    assert files(people) == ["job.json", "out.csv", "out.csv.plan.json", "out.csv.receipt.json", "people.csv", "report.html", "statement.json"]
    people.ok("release", "people.csv", "--secret", "union", "--public", "grade", "--kind", "grade=number", "--clip", "1:5", "--step", "1",
              "--pairs", "yes:no", "--method", "kantorovich", "--publish-min", "2", "--shuffle", "--epsilon", "0.5", "-o", "hand.csv")
    assert digest(people, "out.csv.plan.json") == digest(people, "hand.csv.plan.json")
    receipt = json.loads((people.folder / "out.csv.receipt.json").read_text())
    by_hand = json.loads((people.folder / "hand.csv.receipt.json").read_text())
    assert receipt["shuffled"] and {**receipt, "output": None} == {**by_hand, "output": None}
    assert json.loads((people.folder / "statement.json").read_text()) == receipt["statement"]
    for private in ("out.csv.plan.json", "report.html"):
        assert stat.S_IMODE((people.folder / private).stat().st_mode) == 0o600
    assert "<html" in (people.folder / "report.html").read_text()


def test_the_command_that_check_prints_makes_the_same_plan(people):
    job = write(people, table={"file": "people.csv", "na": ["?", "a,b"], "missing": "drop"},
                columns={"union": {"role": "secret"}, "grade": {"role": "public", "bin_edges": [2, 4]}})
    said = json.loads(people.ok("run", job, "--check", "--format", "json"))
    assert said["checked"] is True and said["writes"] == ["out.csv", "out.csv.receipt.json", "out.csv.plan.json"]
    words = shlex.split(said["command"])
    assert words[0] == "fugu"
    people.ok(*words[1:])
    made = digest(people, "out.csv.plan.json")
    people.ok("run", job, "--force")
    assert digest(people, "out.csv.plan.json") == made


def test_check_explains_and_does_nothing(people):
    job = write(people, columns={"union": {"role": "secret"}, "grade": {"role": "public"}, "note": {"role": "given"}},
                ledger={"file": "l.db", "dataset": "school", "budget": 1})
    before = files(people)
    said = people.ok("run", "--check", job)
    assert files(people) == before
    for sentence in ("The table: people.csv, 4 columns.", "Hidden: union.", "Released: grade.", "Known to others: note.", "Left out: patient_nbr.",
                     "Epsilon 0.5: a 50 % belief in either of two secrets becomes at most 62.3 %.", "fugu chooses the method that fits the question.",
                     "Counted in the ledger l.db as a release of school.", "Written: out.csv, out.csv.receipt.json, out.csv.plan.json.",
                     "By hand: fugu release people.csv ", "Nothing was counted, and nothing was written."):
        assert sentence in said, said
    people.write("people.csv", "union,grade,note,patient_nbr\nthis row, is broken\n")
    people.ok("run", "--check", job)  # of the table only the header is read
    people.fails(3, "run", job, says="people.csv")


def test_a_job_without_a_release_ends_with_the_plan(people):
    job = write(people, outputs={"plan": "plan.json", "statement": "statement.json"})
    assert "It ends with the plan" in people.ok("run", "--check", job)
    assert people.ok("run", job).startswith("Wrote plan.json, readable by its owner only")
    people.ok("calibrate", "people.csv", "--secret", "union", "--public", "grade", "--epsilon", "0.5", "-o", "hand.json")
    assert (people.folder / "plan.json").read_bytes() == (people.folder / "hand.json").read_bytes()
    assert stat.S_IMODE((people.folder / "plan.json").stat().st_mode) == 0o600
    people.ok("statement", "hand.json", "-o", "hand-statement.json")
    assert (people.folder / "statement.json").read_bytes() == (people.folder / "hand-statement.json").read_bytes()
    assert "guarantee" in people.ok("run", write(people, outputs=None))  # nothing is named: it is shown


def test_numbers_keep_their_literals(people):
    text = json.dumps(JOB).replace("0.5", "0.50000000000000000001")
    people.write("job.json", text)
    people.ok("run", "job.json")
    plan = (people.folder / "out.csv.plan.json").read_text()
    assert '"epsilon": 0.50000000000000000001' in plan


def test_paths_lie_in_the_folder_of_the_job(people):
    (people.folder / "jobs").mkdir()
    people.write("jobs/order.txt", "low\nhigh\n")
    people.write("jobs/t.csv", "s,x\n" + "a,low\nb,high\na,high\nb,low\n" * 10)
    write(people, "jobs/job.json", table={"file": "t.csv"}, columns={"s": {"role": "secret"}, "x": {"role": "public", "order": "@order.txt"}})
    people.ok("run", "jobs/job.json")
    assert sorted(path.name for path in (people.folder / "jobs").iterdir()) == [
        "job.json", "order.txt", "out.csv", "out.csv.plan.json", "out.csv.receipt.json", "t.csv"]
    plan = json.loads((people.folder / "jobs" / "out.csv.plan.json").read_text())
    assert plan["scenario"]["source"]["labels"] == ["low", "high"]
    job = json.loads((people.folder / "jobs" / "job.json").read_text())
    people.ok("run", "-", "--force", stdin=json.dumps({**job, "table": {"file": "jobs/t.csv"}, "columns": {"s": {"role": "secret"}, "x": {"role": "public"}}}))
    assert (people.folder / "out.csv").exists()


def test_names_of_receipt_and_plan(people):
    people.ok("run", write(people, outputs={"release": "out.csv", "receipt": "r.json", "plan": "p.json"}))
    assert files(people) == ["job.json", "out.csv", "p.json", "people.csv", "r.json"]
    people.ok("verify", "p.json")


def test_the_ledger_counts_and_refuses(people):
    job = write(people, mechanism={"method": "exact"}, ledger={"file": "l.db", "dataset": "school", "budget": "3/4"})
    assert "0.5 of 0.75 spent of dataset school" in people.ok("run", job)
    before = (people.folder / "out.csv").read_bytes()
    people.fails(6, "run", job, "--force", says="budget")
    assert (people.folder / "out.csv").read_bytes() == before
    people.fails(3, "run", write(people, "b.json", ledger={"file": "l.db"}), says="b.json: ledger.dataset")


def test_outputs_are_not_replaced(people):
    job = write(people, outputs={"release": "out.csv", "statement": "s.json"})
    people.ok("run", job)
    for extra in (["--check"], []):
        people.fails(2, "run", job, *extra, says="the file exists")
    people.ok("run", "--check", job, "--force")
    (people.folder / "out.csv").unlink()
    (people.folder / "out.csv.plan.json").unlink()
    (people.folder / "out.csv.receipt.json").unlink()
    people.fails(2, "run", job, says="s.json: the file exists")
    for outputs in ({"release": "out.csv", "statement": "out.csv"}, {"release": "out.csv", "report": "out.csv.plan.json"}):
        people.fails(2, "run", write(people, "b.json", outputs=outputs), says="this is another output")
    people.fails(2, "run", write(people, "b.json", outputs={"release": "people.csv"}), "--force", says="this is the input")
    for outputs in ({"release": "b.json"}, {"release": "c.csv", "statement": "b.json"}, {"plan": "b.json"}, {"statement": "b.json"}, {"report": "people.csv"}):
        people.fails(2, "run", write(people, "b.json", outputs=outputs), "--force", says="this is the input")
    for other in ("x.json", "./x.json", "../" + people.folder.name + "/x.json"):
        people.fails(2, "run", write(people, "b.json", outputs={"plan": "x.json", "statement": other}), says="this is another output")
    people.fails(2, "run", write(people, "b.json", outputs={"release": "out.csv", "statement": "people.csv"}), "--force", says="this is the input")


@pytest.mark.parametrize("members, status, says", [
    ({"budget": None}, 3, "job.json: budget.epsilon: no epsilon is given"),
    ({"budget": {"epsilon": 0}}, 3, "job.json: budget.epsilon:"),
    ({"budget": {"epsilom": 1}}, 3, 'job.json.budget: the key "epsilom" is unknown\nhint: known keys: epsilon, promise, shares, delta, confidence, bounds, population, census, closeness'),
    ({"seed": 7}, 3, 'job.json: the key "seed" is unknown'),
    ({"format": "job"}, 3, "job.json.format: this is not a job"),
    ({"version": 2}, 3, "job.json.version: this is not a version that fugu reads"),
    ({"table": None}, 3, "job.json.table: no table is given"),
    ({"table": {"file": "-"}}, 3, "job.json.table.file: a job can be run again, but standard input is read once"),
    ({"table": {"file": "other.csv"}}, 5, "other.csv"),
    ({"table": {"file": "postgresql://me:secret@host/db", "table": "t"}}, 3, "job.json.table.file: a job holds no password"),
    ({"columns": {"union": {"role": "secret"}}}, 3, 'job.json: the role "public": no column is given'),
    ({"columns": {"union": {"role": "boss"}}}, 3, 'job.json.columns["union"].role: there is no such role\nhint: roles: secret, public, except, known, given'),
    ({"columns": {"onion": {"role": "secret"}, "grade": {"role": "public"}}}, 3, "onion"),
    ({"columns": {"union": {"role": "secret"}, "grade": {"role": "public", "clip": "5"}}}, 3, '"clip" of the column: \'5\' is not a range LO:HI'),
    ({"columns": {"union": {"role": "secret"}, "grade": {"role": "public", "clip": [5]}}}, 3, 'job.json.columns["grade"].clip: a range has two ends'),
    ({"mechanism": {"method": "magic"}}, 3, "job.json: mechanism.method:"),
    ({"mechanism": {"noise": "pink"}}, 3, "pink"),
    ({"release": {"publish_min": 0}}, 3, "job.json: release.publish_min:"),
    ({"outputs": {"release": "no/out.csv"}}, 5, "no/out.csv"),
    ({"outputs": {"plan": "p.json"}, "ledger": {"file": "l.db"}}, 3, "job.json.ledger.file: this is for a release, but the job ends with the plan"),
    ({"outputs": {"plan": "p.json"}, "release": {"shuffle": True}}, 3, "job.json.release.shuffle: this is for a release"),
    ({"outputs": {"release": "-"}}, 3, "job.json.outputs.release: a job writes files, not to standard output"),
    ({"outputs": {"into": "t"}}, 3, "job.json: outputs.into: TABLE is not a database"),
])
@pytest.mark.parametrize("check", [["--check"], []])
def test_what_is_wrong_is_named(people, members, status, says, check):
    error = people.fails(status, "run", write(people, **members), *check, says=says)
    assert "secret@" not in error


def test_a_column_that_is_not_there(people):
    job = write(people, columns={"union": {"role": "secret"}, "grade": {"role": "public"}, "absent": {"role": "out"}})
    people.fails(3, "run", "--check", job, says="job.json: columns: people.csv has no column 'absent'")


def test_what_is_no_json(people):
    people.write("job.json", '{"format": "fugu-job", "version": 1, "version": 1}')
    people.fails(3, "run", "job.json", says="job.json")
    people.fails(5, "run", "none.json", says="none.json")
    people.fails(2, "run", says="JOB")


def test_a_table_of_a_database(people):
    with sqlite3.connect(people.folder / "people.db") as database:
        database.execute("CREATE TABLE people (\"union\" TEXT, grade INTEGER)")
        database.executemany("INSERT INTO people VALUES (?, ?)", [(union, grade) for union, grade, _, _ in ROWS])
    database.close()
    job = write(people, table={"file": "sqlite:people.db", "table": "people"}, outputs={"into": "released", "receipt": "r.json", "plan": "p.json"})
    assert "Written: released, r.json, p.json." in people.ok("run", "--check", job)
    people.ok("run", job)
    people.ok("run", write(people, "csv.json"))
    assert json.loads((people.folder / "p.json").read_text())["scenario"] == json.loads((people.folder / "out.csv.plan.json").read_text())["scenario"]


# ---------------------------------------------------------------- the first draft

def test_the_first_draft(people):
    people.write("people.csv", re.sub(r"(\d+)$", lambda number: str(int(number[1]) // 2), TABLE, flags=re.MULTILINE))  # two rows a person
    draft = json.loads(people.ok("inspect", "people.csv", "--job"))
    assert draft == {"format": "fugu-job", "version": 1, "table": {"file": "people.csv"}, "columns": {
        "union": {"role": "out", "kind": "category"}, "grade": {"role": "out", "kind": "number"}, "note": {"role": "out", "kind": "category"},
        "patient_nbr": {"role": person_role(people), "kind": draft["columns"]["patient_nbr"]["kind"]}}}
    people.write("job.json", json.dumps(draft))
    people.fails(3, "run", "--check", "job.json", says='the role "secret": no column is given')


def person_role(fugu):
    roles = [row["job"]["key"] for row in json.loads(fugu.ok("--flags")) if row["job"] and row["job"]["section"] == "role"]
    return "person" if "person" in roles else "out"


def test_a_draft_with_columns_needs_an_epsilon_and_an_output(people):
    text = people.ok("inspect", "people.csv", "--job", "--secret", "union", "--public", "2", "--na", "?")
    assert text.splitlines()[7:10] == ['  "columns": {', '    "union": {"role": "secret", "kind": "category"},', '    "grade": {"role": "public", "kind": "number"},']
    draft = {**json.loads(text), "budget": {"epsilon": 0.5}, "outputs": {"release": "out.csv"}}
    assert draft["table"] == {"file": "people.csv", "na": ["?"]}
    people.write("job.json", json.dumps(draft))
    people.ok("run", "job.json")


def test_a_draft_tells_nothing_of_the_rows(fugu):
    """The same for other rows of the same kinds, and no text of any."""
    def draft(rows):
        fugu.write("t.csv", "s,x,when\n" + "".join(f"{s},{x},{when}\n" for s, x, when in rows))
        return fugu.ok("inspect", "t.csv", "--job")
    one = draft([("alpha", 17, "2024-01-01"), ("beta", 93, "2024-02-01")] * 9)
    two = draft([("gamma", 40000, "1999-01-01"), ("delta", 2, "1999-02-07"), ("eps", 3, "1999-03-07")] * 40)
    assert one == two and "alpha" not in one and "17" not in one
    fugu.write("t.csv", "alpha,17\n" + "beta,93\nalpha,17\n" * 9)
    fugu.fails(3, "inspect", "t.csv", "--job", says="the first line may be data")
    assert list(json.loads(fugu.ok("inspect", "t.csv", "--job", "--no-header"))["columns"]) == ["1", "2"]


def test_drafts_that_cannot_be(people):
    people.fails(2, "inspect", "-", "--job", stdin=TABLE, says="--job: a job names its table")
    people.fails(2, "inspect", "people.csv", "--public", "grade", says="--public: this is for --job only")
    people.fails(2, "inspect", "people.csv", "--job", "--secret", "onion", says="onion")


# ---------------------------------------------------------------- what the documents show

def test_the_job_of_the_documents_runs(fugu):
    block = (ROOT / "docs" / "jobs.md").read_text().split("```json\n")[1].split("```")[0]
    fugu.write("people.csv", TABLE)
    fugu.write("job.json", block)
    fugu.ok("run", "--check", "job.json")
    fugu.ok("run", "job.json")
    assert {"released.csv", "statement.json", "report.html"} <= set(files(fugu))
    readme = (ROOT / "README.md").read_text()
    assert "docs/jobs.md" in readme
    assert os.path.exists(ROOT / "docs" / "schema" / "job.schema.json")
