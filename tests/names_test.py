"""Every type has a name of its own: two types of one name in one namespace are undefined behaviour."""

import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

SKIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^\s*#(?:\\\n|[^\n])*',
    re.S | re.M,
)
PIECE = re.compile(
    r"namespace\s+(?P<space>(?:inline\s|[\w:])*?)\s*\{"
    r"|(?:struct|class|enum(?:\s+class)?)\s+(?:alignas\([^)]*\)\s*)?(?P<type>[A-Za-z_]\w*)\b(?!\s*::)(?=[^;{}()=]*\{)"
    r"|using\s+(?P<alias>\w+)\s*="
    r"|(?P<brace>[{}])"
)
TEMPLATE = re.compile(r"template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")


def named_types(text):
    """The full name of every type that `text` defines outside functions, types and unnamed namespaces."""
    text = TEMPLATE.sub(" ", SKIPPED.sub(" ", text))
    scopes, found = [], []
    for piece in PIECE.finditer(text):
        if piece["space"] is not None:
            scopes.append(piece["space"].replace("inline ", "") or "(unnamed)")
        elif piece["type"] or piece["alias"]:
            if None not in scopes and "(unnamed)" not in scopes:
                found.append("::".join([*scopes, piece["type"] or piece["alias"]]))
        elif piece["brace"] == "{":
            scopes.append(None)
        elif scopes:
            scopes.pop()
    return found


def defined_twice(files):
    places = collections.defaultdict(list)
    for path, text in files:
        for name in named_types(text):
            places[name].append(path)
    return {name: where for name, where in places.items() if len(where) > 1}


def sources():
    for folder in ("fugu", "apps", "python/src", "tests", "bench"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield str(path.relative_to(ROOT)), path.read_text()


def test_every_type_has_a_name_of_its_own():
    assert defined_twice(sources()) == {}


def strays(files):
    """(file, namespace) wherever a source of a room opens another namespace than its room's own."""
    found = []
    for path, text in files:
        parts = pathlib.PurePath(path).parts
        if parts[0] == "fugu" and len(parts) == 3 and not path.endswith("_test.cc"):
            for space in re.findall(r"^namespace (fugu\b[^{]*) \{", text, re.M):
                if space != f"fugu::inline in_{parts[1]}":
                    found.append((path, space))
    return found


def test_every_room_has_a_namespace_of_its_own():
    assert strays(sources()) == []
    assert strays([("fugu/law/a.h", "namespace fugu {\n"), ("fugu/law/b.h", "namespace fugu::inline in_core {\n")]) == [
        ("fugu/law/a.h", "fugu"), ("fugu/law/b.h", "fugu::inline in_core")]


def test_the_reader_finds_types():
    found = named_types((ROOT / "fugu/audit/row_pairs.h").read_text())
    assert found == ["fugu::in_audit::TestedEvent"]
    assert "fugu::in_models::CrowdQuery" in named_types((ROOT / "fugu/models/crowd_scenario.h").read_text())
    assert len([name for _, text in sources() for name in named_types(text)]) > 300


def test_a_name_used_twice_is_seen():
    one = "namespace fugu {\n// A note: it's {\nstruct A { struct Inner {}; };\n}\n"
    two = "namespace fugu {\nnamespace { struct B {}; }\ntemplate <class T> class A final : public C<T> {};\n}\n"
    assert defined_twice([("a.h", one), ("b.cc", two)]) == {"fugu::A": ["a.h", "b.cc"]}
    room = "namespace fugu::inline in_law {\nstruct A {};\n}\n"
    assert defined_twice([("a.h", room), ("b.h", room)]) == {"fugu::in_law::A": ["a.h", "b.h"]}
    assert defined_twice([("a.h", room), ("b.h", room.replace("law", "core"))]) == {}
    assert defined_twice([("a.h", one), ("b.cc", "namespace fugu::cli { enum class A { kX }; }")]) == {}
    assert defined_twice([("a.h", one), ("b.cc", "namespace fugu { void f() { struct A {}; } }")]) == {}
    assert defined_twice([("a.h", one), ("b.cc", "namespace fugu { struct A; using D = int; }")]) == {}
    assert defined_twice([("a.h", one), ("b.cc", "namespace fugu { using A = int; }")]) != {}
