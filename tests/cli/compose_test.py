"""fugu compose as a user runs it: what releases of one value promise together, and what does not compose."""

import json
import math
import re

import pytest

import beliefs

QUESTION = ["--secret", "s", "--public", "x"]
DECLARED = ["--clip", "0:7", "--step", "1"]


@pytest.fixture
def table(fugu):
    return fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 7 + k % 2}\n" for k in range(1000)))


def calibrate(fugu, table, name, *flags):
    fugu.ok("calibrate", table, *flags, "-o", name)
    return name


def composed(fugu, *plans):
    return json.loads(fugu.ok("compose", *plans, "--format", "json"))


def test_exact_plans_do_not_add(fugu):
    """p = (1/4, 1/2, 1/4), q = (3/8, 1/4, 3/8): twice the least noise of an epsilon tells more than twice epsilon."""
    fugu.write("s.json", json.dumps({"priors": [{"given": {
        "a": {"values": [1, 2, 3], "mass": ["1/4", "1/2", "1/4"]},
        "b": {"values": [1, 2, 3], "mass": ["3/8", "1/4", "3/8"]}}}]}))
    # Just above log(38/37), the loss at r = 9/10.
    fugu.ok("calibrate", "--scenario", "s.json", "--epsilon", "0.0266682471", "-o", "plan.json")
    found = composed(fugu, "plan.json", "plan.json")
    assert found["bound"] == "joint" and found["delta"] == 0
    assert found["epsilon"] > 2 * 0.0266682471
    assert found["epsilon"] == pytest.approx(math.log(362 / 343), rel=1e-6)


def test_theorem_one_adds_and_three_plans_are_exact(fugu, table):
    for epsilon in ("0.1", "0.2", "0.3"):
        calibrate(fugu, table, f"{epsilon}.json", *QUESTION, "--epsilon", epsilon, "--method", "kantorovich")
    found = composed(fugu, "0.1.json", "0.2.json", "0.3.json")
    assert found["bound"] == "joint" and 0 < found["epsilon"] <= 0.6
    assert set(found) == {"epsilon", "delta", "bound"}


def test_many_plans_take_the_transfer_bound(fugu):
    rows = "".join(f"{'ab'[k % 2]},{k % 40 + k % 2}\n" for k in range(4000))
    table = fugu.write("wide.csv", "s,x\n" + rows)
    for method in ("kantorovich", "relaxed", "harmonic", "sensitivity"):
        calibrate(fugu, table, f"{method}.json", *QUESTION, "--epsilon", "0.2", "--method", method)
    plans = ["kantorovich.json", "relaxed.json", "harmonic.json", "sensitivity.json"] * 2
    found = composed(fugu, *plans)
    assert found["bound"] in ("transfer", "raw") and 0 < found["epsilon"] <= 1.6


def test_a_sharp_plan_is_spent_as_a_whole_or_in_parts(fugu, table):
    """Releases whose influences add up to that of a sharp plan keep its epsilon together."""
    calibrate(fugu, table, "sharp.json", *QUESTION, "--epsilon", "0.5", "--method", "sharp")
    sharp = json.loads((fugu.folder / "sharp.json").read_text())
    assert sharp["mechanism"]["influence"] == pytest.approx(1 / sharp["mechanism"]["scale"], rel=1e-12)
    fugu.ok("verify", "sharp.json")
    assert "composes: influence 0." in fugu.ok("calibrate", table, *QUESTION, "--epsilon", "0.5", "--method", "sharp", "-o", "again.json")
    low, high = 0.01, 0.5  # an epsilon whose sharp noise has a fifth of the influence, or a little less
    for _ in range(25):
        part = (low + high) / 2
        fugu.ok("calibrate", table, *QUESTION, "--epsilon", f"{part:.9f}", "--method", "sharp", "-o", "part.json", "--force")
        influence = json.loads((fugu.folder / "part.json").read_text())["mechanism"].get("influence", 9)
        low, high = (part, high) if influence <= sharp["mechanism"]["influence"] / 5 else (low, part)
    fugu.ok("calibrate", table, *QUESTION, "--epsilon", f"{low:.9f}", "--method", "sharp", "-o", "part.json", "--force")
    found = composed(fugu, *["part.json"] * 5)
    assert found["bound"] in ("joint", "transfer") and 0.4 < found["epsilon"] <= 0.5


