#!/usr/bin/env python3
"""Runs the fuzzers of build-readers (docs/fuzzing.md).

  run.py replay READER            every seed and every finding once
  run.py short READER SECONDS     from the kept inputs, always in the same order (another with FUGU_LONG); what it learns is
                                  thrown away
  run.py long SECONDS [READER …]  all at once, over the cores; what it learns stays in build-readers/corpus
"""

import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests" / "fuzz"
BUILD = ROOT / "build-readers"
READERS = sorted(path.name.removesuffix("_fuzz.cc") for path in HERE.glob("*_fuzz.cc"))
# An input that takes longer or more is a finding as well.
LIMITS = ["-timeout=5", "-rss_limit_mb=1024", "-malloc_limit_mb=1024"]


def fuzzer(reader):
    return BUILD / "tests" / "fuzz" / f"{reader}_fuzz"


def environment():
    symbolizer = shutil.which("llvm-symbolizer-16")
    return os.environ | ({"ASAN_SYMBOLIZER_PATH": symbolizer} if symbolizer else {})


def run(reader, arguments, log=None):
    command = [str(word) for word in [fuzzer(reader), *LIMITS, *arguments]]
    done = subprocess.run(command, cwd=BUILD, env=environment(), text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if log:
        log.write_text(done.stdout)
    return done


def files(folder):
    return sorted(path for path in folder.glob("*") if path.is_file()) if folder.exists() else []


def replay(reader):
    inputs = [path for kind in ("findings", "corpus") for path in files(HERE / kind / reader)]
    assert inputs, f"{reader} has no seeds"
    done = run(reader, [f"-artifact_prefix={findings(reader)}/", *inputs])
    if done.returncode != 0:
        last = re.findall(r"^Running: (.*)$", done.stdout, re.M)[-1:]
        print(done.stdout, f"fuzz: {reader}: a kept input is a finding: {last}", sep="\n")
        return False
    print(f"fuzz: {reader}: {len(inputs)} inputs, no finding")
    return True


def findings(reader):
    folder = BUILD / "findings" / reader
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fuzz(reader, seconds, learnt, seed, log=None):
    """One run; the path of what it found, if anything, and what it printed."""
    before = set(files(findings(reader)))
    dictionary = HERE / "dictionaries" / f"{reader}.dict"
    arguments = [f"-seed={seed}", f"-max_total_time={seconds}", "-print_final_stats=1", "-reload=0",
                 f"-artifact_prefix={findings(reader)}/", *([f"-dict={dictionary}"] if dictionary.exists() else [])]
    done = run(reader, [*arguments, learnt, HERE / "corpus" / reader], log)
    found = [path for path in files(findings(reader)) if path not in before]
    if done.returncode != 0 and not found:
        found = [log or "no input"]
    return found, done.stdout


def tell(reader, seed, path, text):
    place = path.relative_to(ROOT) if isinstance(path, pathlib.Path) else path
    print("\n".join(text.splitlines()[-60:]),
          f"fuzz: {reader}: a finding, with -seed={seed}", f"the input:  {place}",
          f"again:      build-readers/tests/fuzz/{reader}_fuzz {place}",
          f"when fixed: keep the input as tests/fuzz/findings/{reader}/WHAT-IT-WAS", sep="\n")


def short(reader, seconds):
    # A gate that fails by chance stops whoever comes by: chance is for `make fuzz`.
    seed = random.randrange(1, 2**31) if os.environ.get("FUGU_LONG") else 12
    print(f"fuzz: {reader}: seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as learnt:
        found, text = fuzz(reader, seconds, learnt, seed)
    for path in found:
        tell(reader, seed, path, text)
    print(f"fuzz: {reader}: {executions(text)} executions")
    return not found


def executions(text):
    match = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    return int(match[1]) if match else 0


def covered(reader, learnt):
    """Edges of each of our files that the inputs reach, and how many there are."""
    text = run(reader, ["-runs=0", "-print_coverage=1", learnt, HERE / "corpus" / reader]).stdout
    totals = collections.defaultdict(lambda: [0, 0])
    for reached, all_, path in re.findall(r"COVERED_FUNC: hits: \d+ edges: (\d+)/(\d+) .* (\S+?):\d+", text):
        place = path.removeprefix(f"{ROOT}/")
        if place.startswith(("fugu/", "apps/")):
            totals[place][0] += int(reached)
            totals[place][1] += int(all_)
    return totals


def long_run(reader, seconds):
    learnt = BUILD / "corpus" / reader
    learnt.mkdir(parents=True, exist_ok=True)
    seed = random.randrange(1, 2**31)
    found, text = fuzz(reader, seconds, learnt, seed, BUILD / "corpus" / f"{reader}.log")
    return reader, seed, found, text, covered(reader, learnt)


def long(seconds, readers):
    good = True
    together = collections.defaultdict(lambda: [0, 0])
    print(f"{'reader':12} {'executions':>12} {'inputs kept':>12} {'edges':>8} {'findings':>9}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job in concurrent.futures.as_completed([pool.submit(long_run, reader, seconds) for reader in readers]):
            reader, seed, found, text, edges = job.result()
            reached = re.findall(r"cov: (\d+)", text)
            kept = len(files(BUILD / "corpus" / reader))
            print(f"{reader:12} {executions(text):12} {kept:12} {(reached or ['-'])[-1]:>8} {len(found):9}", flush=True)
            for path in found:
                tell(reader, seed, path, text)
                good = False
            for place, (some, all_) in edges.items():
                together[place] = [max(some, together[place][0]), max(all_, together[place][1])]
    show(together)
    return good


def show(totals):
    """Files of which some reader reaches anything."""
    print(f"\n{'file':44} {'edges':>12}")
    for place, (some, all_) in sorted(totals.items()):
        if some > 0:
            print(f"{place:44} {some:5} of {all_:4}")


def main(words):
    if len(words) == 2 and words[0] == "replay":
        return replay(words[1])
    if len(words) == 3 and words[0] == "short":
        return short(words[1], int(words[2]))
    if len(words) >= 2 and words[0] == "long":
        return long(int(words[1]), words[2:] or READERS)
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
