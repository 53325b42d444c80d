"""Noise comes from SecureRandom alone: no other generator, no seed and no test's way in is named in the library or the program."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORBIDDEN = re.compile(
    r"seeded_words|SeededWords|mt19937|minstd_rand|ranlux|random_device|default_random_engine|uniform_\w+_distribution"
    r"|\bs?rand(om)?\s*\(|\b[djlmn]rand48\s*\(|#include\s*<random>|SecureRandomProbe"
)
# The one line that lets this room's tests in, as a friend that the library never defines.
ALLOWED = {"fugu/sample/random.h": r"^  friend struct SecureRandomProbe;.*$"}


def breaches(files):
    found = []
    for path, text in files:
        text = re.sub(ALLOWED.get(path, r"(?!)"), "", text, flags=re.M)
        found += [(path, match.group()) for match in FORBIDDEN.finditer(text)]
    return found


def sources():
    for folder in ("fugu", "apps"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cc") and not path.name.endswith("_test.cc"):
                yield str(path.relative_to(ROOT)), path.read_text()


def test_no_other_generator():
    assert breaches(sources()) == []


def test_the_friend_is_there():
    assert re.search(ALLOWED["fugu/sample/random.h"], (ROOT / "fugu/sample/random.h").read_text(), re.M)


def test_a_breach_is_seen():
    for text in ('#include "tests/support/seeded_words.h"', "SeededWords words(1);", "std::mt19937_64 engine;",
                 "struct SecureRandomProbe {};", "int k = rand();", "#include <random>"):
        assert breaches([("fugu/release/a.cc", text)]) != []
    assert breaches([("fugu/sample/random.h", "struct SecureRandomProbe {};\n")]) != []
    assert breaches([("fugu/release/a.cc", "SecureRandom random;  // operand(1)")]) == []
