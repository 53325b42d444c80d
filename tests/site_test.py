"""Every link in the documents leads somewhere, every page is in the site's navigation, and the site loads nothing from elsewhere."""

import importlib.machinery
import importlib.util
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"])
NAVIGATION = re.findall(r"^ +- [^:\n]+: (\S+)$", (ROOT / "mkdocs.yml").read_text().split("\nnav:\n")[1], flags=re.M)


def prose(text):
    """The text without its code."""
    text = re.sub(r"^(```+).*?^\1$", "", text, flags=re.S | re.M)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", lambda code: "x" * len(code[0]), text, flags=re.S)


def heading_text(heading):
    """What a heading shows: links by their words, code without its marks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")


def anchors(text):
    """The anchors of a page that both the usual hosts and MkDocs make: they differ in how they join words."""
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", re.sub(r"^(```+).*?^\1$", "", text, flags=re.S | re.M), flags=re.M):
        words = heading_text(heading).lower()
        host = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        site = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", words.encode("ascii", "ignore").decode()).strip())
        number = seen[host] = seen.get(host, -1) + 1
        if host == site:
            found.add(f"{host}-{number}" if number else host)
    return found


def links(text):
    """The targets of all links and pictures, but for those to other hosts."""
    found = re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", prose(text)) + re.findall(r"^\[[^\]]+\]:\s*(\S+)", prose(text), flags=re.M)
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def broken(page, text, read=lambda path: path.read_text()):
    """(page, target) of every link that leads nowhere."""
    found = []
    for target in links(text):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.is_file() or (anchor and there.suffix == ".md" and anchor not in anchors(text if there == page else read(there))):
            found.append((str(page.relative_to(ROOT)), target))
    return found


def test_every_link_leads_somewhere():
    assert sum(len(links(page.read_text())) for page in PAGES) > 200
    assert [link for page in PAGES for link in broken(page, page.read_text())] == []


def test_a_broken_link_is_seen():
    page = ROOT / "docs" / "tables.md"
    text = "# One thing\n\n[a](columns.md) [b](#one-thing) ![c](tables.svg) `[d](none.md)` [e](https://example.org/x)\n"
    assert broken(page, text) == []
    for wrong in ("[a](none.md)", "[a](#no-thing)", "[a](columns.md#no-thing)", "![a](none.svg)", "[a](schema)", "[a]: none.md"):
        assert len(broken(page, f"# One thing\n\n{wrong}\n")) == 1, wrong


def test_an_anchor_is_one_that_hosts_and_site_agree_on():
    assert anchors("## 9. What: `x`\n## A `--flag` of [b](c)\n## Same\n## Same\n```\n## code\n```\n") == {"9-what-x", "same", "same-1"}


def in_navigation(pages, navigation):
    """(pages that are in no place of it, entries that are no page)."""
    folders = tuple(entry[:-1] for entry in navigation if entry.endswith("/*"))
    return ([page for page in pages if page not in navigation and not page.startswith(folders)],
            [entry for entry in navigation if entry not in pages and not entry.endswith("/*")])


def test_every_page_is_in_the_navigation():
    assert in_navigation([str(page.relative_to(ROOT)) for page in PAGES], NAVIGATION) == ([], [])
    assert in_navigation(["a.md", "b/c.md", "d.md"], ["a.md", "b/*", "e.md"]) == (["d.md"], ["e.md"])


def site():
    loader = importlib.machinery.SourceFileLoader("site_script", str(ROOT / "scripts" / "site"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_script", loader))
    loader.exec_module(module)
    return module


def test_what_is_loaded_from_elsewhere_is_seen():
    loads = site().loads
    for text in ('<script src="https://cdn.example/x.js">', "<link rel=stylesheet href=//fonts.example/a.css>", '<img alt="a" src="http://a.example/b.png">',
                 "a { background: url(https://a.example/b.png) }", '@import "https://a.example/b.css";', 'fetch("https://a.example/")'):
        assert len(loads(text)) == 1, text
    for text in ('<a href="https://example.org">x</a>', '<script src="js/x.js">', "url(../fonts/a.woff)", '<svg xmlns="http://www.w3.org/2000/svg">'):
        assert loads(text) == [], text
