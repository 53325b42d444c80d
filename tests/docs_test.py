"""Code that the documents show is the code that the tests compile."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def test_noise_example_is_the_compiled_one():
    example = (ROOT / "examples" / "arsinh_noise.h").read_text()
    assert f"```cpp\n{example}```" in (ROOT / "docs" / "noise.md").read_text()
