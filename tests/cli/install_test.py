"""What `make install` puts in place serves: the program, its pages, and find_package(fugu) from a program elsewhere."""
import pathlib
import shutil
import subprocess

import pytest

from conftest import PROGRAM, ROOT, SANITIZED

BUILD = pathlib.Path(PROGRAM).resolve().parent
READY = (BUILD / "cmake_install.cmake").exists() and (BUILD / "pages" / "fugu.1").exists() and shutil.which("cmake")
pytestmark = [pytest.mark.skipif(not READY, reason="the build folder has not all that is installed"),
              pytest.mark.skipif(SANITIZED, reason="a program elsewhere is not linked with the sanitizer")]


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, done
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


def test_program_and_pages(prefix):
    assert run(prefix / "bin" / "fugu", "--version").startswith("fugu ")
    for page in ("man/man1/fugu.1", "bash-completion/completions/fugu", "zsh/site-functions/_fugu",
                 "fish/vendor_completions.d/fugu.fish"):
        assert (prefix / "share" / page).stat().st_size > 500
    assert (prefix / "share/man/man1/fugu.1").read_text() == run(PROGRAM, "--man")


def test_the_package_holds_no_path_of_this_machine(prefix):
    for file in prefix.glob("lib*/**/cmake/fugu/*.cmake"):
        for path in (str(ROOT), str(BUILD), str(prefix), "/usr/lib"):
            assert path not in file.read_text(), file


def test_a_program_elsewhere_finds_the_library(prefix, tmp_path):
    source = tmp_path / "source"
    shutil.copytree(ROOT / "examples" / "library", source)
    run("cmake", "-S", source, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Debug")
    run("cmake", "--build", tmp_path / "build")
    said = run(tmp_path / "build" / "example", ROOT / "examples" / "song-second.json")
    assert said.startswith("scale 1.15") and "loss at most 1" in said


def test_every_header_is_installed(prefix):
    wanted = {path.relative_to(ROOT) for path in (ROOT / "fugu").rglob("*.h")}
    found = {path.relative_to(prefix / "include") for path in (prefix / "include").rglob("*.h")}
    assert found == wanted
