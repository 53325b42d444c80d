"""fugu count: sums over independent users, from flags and files, as plans and as releases."""
import json
import stat

import pytest

from tampering_test import Literal, canonical, digest, read

ALIKE = ["count", "--users", "25", "--p", "0.7"]


def plan_of(fugu, *arguments):
    return json.loads(fugu.ok("count", *arguments, "--format", "json"))


def test_lemma_2_of_the_paper(fugu):
    plan = plan_of(fugu, "--users", "25", "--p", "0.7", "--epsilon", "1")
    assert plan["guarantee"]["method"] == "lemma2"
    assert plan["mechanism"]["scale"] == 1
    assert plan["model"] == {"kind": "users", "letters": ["0", "1"], "pairs": "both",
                             "lattice": {"step": 1, "origin": 0}, "values": [0, 1],
                             "users": [{"count": 25, "mass": [0.3, 0.7]}]}
    assert "scale 1," in fugu.ok(*ALIKE, "--epsilon", "1")


def test_no_noise_where_the_crowd_hides_each_user(fugu):
    plan = plan_of(fugu, "--users", "2000", "--p", "0.7", "--epsilon", "1", "--delta", "1e-9")
    assert plan["mechanism"]["scale"] == 0
    assert plan["notes"] == ["no noise is needed: the other users' own randomness hides each of them"]


def test_absent_pairs_need_less(fugu):
    scales = {pairs: plan_of(fugu, "--users", "5", "--p", "0.5", "--epsilon", "0.5", "--pairs", pairs)["mechanism"]["scale"]
              for pairs in ("both", "values", "absent")}
    assert scales["both"] == scales["values"] == 2
    assert 0 < scales["absent"] < 1.5


def test_a_distribution_for_each_user_with_values(fugu):
    fugu.write("users.csv", "no,yes,often\n0.5,0.3,0.2\n1/3,1/3,1/3\n5,3,2\n1,0,0\n")
    plan = plan_of(fugu, "--probabilities", "users.csv", "--values", "0,1,2.5", "--epsilon", "1")
    assert plan["mechanism"]["scale"] == 2.5
    assert plan["model"]["letters"] == ["no", "yes", "often"]
    assert plan["model"]["lattice"]["step"] == 0.5
    assert [users["count"] for users in plan["model"]["users"]] == [1, 1, 1, 1]
    # A user who surely says no has no secret, and the plan says so; the others decide.
    assert any("Of 1 of them the model knows the answer" in text for text in plan["assumptions"])
    fugu.write("sure.csv", "0\n0\n")
    fugu.fails(3, "count", "--probabilities", "sure.csv", "--epsilon", "1", says=["nothing to hide", "comma"])
    fugu.write("comma.csv", "0,5\n0,25\n")
    fugu.fails(3, "count", "--probabilities", "comma.csv", "--letters", "no,yes", "--epsilon", "1", says="comma")


def test_letters_and_values_go_by_their_names(fugu):
    fugu.write("users.csv", "no,yes,often\n0.5,0,0.5\n0.5,0,0.5\n")
    fugu.write("values.csv", "no,often,yes\n0,100,1\n0,100,1\n")
    users = ["--probabilities", "users.csv", "--epsilon", "1"]
    assert plan_of(fugu, *users, "--values", "values.csv")["mechanism"]["scale"] == 100
    fugu.write("values.csv", "foo,bar,baz\n0,100,1\n")
    fugu.fails(3, "count", *users, "--values", "values.csv", says="does not name the letters")
    fugu.fails(2, "count", *users, "--letters", "yes,no,often", says="another order")
    fugu.fails(2, "count", *users, "--values", "a,b,c", says="not every value is a number")


@pytest.mark.parametrize("first", ["1e-400", "NA", "50%", "nan", "1/0", ".x", "-"])
def test_a_first_line_that_looks_like_a_number_is_no_header(fugu, first):
    fugu.write("users.csv", f"{first}\n0.5\n0.25\n")
    fugu.fails(3, "count", "--probabilities", "users.csv", "--epsilon", "1", says="line 1")


def test_values_of_each_user(fugu):
    fugu.write("users.csv", "p\n0.5\n0.25\n")
    fugu.write("values.csv", "0,1\n0,3\n")
    plan = plan_of(fugu, "--probabilities", "users.csv", "--values", "values.csv", "--epsilon", "1")
    assert plan["mechanism"]["scale"] == 3
    assert plan["witness"]["prior"] == "user 2"


def test_the_lattice_may_betray_one(fugu):
    fugu.write("users.csv", "0.5\n" * 400)
    fugu.write("values.csv", "0,1\n" + "0,2\n" * 399)
    plan = plan_of(fugu, "--probabilities", "users.csv", "--values", "values.csv", "--epsilon", "1", "--delta", "1e-3")
    assert plan["mechanism"]["scale"] > 0
    assert "multiples of 2" in plan["notes"][0]


