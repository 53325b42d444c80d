"""Plans changed after they were made: refused by their digest, and with a fresh digest by their numbers."""
import hashlib
import json
import re

import pytest

QUESTION = ["--secret", "union", "--public", "grade"]


class Literal(float):
    """A number that remembers how it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def read(path):
    return json.loads(path.read_text(), parse_float=Literal)


def canonical(value):
    """Keys sorted by bytes, no blanks, UTF-8, number literals as they stand."""
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode())
        return "{" + ",".join(canonical(key) + ":" + canonical(item) for key, item in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, Literal):
        return value.text
    return json.dumps(value, ensure_ascii=False)


def digest(plan):
    bare = {key: value for key, value in plan.items() if key != "digest"}
    return "sha256:" + hashlib.sha256(canonical(bare).encode()).hexdigest()


@pytest.fixture
def plan(fugu, grades):
    fugu.ok("calibrate", grades, *QUESTION, "--epsilon", "0.5", "-o", "plan.json")
    found = read(fugu.folder / "plan.json")
    assert digest(found) == found["digest"]
    return found


def refused(fugu, plan, status=4, fresh=True, says=()):
    if fresh:
        plan["digest"] = digest(plan)
    fugu.write("bad.json", canonical(plan))
    return fugu.fails(status, "verify", "bad.json", says=says)


def test_layout_does_not_matter(fugu, plan):
    fugu.write("same.json", canonical(plan))
    fugu.ok("verify", "same.json")


def test_wrong_digest(fugu, plan):
    plan["digest"] = "sha256:" + "0" * 64
    refused(fugu, plan, fresh=False, says="digest")


def test_any_edit_without_a_new_digest(fugu, plan):
    plan["notes"].append("harmless")
    refused(fugu, plan, fresh=False, says="digest")


def test_reduced_noise(fugu, plan):
    tail = plan["mechanism"]["tail"]
    tail["numerator"] = str(int(tail["numerator"]) * 9 // 10)
    assert "more than epsilon 0.5" in refused(fugu, plan)


def test_reduced_noise_with_the_scale_that_goes_with_it(fugu, grades, plan):
    fugu.ok("calibrate", grades, *QUESTION, "--epsilon", "1", "-o", "weaker.json")
    weaker = read(fugu.folder / "weaker.json")
    plan["mechanism"], plan["witness"] = weaker["mechanism"], weaker["witness"]
    assert "more than epsilon 0.5" in refused(fugu, plan)


def test_no_noise_at_all(fugu, plan):
    plan["mechanism"]["scale"] = 0
    plan["mechanism"]["mse"] = 0
    plan["mechanism"]["tail"]["numerator"] = "0"
    assert "more than epsilon 0.5" in refused(fugu, plan)


def test_changed_masses(fugu, plan):
    plan["scenario"]["priors"][0]["given"]["yes"]["mass"][0] += 50
    assert "more than epsilon 0.5" in refused(fugu, plan)


def test_lowered_epsilon(fugu, plan):
    plan["guarantee"]["epsilon"] = plan["scenario"]["epsilon"] = Literal("0.4")
    assert "more than epsilon 0.4" in refused(fugu, plan)


def test_epsilon_lowered_in_one_place_only(fugu, plan):
    plan["guarantee"]["epsilon"] = Literal("0.4")
    refused(fugu, plan, says="guarantee.epsilon")


@pytest.mark.parametrize("change, says", [
    (lambda plan: plan["mechanism"].update(scale=Literal("0.001")), "scale"),
    (lambda plan: plan["mechanism"].update(mse=Literal("0.001")), "mse"),
    (lambda plan: plan["witness"].update(loss=Literal("0.1")), "witness"),
    (lambda plan: plan["witness"].update(pair=["yes", "no"]), "witness"),
    (lambda plan: plan["sensitivity"].update(w_inf=0), "sensitivity"),
    (lambda plan: plan["sensitivity"].update(range=0), "sensitivity"),
    (lambda plan: plan["guarantee"].update(pairs=7), "pairs"),
    (lambda plan: plan["guarantee"].update(priors=7), "priors"),
    (lambda plan: plan["guarantee"].update(delta=Literal("0.5")), "delta"),
], ids=["scale", "mse", "loss", "pair", "w_inf", "range", "pairs", "priors", "delta"])
def test_every_other_number(fugu, plan, change, says):
    change(plan)
    refused(fugu, plan, says=says)


@pytest.mark.parametrize("change", [
    lambda plan: plan.pop("mechanism"),
    lambda plan: plan.pop("scenario"),
    lambda plan: plan["mechanism"].pop("tail"),
    lambda plan: plan["mechanism"].update(extra=1),
    lambda plan: plan["mechanism"].update(weights=["-1"]),
    lambda plan: plan["mechanism"].update(weights=[]),
    lambda plan: plan.update(fugu=2),
    lambda plan: plan["witness"].update(pair=["yes"]),
], ids=range(8))
def test_what_is_no_plan(fugu, plan, change):
    change(plan)
    refused(fugu, plan, status=3)


def test_a_truncated_plan(fugu, plan):
    text = (fugu.folder / "plan.json").read_text()
    for size in range(0, len(text) - 2, 97):
        fugu.write("bad.json", text[:size])
        fugu.fails(3, "verify", "bad.json", says="bad.json")


@pytest.mark.parametrize("noise", [["--noise", "gaussian", "--delta", "1e-3"], [], ["--noise", "power:0.5"]])
@pytest.mark.parametrize("scale", ["1e308", "1e-308", "5e-324"])
def test_scales_that_no_arithmetic_holds(fugu, grades, noise, scale):
    fugu.ok("calibrate", grades, *QUESTION, "--epsilon", "0.1", *noise, "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    plan["mechanism"]["scale"] = Literal(scale)
    refused(fugu, plan, says="scale")


def test_groups_that_the_table_does_not_have(fugu):
    """The first prior takes a group's name, and made-up groups fill in for it: the group would have no noise."""
    cells = [("a", "A", 0, 90), ("a", "A", 1, 10), ("a", "B", 0, 10), ("a", "B", 1, 90),
             *(("b", secret, value, 5000) for secret in "AB" for value in (0, 1))]
    fugu.write("in.csv", "g,s,x\n" + "".join(f"{g},{s},{x}\n" * count for g, s, x, count in cells))
    fugu.ok("calibrate", "in.csv", "--secret", "s", "--public", "x", "--given", "g", "--epsilon", "0.5", "-o", "honest.json")
    scenario = read(fugu.folder / "honest.json")["scenario"]

    def prior(name, a, b):
        law = lambda masses: {"values": [x for x in (0, 1) if masses[x]], "mass": [mass for mass in masses if mass]}
        return {"name": name, "given": {"A": law(a), "B": law(b)}}

    others = [prior("g = b", (5000, 5000), (5000, 5000)), prior("g = y", (180, 0), (20, 0)), prior("g = z", (0, 20), (0, 180))]
    scenario["priors"] = [prior("g = a", (5180, 5020), (5020, 5180)), *others]
    fugu.write("forged.json", canonical(scenario))
    fugu.ok("calibrate", "--scenario", "forged.json", "-o", "behind.json")
    fugu.fails(4, "verify", "behind.json", says="the first prior is not the whole table")
    fugu.fails(4, "release", "in.csv", "--plan", "behind.json", "-o", "out.csv", says="the first prior is not the whole table")
    scenario["priors"] = [prior("empirical", (5180, 5020), (5020, 5180)), *others]
    fugu.write("forged.json", canonical(scenario))
    fugu.ok("calibrate", "--scenario", "forged.json", "-o", "plan.json")
    fugu.ok("verify", "plan.json")  # it is sound, of another table
    fugu.fails(4, "release", "in.csv", "--plan", "plan.json", "-o", "out.csv", says="not the one that the plan was made from")
    assert not (fugu.folder / "out.csv").exists()


