"""The noise that hides the rate of a whole table: fugu beside group privacy, Wasserstein's scale, and the privacy of one row.

compare.py BUILD [--json FILE] [--check] [--adult FILE]

The table is Adult: the share of women is hidden, within 5 % of the rows, while the number of people with a degree, their
mean hours, or the numbers of all levels of education are released. Two sizes: all rows, and the first few, of which
Wasserstein's scale is computed exactly, in whole numbers: the farthest that the monotone coupling moves mass between the laws
of the number given two such rates (Song, Wang and Chaudhuri 2017). The privacy of one row hides no rate: its noise is shown
for what it is.
"""

import csv
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import finish, parser_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ADULT = ROOT.parent / "shared" / "data" / "adult" / "adult.data"
WITHIN, EPSILON = "0.05", "1"
NAMES = {3: "education", 9: "sex", 12: "hours"}
QUERIES = [("number of Bachelors", "education", ["--count", "Bachelors"], 500),
           ("mean hours", "hours", ["--mean"], 60),
           ("levels of education", "education", ["--histogram"], 0)]


def rows_of(path):
    with open(path, newline="") as file:
        return [[row[k] for k in NAMES] for row in csv.reader(file, skipinitialspace=True) if row]


def written(folder, rows):
    path = folder / f"adult-{len(rows)}.csv"
    path.write_text("\n".join(map(",".join, [list(NAMES.values()), *rows])) + "\n")
    return path


def fugu(program, table, column, flags):
    words = ["rate", table, "--secret", "sex", "--public", column, *flags, "--within", WITHIN, "--epsilon", EPSILON,
             "--rows-independent", "--format", "json"]
    return json.loads(subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True).stdout)


def packed(masses, low, bits):
    return sum(mass << ((value - low) * bits) for value, mass in masses.items())


def wasserstein(rows, within, values):
    """The largest distance over all tables so many rows apart; `values` are the rows' numbers, by secret."""
    low = min(min(law) for law in values)
    span = max(max(law) for law in values) - low
    totals = [sum(law.values()) for law in values]
    bits = rows * max(totals).bit_length()
    ones, cells, mask = [packed(law, low, bits) for law in values], rows * span + 1, (1 << bits) - 1
    powers = [[1], [1]]
    for s in (0, 1):
        for _ in range(rows):
            powers[s].append(powers[s][-1] * ones[s])

    def law(k):
        raw = (powers[1][k] * powers[0][rows - k]).to_bytes(cells * bits // 8 + 8, "little")
        if bits % 8 == 0:
            step = bits // 8
            return [int.from_bytes(raw[c * step:(c + 1) * step], "little") for c in range(cells)]
        whole = int.from_bytes(raw, "little")
        return [(whole >> (c * bits)) & mask for c in range(cells)]

    farthest = 0
    laws = {}
    for k in range(rows - within + 1):
        for j in (k, k + within):
            if j not in laws:
                scale = totals[0] ** j * totals[1] ** (rows - j)  # to one total for all
                laws[j] = list(itertools.accumulate(mass * scale for mass in law(j)))
        farthest = max(farthest, coupled(laws[k], laws[k + within]))
        del laws[k]
    return farthest


def coupled(first, second):
    """The farthest that mass moves: both cumulative sums, walked together."""
    a = b = far = 0
    end = first[-1]
    done = 0
    while done < end:
        while first[a] <= done:
            a += 1
        while second[b] <= done:
            b += 1
        far = max(far, abs(a - b))
        done = min(first[a], second[b])
    return far


def tally(rows, column, counted):
    laws = [{}, {}]
    for education, sex, hours in rows:
        value = int(education == "Bachelors") if counted else int(hours)
        law = laws[sex == "Male"]
        law[value] = law.get(value, 0) + 1
    return laws


def report_of(program, folder, rows, query):
    title, column, flags, few = query
    plan = fugu(program, written(folder, rows), column, flags)
    group = fugu(program, written(folder, rows), column, [*flags, "--method", "group"])
    within = plan["model"]["within"]
    found = {"query": title, "rows": len(rows), "within": within, "method": plan["guarantee"]["method"],
             "fugu": plan["mechanism"]["scale"], "fugu_error": math.sqrt(plan["mechanism"]["mse"]),
             "group": group["mechanism"]["scale"], "group_error": math.sqrt(group["mechanism"]["mse"]),
             "one_row": group["mechanism"]["scale"] / within, "wasserstein": None}
    if len(rows) == few:
        far = wasserstein(few, within, tally(rows, column, "--count" in flags))
        found["wasserstein"] = far / float(EPSILON) / (len(rows) if "--mean" in flags else 1)
    return found


def main():
    parser = parser_of("the noise that hides a table's rate")
    parser.add_argument("program", help="the folder of the built program")
    parser.add_argument("--adult", default=str(ADULT), metavar="FILE", help="UCI Adult's adult.data")
    options = parser.parse_args()
    if not pathlib.Path(options.adult).exists():
        print("Adult is not there: bench/rate needs adult.data, named by --adult")
        return
    program = pathlib.Path(options.program) / "fugu"
    rows = rows_of(options.adult)
    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        folder = pathlib.Path(folder)
        sizes = [(query, part) for query in QUERIES for part in ([rows[:query[3]]] if query[3] else []) + [rows]]
        reports = [report_of(program, folder, part, query) for query, part in sizes]
    print(f"Scales of Laplace noise that hide the share of women within {WITHIN} of the rows, epsilon {EPSILON}; in brackets the root "
          "mean square error\n")
    head = ("released", "rows", "within", "fugu", "method", "Wasserstein", "group privacy", "one row (hides no rate)")
    table = [head]
    for r in reports:
        table.append((r["query"], f"{r['rows']:,}", f"{r['within']:,}", f"{r['fugu']:.4g} ({r['fugu_error']:.4g})", r["method"],
                      "-" if r["wasserstein"] is None else f"{r['wasserstein']:.4g}",
                      f"{r['group']:.4g} ({r['group_error']:.4g})", f"{r['one_row']:.4g}"))
    widths = [max(len(row[c]) for row in table) for c in range(len(head))]
    for row in table:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    worse = [r["query"] for r in reports if r["fugu"] > r["group"] or (r["wasserstein"] or math.inf) < r["fugu"]]
    finish(options, {"rates": reports, "met": not worse}, worse)


if __name__ == "__main__":
    main()
