"""Plans, questions and comparisons to look at: HTML for notebooks, and pictures with matplotlib.

Every number is the core's (docs/formats.md, "Picture"; docs/report.md says how to read each picture).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fugu._drawing import hand_over, new_figure, own_axes, plain
from fugu._errors import UsageError
from fugu._html import comparison_html, plan_html, scenario_html
from fugu._panels import draw_errors, draw_laws, draw_loss, draw_noise, draw_transport

if TYPE_CHECKING:
    from fugu._progress import Progress
    from fugu.comparison import Comparison
    from fugu.plan import Plan
    from fugu.scenario import Scenario

__all__ = ["comparison_html", "plan_html", "plot_errors", "plot_laws", "plot_plan", "scenario_html"]


def plot_laws(scenario: Scenario, ax: Any = None, *, column: str | None = None, prior: str | None = None) -> Any:
    """P(X|S=s) for each secret; returns the axes.

    Of several columns the first, or `column`; of several beliefs that of the two secrets farthest apart, or `prior`.
    """
    laws, worst = scenario.laws(), scenario.transport()
    there = laws["columns"]
    chosen = there[0] if column is None else _named(there, "column", column, "column")
    ax = own_axes(ax)
    draw_laws(ax, laws, chosen, _belief(chosen, worst, prior), worst.get("pair", []))
    return ax


def _named(parts: list[dict[str, Any]], key: str, name: str, what: str) -> dict[str, Any]:
    for part in parts:
        if part[key] == name:
            return part
    listed = ", ".join(repr(part[key]) for part in parts[:12])
    raise UsageError(f"there is no {what} {name!r}", f"there are: {listed}")


def _belief(column: dict[str, Any], worst: dict[str, Any], prior: str | None) -> dict[str, Any]:
    name = prior if prior is not None else worst.get("prior", column["priors"][0]["name"])
    return _named(column["priors"], "name", name, "prior")


def plot_errors(comparison: Comparison, ax: Any = None, *, seconds: float = 20, progress: Progress = None) -> Any:
    """Error against epsilon for all methods; returns the axes. Linear programmes take at most so many seconds together."""
    return draw_errors(ax, comparison.error_curve(seconds=seconds, progress=progress))


def plot_plan(plan: Plan, *, prior: str | None = None, progress: Progress = None) -> Any:
    """The laws before the noise, the transport plan of the worst pair, the loss of every output, and the noise.

    Returns the figure. Several columns have a row each, and no transport plan; a model has its noise alone.
    """
    shown = plan.picture(public=True, publish_min=1, progress=progress)  # the figure is its owner's
    if shown["kind"] != "table":
        figure = _model_figure(shown)
    else:
        scenario = plan.scenario
        figure = _table_figure(shown, scenario.laws(), scenario.transport(), plan.loss_curve(progress=progress), prior)
    figure.suptitle(plain(shown["title"]), x=0.01, ha="left", fontsize=13, fontweight="bold")
    return hand_over(figure)


def _model_figure(shown: dict[str, Any]) -> Any:
    noise = shown["noise"]
    many = max(len(noise["columns"]), 1)
    figure = new_figure(7, 3.6 * many)
    for k in range(many):
        draw_noise(figure.add_subplot(many, 1, k + 1), noise, k)
    return figure


def _table_figure(
    shown: dict[str, Any], laws: dict[str, Any], transport: dict[str, Any], loss: dict[str, Any], prior: str | None
) -> Any:
    columns = laws["columns"]
    if len(columns) == 1:
        figure = new_figure(13, 9.5)
        axes = figure.subplots(2, 2).ravel()
        draw_transport(axes[1], transport)
        rows = [(axes[0], axes[2], axes[3])]
    else:
        figure = new_figure(16, 4.4 * len(columns))
        rows = [tuple(row) for row in figure.subplots(len(columns), 3)]
    for k, (column, row) in enumerate(zip(columns, rows)):
        draw_laws(row[0], laws, column, _belief(column, transport, prior), transport.get("pair", []))
        draw_loss(row[1], loss, k)
        draw_noise(row[2], shown["noise"], k)
    return figure
