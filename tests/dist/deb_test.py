"""The Debian package: installed, used and removed."""

import re

from machine import artefact, output_of
from three_commands import plan_of, run_three_commands


def package():
    return artefact("*_amd64.deb")


def test_lintian_has_nothing_to_say():
    # A first upload to Debian's own archive closes a bug there. This one goes elsewhere.
    said = output_of("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "initial-upload-closes-no-bugs", package())
    assert said == ""


def test_it_is_installed_used_and_removed_without_a_trace(machine, plan):
    debian = machine()
    before = debian.files()
    debian.install(f"/mnt/{package().name}")
    assert debian.fugu("--version") == f"fugu {output_of('dpkg-deb', '-f', package(), 'Version').strip().removesuffix('-1')}\n"
    run_three_commands(debian.fugu, debian.read)
    assert plan_of(debian.fugu, debian.read) == plan
    assert "hint: apt-get install libpq5" in debian.fugu("inspect", "postgresql:///none", "--table", "people", status=5)
    new = debian.files() - before
    assert {"/usr/bin/fugu", "/usr/share/bash-completion/completions/fugu", "/usr/share/zsh/vendor-completions/_fugu",
            "/usr/share/fish/vendor_completions.d/fugu.fish", "/usr/share/doc/fugu/copyright"} <= new
    debian.run("apt-get", "purge", "--autoremove", "-y", "-qq", "fugu")
    assert debian.files() == before


def test_nothing_runs_when_it_is_installed():
    names = re.findall(r"\./(\S+)$", output_of("sh", "-c", f"dpkg-deb --ctrl-tarfile {package()} | tar -tf -"), re.M)
    assert sorted(names) == ["control", "md5sums"]


def test_no_file_has_rights_that_it_needs_not():
    for line in output_of("dpkg-deb", "-c", package()).splitlines():
        mode, owner, *_, name = line.split()
        assert owner == "root/root", line
        assert mode in ("drwxr-xr-x", "-rwxr-xr-x" if name == "./usr/bin/fugu" else "-rw-r--r--"), line
