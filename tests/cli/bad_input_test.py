"""Bad input: the documented exit status, one line with the place, one hint, no output."""
import json

import pytest

TABLE = "s,x\na,1\na,2\nb,2\nb,3\n"
FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
GIVEN = {"a": {"values": [1, 2], "mass": [1, 1]}, "b": {"values": [1, 2], "mass": [1, 3]}}


def scenario(mass=None, **more):
    given = json.loads(json.dumps(GIVEN))
    if mass is not None:
        given["a"]["mass"] = mass
    return json.dumps({"epsilon": 0.5, "priors": [{"name": "p", "given": given}], **more})


@pytest.fixture
def table(fugu):
    return fugu.write("t.csv", TABLE).name


def both(fugu, status, *arguments, says=(), **more):
    fugu.fails(status, "compare", *arguments, says=says, **more)
    return fugu.fails(status, "calibrate", *arguments, "-o", "plan.json", says=says, **more)


@pytest.mark.parametrize("text", ["0", "-1", "-0.5", "nan", "NaN", "inf", "-inf", "1e400", "abc", "0x1", "1001", "1/0", "0.5x"])
def test_epsilon_out_of_range(fugu, table, text):
    both(fugu, 2, table, "--secret", "s", "--public", "x", "--epsilon", text, says="--epsilon")


@pytest.mark.parametrize("text", ["0", "-1", '"nan"', '"NaN"', "1e400", "true", "[1]"])
def test_epsilon_out_of_range_in_a_file(fugu, text):
    fugu.write("s.json", scenario().replace('"epsilon": 0.5', '"epsilon": ' + text))
    both(fugu, 3, "--scenario", "s.json", says=["s.json", "line 1" if text == "1e400" else "epsilon"])


def test_no_epsilon(fugu, table):
    both(fugu, 2, table, "--secret", "s", "--public", "x", says=["no epsilon is given", "--epsilon 0.5"])
    fugu.write("s.json", scenario().replace('"epsilon": 0.5, ', ""))
    both(fugu, 2, "--scenario", "s.json", says=["no epsilon is given", "--epsilon 0.5"])


def test_a_plan_has_one_epsilon(fugu, table):
    fugu.fails(2, "calibrate", table, "--secret", "s", "--public", "x", "--epsilon", "0.1,0.5", says="--epsilon")


@pytest.mark.parametrize("mass", ["[-1, 2]", "[0, 0]", '["x", 1]', "[1e400, 1]", '["1/0", 1]', '["inf", 1]', "[null, 1]",
                                  "[1]", "[]", "[true, 1]", "{}"])
def test_bad_masses(fugu, mass):
    fugu.write("s.json", scenario().replace('"mass": [1, 1]', f'"mass": {mass}'))
    both(fugu, 3, "--scenario", "s.json", says="s.json")


@pytest.mark.parametrize("mass", ["[Infinity, 1]", "[NaN, 1]"])
def test_masses_that_are_no_json(fugu, mass):
    fugu.write("s.json", scenario().replace('"mass": [1, 1]', f'"mass": {mass}'))
    both(fugu, 3, "--scenario", "s.json", says="s.json")


