"""Questions, comparisons and plans as HTML for notebooks: no scripts, every text escaped, light and dark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from fugu._errors import GuaranteeError, UsageError

if TYPE_CHECKING:
    from fugu.comparison import Comparison
    from fugu.plan import Plan
    from fugu.previews import Preview, Utility, _Compared
    from fugu.scenario import Scenario

# Colours are the notebook's own, whatever its theme; only lines are drawn, and those are half transparent.
_BOX = "border-left:4px solid #0072B2;padding:.2em 1em;margin:.3em 0;max-width:60em;color:inherit;background:transparent"
_ALARM = _BOX.replace("#0072B2", "#D55E00")
_CELL = "padding:.15em .8em .15em 0;border-bottom:1px solid rgba(128,128,128,.35);text-align:{};vertical-align:top;background:transparent"


def _box(parts: Iterable[str], style: str = _BOX) -> str:
    return f'<div class="fugu" style="{style}">{"".join(parts)}</div>'


def _heading(text: str) -> str:
    return f'<p style="font-size:1.15em;font-weight:bold;margin:.3em 0">{escape(text)}</p>'


def _words(text: str) -> str:
    return f'<p style="margin:.3em 0">{escape(text)}</p>'


def _quiet(text: str) -> str:
    return f'<p style="margin:.3em 0;opacity:.75;font-size:.9em">{escape(text)}</p>'


def _cell(tag: str, text: str, side: str, scope: str = "") -> str:
    return f'<{tag}{scope} style="{_CELL.format(side)}">{escape(text)}</{tag}>'


def _table(rows: Sequence[Sequence[str]], head: Sequence[str] = (), numbers: Sequence[int] = ()) -> str:
    """Rows of texts; the first column names the row, those in `numbers` stand to the right."""

    def side(k: int) -> str:
        return "right" if k in numbers else "left"

    top = "".join(_cell("th", text, side(k), ' scope="col"') for k, text in enumerate(head))
    body = "".join(
        "<tr>" + "".join(_cell("td" if k else "th", text, side(k), "" if k else ' scope="row"') for k, text in enumerate(row)) + "</tr>"
        for row in rows
    )
    return (
        '<table style="border-collapse:collapse;margin:.4em 0;background:transparent;color:inherit">'
        f"{f'<thead><tr>{top}</tr></thead>' if top else ''}<tbody>{body}</tbody></table>"
    )


def _number(value: Any) -> str:
    """A number for people; exact fractions come as texts and stay so."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or 1e3 <= abs(value) < 1e9:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _title(scenario: Scenario) -> str:
    source = json.loads(scenario.to_json()).get("source", {})
    secret, public = (", ".join(map(str, source.get(key, []))) for key in ("secret", "public"))
    return f"{secret}, hidden in {public}" if secret and public else "A secret, hidden in a value"


def scenario_html(scenario: Scenario) -> str:
    facts = scenario.facts()
    rows = [[name, _number(facts[key])] for name, key in
            (("Rows", "rows"), ("Secrets", "secrets"), ("Values", "values"), ("Pairs to hide", "pairs"), ("Beliefs", "priors"))
            if facts.get(key) is not None]
    for name, key in (("Farthest that mass must move", "w_inf"), ("Farthest that two values lie apart", "range")):
        if key in facts:
            first, second = facts[key]["pair"]
            rows.append([name, f"{_number(facts[key]['distance'])}, between {first} and {second}"])
    return _box([_heading(_title(scenario)), _table(rows), _quiet("A question holds the counts of its table: private.")])


def comparison_html(comparison: Comparison) -> str:
    data = json.loads(comparison.to_json())
    groups = data.get("comparisons", [data])
    promises = [line for line in str(comparison).splitlines() if line.startswith("epsilon ")]
    parts = [_heading("Every method side by side")]
    for k, group in enumerate(groups):
        parts.append(_words(promises[k] if k < len(promises) else f"epsilon {group['epsilon']}"))
        key = "delta" if group["candidates"] and group["candidates"][0].get("loss") is None else "loss"
        rows = [_candidate(row, key) for row in group["candidates"]]
        parts.append(_table(rows, ["method", "noise", "scale", "mean square error", "times the limit", key, ""], (2, 3, 4, 5)))
    parts.append(_quiet("Each is proved. A baseline hides the value itself, not only the secret."))
    return _box(parts)


