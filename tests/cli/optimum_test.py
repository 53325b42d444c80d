"""The optimal methods against a second solver, on the paper's table and on random scenarios."""

import json
import math
import random
from fractions import Fraction

import pytest

from optima import Case, EPSILONS, GAIN, LIMITS, LOSSES, calibrate, channel_limit, check_channel, check_noise, check_optimal, close, noise_limit, paper, random_case, ratio


@pytest.mark.parametrize("epsilon", LIMITS)
def test_the_papers_table(fugu, epsilon):
    case = paper()
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", epsilon)
    check_channel(case, found, epsilon, LOSSES["squared"])
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES["squared"]))
    assert found["error"] == pytest.approx(LIMITS[epsilon], rel=0, abs=5e-6)
    errors = [check_optimal(fugu, case, epsilon, symmetric, others=(1.5, 1.1, 0.9, 0.67))["error"] for symmetric in (True, False)]
    assert found["error"] < errors[1] <= errors[0] * (1 + 1e-6)
    if epsilon == "0.1":
        assert errors == pytest.approx([5.1314, 3.5215], abs=5e-5)


@pytest.mark.parametrize("seed", range(24))
def test_channels_of_random_scenarios(fugu, seed):
    case = random_case(seed)
    epsilon = EPSILONS[seed % len(EPSILONS)]
    for name, loss in LOSSES.items():
        found = calibrate(fugu, case, "--method", "channel", "--loss", name, "--epsilon", epsilon)
        check_channel(case, found, epsilon, loss)
        assert found["objective"] == name
        assert found["error"] == close(channel_limit(case, epsilon, loss))


@pytest.mark.parametrize("seed", range(100, 116))
def test_channels_with_delta(fugu, seed):
    case = random_case(seed)
    epsilon, delta = EPSILONS[seed % len(EPSILONS)], ["0.1", "0.01", "0.0001"][seed % 3]
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", epsilon, "--delta", delta)
    check_channel(case, found, epsilon, LOSSES["squared"], delta=delta)
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES["squared"], delta=float(delta)))


@pytest.mark.parametrize("delta", ["1e-12", "1e-9", "1e-7"])
def test_a_small_delta_costs_no_more_than_none(fugu, delta):
    case = random_case(2183)
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", "1", "--delta", delta)
    check_channel(case, found, "1", LOSSES["squared"], delta=delta)
    assert found["error"] == close(channel_limit(case, "1", LOSSES["squared"], delta=float(delta)))


