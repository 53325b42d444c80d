"""What a plan leaks on the whole: how often the secret is guessed, before and after, and how much is told."""

import collections
import json
import math

# By secret: values and their counts. The likeliest secret is right for 60 of 100 people, by the value for 80.
COUNTS = {"a": {"x": 50, "y": 10}, "b": {"x": 10, "y": 30}}


def table(path, counts):
    rows = ["s,v"] + [f"{secret},{value}" for secret, values in counts.items() for value, count in values.items() for _ in range(count)]
    path.write_text("\n".join(rows) + "\n")


def told(masses):
    """Mutual information of joint masses, in bits."""
    secrets, values = collections.Counter(), collections.Counter()
    for (secret, value), mass in masses.items():
        secrets[secret] += mass
        values[value] += mass
    return sum(mass * math.log2(mass / secrets[secret] / values[value]) for (secret, value), mass in masses.items() if mass > 0)


def within(bounds, truth):
    return bounds["at_least"] - 1e-12 <= truth <= bounds["at_most"] + 1e-12 and bounds["at_most"] - bounds["at_least"] < 1e-9


def test_a_plan_that_changes_nothing_leaks_what_the_column_says(fugu, tmp_path):
    table(tmp_path / "t.csv", COUNTS)
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "4", "-o", "plan.json")
    leakage = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    assert within(leakage["guessed_before"], 0.6)
    assert within(leakage["guessed_true"], 0.8) and within(leakage["guessed_after"], 0.8)
    assert within(leakage["maximal"], math.log(50 / 60 + 30 / 40)) and leakage["maximal"]["prior"] == "empirical"
    assert within(leakage["told"], told({(s, v): n / 100 for s, values in COUNTS.items() for v, n in values.items()}))
    assert not leakage["equal_shares"] and not leakage["estimate"] and not leakage["bounded"]
    said = " ".join(fugu.ok("verify", "plan.json").split())
    assert "right for 60.00 % of the people, with the released value for at most 80.00 % (with the true one 80.00 %)" in said


def test_values_that_trade_places_leak_what_their_flows_leave(fugu, tmp_path):
    table(tmp_path / "t.csv", COUNTS)
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.5", "--method", "swap", "-o", "plan.json")
    plan = json.loads((tmp_path / "plan.json").read_text())
    flows = collections.Counter()
    values = ["x", "y"]
    for start, end, weight in plan["mechanism"]["flows"]:
        flows[values[start], values[end]] += int(weight) / int(plan["mechanism"]["totals"][start])
    masses = collections.Counter()
    for secret, counts in COUNTS.items():
        for value, count in counts.items():
            for other in values:
                if other != value:
                    masses[secret, other] += count / 100 * flows[value, other]
                    masses[secret, value] -= count / 100 * flows[value, other]
            masses[secret, value] += count / 100
    leakage = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    assert within(leakage["guessed_after"], sum(max(masses["a", v], masses["b", v]) for v in values))
    assert within(leakage["told"], told(masses))
    assert within(leakage["maximal"], math.log(sum(max(masses["a", v] / 0.6, masses["b", v] / 0.4) for v in values)))
    assert leakage["maximal"]["at_most"] <= 0.5


def test_compare_shows_it_for_every_method(fugu, tmp_path):
    table(tmp_path / "t.csv", COUNTS)
    asked = ("compare", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.5")
    text = " ".join(fugu.ok(*asked, "--paper").split())
    assert "secret guessed bits revealed maximal leakage" in text
    assert "right for 60.00 % of the people without any release, and for at most 80.00 % with their true values" in text
    growth = math.exp(0.5)
    for row in json.loads(fugu.ok(*asked, "--format", "json"))["candidates"]:
        if row["mse"] is None:
            continue
        leakage = row["rows"]["leakage"]
        assert 0.6 - 1e-12 <= leakage["guessed_after"]["at_most"] <= 0.6 * growth / (0.6 * growth + 0.4) + 1e-12
        assert leakage["maximal"]["at_most"] <= math.log(2 * growth / (1 + growth)) + 1e-12
        assert leakage["told"]["at_most"] <= 0.5 * math.tanh(0.25) / math.log(2) + 1e-12


def test_known_columns_are_known_to_who_guesses(fugu, tmp_path):
    rows = ["g,s,v"]
    for group, secret, value, count in [("m", "a", "x", 400), ("m", "b", "x", 100), ("f", "a", "y", 200), ("f", "b", "y", 300)]:
        rows += [f"{group},{secret},{value}"] * count
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--known", "g", "--epsilon", "0.5", "-o", "plan.json")
    leakage = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    assert within(leakage["guessed_before"], 0.7) and within(leakage["guessed_after"], 0.7)  # 400 of 500, 300 of 500
    assert leakage["maximal"]["at_most"] < 1e-12
    assert "and the person's known columns" in " ".join(fugu.ok("verify", "plan.json").split())


def test_with_a_confidence_it_is_called_an_estimate(fugu, tmp_path):
    table(tmp_path / "t.csv", COUNTS)
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--order", "x,y", "--confidence", "0.9", "--epsilon", "2", "--method", "exact", "-o", "plan.json")
    assert "an estimate from the table's own frequencies" in " ".join(fugu.ok("verify", "plan.json").split())
    assert json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]["estimate"] is True


