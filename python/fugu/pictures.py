"""The core's plots, to look at and to keep: each with its title, what it shows in words, and its numbers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, overload

from fugu import _core
from fugu._errors import UsageError
from fugu._whole import write_whole

if TYPE_CHECKING:
    from fugu.plan import Path


class Picture:
    """One plot: `svg` draws it, `text` says what it shows, `table` has its numbers in words and `numbers` as they are.

    It follows from the counts of its table: private, like a plan.
    """

    def __init__(self, plot: dict[str, Any], numbers: dict[str, Any]) -> None:
        self.title: str = plot["title"]
        self.text: str = plot["text"]
        self.notes: list[str] = plot["notes"]
        self.svg: str = plot["svg"]
        self.table: list[dict[str, str]] = [dict(zip(plot["table"]["head"], row)) for row in plot["table"]["rows"]]
        self.numbers = numbers

    def __repr__(self) -> str:
        return f"<fugu.Picture: {self.title}>"

    def _repr_html_(self) -> str:
        said = "".join(f'<p style="margin:.3em 0;opacity:.8">{escape(words)}</p>' for words in [self.text, *self.notes])
        return f'<figure class="fugu" style="margin:.5em 0;max-width:60em">{self.svg}{said}</figure>'

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes the drawing, readable by its owner only: it shows what the table says."""
        Pictures([self]).save(path, force=force)


class Pictures(Sequence[Picture]):
    """Plots that belong together; `notes` says what could not be drawn, and why."""

    def __init__(self, pictures: list[Picture], notes: Sequence[str] = ()) -> None:
        self._pictures = pictures
        self.notes = list(notes)

    @overload
    def __getitem__(self, place: int) -> Picture: ...

    @overload
    def __getitem__(self, place: slice) -> list[Picture]: ...

    def __getitem__(self, place: int | slice) -> Picture | list[Picture]:
        return self._pictures[place]

    def __len__(self) -> int:
        return len(self._pictures)

    def __iter__(self) -> Iterator[Picture]:
        return iter(self._pictures)

    def __repr__(self) -> str:
        return f"<fugu.Pictures: {', '.join(picture.title for picture in self)}>"

    def _repr_html_(self) -> str:
        return "".join(picture._repr_html_() for picture in self) + "".join(f"<p>{escape(note)}</p>" for note in self.notes)

    @property
    def svg(self) -> str:
        """All of them in one drawing, each below the other."""
        width, height, parts = 0, 0, []
        for picture in self:
            wide, high = (int(size) for size in re.findall(r'(?:width|height)="(\d+)"', picture.svg)[:2])
            parts.append(picture.svg.replace("<svg ", f'<svg y="{height}" ', 1))
            width, height = max(width, wide), height + high
        if len(parts) == 1:
            return self[0].svg
        around = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        return around + "".join(parts) + "</svg>\n"

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes all of them as one drawing, readable by its owner only: it shows what the table says."""
        if not os.fspath(path).lower().endswith(".svg"):
            raise UsageError(f"{os.fspath(path)}: pictures are SVG", "give a name that ends in .svg; a browser or rsvg-convert makes other kinds of it")
        write_whole(path, self.svg, force=force, private=True)


def drawn(*numbers: dict[str, Any], secrets: Sequence[str] = (), method: str = "") -> Pictures:
    """The core's plots of its own numbers (docs/formats.md, "Picture"), the first of what can be chosen."""
    pictures: list[Picture] = []
    notes: list[str] = []
    for one in numbers:
        made = json.loads(_core.draw(json.dumps(one), list(secrets), method))
        kept = {key: value for key, value in one.items() if key != "asked"}
        pictures += [Picture(choice[0], kept) for choice in made["figures"]]
        notes += made["notes"]
    return Pictures(pictures, notes)
