"""The largest input that each command takes within a time and some memory, and what it says beyond.

compare.py BUILD [--seconds S] [--memory GIB] [--step S] [--only COMMAND] … [--json FILE] [--check]

Each input is doubled until the command refuses it, is out of memory, or takes longer than a step. Where time ended it,
much larger inputs are tried for the refusal that comes at once. From the growth of the last doublings it is then said,
and marked as such, how far the whole time and the memory would reach. Without --step nothing is extrapolated. Time is the
processor's or the clock's, whichever is longer. A command that dies with a signal, or refuses without one clear line and
its hint, misses the target.
"""

import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from made_inputs import chain, laws, users  # noqa: E402
from side_by_side import finish, parser_of  # noqa: E402

GIB = 1 << 30
MOST_BYTES = 6 * GIB  # of an input file
BLOCK = 100_000  # rows
FARTHER = (16, 256)  # times the size at which time ended: a refusal there takes no time
MOST_FARTHER = 1_000_000


def table(folder, rows, values=50, columns=2):
    """A secret of three values, then columns of whole numbers; blocks of rows that repeat."""
    path = folder / f"t-{rows}-{values}-{columns}.csv"
    if path.exists():
        return path
    chance = random.Random(1)
    head = "group," + ",".join(f"c{k}" for k in range(columns)) + "\n"
    lines = []
    for row in range(min(rows, max(BLOCK, 3 * values))):
        # Every value occurs often enough to be published, and leans on the secret.
        group = chance.randrange(3)
        cells = [str((row + int(chance.random() ** (1 + group / 4) * 7)) % values) for _ in range(columns)]
        lines.append(f"g{group}," + ",".join(cells) + "\n")
    block = "".join(lines)
    whole, rest = divmod(rows, len(lines))
    if rows * len(block) / len(lines) > MOST_BYTES:
        raise Enough(f"a file of more than {MOST_BYTES // GIB} GiB was not tried")
    with open(path, "w") as file:
        file.write(head)
        for _ in range(whole):
            file.write(block)
        file.write("".join(lines[:rest]))
    return path


class Enough(Exception):
    """Why a larger input is not tried."""


class Limits:
    def __init__(self, program, folder, options):
        self.program, self.folder, self.options = program, folder, options

    def made(self, *arguments):
        """A file that the command under measurement needs: what makes it keeps to the same limits."""
        row = self.run(arguments)
        if row["said"]:
            raise Enough(f"fugu {arguments[0]}, which makes its input: {row['said']}")

    def plan(self, method, values, secrets=3):
        path = self.folder / f"{method}-{values}-{secrets}.json"
        if not path.exists():
            self.made("calibrate", "--scenario", laws(self.folder, values, secrets), "--method", method, "-o", path, "--force")
        return path

    def table_plan(self, rows, values):
        path = self.folder / f"plan-{rows}-{values}.json"
        if not path.exists():
            self.made("calibrate", table(self.folder, rows, values), "--secret", "group", "--public", "c0", "--epsilon", "0.5",
                      "--kind", "c0=number", "--method", "exact", "--rows-independent", "-o", path, "--force")
        return path

    def released(self, rows, values):
        out = self.folder / f"out-{rows}-{values}.csv"
        if not out.exists():
            self.made("release", table(self.folder, rows, values), "--plan", self.table_plan(rows, values), "-o", out, "--force")
        return out

    def run(self, arguments, patience=2):
        """One run of at most so many steps: its seconds and memory, its exit status, and why it did not do its work."""
        errors = self.folder / "errors.txt"
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (int(self.options.memory * GIB),) * 2)
        start = time.perf_counter()
        with open(errors, "w") as said:
            process = subprocess.Popen(list(map(str, [self.program, *arguments, "--quiet"])), stdout=subprocess.DEVNULL, stderr=said,
                                       cwd=self.folder, preexec_fn=limit)
            late = False
            while not late and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                time.sleep(0.005)
                late = time.perf_counter() - start > patience * self.options.step
            if late:
                process.kill()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        wall = time.perf_counter() - start
        text = " ".join(line.strip() for line in errors.read_text().splitlines() if not line.startswith("warning"))
        status = process.returncode
        said = "" if status == 0 else "longer than the step" if late else f"signal {-status}" if status < 0 else text.removeprefix("fugu: ").replace(f"{self.folder}/", "")
        clear = status in (2, 3, 4, 5) and "hint:" in text or "not enough memory" in text
        bad = not late and status != 0 and not clear
        return {"wall": wall, "cpu": cpu, "kilobytes": usage.ru_maxrss, "status": None if late else status, "said": said, "late": late, "bad": bad}


