"""diffprivlib's side of the peer table: the geometric mechanism (discrete Laplace noise) by the sensitivity of the range."""

import importlib.metadata

import numpy
from diffprivlib.mechanisms import Geometric

NAME = f"diffprivlib {importlib.metadata.version('diffprivlib')}"
CALL = "Geometric.randomise, value by value"
GUARANTEE = ("Local differential privacy of the value, as OpenDP's, for the geometric law on paper. What is drawn goes through "
             "the logarithm of a double (secure bits, but a law that is only near it), and nothing is proved of that.")


def mechanism(question):
    noise = Geometric(epsilon=float(question.epsilon), sensitivity=question.range)
    return lambda values: numpy.array([noise.randomise(value) for value in values.tolist()], dtype=numpy.int64)
