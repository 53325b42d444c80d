"""The answer and its evidence: plans, what they promise, and releasing by them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._frames import (Carried, Frame, OtherFrame, Released, check_names, frame_of, hidden_rows, names_of, quiet, staying_rows, stream_of,
                          warn_of_range, warn_of_unprotected, watched)
from fugu._progress import Progress, progress_of
from fugu._whole import write_whole
from fugu.ledger import Facts, Ledger, within_budget
from fugu.scenario import Scenario

if TYPE_CHECKING:
    from fugu._texts import Names, Number
    from fugu.pictures import Pictures
    from fugu.previews import Preview

Path = Union[str, "os.PathLike[str]"]


class Plan:
    """A mechanism that was proved: the noise, what it promises, and where it is tightest.

    It holds the counts of the table it was made from: keep it to yourself, and publish :meth:`statement`.
    """

    def __init__(self, core: _core.Plan) -> None:
        self._core = core
        self._json = core.to_json()
        self._data: dict[str, Any] = json.loads(self._json)

    # ---- files

    @classmethod
    def from_json(cls, text: str, *, place: str = "the plan") -> Plan:
        """Reads a plan; :meth:`verify` proves it, and so does every release."""
        return cls(_core.Plan.of_json(_texts.json_text(text, place), place))

    def to_json(self) -> str:
        """The file of the plan, byte for byte what the command line writes."""
        return self._json

    @classmethod
    def load(cls, path: Path) -> Plan:
        return cls.from_json(_texts.read_file(path), place=os.fspath(path))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Plan.from_json, (self._json,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes the plan's file, readable by its owner only."""
        write_whole(path, self._json, force=force, private=True)

    # ---- what it says

    @property
    def epsilon(self) -> float:
        return _float(self._data["guarantee"]["epsilon"])

    @property
    def delta(self) -> float:
        return _float(self._data["guarantee"]["delta"])

    @property
    def method(self) -> str:
        return str(self._data["guarantee"]["method"])

    @property
    def noise(self) -> str:
        return str(self._data["mechanism"]["noise"])

    @property
    def scale(self) -> float | None:
        """Theta (sigma for Gaussian noise) in data units; None where there is none."""
        scale = self._data["mechanism"].get("scale")
        return None if scale is None else float(scale)

    @property
    def mse(self) -> float:
        """The mean squared error of a release."""
        return float(self._data["mechanism"]["mse"])

    @property
    def assumptions(self) -> list[str]:
        return list(self._data["assumptions"])

    @property
    def notes(self) -> list[str]:
        return list(self._data["notes"])

    @property
    def scenario(self) -> Scenario:
        """The question it answers. A model's plan has none."""
        return Scenario._of(self._core.scenario())

    def to_dict(self) -> dict[str, Any]:
        return dict(json.loads(self._json))

    def statement(
        self,
        *,
        keep: Names | None = None,
        keep_unprotected: Names | None = None,
        drop: bool = False,
        publish_min: int = _core.publish_min,
    ) -> dict[str, Any]:
        """What may be published: the guarantee, its assumptions, the law of the noise.

        Of a release with `keep…` or `drop`, give them here as well: the statement says what they add to it.
        A category, an end of the range or a channel's value that fewer than `publish_min` people share is refused.
        """
        drop = _texts.switch(drop, "drop")
        least = _texts.people(publish_min, "publish_min")
        statement = self._core.statement(names_of(keep), names_of(keep_unprotected), drop, least)
        warn_of_range(self._core, least, 2)
        return dict(json.loads(statement))

    def statement_text(self) -> str:
        """The same in words."""
        return self._core.statement_text()

    def verify(self, *, progress: Progress = None) -> dict[str, Any]:
        """Proves the plan anew, believing none of its numbers; raises GuaranteeError where it does not hold."""
        with progress_of(progress) as tell:
            return dict(json.loads(self._core.verify(tell)))

    def loss_curve(self, *, progress: Progress = None) -> dict[str, Any]:
        """A proved bound of the privacy loss at every output, the pair that has it, and the witness."""
        with progress_of(progress) as tell:
            return dict(json.loads(self._core.losses(tell)))

    def leakage(self, *, progress: Progress = None) -> dict[str, Any]:
        """How often the best guess of the secret is right before and after, the bits that are told, the maximal leakage.

        Each is a dictionary of proved bounds, `at_least` and `at_most`. They are about somebody who knows how often everything
        occurs in the table and sees what is released of one person, and they come from its counts: keep them to yourself. The plan is
        proved first. A model's plan has none.
        """
        with progress_of(progress) as tell:
            return dict(json.loads(self._core.leakage(tell)))

    def preview(
        self,
        table: object = None,
        *,
        cross: Names | None = None,
        draws: int | None = None,
        rows: int | None = None,
        progress: Progress = None,
    ) -> Preview:
        """What a release would leave: rows, shares, means and associations, before and after, and how often the secret is guessed.

        After are averages over `draws` simulated draws by the plan's own sampler, never the draw of a release. `rows` rows are shown: the first
        of `table`, a data frame or the path of a CSV or Parquet file, or rows drawn from the plan's counts. `cross` names two columns to be counted by each other.
        It is private, like the plan, which is proved first. A model's plan has none.
        """
        from fugu.previews import preview_of

        return preview_of(self, table, cross, draws, rows, progress)

    # ---- releasing

    def release(
        self,
        data: object = None,
        *,
        new_data: bool = False,
        drop: bool = False,
        keep: Names | None = None,
        keep_unprotected: Names | None = None,
        publish_min: int = _core.publish_min,
        rows_independent: bool = False,
        keep_order: bool = False,
        ledger: Ledger | None = None,
        progress: Progress = None,
    ) -> Any:
        """Releases a column or a table with exact noise; the type that goes in comes out.

        A table gives a table of the released columns alone, of the plan's known ones, and of those that `keep` names. It must be the one that the
        plan was made from: the counts of every secret are compared, or of a single column those of its values, unless
        `new_data` says that these are other rows that the plan's prior describes. `drop` leaves out rows whose value is
        missing or that the plan does not know, unless other columns are kept, which would show whose rows they are.
        Rows that trade places as a whole come in random order, unless `keep_order` says that theirs tells nothing; several rows of a person always do.
        Each call draws anew: releasing twice spends the budget twice. A `ledger` counts it, and refuses it where the budget would be passed.
        Categories, ends and values that fewer than `publish_min` people share are refused, as by :meth:`statement`.

        The plan of a model (:func:`fugu.count`, :func:`fugu.chain`) takes its true number, or numbers.
        """
        new_data, drop = _texts.switch(new_data, "new_data"), _texts.switch(drop, "drop")
        least = _texts.people(publish_min, "publish_min")
        independent = _texts.switch(rows_independent, "rows_independent")
        shuffled = self._shuffles(keep_order)
        if self._core.is_model():
            if ledger is not None:
                raise UsageError("ledger: the plan of a model has no account", "leave it out")
            if new_data or drop or keep is not None or keep_unprotected is not None:
                raise UsageError("the plan of a model releases numbers", "give the true number alone: plan.release(17)")
            return self._release_numbers(data, least, progress)
        if isinstance(data, (str, os.PathLike)):
            raise UsageError("release: this is the name of a file", "use fugu.release_file for Parquet, or the program fugu for CSV")
        facts = Facts("", names_of(keep), names_of(keep_unprotected), new_data, drop)

        def make(count: Callable[[], None]) -> Any:
            released = self._release_frame(data, new_data, drop, keep, keep_unprotected, least, independent, shuffled, progress)
            count()
            return released

        released = within_budget(ledger, self, facts, make)
        warn_of_unprotected(facts.keep_unprotected, 2, self._person())
        return released

    def _release_frame(
        self,
        data: object,
        new_data: bool,
        drop: bool,
        keep: Names | None,
        keep_unprotected: Names | None,
        least: int,
        independent: bool,
        shuffled: bool,
        progress: Progress,
    ) -> Any:
        frame = frame_of(data)
        if _is_relation(frame):
            used = self._columns_for(frame, new_data)
            wanted = [*used, *self._watched(frame.columns(), used, independent), *names_of(keep), *names_of(keep_unprotected)]
            fixed = frame.fixed(wanted)
            return _relation(self._release_table(fixed, new_data, drop, keep, keep_unprotected, least, independent, shuffled, progress))
        if isinstance(frame, OtherFrame):
            frame = frame.fixed([])
        if not frame.is_column:
            return self._release_table(frame, new_data, drop, keep, keep_unprotected, least, independent, shuffled, progress)
        if keep is not None or keep_unprotected is not None:
            raise UsageError("--keep: there is one column", "give the whole table")
        name = getattr(data, "name", None)
        if name is not None and str(name) in self._source("secret"):
            raise UsageError(f"column '{name}' is the secret", "release the plan's column")
        with progress_of(progress) as tell:
            columns, _, _ = self._core.release(frame.stream(self._source("public")), new_data, drop, [], False, least, independent, tell)
        return frame.column_out(Released(columns[0], self._labels()[0]))

    def _source(self, key: str) -> list[str]:
        return list(self._data.get("scenario", {}).get("source", {}).get(key, []))

    def _labels(self) -> list[list[str]]:
        """The categories of each released column, none for numbers."""
        columns = max(len(self._source("public")), 1)
        labels = self._source("labels")
        if columns == 1:
            return [labels]
        return labels or [[] for _ in range(columns)]  # type: ignore[return-value]

    def _released(self, columns: Iterable[_core.Column]) -> dict[str, Released]:
        named = zip(self._source("public"), columns, self._labels(), strict=True)
        return {name: Released(column, labels) for name, column, labels in named}

    def _columns_for(self, frame: Frame, new_data: bool) -> list[str]:
        """The plan's columns in a table; new data need not have the secret."""
        there = frame.columns()
        others = [*self._source("secret"), *self._source("given")]
        source = self._data.get("scenario", {}).get("source") or {}
        besides = [self._person()] if self._person() else []
        if "weight" in source and not new_data:
            besides.append(source["weight"]["column"])
        needed = [*self._source("known"), *self._source("public"), *besides]
        return [*dict.fromkeys([*(n for n in others if not new_data or n in there), *needed])]

    def _counted_columns(self) -> list[str]:
        """The columns whose texts are counted, but for what rows weigh."""
        return [*self._source("secret"), *self._source("given"), *self._source("known"), *self._source("public")]

    def _carried(self, kept: Sequence[str], unprotected: Sequence[str], hidden: Any = None) -> Carried:
        """What goes along with the released columns: the known ones always do."""
        return Carried([*kept, *self._source("known")], unprotected, self._source("na"), hidden)

    def _shuffles(self, keep_order: bool) -> bool:
        """Whether the rows of a table come in random order: where they trade places as a whole, their neighbours may tell what
        they were; and where a person has several rows, their order may."""
        keeps = _texts.switch(keep_order, "keep_order")
        if self._core.is_model():
            return False
        return self._core.order_tells(keeps) or (not keeps and self._core.draws_whole_rows())

    def _person(self) -> str:
        """The column that says whose row it is; empty where each row is a person's."""
        source = self._data.get("scenario", {}).get("source") or {}
        return str(source.get("person", {}).get("column", ""))

    def _watched(self, there: Sequence[str], used: Sequence[str], independent: bool) -> list[str]:
        """Other columns, which are looked at for people who come again."""
        source = self._data.get("scenario", {}).get("source") or {}
        told = independent or "person" in source or source.get("rows_independent", False)
        return [] if told else watched(there, [*used, *self._counted_columns()])

    def _release_table(
        self,
        frame: Frame,
        new_data: bool,
        drop: bool,
        keep: Names | None,
        keep_unprotected: Names | None,
        publish_min: int,
        independent: bool,
        shuffled: bool,
        progress: Progress,
    ) -> Any:
        kept, unprotected = names_of(keep), names_of(keep_unprotected)
        self._core.check_kept(kept, unprotected)
        used = self._columns_for(frame, new_data)
        check_names(frame, [*(used if new_data else []), *unprotected], self._source("na"), frame.columns())
        stream = stream_of(frame, used, self._watched(frame.columns(), used, independent))
        with progress_of(progress) as tell:
            columns, left_out, hidden = self._core.release(stream, new_data, drop, kept, bool(unprotected), publish_min, independent, tell)
        carried = self._carried(kept, unprotected, hidden_rows(hidden))
        table = frame.table_out(self._released(columns), carried, staying_rows(left_out))
        if shuffled:
            table = quiet(lambda: frame.reordered(table, _core.random_order(len(table))), "the released table")
        return table

    def _release_numbers(self, data: object, publish_min: int, progress: Progress) -> Any:
        several = not isinstance(data, str) and (isinstance(data, Sequence) or getattr(data, "ndim", 0) == 1)
        truth: list[Any] = [] if data is None else _texts.as_list(data) if several else [data]
        texts = [_texts.number(number, "release") for number in truth]
        with progress_of(progress) as tell:
            released = [_number_of(text) for text in self._core.release_numbers(texts, publish_min, tell)]
        return released if several or len(released) > 1 else released[0]

    def releaser(self, *, publish_min: int = _core.publish_min) -> Releaser:
        """The mechanism and the map of values, for workers elsewhere. No secrets. It lists the values that occur, and how often where
        they trade places: as private as the column, and for nobody who may not see it."""
        releasers = self._core.releasers(_texts.people(publish_min, "publish_min"))
        if len(releasers) != 1:
            raise UsageError("the plan releases several columns together", "release the table with plan.release")
        return Releaser(releasers[0])

    # ---- looking

    def __str__(self) -> str:
        return self._core.text()

    def __repr__(self) -> str:
        delta = f", delta {self.delta:g}" if self.delta else ""
        return f"<fugu.Plan: {self.method}, {self.noise} noise, epsilon {self.epsilon:g}{delta}>"

    def _repr_html_(self) -> str:
        from fugu.looking import plan_html

        return plan_html(self)

    def picture(
        self, *, seconds: float = 20, public: bool = False, publish_min: int = _core.publish_min, progress: Progress = None
    ) -> dict[str, Any]:
        """All that a report shows, as numbers: docs/formats.md, "Picture"; of `public` what may be published."""
        with progress_of(progress) as tell:
            if public:
                return dict(json.loads(self._core.public_picture(_texts.people(publish_min, "publish_min"), tell)))
            return dict(json.loads(self._core.picture(seconds, tell)))

    def plot(self, **options: Any) -> Pictures:
        """The laws, the transport plan, the loss of every output and the noise."""
        from fugu.looking import plot_plan

        return plot_plan(self, **options)