def calibrated(method, secrets=5, *more):
    return lambda limits, n: ["calibrate", "--scenario", laws(limits.folder, n, secrets), "--method", method, *more,
                              "-o", "plan.json", "--force"]


def of_secrets(method, *more):
    return lambda limits, n: ["calibrate", "--scenario", laws(limits.folder, 100, n), "--method", method, *more, "-o", "plan.json",
                              "--force"]


ASKED = ["--secret", "group", "--public", "c0", "--epsilon", "0.5", "--rows-independent"]
CHAIN = ["--epsilon", 1, "-o", "plan.json", "--force"]

# The command, what grows, where it begins, and the question.
CASES = [
    ("inspect", "rows", 1_000_000, lambda limits, n: ["inspect", table(limits.folder, n), "--secret", "group"]),
    ("inspect", "columns, 1,000 rows", 64, lambda limits, n: ["inspect", table(limits.folder, 1000, 50, n), "--secret", "group"]),
    ("compare", "rows", 1_000_000, lambda limits, n: ["compare", table(limits.folder, n), *ASKED]),
    ("compare", "values", 50, lambda limits, n: ["compare", table(limits.folder, 100 * n, n), *ASKED]),
    *[(f"calibrate, {method}", "values, 5 secrets", 250, calibrated(method)) for method in
      ("sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact", "optimal", "channel", "swap", "dp-laplace",
       "randomized-response")],
    *[(f"calibrate, {method} with delta", "values, 5 secrets", 250, calibrated(method, 5, "--noise", "gaussian", "--delta", "0.001"))
      for method in ("theorem3a", "theorem3b")],
    ("calibrate, exact", "secrets, 100 values", 64, of_secrets("exact")),
    ("calibrate, exact with delta", "secrets, 100 values", 64, of_secrets("exact", "--delta", "0.001")),
    ("verify", "values", 1000, lambda limits, n: ["verify", limits.plan("exact", n)]),
    ("verify, of a swap", "values", 250, lambda limits, n: ["verify", limits.plan("swap", n)]),
    ("release", "rows", 1_000_000, lambda limits, n: ["release", table(limits.folder, n), "--plan", limits.table_plan(n, 50),
                                                     "-o", "out.csv", "--force"]),
    ("release", "values", 1000, lambda limits, n: ["release", table(limits.folder, 100 * n, n), "--plan", limits.table_plan(100 * n, n),
                                                  "-o", "out.csv", "--force"]),
    ("estimate", "rows", 1_000_000, lambda limits, n: ["estimate", limits.released(n, 50)]),
    ("estimate", "values", 125, lambda limits, n: ["estimate", limits.released(100 * n, n)]),
    ("statement", "values", 1000, lambda limits, n: ["statement", limits.plan("exact", n), "-o", "statement.json", "--force"]),
    ("audit", "values", 50, lambda limits, n: ["audit", limits.table_plan(100 * n, n)]),
    ("preview", "values", 1000, lambda limits, n: ["preview", limits.plan("exact", n), "-o", "preview.txt", "--force"]),
    ("report", "values", 125, lambda limits, n: ["report", limits.plan("exact", n), "-o", "report.html", "--force"]),
    ("compose", "plans of 50 values", 4, lambda limits, n: ["compose", *[limits.plan("exact", 50)] * n]),
    ("count", "distinct users", 10_000, lambda limits, n: ["model", "count", "--probabilities", users(limits.folder, n), "--epsilon", 1,
                                                          "-o", "plan.json", "--force"]),
    ("count with delta", "distinct users", 10_000,
     lambda limits, n: ["model", "count", "--probabilities", users(limits.folder, n), "--epsilon", "0.01", "--delta", "1e-6",
                        "-o", "plan.json", "--force"]),
    ("chain", "times, 2 states", 100_000, lambda limits, n: ["model", "chain", "--matrix", chain(limits.folder, 2), "--length", n,
                                                            "--state", "1", *CHAIN]),
    ("chain", "states, 1,000 times", 8, lambda limits, n: ["model", "chain", "--matrix", chain(limits.folder, n), "--length", 1000,
                                                          "--state", "1", *CHAIN]),
    ("rate", "rows", 100_000, lambda limits, n: ["model", "rate", table(limits.folder, n), "--secret", "group", "--public", "c0",
                                                "--mean", "--within", "0.05", "--epsilon", 1, "--rows-independent",
                                                "-o", "plan.json", "--force"]),
]


