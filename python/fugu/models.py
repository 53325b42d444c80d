"""Plans of models: counts over independent users, Markov chains, and rates of whole tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._progress import Progress, progress_of
from fugu.plan import Path, Plan

if TYPE_CHECKING:
    from fugu._texts import Names, Number
    from fugu.scenario import Scenario


def _users(probabilities: object) -> list[list[str]] | None:
    """The rows of users that are given themselves, not by the name of a file."""
    if probabilities is None or isinstance(probabilities, (str, os.PathLike)):
        return None
    rows = []
    for row in _texts.as_list(probabilities):
        cells = [row] if not isinstance(row, Iterable) or isinstance(row, str) else list(row)
        rows.append([_texts.number(cell, "probabilities") for cell in cells])
    return rows


def count(
    *,
    epsilon: Number,
    users: int | None = None,
    p: Number | None = None,
    probabilities: object = None,
    letters: Iterable[str] | None = None,
    values: object = None,
    pairs: str | None = None,
    noise: str | None = None,
    delta: Number | None = None,
    progress: Progress = None,
) -> Plan:
    """A count, or any sum, over independent users: the plan whose `release(number)` gives the noisy one.

    `users` who are alike with probability `p`, or `probabilities`: a list, an array of one row a user, or a CSV file.
    """
    texts, rows = _texts.asked("count", locals()), _users(probabilities)
    with progress_of(progress) as tell:
        return Plan(_core.count(texts, rows, tell))


def compare_count(
    *,
    epsilon: Number,
    users: int | None = None,
    p: Number | None = None,
    probabilities: object = None,
    letters: Iterable[str] | None = None,
    values: object = None,
    pairs: str | None = None,
    noise: Names | None = None,
    delta: Number | None = None,
    progress: Progress = None,
) -> list[dict[str, Any]]:
    """Lemma 2 and the exact noises side by side, for the same users."""
    texts, rows = _texts.asked("compare_count", locals()), _users(probabilities)
    with progress_of(progress) as tell:
        return list(json.loads(_core.compare_count(texts, rows, tell))["candidates"])


def chain(
    *,
    epsilon: Number,
    matrix: Mapping[str, Any] | Path | None = None,
    sequence: Iterable[object] | Path | None = None,
    length: int | None = None,
    state: str | None = None,
    histogram: bool = False,
    frequency: bool = False,
    method: str | None = None,
    column: str | None = None,
    separator: str | None = None,
    header: bool = True,
    delta: Number | None = None,
    progress: Progress = None,
) -> Plan:
    """How often states occur in a Markov chain: the plan whose `release(number)` gives the noisy count.

    `matrix` is the chain (a dictionary as in chain.json, or its file); `sequence` the states themselves (a list, or a
    CSV file), of which the chain is estimated: then `release()` alone releases the sequence's own counts.
    """
    if matrix is not None and not isinstance(matrix, (Mapping, str, os.PathLike)):
        raise UsageError("matrix: a chain is a dictionary of states and chains", "as in docs/formats.md: {'states': […], 'chains': […]}")
    texts = _texts.asked("chain", locals())
    matrix_text = json.dumps(_exact(matrix)) if isinstance(matrix, Mapping) else None
    itself = sequence is not None and not isinstance(sequence, (str, os.PathLike))
    states = [str(item) for item in _texts.as_list(sequence)] if itself else None
    with progress_of(progress) as tell:
        return Plan(_core.chain(texts, matrix_text, states, tell))


def rate(
    scenario: Scenario,
    *,
    within: object,
    epsilon: Number,
    delta: Number | None = None,
    of: str | None = None,
    count: Names | None = None,
    sum_: bool = False,
    mean: bool = False,
    histogram: bool = False,
    rows: Number | None = None,
    method: str | None = None,
    progress: Progress = None,
) -> Plan:
    """Hides the rate of a whole table behind a count, a sum, a mean or a histogram of it: `release()` gives the noisy numbers.

    The laws are those of the scenario: what :meth:`Scenario.from_table` counted, or stated ones with the number of `rows`; then
    `release(number)` takes the true number. Rates that differ by at most the share `within` of the rows are not told apart.
    """
    texts = _texts.asked("rate", locals())
    with progress_of(progress) as tell:
        return Plan(_core.rate(scenario._core, texts, tell))


def _exact(value: object) -> object:
    """Numbers inside a chain as exact texts."""
    if isinstance(value, Mapping):
        return {str(key): _exact(part) for key, part in value.items()}
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        return _exact(value.tolist())
    if isinstance(value, Iterable):
        return [_exact(part) for part in value]
    return _texts.number(value, "matrix")
