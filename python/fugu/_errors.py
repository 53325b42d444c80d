"""What fugu raises: one class for each exit status of the command line."""

from typing import ClassVar

from fugu import _core


class Error(Exception):
    """What is wrong (`message`), what to do about it (`hint`), and the command line's exit status (`status`)."""

    status: ClassVar[int] = 1
    message: str
    hint: str

    def __init__(self, message: str, hint: str = "") -> None:
        # Without arguments: OSError, a base of FileError, would take two for a number and its text.
        super().__init__()
        self.message = _printable(message)
        self.hint = _printable(hint)
        self.args = (self.message, self.hint)

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


def _printable(text: str) -> str:
    """As the command line prints it: a column's name may hold what a terminal obeys."""
    return _core.printable(text.encode("utf-8", "replace").decode("utf-8"))


class InternalError(Error, RuntimeError):
    """A bug in fugu."""


class UsageError(Error, ValueError):
    """Changing the call cures it."""

    status = 2


class DataError(Error, ValueError):
    """The data must change."""

    status = 3


class GuaranteeError(Error):
    """The promise cannot be kept, or a plan did not verify."""

    status = 4


class FileError(Error, OSError):
    """Input or output failed."""

    status = 5


class BudgetError(Error):
    """The budget is spent."""

    status = 6