def test_comparison(fugu):
    rows = json.loads(fugu.ok(*ALIKE, "--epsilon", "1", "--delta", "1e-3", "--compare", "--format", "json"))["candidates"]
    assert [(row["method"], row["noise"]) for row in rows] == [("lemma2", "laplace"), ("exact", "laplace"),
                                                               ("exact", "gaussian")]
    assert rows[1]["scale"] < rows[0]["scale"] == 1
    assert "Lemma 2" in fugu.ok(*ALIKE, "--epsilon", "1", "--compare")


def test_plan_file_verifies_and_is_private(fugu):
    fugu.ok(*ALIKE, "--epsilon", "0.5", "--delta", "1e-4", "--noise", "gaussian", "-o", "plan.json")
    assert stat.S_IMODE((fugu.folder / "plan.json").stat().st_mode) == 0o600
    assert json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["proved_delta"] <= 1e-4
    assert "25 users" in fugu.ok("statement", "plan.json")
    fugu.fails(2, *ALIKE, "--epsilon", "0.5", "-o", "plan.json", says="plan.json")
    fugu.ok(*ALIKE, "--epsilon", "0.5", "-o", "plan.json", "--force")


def test_release_of_the_true_count(fugu):
    released = {int(fugu.ok(*ALIKE, "--epsilon", "1", "--observed", "-", stdin="17\n")) for _ in range(40)}
    assert len(released) > 2 and all(-40 < number < 75 for number in released)
    # Where no noise is needed the number comes out as it went in.
    assert fugu.ok("count", "--users", "2000", "--p", "0.7", "--epsilon", "1", "--delta", "1e-9", "--observed", "-",
                   stdin="1402") == "1402\n"
    said = json.loads(fugu.ok(*ALIKE, "--epsilon", "1", "--observed", "-", "-o", "plan.json", "--format", "json", stdin="3"))
    assert said["plan"] == "plan.json" and len(said["released"]) == 1
    fugu.ok("verify", "plan.json")


@pytest.mark.parametrize("text", ["26", "-1", "17.5", "seventeen", "", "3 4"])
def test_true_numbers_that_cannot_be(fugu, text):
    said = fugu.fails(3, *ALIKE, "--epsilon", "1", "--observed", "-", "-o", "plan.json", stdin=text)
    assert text == "" or text not in said


def test_expansion_serves_the_other_commands(fugu):
    fugu.ok(*ALIKE, "--epsilon", "1", "--expand", "scenario.json")
    assert stat.S_IMODE((fugu.folder / "scenario.json").stat().st_mode) == 0o600
    fugu.fails(2, *ALIKE, "--epsilon", "1", "--expand", "scenario.json", says="scenario.json")
    plan = json.loads(fugu.ok("calibrate", "--scenario", "scenario.json", "--format", "json"))
    assert plan["mechanism"]["scale"] == pytest.approx(1, abs=1e-12)
    fugu.fails(2, "count", "--users", "301", "--p", "0.5", "--epsilon", "1", "--expand", "large.json", says="301")
    fugu.write("some.csv", "0\n0.5\n")
    fugu.fails(2, "count", "--probabilities", "some.csv", "--epsilon", "1", "--expand", "some.json", says="user 1")


@pytest.mark.parametrize("table, line, says", [
    ("0.5\n1.5\n", 2, "not a probability"),
    ("p\n0.5\n-0.1\n", 3, "not a probability"),
    ("0.5\nabc\n", 2, "not a number"),
    ("a,b\n0.5,0.5\n0.5,0.4\n", 3, "add up to 1"),
    ("a,b\n0,0\n", 2, "all probabilities are 0"),
    ("a,b\n0.5,0.5\n0.5\n", 3, ""),
])
def test_bad_tables_name_the_line(fugu, table, line, says):
    fugu.write("users.csv", table)
    error = fugu.fails(3, "count", "--probabilities", "users.csv", "--epsilon", "1", says=["users.csv", f"line {line}", says])
    assert "abc" not in error and "1.5" not in error


def test_empty_tables(fugu):
    fugu.write("users.csv", "")
    fugu.fails(3, "count", "--probabilities", "users.csv", "--epsilon", "1", says="users.csv")
    fugu.write("users.csv", "p\n")
    fugu.fails(3, "count", "--probabilities", "users.csv", "--epsilon", "1", says="no users")


@pytest.mark.parametrize("arguments, says", [
    (["--epsilon", "1"], "no users"),
    (["--users", "25", "--epsilon", "1"], "--p"),
    (["--p", "0.7", "--epsilon", "1"], "--users"),
    (["--users", "0", "--p", "0.7", "--epsilon", "1"], "--users"),
    (["--users", "25", "--p", "1.7", "--epsilon", "1"], "--p"),
    (["--users", "25", "--p", "0.7"], "--epsilon"),
    (["--users", "25", "--p", "0.7", "--probabilities", "u.csv", "--epsilon", "1"], "--probabilities"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--pairs", "some"], "--pairs"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--noise", "gaussian"], "needs a delta"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--noise", "laplace,gaussian"], "--compare"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--letters", "a,a"], "--letters"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--letters", "a,absent"], "--letters"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--values", "1,2,3"], "--values"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--observed", "17"], "--observed"),
    (["--users", "25", "--p", "0.7", "--epsilon", "1", "--compare", "-o", "x.json"], "--compare"),
])
def test_wrong_usage(fugu, arguments, says):
    fugu.fails(2, "count", *arguments, says=says)


