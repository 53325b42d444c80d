"""The static program, in a Debian without anything."""

import re
import tarfile

import pytest
from machine import ROOT, artefact, output_of
from three_commands import plan_of, run_three_commands

POSTGRES = ("calibrate", "postgresql://nobody@127.0.0.1:1/none", "--table", "people", "--secret", "race", "--public", "job", "--epsilon", "1")


def install_tarball(debian):
    debian.run("tar", "-C", "/usr/local", "--strip-components=1", "-xzf", f"/mnt/{artefact('*-linux-x86_64.tar.gz').name}")


@pytest.fixture
def unpacked(tmp_path):
    with tarfile.open(artefact("*-linux-x86_64.tar.gz")) as tar:
        tar.extractall(tmp_path / "unpacked")
    return next((tmp_path / "unpacked").iterdir())


def test_three_commands_run_where_nothing_is_installed(machine, plan):
    debian = machine()
    before = debian.files()
    install_tarball(debian)
    run_three_commands(debian.fugu, debian.read)
    assert plan_of(debian.fugu, debian.read) == plan
    new = debian.files() - before
    assert all(name.startswith("/usr/local/") for name in new)
    assert {"/usr/local/bin/fugu", "/usr/local/share/man/man1/fugu.1", "/usr/local/share/doc/fugu/NOTICE"} <= new


def test_postgresql_needs_libpq_and_says_so(machine):
    debian = machine()
    install_tarball(debian)
    said = debian.fugu(*POSTGRES, status=5)
    assert said.splitlines() == ["fugu: PostgreSQL is read with libpq, which this machine does not have", "hint: apt-get install libpq5"]
    debian.install("libpq5")
    assert "Connection refused" in debian.fugu(*POSTGRES, status=5)


def test_it_needs_the_c_library_alone_of_the_version_that_the_page_says(unpacked):
    program = unpacked / "bin" / "fugu"
    needed = set(re.findall(r"NEEDED\s+(\S+)", output_of("objdump", "-p", program)))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
    versions = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", output_of("objdump", "-T", program))}
    page = (ROOT / "docs" / "install.md").read_text()
    assert "glibc {}.{} or newer".format(*max(versions)) in page


def test_no_path_of_the_machine_that_built_it_is_inside(unpacked):
    program = (unpacked / "bin" / "fugu").read_bytes()
    for path in {str(ROOT), str(ROOT.resolve()), "/home/", "/root/"}:
        assert path.encode() not in program, path


def test_licences_of_all_that_is_inside_are_there(unpacked):
    notice = (unpacked / "share/doc/fugu/NOTICE").read_text()
    for library in ("libgmp-dev", "libmpfr-dev", "libmpfi-dev", "libssl-dev", "libtbb12", "libsqlite3-dev", "coinor-libclp-dev", "libeigen3-dev"):
        assert f"\n{library}\n" in notice, library
    assert "Apache License" in (unpacked / "share/doc/fugu/LICENSE").read_text()


def test_whoever_packs_it_gets_the_same_bytes(tmp_path):
    again = tmp_path / "again.tar.gz"
    version = re.search(r"fugu-([\d.]+)-linux", artefact("*-linux-x86_64.tar.gz").name)[1]
    epoch = output_of("git", "-C", ROOT, "log", "-1", "--format=%ct").strip()
    for name, pattern in (("tarball", "*-linux-x86_64.tar.gz"), ("oci", "*-oci.tar"), ("deb", "*.deb")):
        output_of(ROOT / "packaging" / name, ROOT / "build", version, again, env={"SOURCE_DATE_EPOCH": epoch, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        assert again.read_bytes() == artefact(pattern).read_bytes(), name
