"""docs/trust.md and docs/theorems.md say what the sources say."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_pages_are_those_of_the_sources():
    done = subprocess.run([ROOT / "scripts" / "trust", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr + "run scripts/trust"


def test_every_believed_file_is_listed():
    page = (ROOT / "docs" / "trust.md").read_text()
    for path in (ROOT / "proofs" / "reader").iterdir():
        assert path.read_text() in page, path
