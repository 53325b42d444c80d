"""What scripts/mutate draws from: faults where there is code, none in comments, texts, directives and templates' brackets."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mutants  # noqa: E402


def changes(text, vocabulary=()):
    """Every mutant of a text, as the text it makes."""
    text += "\n"
    return [mutant.apply(text).strip() for mutant in mutants.mutants("x.cc", text, set(vocabulary))]


def test_comparisons_arithmetic_and_logic():
    assert changes("{ if (a < b && !c) d = e * f; }") == [
        "{ if (a <= b && !c) d = e * f; }",
        "{ if (a < b || !c) d = e * f; }",
        "{ if (a < b && c) d = e * f; }",
        "{ if (a < b && !c) ; }",
        "{ if (a < b && !c) d = e / f; }",
    ]


def test_numbers_and_truths():
    assert changes("f(0, 1u, 7, true, -x, 1.5, 0x10)") == [
        "f(1, 1u, 7, true, -x, 1.5, 0x10)",
        "f(0, 0u, 7, true, -x, 1.5, 0x10)",
        "f(0, 2u, 7, true, -x, 1.5, 0x10)",
        "f(0, 1u, 8, true, -x, 1.5, 0x10)",
        "f(0, 1u, 7, false, -x, 1.5, 0x10)",
        "f(0, 1u, 7, true, x, 1.5, 0x10)",
    ]


def test_opposites_are_names_that_exist():
    assert changes("r(x.upper(), round_up(y), MPFR_RNDD)", {"lower", "MPFR_RNDU"}) == [
        "r(x.lower(), round_up(y), MPFR_RNDD)",
        "r(x.upper(), round_up(y), MPFR_RNDU)",
    ]


def test_what_is_no_code_stays():
    for text in (
        "a;  // b < 0 && c",
        "/* 1 + 1\n && */ a",
        'a("1 < 0 \\" && 1 + 1")',
        'a(R"x(1 < 0)" + )x")',
        "a(b, '0')",
        "#include <a0/1.h>",
        "#define A \\\n  1 + 1",
        "template <typename T> std::vector<T>& a(std::map<A, B>&& b, C* c)",
        'b = "a" + c',
        "bool operator< (a)",
        "a <=> b",
    ):
        assert changes(text) == [], text


def test_statements_are_dropped_whole():
    assert changes("{ if (a) return b; c(); int d; for (e) f += {g}; throw h; }") == [
        "{ if (a) ; c(); int d; for (e) f += {g}; throw h; }",
        "{ if (a) return b; ; int d; for (e) f += {g}; throw h; }",
        "{ if (a) return b; c(); ; for (e) f += {g}; throw h; }",
        "{ if (a) return b; c(); int d; for (e) ; throw h; }",
        "{ if (a) return b; c(); int d; for (e) f -= {g}; throw h; }",
        "{ if (a) return b; c(); int d; for (e) f += {g}; ; }",
    ]


def test_lines_stay_where_they_are():
    text = "{\n  a(b,\n    c);\n  d(1);\n}\n"
    for mutant in mutants.mutants("x.cc", text, set()):
        assert mutant.apply(text).count("\n") == text.count("\n")
    assert [mutant.line for mutant in mutants.mutants("x.cc", text, set())] == [2, 4, 4, 4]


def listing(*words):
    return subprocess.run([ROOT / "scripts" / "mutate", "--list", *words], capture_output=True, text=True)


def test_the_list_names_every_room_and_one_line():
    whole = listing().stdout
    for room in ("calibrate", "compose", "proof", "rows", "sample", "verify"):
        assert f"fugu/{room}/" in whole
    assert "_test.cc" not in whole
    line = next(line.split()[0] for line in whole.splitlines() if line.startswith("fugu/verify/"))
    assert {found.split()[0] for found in listing("--only", line).stdout.splitlines() if found.startswith("fugu")} == {line}
    nothing = listing("--only", "fugu/verify/none.cc")
    assert (nothing.returncode, nothing.stderr) == (1, "mutate: there is no such mutant\nhint: --list prints those there are\n")
