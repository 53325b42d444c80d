"""Plans, questions and comparisons to look at: HTML for notebooks, and the core's pictures.

Every number is the core's (docs/formats.md, "Picture"; docs/report.md says how to read each picture).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fugu._errors import UsageError
from fugu._html import comparison_html, plan_html, scenario_html
from fugu.pictures import Pictures, drawn

if TYPE_CHECKING:
    from fugu._progress import Progress
    from fugu.comparison import Comparison
    from fugu.plan import Plan
    from fugu.scenario import Scenario

__all__ = ["comparison_html", "plan_html", "plot_errors", "plot_laws", "plot_plan", "scenario_html"]


def plot_laws(scenario: Scenario, *, column: str | None = None, prior: str | None = None) -> Pictures:
    """P(X|S=s) for each secret.

    Of several columns each, or `column`; of several beliefs that of the two secrets farthest apart, or `prior`.
    """
    laws, worst = scenario.laws(), scenario.transport()
    if column is not None:
        laws = {**laws, "columns": [_named(laws["columns"], "column", column)]}
    return drawn(_believed(laws, worst, prior), secrets=worst.get("pair", []))


def _named(parts: list[dict[str, Any]], key: str, name: str, what: str | None = None) -> dict[str, Any]:
    for part in parts:
        if part[key] == name:
            return part
    listed = ", ".join(repr(part[key]) for part in parts[:12])
    raise UsageError(f"there is no {what or key} {name!r}", f"there are: {listed}")


def _believed(laws: dict[str, Any], worst: dict[str, Any], prior: str | None) -> dict[str, Any]:
    """The laws of one belief alone, which their title then names where there are several."""
    columns = []
    for column in laws["columns"]:
        name = prior if prior is not None else worst.get("prior", column["priors"][0]["name"])
        columns.append({**column, "priors": [_named(column["priors"], "name", name, "prior")]})
    return {**laws, "columns": columns, "asked": len(laws["columns"][0]["priors"]) > 1}


def plot_errors(comparison: Comparison, *, seconds: float = 20, progress: Progress = None) -> Pictures:
    """Error against epsilon for all methods. Linear programmes take at most so many seconds together."""
    return drawn(comparison.error_curve(seconds=seconds, progress=progress))


def plot_plan(plan: Plan, *, prior: str | None = None, progress: Progress = None) -> Pictures:
    """The laws before the noise, the transport plan of the worst pair, the loss of every output, and the noise.

    Of several columns each has its own, and no transport plan; a model has its noise alone.
    """
    shown = plan.picture(public=True, publish_min=1, progress=progress)  # the pictures are their owner's
    if shown["kind"] != "table":
        return drawn(shown["noise"])
    laws, worst = plan.scenario.laws(), plan.scenario.transport()
    loss = plan.loss_curve(progress=progress)
    return drawn(_believed(laws, worst, prior), worst, loss, shown["noise"], secrets=worst.get("pair", []))