@pytest.mark.parametrize("flags, says", [
    (["--secret", "nope", "--public", "x"], ["--secret", "nope"]),
    (["--secret", "s", "--public", "nope"], ["--public", "nope"]),
    (["--secret", "7", "--public", "x"], ["--secret", "7"]),
    (["--secret", "s", "--public", "x", "--pairs", "a:zzz"], ["--pairs", "zzz"]),
    (["--secret", "s", "--public", "x", "--pairs", "a:a"], ["--pairs"]),
    (["--secret", "s", "--public", "x", "--pairs", "a"], ["--pairs"]),
    (["--secret", "s", "--public", "x", "--secret-order", "a,b,c"], ["--secret-order"]),
    (["--secret", "s", "--public", "x", "--secret-order", "a"], ["--secret-order"]),
    (["--secret", "s", "--public", "x", "--order", "1,2"], ["--order"]),
    (["--secret", "s", "--public", "x", "--order", '"1,2'], ["--order", "quote"]),
    (["--secret", "s", "--public", "x", "--noise", "pink"], ["pink", "laplace"]),
    (["--secret", "s", "--public", "x", "--delta", "2"], ["--delta"]),
    (["--secret", "s", "--public", "x", "--delta", "-0.1"], ["--delta"]),
    (["--secret", "s", "--public", "x", "--noise", "log:3"], ["--noise", "ETA must be greater than 3"]),
    (["--secret", "s", "--public", "x", "--noise", "power:1"], ["--noise", "below 1"]),
    (["--secret", "s", "--public", "x", "--step", "0"], ["--step"]),
    (["--secret", "s", "--public", "x", "--step", "x"], ["--step"]),
    (["--secret", "s", "--public", "x", "--missing", "guess"], ["--missing", "drop"]),
    (["--secret", "s", "--public", "x", "--separator", "::"], ["--separator"]),
    (["--secret", "s", "--public", "x", "--format", "xml"], ["--format", "json"]),
    (["--secret", "s", "--public", "x", "--threads", "0"], ["--threads"]),
    (["--secret", "s", "--public", "x", "--threads", "many"], ["--threads"]),
    (["--public", "x"], ["--secret"]),
    (["--secret", "s"], ["--public"]),
    (["--secret", "s", "--public", "x", "--scenario", "s.json"], ["--scenario", "TABLE"]),
])
def test_flags_that_do_not_fit(fugu, table, flags, says):
    both(fugu, 2, table, *flags, "--epsilon", "0.5", says=says)


def test_unknown_method(fugu, table):
    fugu.fails(2, "calibrate", table, *FLAGS, "--method", "magic", "-o", "plan.json", says=["magic", "exact"])


@pytest.mark.parametrize("arguments, says", [
    (["frobnicate"], "frobnicate"),
    (["compar"], "did you mean compare?"),
    (["compare", "--epsilom", "1"], "did you mean --epsilon?"),
    (["compare", "--nonsense"], "--nonsense"),
    (["compare", "--epsilon"], "--epsilon"),
    (["compare", "a.csv", "b.csv"], "b.csv"),
    (["compare", "a.csv", "--epsilon", "1", "--epsilon", "2"], "more than once"),
    (["calibrate", "a.csv", "--force=7"], "--force"),
    (["verify"], "PLAN"),
    (["completion"], "SHELL"),
    (["completion", "tcsh"], "bash"),
    (["compare"], "no table is given"),
    (["--nonsense"], "--nonsense"),
])
def test_wrong_usage(fugu, arguments, says):
    fugu.fails(2, *arguments, says=says)


SECRET_VALUE = "Hidden4711"


@pytest.mark.parametrize("text, says", [
    (f"s,x\n{SECRET_VALUE},1\n{SECRET_VALUE},2\n", "s"),                # one secret
    (f"s,x\na,1\nb,2,{SECRET_VALUE}\n", "line 3"),                      # ragged
    (f"s,x\na,1\n{SECRET_VALUE}\n", "line 3"),
    (f's,x\na,1\nb,"{SECRET_VALUE}\n', "line 3"),                       # unterminated quote
    (f"s,x\na,1\nb,{SECRET_VALUE}\0\n", "line 3"),                      # NUL
    (b"s,x\na,1\nb,Hidden4711\xff\n", "line 3"),                        # not UTF-8
    (b"s,x\na,1\nHidden4711\xc3,2\n", "line 3"),
    (f"s,x\na,1\na,2\nb,{SECRET_VALUE}\n", "line 4"),                   # numbers and text
    ("s,x\na,1\nb,1e400\n", "line 3"),
    ("s,x\na,1\nb,\n", "line 3"),                                       # missing
    ("", "empty"),
    ("s,x\n", "no rows"),
    ("s,x\na,0.1\na,0.3333333333333333333\nb,1234567\n", "--step"),     # an absurd lattice
], ids=range(13))
def test_bad_tables(fugu, text, says):
    fugu.write("bad.csv", text)
    err = both(fugu, 3, "bad.csv", *FLAGS, says=["bad.csv", says])
    assert SECRET_VALUE not in err


