"""Ledgers: what was released of a dataset, and what is left of its budget."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._frames import names_of

if TYPE_CHECKING:
    from fugu.plan import Plan
    from fugu.scenario import Path


class Ledger:
    """An account of a ledger's file, as `fugu release --ledger` keeps it; several programs may use one file at once.

    `dataset` is one name for all releases of the same people; `budget` is what they may spend together, given once, at the first.
    `values_unchanged` is your word that nobody's value has changed since the column's first release: releases in Python and Spark are not
    compared row by row, so that without it each counts by what it tells whatever the values are::

        account = fugu.Ledger("budget.db", dataset="people", budget=1)
        released = plan.release(people, ledger=account)
    """

    def __init__(self, path: Path, *, dataset: str, budget: Any = None, budget_delta: Any = None, values_unchanged: bool = False) -> None:
        self.path = os.fspath(path)
        self._texts = _core.LedgerTexts(
            self.path,
            str(dataset),
            "" if budget is None else _texts.number(budget, "budget"),
            "" if budget_delta is None else _texts.number(budget_delta, "budget_delta"),
            _texts.switch(values_unchanged, "values_unchanged"),
        )
        self._unchanged = bool(values_unchanged)
        self.spent: dict[str, Any] | None = None

    def left(self, plan: Plan, *, keep: Any = None) -> dict[str, Any]:
        """What a release by this plan would spend, and how many like it fit, as `fugu ledger ask --format json` says it; nothing is written::

            account.left(plan)["more"]["releases"]  # 3: three more like this one
        """
        return dict(json.loads(_core.ask(plan._core, self._texts, names_of(keep))))

    def reserve(self, plan: Plan) -> dict[str, Any]:
        """Count a joint plan of several columns now: later releases of its columns within its influences, with `values_unchanged=True`, cost nothing more."""
        self.spent = dict(json.loads(_core.reserve(plan._core, self._texts, _now())))
        return self.spent

    def accounts(self) -> list[dict[str, Any]]:
        """All accounts of the file with their releases, as `fugu ledger show --format json` has them."""
        return list(json.loads(_core.accounts(self.path))["accounts"])


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Facts(NamedTuple):
    """What a ledger is told of a release."""

    place: str  # where it appears; empty in memory
    keep: list[str]
    keep_unprotected: list[str]
    new_data: bool
    drop: bool


def within_budget(ledger: Ledger | None, plan: Plan, facts: Facts, make: Callable[[Callable[[], None]], Any]) -> Any:
    """What `make` makes; it calls what it is given before anything appears. Then `ledger.spent` says what is spent."""
    if ledger is None:
        return make(lambda: None)
    if not isinstance(ledger, Ledger):
        raise UsageError(f"ledger: a {type(ledger).__name__} is no ledger", 'give a fugu.Ledger, for example fugu.Ledger("budget.db", dataset="people", budget=1)')
    made: list[Any] = []
    spent = _core.within_budget(
        plan._core,
        ledger._texts,
        _core.ReleaseFacts(facts.place, _now(), facts.keep, facts.keep_unprotected, facts.new_data, facts.drop),
        lambda count: made.append(make(count)),
    )
    ledger.spent = dict(json.loads(spent))
    return made[0]
