"""Rows that trade places in a table of about a million distinct rows: what calibrate, verify and release take.

compare.py FOLDER [--json FILE] [--check] [--rows N] [--secrets N] [--values N] [--seed SEED]

FOLDER holds the built fugu. The table (70 MB) and the plan (500 MB) are written to a temporary folder (TMPDIR says where).
There is no peer: none proves this.
"""

import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, missed, parser_of, timed  # noqa: E402

LIMIT = 600  # seconds, each
COLUMNS = "place,job,age"


def write_table(path, rows, secrets, values, seed):
    """Three columns that lean on the secret, each in its own way."""
    random.seed(seed)
    draw = random.random
    lean = [[s * (c + 2) % secrets / secrets / 4 for c in range(3)] for s in range(secrets)]
    with open(path, "w") as file:
        file.write(f"group,{COLUMNS}\n")
        for _ in range(rows):
            s = int(draw() ** 1.3 * secrets)
            a, b, c = (int((draw() + by * draw()) % 1 * values) for by in lean[s])
            file.write(f"g{s},p{a},j{b},{c}\n")


def main():
    parser = parser_of("rows that trade places, in a table of very many distinct rows")
    parser.add_argument("programs", type=pathlib.Path, help="folder of the built fugu")
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--secrets", type=int, default=5)
    parser.add_argument("--values", type=int, default=100, help="of each of the three columns")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fugu, rows = options.programs.resolve() / "fugu", []
    with tempfile.TemporaryDirectory(prefix="fugu-swap-") as folder:
        write_table(pathlib.Path(folder, "t.csv"), options.rows, options.secrets, options.values, options.seed)
        steps = {
            "calibrate": ["t.csv", "--secret", "group", "--public", COLUMNS, "--epsilon", "0.5", "--method", "swap",
                          "--rows-independent", "-o", "plan.json"],
            "verify": ["plan.json"],
            "release": ["t.csv", "--plan", "plan.json", "-o", "out.csv", "--publish-min", "1"],
        }
        for task, arguments in steps.items():
            run = timed(fugu, task, *arguments, folder=folder)
            rows.append({"task": task, "rows": options.rows, "seconds": run["seconds"], "kilobytes": run["kilobytes"],
                         "at_most_seconds": LIMIT, "met": run["seconds"] <= LIMIT})
            print(f"{task:<10}{run['seconds']:>8.1f} s{run['kilobytes'] / 1024:>8.0f} MB", flush=True)
            if task == "calibrate":
                print(run["said"])
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
