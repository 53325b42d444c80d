"""How the studio begins, and that it ends with whoever started it."""
import fcntl
import os
import pathlib
import signal
import socket
import subprocess
import sys
import termios

import pytest

from conftest import GRADES, PROGRAM, slow_table, until


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_with_a_signal_and_leaves_nothing(start, tmp_path, end):
    place = tmp_path / "temporary"
    place.mkdir()
    studio = start(environment={"TMPDIR": str(place)})
    studio.upload(GRADES)
    studio.process.send_signal(end)
    assert studio.ended() == 0
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("place", ["absent", "file", "absent\nline"])
def test_a_temporary_folder_that_is_none_is_said(tmp_path, place):
    (tmp_path / "file").write_text("")
    done = subprocess.run([PROGRAM, "studio", "--no-browser"], cwd=tmp_path, capture_output=True, text=True, timeout=20,
                          env={**os.environ, "TMPDIR": str(tmp_path / place)})
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == ("fugu: TMPDIR: no folder for dropped tables can be made there\n"
                           "hint: set TMPDIR to a folder that can be written\n")


def test_it_ends_while_connections_wait_and_work_runs(studio):
    idle = socket.create_connection(("127.0.0.1", studio.port), timeout=20)
    idle.sendall(b"GET / HTTP/1.1\r\n")
    studio.process.send_signal(signal.SIGTERM)
    assert studio.ended() == 0
    idle.close()


def test_it_ends_while_a_linear_programme_runs(start, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    studio = start(environment={"TMPDIR": str(place)})
    table = studio.upload(slow_table())
    body = {"table": table, "question": {"secret": "s", "public": "x", "epsilon": "0.5"}, "plan": {"method": "channel"}}
    assert studio.ask("POST", "/api/calibrate-slow", body).json["state"] == "running"
    studio.process.send_signal(signal.SIGHUP)
    assert studio.ended() == 0
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"] and list(place.iterdir()) == []


def test_it_ends_when_its_terminal_closes(tmp_path):
    parent, child = os.openpty()
    process = subprocess.Popen([PROGRAM, "studio", "--no-browser"], cwd=tmp_path, stdin=child, stdout=child, stderr=child,
                               preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
    os.close(child)
    said = b""
    while b"Ctrl-C" not in said:
        said += os.read(parent, 1000)
    assert said.startswith(b"http://127.0.0.1:")
    os.close(parent)
    assert process.wait(timeout=20) == 0


def test_the_browser_is_started_without_the_token_in_sight(tmp_path):
    """On a terminal xdg-open gets a file that only its owner reads: anyone can see what a program is started with."""
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {tmp_path}/words.new\nmv {tmp_path}/words.new {tmp_path}/words\n")
    opener.chmod(0o755)
    parent, child = os.openpty()
    process = subprocess.Popen([PROGRAM, "studio"], cwd=tmp_path, stdin=child, stdout=child, stderr=child,
                               env={**os.environ, "PATH": f"{opener.parent}:/usr/bin:/bin"})
    os.close(child)
    try:
        said = b""
        while b"Ctrl-C" not in said:
            said += os.read(parent, 1000)
        address = said.split()[0].decode()
        assert until((tmp_path / "words").exists)
        words = (tmp_path / "words").read_text().splitlines()
        assert len(words) == 1 and address.split("/")[4] not in words[0]
        opened = pathlib.Path(words[0])
        assert address in opened.read_text() and opened.stat().st_mode & 0o777 == 0o600
    finally:
        process.terminate()
        assert process.wait(timeout=20) == 0
        os.close(parent)


def test_it_ends_when_whoever_started_it_is_gone(tmp_path):
    script = ("import subprocess, sys, os\n"
              f"p = subprocess.Popen([{PROGRAM!r}, 'studio', '--no-browser'], stdout=subprocess.PIPE, text=True, start_new_session=True)\n"
              "print(p.pid, p.stdout.readline().strip(), flush=True)\n"
              "os.kill(os.getpid(), 9)\n")
    said = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout.split()
    pid = int(said[0])
    assert said[1].startswith("http://127.0.0.1:")

    def gone():
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
            return state == "Z"
        except FileNotFoundError:
            return True
    assert until(gone)


def test_two_studios_share_neither_a_port_nor_a_token(start):
    first = start()
    second = start()
    assert first.port != second.port
    assert second.ask("GET", f"{first.root}api/session", inside=False).status == 403
    done = subprocess.run([PROGRAM, "studio", "--no-browser", "--port", str(first.port)], capture_output=True, text=True, timeout=20)
    assert done.returncode == 5 and "--port" in done.stderr


@pytest.mark.parametrize("arguments,status,says", [
    (["absent.csv"], 5, "absent.csv"), (["-"], 2, "standard input"), (["--port", "0"], 2, "--port"),
    (["--port", "http"], 2, "--port"), (["--folder", "absent"], 2, "--folder"), (["--upload-limit", "lots"], 2, "--upload-limit"),
    (["--dataset", "x"], 2, "--dataset"), (["--ledger", "l.db"], 2, "--dataset")])
def test_a_wrong_start_is_two_lines(tmp_path, arguments, status, says):
    done = subprocess.run([PROGRAM, "studio", "--no-browser", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=20)
    assert (done.returncode, done.stdout) == (status, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and lines[0].startswith("fugu: ") and says in lines[0] and lines[1].startswith("hint: ")