def test_the_name_of_a_prior_ends_where_it_ends(fugu, plan):
    scenario = plan["scenario"]
    scenario["priors"][0]["name"] = 'empirical", or any other belief'
    fugu.write("named.json", canonical(scenario))
    fugu.ok("calibrate", "--scenario", "named.json", "-o", "named-plan.json")
    statement = json.loads(fugu.ok("statement", "named-plan.json", "--format", "json"))
    assert any(r'"empirical\", or any other belief"' in sentence for sentence in statement["assumptions"]), statement


def test_an_epsilon_is_not_stated_smaller_than_it_is(fugu, grades):
    fugu.ok("calibrate", grades, *QUESTION, "--epsilon", "0.5000000000000000000000000001", "-o", "plan.json")
    assert "e^0.5 " not in fugu.ok("statement", "plan.json")


@pytest.mark.parametrize("role,writes", [("known", []), ("given", ["--keep"])])
@pytest.mark.parametrize("name", ["s", "1"])
def test_the_secret_is_nothing_that_somebody_knows(fugu, role, writes, name):
    """A forged plan that takes the secret for a known column would write it. A column has a name and a number."""
    fugu.write("t.csv", "s,k,x\n" + "".join(f"{s},{k},{x}\n" for s in "ab" for k in "uv" for x in range(4)) * 30)
    method = "swap" if role == "known" else "exact"
    question = ["--secret", "s", "--public", "x", f"--{role}", "k", "--method", method, "--epsilon", "0.5"]
    fugu.ok("calibrate", "t.csv", *question, "-o", "plan.json")
    text = re.sub(r"\bk\b", name, (fugu.folder / "plan.json").read_text())
    for group, secret in ("ua", "vb"):
        text = text.replace(f"{name} = {group}", f"{name} = {secret}").replace(f'"{group}"', f'"{secret}"')
    forged = json.loads(text, parse_float=Literal)
    assert forged["scenario"]["source"][role] == [name]
    if name == "s":
        refused(fugu, forged, status=3, says="the secret is among the columns that somebody knows")
    forged["digest"] = digest(forged)
    fugu.write("forged.json", canonical(forged))
    done = fugu("release", "t.csv", "--plan", "forged.json", "--new-data", *writes, *([name] if writes else []), "-o", "out.csv")
    assert done.status in (2, 3, 4) and ("the secret" in done.err or "was not calibrated against column" in done.err), done
    assert not (fugu.folder / "out.csv").exists()


