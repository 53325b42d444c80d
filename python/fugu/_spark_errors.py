"""Errors of Spark's workers, as the driver's caller sees them: the same message and hint as on one machine."""

import contextlib
import json
import re
from collections.abc import Iterator

from fugu import _errors
from fugu._errors import DataError, Error, InternalError, UsageError

_MARK = "fugu-error "


@contextlib.contextmanager
def send_errors() -> Iterator[None]:
    """On a worker: what goes wrong leaves as one line that worker_errors() reads. Messages of other libraries stay here,
    since they may quote a value."""
    try:
        yield
    except Error as error:
        line = [type(error).__name__, error.message, error.hint]
    except Exception as error:
        line = ["InternalError", f"a worker met a {type(error).__name__}", "this is a bug in fugu: please report it"]
    else:
        return
    raise RuntimeError(_MARK + json.dumps(line)) from None


@contextlib.contextmanager
def worker_errors() -> Iterator[None]:
    """On the driver: raises what a worker sent."""
    try:
        yield
    except Exception as error:
        ours = _sent_error(str(error))
        if ours is None:
            kind = type(error).__name__
            ours = DataError(f"the frame: it cannot be read ({kind})", "run df.count(): Spark says what is wrong")
        raise ours from None


def _sent_error(text: str) -> Error | None:
    found = re.search(re.escape(_MARK) + r"(\[.*\])", text)
    if found:
        name, message, hint = json.loads(found.group(1))
        kind: type[Error] = getattr(_errors, name, InternalError)
        return kind(message, hint)
    if "No module named 'fugu'" in text:
        return UsageError("the workers have no fugu", "install the wheel where Spark's Python runs, or set spark.pyspark.python")
    return None