class Releaser:
    """Releases columns by a mechanism that was proved elsewhere. It can be pickled. It holds which values occur,
    and how often where values trade places, but no secrets: give it, and its pickle, only to those who may see the column."""

    def __init__(self, core: _core.Releaser) -> None:
        self._core = core

    def release(self, data: object, *, drop: bool = False) -> Any:
        """The column with exact noise, in the type it came in. Nothing is compared: that is the caller's part."""
        frame = frame_of(data)
        if not frame.is_column:
            raise UsageError("a releaser takes one column", "give it the column alone")
        column, _ = self._core.release(frame.stream(None), drop, False, None)
        labels = json.loads(self._core.to_json())["source"].get("labels", [])
        return frame.column_out(Released(column, labels))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _releaser, (self._core.to_json(),)


def _releaser(text: str) -> Releaser:
    return Releaser(_core.Releaser.of_json(text))


def _relation(table: Any) -> Any:
    import duckdb

    return duckdb.from_arrow(table)


def _is_relation(frame: Frame) -> bool:
    return type(frame).__name__ == "DuckFrame"


def _float(value: object) -> float:
    """A number of a plan, which may be a fraction in quotes."""
    return float(Fraction(value)) if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def _number_of(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text) if "/" not in text else _divided(text)


def _divided(text: str) -> float:
    above, below = text.split("/")
    return int(above) / int(below)


