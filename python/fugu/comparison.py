"""Every method side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fugu import _texts
from fugu._progress import Progress, progress_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fugu._texts import Names, Number
    from fugu.pictures import Pictures
    from fugu.scenario import Scenario


class Comparison:
    """What each method costs at each epsilon: `rows` has a dictionary for each, in the order of the methods."""

    def __init__(self, scenario: Scenario, text: str, written: str, asked: dict[str, str]) -> None:
        self._scenario = scenario
        self._text = text
        self._json = written
        self._asked = asked
        self._data: dict[str, Any] = json.loads(written)

    @property
    def rows(self) -> list[dict[str, Any]]:
        groups = self._data.get("comparisons", [self._data])
        return [{"epsilon": group["epsilon"], **row} for group in groups for row in group["candidates"]]

    def to_json(self) -> str:
        """What `fugu compare --format json` prints."""
        return self._json

    def to_pandas(self) -> Any:
        import pandas as pd

        return pd.DataFrame(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<fugu.Comparison: {len(self)} candidates>"

    def error_curve(self, *, seconds: float = 20, progress: Progress = None) -> dict[str, Any]:
        """The error of every method against epsilon, as numbers to draw; linear programmes for at most so many seconds."""
        with progress_of(progress) as tell:
            return dict(json.loads(self._scenario._core.error_curve(self._asked, seconds, tell)))

    def _repr_html_(self) -> str:
        from fugu.looking import comparison_html

        return comparison_html(self)

    def plot(self, **options: Any) -> Pictures:
        """Error against epsilon for all methods."""
        from fugu.looking import plot_errors

        return plot_errors(self, **options)


def compare(
    scenario: Scenario,
    *,
    epsilon: object = None,
    delta: Number | None = None,
    noise: Names | None = None,
    time_limit: Number | None = None,
    progress: Progress = None,
) -> Comparison:
    """Every method side by side, each proved, at one epsilon or a list of them."""
    from fugu.plan import _check_scenario

    _check_scenario(scenario)
    asked = _texts.asked("compare", locals())
    with progress_of(progress) as tell:
        written, text = scenario._core.compare(asked, tell)
    return Comparison(scenario, text, written, asked)
