"""Arguments as the core reads them: texts, by the names of the command line's flags."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Union

from fugu._errors import UsageError

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
    if type(value).__module__ == "numpy" and not hasattr(value, "__len__"):
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
    return ",".join(map(item, [value] if isinstance(value, str) else value))


def numbers(value: object, name: str) -> str:
    """A number, or a list of them."""
    if value is None:
        return ""
    if isinstance(value, (str, int, float, Fraction, Decimal)) or not isinstance(value, Iterable):
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


def path(value: str | os.PathLike[str] | None) -> str:
    return "" if value is None else os.fspath(value)


def flag(value: bool) -> str:
    return "yes" if value else ""


def only(texts: Mapping[str, str]) -> Texts:
    """What is given."""
    return {name: text for name, text in texts.items() if text}
