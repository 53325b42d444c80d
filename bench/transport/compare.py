"""Transport plans and distances: fugu beside POT, on the same input, in turns; medians and ratios.

compare.py FUGU_BENCH [--json FILE] [--full] [--check] [--repeat N] [--sample PAIRS] [--seed SEED]
"""

import pathlib
import platform
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import Competitor, answer_of, finish, in_turns, median, missed, parser_of  # noqa: E402

ATOMS = 1_000_000
SECRETS = VALUES = 1_000
ALL_PAIRS = SECRETS * (SECRETS - 1) // 2
GAP_TABLES = 2_000
POT = pathlib.Path(__file__).with_name("pot.py")


def write_words(path, *parts):
    numpy.concatenate([numpy.asarray(part, dtype=numpy.int64).ravel() for part in parts]).tofile(path)


def gap_table(random):
    """Counts on five values below a gap and five above, twice, with the same share below it."""
    first = random.integers(1, 30, 10, endpoint=True)
    times = int(random.integers(2, 9, endpoint=True))
    parts = [random.multinomial(times * int(half.sum()) - 5, [0.2] * 5) + 1 for half in (first[:5], first[5:])]
    return numpy.stack([first, numpy.concatenate(parts)])


def write_input(folder, random, sample):
    def two_sides(name, largest):
        atoms = numpy.arange(1, ATOMS + 1)
        write_words(folder / name, [ATOMS], atoms, random.integers(1, largest, ATOMS, endpoint=True),
                    atoms, random.integers(1, largest, ATOMS, endpoint=True))

    two_sides("plans.bin", 1_000)
    two_sides("plans_wide.bin", 1_000_000)
    counts = random.integers(1, 100, (SECRETS, VALUES), endpoint=True)
    write_words(folder / "secrets.bin", [SECRETS, VALUES], counts)
    write_words(folder / "gaps.bin", numpy.stack([gap_table(random) for _ in range(GAP_TABLES)]))
    first, second = numpy.triu_indices(SECRETS, 1)
    chosen = numpy.sort(random.choice(ALL_PAIRS, sample, replace=False))
    write_words(folder / "pairs.bin", numpy.stack([first[chosen], second[chosen]], axis=1))


def row(task, fugu, pot=None, at_least=None, at_most=None, note=""):
    ratio = pot / fugu if pot is not None else None
    met = None
    if at_least is not None:
        met = ratio >= at_least
    elif at_most is not None:
        met = fugu <= at_most
    return {"task": task, "fugu_seconds": fugu, "pot_seconds": pot, "ratio": ratio, "at_least": at_least,
            "at_most_seconds": at_most, "met": met, "note": note}


