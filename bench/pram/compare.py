"""Categories that trade places, beside invariant PRAM in R at the same epsilon: how many rows stay as they are, and how fast.

compare.py BUILD [--json FILE] [--check] [--epsilon E …] [--times N]

The table is the program's own, race and occupation of Adult. PRAM is computed from its definition (invariant_pram.R):
sdcMicro itself is in no Debian package. It promises nothing by itself, so its matrix is made strong enough here for the
epsilon that fugu proves. fugu's time is that of a whole release of the table, N times over, read and written; PRAM's is
that of the drawing alone.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import answer_of, finish, missed, parser_of, timed  # noqa: E402

PRAM = pathlib.Path(__file__).with_name("invariant_pram.R")
SECRET, PUBLIC = "race", "occupation"


def repeated(source, path, times):
    head, *rows = source.read_text().splitlines(keepends=True)
    with open(path, "w") as file:
        file.write(head)
        for _ in range(times):
            file.writelines(rows)


def two_columns(source, path):
    """The secret, then the category."""
    lines = [line.split(",") for line in source.read_text().splitlines()]
    places = [lines[0].index(SECRET), lines[0].index(PUBLIC)]
    path.write_text("".join(",".join(line[place] for place in places) + "\n" for line in lines))


def main():
    parser = parser_of("categories that trade places beside invariant PRAM in R")
    parser.add_argument("build", type=pathlib.Path, help="the folder with the built fugu")
    parser.add_argument("--epsilon", nargs="+", default=["0.1", "0.25", "0.5", "0.75"])
    parser.add_argument("--times", type=int, default=100, help="that the table is repeated to be released (default 100)")
    options = parser.parse_args()
    fugu, rows = options.build.resolve() / "fugu", []
    with tempfile.TemporaryDirectory(prefix="fugu-pram-") as folder:
        folder = pathlib.Path(folder)
        subprocess.run([fugu, "demo", "--dir", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        source, many, pair = folder / "adult-occupation.csv", folder / "many.csv", folder / "pair.csv"
        repeated(source, many, options.times)
        two_columns(source, pair)
        print(f"{PUBLIC} released, {SECRET} hidden; rows unchanged, and seconds for the table {options.times} times\n")
        print(f"{'epsilon':<9}{'fugu unchanged':>15}{'PRAM unchanged':>16}{'fugu':>10}{'cpu':>10}{'PRAM':>10}   a row")
        for epsilon in options.epsilon:
            plan, out = folder / "plan.json", folder / "out.csv"
            timed(fugu, "calibrate", many, "--secret", SECRET, "--public", PUBLIC, "--epsilon", epsilon, "--method", "swap",
                  "--rows-independent", "-o", plan, "--force")
            ours = timed(fugu, "release", many, "--plan", plan, "-o", out, "--force", "--quiet", "--format", "json")
            peer = answer_of("Rscript", PRAM, pair, epsilon, options.times)
            kept = json.loads(plan.read_text())["mechanism"]["unchanged"]
            count = json.loads(ours["said"])["rows"]
            none = peer["kept"] is None
            rows.append({"task": f"epsilon {epsilon}", "unchanged": kept, "seconds": ours["seconds"], "cpu": ours["cpu"], "rows": count,
                         "pram": peer, "met": none or kept >= peer["kept"]})
            print(f"{epsilon:<9}{kept:>15.1%}" + (f"{'none':>16}" if none else f"{peer['kept']:>16.1%}") +
                  f"{ours['seconds']:>8.2f} s{ours['cpu']:>8.2f} s" + ("" if none else f"{peer['seconds']:>8.2f} s   "
                  f"{ours['cpu'] / count * 1e9:.0f} ns, PRAM {peer['seconds'] / peer['rows'] * 1e9:.0f} ns"), flush=True)
    finish(options, rows, missed(rows))


if __name__ == "__main__":
    main()