def test_masses_of_a_model_weigh_every_secret_the_same(fugu, tmp_path):
    law = {name: {"gaussian": {"mean": mean, "sd": 3}} for name, mean in (("a", 0), ("b", 1))}
    (tmp_path / "s.json").write_text(json.dumps({"epsilon": 0.5, "priors": [{"name": "model", "given": law}], "lattice": {"step": 1}}))
    said = " ".join(fugu.ok("calibrate", "--scenario", "s.json", "--method", "exact").split())
    assert "takes every secret as equally likely" in said and "right for 50.00 % of the people" in said


def test_secrets_that_happen_to_be_equally_frequent_are_those_of_the_table(fugu, tmp_path):
    table(tmp_path / "t.csv", {"a": {"x": 30, "y": 10}, "b": {"x": 10, "y": 30}})
    said = " ".join(fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.5", "-o", "plan.json").split())
    assert "for somebody who knows how often everything occurs" in said and "equally likely" not in said


def test_what_is_published_says_nothing_of_it_but_what_epsilon_says(fugu, tmp_path):
    pages = {}
    for name, few in (("one", 10), ("two", 12)):
        table(tmp_path / "t.csv", {"a": {"x": 50, "y": few}, "b": {"x": 10, "y": 30}})
        fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.5", "--method", "dp-laplace", "-o", "plan.json", "--force")
        fugu.ok("report", "plan.json", "--public", "-o", f"{name}.html")
        pages[name] = (tmp_path / f"{name}.html").read_text()
        fugu.ok("statement", "plan.json", "-o", f"{name}.json")
        assert "leak" not in (tmp_path / f"{name}.json").read_text().lower()
        fugu.ok("report", "plan.json", "-o", "private.html", "--force", "--time-limit", "1")
        assert "the best guess of a secret is right for" in (tmp_path / "private.html").read_text()
    assert pages["one"] == pages["two"]
    assert "becomes right at most 1.649 times as often through the released value" in pages["one"]
    assert "best guess" not in pages["one"]


def test_a_promise_in_belief_bounds_less_than_one_of_the_odds(fugu, tmp_path):
    """The column goes out as it is and tells one bit of two; what holds between any two secrets must not cut it short."""
    table(tmp_path / "t.csv", {s: {v: 100} for s, v in zip("ABCD", "ppqq")})
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.7", "--promise", "belief", "-o", "plan.json")
    leakage = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    assert within(leakage["guessed_after"], 0.5) and within(leakage["told"], 1) and within(leakage["maximal"], math.log(2))
    public = fugu.ok("report", "plan.json", "--public", "--format", "json")
    assert "at most 1.01 bits" in public
    # Both ways: 63 % of two secrets and 37 % of the others, where the odds' bound would say 31.08 %.
    table(tmp_path / "u.csv", {s: {"p": 63 if s in "AB" else 37, "q": 37 if s in "AB" else 63} for s in "ABCD"})
    fugu.ok("calibrate", "u.csv", "--secret", "s", "--public", "v", "--epsilon", "0.302", "--promise", "belief-both", "-o", "both.json")
    leakage = json.loads(fugu.ok("verify", "both.json", "--format", "json"))["leakage"]
    assert within(leakage["guessed_after"], 0.315)


def test_compare_with_a_confidence_speaks_of_the_noise_that_would_be_released(fugu, tmp_path):
    table(tmp_path / "t.csv", COUNTS)
    ask = ["t.csv", "--secret", "s", "--public", "v", "--epsilon", "0.5", "--confidence", "0.9", "--order", "x,y"]
    compared = {row["method"]: row for row in json.loads(fugu.ok("compare", *ask, "--format", "json"))["candidates"]}
    fugu.ok("calibrate", *ask, "--method", "exact", "-o", "plan.json")
    leakage = json.loads(fugu.ok("verify", "plan.json", "--format", "json"))["leakage"]
    assert leakage["estimate"] and compared["exact"]["rows"]["leakage"] == leakage
