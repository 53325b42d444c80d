"""Files that appear under their names when they are whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Union

from fugu import _core
from fugu._errors import Error, FileError, UsageError

Path = Union[str, "os.PathLike[str]"]


def check_replaceable(path: str, force: bool) -> None:
    """Raises UsageError unless nothing is there, or with `force` a file: no device, no pipe, no folder, no link."""
    try:
        there = os.lstat(path)
    except OSError:
        return
    if not stat.S_ISREG(there.st_mode):
        raise UsageError(f"{path}: this is no ordinary file", "give another name")
    if not force:
        raise UsageError(f"{path}: the file exists", "give another name, or force=True to replace it")


def cannot_write(path: str, failure: OSError) -> FileError:
    return FileError(f"{path}: it cannot be written ({failure.strerror})", "see that the folder is yours and the disk not full")


class WholeFile:
    """A file beside its name, its owner's alone until commit(), gone where that is not reached."""

    def __init__(self, path: str, *, force: bool, private: bool = False) -> None:
        check_replaceable(path, force)
        self.path = path
        self._force = force
        self._private = private
        self.temporary = os.path.join(os.path.dirname(path) or ".", f".fugu-{secrets.token_hex(8)}")
        try:
            os.close(os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as failure:
            raise cannot_write(path, failure) from None

    def __enter__(self) -> WholeFile:
        return self

    def __exit__(self, *_: object) -> None:
        if os.path.lexists(self.temporary):
            os.unlink(self.temporary)

    def write(self, text: str) -> None:
        try:
            with open(self.temporary, "w", encoding="utf-8") as file:
                file.write(text)
            self.sync()
        except OSError as failure:
            raise cannot_write(self.path, failure) from None

    def sync(self) -> None:
        """On the disk, still its owner's alone: what is whole may yet be refused."""
        descriptor = os.open(self.temporary, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def commit(self) -> None:
        """A reader sees the old file or the new one; without `force` nothing that came in between is replaced."""
        try:
            if not self._private:
                os.chmod(self.temporary, _core.public_mode(self.path))
            if self._force:
                os.replace(self.temporary, self.path)
            else:
                os.link(self.temporary, self.path, follow_symlinks=False)
        except FileExistsError:
            raise UsageError(f"{self.path}: the file exists", "give another name, or force=True to replace it") from None
        except OSError as failure:
            raise cannot_write(self.path, failure) from None

    def take_back(self) -> None:
        """After commit(): the name goes again, unless it may have been another file's before."""
        if not self._force:
            with contextlib.suppress(OSError):
                os.unlink(self.path)


def commit_together(files: Sequence[WholeFile]) -> None:
    """Gives files that are on the disk their names: all of them, or where one cannot have it none that nothing had before."""
    with _interrupts_waiting():
        named: list[WholeFile] = []
        try:
            for file in files:
                file.commit()
                named.append(file)
        except Error:
            for file in named:
                file.take_back()
            raise


@contextlib.contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """A Ctrl-C in between comes afterwards. Only the main thread hears it."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is None:
        yield
        return
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *interrupt: heard.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if heard and callable(usual):
        usual(*heard[0])


def write_whole(path: Path, text: str, *, force: bool, private: bool) -> None:
    with WholeFile(os.fspath(path), force=force, private=private) as file:
        file.write(text)
        file.commit()
