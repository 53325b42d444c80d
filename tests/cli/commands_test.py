"""Every command does what its help promises."""
import json
import os
import re
import shlex
import stat
import subprocess

import pytest

from conftest import ADULT, PROGRAM, ROOT

COMMANDS = ["demo", "compare", "calibrate", "verify", "run", "compose", "figure", "completion"]
ALL = ["inspect", "compare", "preview", "report", "figure", "studio", "calibrate", "verify", "release", "run", "statement",
       "estimate", "compose", "ledger", "audit", "model", "demo", "completion"]
MODELS = ["count", "chain", "rate"]
METHODS = ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact"]
BASELINES = ["dp-laplace", "randomized-response"]
QUESTION = ["--secret", "union", "--public", "grade"]


def shell(line, folder):
    """Runs a line as a shell does, with `fugu` on the path."""
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": path}, timeout=60)


def examples(help_text):
    block = re.split(r"\nExamples?:\n", help_text)[1]
    return [line.strip() for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def test_version(fugu):
    assert re.fullmatch(r"fugu \d+\.\d+\.\d+\n", fugu.ok("--version"))


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_is_narrow_and_its_examples_run(demo, command):
    text = demo.ok(*([command] if command else []), "--help")
    assert max(map(len, text.splitlines())) <= 80
    assert text == demo.ok(*([command] if command else []), "-h")
    lines = examples(text)
    assert 1 <= len(lines) <= 4
    for line in lines:
        if line == "fugu demo":
            continue  # ran already, and refuses to replace its files
        done = shell(line, demo.folder)
        assert done.returncode == 0 and done.stderr == "", (line, done)
        if " -o " in line:
            (demo.folder / shlex.split(line)[-1]).unlink()
        for path in (demo.folder / "fugu-demo").glob("job-released.csv*"):
            path.unlink()


def test_help_names_every_command_once_and_fits_a_screen(fugu):
    text = fugu.ok("--help")
    assert re.findall(r"^  ([a-z]+) ", text.split("General:")[0], re.M) == ALL
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize("command", [[name] for name in ALL] + [["model", name] for name in MODELS])
def test_short_help_has_ten_flags_and_fits_a_screen(fugu, command):
    short, everything = fugu.ok(*command, "--help"), fugu.ok(*command, "--help-all")
    flags = [re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.M) for text in (short, everything)]
    assert len(short.splitlines()) <= 40, short
    assert max(map(len, [*short.splitlines(), *everything.splitlines()])) <= 80
    if len(flags[1]) <= 11:
        assert short == everything
        return
    assert flags[0].pop() == "--help-all" and f"show all {len(flags[1])} options\n" in short
    assert 1 <= len(flags[0]) <= 10 and set(flags[0]) < set(flags[1])
    assert 1 <= len(examples(short)) <= 2


def test_short_help_ends_a_description_at_a_full_stop_only(fugu):
    for command in ("inspect", "compare", "calibrate", "release"):
        assert "postgresql://... or sqlite:FILE" in " ".join(fugu.ok(command, "--help").split()), command


@pytest.mark.parametrize("words", [[], ["model"]])
def test_without_a_command_the_help_goes_to_standard_error(fugu, words):
    done = fugu(*words)
    assert (done.status, done.out, done.err) == (2, "", fugu.ok(*words, "--help"))


MODEL_WORDS = {
    "count": [["--users", "25", "--p", "0.7", "--epsilon", "1"], ["--users", "9", "--p", "0.5", "--epsilon", "1", "--compare"],
              ["--users", "0", "--p", "0.7", "--epsilon", "1"], ["--users", "25", "--p", "0.7"]],
    "chain": [["--matrix", str(ROOT / "examples" / "chain.json"), "--length", "20", "--state", "on", "--epsilon", "1", "--format", "json"],
              ["--epsilon", "1"]],
    "rate": [[str(ROOT / "examples" / "grades.csv"), *QUESTION, "--mean", "--within", "all", "--epsilon", "1", "-o", "-"],
             ["--mean", "--epsilon", "1"]],
}