def test_columns_that_hide_the_value_itself_add_to_anything(fugu):
    rows = "".join(f"{'ab'[k % 2]},{k % 7 + k % 2},{k % 3}\n" for k in range(1000))
    two = fugu.write("two.csv", "s,x,y\n" + rows)
    calibrate(fugu, two, "x.json", *QUESTION, "--epsilon", "0.5", "--method", "exact")
    calibrate(fugu, two, "exact.json", "--secret", "s", "--public", "y", "--epsilon", "0.3", "--method", "exact")
    for method in ("dp-laplace", "randomized-response", "sensitivity"):
        calibrate(fugu, two, f"{method}.json", "--secret", "s", "--public", "y", "--epsilon", "0.3", "--method", method)
        found = composed(fugu, "x.json", f"{method}.json", f"{method}.json")
        assert found == {"epsilon": pytest.approx(1.1, abs=1e-9), "delta": 0, "bound": "values"}
    text = fugu.ok("compose", "x.json", "dp-laplace.json")
    assert "values: what all columns but one tell whatever the values are" in text


def test_the_raw_loss_bounds_everything(fugu):
    rows = "a,1\n" * 30 + "a,2\n" * 20 + "b,1\n" * 25 + "b,2\n" * 25
    table = fugu.write("near.csv", "s,x\n" + rows)
    calibrate(fugu, table, "bare.json", *QUESTION, "--epsilon", "1")
    calibrate(fugu, table, "channel.json", *QUESTION, "--epsilon", "0.1", "--method", "channel")
    found = composed(fugu, "bare.json", "channel.json", "bare.json", "bare.json")
    assert found["epsilon"] == pytest.approx(math.log(0.5 / 0.4), rel=1e-12)
    assert composed(fugu, "channel.json", "channel.json")["epsilon"] < found["epsilon"]


def test_with_delta(fugu, table):
    flags = [*QUESTION, "--epsilon", "0.5", "--delta", "1e-5", "--noise", "gaussian"]
    for method in ("theorem3a", "kantorovich"):
        calibrate(fugu, table, f"{method}.json", *flags, "--method", method)
    found = composed(fugu, "theorem3a.json", "kantorovich.json")
    assert found["epsilon"] <= 1 and found["delta"] <= 2e-5
    text = fugu.ok("compose", "theorem3a.json", "kantorovich.json")
    assert "Together 2 releases" in text


def test_gaussians_cost_less_than_their_sum(fugu, table):
    """The laws of the losses add, not the epsilons: far less for ten releases, at the same delta."""
    plans = []
    for k in range(5):
        flags = ["--epsilon", f"0.1{k}", "--delta", "1e-5", "--noise", "gaussian", "--method", "kantorovich"]
        plans += [calibrate(fugu, table, f"g{k}.json", *QUESTION, *flags)] * 2
    one, ten = composed(fugu, "g0.json"), composed(fugu, *plans)
    assert one == {"epsilon": 0.1, "delta": 1e-5, "bound": "single"}
    assert ten["bound"] == "losses" and ten["delta"] <= 1e-4 and 0.1 < ten["epsilon"] < 0.45
    # With a delta that is asked for, a smaller one costs more.
    less = json.loads(fugu.ok("compose", *plans, "--delta", "1e-6", "--format", "json"))
    assert less["delta"] <= 1e-6 and less["epsilon"] > ten["epsilon"]
    text = fugu.ok("compose", *plans)
    assert "losses: the laws of the losses in the cells of the transport plan" in text and "was settled beforehand" in text


def test_any_number_of_copies_of_one_gaussian(fugu, table):
    """Of their outputs only the sum says anything, so that all joint outputs can be looked at."""
    flags = [*QUESTION, "--epsilon", "0.1", "--delta", "1e-5", "--noise", "gaussian", "--method", "kantorovich"]
    calibrate(fugu, table, "g.json", *flags)
    found = [composed(fugu, *["g.json"] * k) for k in (2, 10, 30)]
    assert all(one["bound"] == "joint" and one["delta"] > 0 for one in found)
    assert found[0]["epsilon"] < found[1]["epsilon"] < found[2]["epsilon"] < 0.3


