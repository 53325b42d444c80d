"""Which tables a plan takes, and what comes along with the released column."""

import duckdb
import fugu
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import PEOPLE

JOBS = {"clerk", "cook", "nurse"}


def test_another_table_is_refused(hours):
    other = PEOPLE.iloc[:-1]
    for data in (other, other["hours"]):
        with pytest.raises(fugu.GuaranteeError, match="not the one that the plan was made from"):
            hours.release(data)
        assert len(hours.release(data, new_data=True)) == len(other)
    swapped = PEOPLE.assign(race=PEOPLE["race"].map({"A": "B", "B": "A"}))
    assert len(hours.release(swapped["hours"])) == len(PEOPLE), "a column alone is compared by its values alone"
    with pytest.raises(fugu.GuaranteeError):
        hours.release(swapped)


def test_new_data_has_no_other_secrets():
    strangers = pd.concat([PEOPLE, PEOPLE.head(3).assign(race="unheard of")], ignore_index=True)
    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=0.5)
    for table in (strangers, pa.Table.from_pandas(strangers), pl.from_pandas(strangers)):
        with pytest.raises(fugu.DataError, match="the plan does not know this secret"):
            plan.release(table, new_data=True)
        assert len(plan.release(table, new_data=True, drop=True)) == len(PEOPLE)
    assert len(plan.release(strangers[["hours"]], new_data=True)) == len(strangers)
    both = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret=["race", "sex"], public="hours"), epsilon=0.5)
    with pytest.raises(fugu.DataError, match="row 601, column 'race': the plan does not know this secret"):
        both.release(strangers, new_data=True)
    assert len(both.release(strangers, new_data=True, drop=True)) == len(PEOPLE)
    assert len(both.release(PEOPLE, new_data=True)) == len(PEOPLE)
    odd = PEOPLE.assign(race="not (missing)")  # a name with the words for a missing field in it is one all the same
    with pytest.raises(fugu.DataError, match="the plan does not know this secret"):
        both.release(odd, new_data=True)
    assert len(both.release(odd, new_data=True, drop=True)) == 0


def test_unknown_values_may_be_dropped(hours):
    table = pd.concat([PEOPLE, PEOPLE.assign(hours=9999)], ignore_index=True)
    with pytest.raises(fugu.DataError, match="row 601, column 'hours'"):
        hours.release(table, new_data=True)
    assert list(hours.release(table, new_data=True, drop=True).index) == list(range(600))
    with pytest.raises(fugu.UsageError, match="row 601, column 'hours': the row would be left out"):
        hours.release(table, new_data=True, drop=True, keep_unprotected="sex")


def test_the_secret_is_never_written(hours):
    with pytest.raises(fugu.UsageError, match="is the secret"):
        hours.release(PEOPLE, keep_unprotected="race")
    with pytest.raises(fugu.UsageError, match="is the secret"):
        hours.release(PEOPLE["race"], new_data=True)
    with pytest.raises(fugu.UsageError, match="was not calibrated against"):
        hours.release(PEOPLE, keep="sex")
    with pytest.raises(fugu.UsageError, match="no column 'nope'"):
        hours.release(PEOPLE, keep_unprotected="nope")


def test_given_columns_may_be_kept():
    scenario = fugu.Scenario.from_table(PEOPLE, secret="race", public="hours", given="sex")
    plan = fugu.calibrate(scenario, epsilon=1)
    released = plan.release(PEOPLE, keep="sex")
    assert list(released.columns) == ["hours", "sex"] and list(released["sex"]) == list(PEOPLE["sex"])
    some = plan.release(PEOPLE.iloc[:7], keep="sex", new_data=True)
    assert list(some["sex"]) == list(PEOPLE["sex"].iloc[:7])
    with pytest.raises(fugu.DataError, match="row 1, column 'sex': the plan does not cover this group of the given columns"):
        plan.release(PEOPLE.assign(sex="d"), keep="sex", new_data=True)