def speed(fugu, pot, options):
    rows = []
    for task, title, target in (
        ("plans", "plan, 1e6 atoms a side", 20),
        ("plans_wide", "plan, masses up to 1e6", None),
    ):
        ours, theirs = in_turns(options.repeat, lambda: fugu.run(task), lambda: pot.run(task))
        if abs(ours[0]["w_1"] - theirs[0]["w_1"]) > 1e-6 * ours[0]["w_1"]:
            sys.exit(f"bench: the plans of '{task}' differ")
        rows.append(row(title, median(ours), median(theirs), at_least=target))

    largest, matrix, pairs = in_turns(max(1, options.repeat // 2), lambda: fugu.run("largest"),
                                      lambda: fugu.run("matrix"), lambda: pot.run("pairs"))
    timed = pairs[0]["pairs"]
    theirs = median(pairs) * ALL_PAIRS / timed
    scaled = "" if timed == ALL_PAIRS else f"POT: {timed:,} random pairs, scaled to {ALL_PAIRS:,}"
    rows.append(row("largest distance, all pairs", median(largest), theirs, at_least=300, note=scaled))
    rows.append(row("every distance, all pairs", median(matrix), theirs, at_least=30, note=scaled))

    exact, = in_turns(max(1, options.repeat // 3), lambda: fugu.run("exact"))
    middle = sorted(exact, key=lambda answer: answer["seconds"])[len(exact) // 2]
    rows.append(row("exact calibration, all pairs", middle["seconds"], at_most=10,
                    note=f"search {middle['search_seconds']:.2f} s in {middle['search_steps']} steps, "
                         f"proof {middle['proof_seconds']:.2f} s in {middle['proof_steps']}"))

    if largest[0]["w_inf"] != matrix[0]["w_inf"]:
        sys.exit("bench: the sweep and the matrix disagree")
    return rows


def memory(program):
    """Peak memory of one call, each in a process of its own, at n, 2n and 4n atoms."""
    results = []
    for title, sizes in (
        ("plan, more atoms", [("coupling", str(ATOMS * k)) for k in (1, 2, 4)]),
        ("exact calibration, more values", [("exact", "200", str(1_000 * k)) for k in (1, 2, 4)]),
        ("exact calibration, more secrets", [("exact", str(200 * k), "1000") for k in (1, 2, 4)]),
    ):
        atoms, kilobytes = [], []
        for size in sizes:
            kilobytes.append(answer_of(program, "memory", *size)["kilobytes"])
            atoms.append(2 * int(size[1]) if size[0] == "coupling" else int(size[1]) * int(size[2]))
        results.append({"task": title, "atoms": atoms, "kilobytes": kilobytes})
    return results


def show_speed(rows):
    def seconds(value):
        if value is None:
            return "-"
        return f"{value * 1e3:.1f} ms" if value < 1 else f"{value:.2f} s"

    print(f"{'task':<30}{'fugu':>10}{'POT':>10}{'ratio':>8}  {'target':<9}{'met':<5}note")
    for r in rows:
        ratio = f"{r['ratio']:.1f}" if r["ratio"] else "-"
        target = f">= {r['at_least']}" if r["at_least"] else f"<= {r['at_most_seconds']} s" if r["at_most_seconds"] else "-"
        met = {True: "yes", False: "NO", None: ""}[r["met"]]
        line = (f"{r['task']:<30}{seconds(r['fugu_seconds']):>10}{seconds(r['pot_seconds']):>10}{ratio:>8}  "
                f"{target:<9}{met:<5}{r['note']}")
        print(line.rstrip())


def show_memory(results):
    print(f"{'peak memory':<46}{'n':>10}{'2n':>10}{'4n':>10}  bytes for each further atom")
    for r in results:
        cells = "".join(f"{kilobytes / 1024:>7.1f} MB" for kilobytes in r["kilobytes"])
        (n, _, n4), (k, _, k4) = r["atoms"], r["kilobytes"]
        title = f"{r['task']}, n = {n:,}"
        print(f"{title:<46}{cells}  {(k4 - k) * 1024 / (n4 - n):.0f}")


def main():
    parser = parser_of("fugu's transport beside POT's, on the same input")
    parser.add_argument("program", help="the built fugu_bench")
    parser.add_argument("--full", action="store_true", help="time POT on all pairs, not on a sample")
    parser.add_argument("--repeat", type=int, default=9, metavar="N", help="runs of each plan (default 9)")
    parser.add_argument("--sample", type=int, default=2_000, metavar="PAIRS", help="pairs for POT (default 2000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random input (default 1)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as name:
        folder = pathlib.Path(name)
        write_input(folder, numpy.random.default_rng(options.seed), ALL_PAIRS if options.full else options.sample)
        fugu = Competitor(options.program, "serve", name)
        pot = Competitor(sys.executable, str(POT), name)
        version = pot.run("version")["version"]
        rows = speed(fugu, pot, options)
        trap = {"fugu": fugu.run("trap")["w_inf"], "pot": pot.run("trap")["w_inf"]}
        gaps = {"tables": GAP_TABLES, "fugu": fugu.run("gaps")["crossed"], "pot": pot.run("gaps")["crossed"]}
        fugu.close()
        pot.close()
    peaks = memory(options.program)

    print(f"fugu beside POT {version} (numpy {numpy.__version__}, Python {platform.python_version()}); "
          f"medians, in turns, same input\n")
    show_speed(rows)
    print()
    show_memory(peaks)
    print(f"\nW_inf of p = {{0: 0.1, 1: 0.2, 1000: 0.7}} and q = {{0: 0.3, 1000: 0.7}}: "
          f"{trap['fugu']} by fugu, {trap['pot']:.0f} by POT's plan.\n"
          f"{gaps['tables']:,} random tables whose mass need not cross a gap: fugu's plan crosses it in "
          f"{gaps['fugu']}, POT's in {gaps['pot']:,}.")
    report = {"pot": version, "numpy": numpy.__version__, "speed": rows, "memory": peaks, "trap": trap, "gaps": gaps}
    finish(options, report, missed(rows))


if __name__ == "__main__":
    main()
