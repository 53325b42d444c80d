"""docs/words.md: what people read keeps to one word for one thing."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("FUGU", str(ROOT / "build" / "fugu"))
# The words of plans are proved and compared: they stay what they were.
ROOMS = ("ask", "audit", "compose", "count", "csv", "database", "estimate", "file", "inspect", "ledger", "preview", "release",
         "report", "rows", "run", "table")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|`(?:\\.|[^`\\])*`|^\s*#[^\n]*', re.S | re.M)


def unused():
    """(word, the words that it replaces)."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]*)\|$", (ROOT / "docs" / "words.md").read_text(), re.M)
    return [(word, [old.strip() for old in olds.split(",") if old.strip()]) for word, olds in rows[1:]]


def sentences(text):
    """Texts of three words or more in a source; pieces that stand beside each other are one."""
    found, end = [], 0
    for token in TOKEN.finditer(text):
        if token[0][0] in "\"`":
            if found and not text[end:token.start()].strip():
                found[-1] += token[0][1:-1]
            else:
                found.append(token[0][1:-1])
            end = token.end()
    return [one for one in found if len(re.findall(r"[A-Za-z]{2,}", one)) >= 3]


def texts():
    for folder in [*(f"fugu/{room}" for room in ROOMS), "apps", "page/src"]:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cc", ".ts") and not path.name.endswith("_test.cc"):
                yield from ((str(path.relative_to(ROOT)), one) for one in sentences(path.read_text()))


# Whose words are the mathematics', or which lists the words.
OTHER_PAGES = ("math.md", "words.md", "spark.md", "python.md", "theorems.md")


def prose(page):
    """A page in one line, without its code."""
    page = re.sub(r"^(```+).*?^\1$", "", page, flags=re.S | re.M)
    page = re.sub(r"^ {4,}.*$", "", page, flags=re.M)
    return re.sub(r"\s+", " ", re.sub(r"``.*?``|`[^`]*`", "", page))


def pages():
    paths = [ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))
    yield from ((str(path.relative_to(ROOT)), prose(path.read_text())) for path in paths if path.name not in OTHER_PAGES)


def strays(found):
    return [(where, old) for where, text in found for _, olds in unused() for old in olds
            if re.search(rf"\b{re.escape(old)}\b", text)]


def test_texts_keep_to_the_words():
    assert len(unused()) > 30
    found = list(texts())
    assert len(found) > 1500
    assert strays(found) == []


def test_the_help_keeps_to_the_words():
    page = subprocess.run([PROGRAM, "--man"], capture_output=True, text=True, check=True).stdout.replace("\\-", "-")
    assert strays([("man page", page)]) == []


def test_the_pages_keep_to_the_words():
    assert strays(pages()) == []


def test_a_command_stands_in_a_block():
    """A line of its own that begins with the program's name is an example that has lost its four blanks."""
    for path in sorted((ROOT / "docs" / "cli").glob("*.md")):
        text = re.sub(r"^(```+).*?^\1$", "", path.read_text(), flags=re.S | re.M)
        assert re.findall(r"^(?:echo .*\| )?fugu [a-z].*", text, re.M) == [], path


def test_a_stray_word_is_seen():
    source = 'f("the guarantee "\n  "is kept"); // a privacy budget\n'
    assert sentences(source) == ["the guarantee is kept"]
    assert strays([("a.cc", one) for one in sentences(source)]) == [("a.cc", "guarantee")]
    assert strays([("a.md", prose("What an\nattacker sees.\n\n    fugu policy\n\n`guarantee`"))]) == [("a.md", "attacker")]