@pytest.mark.parametrize("name, words", [(name, words) for name, lists in MODEL_WORDS.items() for words in lists])
def test_the_old_names_of_models_do_the_same(fugu, name, words):
    assert fugu(name, *words) == fugu("model", name, *words)
    assert fugu(name, *words).status in (0, 2)


def test_a_model_that_does_not_exist(fugu):
    fugu.fails(2, "model", "cont", says=["there is no command 'model cont'", "did you mean count?"])
    fugu.fails(2, "model", "count", "--usres", "3", says=["--users", "fugu model count --help-all lists the options"])


def test_the_table_of_the_paper_reads_well(fugu, grades):
    text = fugu.ok("compare", grades, *QUESTION, "--epsilon", "0.5", "--paper")
    assert "Read 14 rows." in text
    assert "2 secrets, 5 values, 1 pair" in text
    assert "a 50 % belief in any secret becomes at most 62.3 %" in text
    assert "between no and yes" in text
    for method in METHODS:
        assert re.search(rf"^  {method} +laplace ", text, re.M)
    assert re.search(r"^  optimal +optimal +- ", text, re.M) and re.search(r"^  channel +channel +- ", text, re.M)
    text, hint = text.split("hint: ")
    assert text.endswith("The table's frequencies are taken as the truth about who has which value.\n")
    hint, line = hint.split("\nRelease it by exact, the default method here (few people have some of the numbers")
    assert hint.startswith("the noise exceeds the column's own spread") and hint.endswith("a larger --epsilon\n")
    assert line.endswith(f"fugu release {grades} --secret union --public grade --epsilon 0.5 -o released.csv\n")
    text, rows = text.split("What happens to the rows:")
    assert re.search(r"^  swap +[0-9.]+ % +right +ask fugu compose +[0-9.]+ % +[0-9.]+ +[0-9.]+$", rows, re.M)
    table = [line for line in text.splitlines() if line.startswith("  ") and not line.startswith("  swap (swap):")]
    assert len({re.match(r"  \S+ +", line).end() for line in table}) == 1
    assert "the limit" in table[-4]
    assert re.search(r"^\n  dp-laplace +laplace +[0-9.]+ .*baseline", text, re.M)
    assert re.search(r"^  randomized-response +channel +- .*baseline", text, re.M)
    assert "A baseline hides the value itself, not only the secret" in text


def test_compare_says_plainly_when_no_noise_is_needed(fugu, grades):
    text = fugu.ok("compare", "--scenario", ROOT / "examples" / "song-first.json", "--epsilon", "0.7", "--paper")
    assert ("No noise is needed at epsilon 0.7: the unchanged value tells any two of these secrets apart by at most "
            "e^0.6932.") in text
    assert "inf" not in text.replace("W_inf", "")


def test_compare_json(fugu, grades):
    found = json.loads(fugu.ok("compare", grades, *QUESTION, "--epsilon", "0.5", "--format", "json"))
    assert [row["method"] for row in found["candidates"]] == METHODS + ["optimal", "channel", "swap"] + BASELINES
    for row in found["candidates"]:
        keys = {"method", "noise", "scale", "mse", "loss", "note", "times_limit", "rows"}
        assert set(row) == (keys | {"baseline"} if row["method"] in BASELINES else keys)
        assert 0 < row["loss"] <= 0.5
        assert row["times_limit"] == row["mse"] / found["limit"]["mse"] >= 1
    assert found["limit"]["bound"] <= found["limit"]["mse"] <= found["limit"]["bound"] * (1 + 1e-6)
    scales = [row["scale"] for row in found["candidates"][:len(METHODS)]]
    assert scales == sorted(scales, reverse=True)
    assert found["epsilon"] == 0.5 and found["delta"] == 0
    assert found["scenario"]["rows"] == 14 and found["scenario"]["w_inf"]["pair"] == ["no", "yes"]


