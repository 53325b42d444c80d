"""What the program answers to some 250 questions over every method, noise, model and option, as digests.

`python3 tests/corpus/cases.py PROGRAM > tests/corpus/digests.json` writes them down; tests/cli/corpus_test.py holds the program
against them. A change that is meant to keep every answer keeps every digest; one that is not names the answers that it corrects.

Answers that come out of a linear programme are held to six digits and not to the byte: a solver's last digits are the machine's.
"""

import hashlib
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
METHODS = ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact", "dp-laplace"]
SOLVED = ["optimal", "channel", "randomized-response"]
JOB = "people.csv --secret race --public job"
AGE = "people.csv --secret sex --public age"
PAY = "people.csv --secret race --public pay"


def rows():
    """Six hundred people whose columns go with each other, by arithmetic alone."""
    state = 12345
    for k in range(600):
        state = (1103515245 * state + 12345) % 2**31
        a, b, c, d = (state // 7 % 97, state // 691 % 89, state // 60_083 % 83, state // 5_101 % 11)
        race = ["north", "north", "north", "east", "east", "west"][(a + k) % 6]
        sex = "f" if (a + 2 * d) % 5 < 2 else "m"
        lift = 2 * (sex == "f") + (race == "east")
        job = ["baker", "clerk", "cook", "driver", "guard"][min(4, (b * (5 + lift)) // 89 % 5)]
        age = 20 + (b // 6) * 3 + lift
        yield race, sex, job, age, 10 * (c // 14) + 5 * lift, f"{2 + (b + lift) // 11}.{25 * (c % 4):02d}", "abc"[d % 3]


def write_inputs(folder):
    head = "race,sex,job,age,hours,pay,region\n"
    people = list(rows())
    text = ["," .join(map(str, row)) for row in people]
    files = {
        "people.csv": head + "\n".join(text) + "\n",
        "bare.csv": "\n".join(text) + "\n",
        "gaps.csv": head + "\n".join(line.replace("cook", "") if k % 5 else line.replace("clerk", "?") for k, line in enumerate(text)) + "\n",
        "paper.json": {"epsilon": 0.5, "priors": [{"given": {
            "a": {"values": [1, 2, 3, 4, 5], "mass": ["1/3", 0.25, "1/12", 0.3, "1/30"]},
            "b": {"values": [1, 2, 3, 5], "mass": [3, 4, 5, 6]}}}]},
        "priors.json": {"epsilon": 0.7, "priors": [
            {"name": "one", "given": {s: {"values": [0, 1, 4], "mass": m} for s, m in zip("abc", ([5, 3, 2], [2, 3, 5], [1, 1, 1]))}},
            {"name": "two", "given": {s: {"values": [0, 2, 5], "mass": m} for s, m in zip("abc", ([1, 3, 2], [2, 2, 5], [4, 1, 1]))}}]},
        "normal.json": {"epsilon": 1, "lattice": {"step": "1/2", "origin": 0}, "priors": [{"given": {
            "a": {"gaussian": {"mean": 0, "sd": 1}}, "b": {"gaussian": {"mean": 1, "sd": 1.5}}}}],
            "source": {"secret": ["s"], "public": ["x"], "clip": [-6, 6]}},
        "mixed.json": {"epsilon": 1, "lattice": {"step": 1, "origin": 0}, "priors": [{"given": {
            "a": {"gaussian": {"mean": 3, "sd": 2}},
            "b": {"mixture": [{"weight": w, "gaussian": {"mean": m, "sd": w}} for w, m in ((1, 2), (2, 8))]}}}],
            "source": {"secret": ["s"], "public": ["x"], "clip": [0, 12]}},
        "wide.json": {"epsilon": 0.4, "priors": [{"given": {
            "a": {"values": [0, 7, 1000, 100000], "mass": [9, 3, 2, 1]}, "b": {"values": [0, 7, 1000, 100000], "mass": [5, 5, 4, 1]}}}]},
        "belief.json": {"name": "the paper's", "given": {r: {"values": ["baker", "clerk", "guard"], "mass": m}
                                                         for r, m in (("north", [2, 1, 1]), ("east", [1, 2, 1]), ("west", [1, 1, 3]))}},
        "loss.csv": "value,1,2,3,4,5\n" + "".join(f"{x}," + ",".join(str(abs(x - y) ** 3) for y in range(1, 6)) + "\n" for x in range(1, 6)),
        "users.csv": "p\n" + "".join(f"0.{k}\n" for k in range(11, 41)),
        "letters.csv": "a,b,c\n0.2,0.3,0.5\n0.4,0.4,0.2\n0.1,0.8,0.1\n",
        "chain.json": {"states": ["on", "off"], "chains": [{"transition": [[0.9, 0.1], [0.4, 0.6]], "start": [0.8, 0.2]}]},
        "chains.json": {"states": ["a", "b", "c"], "chains": [
            {"transition": [[0.5, 0.25, 0.25], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]], "start": "stationary"},
            {"transition": [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4]], "start": [1, 0, 0]}]},
        "states.csv": "state\n" + "".join(("on" if (k * k // 7) % 3 else "off") + "\n" for k in range(200)),
        "noisy.csv": "age\n" + "".join(f"{20 + (37 * k) % 46}\n" for k in range(400)),
        "jobs.csv": "job\n" + "".join(["baker", "clerk", "cook", "driver", "guard"][(7 * k + k * k // 5) % 5] + "\n" for k in range(400)),
    }
    for name, content in files.items():
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))


def calibrations():
    for method, (question, epsilon) in itertools.product(METHODS, itertools.product([JOB, AGE, PAY], ["0.1", "0.5", "2"])):
        yield f"calibrate {question} --method {method} --epsilon {epsilon}"
    for method, question in itertools.product(SOLVED, [JOB, AGE, PAY]):
        yield f"calibrate {question} --method {method} --epsilon 0.5"
    for noise, method in itertools.product(["power:0.5", "log:4"], ["sensitivity", "kantorovich", "relaxed", "harmonic", "exact"]):
        yield f"calibrate {JOB} --noise {noise} --method {method} --epsilon 0.5"
    for method, delta in itertools.product(["theorem3a", "theorem3b", "kantorovich", "relaxed", "exact"], ["1e-5", "0.01"]):
        yield f"calibrate {AGE} --noise gaussian --method {method} --epsilon 0.5 --delta {delta}"
    for method in ["kantorovich", "relaxed", "harmonic", "exact", "optimal", "channel"]:
        yield f"calibrate {JOB} --method {method} --epsilon 0.3 --delta 0.001"
    for pairs in ["north:east", "west:*", "neighbours", "north:west,east:west"]:
        yield f"calibrate {JOB} --pairs {pairs} --epsilon 0.3"
        yield f"calibrate {JOB} --pairs {pairs} --epsilon 0.3 --method relaxed"
    yield f"calibrate {JOB} --pairs neighbours --secret-order west,north,east --epsilon 0.3"
    for more in ["--pairs neighbours", "--given region", "--closeness 0.1", "--prior belief.json",
                 "--confidence 0.9 --order baker,clerk,cook,driver,guard,none"]:
        yield f"calibrate {JOB} {more} --method sharp --epsilon 0.5"
    yield "calibrate people.csv --secret race,sex --public job --epsilon 0.5"
    for given in ["region", "sex", "region,sex"]:
        yield f"calibrate {JOB} --given {given} --epsilon 0.5"
        yield f"calibrate {JOB} --given {given} --min-group 5 --epsilon 0.5 --method kantorovich"
    for more in ["--closeness 0.1", "--prior belief.json", "--prior belief.json --closeness 0.05", "--order guard,driver,cook,clerk,baker",
                 "--merge-rare 112", "--method channel --loss zero-one", "--confidence 0.95 --order baker,clerk,cook,driver,guard",
                 "--confidence 0.9 --order baker,clerk,cook,driver,guard,none --method optimal"]:
        yield f"calibrate {JOB} {more} --epsilon 0.5"
    for more in ["--clip 25:60", "--step 5", "--bin 10", "--clip 20:69 --bin 5", "--bin-edges 30,40,50", "--range clamp", "--range clamp --method optimal",
                 "--asymmetric --method optimal --loss absolute", "--asymmetric --method optimal", "--loss absolute --method channel",
                 "--clip 20:60 --step 10 --confidence 0.95", "--clip 20:60 --step 10 --confidence 0.9 --method channel"]:
        yield f"calibrate {AGE} {more} --epsilon 0.5"
    yield f"calibrate {PAY} --method channel --unbiased --step 1 --epsilon 1"
    yield f"calibrate {PAY} --method channel --outputs 2,4,6,8 --step 1 --epsilon 1"
    for more in ["--missing drop --na ?", "--missing keep --na ?", "--missing keep --na ? --order baker,clerk,cook,driver,guard,(missing)"]:
        yield f"calibrate {JOB.replace('people', 'gaps')} {more} --epsilon 0.5"
    yield "calibrate bare.csv --no-header --secret 1 --public 3 --epsilon 0.5"
    for columns, more in itertools.product(["age,hours", "job,hours"], ["", "--noise-shares 1,2", "--step 5", "--method kantorovich", "--method sensitivity"]):
        if not (columns == "job,hours" and more == "--step 5"):
            yield f"calibrate people.csv --secret sex --public {columns} --epsilon 0.5 {more}".strip()
    yield "calibrate people.csv --secret race --public job,region,sex --epsilon 0.5"
    for scenario, method in itertools.product(["paper", "priors", "normal", "mixed", "wide"], ["kantorovich", "exact", "optimal", "channel"]):
        if (scenario, method) not in (("mixed", "kantorovich"), ("wide", "optimal")):
            yield f"calibrate --scenario {scenario}.json --method {method}"
    yield "calibrate --scenario paper.json --method channel --loss loss.csv"
    yield "calibrate --scenario paper.json --delta 0.01 --noise gaussian"


def models():
    for more in ["--users 25 --p 0.7 --epsilon 1", "--users 300 --p 0.3 --epsilon 0.5 --delta 1e-6", "--probabilities users.csv --epsilon 1",
                 "--probabilities users.csv --epsilon 1 --delta 0.001", "--probabilities letters.csv --values 0,1,5 --epsilon 1 --delta 0.01",
                 "--probabilities letters.csv --values 0,1,5 --epsilon 1 --pairs absent", "--users 40 --p 0.5 --epsilon 0.2 --delta 1e-3 --noise gaussian",
                 "--users 40 --p 0.5 --epsilon 1 --noise log:4"]:
        yield f"count {more}"
    yield "count --users 100 --p 0.2 --epsilon 0.5 --delta 1e-4 --compare"
    for method, query in itertools.product(["group", "quilt-approx", "quilt", "transfer", "exact"], ["--matrix chain.json --length 60 --state on", "--matrix chains.json --length 40 --state b"]):
        yield f"chain {query} --epsilon 1 --method {method}"
    for more in ["--matrix chains.json --length 200 --histogram", "--sequence states.csv --state on", "--matrix chain.json --length 60 --state on --frequency",
                 "--matrix chain.json --length 100 --state on --compare"]:
        yield f"chain {more} --epsilon 2"


def looks():
    for question in [JOB, AGE, PAY, "people.csv --secret sex --public age,hours", "--scenario paper.json", "--scenario normal.json"]:
        yield f"compare {question} --epsilon 0.5"
    yield f"compare {JOB} --epsilon 0.1,1"
    yield f"compare {AGE} --epsilon 0.5 --delta 1e-4"
    yield f"compare {AGE} --epsilon 0.5 --clip 25:60"
    yield f"compare {JOB} --epsilon 0.5 --given region"
    yield "inspect people.csv"
    yield "inspect people.csv --secret race"
    yield "inspect gaps.csv --secret sex --na ?"
    for kind in ["laws", "plan", "error --epsilon 0.2,0.5,1"]:
        yield f"figure {kind} --scenario paper.json"
    yield f"figure laws {AGE}"


# Of a plan that the first part makes: what is said of it, what it comes to with others, what a release writes, what a recipient reads.
def uses():
    exact, age = f"calibrate {JOB} --method exact --epsilon 0.5", f"calibrate {AGE} --method exact --epsilon 0.5"
    for made in [exact, age, f"calibrate {JOB} --method channel --epsilon 0.5", f"calibrate {AGE} --noise gaussian --method exact --epsilon 0.5 --delta 0.01",
                 "calibrate people.csv --secret sex --public age,hours --epsilon 0.5", "count --users 25 --p 0.7 --epsilon 1"]:
        yield made, "verify plan.json"
        yield made, "statement plan.json"
    for made in [f"calibrate {JOB} --method {m} --epsilon 0.5" for m in ["exact", "harmonic", "channel"]] + [
            "count --users 25 --p 0.7 --epsilon 1", "chain --matrix chain.json --length 60 --state on --epsilon 1 --method quilt"]:
        yield made, "compose plan.json plan.json"
    for made, table in [(exact, "jobs.csv"), (age, "noisy.csv"), (f"calibrate {AGE} --range clamp --epsilon 0.5", "noisy.csv"),
                        (f"calibrate {JOB} --method channel --epsilon 0.5", "jobs.csv")]:
        yield made, f"estimate {table} --statement STATEMENT"
        yield made, f"estimate {table} --statement STATEMENT --of population --confidence 0.99"
    for made, more in [(exact, ""), (age, ""), (f"calibrate {JOB} --given region --epsilon 0.5", "--keep region"), (exact, "--shuffle"),
                       ("calibrate people.csv --secret sex --public age,hours --epsilon 0.5", ""), (exact, "--keep-unprotected pay")]:
        yield made, f"release people.csv --plan plan.json -o out.csv {more}".strip()


def named(line):
    """With the method that it is, where none is named."""
    return line + " --method exact" if line.startswith("calibrate") and "--method" not in line else line


def cases():
    """Every question, as the command line or (the plan's command line, the command line that uses it)."""
    every = [*calibrations(), *models(), *looks(), *uses()]
    return [named(case) if isinstance(case, str) else (named(case[0]), case[1]) for case in every]


def name_of(case):
    return case if isinstance(case, str) else " | ".join(case)


def is_solved(name):
    return any(word in name for word in ("optimal", "channel", "compare", "figure error", "estimate"))


class Corpus:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        write_inputs(folder)
        self.made = {}

    def run(self, line):
        done = subprocess.run([self.program, *line.split()], cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != 0:
            return {"status": done.returncode, "said": done.stderr}
        return json.loads(done.stdout)

    def plan(self, line):
        if line not in self.made:
            self.made[line] = self.run(line + " --format json --quiet")
        return self.made[line]

    def answer(self, case):
        if isinstance(case, str):
            return self.plan(case)
        made, use = case
        for left in self.folder.glob("out.csv*"):
            left.unlink()
        (self.folder / "plan.json").write_text(json.dumps(self.plan(made)))
        (self.folder / "STATEMENT").unlink(missing_ok=True)
        if "STATEMENT" in use:
            (self.folder / "STATEMENT").write_text(json.dumps(self.run("statement plan.json --format json --quiet")))
        said = self.run(use + " --format json --quiet")
        if not use.startswith("release") or "status" in said:
            return said
        return json.loads((self.folder / "out.csv.receipt.json").read_text())


# What differs from one run to the next.
FRESH = re.compile(r"sha256:[0-9a-f]{64}")


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items() if key not in ("weights", "rows", "notes", "numerator", "bits", "tail", "digest", "output", "pair")}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


def digest(name, answer):
    if is_solved(name):
        answer = rounded(answer)
    if name.partition(" | ")[2].startswith("release"):
        answer = json.loads(FRESH.sub("", json.dumps(answer)))
    return hashlib.sha256(json.dumps(answer, sort_keys=True).encode()).hexdigest()[:16]


def digests(program, folder):
    corpus = Corpus(program, folder)
    return {name_of(case): digest(name_of(case), corpus.answer(case)) for case in cases()}


if __name__ == "__main__":
    import tempfile
    with tempfile.TemporaryDirectory() as place:
        json.dump(digests(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(place)), sys.stdout, indent=0)
    print()
