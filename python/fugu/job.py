"""Jobs: all that a release takes, in one file for version control."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fugu import _core, _texts
from fugu._errors import UsageError
from fugu._frames import warn_of_range, warn_of_unprotected
from fugu._progress import Progress, progress_of
from fugu._whole import write_whole
from fugu.plan import Plan

if TYPE_CHECKING:
    from fugu.scenario import Path


class Job:
    """A job, as `fugu run` does it (docs/jobs.md).

    Read one with :meth:`load`, or write its sections down::

        Job(table={"file": "people.csv"}, columns={"race": {"role": "secret"}, "job": {"role": "public"}},
            budget={"epsilon": 0.5}, outputs={"release": "out.csv"})

    Paths in it are relative to `folder`, which is that of the file for a job that was loaded.
    """

    def __init__(self, *, folder: Path = ".", **sections: Mapping[str, Any]) -> None:
        try:
            text = json.dumps({"format": "fugu-job", "version": 1, **sections})
        except (TypeError, ValueError) as failure:
            raise UsageError(f"a job is JSON: {failure}", "give texts, numbers, lists and dictionaries") from None
        self._read(text, os.fspath(folder))

    def _read(self, text: str, folder: str, path: str = "", place: str = "the job") -> None:
        self._core = _core.Job.of_json(text, place, folder, path)
        self._folder, self._path, self._place = folder, path, place

    @classmethod
    def from_json(cls, text: str, *, folder: Path = ".", place: str = "the job") -> Job:
        return _job(_texts.json_text(text, place), os.fspath(folder), "", place)

    @classmethod
    def load(cls, path: Path) -> Job:
        """Reads a job's file; what it names lies in its folder."""
        name = os.fspath(path)
        return _job(_texts.read_file(path), os.path.dirname(name), name, name)

    def to_json(self) -> str:
        """The file. It holds no counts: keep it where others can read it."""
        return self._core.to_json()

    def to_dict(self) -> dict[str, Any]:
        return dict(json.loads(self.to_json()))

    def save(self, path: Path, *, force: bool = False) -> None:
        """Writes the file, whole or not at all; over an existing one only with `force`."""
        write_whole(path, self.to_json(), force=force, private=False)

    @property
    def flags(self) -> list[str]:
        """The words of the command that does the same, `fugu release …` or `fugu calibrate …`."""
        return list(self._core.words())

    def check(self, *, force: bool = False) -> list[str]:
        """What it would do, in sentences; of the table only the header is read, and nothing is written."""
        return list(self._core.check(force))

    def run(self, *, force: bool = False, values_unchanged: bool = False, progress: Progress = None) -> Plan:
        """Does it: counts, calibrates, proves, releases, writes what the job names; returns the plan.

        `values_unchanged` is your word to the ledger, as the command line's flag. The report is a page of the program
        alone: a job with `outputs.report` is for `fugu run`.
        """
        time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        force, unchanged = _texts.switch(force, "force"), _texts.switch(values_unchanged, "values_unchanged")
        with progress_of(progress) as tell:
            plan = Plan(self._core.run(force, unchanged, time, tell))
        warn_of_unprotected(self._core.kept_unprotected(), 2)
        warn_of_range(plan._core, self._core.publish_min(), 2)
        return plan

    def __reduce__(self) -> tuple[Any, tuple[str, str, str, str]]:
        return _job, (self.to_json(), self._folder, self._path, self._place)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Job) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __str__(self) -> str:
        return self.to_json()

    def __repr__(self) -> str:
        return f"<fugu.Job: {' '.join(self.flags)}>"


def _job(text: str, folder: str, path: str, place: str) -> Job:
    job = Job.__new__(Job)
    job._read(text, folder, path, place)
    return job
