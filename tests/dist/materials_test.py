"""Checksums, licences and the bill of materials of all that `make dist` makes."""

import json
import pathlib
import subprocess
import sys

import pytest
from machine import DIST, ROOT, artefact, output_of

sys.path.insert(0, str(ROOT / "packaging"))
import parts


@pytest.fixture(scope="module")
def document():
    return json.loads(artefact("*.spdx.json").read_text())


def related(document, kind):
    names = {one["SPDXID"]: one["name"] for one in document["packages"]}
    return {names[one["relatedSpdxElement"]] for one in document["relationships"] if one["relationshipType"] == kind}


def test_every_file_has_its_checksum():
    assert "FAILED" not in output_of("sha256sum", "--check", "SHA256SUMS", cwd=DIST)
    named = {line.split()[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    assert named == {file.name for file in DIST.iterdir()} - {"SHA256SUMS"}
    assert {"LICENSE", "NOTICE"} <= named


def test_the_bill_of_materials_is_valid():
    venv = ROOT / "build" / "dist-venv"
    subprocess.run([ROOT / "scripts" / "venv", venv, "packaging/requirements-test.txt"], check=True)
    output_of(venv / "bin" / "pyspdxtools", "--infile", artefact("*.spdx.json"))


def test_it_names_everything_that_the_linker_took(document):
    linked = related(document, "STATIC_LINK")
    assert {"gmp", "mpfr4", "mpfi", "openssl", "sqlite3", "onetbb", "fmtlib", "clp", "coinutils", "lapack", "zlib", "libzstd", "gcc-12"} <= linked
    taken = {parts.part(package, True).source for package in parts.linked_packages((ROOT / "build").resolve())}
    assert linked == taken
    assert {"boost1.74", "eigen3", "liblemon", "nlohmann-json3", "cli11"} <= related(document, "CONTAINS")


def test_versions_are_those_of_the_packages_that_were_linked(document):
    for one in document["packages"]:
        if one["name"] == "gmp":
            assert one["versionInfo"] == output_of("dpkg-query", "-W", "-f", "${source:Version}", "libgmp-dev")
            assert one["licenseDeclared"] == "LGPL-3.0-or-later OR GPL-2.0-or-later"
            return
    pytest.fail("no gmp")


def test_it_names_what_bundles_and_tests_the_pages(document):
    names = {one["SPDXID"]: one["name"] for one in document["packages"]}
    tools = {names[one["spdxElementId"]] for one in document["relationships"] if one["relationshipType"] == "BUILD_TOOL_OF"}
    assert tools == {"golang-github-evanw-esbuild"}
    wanted = json.loads((ROOT / "page" / "package.json").read_text())["devDependencies"]
    named = {one["name"]: one["versionInfo"] for one in document["packages"] if one["SPDXID"].startswith("SPDXRef-npm-")}
    assert wanted.items() <= named.items()


def test_a_library_whose_licence_nobody_looked_at_stops_it():
    with pytest.raises(SystemExit, match="packaging/licences.txt"):
        parts.part("bash", True)


def test_the_map_is_read_member_by_member(tmp_path):
    (tmp_path / "map").write_text("Archive member included to satisfy reference by file (symbol)\n\n"
                                  "/usr/lib/liba.a(one.o)\n              main.o (f)\n/usr/lib/libb.a(two.o)\n"
                                  "\nMemory Configuration\n\nLOAD /usr/lib/libc.a\n")
    assert parts.archives_in(tmp_path / "map") == {pathlib.Path("/usr/lib/liba.a"), pathlib.Path("/usr/lib/libb.a")}
