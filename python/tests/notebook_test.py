"""The notebook runs from its first cell to its last on the installed wheel alone, and its cells show what they should."""

import pathlib

import nbclient
import nbformat
import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fugu.ipynb"


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder / name.lower()))
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook, source):
    """The outputs of the one cell whose source has this."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and source in cell.source]
    assert len(cells) == 1, source
    return cells[0].outputs


def shown(notebook, source, kind):
    return ["".join(output.get("data", {}).get(kind, "")) for output in outputs(notebook, source) if kind in output.get("data", {})]


def test_it_is_stored_without_outputs():
    stored = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(stored)
    assert all(not cell.outputs and cell.execution_count is None for cell in stored.cells if cell.cell_type == "code")


def test_every_cell_ran(ran):
    cells = [cell for cell in ran.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    told = [output.text for cell in cells for output in cell.outputs if output.get("name") == "stderr"]
    assert not [text for text in told if "%|" not in text and text.strip()], "nothing but a bar, and that only where work is long"


@pytest.mark.parametrize("source", ["scenario.plot()", "compared.plot(", "plan.plot()"])
def test_pictures_are_shown_once(ran, source):
    assert [text.startswith('<figure class="fugu"') and "<svg " in text for text in shown(ran, source, "text/html")] == [True]


def test_objects_show_themselves(ran):
    assert "28,856" in shown(ran, "scenario = ", "text/html")[0]
    compared = shown(ran, "compared = ", "text/html")[0]
    assert "62.3 %" in compared and "0.6422" in compared and "0.0242" in compared, "the table of docs/paper.md"
    plan = shown(ran, "plan = ", "text/html")[0]
    assert "race, hidden in occupation" in plan and "Verified now" in plan


def test_the_words_at_the_end_are_the_statement(ran):
    printed = "".join(output.get("text", "") for output in outputs(ran, "statement_text"))
    assert "e^0.5" in printed
