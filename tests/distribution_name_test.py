"""The distribution is fugu-privacy. The project that is called fugu on the Python index is somebody else's, and no file tells anybody to install it."""

import pathlib
import re
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent

INSTALLERS = r"(?:pip[0-9.]*|pipx|uv|poetry|conda|mamba|pdm|rye)\s+(?:tool\s+)?(?:pip\s+)?(?:install|add|download|run|inject)\b"
NAME = r"(?<![\w./@-])fugu(?![\w./-])"
STRANGER = {
    "it installs the stranger's project": re.compile(rf"{INSTALLERS}(?:\\\n|[^\n;&|#`])*?{NAME}", re.I),
    "it names an extra of the stranger's project": re.compile(r"(?<![\w./@-])fugu\[[a-z][\w ,.-]*\]", re.I),
    "it requires the stranger's project": re.compile(r"^[\s\"'-]*fugu\s*(?:[=~<>!]=|[<>])\s*\d", re.M),
}


def tracked():
    """(path, text) of every file that git knows or would take; a picture has no text."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout
    for name in sorted(filter(None, listed.split("\0"))):
        path = ROOT / name
        if path.is_file() and path != pathlib.Path(__file__).resolve():
            data = path.read_bytes()
            if b"\0" not in data[:4096]:
                yield name, data.decode(errors="replace")


def strangers(files):
    """(file, line, reason) wherever somebody is told to install another project."""
    return [(name, text.count("\n", 0, found.start()) + 1, reason) for name, text in files for reason, words in STRANGER.items()
            for found in words.finditer(text)]


def test_no_file_tells_anybody_to_install_a_strangers_project():
    files = dict(tracked())
    for name in ("README.md", "docs/python.md", "docs/spark.md", "examples/fugu.ipynb", "python/fugu/spark.py", "pyproject.toml"):
        assert name in files, "the control: what people read first is looked at"
    assert strangers(files.items()) == []


def test_a_stranger_is_seen():
    for line in ("pip install fugu", "pip install 'fugu[spark]'", 'python -m pip install --upgrade "fugu"', "pip install pyspark fugu",
                 "%pip install -q fugu", "uv pip install fugu", "uv add fugu", "pipx install fugu", "pip install \\\n  fugu", "PIP INSTALL FUGU",
                 "`pip install fugu`", '"pip install fugu\\n"', "needs fugu[parquet]", "  fugu==0.1", '"fugu>=0.2"'):
        assert strangers([("a.md", line)]) != [], line
    for line in ("pip install .", "pip install '.[spark]'", "pip install fugu-privacy", "pip install 'fugu-privacy[spark]'",
                 "pip install dist/fugu_privacy-0.2.0.whl", "`pip install .` builds the package `fugu`", "cd fugu; pip install pyarrow", "fugu >= fast",
                 "pip install pyarrow  # fugu reads through it"):
        assert strangers([("a.md", line)]) == [], line


def test_the_distribution_has_its_own_name_and_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["name"] == "fugu-privacy"
    assert {"parquet", "spark", "sklearn"} <= set(project["optional-dependencies"])
    offered = {f".[{name}]" for name in project["optional-dependencies"]}
    named = {word for _, text in tracked() for word in re.findall(r"pip install '(\.\[\w+\])'", text)}
    assert named <= offered
