"""How far long work is: a callback of your own, or tqdm's bar where it is installed."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Union

from fugu._errors import UsageError

Callback = Callable[[float, str], object]
Progress = Union[bool, Callback, None]

_PATIENCE = 1.0  # seconds before a bar appears unasked


def _shows_bar() -> bool:
    notebook = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(notebook, "kernel"):
        return True
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress_of(wanted: Progress) -> Iterator[Callback | None]:
    """A callback for the core: the given one; a bar for True, and for None after a second on a terminal or in a notebook."""
    if callable(wanted):
        yield wanted
        return
    if wanted is not None and not isinstance(wanted, bool):
        raise UsageError(f"progress: a {type(wanted).__name__} is none", "give True, False, or a function of a fraction and words")
    if wanted is False or (wanted is None and not _shows_bar()):
        yield None
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets has a bar of letters
            from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:
        yield None
        return
    wait = 0.0 if wanted else _PATIENCE
    with tqdm(total=1.0, delay=wait, leave=False, bar_format="{l_bar}{bar}| {elapsed}") as bar:
        start = time.monotonic()

        def tell(fraction: float, what: str) -> None:
            bar.n = fraction
            bar.set_description(what, refresh=False)
            if time.monotonic() - start >= wait:
                bar.refresh()

        yield tell
