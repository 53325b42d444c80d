"""Delta, the Gaussian and the heavier tails from the command line, on the paper's own table."""

import json

import pytest


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    import pathlib

    data = json.loads((pathlib.Path(__file__).parents[1] / "data" / "cases.json").read_text())
    path = tmp_path_factory.mktemp("delta") / "adult.json"
    path.write_text(json.dumps(data["adult_occupation"]["scenario"]))
    return path


def candidates(fugu, *arguments):
    return json.loads(fugu.ok("compare", *arguments, "--format", "json"))["candidates"]


def test_laplace_and_gaussian_side_by_side(fugu, scenario):
    rows = candidates(fugu, "--scenario", scenario, "--epsilon", "0.5", "--delta", "1e-5")
    scale = {(row["noise"], row["method"]): row["scale"] for row in rows}
    assert [row["method"] for row in rows if row.get("baseline")] == ["dp-laplace", "randomized-response"]
    assert scale["laplace", "dp-laplace"] == 26
    assert [row["noise"] for row in rows] == ["laplace"] * 6 + ["gaussian"] * 6 + ["optimal", "channel", "swap", "laplace", "channel"]
    assert scale["gaussian", "theorem3a"] == pytest.approx(19.4, abs=0.05)
    assert scale["gaussian", "theorem3b"] == pytest.approx(155.5, abs=0.05)
    assert scale["gaussian", "kantorovich"] == pytest.approx(14.06, abs=0.01)
    assert scale["gaussian", "exact"] == pytest.approx(0.8431, abs=0.0001)
    assert all(row["loss"] is None and row["delta"] <= 1e-5 for row in rows if row["method"] not in ("sharp", "swap"))


def test_plans_with_delta_verify_and_tell_it(fugu, scenario, tmp_path):
    for noise in ("laplace", "gaussian", "log:5", "power:0.5"):
        plan = tmp_path / f"{noise.replace(':', '-')}.json"
        fugu.ok("calibrate", "--scenario", scenario, "--epsilon", "0.5", "--delta", "1e-3", "--noise", noise, "-o", plan)
        verdict = json.loads(fugu.ok("verify", plan, "--format", "json"))
        assert verdict["verified"] is True and verdict["loss"] is None
        assert 0 < verdict["proved_delta"] <= 1e-3
        assert "times as likely under one secret as under" in " ".join(fugu.ok("verify", plan).split())


def test_a_gaussian_without_delta_is_refused(fugu, scenario):
    fugu.fails(4, "calibrate", "--scenario", scenario, "--epsilon", "0.1", "--noise", "gaussian",
               says=["epsilon 0.1 with delta 0 for no scale", "give --delta"])


def test_theorem_3a_is_for_small_epsilon(fugu, scenario):
    fugu.fails(2, "calibrate", "--scenario", scenario, "--epsilon", "2", "--delta", "1e-5", "--noise", "gaussian",
               "--method", "theorem3a", says=["theorem3a", "up to 1"])
