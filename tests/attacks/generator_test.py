"""The generator in a running release: its state is in no core dump and in no child, and no one can choose it.

tests/randomness_test.py and fugu/sample/random_test.cc look at the library; this looks at the program while it draws. The
defences: MADV_DONTDUMP and MADV_WIPEONFORK on the state (fugu/sample/random.cc), without either of which
test_the_state_is_neither_dumped_nor_inherited fails; no seed anywhere, which test_no_flag_and_no_variable_is_a_seed and
test_no_front_end_reaches_another_way_to_release look for.
"""

import os
import pathlib
import re
import subprocess

import pytest

from conftest import PROGRAM, ROOT, SANITIZED

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]


@pytest.fixture
def drawing(fugu):
    """A release that has drawn its first rows and waits for more of them."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 7 + k % 2}\n" for k in range(700)))
    fugu.ok("calibrate", "in.csv", *FLAGS, "-o", "plan.json")
    process = subprocess.Popen([PROGRAM, "release", "-", "--plan", "plan.json", "--new-data", "-o", "-"], cwd=fugu.folder,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"x\n" + b"3\n" * 3_000_000)
    process.stdin.flush()
    assert process.stdout.read(1000).startswith(b"x\n")  # rows came out, so noise was drawn
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def mappings(process):
    """(size in KiB, flags) of each mapping."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps").read_text()
    sizes = re.findall(r"^Size:\s+(\d+) kB$", text, re.M)
    flags = re.findall(r"^VmFlags: (.*)$", text, re.M)
    assert len(sizes) == len(flags)
    return [(int(size), set(flag.split())) for size, flag in zip(sizes, flags)]


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps"), reason="needs Linux's /proc")
@pytest.mark.skipif(SANITIZED, reason="sanitizers leave their own memory out of dumps too")
def test_the_state_is_neither_dumped_nor_inherited(drawing):
    """dd: left out of core dumps. wf: zeros in a child. A state is a block of 64 KiB and its seed: 68 KiB or a little more."""
    states = [(size, flags) for size, flags in mappings(drawing) if {"dd", "wf"} & flags and "io" not in flags]  # io: the kernel's
    assert states and all({"dd", "wf"} <= flags and 68 <= size for size, flags in states)


def test_two_releases_at_the_same_moment_differ(fugu):
    """As many as there are cores, same command, same folder, same environment."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 7 + k % 2}\n" for k in range(700)))
    fugu.ok("calibrate", "in.csv", *FLAGS, "-o", "plan.json")
    command = [PROGRAM, "release", "in.csv", "--plan", "plan.json", "--new-data", "-o", "-"]
    running = [subprocess.Popen(command, cwd=fugu.folder, stdout=subprocess.PIPE) for _ in range(8)]
    outputs = [process.communicate()[0] for process in running]
    assert len(set(outputs)) == 8


def test_no_flag_and_no_variable_is_a_seed(fugu):
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 2}\n" for k in range(200)))
    fugu.ok("calibrate", "in.csv", *FLAGS, "-o", "plan.json")
    named = [re.findall(r"^  ([a-z]+) ", fugu.ok(*words, "--help").split("General:")[0], re.M) for words in ([], ["model"])]
    commands = [[name] for name in named[0]] + [["model", name] for name in named[1]]
    assert all(one in commands for one in (["release"], ["audit"], ["model", "count"], ["model", "chain"]))
    for command in commands:
        assert "seed" not in fugu.ok(*command, "--help-all").lower()
    variables = {name: "7" for name in ("SEED", "FUGU_SEED", "RANDOM_SEED", "GSL_RNG_SEED", "PYTHONHASHSEED", "TZ")}
    outputs = {fugu.ok("release", "in.csv", "--plan", "plan.json", "--new-data", "-o", "-", **variables) for _ in range(5)}
    assert len(outputs) == 5


def test_no_front_end_reaches_another_way_to_release():
    """The audit's tests release with planted faults; nothing that is built into the program or the package can."""
    named = re.compile(r"\b(audit_with|RowReleaser)\b")
    sources = [path for folder in ("apps", "python") for path in (ROOT / folder).rglob("*")
               if path.suffix in (".h", ".cc", ".py") and "tests" not in path.parts]
    assert len(sources) > 30
    assert [str(path) for path in sources if named.search(path.read_text())] == []
    assert named.search((ROOT / "fugu" / "audit" / "audit.h").read_text())  # it is what it is called


def test_the_library_asks_neither_clock_nor_environment():
    """What the core draws depends on the system's entropy alone."""
    asked = re.compile(r"\b(getenv|secure_getenv|time\s*\(\s*(nullptr|NULL|0)\s*\)|gettimeofday|clock_gettime)\b")
    sources = [path for path in (ROOT / "fugu").rglob("*") if path.suffix in (".h", ".cc") and not path.name.endswith("_test.cc")]
    found = [str(path.relative_to(ROOT)) for path in sources if asked.search(path.read_text())]
    assert [path for path in found if not path.startswith("fugu/release/ledger")] == []  # its entries have a date
