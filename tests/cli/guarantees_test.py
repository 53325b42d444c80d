"""The failures that docs/guarantees.md tells of, and their cures."""
import json
import math

from tampering_test import canonical, digest, read

QUESTION = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


def table(fugu, cells, header="s,x"):
    rows = [",".join(map(str, cell)) for cell, count in cells.items() for _ in range(count)]
    return fugu.write("people.csv", "\n".join([header, *rows]) + "\n")


def plan(fugu, *arguments):
    return json.loads(fugu.ok("calibrate", *arguments, "--format", "json"))


def test_twenty_people_are_not_the_truth(fugu):
    people = table(fugu, {("a", 0): 6, ("a", 1): 4, ("b", 0): 4, ("b", 1): 6})
    assert plan(fugu, people, *QUESTION)["mechanism"]["scale"] == 0
    sure = plan(fugu, people, *QUESTION, "--confidence", "0.95")
    assert sure["guarantee"]["confidence"] == 0.95 and sure["mechanism"]["scale"] > 1.6
    assert "0.95" in sure["assumptions"][0]
    # The law that the counts do not rule out: 8 in 10 against 2 in 10.
    r = int(sure["mechanism"]["tail"]["numerator"]) / 2 ** sure["mechanism"]["tail"]["log2_denominator"]
    assert math.log((0.8 + 0.2 * r) / (0.2 + 0.8 * r)) < 0.5


def test_a_coin_that_is_known(fugu):
    cells = {(s, g, s ^ g): 30 for s in (0, 1) for g in (0, 1)}
    people = table(fugu, cells, "s,g,x")
    assert plan(fugu, people, *QUESTION)["mechanism"]["scale"] == 0
    known = plan(fugu, people, *QUESTION, "--given", "g")
    assert known["guarantee"]["priors"] == 3 and known["mechanism"]["scale"] >= 2
    assert known["witness"]["prior"].startswith("g = ")


def test_a_pair_that_is_not_listed(fugu):
    people = table(fugu, {("A", 0): 9, ("A", 1): 1, ("B", 0): 5, ("B", 1): 5, ("C", 0): 1, ("C", 1): 9})
    some = plan(fugu, people, *QUESTION, "--pairs", "A:B,B:C")
    every = plan(fugu, people, *QUESTION)
    assert some["mechanism"]["scale"] < every["mechanism"]["scale"]
    assert any("2 listed pairs" in sentence for sentence in some["assumptions"])


def test_robust_rows_and_the_others(fugu):
    people = table(fugu, {("a", 0): 60, ("a", 1): 40, ("b", 0): 40, ("b", 1): 60})
    found = json.loads(fugu.ok("compare", people, *QUESTION, "--confidence", "0.9", "--format", "json"))
    assert found["confidence"] == 0.9
    robust = {row["method"]: row["robust"] for row in found["candidates"]}
    assert robust["kantorovich"]["mse"] is None and "truth" in robust["kantorovich"]["note"]
    assert robust["channel"]["mse"] <= robust["optimal"]["mse"] <= robust["exact"]["mse"] < robust["sensitivity"]["mse"]
    for row in found["candidates"][-2:]:
        assert row["baseline"] and row["robust"]["mse"] == row["mse"]  # they hold for every law
    text = fugu.ok("compare", people, *QUESTION, "--confidence", "0.9")
    assert "mse at 90 %" in text and "not robust" in text and "the counts allow" in text
    assert "taken as the truth" in fugu.ok("compare", people, *QUESTION)


def test_wrong_confidence(fugu):
    people = table(fugu, {("a", 0): 6, ("b", 1): 4})
    for text in ("0", "1", "95", "x", "-0.5"):
        fugu.fails(2, "calibrate", people, *QUESTION, f"--confidence={text}", says=["--confidence", "0.95"])
    fugu.fails(2, "calibrate", people, *QUESTION, "--confidence", "0.9", "--method", "relaxed", says=["truth", "exact"])
    shares = fugu.write("shares.json", json.dumps({"priors": [{"given": {
        "a": {"values": [0, 1], "mass": [0.5, 0.5]}, "b": {"values": [0, 1], "mass": [0.4, 0.6]}}}]}))
    fugu.fails(3, "calibrate", "--scenario", shares, "--epsilon", "1", "--confidence", "0.9", says=["counts"])
    prior = fugu.write("prior.json", json.dumps({"name": "p", "given": {
        "a": {"values": [0, 1], "mass": [0.5, 0.5]}, "b": {"values": [0, 1], "mass": [0.4, 0.6]}}}))
    fugu.fails(2, "calibrate", people, *QUESTION, "--confidence", "0.9", "--prior", prior, says=["--prior"])


def test_a_plan_cannot_claim_more_confidence(fugu):
    people = table(fugu, {("a", 0): 60, ("a", 1): 40, ("b", 0): 40, ("b", 1): 60})
    fugu.ok("calibrate", people, *QUESTION, "--confidence", "0.9", "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    claimed = read(fugu.folder / "plan.json")
    claimed["guarantee"]["confidence"] = claimed["scenario"]["confidence"] = 0.99
    claimed["digest"] = digest(claimed)
    lie = fugu.write("lie.json", canonical(claimed))
    fugu.fails(4, "verify", lie, says=["does not verify"])