def test_compare_at_several_epsilons(fugu, grades):
    found = json.loads(fugu.ok("compare", grades, *QUESTION, "--epsilon", "0.1,0.5,1/3", "--format", "json"))
    assert [entry["epsilon"] for entry in found["comparisons"]] == [0.1, 0.5, "1/3"]
    single = json.loads(fugu.ok("compare", grades, *QUESTION, "--epsilon", "0.5", "--format", "json"))
    assert found["comparisons"][1]["candidates"] == single["candidates"]
    text = fugu.ok("compare", grades, *QUESTION, "--epsilon", "0.1,0.5", "--paper")
    assert len(re.findall(r"^  exact +laplace", text, re.M)) == 2 and "epsilon 0.1: " in text and "epsilon 0.5: " in text


def test_standard_input_is_a_table(fugu, grades):
    flags = [*QUESTION, "--epsilon", "0.5", "--format", "json"]
    assert fugu.ok("compare", "-", *flags, stdin=grades.read_text()) == fugu.ok("compare", grades, *flags)


def test_columns_by_number_and_composite_secrets(fugu):
    fugu.write("t.tsv", "a\tb\tx\n" + "".join(f"{a}\t{b}\t{x}\n" for a in "12" for b in "uv" for x in range(4)))
    plan = json.loads(fugu.ok("calibrate", "t.tsv", "--secret", "1,b", "--public", "3", "--epsilon", "1", "--format", "json"))
    assert list(plan["scenario"]["priors"][0]["given"]) == ["1 & u", "1 & v", "2 & u", "2 & v"]
    assert plan["guarantee"]["pairs"] == 6


def test_lists_are_quoted_as_in_csv(fugu):
    fugu.write("t.csv", 's,x\n1,"low, very"\n1,high\n2,high\n2,NA\n1,"say ""x"""\n')
    plan = json.loads(fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "3", "--na", "NA",
                              "--missing", "drop", "--order", 'high,"low, very","say ""x"""', "--format", "json",
                              "--pairs", "1:*"))
    assert plan["scenario"]["source"]["labels"] == ["high", "low, very", 'say "x"']
    assert plan["guarantee"]["pairs"] == 1


def test_secret_order_and_neighbours(fugu):
    fugu.write("t.csv", "s,x\n" + "".join(f"{s},{x}\n" for s in ("low", "mid", "high") for x in (1, 2)))
    plan = json.loads(fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--secret-order",
                              "low,mid,high", "--pairs", "neighbours", "--format", "json"))
    assert plan["scenario"]["pairs"] == [["low", "mid"], ["mid", "high"]]


def test_step_and_separator_and_no_header(fugu):
    fugu.write("t.txt", "a|1.04\na|1.96\nb|2.01\nb|1\n")
    plan = json.loads(fugu.ok("calibrate", "t.txt", "--no-header", "--separator", "|", "--secret", "1", "--public", "2",
                              "--step", "0.5", "--epsilon", "1", "--format", "json", "--threads", "1", "--quiet"))
    assert plan["scenario"]["lattice"]["step"] == 0.5
    assert plan["scenario"]["priors"][0]["given"]["a"]["values"] == [1, 2]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_makes_a_plan_that_verifies(fugu, grades, method):
    fugu.ok("calibrate", grades, *QUESTION, "--epsilon", "0.5", "--method", method, "-o", "plan.json")
    plan = json.loads((fugu.folder / "plan.json").read_text())
    assert set(plan) == {"fugu", "digest", "guarantee", "mechanism", "sensitivity", "witness", "assumptions", "notes",
                         "scenario"}
    assert plan["fugu"] == 1 and plan["guarantee"]["method"] == method
    found = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))
    assert found["verified"] is True
    assert set(found) >= {"verified", "epsilon", "delta", "loss", "pair", "output"}
    assert found["pair"] == plan["witness"]["pair"] and found["loss"] == plan["witness"]["loss"] <= 0.5
    text = fugu.ok("verify", "plan.json")
    assert "The plan is proved" in text and "62.3 %" in text and "no and yes" in text