LAWS = {"values": [1, 2], "mass": [200, 200]}


@pytest.mark.parametrize("secret,public,forged", [
    (["s"], ["s"], {"a": LAWS, "b": LAWS}),
    (["s"], ["1"], {"a": LAWS, "b": LAWS}),
    (["1"], ["s"], {"a": LAWS, "b": LAWS}),
    (["s"], ["s"], {"a": {"values": [2], "mass": [400]}, "b": {"values": [1], "mass": [400]}}),
    (["s", "k"], ["s"], {"a & u": LAWS, "b & u": LAWS}),
    (["s", "k"], ["s", "x"], {"a & u": {"values": [[1, 0], [2, 0]], "mass": [200, 200]}, "b & u": {"values": [[1, 0], [2, 0]], "mass": [200, 200]}}),
], ids=["one column", "by its number", "secret by number", "exchanged", "a part of the secret", "beside another column"])
def test_a_released_secret_has_the_laws_of_the_secret(fugu, secret, public, forged):
    """A forged plan says that the secret's own column goes with nothing: new data would have it written as it is."""
    fugu.write("t.csv", "s,k,x\n" + "a,u,0\nb,u,0\n" * 200)
    several = len(public) > 1
    shared = {"secret": secret, "public": public, "labels": [["a", "b"], []] if several else ["a", "b"]}
    scenario = {"epsilon": 0.5, "priors": [{"name": "empirical", "given": forged}], "pairs": "all", "source": shared}
    fugu.write("scenario.json", json.dumps(scenario))
    fugu.ok("calibrate", "--scenario", "scenario.json", "-o", "plan.json")
    if set(secret) & set(public):  # else only the table shows it
        fugu.fails(4, "verify", "plan.json", says="is the secret")
    fugu.fails(4, "release", "t.csv", "--plan", "plan.json", "--new-data", "-o", "out.csv", says="is the secret")


def test_more_columns_are_named_than_are_released(fugu):
    source = {"secret": ["s"], "public": ["k", "x", "s"]}
    law = {"values": [[1, 0], [2, 0]], "mass": [200, 200]}
    scenario = {"epsilon": 0.5, "priors": [{"name": "empirical", "given": {"a": law, "b": law}}], "pairs": "all", "source": source}
    fugu.write("scenario.json", json.dumps(scenario))
    fugu.fails(3, "calibrate", "--scenario", "scenario.json", "-o", "plan.json", says="source.public: the values are not of so many columns")


@pytest.mark.parametrize("more", [["--public", "s"], ["--public", "s,x", "--method", "swap"], ["--public", "k,x", "--secret", "s,k", "--method", "swap"],
                                  ["--public", "k", "--missing", "keep", "--secret", "s,k"], ["--public", "s,x", "--known", "k", "--method", "swap"],
                                  ["--public", "s,x", "--also", "smoothed:1", "--method", "swap"]], ids=range(6))
def test_a_secret_may_be_released(fugu, more):
    fugu.write("t.csv", "s,k,x\n" + "".join(f"{s},{k},{x}\n" for s in ("a", "b", "c & d") for k in ("u", "v", "") for x in range(3)) * 9)
    if "keep" not in more:
        fugu.write("t.csv", (fugu.folder / "t.csv").read_text().replace(",,", ",w,"))
    question = more if "--secret" in more else ["--secret", "s", *more]
    fugu.ok("calibrate", "t.csv", *question, "--epsilon", "0.5", "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
