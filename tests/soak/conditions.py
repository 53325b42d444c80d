"""What the soak's programs meet: disks that are nearly full, and a clock that jumps."""
import ctypes
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CLONE_NEWNS = 0x20000


def jumping_clock(folder):
    """What the environment must say for it; nothing where it cannot be compiled, or is not taken."""
    library = folder / "jumping_clock.so"
    for compiler in ("cc", "gcc", "clang-16"):
        if shutil.which(compiler):
            done = subprocess.run([compiler, "-shared", "-fPIC", "-O1", HERE / "jumping_clock.c", "-o", library, "-ldl"], capture_output=True)
            if done.returncode == 0:
                return {"LD_PRELOAD": str(library)}
    return {}


def mounts_of_our_own():
    """Whether disks that are mounted from here on are seen by this process and its children alone, and go with them."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.unshare(CLONE_NEWNS) == 0 and subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True).returncode == 0


class SmallDisk:
    """A file system in memory, of so many MiB, most of which `leave` can take away."""

    def __init__(self, mib, owner=None):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="fugu-soak-disk-", dir="/tmp"))  # any user may pass there
        self.ballast = self.place / "ballast"
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}M", "tmpfs", self.place], capture_output=True)
        if done.returncode != 0:
            self.place.rmdir()
            raise OSError(done.stderr.decode())
        self.place.chmod(0o755)
        self.folder = self.place / "folder"
        self.folder.mkdir()
        if owner:
            shutil.chown(self.folder, owner, owner)
            self.folder.chmod(0o700)

    def leave(self, free):
        """All but so many bytes are taken."""
        self.clear()
        state = os.statvfs(self.place)
        taken = state.f_bavail * state.f_frsize - free
        if taken > 0:
            with self.ballast.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, taken)

    def clear(self):
        self.ballast.unlink(missing_ok=True)

    def remove(self):
        subprocess.run(["umount", "-l", self.place], capture_output=True)
        self.place.rmdir()