def test_several_columns_together():
    scenario = fugu.Scenario.from_table(PEOPLE, secret="race", public=["hours", "job"])
    plan = fugu.calibrate(scenario, epsilon=1)
    released = plan.release(PEOPLE)
    assert list(released.columns) == ["job", "hours"] and set(released["job"]) <= JOBS
    with pytest.raises(fugu.GuaranteeError):
        plan.release(PEOPLE.iloc[1:])


def test_things_that_are_no_table():
    for thing in (object(), 3, None):
        with pytest.raises(fugu.UsageError, match="is no table that can be read"):
            fugu.Scenario.from_table(thing, secret="a", public="b")
    with pytest.raises(fugu.UsageError, match="one column"):
        fugu.Scenario.from_table(PEOPLE["race"], secret="a", public="b")


def test_nothing_else_of_a_pandas_table_comes_along(hours):
    odd = PEOPLE.set_index(["race", "hours"], drop=False)
    odd.attrs["note"] = "private"
    for released in (hours.release(odd), hours.release(odd["hours"])):
        assert isinstance(released.index, pd.RangeIndex) and not released.attrs
    numbered = PEOPLE.set_axis([0, 1, 2, 3], axis=1)
    plan = fugu.calibrate(fugu.Scenario.from_table(numbered, secret=0, public=2), epsilon=0.02)
    assert list(plan.release(numbered).columns) == [2]


def test_a_structure_is_no_table(hours):
    with pytest.raises(fugu.DataError, match="it holds structures"):
        hours.release([{"q": 40}, None, {"q": 20}], new_data=True)
    with pytest.raises(fugu.DataError, match="it holds structures"):
        hours.release(pl.Series([{"q": 40}]), new_data=True)
    periods = PEOPLE.assign(when=pd.period_range("2020-01", periods=600, freq="M"))
    with pytest.raises(fugu.DataError, match="extension type"):
        fugu.Scenario.from_table(periods, secret="race", public="when")


def test_names_that_packages_read_as_patterns():
    table = pl.from_pandas(PEOPLE).rename({"hours": "*", "race": "^r.*$"})
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="^r.*$", public="*"), epsilon=0.02)
    assert plan.release(table).columns == ["*"] and plan.release(table["*"]).name == "*"
    doubled = pa.table([PEOPLE["race"], PEOPLE["hours"], PEOPLE["hours"]], names=["race", "hours", "hours"])
    with pytest.raises(fugu.UsageError, match="several columns"):
        fugu.Scenario.from_table(doubled, secret="race", public="hours")
    generated = fugu.Scenario.from_table(PEOPLE, secret=(n for n in ["race"]), public=(n for n in ["hours"]))
    assert generated == fugu.Scenario.from_table(PEOPLE, secret="race", public="hours")


def test_an_enum_stays_one(jobs):
    kind = pl.Enum(["nurse", "clerk", "cook"])
    assert jobs.release(pl.from_pandas(PEOPLE)["job"].cast(kind)).dtype == kind


def test_errors_of_engines_show_no_value():
    table = pl.from_pandas(PEOPLE).with_columns(job=pl.lit("SEKRIT"))
    lazy = table.lazy().with_columns(hours=pl.col("job").cast(pl.Int64))
    relation = duckdb.from_arrow(table.to_arrow()).project("race, job::INTEGER AS hours")
    for data in (lazy, relation):
        with pytest.raises(fugu.DataError) as raised:
            fugu.Scenario.from_table(data, secret="race", public="hours")
        assert "SEKRIT" not in str(raised.value) and raised.value.__cause__ is None
        assert raised.value.__context__ is None or raised.value.__suppress_context__


def test_plans_and_scenarios_can_be_copied(hours):
    import copy
    import pickle

    assert pickle.loads(pickle.dumps(hours)) == hours == copy.deepcopy(hours)
    scenario = fugu.Scenario.from_table(PEOPLE, secret="race", public="hours")
    assert pickle.loads(pickle.dumps(scenario)) == scenario and len({hours, copy.copy(hours)}) == 1


def test_a_fraction_is_an_epsilon(hours):
    from fractions import Fraction

    plan = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="hours"), epsilon=Fraction(1, 3))
    assert plan.epsilon == 1 / 3 and "0.333" in repr(plan)
