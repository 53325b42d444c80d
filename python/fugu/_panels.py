"""One picture on one pair of axes, from the core's numbers (docs/formats.md, "Picture")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fugu._drawing import (
    COLOURS,
    GREY,
    MARKERS,
    WARNING,
    below_axes,
    blues,
    categories,
    from_zero,
    legend,
    number,
    numbers_across,
    own_axes,
    plain,
    short,
    tick,
    tidy,
    title,
    words_alone,
)

_MOST_SECRETS = 6  # with a colour each; of more, the worst two stand out
_MOST_BARS = 90

Picture = Mapping[str, Any]


def draw_laws(ax: Any, laws: Picture, column: Picture, prior: Picture, worst: Sequence[str]) -> None:
    """P(X|S=s) of one column under one prior."""
    secrets = prior["secrets"]
    places = _places(column["values"], column["categorical"])
    if len(secrets) > _MOST_SECRETS:
        _draw_crowd(ax, places, secrets, worst)
    elif len(secrets) * len(places) <= _MOST_BARS:
        _draw_groups(ax, places, secrets)
    else:
        for k, law in enumerate(secrets):
            ax.step(places, law["probabilities"], where="mid", color=COLOURS[k], label=short(law["secret"], 28), linewidth=1.4)
    _x_axis(ax, column, [value["label"] for value in column["values"]])
    from_zero(ax, max(max(law["probabilities"]) for law in secrets), 1.3 if len(secrets) <= 3 else 1.45)
    ax.set_ylabel("probability")
    legend(ax, title=short(laws["secret"], 28), ncols=3, alignment="left")
    several = f", belief: {prior['name']}" if len(column["priors"]) > 1 else ""
    title(ax, "Before any noise", f"how often each value occurs, given each secret{several}")
    tidy(ax)


def _places(values: Sequence[Picture], categorical: bool) -> list[float]:
    return [k if categorical else value["value"] for k, value in enumerate(values)]


def _gap(places: Sequence[float]) -> float:
    return min((after - before for before, after in zip(places, places[1:])), default=1.0)


def _draw_groups(ax: Any, places: Sequence[float], secrets: Sequence[Picture]) -> None:
    width = 0.8 * _gap(places) / len(secrets)
    for k, law in enumerate(secrets):
        shift = (k - (len(secrets) - 1) / 2) * width
        ax.bar([x + shift for x in places], law["probabilities"], width, color=COLOURS[k], label=short(law["secret"], 28))


def _draw_crowd(ax: Any, places: Sequence[float], secrets: Sequence[Picture], worst: Sequence[str]) -> None:
    others = [law for law in secrets if law["secret"] not in worst]
    for k, law in enumerate(others):
        label = f"{len(others)} others" if k == 0 else None
        ax.plot(places, law["probabilities"], color=GREY, alpha=0.35, linewidth=0.8, label=label)
    for k, law in enumerate(law for law in secrets if law["secret"] in worst):
        ax.plot(places, law["probabilities"], color=COLOURS[k], linewidth=1.8, marker=MARKERS[k], markersize=3.5,
                label=short(law["secret"], 28))


def _x_axis(ax: Any, column: Picture, labels: Sequence[str]) -> None:
    bins = f" (in bins of {number(column['bin'])})" if column.get("bin") else ""
    ax.set_xlabel(short(column["column"], 40) + bins)
    if column["categorical"]:
        categories(ax.xaxis, labels, rotated=True)
        ax.set_xlim(-0.6, len(labels) - 0.4)
    else:
        numbers_across(ax)


def draw_transport(ax: Any, transport: Picture) -> None:
    """How much of the first law's mass at one value becomes the second's at another."""
    if transport["cells"] is None:
        words_alone(ax, " ".join(transport["notes"]))
        return
    labels = [tick(value["low"]) if "low" in value and not transport["categorical"] else value["label"] for value in transport["values"]]
    empty = float("nan")
    mass = [[empty] * len(labels) for _ in labels]
    for cell in transport["cells"]:
        mass[cell["to"]][cell["from"]] = cell["mass"]
    image = ax.imshow(mass, cmap=blues(), origin="lower", interpolation="nearest", aspect="auto", vmin=0)
    ax.figure.colorbar(image, ax=ax, label="mass", pad=0.02)
    for cell in transport["cells"]:
        if cell.get("farthest") and transport["distance"] != 0:
            _frame(ax, cell)
    _both_axes(ax, labels, labels, transport["categorical"])
    first, second = transport["pair"]
    ax.set_xlabel(f"given {short(first, 32)}")
    ax.set_ylabel(f"given {short(second, 32)}")
    farthest = f"{transport['distance']}" if isinstance(transport["distance"], str) else number(transport["distance"])
    framed = " (framed)" if transport["distance"] != 0 else ""
    title(ax, "The two secrets farthest apart",
          f"mass moves {number(transport['mean_distance'])} on average and at most {farthest}{framed}")


def _both_axes(ax: Any, across: Sequence[str], upward: Sequence[str], named: bool) -> None:
    """Names at every place, or some numbers."""
    some = 12 if max(map(len, across)) <= 4 else 6
    categories(ax.xaxis, across, rotated=named, most=30 if named else some)
    categories(ax.yaxis, upward, rotated=False, most=30 if named else 12)


def _frame(ax: Any, cell: Picture) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((cell["from"] - 0.5, cell["to"] - 0.5), 1, 1, fill=False, edgecolor=WARNING, linewidth=1.6))


def draw_loss(ax: Any, loss: Picture, k: int) -> None:
    """What each output of the k-th column gives away, beside the budget; the witness is a star."""
    column = loss["columns"][k]
    outputs = column["outputs"]
    if not outputs:
        words_alone(ax, " ".join(loss["notes"]))
        return
    proved = loss["kind"] == "loss"
    heights = [output["loss" if proved else "excess"] for output in outputs]
    places = [i if column["categorical"] else output["output"] for i, output in enumerate(outputs)]
    _draw_heights(ax, places, heights, COLOURS[0])
    at = loss["witness"]["output"]
    star = [i for i, output in enumerate(outputs) if output["output"] == (at[k] if isinstance(at, list) else at)]
    if star:
        first, second = loss["witness"]["pair"]
        between = f"witness: {short(first, 20)} and {short(second, 20)}"
        ax.plot(places[star[0]], heights[star[0]], marker="*", markersize=13, color=WARNING, markeredgecolor="white",
                linestyle="none", label=between, zorder=4, clip_on=False)
    top = max(heights)
    if proved:
        ax.axhline(loss["epsilon"], color=COLOURS[3], linestyle="--", linewidth=1.3, label=f"budget: {number(loss['epsilon'])}")
        top = max(top, loss["epsilon"])
    from_zero(ax, top)
    _x_axis(ax, column, [output["label"] for output in outputs])
    ax.set_xlabel(f"released {short(column['column'], 40)}")
    ax.set_ylabel("loss, at most" if proved else "part of delta")
    legend(ax, ncols=2)
    if proved:
        title(ax, "What a released value gives away", "how far it can shift the log odds of any pair, proved")
    else:
        title(ax, "Where delta is spent", f"adds up to {number(loss['total'])}, of delta {number(loss['delta'])}")
    tidy(ax)


def _draw_heights(ax: Any, places: Sequence[float], heights: Sequence[float], colour: str) -> None:
    """Bars, or an area with an edge where bars would be thinner than the gaps between them can be drawn."""
    if len(places) <= _MOST_BARS // 2:
        ax.bar(places, heights, 0.8 * _gap(places), color=colour)
    else:
        ax.fill_between(places, heights, color=colour, alpha=0.35, step="mid", linewidth=0)
        ax.step(places, heights, color=colour, linewidth=1.3, where="mid")


def draw_noise(ax: Any, noise: Picture, k: int) -> None:
    """What is done to a value of the k-th column."""
    if noise["kind"] == "channel":
        _draw_channel(ax, noise)
        return
    if noise["kind"] == "none" or not noise["columns"]:
        words_alone(ax, "No noise is needed: the values as they are keep the promise.")
        return
    column = noise["columns"][k]
    sizes, chances = zip(*column["points"])
    _draw_heights(ax, sizes, chances, COLOURS[2])
    from_zero(ax, max(chances), 1.05)
    numbers_across(ax)
    ax.set_xlabel(f"added to {short(column['column'], 40)}")
    ax.set_ylabel("probability")
    scale = f", scale {number(column['scale'])}" if column.get("scale") is not None else ""
    steps = f", on steps of {number(column['step'])}" if isinstance(column["step"], (int, float)) else ""
    title(ax, "The noise", f"{column['family']}{scale}{steps}; root mean square {number(column['rms'])}")
    tidy(ax)


def _draw_channel(ax: Any, noise: Picture) -> None:
    if noise["rows"] is None:
        words_alone(ax, " ".join(noise["notes"]))
        return
    rows = [[chance if chance > 0 else float("nan") for chance in row] for row in noise["rows"]]
    columns = [list(column) for column in zip(*rows)]
    image = ax.imshow(columns, cmap=blues(), origin="lower", interpolation="nearest", aspect="auto", vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax, label="probability", pad=0.02)
    across, upward = ([value["label"] for value in noise[key]] for key in ("inputs", "outputs"))
    _both_axes(ax, across, upward, True)
    ax.set_xlabel("true value")
    ax.set_ylabel("released value")
    title(ax, "The channel", "what each value becomes, and how likely")


def draw_errors(ax: Any, error: Picture) -> Any:
    """The error of every method against epsilon, both on logarithmic scales."""
    ax = own_axes(ax)
    several = len({method["noise"] for method in error["methods"] if method["noise"] not in ("optimal", "channel")}) > 1
    for k, method in enumerate(error["methods"]):
        drawn = [point for point in method["points"] if point["rms"] > 0]
        line = "-" if k < len(COLOURS) else "-."
        style: dict[str, Any] = {"color": COLOURS[k % len(COLOURS)], "linestyle": line, "zorder": 3 + k / 100}
        if method["baseline"]:
            style = {"color": GREY, "linestyle": ":", "zorder": 2}
        ax.plot([point["epsilon"] for point in drawn], [point["rms"] for point in drawn], marker=MARKERS[k % len(MARKERS)],
                markersize=5, linewidth=1.5, label=_method(method, several), **style)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.axvline(error["epsilon"], color=COLOURS[3], linestyle="--", linewidth=1.2, label=f"epsilon {number(error['epsilon'])}")
    _plain_ticks(ax.xaxis, error["epsilons"])
    ax.set_xlabel("epsilon (smaller hides more)")
    ax.set_ylabel("error, root mean square")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8, frameon=False)
    delta = f", delta {number(error['delta'])}" if error["delta"] else ""
    title(ax, f"What each method costs{delta}")
    below_axes(ax, error["notes"])
    tidy(ax)
    return ax


def _method(method: Picture, several: bool) -> str:
    name = f"{method['method']}, {method['noise']}" if several and method["noise"] != method["method"] else str(method["method"])
    free = [point["epsilon"] for point in method["points"] if point.get("no_noise")]
    if method["baseline"]:
        name += " (baseline)"
    return plain(f"{name}: none needed from {number(min(free))}" if free else name)


def _plain_ticks(axis: Any, places: Sequence[float]) -> None:
    """The epsilons themselves, as people write them."""
    every = -(-len(places) // 12)
    axis.set_ticks(places[::every], [number(place) for place in places[::every]])
    axis.set_ticks([], minor=True)
