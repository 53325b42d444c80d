"""The failures that docs/guarantees.md tells of, and their cures."""
import collections
import json
import math
import random
import re

import pytest

import conftest

from tampering_test import canonical, digest, read

QUESTION = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
DECLARED = ["--clip", "0:1", "--step", "1"]


def table(fugu, cells, header="s,x"):
    rows = [",".join(map(str, cell)) for cell, count in cells.items() for _ in range(count)]
    return fugu.write("people.csv", "\n".join([header, *rows]) + "\n")


def plan(fugu, *arguments):
    return json.loads(fugu.ok("calibrate", *arguments, "--format", "json"))


def test_twenty_people_are_not_the_truth(fugu):
    people = table(fugu, {("a", 0): 6, ("a", 1): 4, ("b", 0): 4, ("b", 1): 6})
    assert plan(fugu, people, *QUESTION)["mechanism"]["scale"] == 0
    sure = plan(fugu, people, *QUESTION, *DECLARED, "--confidence", "0.95")
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
    found = json.loads(fugu.ok("compare", people, *QUESTION, *DECLARED, "--confidence", "0.9", "--format", "json"))
    assert found["confidence"] == 0.9
    robust = {row["method"]: row["robust"] for row in found["candidates"]}
    assert robust["kantorovich"]["mse"] is None and "truth" in robust["kantorovich"]["note"]
    assert robust["channel"]["mse"] <= robust["optimal"]["mse"] <= robust["exact"]["mse"] < robust["sensitivity"]["mse"]
    for row in found["candidates"][-2:]:
        assert row["baseline"] and row["robust"]["mse"] == row["mse"]  # they hold for every law
    text = fugu.ok("compare", people, *QUESTION, *DECLARED, "--confidence", "0.9", "--paper")
    assert "mse at 90 %" in text and "not robust" in text and "the counts allow" in text
    assert "taken as the truth" in fugu.ok("compare", people, *QUESTION)


def test_wrong_confidence(fugu):
    people = table(fugu, {("a", 0): 6, ("b", 1): 4})
    for text in ("0", "1", "95", "x", "-0.5"):
        fugu.fails(2, "calibrate", people, *QUESTION, f"--confidence={text}", says=["--confidence", "0.95"])
    fugu.fails(2, "calibrate", people, *QUESTION, *DECLARED, "--confidence", "0.9", "--method", "relaxed", says=["truth", "exact"])
    shares = fugu.write("shares.json", json.dumps({"priors": [{"given": {
        "a": {"values": [0, 1], "mass": [0.5, 0.5]}, "b": {"values": [0, 1], "mass": [0.4, 0.6]}}}]}))
    fugu.fails(3, "calibrate", "--scenario", shares, "--epsilon", "1", "--confidence", "0.9", says=["counts"])
    prior = fugu.write("prior.json", json.dumps({"name": "p", "given": {
        "a": {"values": [0, 1], "mass": [0.5, 0.5]}, "b": {"values": [0, 1], "mass": [0.4, 0.6]}}}))
    fugu.fails(2, "calibrate", people, *QUESTION, "--confidence", "0.9", "--prior", prior, says=["--prior"])


def test_a_plan_cannot_claim_more_confidence(fugu):
    people = table(fugu, {("a", 0): 60, ("a", 1): 40, ("b", 0): 40, ("b", 1): 60})
    fugu.ok("calibrate", people, *QUESTION, *DECLARED, "--confidence", "0.9", "-o", "plan.json")
    fugu.ok("verify", "plan.json")
    claimed = read(fugu.folder / "plan.json")
    claimed["guarantee"]["confidence"] = claimed["scenario"]["confidence"] = 0.99
    claimed["digest"] = digest(claimed)
    lie = fugu.write("lie.json", canonical(claimed))
    fugu.fails(4, "verify", lie, says=["does not verify"])


