"""How scripts/mutate builds and tests one mutant: from copies of a finished build and its sources, never in them."""

import collections
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SLOW = 1.0  # seconds: tests that take longer run last
PATIENCE, GRACE = 5, 20  # a test of a mutant may take this many times as long as without it, and these seconds more
LONGEST = 300  # seconds for a compiler or linker
MEMORY = 6 << 20  # KiB of address space for one test binary


class NotBuilt(Exception):
    """The mutant does not compile or link."""


def text_of(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


class Build:
    """A copy of the sources and of what the test binaries are linked from; the mutants' objects take their place."""

    def __init__(self, root, build, work, targets, cases):
        self.root, self.work, self.cases = root, work, cases
        self.source, self.objects = work / "source", work / "build"
        self.running, self.stopped, self.lock = set(), False, threading.Lock()
        for left in [work / "unmutated", *work.glob("mutant-*")]:
            shutil.rmtree(left, ignore_errors=True)
        print("mutate: building the tests as they are", flush=True)
        subprocess.run(["cmake", "--build", build, "--target", *targets, "--", "--quiet"], check=True)
        self.copy_sources()
        self.read_commands(build, targets)
        self.read_dependents(build)
        self.times = {target: self.baseline(target) for target in targets}

    def copy_sources(self):
        shutil.rmtree(self.source, ignore_errors=True)
        for file in [*(self.root / "fugu").rglob("*.[hc]*"), *(self.root / "tests").rglob("*.[hc]*")]:
            copy = self.source / file.relative_to(self.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy)

    def text(self, file):
        return (self.source / file).read_text()

    def read_commands(self, build, targets):
        """How each object is compiled, how each target is linked; what they need is copied."""
        shutil.rmtree(self.objects, ignore_errors=True)
        self.compiles, self.links, self.parts = {}, {}, {}
        for entry in json.loads((build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            words = words[words[0].endswith("ccache") :]  # a mutant is compiled once
            self.compiles[words[words.index("-o") + 1]] = words
        members = collections.defaultdict(list)
        for object_file in self.compiles:
            if match := re.match(r"CMakeFiles/(fugu_\w+)\.dir/fugu/", object_file):
                members[f"lib{match.group(1)}.a"].append(object_file)
        for target in targets:
            place = f"tests/{target}" if target == "cross_test" else target
            words = shlex.split(text_of(["ninja", "-t", "commands", "-s", place], build))
            words = words[words.index("&&") + 1 :]
            words = words[: words.index("&&")]
            self.links[target] = words
            self.parts[target] = []
            for word in dict.fromkeys(words):
                if word.endswith((".o", ".a")) and not os.path.isabs(word):
                    self.copy(build, word)
                    self.parts[target] += members.get(word, [word])
        for header in {words[words.index("-include") + 1] for words in self.compiles.values() if "-include" in words}:
            for name in (header, header + ".gch"):
                if "_pch.dir" in name and os.path.exists(name):
                    self.copy(build, os.path.relpath(name, build))
        self.built_in = str(build)

    def copy(self, build, name):
        if not (self.objects / name).exists():
            (self.objects / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(build / name, self.objects / name)

    def read_dependents(self, build):
        """Which objects see which source."""
        self.dependents = collections.defaultdict(set)
        for block in text_of(["ninja", "-t", "deps"], build).split("\n\n"):
            name, *needs = block.split("\n")
            for need in needs:
                self.dependents[os.path.normpath(build / need.strip())].add(name.split(":")[0])

    def affected(self, file, target):
        return sorted(self.dependents[str(self.root / file)] & set(self.parts[target]))

    def compile(self, object_file, overlay, out):
        """Compiles one object with the sources in overlay before all others."""
        words = [word.replace(f"{self.built_in}/CMakeFiles", f"{self.objects}/CMakeFiles") for word in self.compiles[object_file]]
        file = pathlib.Path(words[-1]).relative_to(self.root)
        words[-1] = str(overlay / file if (overlay / file).exists() else self.source / file)
        words[words.index("-o") + 1] = str(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        # What is recompiled is not worth optimising much; a function that can end without its return is no mutant.
        words[1:1] = [f"-I{overlay}", f"-I{self.source}"]
        words[-4:-4] = ["-O1", "-Werror=return-type"]
        if self.run(words, too_long)[0] != 0:
            raise NotBuilt

    def unmutated(self, object_file):
        """The object of the source as it is, compiled as a mutant is."""
        out = self.work / "unmutated" / object_file
        with self.lock:
            if not out.exists():
                partial = out.with_suffix(".partial")
                self.compile(object_file, self.source, partial)
                partial.replace(out)
        return out

    def link(self, target, changed, folder):
        """Links a target with changed objects, which are {name: file}, and returns the binary."""
        archives = {}
        for name, file in changed.items():
            if match := re.match(r"CMakeFiles/(fugu_\w+)\.dir/fugu/", name):
                archive = f"lib{match.group(1)}.a"
                if archive not in archives:
                    archives[archive] = folder / archive
                    shutil.copy2(self.objects / archive, archives[archive])
                if self.run(["ar", "r", str(archives[archive]), str(file)], too_long)[0] != 0:
                    raise NotBuilt
        instead = {**changed, **archives}
        words = [str(instead.get(word, word)) for word in self.links[target]]
        words[words.index("-o") + 1] = str(folder / target)
        if self.run(words, too_long)[0] != 0:
            raise NotBuilt
        return folder / target

    def run(self, words, is_late, folder=None):
        """(status, output) of a command. It is ended with its children when is_late(output, seconds): the status is None."""
        if self.stopped:
            raise KeyboardInterrupt
        environment = {**os.environ, "RC_PARAMS": self.cases, "TMPDIR": str(folder or self.work), "LC_ALL": "C"}
        with tempfile.NamedTemporaryFile(dir=self.work) as log:
            process = subprocess.Popen(words, cwd=folder or self.objects, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
            self.running.add(process)
            begin, late = time.monotonic(), False
            while True:
                try:
                    process.wait(1)
                    break
                except subprocess.TimeoutExpired:
                    if not late and is_late(text_in(log), time.monotonic() - begin):
                        late = True
                        end(process)
            self.running.discard(process)
            if self.stopped:
                raise KeyboardInterrupt
            return None if late else process.returncode, text_in(log)

    def stop(self):
        self.stopped = True
        for process in list(self.running):
            end(process)

    def test(self, binary, which, times, folder):
        """Runs some of a binary's tests in an empty folder: (status, output). Each has a few times its usual seconds."""
        begun = {}

        def is_late(output, seconds):
            running = re.findall(r"^\[ RUN +\] (\S+)", output, re.M)[-1:] or ["start"]
            begun.setdefault(running[0], seconds)
            return times is not None and seconds - begun[running[0]] > GRACE + PATIENCE * times.get(running[0], 0)

        scratch = folder / "scratch"
        scratch.mkdir(parents=True)
        limited = ["sh", "-c", f'ulimit -v {MEMORY} -c 0; exec "$@"', "sh", str(binary)]
        try:
            return self.run([*limited, "--gtest_fail_fast", f"--gtest_filter={which}"], is_late, scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def baseline(self, target):
        """The seconds of every test of the unmutated target, which must pass; kept for the next run."""
        binary = self.link(target, {}, self.objects)
        mark = hashlib.sha256(binary.read_bytes() + self.cases.encode()).hexdigest()
        kept = self.work / "times" / f"{target}.json"
        if kept.exists() and (known := json.loads(kept.read_text()))["mark"] == mark:
            return known["times"]
        print(f"mutate: timing {target}", flush=True)
        status, output = self.test(binary, "*", None, self.work)
        if status != 0:
            sys.exit(f"mutate: {target} fails without a mutant\n{output[-2000:]}")
        times = {name: int(ms) / 1000 for name, ms in re.findall(r"^\[ +OK \] (\S+?),? .*\((\d+) ms\)$", output, re.M)}
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({"mark": mark, "times": times}))
        return times

    def stages(self, target):
        """The filters of the quick tests, then of the slow ones."""
        slow = [name for name, seconds in self.times[target].items() if seconds >= SLOW]
        return ["-" + ":".join(slow), ":".join(slow)] if slow else ["*"]


def too_long(_, seconds):
    return seconds > LONGEST


def text_in(log):
    return pathlib.Path(log.name).read_text(errors="replace")


def end(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Trial:
    """One mutant in a folder of its own, which is gone at the end."""

    def __init__(self, build, mutant, name):
        self.build, self.mutant, self.folder = build, mutant, build.work / name
        self.overlay, self.compiled = self.folder / "source", {}

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        file = self.overlay / self.mutant.file
        file.parent.mkdir(parents=True)
        file.write_text(self.mutant.apply(self.build.text(self.mutant.file)))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def objects(self, target):
        """The objects of a target that see the mutant, compiled with it."""
        for name in self.build.affected(self.mutant.file, target):
            if name not in self.compiled:
                out = self.folder / "objects" / name
                self.build.compile(name, self.overlay, out)
                self.compiled[name] = out
        return {name: self.compiled[name] for name in self.build.affected(self.mutant.file, target)}

    def same_code(self, target):
        changed = self.objects(target)
        return all(file.read_bytes() == self.build.unmutated(name).read_bytes() for name, file in changed.items())

    def killed_by(self, target):
        """The name of the first test that notices, or None."""
        binary = self.build.link(target, self.objects(target), self.folder)
        for which in self.build.stages(target):
            status, output = self.build.test(binary, which, self.build.times[target], self.folder)
            if status != 0:
                failed = re.search(r"^\[  FAILED  \] ([^\s,]+)", output, re.M)
                began = failed.groups() if failed else re.findall(r"^\[ RUN +\] (\S+)", output, re.M) or ["start"]
                return f"{target}: {began[-1]}" + ("" if failed else " (too slow)" if status is None else " (crash)")
        binary.unlink()
        return None
