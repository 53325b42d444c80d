"""A step of scikit-learn that releases a table: `fit` calibrates, `transform` releases.

    from fugu.sklearn import Releaser

    released = Releaser(secret="race", public=["job", "hours"], epsilon=1).fit_transform(people)

scikit-learn is imported with this module and with nothing else of fugu.
"""

from __future__ import annotations

import warnings
from typing import Any

from fugu._errors import UsageError
from fugu._frames import frame_of
from fugu.plan import calibrate
from fugu.scenario import Scenario

try:
    from sklearn.base import BaseEstimator, TransformerMixin  # type: ignore[import-untyped]
except ImportError:
    raise UsageError("fugu.sklearn needs scikit-learn, which is not installed", "pip install scikit-learn") from None

__all__ = ["Releaser"]


class Releaser(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Releases the columns `public` of a table so that what they say of `secret` stays within `epsilon`.

    `fit` counts the table and finds the noise (`plan_`); `transform` draws it for the same table, once: another draw of the same rows
    would spend the budget again, and is refused unless `again` is true. `new_data` says that `transform` gets other rows, which follow
    the same laws. `table` and `search` are further arguments of :meth:`fugu.Scenario.from_table` and :func:`fugu.calibrate`.

    What comes out has the released and the known columns alone, never the secret. A target `y` goes along as it is, and nothing is
    promised of what is learnt from it: put the target among `public`, and take it from what `transform` gives, to have it covered.
    """

    def __init__(
        self,
        secret: Any = None,
        public: Any = None,
        epsilon: Any = None,
        *,
        known: Any = None,
        method: str | None = None,
        table: dict[str, Any] | None = None,
        search: dict[str, Any] | None = None,
        new_data: bool = False,
        keep_order: bool = False,
        again: bool = False,
    ) -> None:
        self.secret = secret
        self.public = public
        self.epsilon = epsilon
        self.known = known
        self.method = method
        self.table = table
        self.search = search
        self.new_data = new_data
        self.keep_order = keep_order
        self.again = again

    def fit(self, X: Any, y: Any = None) -> Releaser:
        """Counts the table, which has the secret, and calibrates. Nothing is drawn."""
        if self.epsilon is None:
            raise UsageError("--epsilon: no epsilon is given", "say how much may be learnt: Releaser(…, epsilon=1)")
        for name, more in (("table", self.table), ("search", self.search)):
            twice = sorted({"secret", "public", "known", "epsilon", "method"} & set(more or {}))
            if twice:
                raise UsageError(f"{name}: '{twice[0]}' is an argument of its own", f"give it as such: Releaser(…, {twice[0]}=…)")
        scenario = Scenario.from_table(X, secret=self.secret, public=self.public, known=self.known, **(self.table or {}))
        plan = calibrate(scenario, epsilon=self.epsilon, method=self.method, **(self.search or {}))
        if y is not None:
            self._check_target(plan)
        self.plan_ = plan
        self.transforms_ = 0
        self.columns_ = [*plan._source("known"), *plan._source("public")]
        return self

    def _check_target(self, plan: Any) -> None:
        if plan._shuffles(self.keep_order):
            raise UsageError(
                "fit: the released rows come in random order, and y would be that of others",
                "put the target among public and take it from what transform gives; or keep_order=True where the order of rows tells nothing",
            )
        warnings.warn("y goes along as it is: nothing is promised of what it says of the secret", stacklevel=3)

    def transform(self, X: Any) -> Any:
        """The released table; each call is another draw."""
        if not hasattr(self, "plan_"):
            raise UsageError("transform: nothing was calibrated", "call fit first")
        if self.transforms_ and not self.again:
            raise UsageError(
                "transform: this plan has released already, and another draw spends the budget again",
                "keep what the first transform gave; or say again=True, and count both draws",
            )
        released = self.plan_.release(X, new_data=self.new_data, keep_order=self.keep_order)
        self.transforms_ += 1
        self.columns_ = frame_of(released).columns()
        if self.transforms_ > 1:
            warnings.warn(f"this is draw {self.transforms_}: together they promise less than epsilon says; see fugu.compose", stacklevel=2)
        return released

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        import numpy as np

        if not hasattr(self, "plan_"):
            raise UsageError("get_feature_names_out: nothing was calibrated", "call fit first")
        names = {*self.plan_._source("known"), *self.plan_._source("public")}
        # By these scikit-learn names the columns of what was released just now.
        there = self.columns_ if input_features is None else list(input_features)
        return np.asarray([name for name in there if name in names], dtype=object)