def test_numbers_that_only_the_table_names_are_no_domain(fugu):
    """100 people with each secret, uniform on 1e7 points: bounds on the values that were seen would all miss 1e-7."""
    draw = random.Random(18)
    rows = "".join(f"{s},{draw.randrange(10**7)}\n" for s in "ab" for _ in range(100))
    people = fugu.write("people.csv", "s,x\n" + rows)
    ask = ["calibrate", people, *QUESTION, "--confidence", "0.95"]
    for flags in ([], ["--step", "1"], ["--bin", "100000"]):
        fugu.fails(2, *ask, *flags, says=["--confidence", "--clip", "--step", "--bin", "--order"])
    for flags in (["--step", "1"], []):  # with a clip alone a band would do, but for the number of points
        fugu.fails(2, *ask, "--clip", "0:9999999", *flags, says=["10000000 values", "coarser --step"])
    for flags, cells in ((["--clip", "0:9999999", "--step", "1000000"], 11), (["--clip", "0:9999999", "--bin", "1000000"], 10),
                         (["--bin-edges", "2500000,5000000,7500000"], 4)):
        sure = plan(fugu, *ask[1:], *flags)
        assert any(sentence.startswith(f"The values that can occur are the {cells} ") for sentence in sure["assumptions"])


def test_zero_counts_are_cells(fugu):
    """What nobody has costs noise too: the wider the range that is declared, the more."""
    people = table(fugu, {("a", 4): 60, ("a", 5): 40, ("b", 4): 40, ("b", 5): 60})
    scales = [plan(fugu, people, *QUESTION, "--clip", clip, "--step", "1", "--confidence", "0.9")["mechanism"]["scale"]
              for clip in ("4:5", "3:6", "0:9")]
    assert scales[0] < scales[1] < scales[2]
    jobs = table(fugu, {("a", "u"): 60, ("a", "v"): 40, ("b", "u"): 40, ("b", "v"): 60})
    listed = plan(fugu, jobs, *QUESTION, "--order", "u,v,w", "--confidence", "0.9")
    seen = plan(fugu, jobs, *QUESTION, "--confidence", "0.9")
    assert seen["mechanism"]["scale"] < listed["mechanism"]["scale"]
    for found, count in ((seen, 2), (listed, 3)):
        assert any(text.startswith(f"No category can occur other than the {count} that are listed") for text in found["assumptions"])
    assert all("with replacement" in found["assumptions"][0] for found in (seen, listed))


def test_a_file_may_list_the_categories(fugu):
    jobs = table(fugu, {("a", "u"): 60, ("a", '"v, w"'): 40, ("b", "u"): 40, ("b", '"v, w"'): 60})
    fugu.write("jobs.txt", 'say "x"\r\nu\nv, w')
    found = plan(fugu, jobs, *QUESTION, "--order", "@jobs.txt", "--confidence", "0.9")
    assert found["scenario"]["source"]["labels"] == ['say "x"', "u", "v, w"]
    assert found == plan(fugu, jobs, *QUESTION, "--order", '"say ""x""",u,"v, w"', "--confidence", "0.9")
    fugu.fails(5, "calibrate", jobs, *QUESTION, "--order", "@none.txt", says="none.txt")
    for text in ("", "u\n\nv, w\n"):
        fugu.write("jobs.txt", text)
        fugu.fails(2, "calibrate", jobs, *QUESTION, "--order", "@jobs.txt", says=["--order", "jobs.txt", "one category per line"])
    fugu.write("jobs.txt", "u\n")
    fugu.fails(2, "calibrate", jobs, *QUESTION, "--order", "@jobs.txt", says=["--order", "category"])


def test_listed_values_of_a_scenario_are_the_domain(fugu):
    def scale(*values):
        masses = {4: (60, 40), 5: (40, 60)}
        given = {secret: {"values": values, "mass": [masses.get(x, (0, 0))[k] for x in values]} for k, secret in enumerate("ab")}
        fugu.write("s.json", json.dumps({"epsilon": 0.5, "priors": [{"given": given}]}))
        found = plan(fugu, "--scenario", "s.json", "--confidence", "0.9")
        assert f"No value can occur other than the {len(values)} that are listed" in " ".join(found["assumptions"])
        fugu.ok("calibrate", "--scenario", "s.json", "--confidence", "0.9", "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")
        return found["mechanism"]["scale"]
    assert scale(4, 5) < scale(3, 4, 5, 6) < scale(4, 5, 20)


def forged(fugu, change, name="forged.json"):
    claimed = read(fugu.folder / "plan.json")
    change(claimed)
    claimed["digest"] = digest(claimed)
    return fugu.write(name, canonical(claimed))


