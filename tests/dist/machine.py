"""A Debian in which nothing is installed, for one test: an overlay on a bootstrapped root, and commands run in it."""

import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DIST = ROOT / "dist"
ROOTS = ROOT / "build" / "dist-roots"


def output_of(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def artefact(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"dist/ should hold one {pattern}: {found}; make dist"
    return found[0]


class Machine:
    def __init__(self, name, packages, folder):
        self.lower, self.folder = ROOTS / name, folder
        subprocess.run([HERE / "bootstrap", self.lower, *packages], check=True)

    def run(self, *command, status=0, **more):
        """Runs it in /root/work, where /mnt is dist/; its output."""
        done = subprocess.run([HERE / "inside", self.lower, self.folder, DIST, "/root/work", *command], capture_output=True, text=True, **more)
        assert done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def fugu(self, *words, **more):
        return self.run("fugu", *words, **more)

    def read(self, file):
        return self.run("cat", file)

    def write(self, file, text):
        self.run("tee", file, input=text)

    def install(self, *packages):
        self.run("apt-get", "update", "-qq")
        self.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)

    def files(self):
        """Every file but those of apt, of the mounts and of /root."""
        hidden = [part for place in ("/proc", "/dev", "/mnt", "/var", "/root", "/tmp") for part in ("-path", place, "-prune", "-o")]
        return set(self.run("find", "/", *hidden, "-print").splitlines())
