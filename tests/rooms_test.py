"""Every #include in fugu/, apps/, python/ and r/ is one that the table of rooms (rooms.txt) allows."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def read_table():
    direct = {}
    for line in (ROOT / "rooms.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            room, _, uses = line.partition(":")
            direct[room] = uses.split()
    return direct


def reachable(room, direct):
    seen, todo = {room}, [room]
    while todo:
        for used in direct[todo.pop()]:
            if used not in seen:
                seen.add(used)
                todo.append(used)
    return seen


def breaches(files, direct):
    """(file, included room) for every include that the table does not allow."""
    found = []
    for path, text in files:
        parts = pathlib.PurePath(path).parts
        room = parts[1] if parts[0] == "fugu" else parts[0]
        if parts[:2] == ("fugu", "fugu.h"):
            continue  # the umbrella
        is_test = path.endswith("_test.cc")
        for target in re.findall(r'^\s*#include\s*[<"]([^">]+)[">]', text, re.M):
            top, _, rest = target.partition("/")
            if top == "fugu":
                included = rest.split("/")[0]
            elif top in ("apps", "python", "tests"):
                included = top
            else:
                continue
            if included == "tests" and is_test:
                continue
            if included not in reachable(room, direct):
                found.append((path, included))
    return found


def sources():
    for folder in ("fugu", "apps", "python", "r"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield str(path.relative_to(ROOT)), path.read_text()


def test_no_include_breaks_the_table():
    assert breaches(sources(), read_table()) == []


# What crowds and chains are searched with. A mistake in it must not be made again by the proof.
SEARCH = ["crowd_law", "crowd_peak", "sliding_sum", "chain_law", "chain_loss", "quilt_loss", "influence"]


def names_of(header):
    """The types and functions that a header declares, outside of types."""
    return re.findall(r"^(?:class|struct) (\w+)|^[A-Za-z][\w:<>&*, ]* [&*]?(\w+)\(", header, re.M)


def shared_with_search(files, names):
    """(file, name) wherever a file names something that the search has."""
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b")
    return [(path, name) for path, text in files for name in sorted(set(pattern.findall(text)))]


def search_names():
    headers = [(ROOT / "fugu/calibrate" / (file + ".h")).read_text() for file in SEARCH]
    return sorted({type_ or function for header in headers for type_, function in names_of(header)})


def test_the_verifier_shares_nothing_with_the_search():
    below = reachable("verify", read_table())
    files = [(path, text) for path, text in sources() if pathlib.PurePath(path).parts[1] in below]
    assert len(files) > 100
    assert shared_with_search(files, search_names()) == []


def test_a_shared_name_is_seen():
    names = search_names()
    for name in ("SumLaw", "for_each_leave_one_out", "peak_of_kind", "ChainLaw", "ChainLoss", "best_quilts", "TimeLaws"):
        assert name in names
        assert shared_with_search([("fugu/verify/a.cc", f"auto x = {name}(y);")], names) == [("fugu/verify/a.cc", name)]
    assert shared_with_search([("fugu/verify/a.cc", "// chain_laws and SumLaws\n")], names) == []


def test_every_folder_is_in_the_table():
    rooms = {path.name for path in (ROOT / "fugu").iterdir() if path.is_dir()}
    assert rooms <= set(read_table())


def test_a_breach_is_seen():
    table = read_table()
    assert breaches([("fugu/core/a.h", '#include "fugu/plan/plan.h"\n')], table) == [("fugu/core/a.h", "plan")]
    assert breaches([("fugu/verify/a.cc", '#include "fugu/calibrate/methods.h"\n')], table) != []
    assert breaches([("fugu/core/a.cc", '#include "tests/support/x.h"\n')], table) != []
    assert breaches([("python/src/a.cc", '#include "apps/cli/options.h"\n')], table) != []
    assert breaches([("python/src/a.cc", '#include "python/src/errors.h"\n')], table) == []
    assert breaches([("fugu/verify/a.cc", '#include "fugu/scenario/scenario.h"\n')], table) == []


def test_the_trusted_base_stays_small():
    """What a verdict on a table's plan rests on; it was 7,828 lines in 87 files."""
    lines = int(subprocess.run([ROOT / "scripts" / "trusted-base", "--sum"], capture_output=True, text=True, check=True).stdout)
    assert 2_000 < lines <= 5_250


def test_the_proof_uses_no_thread_and_no_search():
    for room in ("proof", "law"):
        for path in (ROOT / "fugu" / room).glob("*"):
            assert not re.search(r"<thread>|<tbb/|oneapi|<mutex>|<random>|Clp|<Eigen|lemon/", path.read_text()), path