def test_old_plans_whose_domain_is_the_table_are_refused(fugu):
    people = table(fugu, {("a", 0): 60, ("a", 1): 40, ("b", 0): 40, ("b", 1): 60})
    fugu.ok("calibrate", people, *QUESTION, *DECLARED, "--confidence", "0.9", "-o", "plan.json")
    fugu.ok("release", people, "--plan", "plan.json", "-o", "out.csv")
    fugu.fails(4, "verify", forged(fugu, lambda old: [old["scenario"]["source"].pop(key) for key in ("clip", "step")]),
               says=["say which numbers can occur", "--clip"])
    fugu.fails(4, "release", people, "--plan", "forged.json", "-o", "no.csv", says="say which numbers can occur")
    # A wider clip makes more values than were proved.
    fugu.fails(4, "verify", forged(fugu, lambda old: old["scenario"]["source"].update(clip=[0, 3])), says="guarantee.domain")
    fugu.fails(4, "verify", forged(fugu, lambda old: old["guarantee"].update(domain=[[0, 3]])), says="guarantee.domain")
    both = lambda old: (old["scenario"]["source"].update(clip=[0, 3]), old["guarantee"].update(domain=[[0, 3]]))  # noqa: E731
    fugu.fails(4, "verify", forged(fugu, both), says="does not verify")
    fugu.fails(4, "verify", forged(fugu, lambda old: old["assumptions"].pop(1)), says="assumptions")


def test_with_a_confidence_small_groups_are_left_out(fugu):
    cells = {(s, g, x): 30 + 10 * (s == x) if g == "p" else 9 + 2 * (s == x) for s in (0, 1) for x in (0, 1) for g in "pqr"}
    people = table(fugu, cells, "s,g,x")
    ask = [people, *QUESTION, *DECLARED, "--given", "g"]
    fugu.ok("calibrate", *ask, "--min-group", "30", "-o", "plan.json")
    merged = read(fugu.folder / "plan.json")
    assert merged["scenario"]["source"]["merged"] == ["g = q", "g = r"]
    fugu.fails(4, "verify", forged(fugu, lambda old: (old["guarantee"].update(confidence=0.9), old["scenario"].update(confidence=0.9))),
               says=["merged for being small"])
    said = fugu.ok("release", *ask, "--min-group", "30", "--confidence", "0.9", "-o", "out.csv")
    assert "left out as priors of their own" in " ".join(said.split()) and "g = q; g = r" in said and "is not covered" in " ".join(said.split())
    sure = read(fugu.folder / "out.csv.plan.json")
    assert [prior["name"] for prior in sure["scenario"]["priors"]] == ["empirical", "g = p"]
    assert sure["scenario"]["source"]["left_out"] == ["g = q", "g = r"]
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    assert "2 groups had fewer, and are part of the first prior only" in receipt["statement"]["statement"]
    fugu.ok("verify", "out.csv.plan.json")
    fugu.ok("release", people, "--plan", "out.csv.plan.json", "-o", "again.csv")


def test_the_prices_of_each_reading(fugu):
    """The table of docs/guarantees.md, each line by its own flags."""
    page = (conftest.ROOT / "docs" / "guarantees.md").read_text()
    lines = re.findall(r"^\| .* \| `(--epsilon .*)` \| ([0-9.]+) % \|$", page, re.M)
    assert len(lines) >= 9
    fugu.method = None
    fugu.ok("demo", "--dir", "fugu-demo", "--quiet")
    for flags, stays in lines:
        found = plan(fugu, "fugu-demo/adult-occupation.csv", "--secret", "race", "--public", "occupation", *flags.split())
        assert share_that_stays(found) == pytest.approx(float(stays) / 100, abs=0.0005), flags


def share_that_stays(found):
    mechanism = found["mechanism"]
    if mechanism["noise"] != "channel":
        return mechanism["unchanged"]
    counts = collections.Counter()
    for law in found["scenario"]["priors"][0]["given"].values():
        counts.update(dict(zip(law["values"], law["mass"])))
    kept = sum(counts[x] * int(row[mechanism["outputs"].index(x)]) / sum(map(int, row))
               for x, row in zip(mechanism["inputs"], mechanism["weights"]))
    return kept / sum(counts.values())
