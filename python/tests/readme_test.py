"""The README's Python example runs as it stands."""

import pathlib
import re
import subprocess


ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_example_runs(program, tmp_path, monkeypatch, capsys):
    subprocess.run([program, "demo", "--dir", tmp_path / "fugu-demo"], check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
    assert len(examples) == 1
    names = {}
    exec(compile(examples[0], "README.md", "exec"), names)
    assert "the limit" in capsys.readouterr().out
    assert list(names["released"].columns) == ["occupation"]
    assert len(names["released"]) == len(names["people"])
