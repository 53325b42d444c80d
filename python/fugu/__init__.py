"""Pufferfish privacy with a proof."""

from fugu._core import version as __version__
from fugu._errors import BudgetError, DataError, Error, FileError, GuaranteeError, InternalError, UsageError

__all__ = [
    "BudgetError",
    "DataError",
    "Error",
    "FileError",
    "GuaranteeError",
    "InternalError",
    "UsageError",
    "__version__",
]
