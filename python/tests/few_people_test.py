"""What fewer than five people share is not published: every way out of the package asks the one rule of the core."""

import json
import warnings

import fugu
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PEOPLE = pd.DataFrame({"s": ["a", "b"] * 42, "x": ["cook", "clerk"] * 40 + ["pope"] * 4, "place": ["north", "south", "west"] * 28})
REFUSED = "fewer than 5 people share some of its categories"


@pytest.fixture(scope="module")
def plan():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="s", public="x"), epsilon=0.5, method="exact")


def ways_out(plan):
    return {
        "table": lambda **least: plan.release(PEOPLE, **least),
        "column": lambda **least: plan.release(PEOPLE["x"], **least),
        "new data": lambda **least: plan.release(PEOPLE[:10], new_data=True, **least),
        "statement": lambda **least: plan.statement(**least),
        "public picture": lambda **least: plan.picture(public=True, **least),
        "releaser": lambda **least: plan.releaser(**least),
    }


@pytest.mark.parametrize("way", ["table", "column", "new data", "statement", "public picture", "releaser"])
def test_no_way_out_publishes_what_few_people_share(plan, way):
    publish = ways_out(plan)[way]
    with pytest.raises(fugu.UsageError, match=REFUSED) as refused:
        publish()
    assert "--merge-rare 5" in refused.value.hint and "pope" not in str(refused.value)
    publish(publish_min=4)
    with pytest.raises(fugu.UsageError, match="fewer than 41 people share some of its (categories|values)"):
        publish(publish_min=41)
    for wrong in (0, True, 2.5, "5", None):
        with pytest.raises(fugu.UsageError, match="publish_min"):
            publish(publish_min=wrong)


def test_files(plan, tmp_path):
    pq.write_table(pa.Table.from_pandas(PEOPLE), tmp_path / "in.parquet")
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    for asked in ({"plan": plan}, {"secret": "s", "public": "x", "epsilon": 0.5, "method": "exact"}):
        with pytest.raises(fugu.UsageError, match=REFUSED):
            fugu.release_file(source, out, **asked)
        assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
        fugu.release_file(source, out, publish_min=4, **asked)
        assert "pope" in json.loads((tmp_path / "out.parquet.receipt.json").read_text())["statement"]["mechanism"]["labels"]
        for path in tmp_path.glob("out.*"):
            path.unlink()


def test_a_box_that_names_a_secret_of_few_people_is_called_private():
    """A promise in belief names the secrets of which it says nothing, and a notebook is soon passed on."""
    rows = {"s": [f"d{k}" for k in range(97)] + ["rare"] * 3, "x": ["ab"[k % 2] for k in range(100)]}
    plan = fugu.calibrate(fugu.Scenario.from_table(rows, secret="s", public="x", promise="belief"), epsilon=4)
    box = plan._repr_html_()
    assert "rare" in box and "Private: " in box and "may be published" not in box
    with pytest.raises(fugu.UsageError, match="secrets that the promise names"):
        plan.statement()


def test_histograms_of_a_hidden_rate():
    """Its numbers are of the categories one by one."""
    hidden = fugu.rate(fugu.Scenario.from_table(PEOPLE, secret="s", public="x"), within=0.05, epsilon=1, histogram=True)
    for truth in ((), ([40, 40, 4],)):
        with pytest.raises(fugu.UsageError, match="fewer than 5 people share some of the categories") as refused:
            hidden.release(*truth)
        assert "pope" not in str(refused.value)
        assert len(hidden.release(*truth, publish_min=4)) == 3
    with pytest.raises(fugu.UsageError, match="fewer than 41 people share some of the categories"):
        hidden.release(publish_min=41)
    fugu.rate(fugu.Scenario.from_table(PEOPLE, secret="s", public="x"), within=0.05, epsilon=1, count="cook").release()


def test_what_is_not_published_is_not_refused(plan):
    plan.verify()
    plan.picture(seconds=1)
    assert "x" in plan._repr_html_() and "pope" not in plan._repr_html_()
    released = plan.release(PEOPLE, publish_min=1)
    assert fugu.estimate(released, plan)["estimates"]


def test_merged_categories_go_out():
    merged = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="s", public="x", merge_rare=5), epsilon=0.5)
    assert "pope" not in set(merged.release(PEOPLE)["x"])
    assert "pope" not in json.dumps(merged.statement())


def test_unprotected_columns_are_warned_of(tmp_path):
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="s", public="x", merge_rare=5), epsilon=0.5)
    pq.write_table(pa.Table.from_pandas(PEOPLE), tmp_path / "in.parquet")
    said = "place is released exactly as it is: nothing is promised about what it says of the secret"
    with pytest.warns(UserWarning, match=said) as heard:
        plan.release(PEOPLE, keep_unprotected="place")
    with pytest.warns(UserWarning, match=said) as heard_of_file:
        fugu.release_file(tmp_path / "in.parquet", tmp_path / "out.parquet", plan=plan, keep_unprotected="place")
    assert heard[0].filename == heard_of_file[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan.release(PEOPLE)


@pytest.mark.parametrize("method", ["sensitivity", "dp-laplace"])
def test_a_scale_that_tells_the_largest_income_is_warned_of(method):
    incomes = pd.DataFrame({"s": ["a", "b"] * 70 + ["a"], "x": [1000 * (k % 7) for k in range(140)] + [98765]})
    scenario = fugu.Scenario.from_table(incomes, secret="s", public="x")
    with pytest.warns(UserWarning, match=f"column 'x': the scale of {method} tells .*--clip LO:HI"):
        plan = fugu.calibrate(scenario, epsilon=0.5, method=method)
    with pytest.warns(UserWarning, match=f"the scale of {method}"):
        plan.statement()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plan.statement(publish_min=1)
        fugu.calibrate(fugu.Scenario.from_table(incomes, secret="s", public="x", step=5), epsilon=0.5)
        fugu.calibrate(fugu.Scenario.from_table(incomes, secret="s", public="x", clip=(0, 6000)), epsilon=0.5, method=method)


def test_a_step_that_one_person_decides_is_warned_of():
    incomes = pd.DataFrame({"s": ["a", "b"] * 70 + ["a"], "x": [1000 * (k % 7) for k in range(140)] + [98765]})
    with pytest.warns(UserWarning, match="column 'x': fewer than 5 people decide the step .*--step G"):
        fugu.calibrate(fugu.Scenario.from_table(incomes, secret="s", public="x"), epsilon=0.5)
