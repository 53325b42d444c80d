"""What the recipient keeps: a real column released by each method, and what fugu estimate makes of it.

Usage: compare.py BUILD [--data DIR] [--epsilon E]

Prints, for each column and method: the estimated mean and its 95 % bounds beside the true mean, how far the likeliest
histogram is from the true one (half the sum of the differences), and how many of the histogram's bounds hold the truth.
"""
import argparse
import collections
import csv
import json
import pathlib
import subprocess
import tempfile

COLUMNS = [("sex → age", 10, 1), ("sex → hours-per-week", 10, 13), ("race → education-num", 9, 5),
           ("race → occupation", 9, 7)]
METHODS = [["sensitivity"], ["kantorovich"], ["relaxed"], ["exact"], ["exact", "--noise", "gaussian", "--delta", "1e-5"],
           ["optimal"], ["channel"], ["channel", "--unbiased"]]


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.splitlines()[0].removeprefix("fugu: ")
    return done.stdout, ""


def true_values(path, column):
    with open(path, newline="") as file:
        rows = [[field.strip() for field in row] for row in csv.reader(file) if row]
    return [row[column - 1] for row in rows if row[column - 1] != "?"]


def line(program, folder, data, secret, public, method, epsilon):
    out = folder / "out.csv"
    _, wrong = run(program, "release", data, "--no-header", "--secret", secret, "--public", public, "--na", "?",
                   "--missing", "drop", "--epsilon", epsilon, "--method", *method, "-o", out, "--force")
    if wrong:
        return [" ".join(method), wrong, "", "", ""]
    truth = true_values(data, public)
    # The recipient knows in what range the values lie.
    known = ["--support", f"{min(map(int, truth))}:{max(map(int, truth))}", "--bin", "5" if public != 5 else "1"] \
        if truth[0].isdigit() else []
    text, wrong = run(program, "estimate", out, "--no-header", "--format", "json", *known)
    if wrong:
        return [" ".join(method), wrong, "", "", ""]
    found = json.loads(text)["estimates"][0]
    counts = collections.Counter(truth)
    numeric = found["mean"] is not None
    held, distance = 0, 0.0
    for share in found["shares"]:
        if numeric:
            true = sum(count for value, count in counts.items() if share["from"] <= float(value) <= share["to"])
        else:
            true = counts[share["from"]]
        true /= len(truth)
        held += share["share"]["low"] <= true <= share["share"]["high"]
        distance += abs(true - share["likeliest"]) / 2
    mean = "-"
    if numeric:
        bounds = found["mean"]
        mean = f"{bounds['value']:.3f} ({bounds['low']:.3f} to {bounds['high']:.3f})"
    widest = max(share["share"]["high"] - share["share"]["low"] for share in found["shares"])
    return [" ".join(method), mean, f"{distance:.4f}", f"{held} of {len(found['shares'])}", f"{100 * widest:.2f} %"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    parser.add_argument("--data", type=pathlib.Path, default=root.parent / "shared" / "data")
    parser.add_argument("--epsilon", default="0.5")
    options, _ = parser.parse_known_args()
    data = options.data / "adult" / "adult.data"
    if not data.exists():
        print(f"({data} is not here)")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, secret, public in COLUMNS:
            truth = true_values(data, public)
            try:
                mean = f", true mean {sum(map(float, truth)) / len(truth):.3f}"
            except ValueError:
                mean = ""
            print(f"| {name}, {len(truth):,} rows, epsilon {options.epsilon}{mean} | estimated mean | histogram off by "
                  "| bounds hold | widest bound |")
            print("| --- | ---: | ---: | ---: | ---: |")
            for method in METHODS:
                print("| " + " | ".join(line(str(options.build / "fugu"), pathlib.Path(folder), data, secret, public,
                                             method, options.epsilon)) + " |", flush=True)
            print()


if __name__ == "__main__":
    main()
