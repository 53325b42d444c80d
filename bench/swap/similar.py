"""How much changed rows resemble what they were, in eight columns of the Adult table, beside a random row of the kind that they become.

similar.py FOLDER ADULT [--json FILE] [--check]

FOLDER holds the built fugu, ADULT is the file adult.data. Rows are of one kind where every secret has the same share of them: to the
proof all rows of a kind are alike, so that choosing among them is free.
"""

import collections
import csv
import json
import math
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, missed, parser_of, timed  # noqa: E402

RELEASED = {"age": 0, "workclass": 1, "education": 3, "marital": 5, "occupation": 6, "hours": 12, "country": 13, "income": 14}
SECRETS = {"sex": 9, "race": 8}


def write_table(adult, path):
    with open(adult, newline="") as source, open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*RELEASED, *SECRETS])
        for row in csv.reader(source, skipinitialspace=True):
            if row:
                cells = [row[place] for place in (*RELEASED.values(), *SECRETS.values())]
                cells[0], cells[5] = (str(int(cells[place]) // 10 * 10) for place in (0, 5))
                writer.writerow(cells)


def differences(plan):
    """Of a row that changes, in how many columns on average: from what it was, and a random row of the same kind would."""
    mechanism = plan["mechanism"]
    points, totals = mechanism["points"], [int(total) for total in mechanism["totals"]]
    place = {json.dumps(point): k for k, point in enumerate(points)}
    counts = [[] for _ in points]
    for given in plan["scenario"]["priors"][0]["given"].values():
        seen = dict(zip(map(json.dumps, given["values"]), map(int, given["mass"])))
        for point, k in place.items():
            counts[k].append(seen.get(point, 0))
    kinds = [tuple(count // math.gcd(*row) for count in row) for row in counts]
    people = collections.Counter()
    alike = collections.defaultdict(lambda: [collections.Counter() for _ in points[0]])
    for kind, point, row in zip(kinds, points, counts):
        people[kind] += sum(row)
        for column, value in zip(alike[kind], point):
            column[value] += sum(row)
    moved = ours = chance = 0
    for start, end, weight in mechanism["flows"]:
        share = int(weight) / totals[start] * sum(counts[start])
        kind = kinds[end]
        moved += share
        ours += share * sum(a != b for a, b in zip(points[start], points[end]))
        chance += share * sum(1 - column[value] / people[kind] for column, value in zip(alike[kind], points[start]))
    return ours / moved, chance / moved


def main():
    parser = parser_of("how much changed rows resemble what they were")
    parser.add_argument("programs", type=pathlib.Path, help="folder of the built fugu")
    parser.add_argument("adult", type=pathlib.Path, help="adult.data")
    options = parser.parse_args()
    fugu, rows = options.programs.resolve() / "fugu", []
    with tempfile.TemporaryDirectory(prefix="fugu-similar-") as folder:
        write_table(options.adult, f"{folder}/t.csv")
        for secret in SECRETS:
            for cost in ("rows", "columns"):
                timed(fugu, "calibrate", "t.csv", "--secret", secret, "--public", ",".join(RELEASED), "--epsilon", "0.5", "--method", "swap",
                      "--cost", cost, "--rows-independent", "--not-missing", "?", "-o", f"{secret}-{cost}.json", folder=folder)
                plan = json.loads(pathlib.Path(folder, f"{secret}-{cost}.json").read_text())
                ours, chance = differences(plan)
                rows.append({"task": f"{secret}, --cost {cost}", "unchanged": plan["mechanism"]["unchanged"], "columns": ours, "by_chance": chance,
                             "met": ours <= chance / 2})
                print(f"{secret:<6}--cost {cost:<9}{plan['mechanism']['unchanged']:>8.1%} unchanged   a changed row differs in {ours:.2f} columns, "
                      f"a random one of the same kind in {chance:.2f} ({ours / chance:.0%})", flush=True)
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
