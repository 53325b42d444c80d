"""The progress bar: on a terminal only, after a second only, gone at the end."""
import os
import pty
import subprocess
import threading
import time

import pytest

from conftest import PROGRAM

FLAGS = ["compare", "-", "--secret", "s", "--public", "x", "--epsilon", "1"]


def run_slowly(*more, term="xterm", seconds=1.6):
    """What a terminal on standard error saw, and standard output, while the table came in slowly."""
    def feed(table):
        table.write(b"s,x\n")
        for _ in range(16):
            table.write(b"a,1\nb,2\nb,1\n" * 30000)
            table.flush()
            time.sleep(seconds / 16)

    return run_watched(*FLAGS, *more, term=term, feed=feed)


def run_watched(*words, term="xterm", feed=lambda table: None):
    terminal, end = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=end,
                               env={**os.environ, "TERM": term})
    os.close(end)
    seen = bytearray()

    def watch():
        try:
            while block := os.read(terminal, 4096):
                seen.extend(block)
        except OSError:
            pass  # the terminal's other end is closed

    watcher = threading.Thread(target=watch)
    watcher.start()
    feed(process.stdin)
    out, _ = process.communicate()
    watcher.join()
    os.close(terminal)
    assert process.returncode == 0
    return seen.decode(), out.decode()


def test_long_work_shows_a_bar_that_goes_away():
    seen, out = run_slowly()
    assert "[" in seen and "%" in seen
    assert seen.endswith("\r\x1b[K")
    assert "\x1b" not in out and "exact" in out


@pytest.mark.parametrize("more", [dict(term="dumb"), dict(seconds=0.1)], ids=["dumb terminal", "short work"])
def test_no_bar(more):
    assert run_slowly(**more)[0] == ""


def test_quiet():
    assert run_slowly("--quiet")[0] == ""
