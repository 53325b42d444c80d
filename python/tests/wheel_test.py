"""The wheel needs nothing of the machine but Python and the C and C++ runtimes, and keeps its symbols to itself."""

import importlib.metadata
import json
import pathlib
import platform
import re
import subprocess
import sys

import pytest

import fugu

PACKAGE = pathlib.Path(fugu.__file__).parent
RUNTIME = re.compile(r"(ld-linux[-\w]*|lib(c|m|stdc\+\+|gcc_s|pthread|dl|rt))\.so(\.\d+)*")


def read_dynamic(path):
    """(needed, soname, runpath) of a shared object, as binutils reads them."""
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    fields = re.findall(r"\((NEEDED|SONAME|RUNPATH|RPATH)\)[^\[]*\[([^\]]*)\]", text)
    return [[value for name, value in fields if name in names] for names in (("NEEDED",), ("SONAME",), ("RUNPATH", "RPATH"))]


def objects():
    found = sorted(PACKAGE.rglob("*.so*"))
    assert any(path.name.startswith("_core") for path in found)
    return found


def not_in_the_wheel(needed, path):
    beside = {file.name for file in (PACKAGE / "_libs").glob("*")}
    return [name for name in needed if not RUNTIME.fullmatch(name) and name not in beside]


def test_it_is_the_wheel_that_is_tested():
    assert "site-packages" in str(PACKAGE)


@pytest.mark.parametrize("path", objects(), ids=lambda path: path.name)
def test_a_shared_object_needs_the_wheel_and_the_runtimes_only(path):
    needed, soname, runpath = read_dynamic(path)
    assert not_in_the_wheel(needed, path) == []
    if path.parent.name == "_libs":
        assert soname == [path.name], "the loader tells libraries apart by this name"
        assert re.search(r"-[0-9a-f]{8}\.so", path.name), "no other copy in the process has this name"
        assert runpath == ["$ORIGIN"]
    else:
        assert runpath == ["$ORIGIN/_libs"]


def test_a_stranger_would_be_seen():
    assert not_in_the_wheel(["libc.so.6", "libfmt.so.9", "libcrypto.so.3"], PACKAGE) == ["libfmt.so.9", "libcrypto.so.3"]


def test_the_module_shows_its_entry_alone():
    module = next(PACKAGE.glob("_core*.so"))
    text = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
    assert [line.split()[-1] for line in text.splitlines()] == ["PyInit__core"]


# What Python's own modules need is Python's affair: those that the package imports are imported before.
MAPPED = """
import importlib, json, re, sys
def mapped():
    return {line.split()[-1] for line in open("/proc/self/maps") if re.search(r"\\.so(\\.|$)", line)}
for name in sys.argv[1:]:
    importlib.import_module(name)
before = mapped()
import fugu
standard = [name for name in sys.modules if name.partition(".")[0] in sys.stdlib_module_names and name != "__main__"]
print(json.dumps([fugu.__file__, sorted(mapped() - before), standard]))
"""


def import_alone(folder, *before):
    said = subprocess.run([sys.executable, "-I", "-B", "-c", MAPPED, *before], env={"PATH": str(folder)}, cwd=folder,
                          capture_output=True, text=True, check=True).stdout
    return json.loads(said)


def test_it_is_imported_where_there_is_nothing_else(tmp_path):
    _, _, standard = import_alone(tmp_path)
    file, loaded, _ = import_alone(tmp_path, *standard)
    assert pathlib.Path(file).parent == PACKAGE
    assert any("_core" in path for path in loaded)
    strangers = [path for path in map(pathlib.Path, loaded)
                 if not path.is_relative_to(PACKAGE) and not RUNTIME.fullmatch(path.name)]
    assert strangers == []


ORDERS = [["fugu", "numpy", "pyarrow", "duckdb", "sqlite3", "ssl"], ["ssl", "sqlite3", "duckdb", "pyarrow", "numpy", "fugu"]]
TOGETHER = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
import hashlib, numpy, pyarrow, sqlite3, ssl, zlib, fugu
assert zlib.decompress(zlib.compress(b"x" * 1000)) == b"x" * 1000
assert sqlite3.connect(":memory:").execute("select 6 * 7").fetchone() == (42,)
assert numpy.allclose(numpy.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 4.0]), [1.0, 1.0])
assert pyarrow.decompress(pyarrow.compress(b"y" * 99, codec="zstd", asbytes=True), 99, codec="zstd", asbytes=True) == b"y" * 99
ssl.create_default_context()
try:
    fugu._core.raise_error(3, "a", "b")
except fugu.DataError as error:
    print(error.message)
"""


@pytest.mark.parametrize("order", ORDERS, ids=["first", "last"])
def test_it_lives_beside_modules_that_bring_the_same_libraries(order):
    said = subprocess.run([sys.executable, "-I", "-B", "-c", TOGETHER, *order], capture_output=True, text=True, check=True).stdout
    assert said == "a\n"


def test_the_wheel_says_which_linux_it_needs():
    """As auditwheel found it: pip installs it wherever glibc is no older, and index and file name agree."""
    files = {file.name: file for file in importlib.metadata.files("fugu-privacy") or []}
    tags = re.findall(r"^Tag: (\S+)$", files["WHEEL"].read_text(), re.M)
    assert tags and all(re.fullmatch(rf"cp3\d+-(cp3\d+|abi3)-manylinux_2_\d+_{platform.machine()}", tag) for tag in tags), tags
    python, abi, _ = tags[0].split("-")
    assert (abi == "abi3") == (sys.version_info >= (3, 12)), "one wheel for every Python from 3.12 on"
    assert next(PACKAGE.glob("_core*.so")).name == ("_core.abi3.so" if abi == "abi3" else f"_core.cpython-{python[2:]}-{platform.machine()}-linux-gnu.so")


def test_it_carries_neither_libpq_nor_parts_of_glibc():
    """A part of another glibc than the process has does not load."""
    stems = {re.sub(r"[-.].*", "", path.name) for path in (PACKAGE / "_libs").iterdir()}
    assert "libfmt" in stems
    assert stems & {"libpq", "libldap", "libkrb5", "libssl", "libresolv", "libnsl", "libcrypt", "libanl", "libc"} == set()


def test_the_wheel_depends_on_no_package():
    requires = importlib.metadata.requires("fugu-privacy") or []
    assert [line for line in requires if "extra ==" not in line] == []


def test_the_licences_of_what_is_inside_are_inside():
    files = {file.name: file for file in importlib.metadata.files("fugu-privacy") or []}
    assert "Apache License" in files["LICENSE"].read_text()
    notice = files["NOTICE"].read_text()
    for words in ("nanobind", "Boost Software License", "GNU LESSER GENERAL PUBLIC LICENSE"):
        assert words in notice
    assert "has no licence text" not in notice
