"""The optimal methods at the edges: wrong usage, wrong tables of losses, epsilons tiny and huge, no time."""

import json

import pytest

from optima import Case, LOSSES, calibrate, channel_limit, close, paper

WRONG = [
    (["--method", "exact", "--unbiased"], 2, ["--unbiased", "--method exact"]),
    (["--method", "exact", "--loss", "absolute"], 2, ["--loss", "--method exact"]),
    (["--method", "exact", "--time-limit", "5"], 2, ["--time-limit", "--method exact"]),
    (["--method", "channel", "--asymmetric"], 2, ["--asymmetric", "--method channel"]),
    (["--method", "optimal", "--outputs", "1,2"], 2, ["--outputs", "--method optimal"]),
    (["--method", "channel", "--outputs", "1,2.5"], 2, ["--outputs", "2.5", "lattice"]),
    (["--method", "channel", "--outputs", "1,1"], 2, ["--outputs", "twice"]),
    (["--method", "channel", "--outputs", "1,x"], 2, ["--outputs", "x"]),
    (["--method", "channel", "--loss", "no-such-file"], 5, ["no-such-file"]),
    (["--method", "optimal", "--loss", "zero-one"], 2, ["--loss", "zero-one"]),
    (["--method", "channel", "--time-limit", "0"], 2, ["--time-limit", "0"]),
    (["--method", "optimal", "--time-limit", "-1"], 2, ["--time-limit", "-1"]),
    (["--method", "channel", "--noise", "gaussian"], 2, ["channel", "gaussian"]),
    (["--method", "optimal", "--noise", "gaussian"], 2, ["optimal", "gaussian"]),
    (["--method", "channel", "--unbiased", "--range", "clamp"], 2, ["--unbiased", "--range free"]),
]


@pytest.mark.parametrize("arguments, status, says", WRONG, ids=[" ".join(row[0][1:]) for row in WRONG])
def test_wrong_usage(fugu, arguments, status, says):
    scenario = fugu.write("scenario.json", json.dumps(paper().file))
    fugu.fails(status, "calibrate", "--scenario", scenario, "--epsilon", "0.5", *arguments, says=says)


TABLES = {
    "": "no rows",
    "value\n": "no output",
    "value,1,2\n": "no rows",
    "value,1,2\n0,1\n": "fields",
    "value,1,2\n0,1,-1\n": "cost",
    "value,1,2\n0,1,x\n": "cost",
    "value,1,1.5\n": "lattice",
    "value,1,1\n0,1,1\n": "twice",
    "value,1,2\n0,1,2\n": "lacks a value",
}


@pytest.mark.parametrize("table", TABLES)
def test_wrong_tables_of_losses(fugu, table):
    law = {"values": [0, 1, 2], "mass": [1, 2, 3]}
    scenario = fugu.write("scenario.json", json.dumps(Case([{"A": law, "B": {**law, "mass": [3, 1, 1]}}]).file))
    path = fugu.write("loss.csv", table)
    fugu.fails(3, "calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--loss", path,
               says=["--loss", TABLES[table]])


def test_compare_tells_the_limit(fugu):
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    shown = json.loads(fugu.ok("compare", "--scenario", scenario, "--epsilon", "0.5", "--format", "json"))
    rows = {row["method"]: row for row in shown["candidates"]}
    limit = channel_limit(case, "0.5", LOSSES["squared"])
    assert rows["channel"]["mse"] == shown["limit"]["mse"] == close(limit)
    assert shown["limit"]["bound"] <= limit * (1 + 1e-9) and shown["limit"]["bound"] == close(limit)
    assert rows["channel"]["times_limit"] == 1
    assert rows["optimal"]["times_limit"] == pytest.approx(rows["optimal"]["mse"] / limit, rel=1e-6)
    for row in rows.values():
        assert row["loss"] <= 0.5 and row["times_limit"] >= 1
    assert rows["channel"]["mse"] < rows["optimal"]["mse"] < rows["exact"]["mse"]


def scenario_of(fugu, laws):
    return fugu.write("laws.json", json.dumps({"priors": [{"given": {
        name: {"values": list(law), "mass": list(law.values())} for name, law in laws.items()}}]}))


def test_tiny_epsilons_are_no_worse_than_tinier_ones(fugu):
    """Where doubles run out the answer may be off, but never worse than one that serves as well."""
    errors = [calibrate(fugu, paper(), "--method", "channel", "--epsilon", epsilon)["mse"]
              for epsilon in ("1e-9", "1e-8", "1e-7", "1e-6", "1e-5", "1e-4")]
    assert all(error < 0.80280 for error in errors)


@pytest.mark.parametrize("epsilon", ["12", "16", "20", "100"])
@pytest.mark.parametrize("delta", ["0", "1e-6", "0.3"])
def test_huge_epsilons_do_not_break_the_solver(fugu, epsilon, delta):
    scenario = scenario_of(fugu, {"A": {-18: 3, -7: 1}, "B": {-18: 1, -2: 5}, "C": {-7: 2}})
    for flags in (["optimal"], ["optimal", "--asymmetric"], ["channel"], ["channel", "--unbiased"]):
        fugu.ok("calibrate", "--scenario", scenario, "--epsilon", epsilon, "--delta", delta, "--method", *flags,
                "-o", "plan.json", "--force")
        fugu.ok("verify", "plan.json")


def test_costs_beyond_reason(fugu):
    scenario = scenario_of(fugu, {"A": {1: 1, 2: 2, 4: 3}, "B": {1: 3, 2: 1, 4: 1}})
    table = fugu.write("loss.csv", "value,1,2,4\n1,0,1e300,9\n2,1,0,1\n4,4,1,0\n")
    fugu.ok("calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--loss", table)
    far = scenario_of(fugu, {"A": {0: 1, "1e300": 2}, "B": {0: 3, "1e300": 1, "2e300": 1}})
    fugu.fails(4, "calibrate", "--scenario", far, "--epsilon", "0.5", "--method", "channel")


def test_outputs_stay_within_a_clamped_range(fugu):
    scenario = scenario_of(fugu, {"A": {1: 1, 2: 2, 4: 3}, "B": {1: 3, 2: 1, 4: 1}})
    fugu.fails(2, "calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--outputs", "9",
               "--range", "clamp", says=["--outputs", "--range"])


def test_without_time_the_answer_is_still_no_worse_than_laplace(fugu):
    """Exact Laplace, moved to the nearest output, is a channel that is always there; and the note is shown."""
    case = paper()
    scenario = fugu.write("scenario.json", json.dumps(case.file))
    told = fugu.ok("calibrate", "--scenario", scenario, "--epsilon", "0.5", "--method", "channel", "--time-limit",
                   "1e-9", "-o", "plan.json")
    assert "time limit" in told
    assert json.loads((fugu.folder / "plan.json").read_text())["mechanism"]["mse"] < 0.6422
