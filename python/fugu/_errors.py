"""What fugu raises: one class for each exit status of the command line."""

from typing import ClassVar


class Error(Exception):
    """What is wrong (`message`), what to do about it (`hint`), and the command line's exit status (`status`)."""

    status: ClassVar[int] = 1
    message: str
    hint: str

    def __init__(self, message: str, hint: str = "") -> None:
        # Without arguments: OSError, a base of FileError, would take two for a number and its text.
        super().__init__()
        self.args = (message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class InternalError(Error, RuntimeError):
    """A mistake of fugu itself."""


class UsageError(Error, ValueError):
    """Changing the call cures it."""

    status = 2


class DataError(Error, ValueError):
    """The data must change."""

    status = 3


class GuaranteeError(Error):
    """The guarantee cannot be met, or a plan did not verify."""

    status = 4


class FileError(Error, OSError):
    """Input or output failed."""

    status = 5


class BudgetError(Error):
    """The privacy budget is spent."""

    status = 6
