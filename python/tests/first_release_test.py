"""The Python example of docs/first-release.md runs as it stands."""

import pathlib
import re
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "first-release.md"


def test_the_example_runs(program, tmp_path, monkeypatch, capsys):
    subprocess.run([program, "demo", "--dir", tmp_path / "fugu-demo"], check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.S)
    assert len(examples) == 1
    names = {}
    exec(compile(examples[0], PAGE.name, "exec"), names)
    assert "the limit" in capsys.readouterr().out
    assert list(names["released"].columns) == ["occupation"]
    assert len(names["released"]) == len(names["people"])
