"""One version everywhere: the build's, the changelog's and the citation's; and what the habits' files name exists."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))


def text(name):
    return (ROOT / name).read_text()


def built():
    return re.search(r"^project\(fugu VERSION (\S+)", text("CMakeLists.txt"), re.M)[1]


def test_the_program_is_of_this_version():
    said = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
    assert said.split()[-1] == built()


def test_the_changelog_begins_with_this_version_and_tells_how_to_upgrade():
    first, version = re.search(r"^## ((\S+) \((?:\d{4}-\d\d-\d\d|unreleased)\))$", text("CHANGELOG.md"), re.M).groups()
    assert version == built()
    section = text("CHANGELOG.md").split(f"## {first}\n")[1].split("\n## ")[0]
    assert "### Upgrading from" in section


def test_the_citation_is_of_this_version():
    citation = text("CITATION.cff")
    assert re.search(r"^version: (\S+)$", citation, re.M)[1] == built()
    released = re.search(r"^date-released: (\S+)$", citation, re.M)[1]
    assert f"## {built()} ({released})" in text("CHANGELOG.md") or "(unreleased)" in text("CHANGELOG.md").split("\n## ")[1]
    assert re.search(r"^license: (\S+)$", citation, re.M)[1] == re.search(r'^license = "(\S+)"$', text("pyproject.toml"), re.M)[1]


def test_both_hosts_run_the_gate_on_the_system_that_the_project_is_built_for():
    for name in (".github/workflows/ci.yml", ".gitlab-ci.yml"):
        workflow = text(name)
        assert re.search(r"^\s*(?:- (?:run: )?)\.ci/run$", workflow, re.M), name
        assert "debian:12" in workflow, name
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_links_and_targets_that_the_habits_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.M))
    for name in ("CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "docs/compatibility.md", ".github/pull_request_template.md"):
        page = text(name)
        for link in re.findall(r"\]\(([^)#:]+)\)", page):
            assert (ROOT / name).parent.joinpath(link).exists(), (name, link)
        assert set(re.findall(r"\bmake ([a-z-]+)", page)) <= targets, name


def test_addresses_of_maintainers_are_of_a_reserved_domain():
    """They are placeholders, and docs/install.md says so."""
    addresses = re.findall(r"[\w.]+@[\w.]+", text("packaging/control") + text("r/DESCRIPTION.in").split("Description:")[0])
    assert [address for address in addresses if "." in address] == ["fugu@example.org"] * 2
    assert "`fugu@example.org`" in text("docs/install.md")