def test_two_exact_gaussians_are_summed_over_all_outputs(fugu, table):
    calibrate(fugu, table, "g.json", *QUESTION, "--epsilon", "0.1", "--delta", "1e-5", "--noise", "gaussian", "--method", "exact")
    found = composed(fugu, "g.json", "g.json")
    assert found["bound"] == "joint" and 0 < found["delta"] <= 2e-5 and 0.1 < found["epsilon"] < 0.25
    assert "the joint hockey-stick, summed over all outputs" in fugu.ok("compose", "g.json", "g.json")


def test_releases_of_all_kinds_with_a_delta(fugu, table):
    asked = [*QUESTION, "--epsilon", "0.4", "--delta", "1e-4"]
    kinds = {"gaussian": ["--noise", "gaussian"], "laplace": ["--method", "exact"], "channel": ["--method", "channel"],
             "optimal": ["--method", "optimal"]}
    for name, flags in kinds.items():
        calibrate(fugu, table, f"{name}.json", *asked, *flags)
    calibrate(fugu, table, "pure.json", *QUESTION, "--epsilon", "0.4")
    for plans in (["gaussian", "laplace"], ["gaussian", "optimal", "pure"], ["gaussian", "gaussian", "pure"]):
        found = composed(fugu, *[f"{name}.json" for name in plans])
        deltas = sum(name != "pure" for name in plans) * 1e-4
        assert 0 < found["epsilon"] and found["delta"] <= deltas * (1 + 1e-12)
    found = composed(fugu, "channel.json", "channel.json", "gaussian.json")
    assert found["epsilon"] > 0
    said = fugu.ok("compose", "channel.json", "optimal.json", "gaussian.json")
    assert "plan       channel, epsilon" in said and "plan       optimal, epsilon" in said and "plan       exact, gaussian noise, epsilon" in said


def test_a_delta_that_is_asked_of_pure_plans(fugu, table):
    """Forty pure releases, whose epsilon the value's own loss does not bound: the table has values of one secret only."""
    calibrate(fugu, table, "pure.json", *QUESTION, "--epsilon", "0.1", "--method", "dp-laplace")
    forty = ["pure.json"] * 40
    pure = composed(fugu, *forty)
    with_delta = json.loads(fugu.ok("compose", *forty, "--delta", "1e-6", "--format", "json"))
    assert pure["delta"] == 0 and with_delta["delta"] <= 1e-6 and with_delta["epsilon"] <= pure["epsilon"]
    assert "settled beforehand" not in fugu.ok("compose", *forty)
    assert json.loads(fugu.ok("compose", *forty, "--delta", "0", "--format", "json")) == pure
    fugu.fails(2, "compose", *forty, "--delta", "2", says="--delta")


def test_a_delta_smaller_than_any_bound_has(fugu):
    """A value that only one secret has, in five rows of 1,000, without noise: its share is the least delta there is."""
    rows = "".join(f"{'ab'[k % 2]},{k % 4 // 2}\n" for k in range(2000)) + "a,9\n" * 5
    rare = fugu.write("rare.csv", "s,x\n" + rows)
    calibrate(fugu, rare, "rare.json", *QUESTION, "--epsilon", "0.5", "--delta", "0.01", "--method", "exact")
    plan = json.loads((fugu.folder / "rare.json").read_text())
    assert plan["mechanism"]["scale"] == 0
    assert 0 < composed(fugu, "rare.json", "rare.json")["delta"] <= 0.02
    fugu.fails(4, "compose", "rare.json", "rare.json", "--delta", "1e-6", says=["so small a delta", "a larger --delta"])


def test_one_plan_is_its_own_and_text_says_what_is_promised(fugu, table):
    calibrate(fugu, table, "plan.json", *QUESTION, "--epsilon", "0.5")
    assert composed(fugu, "plan.json") == {"epsilon": 0.5, "delta": 0, "bound": "single"}
    text = fugu.ok("compose", "plan.json", "plan.json")
    assert text.startswith("Together 2 releases of the same value promise epsilon ")
    assert "a 50 % belief in either of two secrets becomes at most" in text and "joint: the exact joint loss" in text


