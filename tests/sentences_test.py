"""Sentences that were once untrue stay out, and what comments and pages name exists."""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
READ = (".md", ".h", ".cc", ".py", ".ts", ".ipynb", ".toml", ".txt", ".html", ".R", ".Rmd")
FOLDERS = ("fugu", "apps", "python", "r", "page/src", "docs", "examples", "bench", "scripts", "cmake")

# What is wrong with each: docs/math.md, sections 7 and 8.
UNTRUE = {
    "a release with other outputs may have less": r"(?:error|least) (?:that )?any\s+release|release of any kind|best release\s+of any",
    "optimal is the least symmetric noise": r"least noise of all\b",
}


def pages():
    yield from ((path.name, path.read_text()) for path in sorted(ROOT.glob("*.md")) if path.name != "CHANGELOG.md")
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in READ and path.is_file() and "node_modules" not in path.parts:
                yield str(path.relative_to(ROOT)), path.read_text()


def untrue(files):
    """(file, reason) for every sentence that is known to be untrue."""
    return [(path, reason) for path, text in files for reason, words in UNTRUE.items() if re.search(words, text)]


def test_no_page_holds_a_sentence_known_to_be_untrue():
    assert untrue(pages()) == []


def test_untrue_sentences_are_seen():
    for line in ("the least error that any\nrelease can have", "the best release of any kind", "`optimal` the least noise of all"):
        assert untrue([("a.md", line)]) != [], line
    assert untrue([("a.md", "`optimal` the least symmetric noise of all that are listed")]) == []


def comment_of(path, line):
    """The line's code and its comment; a page is all comment."""
    if path.endswith(".md"):
        return "", line
    mark = "#" if path.endswith((".py", ".R")) else "//"
    found = re.match(rf"(.*?)(?:^|\s){mark}(.*)$", line)
    return (found[1], found[2]) if found else (line, "")


def unknown_names(files):
    """(file, line, name) for every `name()` and kName that a comment or a page has and the code has not."""
    lines = [(path, number, *comment_of(path, line)) for path, text in files if path.endswith((".h", ".cc", ".py", ".R", ".ts", ".md"))
             for number, line in enumerate(text.splitlines(), 1)]
    code = "\n".join(line for _, _, line, _ in lines)
    called = set(re.findall(r"(\w+)\s*(?:<[^()\n]*>)?\(", code))
    words = set(re.findall(r"\w+", code))
    return [(path, number, name) for path, number, _, comment in lines
            for name, known in [(name, called) for name in re.findall(r"(?<![.\w/])(\w+)\(\)", comment)]
            + [(name, words) for name in re.findall(r"\b(k[A-Z]\w+)\b", comment)] if name not in known]


def test_comments_name_what_exists():
    assert unknown_names(pages()) == []


def test_an_unknown_name_is_seen():
    assert unknown_names([("a.h", "int f();  // kLost and g() of f()\n")]) == [("a.h", 1, "g"), ("a.h", 1, "kLost")]


def test_the_largest_epsilon_is_the_one_that_the_formats_name(tmp_path):
    stated = re.search(r"\| `epsilon` \| greater than 0, at most (\d+)\.", (ROOT / "docs" / "formats.md").read_text())[1]

    def status(epsilon):
        question = tmp_path / "scenario.json"
        law = {"values": [0, 1], "mass": [1, 2]}
        question.write_text(json.dumps({"epsilon": epsilon, "priors": [{"given": {"a": law, "b": {**law, "mass": [2, 1]}}}]}))
        return subprocess.run([PROGRAM, "calibrate", "--scenario", question], capture_output=True, check=False).returncode

    assert status(int(stated)) == 0
    assert status(int(stated) + 1) != 0
