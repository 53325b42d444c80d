"""The question: what is secret, what is released, who may believe what."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from fugu import _core, _texts
from fugu._errors import DataError, UsageError
from fugu._frames import Frame, OtherFrame, check_people, frame_of, names_of, stream_of, watched
from fugu._progress import Progress, progress_of

if TYPE_CHECKING:
    from fugu._texts import Names, Number
    from fugu.pictures import Pictures
    from fugu.plan import Plan

    Laws = Mapping[str, Mapping[Any, Number]]

Path = Union[str, "os.PathLike[str]"]


class Scenario:
    """What is secret, and how the released value is distributed given each secret.

    Make one of a table with :meth:`from_table`, of a file with :meth:`from_file`, or of the laws themselves::

        Scenario({"yes": {0: 3, 1: 1}, "no": {0: 1, 1: 3}})

    Masses are counts, decimals or fractions, exact as written (a float is the shortest decimal that reads back as it).
    Values are numbers, or texts for categories, which `order` puts in order. `priors` are further beliefs that an
    adversary may hold, by their names.
    """

    def __init__(
        self,
        given: Laws,
        *,
        priors: Mapping[str, Laws] | None = None,
        pairs: object = None,
        order: Iterable[str] | None = None,
        epsilon: Number | None = None,
        delta: Number | None = None,
        step: Number | None = None,
        public: str | None = None,
        confidence: Number | None = None,
    ) -> None:
        text = _scenario_file({"given": given, **(priors or {})}, pairs, order, epsilon, delta, step, public, confidence)
        self._core = _core.Scenario.of_json(text, "the scenario")

    @classmethod
    def _of(cls, core: _core.Scenario) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._core = core
        return scenario

    @classmethod
    def from_table(
        cls,
        data: object,
        *,
        secret: Names,
        public: Names,
        except_: Names | None = None,
        known: Names | None = None,
        given: Names | None = None,
        also: Names | None = None,
        person: str | None = None,
        rows_per_person: int | None = None,
        rows_independent: bool = False,
        weight: str | None = None,
        count: str | None = None,
        pairs: object = None,
        confidence: Number | None = None,
        epsilon: Number | None = None,
        delta: Number | None = None,
        order: Iterable[str] | None = None,
        secret_order: Iterable[str] | None = None,
        step: object = None,
        clip: object = None,
        bin: object = None,
        bin_edges: object = None,
        merge_rare: object = None,
        map: object = None,
        map_rest: object = None,
        date_unit: object = None,
        noise_shares: object = None,
        na: Names | None = None,
        missing: str | None = None,
        range: str | None = None,
        min_group: int | None = None,
        closeness: Number | None = None,
        priors: Iterable[Path] = (),
        separator: str | None = None,
        header: bool = True,
        not_missing: Names | None = None,
        kind: object = None,
        bounds: str | None = None,
        population: Names | None = None,
        census: bool = False,
        promise: str | None = None,
        shares: Number | None = None,
        progress: Progress = None,
    ) -> Scenario:
        """Counts a table: a pandas, polars, pyarrow or DuckDB table, or the path of a CSV file.

        The arguments are the flags of the command line, with their meanings; `except_` is --except. A null is a missing field.
        """
        secret, public, given, known = names_of(secret), names_of(public), names_of(given), names_of(known)
        others = [*secret, *given, *known, *names_of(person), *names_of(weight), *names_of(count)]
        independent = person is not None or count is not None or _texts.switch(rows_independent, "rows_independent")
        texts = _texts.asked("from_table", locals())
        files = [os.fspath(file) for file in ([priors] if isinstance(priors, (str, os.PathLike)) else priors)]
        if isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith((".parquet", ".pq")):
            from fugu.files import parquet_table

            whole = _texts.releases_all(public)
            data = parquet_table(os.fspath(data), None if whole else [*others, *public], not independent)
        if isinstance(data, (str, os.PathLike)):
            with progress_of(progress) as tell:
                return cls._of(_core.Scenario.of_file({**texts, "TABLE": os.fspath(data)}, files, tell))
        if not header or separator:
            raise UsageError("header and separator are for files", "leave them out: this table has names and columns")
        frame = frame_of(data)
        if frame.is_column:
            raise UsageError("this is one column, not a table", "give a table with the secret and the released column")
        if _texts.releases_all(public) and not isinstance(frame, OtherFrame):
            public = _texts.all_columns(texts, frame.columns())
            texts = {**texts, "public": _texts.names(public), "except": ""}
        columns = _asked_columns(frame, [*others, *public])
        with progress_of(progress) as tell:
            counted = None if columns is None else frame.counted(columns)
            suspects = [] if columns is None or independent or frame.times else watched(frame.columns(), columns)
            if counted is not None:
                check_people(frame.repeats, suspects)
                suspects = []
                try:
                    return cls._of(_core.Scenario.of_rows(counted.stream(None), texts, files, counted.times, tell))
                except DataError:
                    pass  # the rows themselves tell which of them is meant
            stream = frame.stream(columns) if columns is None else stream_of(frame, columns, suspects)
            return cls._of(_core.Scenario.of_rows(stream, texts, files, frame.times, tell, frame.remembered))

    @classmethod
    def from_file(cls, path: Path) -> Scenario:
        """Reads a scenario file, as the command line's --scenario."""
        return cls.from_json(_texts.read_file(path), place=os.fspath(path))

    @classmethod
    def from_json(cls, text: str, *, place: str = "the scenario") -> Scenario:
        return cls._of(_core.Scenario.of_json(_texts.json_text(text, place), place))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Scenario.from_json, (self.to_json(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def to_json(self) -> str:
        """The scenario file. It holds the counts: keep it to yourself."""
        return self._core.to_json()

    def facts(self) -> dict[str, Any]:
        """What the command line says of a table: rows, secrets, distances."""
        return dict(json.loads(self._core.facts()))

    def laws(self) -> dict[str, Any]:
        """P(X|S=s) for every secret and prior, as numbers to draw."""
        return dict(json.loads(self._core.laws()))

    def transport(self) -> dict[str, Any]:
        """How mass moves between the laws of the pair that are farthest apart."""
        return dict(json.loads(self._core.transport()))

    def calibrate(self, **options: Any) -> Plan:
        """The same as :func:`fugu.calibrate` of this scenario."""
        from fugu.plan import calibrate

        return calibrate(self, **options)

    def compare(self, **options: Any) -> Any:
        """The same as :func:`fugu.compare` of this scenario."""
        from fugu.comparison import compare

        return compare(self, **options)

    def __str__(self) -> str:
        return self._core.facts_text()

    def __repr__(self) -> str:
        facts = self.facts()
        return f"<fugu.Scenario: {facts.get('secrets', '?')} secrets, {facts.get('pairs', '?')} pairs>"

    def _repr_html_(self) -> str:
        from fugu.looking import scenario_html

        return scenario_html(self)

    def plot(self, **options: Any) -> Pictures:
        """P(X|S=s) side by side; `column` and `prior` choose where there are several."""
        from fugu.looking import plot_laws

        return plot_laws(self, **options)


def _asked_columns(frame: Frame, asked: list[str]) -> list[str] | None:
    """The columns to read of a table that may hold far more; None for all: wrong names get the core's words."""
    if isinstance(frame, OtherFrame):
        return None
    there = frame.columns()
    return list(dict.fromkeys(asked)) if all(name in there for name in asked) else None


def _scenario_file(
    priors: Mapping[str, Laws],
    pairs: object,
    order: Iterable[str] | None,
    epsilon: Number | None,
    delta: Number | None,
    step: Number | None,
    public: str | None,
    confidence: Number | None,
) -> str:
    """The scenario file of these laws, as the core reads it."""
    for laws in priors.values():
        if not isinstance(laws, Mapping) or not all(isinstance(law, Mapping) for law in laws.values()):
            raise UsageError(
                "a scenario is a dictionary of laws: for each secret a dictionary of masses by value",
                "for example Scenario({'yes': {0: 3, 1: 1}, 'no': {0: 1, 1: 3}}), or Scenario.from_table",
            )
    values = [value for laws in priors.values() for law in laws.values() for value in law]
    labels: list[str] = []
    if order is not None or any(isinstance(value, str) and not _is_number(value) for value in values):
        labels = list(order) if order is not None else sorted({str(value) for value in values}, key=str.encode)
        lacking = {str(value) for value in values} - set(labels)
        if lacking:
            raise UsageError("order: it does not hold every category of the laws", "name each category once")

    def place(value: object) -> str:
        return str(labels.index(str(value)) + 1) if labels else _literal(value, "a value")

    written = []
    for name, laws in priors.items():
        given = ", ".join(
            f"{json.dumps(str(secret))}: {{\"values\": [{', '.join(map(place, law))}], "
            f"\"mass\": [{', '.join(_literal(mass, 'a mass') for mass in law.values())}]}}"
            for secret, law in laws.items()
        )
        written.append(f'{{"name": {json.dumps(str(name))}, "given": {{{given}}}}}')
    members = [f"\"priors\": [{', '.join(written)}]"]
    for key, value in {"epsilon": epsilon, "delta": delta, "confidence": confidence}.items():
        if value is not None:
            members.append(f'"{key}": {_literal(value, key)}')
    if isinstance(pairs, str) or pairs is None:
        members.append(f'"pairs": {json.dumps(pairs or "all")}')
    else:
        members.append(f'"pairs": {json.dumps([list(pair) for pair in pairs])}')  # type: ignore[attr-defined]
    if step is not None:
        members.append(f'"lattice": {{"step": {_literal(step, "step")}, "origin": 0}}')
    source: dict[str, object] = {}
    if public is not None:
        source["public"] = [public]
    if labels:
        source["labels"] = labels
    if source:
        members.append(f'"source": {json.dumps(source)}')
    return "{" + ", ".join(members) + "}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _literal(value: object, name: str) -> str:
    """A number as JSON: fractions and odd forms in quotes, which the core reads as well."""
    text = _texts.number(value, name)
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(text)
    return text
