"""The studio's page asks what the command line asks, and gets the same answers."""
import concurrent.futures
import json
import shlex
import subprocess

import pytest

from conftest import ADULT, GRADES, PROGRAM, fugu

QUESTION = {"secret": "union", "public": "grade", "epsilon": "0.5"}


def run_command(folder, line):
    """A command line that the studio gave, as a shell runs it."""
    assert line.startswith("fugu ")
    done = subprocess.run(["sh", "-c", shlex.quote(PROGRAM) + line[4:]], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout


# ---------------------------------------------------------------- the same answers

def test_compare_says_what_the_command_line_says(studio, tmp_path):
    table = studio.open("grades.csv")
    result = studio.done("compare", table, QUESTION)
    optima = studio.done("optima", table, QUESTION)
    said = json.loads(fugu(tmp_path, "compare", "grades.csv", "--secret", "union", "--public", "grade", "--epsilon", "0.5", "--format", "json"))

    def plain(rows):
        return sorted([{k: v for k, v in row.items() if k != "times_limit"} for row in rows], key=lambda row: row["method"])
    assert plain(result["candidates"] + optima["candidates"]) == plain(said["candidates"])
    assert result["facts"] == said["scenario"]
    assert result["words"] == "a 50 % belief in any secret becomes at most 62.3 %"
    assert json.loads(run_command(tmp_path, result["command"] + " --format json")) == said


def test_inspect_says_what_the_command_line_says(studio, tmp_path):
    result = studio.done("inspect", studio.open("grades.csv"), {"secret": "union"})
    warnings = result.pop("warnings")
    assert result == json.loads(fugu(tmp_path, "inspect", "grades.csv", "--secret", "union", "--format", "json"))
    assert warnings == []


def test_inspect_warns_of_what_reveals_the_secret(studio):
    table = studio.upload("s,proxy,x\n" + "".join(f"{s},{s}{k % 2},{k % 5}\n" for k in range(200) for s in "ab"))
    assert studio.done("inspect", table, {"secret": "s"})["warnings"] == [
        {"column": "proxy", "text": "proxy reveals s: do not publish it next to a release."}]


QUESTIONS = [
    (QUESTION, {}),
    ({**QUESTION, "epsilon": "1.25"}, {}),
    ({**QUESTION, "epsilon": "0.5", "delta": "1e-5", "noise": "gaussian"}, {}),
    ({**QUESTION, "confidence": "0.9", "epsilon": "2", "clip": "2:9", "step": "1"}, {}),
    ({**QUESTION, "closeness": "0.05"}, {}),
    ({**QUESTION, "clip": "4:6"}, {}),
    ({**QUESTION, "bin": "2", "range": "clamp"}, {}),
    ({**QUESTION, "bin-edges": "4,6", "pairs": "yes:no"}, {}),
    (QUESTION, {"method": "relaxed"}),
    (QUESTION, {"method": "optimal", "asymmetric": True}),
    (QUESTION, {"method": "channel", "loss": "absolute", "outputs": "3,4,5,6,7"}),
]


@pytest.mark.parametrize("question,plan", QUESTIONS)
def test_the_command_makes_the_same_plan_to_the_byte(studio, tmp_path, question, plan):
    table = studio.open("grades.csv")
    studio.done("compare", table, {**question, "epsilon": "3"}) if "confidence" not in question else None  # the cache holds another epsilon
    result = studio.done("calibrate", table, question, plan)
    downloaded = studio.download(result["files"]["plan"])
    assert downloaded.header("Content-Disposition").startswith('attachment; filename="plan.json"')
    run_command(tmp_path, result["commands"]["calibrate"])
    assert (tmp_path / "plan.json").read_bytes() == downloaded.body
    fugu(tmp_path, "verify", "plan.json")


def test_one_question_after_another_is_not_mixed_up(studio, tmp_path):
    """What is kept of earlier questions must not change later ones."""
    table = studio.open("grades.csv")
    expected = {}
    for place in [*range(len(QUESTIONS)), *reversed(range(len(QUESTIONS)))]:
        question, plan = QUESTIONS[place]
        result = studio.done("calibrate", table, question, plan)
        if place not in expected:
            run_command(tmp_path, result["commands"]["calibrate"] + " --force")
            expected[place] = (tmp_path / "plan.json").read_bytes()
        assert studio.download(result["files"]["plan"]).body == expected[place], question
    assert len(set(expected.values())) == len(QUESTIONS)


def test_names_that_a_shell_would_read_otherwise(start, tmp_path):
    name = "it's $HOME; a \"table\".csv"
    (tmp_path / name).write_text('a & b,"x, $(y)"\n' + "".join(f"{s},{v}\n" for s in ("-p", "q r") for v in ("u", "v", "w")) + "q r,w\n")
    studio = start(name)
    question = {"secret": "a & b", "public": '"x, $(y)"', "epsilon": "0.7", "order": "w,v,u"}
    result = studio.done("calibrate", studio.open(name), question)
    run_command(tmp_path, result["commands"]["calibrate"])
    assert (tmp_path / "plan.json").read_bytes() == studio.download(result["files"]["plan"]).body


def test_a_value_that_begins_with_a_dash(studio, tmp_path):
    result = studio.done("calibrate", studio.open("grades.csv"), {**QUESTION, "clip": "-5:6"})
    run_command(tmp_path, result["commands"]["calibrate"])
    assert (tmp_path / "plan.json").read_bytes() == studio.download(result["files"]["plan"]).body


def test_statement_and_report_are_those_of_the_plan(studio, tmp_path):
    files = studio.done("calibrate", studio.open("grades.csv"), QUESTION)["files"]
    (tmp_path / "plan.json").write_bytes(studio.download(files["plan"]).body)
    assert json.loads(studio.download(files["statement"]).body) == json.loads(fugu(tmp_path, "statement", "plan.json", "--format", "json"))
    report = studio.download(files["report"])
    assert report.body.startswith(b"<!doctype html>") and "attachment" in report.header("Content-Disposition")


# ---------------------------------------------------------------- releases

def test_a_release_is_the_command_lines(studio, tmp_path):
    table = studio.open("grades.csv")
    result = studio.done("release", table, QUESTION, output="out.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "out.csv", "out.csv.plan.json", "out.csv.receipt.json"]
    assert (tmp_path / "out.csv.plan.json").stat().st_mode & 0o777 == 0o600
    fugu(tmp_path, "verify", "out.csv.plan.json")
    assert studio.download(result["files"]["released"]).body == (tmp_path / "out.csv").read_bytes()
    assert json.loads(studio.download(result["files"]["receipt"]).body) == json.loads((tmp_path / "out.csv.receipt.json").read_text()) == result["receipt"]
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 15
    (tmp_path / "statement.json").write_bytes(studio.download(result["files"]["statement"]).body)
    assert "mean" in fugu(tmp_path, "estimate", "out.csv", "--statement", "statement.json")
    (tmp_path / "out.csv").unlink()
    (tmp_path / "out.csv.receipt.json").unlink()
    plan = (tmp_path / "out.csv.plan.json").read_bytes()
    (tmp_path / "out.csv.plan.json").unlink()
    run_command(tmp_path, result["command"])
    assert (tmp_path / "out.csv.plan.json").read_bytes() == plan


def test_what_few_people_share_is_not_published(studio, tmp_path):
    people = ["cook", "clerk"] * 40 + ["pope"] * 4
    table = studio.upload("s,x\n" + "".join(f"{'ab'[k % 2]},{x}\n" for k, x in enumerate(people)))
    question = {"secret": "s", "public": "x", "epsilon": "0.5"}
    made = studio.done("calibrate", table, question)
    assert "This plan cannot be released: column 'x': fewer than 5 people share some of its categories" in made["hint"]
    assert sorted(made["files"]) == ["plan", "report"], "no statement to download"
    wrong = studio.wrong("release", table, question, output="out.csv")
    assert wrong["status"] == 2 and "share some of its categories" in wrong["message"] and "--merge-rare 5" in wrong["hint"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv"]
    merged = {**question, "merge-rare": "5"}
    assert "statement" in studio.done("calibrate", table, merged)["files"]
    studio.done("release", table, merged, output="out.csv")


def test_noise_wider_than_one_of_several_columns_is_told(studio):
    rows = [("ab"[k % 2], k % 2 * 3 + k % 3, 40 + k * 7 % 20) for k in range(400)]
    table = studio.upload("s,x,y\n" + "".join(f"{s},{x},{y}\n" for s, x, y in rows))
    hint = studio.done("calibrate", table, {"secret": "s", "public": "x,y", "epsilon": "0.2"}, {"method": "exact"})["hint"]
    assert hint.startswith("hint: the noise exceeds the spread of x (standard deviation")


def test_each_release_says_that_it_is_another_draw(studio, tmp_path):
    table = studio.open("grades.csv")
    first = studio.done("release", table, QUESTION, output="a.csv")
    second = studio.done("release", table, {**QUESTION, "epsilon": "1"}, output="b.csv")
    assert "another draw" in first["draw"] and "draw 2 of this column" in second["draw"]
    assert first["ledger"] is None and studio.done("calibrate", table, QUESTION)["ledger"] is None


def test_releases_go_through_the_ledger(start, tmp_path):
    (tmp_path / "grades.csv").write_text(GRADES)
    studio = start("grades.csv", "--ledger", "l.db", "--dataset", "union", "--budget", "1", "--folder", ".")
    table = studio.open("grades.csv")
    left = lambda: studio.done("calibrate", table, QUESTION, {"method": "exact"})["ledger"]
    assert "two like this one fit" in left() and not (tmp_path / "l.db").exists(), "told before anything is spent"
    first = studio.done("release", table, QUESTION, {"method": "exact"}, output="a.csv")
    assert "one more like this one fits" in first["ledger"] and "one more like this one fits" in left()
    assert "0.5 of 1 spent" in first["ledger"] and "--ledger l.db --dataset union --budget 1" in first["command"]
    studio.done("release", table, QUESTION, {"method": "exact"}, output="b.csv")
    wrong = studio.wrong("release", table, QUESTION, {"method": "exact"}, output="c.csv")
    assert wrong["status"] == 6 and "none like this one fits: the budget" in left()
    assert not (tmp_path / "c.csv").exists()
    assert studio.wrong("release", table, QUESTION, {"method": "exact"}, output="l.db")["field"] == "output"
    shown = json.loads(fugu(tmp_path, "ledger", "show", "--ledger", "l.db", "--format", "json"))
    assert "b.csv" in json.dumps(shown) and "c.csv" not in json.dumps(shown)


def test_the_ledger_sees_that_values_changed(start, tmp_path):
    """x is a coin in one month, and the coin xor the secret in the next: neither needs noise."""
    people = [(s, coin) for s in (0, 1) for coin in (0, 1) for _ in range(20)]
    (tmp_path / "jan.csv").write_text("s,x\n" + "".join(f"{'ab'[s]},{coin}\n" for s, coin in people))
    (tmp_path / "feb.csv").write_text("s,x\n" + "".join(f"{'ab'[s]},{s ^ coin}\n" for s, coin in people))
    question = {"secret": "s", "public": "x", "epsilon": "0.1"}
    flags = ["--ledger", "l.db", "--dataset", "union", "--budget", "0.1", "--folder", "."]
    studio = start("jan.csv", "feb.csv", *flags)
    studio.done("release", studio.open("jan.csv"), question, output="1.csv")
    wrong = studio.wrong("release", studio.open("feb.csv"), question, output="2.csv")
    assert wrong["status"] == 6 and "--values-unchanged" in wrong["hint"]
    again = studio.done("release", studio.open("jan.csv"), question, output="3.csv")
    assert "of the same rows" in again["ledger"]


def test_the_studio_passes_a_word_on(start, tmp_path):
    (tmp_path / "grades.csv").write_text(GRADES)
    studio = start("grades.csv", "--ledger", "l.db", "--dataset", "union", "--budget", "1", "--values-unchanged", "--folder", ".")
    made = studio.done("release", studio.open("grades.csv"), QUESTION, output="a.csv")
    assert "--values-unchanged" in made["command"] and "Nobody's value" in made["receipt"]["assumptions"][0]
    shown = json.loads(fugu(tmp_path, "ledger", "show", "--ledger", "l.db", "--format", "json"))
    assert shown["accounts"][0]["releases"][0]["values_unchanged"] is True


@pytest.mark.parametrize("question,plan", [({**QUESTION, "epsilon": "0.4"}, {}), (QUESTION, {"method": "relaxed"}), ({**QUESTION, "clip": "4:6"}, {})])
def test_only_the_plan_that_was_shown_is_released(start, tmp_path, question, plan):
    (tmp_path / "grades.csv").write_text(GRADES)
    studio = start("grades.csv", "--ledger", "l.db", "--dataset", "union", "--budget", "2")
    table = studio.open("grades.csv")
    shown = studio.done("calibrate", table, QUESTION)["digest"]
    assert shown == json.loads(studio.download(studio.done("calibrate", table, QUESTION)["files"]["plan"]).body)["digest"]
    studio.done("release", table, QUESTION, output="a.csv", digest=shown)
    files = sorted(path.name for path in tmp_path.iterdir())
    spent = fugu(tmp_path, "ledger", "show", "--ledger", "l.db", "--format", "json")
    for digest in (shown, "", "sha256:" + "0" * 64):
        wrong = studio.wrong("release", table, question, plan, output="b.csv", digest=digest)
        assert (wrong["status"], wrong["field"]) == (2, "plan")
        assert wrong["message"] == "the plan that was shown can no longer be released"
        assert "nothing was released" in wrong["hint"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    assert fugu(tmp_path, "ledger", "show", "--ledger", "l.db", "--format", "json") == spent


def test_a_plan_that_its_time_limit_stopped_is_released_as_it_was_shown(studio, tmp_path):
    """Solved again, the linear programme would be stopped elsewhere: of one question there are several plans."""
    rows = [f"a,{x * x * 7919 % 250}\nb,{x * x * x * 31 % 250}\n" for x in range(900)]
    table = studio.upload("s,x\n" + "".join(rows * 5))  # five people share every value
    question, plan = {"secret": "s", "public": "x", "epsilon": "0.5"}, {"method": "channel", "time-limit": "0.15"}
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        all_shown = list(pool.map(lambda page: studio.done("calibrate-slow", table, question, plan, page=page), "abc"))
    for k, shown in enumerate(all_shown):
        assert any("time limit" in note for note in shown["notes"]), shown["notes"]
        studio.done("release", table, question, plan, output=f"{k}.csv", digest=shown["digest"])
        assert (tmp_path / f"{k}.csv.plan.json").read_bytes() == studio.download(shown["files"]["plan"]).body
        fugu(tmp_path, "verify", f"{k}.csv.plan.json")


def test_many_later_plans_of_other_pages_do_not_put_one_away(studio):
    table = studio.open("grades.csv")
    shown = studio.done("calibrate", table, QUESTION, page="mine")["digest"]
    for k in range(100):
        studio.done("calibrate", table, {**QUESTION, "epsilon": f"0.{k + 100}"}, page="other")
    studio.done("release", table, QUESTION, output="a.csv", digest=shown)


def test_plans_are_not_kept_for_ever(studio, tmp_path):
    table = studio.open("grades.csv")
    shown = [studio.done("calibrate", table, {**QUESTION, "epsilon": f"0.{k + 1}"}, page="mine")["digest"] for k in range(5)]
    wrong = studio.wrong("release", table, {**QUESTION, "epsilon": "0.1"}, output="a.csv", digest=shown[0])
    assert (wrong["status"], wrong["field"]) == (2, "plan") and not (tmp_path / "a.csv").exists()
    studio.done("release", table, {**QUESTION, "epsilon": "0.5"}, output="a.csv", digest=shown[-1])


def test_the_commands_follow_the_name_of_the_output(studio):
    table = studio.open("grades.csv")
    made = studio.done("calibrate", table, QUESTION, output="x.csv")["commands"]
    assert studio.done("commands", table, QUESTION, output="x.csv") == made
    assert studio.done("commands", table, QUESTION, output="y.csv")["release"] == made["release"].replace("x.csv", "y.csv")


def test_known_columns_may_go_along(start, tmp_path):
    (tmp_path / "t.csv").write_text("s,x,sex\n" + "".join(f"{s},{x},{sex}\n" for s in "ab" for x in (1, 2, 3) for sex in "mf" for _ in range(10)))
    studio = start("t.csv")
    question = {"secret": "s", "public": "x", "given": "sex", "epsilon": "0.5"}
    result = studio.done("release", studio.open("t.csv"), question, output="out.csv", keep="sex", shuffle=True)
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "sex,x" or (tmp_path / "out.csv").read_text().splitlines()[0] == "x,sex"
    assert "--keep sex --shuffle" in result["command"]
    wrong = studio.wrong("release", studio.open("t.csv"), {**question, "given": ""}, output="other.csv", keep="sex")
    assert wrong["field"] == "keep"


def test_a_table_that_changed_is_not_released_by_old_counts(studio, tmp_path):
    table = studio.open("grades.csv")
    studio.done("compare", table, QUESTION)
    shown = studio.digest(table, QUESTION)
    (tmp_path / "grades.csv").write_text(GRADES + "yes,3\nno,9\n")
    assert studio.wrong("release", table, QUESTION, output="out.csv", digest=shown)["field"] == "plan"
    result = studio.done("release", table, QUESTION, output="out.csv")
    assert result["said"].startswith("Released 16 rows")
    assert json.loads((tmp_path / "out.csv.plan.json").read_text())["scenario"]["priors"][0]["given"]["no"]["values"][-1] == 9


# ---------------------------------------------------------------- errors

@pytest.mark.parametrize("question,plan,field", [
    ({**QUESTION, "epsilon": "-1"}, {}, "epsilon"), ({**QUESTION, "epsilon": ""}, {}, "epsilon"), ({**QUESTION, "epsilon": "1,2"}, {}, "epsilon"),
    ({**QUESTION, "delta": "2"}, {}, "delta"), ({**QUESTION, "secret": "absent"}, {}, "secret"), ({**QUESTION, "secret": ""}, {}, "secret"),
    ({**QUESTION, "public": "absent"}, {}, "public"), ({**QUESTION, "pairs": "a:b"}, {}, "pairs"), ({**QUESTION, "clip": "5"}, {}, "clip"),
    ({**QUESTION, "bin": "x"}, {}, "bin"), ({**QUESTION, "merge-rare": "0"}, {}, "merge-rare"), ({**QUESTION, "given": "grade"}, {}, "given"),
    ({**QUESTION, "confidence": "2"}, {}, "confidence"), ({**QUESTION, "confidence": "0.9"}, {}, "confidence"), ({**QUESTION, "noise": "pink"}, {}, "noise"), ({**QUESTION, "missing": "x"}, {}, "missing"),
    ({**QUESTION, "separator": "ab"}, {}, "separator"), (QUESTION, {"method": "best"}, "method"), (QUESTION, {"time-limit": "-1"}, "time-limit"),
    ({**QUESTION, "min-group": "3"}, {}, "min-group"), (QUESTION, {"outputs": "1.5", "method": "channel"}, "outputs")])
def test_errors_say_what_the_command_line_says_and_name_their_field(studio, tmp_path, question, plan, field):
    wrong = studio.wrong("calibrate", studio.open("grades.csv"), question, plan)
    assert wrong["field"] == field, wrong
    flags = [word for name, text in {**question, **plan}.items() if text for word in (f"--{name}={text}",)]
    done = subprocess.run([PROGRAM, "calibrate", "grades.csv", *flags], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == wrong["status"]
    assert done.stderr == f"fugu: {wrong['message']}\nhint: {wrong['hint']}\n"


@pytest.mark.parametrize("text,line", [("a,b\n1,2\n3\n", "line 3"), ('a,b\n1,2\n"3,4\n', "line 3"), ("a,b\n1,2\nx,\xff\n".encode("latin-1"), "line 3")])
def test_a_broken_table_shows_its_line_and_its_name(studio, text, line):
    table = studio.upload(text, "broken.csv")
    wrong = studio.wrong("compare", table, {"secret": "a", "public": "b", "epsilon": "1"})
    assert line in wrong["message"] and wrong["message"].startswith("broken.csv"), wrong
    assert "/tmp" not in wrong["message"] + wrong["hint"] and (wrong["field"], wrong["status"]) == ("table", 3)


def test_errors_show_no_private_value(studio):
    table = studio.upload("a,b\nsecretname,1\nsecretname2,zzz\nsecretname,\n", "t.csv")
    wrong = studio.wrong("compare", table, {"secret": "a", "public": "b", "epsilon": "1"})
    assert "secretname" not in json.dumps(wrong) and "zzz" not in json.dumps(wrong)


def test_pictures_are_there(studio):
    table = studio.open("grades.csv")
    result = studio.done("calibrate", table, QUESTION)
    result |= studio.done("laws", table, QUESTION) | studio.done("errors", table, QUESTION)
    for name in ("laws", "transport", "loss", "noise", "error"):
        assert result[name]["picture"] == name
        (plot,), = result[name]["figures"]
        assert plot["svg"].startswith("<svg ") and plot["narrow"].startswith("<svg "), name
        assert plot["title"] and len(plot["text"]) > 40 and len(plot["table"]["rows"]) > 1, name


def test_several_columns(start, tmp_path):
    (tmp_path / "t.csv").write_text("s,x,y\n" + "".join(f"{s},{k % 5},{k % 3 + (s == 'b')}\n" for s in "ab" for k in range(30)))
    studio = start("t.csv")
    question = {"secret": "s", "public": "x,y", "epsilon": "1"}
    table = studio.open("t.csv")
    assert studio.done("compare", table, question)["candidates"]
    assert [row["method"] for row in studio.done("optima", table, question)["candidates"]] == ["swap"]
    result = studio.done("calibrate", table, question)
    run_command(tmp_path, result["commands"]["calibrate"])
    assert (tmp_path / "plan.json").read_bytes() == studio.download(result["files"]["plan"]).body


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult data set is not here")
def test_the_adult_table(start):
    studio = start(ADULT)
    question = {"secret": "9", "public": "7", "epsilon": "0.5", "no-header": True, "not-missing": "?"}
    result = studio.done("compare", studio.open(ADULT), question)
    assert result["facts"]["rows"] == 32561


def test_the_session_says_what_can_be_asked(studio):
    """The page's fields are the flags of the command line, and the server takes every one of them."""
    sections = studio.ask("GET", "/api/session").json["fields"]
    fields = [field for section in sections.values() for field in section]
    names = [field["name"] for field in fields]
    assert len(set(names)) == len(names) and {"secret", "epsilon", "clip", "no-header", "method", "time-limit"} <= set(names)
    assert not {"scenario", "prior", "table", "query"} & set(names), "what names files is not asked on a page"
    rows = {(row["texts"], row["name"]): row for row in json.loads(subprocess.check_output([PROGRAM, "--flags"])) if row["page"] is not None}
    assert set(rows) == {(field["texts"], field["name"]) for field in fields}
    clip = next(field for field in sections["shape"] if field["name"] == "clip")
    assert clip == {"texts": "question", "name": "clip", "label": "Clip", "help": "Hold numbers or dates within a range: what lies outside becomes the nearer end.",
                    "example": "20:70", "kind": "span", "words": []}
    missing = next(field for field in sections["read"] if field["name"] == "missing")
    assert (missing["kind"], missing["words"]) == ("choice", ["error", "drop", "keep"])
    table = studio.open("grades.csv")
    for field in fields:
        value = True if "switch" in field["kind"] else "nonsense"
        asked = {"question": {**QUESTION}, "plan": {}}
        asked[field["texts"]][field["name"]] = value
        answer = studio.ask("POST", "/api/commands", {"table": table, "page": "p", "round": 1, **asked})
        assert "not one of the page's" not in answer.body.decode(), field["name"]
