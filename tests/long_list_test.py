"""Every line of tests/long.txt names tests that exist: one that names nothing would leave its test in the gate, unseen."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
LINES = [line.split(" ", 1) for line in (HERE / "long.txt").read_text().splitlines() if not line.startswith("#")]


def of(kind):
    return [name for found, name in LINES if found == kind]


def test_kinds():
    assert {kind for kind, _ in LINES} == {"unit", "script", "test"}


def test_scripts():
    for name in of("script"):
        file, test = name.split("::")
        assert f"def {test.split('[')[0]}(" in (HERE / file).read_text(), name


def test_units():
    sources = [*HERE.glob("*_test.cc"), *HERE.parent.glob("fugu/*/*_test.cc")]
    names = set(re.findall(r"^(?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+),\s*(\w+)", "\n".join(path.read_text() for path in sources), flags=re.M))
    for filtered in of("unit"):
        suite, test = filtered.split("/")[1 if filtered.count("/") == 2 else 0].split(".")
        found = [one for one in names if re.fullmatch(suite.replace("*", ".*"), one[0]) and re.fullmatch(test.replace("*", ".*"), one[1])]
        assert found, filtered


def test_tests():
    lists = (HERE / "CMakeLists.txt").read_text() + (HERE.parent / "python" / "tests" / "CMakeLists.txt").read_text()
    for name in of("test"):
        assert (HERE / name).exists() or re.search(rf"\b{name.split('/')[-1]}\b", lists), name
