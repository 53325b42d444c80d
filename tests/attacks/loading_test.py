"""What the program loads while it runs, and from where: somebody who may write in its folder offers a library of the right name.

The defences: no path of its own to look for libraries, and libpq by its plain name, when PostgreSQL is read and not before
(fugu/database/libpq.cc). A search path in the program makes test_the_program_has_no_path_of_its_own_for_libraries fail, loading
`./libpq.so.5` test_no_library_of_the_folder_is_loaded. What the packages hold and run when they are installed is in tests/dist.
"""

import re
import shutil
import subprocess

import pytest

from conftest import PROGRAM, ROOT, SANITIZED

TABLE = "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 5}\n" for k in range(60))


@pytest.fixture
def planted(fugu):
    """A library that leaves a file behind when it is loaded."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no compiler")
    fugu.write("planted.c", '#include <fcntl.h>\n__attribute__((constructor)) static void mark(void) { open("loaded", O_CREAT | O_WRONLY, 0600); }\n')
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "libpq.so.5", "planted.c"], cwd=fugu.folder, check=True)
    fugu.write("in.csv", TABLE)
    return fugu


ASK_POSTGRES = ("inspect", "postgresql://nobody@127.0.0.1:1/none", "--table", "t")


def loads_it(fugu, *words, **environment):
    fugu(*words, **environment)
    found = fugu.folder / "loaded"
    loaded = found.exists()
    found.unlink(missing_ok=True)
    return loaded


def test_no_library_of_the_folder_is_loaded(planted):
    assert loads_it(planted, *ASK_POSTGRES, LD_LIBRARY_PATH=str(planted.folder)), "the control"
    assert not loads_it(planted, *ASK_POSTGRES)
    # Nor any libpq where nothing of PostgreSQL is asked for.
    assert not loads_it(planted, "inspect", "in.csv", LD_LIBRARY_PATH=str(planted.folder))
    assert not loads_it(planted, "--version", LD_LIBRARY_PATH=str(planted.folder))


@pytest.mark.skipif(SANITIZED or not shutil.which("objdump"), reason="needs objdump, and the program as it is handed out")
def test_the_program_has_no_path_of_its_own_for_libraries():
    told = subprocess.run(["objdump", "-p", PROGRAM], check=True, capture_output=True, text=True).stdout
    assert re.search(r"^\s+NEEDED\s", told, re.M) and not re.search(r"^\s+(RPATH|RUNPATH)\s", told, re.M)


def test_the_core_loads_nothing_else():
    """Nor does it start a program."""
    loads = re.compile(r"\b(dlm?open|system|popen|exec[lv]p?e?|posix_spawnp?)\(")
    sources = [path for path in (ROOT / "fugu").rglob("*") if path.suffix in (".h", ".cc")]
    assert [str(path.relative_to(ROOT)) for path in sources if loads.search(path.read_text())] == ["fugu/database/libpq.cc"]