def calibrate(
    scenario: Scenario,
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    method: str | None = None,
    noise: str | None = None,
    loss: str | None = None,
    outputs: Iterable[object] | None = None,
    asymmetric: bool = False,
    unbiased: bool = False,
    time_limit: Number | None = None,
    cost: str | None = None,
    least_kept: Number | None = None,
    progress: Progress = None,
) -> Plan:
    """Finds noise by the method, and proves it: the same plan as the command line's.

    It is the least that the method looks for: exact the least scale of its family (the least found, if not Laplace), optimal the
    least error of additive noise that is symmetric (or, `asymmetric`, of mean zero), channel that of releases which look at the value
    alone and give out its outputs, the others the scale of their theorem. Where a time limit or the size ends the search of optimal or channel, it is the best that was
    proved until then, and `notes` say so.
    """
    _check_scenario(scenario)
    asked = _texts.asked("calibrate", locals())
    with progress_of(progress) as tell:
        plan = Plan(scenario._core.calibrate(asked, tell))
    warn_of_range(plan._core, _core.publish_min, 2)
    return plan


def _check_scenario(scenario: object) -> None:
    if not isinstance(scenario, Scenario):
        raise UsageError(
            f"a {type(scenario).__name__} is no scenario", "make one with fugu.Scenario.from_table(table, secret=…, public=…)"
        )


def compose(*plans: Plan, delta: Number | None = None, values_unchanged: bool = False, progress: Progress = None) -> dict[str, Any]:
    """What several releases of the same value promise together: epsilon, delta, the bound used, and the words.

    With `delta` the least epsilon of at most that delta. `values_unchanged` is your word that nobody's value has changed where the plans
    are of tables at other times. Where the answer has a delta, the plans must have been settled beforehand.
    """
    if len(plans) == 1 and isinstance(plans[0], (list, tuple)):
        plans = tuple(plans[0])
    for plan in plans:
        if not isinstance(plan, Plan):
            raise UsageError(f"compose: a {type(plan).__name__} is no plan", "give the plans: fugu.compose(plan, other)")
    said = _texts.numbers(delta, "delta")
    unchanged = _texts.switch(values_unchanged, "values_unchanged")
    with progress_of(progress) as tell:
        return dict(json.loads(_core.compose([plan._core for plan in plans], said, unchanged, tell)))
