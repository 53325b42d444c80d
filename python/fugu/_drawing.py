"""What all pictures share: matplotlib when it is wanted, colours that everyone can tell apart, labels that fit."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from fugu._errors import UsageError

# Okabe and Ito's colours, which differ for every kind of colour vision; black and yellow are left out, since one of them
# would vanish on a light or on a dark ground.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
GREY = "#8c8c8c"
WARNING = "#D55E00"

_LONGEST = 18  # characters of a label on an axis
_MOST_LABELS = 30


def pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise UsageError("plots are drawn with matplotlib, which is not installed", "pip install matplotlib") from None
    return plt


def new_figure(width: float, height: float) -> Any:
    return pyplot().figure(figsize=(width, height), layout="constrained")


def own_axes(ax: Any) -> Any:
    """The given axes, or those of a new figure."""
    return new_figure(8, 4.5).add_subplot() if ax is None else ax


def hand_over(figure: Any) -> Any:
    """The figure to return: a notebook shows it as the cell's value, and would show it twice if pyplot kept it too."""
    plt = pyplot()
    if "inline" in str(plt.get_backend()):
        plt.close(figure)
    return figure


def plain(text: str) -> str:
    """A text that matplotlib takes letter by letter: dollars start no formula, a first underscore hides nothing."""
    escaped = text.replace("$", r"\$")
    return " " + escaped if escaped.startswith("_") else escaped


def short(text: str, longest: int = _LONGEST) -> str:
    return plain(text if len(text) <= longest else text[: longest - 1].rstrip() + "…")


def number(value: float) -> str:
    """For people: four digits, more only of large numbers."""
    return f"{value:,.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def tick(value: float, _: object = None) -> str:
    """A number beside an axis, without a common factor elsewhere."""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:g}"


def categories(axis: Any, labels: Sequence[str], *, rotated: bool, most: int = _MOST_LABELS) -> None:
    """Names along an axis at 0, 1, …; every so many when they are many."""
    every = -(-len(labels) // most)
    places = list(range(0, len(labels), every))
    size = 8 if len(places) <= 16 else 6.5
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if rotated else {}
    axis.set_ticks(places, [short(labels[place]) for place in places], fontsize=size, **turned)


def blues() -> Any:
    """Light to dark, the lightest still seen on white."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("fugu", ["#dcebf7", "#6baed6", "#08519c", "#041f42"])


def legend(ax: Any, **options: Any) -> None:
    """In a strip above everything that is drawn, where there is something to tell apart."""
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        ax.legend(handles, labels, fontsize=8, title_fontsize=8, frameon=False, loc="upper left", **options)


def numbers_across(ax: Any) -> None:
    """A horizontal axis with few enough numbers for long ones."""
    ax.locator_params(axis="x", nbins=6)
    ax.xaxis.set_major_formatter(tick)


def from_zero(ax: Any, top: float, room: float = 1.3) -> None:
    """A vertical axis from 0 with room for a legend, and numbers without a common factor above it."""
    ax.set_ylim(0, room * top if top > 0 else 1)
    ax.yaxis.set_major_formatter(tick)


def below_axes(ax: Any, lines: Sequence[str]) -> None:
    wrapped = [part for line in lines for part in textwrap.wrap(line, 90)]
    if wrapped:
        ax.annotate(plain("\n".join(wrapped)), (0, 0), (0, -38), xycoords="axes fraction", textcoords="offset points",
                    fontsize=8, va="top", annotation_clip=False)


def title(ax: Any, heading: str, below: str = "") -> None:
    """What the panel shows, and a line in smaller letters."""
    lines = textwrap.wrap(below, 66)
    ax.set_title(plain(heading), loc="left", fontsize=11, fontweight="bold", pad=6 + 12 * len(lines))
    for place, line in enumerate(lines):
        ax.annotate(plain(line), (0, 1), (0, 5 + 12 * (len(lines) - 1 - place)), xycoords="axes fraction",
                    textcoords="offset points", fontsize=8.5, annotation_clip=False)


def tidy(ax: Any) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)


def words_alone(ax: Any, words: str) -> None:
    """A panel that has nothing to draw says why."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, plain(textwrap.fill(words, 46)), ha="center", va="center", transform=ax.transAxes, fontsize=9)
