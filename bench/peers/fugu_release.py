"""fugu's side of the peer table: the least Laplace noise that hides the secret, by the package."""

import fugu
import pyarrow

NAME = f"fugu {fugu.__version__}"
CALL = "plan.release of a column"
GUARANTEE = ("Pufferfish: seeing a released value changes the odds between any two secrets by at most e^epsilon, for an "
             "adversary who holds the table's frequencies for true. Proved by interval arithmetic for the very integers that "
             "are drawn. It hides the secret alone, not the value.")


def mechanism(question):
    """A function from the true values to the released ones, as long as both are NumPy columns of whole numbers."""
    table = pyarrow.table({"secret": question.secrets, "value": question.values})
    scenario = fugu.Scenario.from_table(table, secret="secret", public="value")
    return fugu.calibrate(scenario, epsilon=question.epsilon, method="exact").release
