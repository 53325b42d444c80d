"""Every test that docs/threat-model.md and docs/audit.md name exists, and every file of attacks is named."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("threat-model.md", "audit.md")


def named(text):
    """(file, test) of Python and of R, and the tests of GoogleTest."""
    scripts = re.findall(r"`((?:python/)?tests/[\w/]+_test\.py)(?:::(test_\w+))?`", text) + re.findall(r"`(r/tests/testthat/[\w-]+\.R)::([^`]+)`", text)
    return set(scripts), set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text))


def has(file, test):
    path = ROOT / file
    begins = f'\ntest_that("{test}", ' if path.suffix == ".R" else f"\ndef {test}("
    return path.exists() and (not test or begins in "\n" + path.read_text())


def missing(text):
    """The names in a text that no file has."""
    scripts, units = named(text)
    found = [name for name in scripts if not has(*name)]
    sources = "".join(path.read_text() for folder in ("fugu", "apps", "tests") for path in (ROOT / folder).rglob("*_test.cc"))
    declared = {f"{suite}.{name}" for suite, name in re.findall(r"(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)", sources)}
    return found + sorted(units - declared)


def test_every_named_test_exists():
    for page in PAGES:
        text = (ROOT / "docs" / page).read_text()
        assert len(named(text)[1]) > 3
        assert missing(text) == []


def test_every_attack_is_in_the_threat_model():
    text = (ROOT / "docs" / "threat-model.md").read_text()
    for path in sorted((ROOT / "tests" / "attacks").glob("*_test.py")):
        assert f"`tests/attacks/{path.name}::" in text, path.name


def test_a_name_without_a_test_is_seen():
    assert missing("`tests/attacks/none_test.py::test_x`, `AuditFault.NoSuchThing`, `SecureRandom.KnownAnswer`") == [
        ("tests/attacks/none_test.py", "test_x"), "AuditFault.NoSuchThing"]
    for name in ("tests/cli/release_test.py::test_no_such_thing", "python/tests/kept_test.py::test_no_such_thing", "r/tests/testthat/test-release.R::no such thing"):
        assert missing(f"`{name}`") == [tuple(name.split("::"))]


def test_security_points_to_it():
    assert "docs/threat-model.md" in (ROOT / "SECURITY.md").read_text()
