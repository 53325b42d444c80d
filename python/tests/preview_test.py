"""What a release would leave and what one has left: the core's numbers as data frames; a transformer of scikit-learn."""

import json
import pickle
import subprocess
import sys
import warnings

import fugu
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tables import PEOPLE, write_csv

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402

from fugu.sklearn import Releaser  # noqa: E402


def planned(public="job", **more):
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public=public, **more), epsilon=1)


def test_a_preview_is_the_command_lines(tmp_path):
    plan = planned(["job", "hours"])
    shown = plan.preview(cross=["job", "race"], draws=30, rows=4)
    data = shown.data
    assert (data["private"], data["rows"], data["draws"], data["simulated"]) == (True, 600, 30, 600)
    assert json.loads(shown.to_json()) == data and data["guess"] == plan.leakage() == shown.guess
    assert 0 < shown.unchanged <= 1 and "not the release" in shown.notes[0]
    columns = shown.columns
    assert isinstance(columns, pd.DataFrame) and set(columns["column"]) == {"job", "hours"}
    shares = PEOPLE["job"].value_counts(normalize=True)
    for row in columns[columns["column"] == "job"].itertuples():
        assert row.before == pytest.approx(shares[row.label])
    means = shown.means.set_index("column")
    assert means.loc["hours", "mean_before"] == pytest.approx(PEOPLE["hours"].mean())
    assert means.loc["hours", "spread_before"] == pytest.approx(PEOPLE["hours"].std(ddof=0))
    assert set(shown.associations["measure"]) == {"V", "eta"}
    assert shown.cross["before"].sum() == pytest.approx(1)
    sample = shown.sample
    assert len(sample) == 8 and list(sample["when"][:2]) == ["before", "after"]
    assert "Private, like the plan." in str(shown) and "30 simulated draws" in repr(shown)


def test_associations_are_those_of_numpy():
    plan = planned(["hours", "job"])
    found = plan.preview().associations.set_index(["column", "other"])
    groups = PEOPLE.groupby("job")["hours"]
    between = (groups.size() * (groups.mean() - PEOPLE["hours"].mean()) ** 2).sum()
    assert found.loc[("hours", "job"), "before"] == pytest.approx(np.sqrt(between / (len(PEOPLE) * PEOPLE["hours"].var(ddof=0))))
    table = pd.crosstab(PEOPLE["job"], PEOPLE["race"]).to_numpy()
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    chi = ((table - expected) ** 2 / expected).sum()
    assert found.loc[("job", "race"), "before"] == pytest.approx(np.sqrt(chi / table.sum()))


def test_the_first_rows_come_from_frames_and_files(tmp_path):
    plan = planned()
    path = write_csv(tmp_path / "people.csv", PEOPLE)
    pq.write_table(pa.Table.from_pandas(PEOPLE), tmp_path / "people.parquet")
    tables = [PEOPLE, pl.from_pandas(PEOPLE), pa.Table.from_pandas(PEOPLE), str(path), tmp_path / "people.parquet"]
    for table in tables:
        sample = plan.preview(table, draws=2).data["sample"]
        assert sample["of"] == "table" and [row[0] for row in sample["before"]] == list(PEOPLE["job"][:10])
        assert sample["secret"] == list(PEOPLE["race"][:10])
    assert plan.preview(draws=2).data["sample"]["of"] == "plan"


def test_what_is_wrong_is_said():
    plan = planned()
    with pytest.raises(fugu.UsageError, match="--cross: the plan has no column 'age'"):
        plan.preview(cross=["job", "age"])
    with pytest.raises(fugu.UsageError, match="--draws"):
        plan.preview(draws=0)
    with pytest.raises(fugu.UsageError, match="this is one column"):
        plan.preview(PEOPLE["job"])
    with pytest.raises(fugu.UsageError, match="plan of a model"):
        fugu.count(users=20, p=0.5, epsilon=1).preview()
    with pytest.raises(fugu.UsageError, match="is no plan"):
        fugu.utility(PEOPLE, PEOPLE, "plan")
    with pytest.raises(fugu.DataError, match="cannot hold this value") as raised:
        fugu.utility(None, pd.DataFrame({"job": ["cook", "zebra"]}), plan)
    assert "zebra" not in str(raised.value)
    with pytest.raises(fugu.GuaranteeError):
        fugu.utility(PEOPLE[:-50], plan.release(PEOPLE), plan)


def test_a_notebook_shows_it_without_scripts():
    nasty = PEOPLE.replace({"job": {"cook": "<script>alert(1)</script>"}})
    plan = fugu.calibrate(fugu.Scenario.from_table(nasty, secret="race", public="job"), epsilon=1)
    for html in (plan.preview(draws=3)._repr_html_(), fugu.utility(nasty, plan.release(nasty), plan)._repr_html_()):
        assert "<script" not in html and "&lt;script&gt;" in html and "Private" in html