@pytest.fixture(params=["lemma2", "exact"])
def plan(fugu, request):
    budget = ["--epsilon", "0.5"] + (["--delta", "1e-3"] if request.param == "exact" else [])
    fugu.write("users.csv", "".join(f"0.{k}\n" for k in range(1, 10)) + "0.5\n")
    fugu.ok("count", "--probabilities", "users.csv", *budget, "-o", "plan.json")
    found = read(fugu.folder / "plan.json")
    assert found["guarantee"]["method"] == request.param and digest(found) == found["digest"]
    return found


def refused(fugu, plan, status=4, says=()):
    plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    return fugu.fails(status, "verify", "bad.json", says=says)


def test_tampering_without_a_new_digest(fugu, plan):
    plan["notes"].append("harmless")
    fugu.write("bad.json", canonical(plan))
    fugu.fails(4, "verify", "bad.json", says="digest")


def reduce_noise(plan):
    tail = plan["mechanism"]["tail"]
    tail["numerator"] = str(int(tail["numerator"]) * 9 // 10)


def no_noise(plan):
    plan["mechanism"]["scale"] = plan["mechanism"]["mse"] = 0
    plan["mechanism"]["tail"]["numerator"] = "0"


@pytest.mark.parametrize("change, says", [
    (reduce_noise, "by more than the budget"),
    (no_noise, "by more than the budget"),
    (lambda plan: plan["guarantee"].update(epsilon=Literal("0.4")), "by more than the budget"),
    (lambda plan: plan["model"].update(values=[0, 2]), "by more than the budget"),
    (lambda plan: plan["mechanism"].update(scale=Literal("7.5")), "scale"),
    (lambda plan: plan["mechanism"].update(mse=Literal("0.001")), "mse"),
    (lambda plan: plan["witness"].update(prior="user 99"), "witness"),
    (lambda plan: plan["witness"].update(pair=["1", "absent"]), "witness"),
    (lambda plan: plan["assumptions"].pop(), "assumptions"),
    (lambda plan: plan["model"]["users"][0].update(count=12), ""),
], ids=range(10))
def test_every_number_of_a_plan_is_proved(fugu, plan, change, says):
    change(plan)
    refused(fugu, plan, says=says)


def test_a_weaker_witness_is_refused(fugu, plan):
    key = "loss" if plan["witness"]["loss"] else "delta"
    plan["witness"][key] = Literal("1e-05")
    refused(fugu, plan, says="witness")


def test_methods_do_not_stand_for_each_other(fugu, plan):
    pure = plan["guarantee"]["method"] == "lemma2"
    plan["guarantee"]["method"] = "exact" if pure else "lemma2"
    refused(fugu, plan, status=3 if pure else 4)


@pytest.mark.parametrize("path", [("guarantee", "pairs"), ("guarantee", "confidence"), ("sensitivity",),
                                  ("witness", "output")])
def test_what_a_model_does_not_say_stays_unsaid(fugu, plan, path):
    place = plan
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] is None
    place[path[-1]] = 1
    refused(fugu, plan, status=4)


def test_lemma2_steps_in_where_the_others_do_not_help(fugu):
    plan = plan_of(fugu, "--users", "8", "--p", "0.3", "--noise", "power:0.5", "--epsilon", "1", "--delta", "1e-6")
    assert plan["guarantee"]["method"] == "lemma2" and plan["witness"]["delta"] == 0
    for delta in ["1e-25", "1e-59"]:
        plan = plan_of(fugu, "--users", "2", "--p", "0.5", "--epsilon", "1", "--delta", delta)
        assert plan["mechanism"]["scale"] == 1
        fugu.ok("count", "--users", "2", "--p", "0.5", "--epsilon", "1", "--delta", delta, "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")
    wide = plan_of(fugu, "--users", "8", "--p", "0.3", "--epsilon", "0.0001", "--delta", "1e-9")
    assert wide["mechanism"]["scale"] == pytest.approx(10000, rel=1e-9) and "thousandth" in wide["notes"][0]


def test_pure_promises_about_one_crowd_add(fugu):
    fugu.ok(*ALIKE, "--epsilon", "1", "-o", "a.json")
    fugu.ok(*ALIKE, "--epsilon", "0.5", "-o", "b.json")
    together = json.loads(fugu.ok("compose", "a.json", "b.json", "--format", "json"))
    assert together == {"epsilon": 1.5, "delta": 0, "bound": "lemma2"}
    fugu.ok(*ALIKE, "--epsilon", "1", "--pairs", "absent", "-o", "c.json")
    fugu.fails(4, "compose", "c.json", "c.json", says="both or values")
    fugu.ok(*ALIKE, "--epsilon", "1", "--delta", "1e-3", "-o", "d.json")
    fugu.fails(4, "compose", "d.json", "d.json", says="do not compose")
