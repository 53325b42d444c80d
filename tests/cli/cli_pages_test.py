"""The pages of docs/cli: each example prints what its page shows, beside the files of the demo."""
import re
import subprocess

import pytest

from conftest import PROGRAM, ROOT

EXAMPLES = [(page.name, *block.split("\n", 1)) for page in sorted((ROOT / "docs" / "cli").glob("*.md"))
            for block in re.findall(r"^```\n\$ fugu (.*?)^```", page.read_text(), re.S | re.M)]
SHOWN = [example for example in EXAMPLES if "--help" not in example[1]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([PROGRAM, "demo"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def test_most_pages_have_an_example():
    assert len({page for page, _, _ in SHOWN}) >= 12


@pytest.mark.parametrize("page, command, shown", SHOWN, ids=[page for page, _, _ in SHOWN])
def test_an_example_prints_what_its_page_shows(demo, page, command, shown):
    for path in demo.glob("*"):
        if path.is_file():
            path.unlink()
    done = subprocess.run(["bash", "-c", f"'{PROGRAM}' {command}"], cwd=demo, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == shown and done.stderr == ""