def test_the_xor_of_two_columns_is_refused(fugu):
    """x1 = s xor b, x2 = b: each says nothing of s, both together say all."""
    rows = "".join(f"{s},{s ^ b},{b}\n" for s in (0, 1) for b in (0, 1))
    table = fugu.write("xor.csv", "s,x1,x2\n" + rows)
    for column in ("x1", "x2"):
        fugu.ok("calibrate", table, "--secret", "s", "--public", column, "--epsilon", "0.01", "-o", f"{column}.json")
        plan = json.loads((fugu.folder / f"{column}.json").read_text())
        assert plan["mechanism"]["scale"] == 0  # alone it needs no noise at all
    fugu.fails(4, "compose", "x1.json", "x2.json", says=["different columns", "two columns may reveal nothing alone"])


def test_columns_whose_plans_cover_other_people_are_refused(fugu):
    """The least of the bounds may be that of the plan which does not cover who knows g; and two confidences fail apart."""
    rows = [("ab"[k % 2], "gh"[k // 2 % 2], k // 4 % 5, k // 20 % 3) for k in range(600)]
    table = fugu.write("both.csv", "s,group,x,y\n" + "".join(f"{s},{g},{x},{y}\n" for s, g, x, y in rows))
    for name, column, *more in (("x", "x"), ("given", "x", "--given", "group"), ("dp", "y", "--method", "dp-laplace"),
                                ("x90", "x", "--confidence", "0.9", "--clip", "0:4", "--step", "1"),
                                ("y90", "y", "--confidence", "0.9", "--clip", "0:2", "--step", "1")):
        calibrate(fugu, table, f"{name}.json", "--secret", "s", "--public", column, "--epsilon", "0.4", *more)
    assert composed(fugu, "x.json", "dp.json")["bound"] == "values"
    fugu.fails(4, "compose", "given.json", "dp.json", says="--given")
    # Of values that have not changed one column counts by the laws of those who know the group, or none does.
    calibrate(fugu, table, "dp-given.json", "--secret", "s", "--public", "y", "--epsilon", "0.4", "--method", "dp-laplace", "--given", "group")
    assert composed(fugu, "given.json", "dp.json", "--values-unchanged")["bound"] == "values"
    fugu.fails(4, "compose", "x.json", "dp-given.json", "--values-unchanged", says="--given")
    fugu.fails(4, "compose", "x90.json", "y90.json", says="not all together")


def test_reordered_categories_are_refused(fugu):
    table = fugu.write("c.csv", "s,x\n" + "".join(f"{s},{x}\n" for s in "ab" for x in ("low", "mid", "high")) + "a,low\n")
    calibrate(fugu, table, "one.json", *QUESTION, "--epsilon", "0.1", "--order", "low,mid,high")
    calibrate(fugu, table, "two.json", *QUESTION, "--epsilon", "0.1", "--order", "mid,low,high")
    fugu.fails(4, "compose", "one.json", "two.json", says=["same order", "--order"])
    # What hides the value itself adds to anything.
    calibrate(fugu, table, "dp.json", *QUESTION, "--epsilon", "0.2", "--order", "mid,low,high", "--method", "dp-laplace")
    assert composed(fugu, "one.json", "dp.json") == {"epsilon": pytest.approx(0.3, abs=1e-9), "delta": 0, "bound": "values"}


def test_other_tables_secrets_and_pairs_are_refused(fugu, table):
    calibrate(fugu, table, "plan.json", *QUESTION, "--epsilon", "0.5")
    other = fugu.write("other.csv", table.read_text() + "a,1\n")
    calibrate(fugu, other, "other.json", *QUESTION, "--epsilon", "0.5")
    fugu.fails(4, "compose", "plan.json", "other.json", says=["different tables", "--values-unchanged", "ledger"])
    three = fugu.write("three.csv", "s,x\n" + "".join(f"{'abc'[k % 3]},{k % 5}\n" for k in range(300)))
    calibrate(fugu, three, "all.json", *QUESTION, "--epsilon", "0.5")
    calibrate(fugu, three, "some.json", *QUESTION, "--epsilon", "0.5", "--pairs", "a:b")
    fugu.fails(4, "compose", "all.json", "some.json", says=["different pairs", "--pairs"])


def test_plans_of_a_table_that_grew_with_the_users_word(fugu, table):
    """Under the beliefs of either table: never less than the joint loss under one of them."""
    grown = fugu.write("grown.csv", table.read_text() + "".join(f"{'ab'[k % 2]},{k % 8}\n" for k in range(50)))
    for name, rows in (("then", table), ("now", grown)):
        calibrate(fugu, rows, f"{name}.json", *QUESTION, "--epsilon", "0.4", "--method", "sharp")
        calibrate(fugu, rows, f"{name}-channel.json", *QUESTION, "--epsilon", "0.4", "--method", "dp-laplace")
    fugu.fails(4, "compose", "then.json", "now.json", says="--values-unchanged")
    both = json.loads(fugu.ok("compose", "then.json", "now.json", "--values-unchanged", "--format", "json"))
    assert both["bound"] == "joint" and 0.4 < both["epsilon"] <= 1
    mixed = json.loads(fugu.ok("compose", "then.json", "now-channel.json", "then.json", "--values-unchanged", "--format", "json"))
    assert mixed["epsilon"] > 0.4
    # Where nothing differs it changes nothing.
    again = json.loads(fugu.ok("compose", "then.json", "then.json", "--values-unchanged", "--format", "json"))
    assert again == composed(fugu, "then.json", "then.json")
    assert "nobody's value has changed" in fugu.ok("compose", "then.json", "now.json", "--values-unchanged")


def test_optimal_and_channel_releases_many_times(fugu, table):
    """From the integers that are drawn, by exchanges of values, where the joint outputs are too many to look at."""
    for method in ("optimal", "channel"):
        calibrate(fugu, table, f"{method}.json", *QUESTION, "--epsilon", "0.3", "--method", method)
    two, six = composed(fugu, *["optimal.json"] * 2), composed(fugu, *["optimal.json"] * 6)
    assert two["bound"] == "joint" and six["bound"] in ("transfer", "raw") and two["epsilon"] <= six["epsilon"]
    assert composed(fugu, "channel.json", "channel.json")["epsilon"] <= composed(fugu, *["channel.json"] * 5)["epsilon"]
    assert composed(fugu, "optimal.json", "channel.json", "optimal.json")["delta"] == 0


def test_several_columns_released_several_times(fugu):
    rows = "".join(f"{'ab'[k % 2]},{k % 5 + k % 2},{k % 3}\n" for k in range(900))
    two = fugu.write("two.csv", "s,x,y\n" + rows)
    for epsilon in ("0.2", "0.4"):
        calibrate(fugu, two, f"{epsilon}.json", "--secret", "s", "--public", "x,y", "--epsilon", epsilon, "--method", "exact")
    found = composed(fugu, "0.2.json", "0.4.json", "0.2.json")
    assert found["bound"] in ("transfer", "raw") and found["epsilon"] > 0.4
    calibrate(fugu, two, "dp.json", "--secret", "s", "--public", "y", "--epsilon", "0.3", "--method", "dp-laplace")
    beside = composed(fugu, "0.4.json", "dp.json")
    assert beside == {"epsilon": pytest.approx(0.7, abs=1e-9), "delta": 0, "bound": "values"}


def test_wrong_usage(fugu, table):
    calibrate(fugu, table, "plan.json", *QUESTION, "--epsilon", "0.5")
    fugu.fails(2, "compose", says="PLAN is missing")
    fugu.fails(5, "compose", "plan.json", "no.json", says="no.json")
    fugu.fails(3, "compose", "plan.json", table, says="in.csv")
    changed = (fugu.folder / "plan.json").read_text().replace('"epsilon": 0.5', '"epsilon": 0.6')
    fugu.write("changed.json", changed)
    fugu.fails(4, "compose", "plan.json", "changed.json", says="digest")
    fugu.fails(2, "compose", "plan.json", "--format", "xml", says="--format")


def test_with_a_confidence_the_range_or_the_boxes_transfer(fugu, table):
    """Couplings of the table's own laws say nothing of the others; exchanging any two values does."""
    calibrate(fugu, table, "plan.json", *QUESTION, "--epsilon", "0.5", "--confidence", "0.9", *DECLARED)
    plan = json.loads((fugu.folder / "plan.json").read_text())
    found = composed(fugu, "plan.json", "plan.json")
    most = 2 * 7 / plan["mechanism"]["scale"]
    assert found["bound"] in ("range", "transfer") and found["epsilon"] <= most * (1 + 1e-9)
    if found["bound"] == "range":
        assert found["epsilon"] == pytest.approx(most, rel=1e-9)
    calibrate(fugu, table, "plain.json", *QUESTION, "--epsilon", "0.5", *DECLARED)
    fugu.fails(4, "compose", "plan.json", "plain.json", says=["confidence"])


def test_close_beliefs_cost_twice_lambda(fugu, table):
    for name, flags in (("near.json", ["--closeness", "0.1", "--epsilon", "0.7"]), ("same.json", ["--epsilon", "0.5"])):
        calibrate(fugu, table, name, *QUESTION, *flags, "--method", "harmonic")
    near, same = composed(fugu, "near.json", "near.json"), composed(fugu, "same.json", "same.json")
    assert near["epsilon"] == pytest.approx(same["epsilon"] + 0.2, rel=1e-9)
    assert composed(fugu, "near.json") == {"epsilon": 0.7, "delta": 0, "bound": "single"}
    fugu.fails(4, "compose", "near.json", "same.json", says=["close"])
    # By boxes less noise keeps the same promise alone; together it is still that of the priors, and 2 lambda.
    calibrate(fugu, table, "boxes.json", *QUESTION, "--closeness", "0.1", "--epsilon", "0.7")
    plan = json.loads((fugu.folder / "boxes.json").read_text())
    assert plan["scenario"]["closeness_by"] == "boxes"
    laws, ratio = beliefs.plan_laws(plan["scenario"]["priors"][0]), beliefs.noise_of(plan)
    places = sorted({x for law in laws.values() for x in law})
    seen = [[sum(mass * ratio ** (abs(y - x) + abs(z - x)) for x, mass in law.items()) for y in places for z in places]
            for law in laws.values()]
    alone = max(math.log(max(masses) / min(masses)) for masses in zip(*seen))
    assert composed(fugu, "boxes.json", "boxes.json")["epsilon"] == pytest.approx(alone + 0.2, rel=1e-9)


def test_two_optimal_releases_of_many_values_count_by_their_joint_loss(fugu):
    """Outputs that several values reach are looked at once: else the grid seems too large, and 40 nats are said."""
    rows = [("ab"[k % 2], (k * 7 + k % 2 * (k % 5)) % 40) for k in range(4000)]
    fugu.write("wide.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    fugu.ok("calibrate", "wide.csv", *QUESTION, "--epsilon", "0.05", "--method", "optimal", "--time-limit", "20", "-o", "wide.json")
    together = json.loads(fugu.ok("compose", "wide.json", "wide.json", "--format", "json"))
    assert together["bound"] == "joint" and together["epsilon"] < 1.1


def test_epsilons_are_said_to_add_up_only_beside_those_that_they_add_to(fugu):
    """Theorem 1's noise beside the least noise tells more than both epsilons; the range's noise beside any does not."""
    fugu.write("s.json", json.dumps({"priors": [{"given": {"a": {"values": [0, 1, 2, 3], "mass": [5, 2, 20, 20]},
                                                           "b": {"values": [0, 1, 2, 3], "mass": [0, 5, 20, 1]}}}]}))

    def plan(method, epsilon):
        name = f"{method}-{epsilon}.json"
        fugu.ok("calibrate", "--scenario", "s.json", "--method", method, "--epsilon", epsilon, "-o", name, "--force")
        return name

    def together(*plans):
        return json.loads(fugu.ok("compose", *plans, "--format", "json"))["epsilon"]

    said = fugu.ok("compare", "--scenario", "s.json", "--epsilon", "2", "--all")
    exact, any_other = plan("exact", 1.5), ("sensitivity", "dp-laplace")
    for method in ("kantorovich", "relaxed", "harmonic", *any_other):
        own = plan(method, 2)
        words = " ".join(re.search(rf"^{method}: .*\n(?:  .*\n)*", said, re.M).group(0).split())
        if method in any_other:
            assert together(own, exact) <= 3.5 and "composes: its epsilon adds to that of any other releases of the same values" in words
        else:
            assert together(own, exact) > 3.7
            assert "epsilons of releases by this method, kantorovich, relaxed, harmonic or sensitivity add up; beside another method ask" in words
        for other in ("kantorovich", "relaxed", "harmonic", "sensitivity"):
            assert together(own, plan(other, 1)) <= 3
