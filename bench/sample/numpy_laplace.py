"""numpy's side of the sampling benchmark; compare.py drives it beside fugu.cc. A task a line: "laplace STEPS COUNT".

Generator.laplace is neither exact (doubles, not the lattice's numbers) nor secure (PCG64 can be predicted).
"""

import json
import sys
import time

import numpy

CALL = 1 << 16


def main():
    random = numpy.random.default_rng()
    for line in sys.stdin:
        task, *arguments = line.split()
        if task == "version":
            print(json.dumps({"version": numpy.__version__}), flush=True)
            continue
        draw = {"laplace": random.laplace, "gaussian": random.normal}[task]
        steps, count = float(arguments[0]), int(arguments[1])
        out = draw(0.0, steps, CALL)
        start = time.perf_counter()
        for _ in range(0, count, CALL):
            out = draw(0.0, steps, CALL)
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "mean_square": float((out * out).mean())}), flush=True)


if __name__ == "__main__":
    main()