def _candidate(row: dict[str, Any], key: str) -> list[str]:
    note = "baseline" if row.get("baseline") else str(row.get("note", ""))
    numbers = [_number(row.get(name)) for name in ("scale", "mse", "times_limit", key)]
    return [str(row["method"]), str(row["noise"]), *numbers, note]


def plan_html(plan: Plan) -> str:
    """The plan's promise, as it may be published: a notebook is soon passed on. It is proved first."""
    may = "What this box shows may be published; the plan itself holds the counts."
    try:
        try:
            shown = plan.picture(public=True)
        except UsageError as refused:
            shown = plan.picture(public=True, publish_min=1)
            may = f"Private: {refused.message}."
    except GuaranteeError as failure:
        return _box([_heading("This plan does not hold"), _words(failure.message), _quiet(failure.hint)], _ALARM)
    assumed = "".join(f"<li>{escape(text)}</li>" for text in shown["assumptions"])
    return _box(
        [
            _heading(shown["title"]),
            _words(shown["promise"]),
            _table([[str(name), str(text)] for name, text in shown["facts"]]),
            f'<details><summary>What it assumes</summary><ul style="margin:.2em 0">{assumed}</ul></details>',
            _quiet(f"Verified now. {may}"),
        ]
    )


def _share(value: Any) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _shown(value: Any) -> str:
    return "–" if value is None else f"{value:.2f}"


def _before_and_after(compared: _Compared) -> Iterable[str]:
    """Each column's shares folded, the means and the associations open."""
    for column in compared.data["columns"]:
        labels = zip(column["labels"], column["before"], column["after"], strict=True)
        rows = [[label, _share(before), _share(after)] for label, before, after in labels]
        gone = f"; vanished: {', '.join(column['vanished'])}" if column.get("vanished") else ""
        stays = f": {_share(column['unchanged'])} of its values stay" if "unchanged" in column else ""
        title = f"{column['name']}, known: written as it is" if column["known"] else f"{column['name']}{stays}{gone}"
        yield f"<details><summary>{escape(title)}</summary>{_table(rows, ['value', 'before', 'after'], (1, 2))}</details>"
    means = [[row["column"], *(_number(row[key]) for key in ("mean_before", "mean_after", "spread_before", "spread_after"))]
             for row in compared.mean_rows()]
    if means:
        yield _table(means, ["", "mean before", "after", "spread before", "after"], (1, 2, 3, 4))
    pairs = [[row["column"], row["other"], row["measure"], _shown(row["before"]), _shown(row["after"])] for row in compared.association_rows()]
    if pairs:
        yield f"<details><summary>How columns go together</summary>{_table(pairs, ['', '', '', 'before', 'after'], (3, 4))}</details>"


def preview_html(preview: Preview) -> str:
    data, sample = preview.data, preview.data["sample"]
    rows = []
    for k, secret in enumerate(sample["secret"]):
        pairs = zip(sample["before"][k], sample["after"][k], strict=True)
        rows.append([secret, *(before if before == after else f"{before} → {after}" for before, after in pairs)])
    guess = data["guess"]
    said = (f"Somebody who always guesses the likeliest secret is right for {_share(guess['guessed_before']['at_most'])} of the people without the release, "
            f"for at most {_share(guess['guessed_after']['at_most'])} with it.")
    return _box([
        _heading(f"{_share(data['unchanged'])} of the rows are released as they are"),
        *(_quiet(note) for note in data["notes"]),
        _table(rows, ["secret (not released as it is)", *sample["columns"]]),
        *_before_and_after(preview),
        _words(said),
        _quiet("Private: it tells the table's frequencies and rows. Clear this output before you pass the notebook on."),
    ])


def utility_html(utility: Utility) -> str:
    return _box([
        _heading("What the release has left"),
        *_before_and_after(utility),
        _quiet("Private: it tells the table's frequencies. Clear this output before you pass the notebook on."),
    ])
