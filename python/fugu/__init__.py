"""Pufferfish privacy with a proof.

    import fugu

    scenario = fugu.Scenario.from_table(people, secret="race", public="occupation")
    print(fugu.compare(scenario, epsilon=0.5))
    plan = fugu.calibrate(scenario, epsilon=0.5)
    released = plan.release(people)
    plan.statement()
"""

from fugu._core import version as __version__
from fugu._errors import BudgetError, DataError, Error, FileError, GuaranteeError, InternalError, UsageError
from fugu.comparison import Comparison, compare
from fugu.estimates import estimate
from fugu.files import release_file
from fugu.job import Job
from fugu.ledger import Ledger
from fugu.models import chain, compare_count, count, rate
from fugu.plan import Plan, Releaser, calibrate, compose
from fugu.previews import Preview, Utility, utility
from fugu.scenario import Scenario

__all__ = [
    "BudgetError",
    "Comparison",
    "DataError",
    "Error",
    "FileError",
    "GuaranteeError",
    "InternalError",
    "Job",
    "Ledger",
    "Plan",
    "Preview",
    "Releaser",
    "Scenario",
    "UsageError",
    "Utility",
    "__version__",
    "calibrate",
    "chain",
    "compare",
    "compare_count",
    "compose",
    "count",
    "estimate",
    "rate",
    "release_file",
    "utility",
]