@pytest.mark.parametrize("seed", [s for s in range(200, 224) if s not in (216, 219)])
def test_optimal_noise_of_random_scenarios(fugu, seed):
    case = random_case(seed, narrow=seed % 4 != 0)
    epsilon = EPSILONS[2 + seed % 3]
    check_optimal(fugu, case, epsilon, seed % 2 == 0, ["squared", "absolute"][seed // 2 % 2])


@pytest.mark.parametrize("seed", range(300, 306))
def test_optimal_noise_with_delta(fugu, seed):
    case = random_case(seed, narrow=True, secrets=2)
    check_optimal(fugu, case, EPSILONS[2 + seed % 3], seed % 2 == 0, delta=["0.1", "0.01"][seed // 3 % 2], others=())


def test_the_second_opinion_notices(fugu):
    """Another budget, tail or reach gives HiGHS another error, and masses a little too far apart are caught."""
    case = paper()
    found = calibrate(fugu, case, "--method", "channel", "--epsilon", "0.1")
    for epsilon in ("0.09999", "0.10001"):
        assert found["error"] != close(channel_limit(case, epsilon, LOSSES["squared"]))
    with pytest.raises(AssertionError):
        check_channel(case, found, "0.0999", LOSSES["squared"])
    noise = calibrate(fugu, case, "--method", "optimal", "--epsilon", "0.1")
    r = float(ratio(noise))
    for epsilon, reach, tail in (("0.09999", 20, r), ("0.10001", 20, r), ("0.1", 8, r), ("0.1", 8, r**0.8)):
        assert noise["error"] != close(noise_limit(case, epsilon, 1, reach, tail))
    with pytest.raises(AssertionError):
        check_noise(case, noise, "0.0999")


def outputs_beyond(case, epsilon, room):
    """Lattice points as far as an unbiased channel needs, and `room` steps more; the lattice's step is 1."""
    growth = math.exp(float(epsilon))
    low, high = float(case.values[0]), float(case.values[-1])
    for means in case.means():
        for a, b in case.ordered:
            low = min(low, (growth * float(means[a]) - float(means[b])) / (growth - 1))
            high = max(high, (growth * float(means[a]) - float(means[b])) / (growth - 1))
    return [Fraction(y) for y in range(math.floor(low) - room, math.ceil(high) + room + 1)]


def consecutive(seed):
    """Values 0, 1, 2, ..."""
    dice = random.Random(seed)
    values = list(range(dice.randint(2, 6)))
    law = lambda: {"values": values, "mass": [dice.randint(1, 40) for _ in values]}
    names = "ABC"[: dice.randint(2, 3)]
    return Case([{name: law() for name in names} for _ in range(dice.randint(1, 2))])


@pytest.mark.parametrize("seed", range(400, 412))
def test_unbiased_channels(fugu, seed):
    case, epsilon, name = consecutive(seed), EPSILONS[1 + seed % 4], ["squared", "absolute", "zero-one"][seed % 3]
    outputs = outputs_beyond(case, epsilon, 1 + seed % 2)
    found = calibrate(fugu, case, "--method", "channel", "--unbiased", "--epsilon", epsilon, "--loss", name,
                      f"--outputs={','.join(map(str, outputs))}")
    rows, points = check_channel(case, found, epsilon, LOSSES[name], outputs)
    assert found["unbiased"] is True
    assert all(sum(c * y for c, y in zip(row, points)) == x for x, row in rows.items())
    assert found["error"] == close(channel_limit(case, epsilon, LOSSES[name], outputs, unbiased=True))


def test_unbiased_needs_outputs_beyond_the_values(fugu):
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    outputs = outputs_beyond(case, "0.1", 0)
    for some in (outputs[outputs.index(2):], outputs[: outputs.index(14)]):
        assert channel_limit(case, "0.1", LOSSES["squared"], some, unbiased=True) is None
        fugu.fails(4, "calibrate", "--scenario", scenario, "--method", "channel", "--unbiased", "--epsilon", "0.1",
                   f"--outputs={','.join(map(str, some))}", says=["unbiased", "--outputs"])
    found = calibrate(fugu, case, "--method", "channel", "--unbiased", "--epsilon", "0.1")
    rows, points = check_channel(case, found, "0.1", LOSSES["squared"], [Fraction(y) for y in found["outputs"]])
    assert all(sum(c * y for c, y in zip(row, points)) == x for x, row in rows.items())
    assert set(outputs) <= set(points)


def test_unbiased_with_no_room_to_spare(fugu):
    """The least and greatest values may be the ends of the outputs; they can then only become themselves."""
    mechanism = calibrate(fugu, paper(), "--method", "channel", "--unbiased", "--epsilon", "0.1", "--outputs",
                          ",".join(map(str, range(1, 15))))
    assert mechanism["error"] == close(channel_limit(paper(), "0.1", LOSSES["squared"], list(range(1, 15)),
                                                      unbiased=True))
    assert mechanism["unbiased"] is True


def test_a_small_programme_is_solved_without_a_note(fugu):
    case = {"A": {-5: 36, -2: 2}, "B": {-5: 12, -2: 9}}
    path = fugu.write("two.json", json.dumps({"priors": [{"given": {
        name: {"values": list(law), "mass": list(law.values())} for name, law in case.items()}}]}))
    plan = json.loads(fugu.ok("calibrate", "--scenario", path, "--method", "optimal", "--asymmetric", "--loss",
                              "absolute", "--epsilon", "2", "--format", "json"))
    assert plan["notes"] == [] and plan["mechanism"]["error"] < 0.03703


@pytest.mark.parametrize("seed", range(500, 506))
def test_a_table_of_losses(fugu, seed):
    case, dice = random_case(seed), random.Random(seed)
    step = Fraction(calibrate(fugu, case, "--epsilon", "1")["lattice"]["step"])
    outputs = case.values[1:] + [case.values[-1] + step]
    dice.shuffle(outputs)
    costs = {x: {y: Fraction(dice.randint(0, 90), 10) for y in outputs} for x in case.values}
    lines = [["value", *outputs]] + [[x, *map(float, costs[x].values())] for x in dice.sample(case.values, len(case.values))]
    table = fugu.write("loss.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
    epsilon = EPSILONS[seed % len(EPSILONS)]
    found = calibrate(fugu, case, "--method", "channel", "--loss", table, "--epsilon", epsilon)
    loss = lambda x, y: costs[x][y]
    check_channel(case, found, epsilon, loss, outputs)
    assert found["error"] == close(channel_limit(case, epsilon, loss, sorted(outputs)))
    assert found["objective"]["outputs"] == [pytest.approx(float(y)) for y in sorted(outputs)]


@pytest.mark.parametrize("method, slack", [("channel", 1e-6), ("optimal", GAIN)])
@pytest.mark.parametrize("seed", range(600, 603))
def test_more_to_hide_costs_more(fugu, method, slack, seed):
    """Error falls with epsilon, and grows with a pair and with a prior. Every secret has every value."""
    case = random_case(seed, full=True, narrow=True, priors=2, secrets=3)
    priors = [prior["given"] for prior in case.file["priors"]]

    def errors(cases):
        return [calibrate(fugu, case, "--method", method, "--epsilon", epsilon)["error"] for case, epsilon in cases]

    grid = ["0.3", "0.31", "0.4", "0.5", "0.7", "1", "1.4", "2", "3"]
    pairs = [[["A", "B"]], [["A", "B"], ["B", "C"]], "all"]
    for found in (errors([(case, epsilon) for epsilon in reversed(grid)]),
                  errors([(Case(priors, some), "0.5") for some in pairs]),
                  errors([(Case(priors[:count]), "0.5") for count in (1, 2)])):
        assert all(after >= before * (1 - slack) for before, after in zip(found, found[1:])), found
        assert found[-1] > 0