def test_utility_is_of_the_released_rows():
    plan = planned(["job", "hours"])
    released = plan.release(PEOPLE)
    left = fugu.utility(PEOPLE, released, plan)
    shares = released["job"].value_counts(normalize=True)
    for row in left.columns[left.columns["column"] == "job"].itertuples():
        assert row.after == pytest.approx(shares.get(row.label, 0))
    means = left.means.set_index("column")
    assert means.loc["hours", "mean_after"] == pytest.approx(released["hours"].mean())
    assert list(left.associations["column"]) == ["job"] and list(left.associations["other"]) == ["hours"]
    assert fugu.utility(None, released, plan).data == left.data
    assert left.data["released"] == 600 and "600 released rows" in repr(left)


def test_utility_knows_known_columns():
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="job", known="sex"), epsilon=1)
    left = fugu.utility(PEOPLE, plan.release(PEOPLE), plan)
    sexes = left.columns[left.columns["column"] == "sex"]
    assert list(sexes["before"]) == list(sexes["after"]) == [0.5, 0.5]


def test_without_pandas_there_are_dictionaries():
    code = ("import importlib.util, sys, fugu\n"
            "found = importlib.util.find_spec\n"
            "importlib.util.find_spec = lambda name, *more: None if name == 'pandas' else found(name, *more)\n"
            "s = fugu.Scenario.from_table({'s': ['a', 'b'] * 40, 'v': ['x', 'y', 'y', 'x', 'x'] * 16}, secret='s', public='v')\n"
            "shown = fugu.calibrate(s, epsilon=1).preview(draws=2)\n"
            "assert isinstance(shown.columns, list) and shown.columns[0]['column'] == 'v'\n"
            "assert 'sklearn' not in sys.modules and 'fugu.sklearn' not in sys.modules\n")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_transformer_calibrates_and_releases_once():
    step = Releaser(secret="race", public="job", epsilon=1, method="exact")
    released = step.fit_transform(PEOPLE)
    assert list(released.columns) == ["job"] and len(released) == len(PEOPLE)
    assert step.plan_ == fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="job"), epsilon=1, method="exact")
    assert list(step.get_feature_names_out()) == ["job"]
    with pytest.raises(fugu.UsageError, match="has released already"):
        step.transform(PEOPLE)
    step.set_params(again=True)
    with pytest.warns(UserWarning, match="this is draw 2"):
        step.transform(PEOPLE)
    with pytest.raises(fugu.GuaranteeError):
        clone(step).fit(PEOPLE).transform(PEOPLE[:-50])


def test_a_transformer_is_cloned_and_piped():
    step = Releaser("race", ["job", "hours"], 1, table={"clip": {"hours": (20, 40)}}, method="swap", search={"cost": "rows"})
    other = clone(step)
    assert other.get_params() == step.get_params() and not hasattr(other, "plan_")
    with pytest.raises(fugu.UsageError, match="call fit first"):
        other.transform(PEOPLE)
    piped = make_pipeline(other, FunctionTransformer(lambda table: table["hours"].to_frame()))
    assert list(piped.fit_transform(PEOPLE).columns) == ["hours"]
    again = pickle.loads(pickle.dumps(step.fit(PEOPLE)))
    assert again.plan_ == step.plan_


def test_a_transformers_columns_have_their_own_names():
    """scikit-learn names them anew where it was told in which package to hand them out."""
    step = Releaser("race", ["hours", "job"], 1, method="swap").set_output(transform="pandas")
    released = step.fit_transform(PEOPLE)
    assert set(released["job"]) <= set(PEOPLE["job"]) and set(released["hours"]) <= set(PEOPLE["hours"])
    assert list(step.get_feature_names_out()) == list(released.columns)


def test_a_target_is_not_covered():
    y = PEOPLE["sex"]
    with pytest.warns(UserWarning, match="y goes along as it is"):
        Releaser("race", "job", 1, method="exact").fit(PEOPLE, y)
    with pytest.raises(fugu.UsageError, match="random order"):
        Releaser("race", ["job", "hours"], 1, method="swap").fit(PEOPLE, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = Releaser("race", ["job", "hours"], 1, method="swap", keep_order=True).fit(PEOPLE, y).transform(PEOPLE)
    assert list(kept.index) == list(PEOPLE.index)
    with pytest.raises(fugu.UsageError, match="search: 'method' is an argument of its own"):
        Releaser("race", "job", 1, search={"method": "exact"}).fit(PEOPLE)
    with pytest.raises(fugu.UsageError, match="no epsilon"):
        Releaser("race", "job").fit(PEOPLE)
