"""Prints what every headline theorem rests on, and fails where that is more than the axioms of Coq's real numbers, or where a
file of proofs leaves something unproved.

Usage: assumptions.py FILE.v …, files of `Print Assumptions`, compiled afresh; the theories beside them are compiled.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ALLOWED = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
UNPROVED = re.compile(r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjecture|Declare Module)\b")


def without_comments(text):
    out, depth, k = [], 0, 0
    while k < len(text):
        if text.startswith("(*", k):
            depth, k = depth + 1, k + 2
        elif depth and text.startswith("*)", k):
            depth, k = depth - 1, k + 2
        else:
            out.append(text[k] if not depth else " ")
            k += 1
    return "".join(out)


def blocks(output):
    """One answer for each Print Assumptions: the names of its axioms."""
    for line in output.splitlines():
        if line == "Closed under the global context":
            yield []
        elif line == "Axioms:":
            yield (names := [])
        elif line and not line.startswith(" "):
            names.append(re.match(r"\S+", line).group())


def main(files):
    wrong = 0
    for path in sorted(HERE.glob("*.v")):
        for found in UNPROVED.findall(without_comments(path.read_text())):
            print(f"{path.name}: {found}")
            wrong += 1
    for file in files:
        theorems = re.findall(r"^Print Assumptions (\S+)\.$", (HERE / file).read_text(), re.M)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["coqc", "-Q", HERE, "Fugu", HERE / file, "-o", f"{folder}/{pathlib.Path(file).stem}.vo"],
                                  capture_output=True, text=True, check=False)
        answers = list(blocks(done.stdout))
        if done.returncode or len(answers) != len(theorems):
            print(done.stdout, done.stderr, f"{file}: {len(answers)} answers to {len(theorems)} questions")
            return 1
        for theorem, axioms in zip(theorems, answers):
            print(f"{theorem}: {', '.join(axioms) or 'no axiom'}")
            for axiom in set(axioms) - ALLOWED:
                print(f"  {axiom} is no axiom of the real numbers")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
