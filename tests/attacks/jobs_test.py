"""Jobs that somebody else wrote: what their names make of a terminal, of the shell to which the printed command is given, and of files.

The defences: printable() and shell_word() (fugu/show/wording.cc, fugu/ask/lists.cc), without either of which
test_hostile_names_reach_neither_the_terminal_nor_the_shell fails; the checks of all names before anything is read
(fugu/run/release_run.cc, fugu/file/atomic_file.cc), without which test_a_job_replaces_nothing fails.
"""

import json
import os
import subprocess

import pytest

from conftest import PROGRAM

ROWS = [("ab"[k % 2], k % 5 + k % 2) for k in range(120)]
HOSTILE = ["$(touch pwned)", "`touch pwned`", "'; touch pwned; '", '"; touch pwned; "', "x\ntouch pwned\n", "x | touch pwned", "-f", "--force",
           "@job.json", "../../x", "$HOME/*", "\x1b]0;pwned\x07\x1b[31mred", "a\u202eb", "!touch pwned"]


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def job_of(fugu, column, **members):
    job = {"format": "fugu-job", "version": 1, "table": {"file": "in.csv"}, "columns": {"s": {"role": "secret"}, column: {"role": "public"}},
           "budget": {"epsilon": 0.5}, "mechanism": {"method": "exact"}, **members}
    return fugu.write("job.json", json.dumps(job)).name


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_reach_neither_the_terminal_nor_the_shell(fugu, name):
    """The command that --check prints is pasted into a shell."""
    fugu.write("in.csv", f"s,{quoted(name)}\n" + "".join(f"{s},{x}\n" for s, x in ROWS))
    job = job_of(fugu, name, outputs={"plan": "plan.json"})
    said = fugu.ok("run", "--check", job)
    assert all(character.isprintable() or character == "\n" for character in said)
    command = json.loads(fugu.ok("run", "--check", "--format", "json", job))["command"]
    if "\n" not in name:  # which only the JSON has as it is
        (fugu.folder / "bin").mkdir()
        (fugu.folder / "bin" / "fugu").symlink_to(PROGRAM)
        environment = {**os.environ, "PATH": f"{fugu.folder / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-c", command], cwd=fugu.folder, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        by_hand = (fugu.folder / "plan.json").read_bytes()
        (fugu.folder / "plan.json").unlink()
        fugu.ok("run", job)
        assert (fugu.folder / "plan.json").read_bytes() == by_hand
    assert not (fugu.folder / "pwned").exists()


OUTPUTS = [{"release": "in.csv"}, {"release": "job.json"}, {"release": "there"}, {"release": "link"}, {"release": "o.csv", "receipt": "in.csv"},
           {"release": "o.csv", "plan": "job.json"}, {"release": "o.csv", "statement": "there"}, {"release": "o.csv", "report": "link"},
           {"release": "o.csv", "statement": "o.csv"}, {"release": "folder/../there"}, {"plan": "there"}, {"plan": "in.csv"}]
# With --force only what is read, and what a link leads to, is safe.
CASES = [(outputs, force) for outputs in OUTPUTS for force in ([], ["--force"]) if not force or not any(name.endswith("there") for name in outputs.values())]


@pytest.mark.parametrize(("outputs", "force"), CASES)
def test_a_job_replaces_nothing(fugu, outputs, force):
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in ROWS))
    (fugu.folder / "folder").mkdir()
    fugu.write("there", "untouched")
    (fugu.folder / "link").symlink_to("there")
    job = job_of(fugu, "x", outputs=outputs)
    before = {path.name: path.read_bytes() for path in fugu.folder.iterdir() if path.is_file()}
    fugu.fails(2, "run", job, *force)
    assert {path.name: path.read_bytes() for path in fugu.folder.iterdir() if path.is_file()} == before


def test_a_job_gives_no_password_away(fugu):
    job = job_of(fugu, "x", table={"file": "postgresql://u:hunter2@127.0.0.1:1/d", "table": "t"}, outputs={"release": "o.csv"})
    for more in ([], ["--check"]):
        assert "hunter2" not in fugu.fails(3, "run", job, *more, says="a job holds no password")
