"""The R packages, in a Debian that has R: the source package is whole, and the binary one runs the three commands."""

import tarfile

import pytest
from machine import DIST, artefact, output_of
from three_commands import ROWS, TABLE, check_released

SCRIPT = f"""
library(fugu)
people <- read.csv("{TABLE}", stringsAsFactors = TRUE)
plan <- calibrate(scenario(people, secret = "race", public = "occupation"), epsilon = 0.5)
write_plan(plan, "plan.json")
verify("plan.json")
released <- release(people, plan)
stopifnot(identical(names(released), "occupation"), nrow(released) == {ROWS}, is.factor(released$occupation))
write.csv(released, "out.csv", row.names = FALSE, quote = FALSE)
estimate(released, statement(plan))
"""


@pytest.fixture
def binary():
    if not list(DIST.glob("fugu_*_R_*.tar.gz")):
        pytest.skip("dist/ holds no R package")
    return artefact("fugu_*_R_*.tar.gz")


def test_the_three_commands_from_r(machine, demo, plan, binary):
    debian = machine("r", "r-base-core")
    debian.run("mkdir", "-p", "fugu-demo")
    debian.write(TABLE, (demo / "adult-occupation.csv").read_text())
    # The libraries that the package needs are those of the Debian package.
    debian.install(f"/mnt/{artefact('*_amd64.deb').name}")
    debian.run("R", "CMD", "INSTALL", f"/mnt/{binary.name}")
    debian.write("three.R", SCRIPT)
    assert "Adm-clerical" in debian.run("Rscript", "three.R")
    check_released(debian.read("out.csv"))
    assert debian.read("plan.json") == plan


def test_the_source_package_carries_the_core(binary):
    source = binary.name.split("_R_")[0] + ".tar.gz"
    with tarfile.open(DIST / source) as tar:
        names = tar.getnames()
    assert "fugu/inst/LICENSE" in names
    assert "fugu/DESCRIPTION" in names and "fugu/tools/core.tar.xz" in names
    assert output_of("tar", "-xzOf", DIST / source, "fugu/DESCRIPTION").startswith("Package: fugu\n")


def test_the_binary_package_carries_the_licences_and_needs_no_libpq(binary, tmp_path):
    with tarfile.open(binary) as tar:
        tar.extractall(tmp_path)
    notice = (tmp_path / "fugu" / "NOTICE").read_text()
    assert all(f"\n{library}\n" in notice for library in ("r-cran-cpp11", "libeigen3-dev", "liblemon-dev"))
    assert "Apache License" in (tmp_path / "fugu" / "LICENSE").read_text()
    needed = output_of("objdump", "-p", tmp_path / "fugu" / "libs" / "fugu.so")
    assert "libmpfi.so" in needed and "libpq" not in needed
