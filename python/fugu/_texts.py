"""Arguments as the core reads them: texts, by the names of the command line's flags."""

from __future__ import annotations

import datetime
import functools
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from fugu import _core
from fugu._errors import DataError, FileError, UsageError

if TYPE_CHECKING:
    Number = Union[int, float, str, Fraction, Decimal]
    Names = Union[str, Iterable[str]]

Texts = dict[str, str]


def number(value: object, name: str) -> str:
    """The exact text of a number; a float is the shortest decimal that reads back as it."""
    if isinstance(value, bool):
        raise UsageError(f"{name}: {value} is not a number", "give a number, for example 0.5")
    if isinstance(value, (str, int, Fraction)):
        return str(value)
    if type(value) is float:
        return repr(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        return str(value)
    if isinstance(value, float):
        return float.__repr__(value)
    raise UsageError(f"{name}: a {type(value).__name__} is not a number", "give a number, for example 0.5")


def item(text: str) -> str:
    """One item of a list, quoted as in CSV where it must be."""
    plain = text != "" and text == text.strip() and "," not in text and '"' not in text
    return text if plain else '"' + text.replace('"', '""') + '"'


def names(value: Names | None) -> str:
    """A name, or a list of them, as a list of the command line."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        raise UsageError("names are texts, not bytes", "decode them")
    several = isinstance(value, Iterable) and not isinstance(value, str)
    return ",".join(item(str(name)) for name in (value if several else [value]))


def word(value: object, name: str) -> str:
    """A text that may be left out."""
    if value is None or isinstance(value, str):
        return value or ""
    raise UsageError(f"{name}: a {type(value).__name__} is not a text", f"for example {name}='…'")


def switch(value: object, name: str) -> bool:
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return bool(value)
    raise UsageError(f"{name}: a {type(value).__name__} is neither True nor False", f"write {name}=True, or leave it out")


def people(value: object, name: str) -> int:
    """A number of people, at least 1."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 1 << 60:
        raise UsageError(f"{name}: {value!r} is not a number of people", "give a whole number of at least 1, for example 20")
    return value


def read_file(path: str | os.PathLike[str]) -> str:
    """A text file, or FileError."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as failure:
        raise FileError(f"{os.fspath(path)}: it cannot be read ({failure.strerror})", "check the name of the file") from None
    except ValueError:
        raise DataError(f"{os.fspath(path)}: it is not UTF-8", "give a text file") from None


def json_text(value: object, what: str) -> str:
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode("utf-8", "replace")
    if isinstance(value, str):
        return value
    raise UsageError(f"{what}: a {type(value).__name__} is no JSON text", "give what to_json() or a file holds")


def numbers(value: object, name: str) -> str:
    """A number, or a list of them."""
    if value is None:
        return ""
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (str, bytes, int, float, Fraction, Decimal)) or getattr(value, "ndim", 1) == 0:
        return number(value, name)
    if not isinstance(value, Iterable):
        return number(value, name)
    return ",".join("" if part is None else number(part, name) for part in value)


def span(value: object, name: str) -> str:
    """A pair of numbers as LO:HI."""
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, Iterable):
        raise UsageError(f"{name}: this is not a pair of numbers", f"for example {name}=(20, 70)")
    ends = [number(end, name) for end in value]
    if len(ends) != 2:
        raise UsageError(f"{name}: this is not a pair of numbers", f"for example {name}=(20, 70)")
    return ":".join(ends)


def pairs(value: object) -> str:
    """All, neighbours, or a list of pairs of secrets; None in a pair stands for every other one."""
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, Iterable):
        raise UsageError("pairs: this is no list of pairs", "for example pairs=[('A', 'B'), ('A', None)]")

    def label(text: object) -> str:
        if text is None:
            return "*"
        plain = str(text)
        odd = plain == "*" or plain != plain.strip() or not plain or any(c in plain for c in ':,"')
        return '"' + plain.replace('"', '""') + '"' if odd else plain

    parts = []
    for pair in value:
        two = list(pair)
        if len(two) != 2:
            raise UsageError("pairs: this is no list of pairs", "for example pairs=[('A', 'B'), ('A', None)]")
        parts.append(f"{label(two[0])}:{label(two[1])}")
    return ",".join(parts)


def values(value: object, name: str) -> str:
    """A list of numbers and texts."""
    if value is None:
        return ""
    if not isinstance(value, Iterable):
        raise UsageError(f"{name}: this is no list", f"for example {name}=[1, 2]")
    return ",".join(item(part if isinstance(part, str) else number(part, name)) for part in value)


def file(value: object) -> str:
    """The name of a file; empty where what it would hold is given, or nothing."""
    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else ""


_MAKE: dict[str, Callable[[Any, str], str]] = {
    "word": word,
    "choice": word,
    "numbers": numbers,
    "span": span,
    "names": lambda value, _: names(value),
    "names or file": lambda value, _: names(value),
    "values": values,
    "pairs": lambda value, _: pairs(value),
    "file": lambda value, _: file(value),
    "switch": lambda value, _: "yes" if value else "",
    "not switch": lambda value, _: "" if value else "yes",
}


def by_secret(value: Mapping[Any, Any], name: str) -> str:
    """Numbers by secret, or by pair of secrets; None or "*" stands for every other one."""

    def label(text: object) -> str:
        plain = str(text)
        odd = plain == "*" or plain != plain.strip() or not plain or any(c in plain for c in ':,="')
        return '"' + plain.replace('"', '""') + '"' if odd else plain

    parts = []
    for key, part in value.items():
        whose = "*" if key is None or key == "*" else ":".join(map(label, key)) if isinstance(key, tuple) else label(key)
        parts.append(f"{whose}={number(part, name)}")
    return ",".join(parts)


def text_of(value: object, name: str, kind: str) -> str:
    """The text of a flag; of a mapping by columns, or by secrets."""
    if not isinstance(value, Mapping):
        return _MAKE[kind](value, name)
    if name in ("epsilon", "shares"):
        return by_secret(value, name)
    if name == "kind":
        return ",".join(item(f"{column}={word}") for column, word in value.items())
    return ";".join(f"{column}={_MAKE[kind](part, name)}" for column, part in value.items())


@functools.cache
def flags(function: str) -> dict[str, dict[str, Any]]:
    """The command line's flags that a function takes, by the names of its arguments."""
    rows = (row for row in json.loads(_core.flags) if function in row["python"]["functions"])
    return {row["python"]["name"]: row for row in rows}


def asked(function: str, arguments: Mapping[str, Any]) -> Texts:
    """The texts that a function's arguments ask for, by the names of the flags."""
    made = {row["name"]: text_of(arguments[name], name, row["kind"]) for name, row in flags(function).items() if row["kind"] != "files"}
    return {name: text for name, text in made.items() if text}


def releases_all(public: list[str]) -> bool:
    """Whether every column is released that has no other role."""
    return public == ["all"]


def all_columns(texts: Texts, there: Sequence[str]) -> list[str]:
    """The columns that `public="all"` stands for in a table with these."""
    return _core.Scenario.released_columns(texts, there)


def named_columns(asked: Mapping[str, Any], there: Sequence[str]) -> dict[str, Any]:
    """Arguments of `from_table`, with the columns that `public="all"` stands for."""
    if not releases_all([asked["public"]] if isinstance(asked["public"], str) else list(asked["public"])):
        return dict(asked)
    made = {row["name"]: text_of(asked[name], name, row["kind"]) for name, row in flags("from_table").items()
            if asked.get(name) is not None and row["kind"] != "files"}
    return {**asked, "public": all_columns(made, there), "except_": None}


def as_list(data: object) -> list[Any]:
    if hasattr(data, "tolist"):
        return list(data.tolist())
    if not isinstance(data, Iterable):
        raise UsageError("probabilities: this is no list", "give a probability for each user, or a path")
    return list(data)
