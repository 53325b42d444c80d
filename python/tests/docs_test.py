"""The Python guide's blocks run as they stand, in order, in one namespace."""

import pathlib
import re

import fugu
import pytest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCKS = re.findall(r"^```python([^\n]*)\n(.*?)^```$", GUIDE.read_text(), flags=re.S | re.M)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What the blocks leave behind, in a folder of their own."""
    folder = tmp_path_factory.mktemp("guide")
    names = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for mark, block in BLOCKS:
            if mark.strip() != "no-run":
                exec(compile(block, "docs/python.md", "exec"), names)
    return names, folder


def test_every_block_runs_but_that_of_spark(ran):
    skipped = [block for mark, block in BLOCKS if mark.strip() == "no-run"]
    assert len(BLOCKS) >= 15 and len(skipped) == 1 and "fugu.spark" in skipped[0]
    assert {mark.strip() for mark, _ in BLOCKS} == {"", "no-run"}


def test_what_goes_in_comes_out(ran):
    names, _ = ran
    people = names["people"]
    for kind, table in (("pandas", names["released"]), ("polars", names["polars_table"]), ("pyarrow", names["arrow_table"]),
                        ("duckdb", names["relation"])):
        assert kind in type(table).__module__
        columns = table.column_names if kind == "pyarrow" else list(table.columns)
        assert columns == ["job"], kind
    assert isinstance(names["jobs"], list) and len(names["jobs"]) == len(people) == len(names["column"])


def test_files_are_there(ran):
    _, folder = ran
    assert {"plan.json", "plan.svg", "out.parquet", "out.parquet.plan.json", "out.parquet.receipt.json"} <= {path.name for path in folder.iterdir()}
    assert (folder / "plan.svg").read_text().startswith("<svg ")


def test_what_the_guide_says_of_errors_is_so(ran):
    names, _ = ran
    table = re.findall(r"^\| `fugu\.(\w+)` \| (?:`(\w+)`)? ?\| (\d) \|", GUIDE.read_text(), flags=re.M)
    assert {name for name, _, _ in table} == {name for name in fugu.__all__ if name.endswith("Error") and name != "Error"}
    for name, natural, status in table:
        kind = getattr(fugu, name)
        assert kind.status == int(status)
        assert not natural or issubclass(kind, getattr(__import__("builtins"), natural))
    with pytest.raises(fugu.DataError) as raised:
        fugu.Scenario.from_table(names["holes"], secret="group", public="job")
    assert raised.value.message in GUIDE.read_text()
    assert names["heard"], "the guide's callback was told something"
