"""The types of released categories follow from the plan, never from what was drawn."""

import fugu
import numpy as np
import polars as pl
import pytest
from tables import PEOPLE


@pytest.fixture(scope="module")
def jobs():
    return fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public="job"), epsilon=0.5)


def test_texts_of_numpy_are_as_wide_as_the_plans_longest():
    """Whatever was drawn, and whatever width the column came in."""
    rows = ["abc", "abcdef", "a"] * 40
    plan = fugu.calibrate(fugu.Scenario.from_table({"race": ["A", "B"] * 60, "word": rows}, secret="race", public="word"), epsilon=99)
    for data in (np.array(["abc", "a"]), np.array(["abc"] * 100, dtype="<U40")):
        for released in (plan.release(data, new_data=True), plan.releaser().release(data)):
            assert released.dtype == "<U6"
    assert {str(text) for text in plan.release(np.array(rows))} == set(rows)
    assert plan.release(np.array(rows, dtype=object)).dtype == object
    numbers = fugu.calibrate(fugu.Scenario.from_table({"race": ["A", "B"] * 2, "n": ["1", "2", "2", "1"]}, secret="race", public="n"), epsilon=0.01)
    assert numbers.release(np.array(["1"]), new_data=True).dtype == object, "texts of numbers may have any length"


def test_an_enum_that_lacks_a_category_is_the_same_type_whatever_was_drawn(jobs):
    """One row at a time: some draw what the Enum has, others what it lacks."""
    narrow = pl.Series("job", ["nurse"], dtype=pl.Enum(["nurse"]))
    kinds = {str(jobs.release(narrow, new_data=True).dtype) for _ in range(60)}
    assert kinds == {str(pl.Enum(["clerk", "cook", "nurse"]))}
    assert {str(jobs.releaser().release(narrow).dtype) for _ in range(60)} == kinds
    both = fugu.calibrate(fugu.Scenario.from_table(PEOPLE, secret="race", public=["hours", "job"]), epsilon=1)
    kind = pl.Enum(["nurse", "clerk", "cook"])
    assert both.release(pl.from_pandas(PEOPLE).with_columns(pl.col("job").cast(kind)))["job"].dtype == kind


def test_an_enum_lists_nothing_that_is_not_released(tmp_path):
    """A text that the map has put together with others, of one person."""
    rows = ["nurse", "clerk"] * 60 + ["cook to the king"]
    (tmp_path / "map.csv").write_text("from,to\nnurse,nurse\nclerk,clerk\ncook to the king,clerk\n")
    kind = pl.Enum(["cook to the king", "nurse", "clerk"])
    table = pl.DataFrame({"race": ["A", "A", "B", "B"] * 30 + ["A"], "job": pl.Series(rows, dtype=kind)})
    plan = fugu.calibrate(fugu.Scenario.from_table(table, secret="race", public="job", map=str(tmp_path / "map.csv")), epsilon=0.5)
    for released in (plan.release(table)["job"], plan.release(table["job"])):
        assert released.dtype == pl.Enum(["nurse", "clerk"]) and released.len() == 121