def refusal_beyond(limits, question, size):
    """What the command says at once of a much larger input, if it does."""
    for times in FARTHER:
        if size * times > MOST_FARTHER:
            return None
        try:
            row = limits.run(question(limits, size * times), 1)
        except (Enough, OSError):  # the operating system's own limit, of words
            return None
        if row["status"] not in (0, None):
            return {"size": size * times, **row}
    return None


def measure(limits, case, options):
    command, what, size, question = case
    taken, said, bad = [], "", False
    while True:
        try:
            row = {"size": size, **limits.run(question(limits, size))}
        except (Enough, OSError) as reason:
            said = reason.strerror if isinstance(reason, OSError) else str(reason)
            break
        bad = bad or row["bad"]
        if row["status"] != 0:
            said = row["said"]
            break
        taken.append(row)
        if max(row["cpu"], row["wall"]) > options.step:
            said = f"more than {options.step:g} s at {size:,}"
            break
        size *= 2
        for path in limits.folder.glob("*-*"):
            if path.stat().st_size > GIB // 4 and not path.name.startswith(f"t-{size}-"):
                path.unlink()
    result = {"task": f"{command}: {what}", "command": command, "grows": what, "rows": taken, "said": said, "met": not bad}
    last = taken[-1] if taken else None
    if "longer" in said or "more than" in said:
        refusal = refusal_beyond(limits, question, size)
        said += f"; {refusal['size']:,}: {refusal['said']}" if refusal else ""
        bad = bad or bool(refusal and refusal["bad"])
    reaches = None
    if options.step < options.seconds and last and len(taken) > 1 and last["cpu"] > 0.3 and (said.startswith("more than") or "longer than" in said):
        before = taken[-2]
        growth = max(math.log2(last["cpu"] / before["cpu"]), 1.0)
        reaches = last["size"] * (options.seconds / max(last["cpu"], last["wall"])) ** (1 / growth)
        more = max(math.log2(last["kilobytes"] / before["kilobytes"]), 0.0)
        if more > 0.1:  # memory that grows with the input
            room = (options.memory * GIB / 1024 / last["kilobytes"]) ** (1 / more) * last["size"]
            result["by_memory"] = room < reaches
            reaches = min(reaches, room)
        result["growth"] = growth
        result["extrapolated"] = reaches
    text = f"{command:<30} {what:<22}"
    if last:
        text += f"{last['size']:>12,} {last['wall']:>7.1f} s {last['cpu']:>7.1f} s {last['kilobytes'] / 1024:>7.0f} MiB"
    else:
        text += f"{'none':>12} {'':>30}"
    text += f" {'~' + rounded(reaches):>9}" if reaches else f" {'':>9}"
    print(text + f"  {said}", flush=True)
    return result


def rounded(number):
    """Two digits: what is extrapolated is no better known."""
    power = 10 ** max(0, int(math.log10(number)) - 1)
    return f"{int(number // power) * power:,}"


def main():
    parser = parser_of("the largest input that each command takes")
    parser.add_argument("build", type=pathlib.Path, help="the folder with the built fugu")
    parser.add_argument("--seconds", type=float, default=600, help="the whole time that a command may take")
    parser.add_argument("--memory", type=float, default=24, metavar="GIB", help="address space that it may have")
    parser.add_argument("--step", type=float, help="seconds after which an input is not doubled again; default: the whole time")
    parser.add_argument("--only", action="append", help="the cases whose command begins so; may be repeated")
    options = parser.parse_args()
    options.step = options.step or options.seconds
    report = []
    print(f"Within {options.seconds:g} s and {options.memory:g} GiB; inputs are doubled up to {options.step:g} s, what is after ~ is extrapolated\n")
    print(f"{'command':<30} {'what grows':<22}{'size':>12} {'time':>9} {'cpu':>9} {'memory':>11} {'reaches':>9}  beyond")
    for case in CASES:
        if options.only and not case[0].startswith(tuple(options.only)):
            continue
        with tempfile.TemporaryDirectory(prefix="fugu-limits-") as folder:
            report.append(measure(Limits(options.build.resolve() / "fugu", pathlib.Path(folder), options), case, options))
    finish(options, {"cases": report}, [row["task"] for row in report if not row["met"]])


if __name__ == "__main__":
    main()