def test_an_absurd_lattice_names_no_value(fugu):
    fugu.write("bad.csv", "s,x\na,0.1\na,0.3333333333333333333\nb,1234567\n")
    both(fugu, 3, "bad.csv", *FLAGS, says=["absurdly fine", "--step"])
    fugu.ok("compare", "bad.csv", *FLAGS, "--step", "0.1")


def test_a_secret_with_no_rows(fugu, table):
    both(fugu, 2, table, *FLAGS, "--secret-order", "a,b,ghost", says=["--secret-order", "ghost"])
    both(fugu, 2, table, *FLAGS, "--pairs", "a:ghost", says=["--pairs", "ghost"])
    fugu.write("s.json", scenario(mass=[0, 0]))
    both(fugu, 3, "--scenario", "s.json", says=["s.json", "given[0]"])


def test_files_that_are_not_there(fugu):
    (fugu.folder / "folder").mkdir()
    both(fugu, 5, "nowhere.csv", *FLAGS, says="nowhere.csv")
    both(fugu, 5, "folder", *FLAGS, says="folder")
    both(fugu, 5, "--scenario", "nowhere.json", says="nowhere.json")
    both(fugu, 5, "--scenario", "folder", says="folder")
    fugu.fails(5, "verify", "nowhere.json", says="nowhere.json")
    fugu.fails(5, "verify", "folder", says="folder")


@pytest.mark.parametrize("text", [
    "", "{", scenario()[:-20], "[" * 100000, '{"a":' * 100000, "nonsense", "{} {}", '{"epsilon": 0.5, "epsilon": 0.5}',
    '{"epsilon": 0.5}', '{"epsilon": 0.5, "priors": []}', '{"epsilon": 0.5, "priors": [], "extra": 1}', "[]", "1", "\xff",
    scenario(lattice={"step": 0}), scenario(lattice={"step": 5}), scenario(pairs=[]), scenario(pairs=[["a", "nope"]]),
    scenario(pairs="some"), '{"epsilon": 0.5, "priors": [{"given": {"a": {"values": [1], "mass": [1]}}}]}',
], ids=range(20))
def test_bad_json(fugu, text):
    fugu.write("bad.json", text.encode("latin-1"))
    both(fugu, 3, "--scenario", "bad.json", says="bad.json")
    fugu.fails(3, "verify", "bad.json", says="bad.json")


def test_outputs_that_cannot_be(fugu, table):
    (fugu.folder / "folder").mkdir()
    fugu.fails(5, "calibrate", table, *FLAGS, "-o", "nowhere/plan.json", says="nowhere/plan.json")
    fugu.fails(2, "calibrate", table, *FLAGS, "-o", "folder", "--force", says="folder")
    fugu.fails(2, "calibrate", table, *FLAGS, "-o", "/dev/null", "--force", says="/dev/null")
    fugu.fails(2, "calibrate", table, *FLAGS, "-o", table, "--force", says=["t.csv", "the input"])
    old = fugu.write("old.json", "old")
    fugu.fails(2, "calibrate", table, *FLAGS, "-o", old, says=["old.json", "--force"])


def test_the_output_is_checked_before_the_work(fugu, table):
    fugu.fails(2, "calibrate", "nowhere.csv", *FLAGS, "-o", table, says=["t.csv", "--force"])


def test_a_strange_file_name_stays_on_its_line(fugu):
    err = fugu.fails(5, "compare", "no\nwhere\x1b[31m.csv", *FLAGS)
    assert "\x1b" not in err
