"""OpenDP's side of the peer table: discrete Laplace noise by the sensitivity of the range."""

import importlib.metadata

import numpy
import opendp.prelude as dp

NAME = f"OpenDP {importlib.metadata.version('opendp')}"
CALL = "make_laplace on a vector of i64"
GUARANTEE = ("Local differential privacy of the value: the odds between any two values, and so between any two secrets, change by "
             "at most e^epsilon, whatever the adversary believes. Exact sampler, bounds rounded outward; behind the switch "
             "\"contrib\" until its proofs are vetted.")

dp.enable_features("contrib")


def mechanism(question):
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    noise = space >> dp.m.then_laplace(scale=question.range / float(question.epsilon))
    assert noise.map(question.range) <= float(question.epsilon)
    return lambda values: numpy.array(noise(values), dtype=numpy.int64)