def test_calibrate_shows_the_plan_or_writes_it(fugu, grades):
    flags = ["calibrate", grades, *QUESTION, "--epsilon", "0.5"]
    text = fugu.ok(*flags)
    assert "Plan by the method exact" in text and "62.3 %" in text and "W_inf 1" in text
    shown = fugu.ok(*flags, "--format", "json")
    assert fugu.ok(*flags, "-o", "-") == shown
    summary = fugu.ok(*flags, "-o", "plan.json")
    assert "Wrote plan.json" in summary and "fugu verify plan.json" in summary
    assert (fugu.folder / "plan.json").read_text() == shown
    assert fugu.ok("verify", "-", stdin=shown) == fugu.ok("verify", "plan.json")


def test_plans_are_private_whole_and_never_replaced_unasked(fugu, grades):
    flags = ["calibrate", grades, *QUESTION, "-o", "plan.json", "--epsilon"]
    fugu.ok(*flags, "0.5")
    path = fugu.folder / "plan.json"
    first = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    fugu.fails(2, *flags, "1", says=["plan.json", "--force"])
    assert path.read_bytes() == first
    os.chmod(path, 0o644)
    fugu.ok(*flags, "1", "--force")
    assert path.read_bytes() != first and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in fugu.folder.iterdir()] == ["plan.json"]


def test_a_link_is_never_followed(fugu, grades):
    fugu.write("real.json", "{}")
    (fugu.folder / "link.json").symlink_to("real.json")
    (fugu.folder / "nowhere.json").symlink_to("none.json")
    for name in ("link.json", "nowhere.json"):
        for force in ([], ["--force"]):
            fugu.fails(2, "calibrate", grades, *QUESTION, "--epsilon", "1", "-o", name, *force, says="symbolic link")
    assert (fugu.folder / "real.json").read_text() == "{}"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["completion", "bash"]])
def test_output_that_cannot_be_written(fugu, arguments):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 5 and done.stderr.startswith("fugu: standard output: ")
    assert len(done.stderr.splitlines()) == 2


def test_a_reader_that_went_away(fugu):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([PROGRAM, "--help"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert done.returncode == 5 and len(done.stderr.splitlines()) == 2


ADULT_QUESTIONS = {
    "race to occupation, missing kept": ["9", "7", "--na", "?", "--missing", "keep"],
    "race to occupation, missing dropped": ["9", "7", "--na", "?", "--missing", "drop"],
    "sex to age": ["10", "1"],
    "race to education-num": ["9", "5"],
}


@pytest.mark.skipif(not ADULT.exists(), reason="the Adult data set is not here")
@pytest.mark.parametrize("name", ADULT_QUESTIONS)
def test_adult(fugu, name):
    secret, public, *more = ADULT_QUESTIONS[name]
    flags = [ADULT, "--no-header", "--secret", secret, "--public", public, *more, "--epsilon", "1"]
    found = json.loads(fugu.ok("compare", *flags, "--format", "json"))
    assert found["scenario"]["rows"] == 32561
    assert found["scenario"]["dropped"] == (1843 if "drop" in more else 0)
    scales = [row["scale"] for row in found["candidates"][:len(METHODS)]]
    assert scales == sorted(scales, reverse=True) and scales[-1] > 0
    errors = [row["mse"] for row in found["candidates"] if not row.get("baseline") and row["method"] != "swap"]
    assert errors == sorted(errors, reverse=True) and errors[-1] == found["limit"]["mse"]
    for method in METHODS + ["optimal", "channel", "swap"] + BASELINES:
        fugu.ok("calibrate", *flags, "--method", method, "-o", "plan.json", "--force")
        assert json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["verified"] is True
