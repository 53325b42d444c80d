"""Writes a hospital's table of N rows and 50 columns, with the oddities of a real one, to FILE.

wide_table.py FILE N [SEED]
"""

import random
import sys

sys.path.insert(0, __file__.rsplit("/", 3)[0] + "/tests/cli")
from stays import stay  # noqa: E402


def main():
    path, rows, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    draw = random.Random(seed)
    pools = {name: sorted({str(stay(k)[name]) for k in range(2000)}) for name in stay(0)}
    pools["encounter_id"] = pools["patient_nbr"] = None
    with open(path, "w") as file:
        file.write(",".join(pools) + "\n")
        for k in range(rows):
            file.write(",".join([str(2278392 + 6 * k), str(8222157 + draw.randrange(rows * 7 // 10)), *(draw.choice(pool) for pool in list(pools.values())[2:])]) + "\n")


if __name__ == "__main__":
    main()
