"""Code that the documents show is the code that the tests compile."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def test_noise_example_is_the_compiled_one():
    example = (ROOT / "examples" / "arsinh_noise.h").read_text()
    assert f"```cpp\n{example}```" in (ROOT / "docs" / "noise.md").read_text()


def test_what_stands_behind_a_command_is_a_comment():
    """A line of a page can be pasted into a shell as it stands."""
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        assert re.findall(r"^ {4,}fugu [a-z]+ .*\S {2,}(?![ #\\]).*", path.read_text(), re.M) == [], path
