"""Makes the plans of one version, which every later one is held against: tests/old_plans/make.py PROGRAM FOLDER.

The tables come from here, from arithmetic alone, so that a later version releases the very rows that a plan was made of.
docs/compatibility.md says what is promised of them. A folder that is there is never made again.
"""

import pathlib
import subprocess
import sys

HEADER = "group,hours,job,region,pay"


def people():
    """240 rows: the hours and the pay lean on the secret group, within both regions."""
    for k in range(240):
        left = k % 3 == 0
        region = "north" if k // 3 % 2 else "south"
        hours = 30 + (k * 7 + 2 * left) % (8 if left else 10)
        yield "left" if left else "right", hours, ("baker", "clerk", "cook")[(k // 6 + left) % 3], region, (k // 4 % 6 + left) / 4


def tables():
    """Name -> text of the tables."""
    rows = [",".join(map(str, row)) for row in people()]
    holes = [",".join(("", row.split(",")[1]) if k % 40 == 0 else row.split(",")[:2]) for k, row in enumerate(rows)]
    states = [("sun", "sun", "rain", "sun", "rain", "rain", "sun")[k * k % 7] for k in range(140)]
    return {"people.csv": "\n".join([HEADER, *rows, ""]), "holes.csv": "\n".join(["group,hours", *holes, ""]),
            "weather.csv": "\n".join(["state", *states, ""])}


HOURS = ["people.csv", "--secret", "group", "--public", "hours", "--epsilon", "0.5"]
# Name -> what was asked of calibrate.
PLANS = {
    "exact": [*HOURS, "--method", "exact"],
    "kantorovich": [*HOURS, "--method", "kantorovich"],
    "gaussian": [*HOURS, "--method", "exact", "--noise", "gaussian", "--delta", "1e-5"],
    "optimal": [*HOURS, "--method", "optimal"],
    "channel": ["people.csv", "--secret", "group", "--public", "job", "--epsilon", "0.5", "--method", "channel"],
    "categories": ["people.csv", "--secret", "group", "--public", "job", "--epsilon", "0.5", "--method", "exact"],
    "decimals": ["people.csv", "--secret", "group", "--public", "pay", "--epsilon", "1", "--method", "exact"],
    "given": [*HOURS, "--method", "exact", "--given", "region"],
    "closeness": [*HOURS, "--method", "exact", "--closeness", "0.05"],
    "bins": [*HOURS, "--method", "exact", "--clip", "31:38", "--bin", "2"],
    "joint": ["people.csv", "--secret", "group", "--public", "hours,pay", "--epsilon", "2", "--method", "exact"],
    "randomized-response": ["people.csv", "--secret", "group", "--public", "job", "--epsilon", "1", "--method", "randomized-response"],
}
MODELS = {
    "users": ["count", "--users", "25", "--p", "0.3", "--epsilon", "0.5"],
    "chain": ["chain", "--sequence", "weather.csv", "--state", "rain", "--epsilon", "1"],
}
# Version -> plans of it that must be made again; CHANGELOG says why.
REFUSED = {
    "0.1": {
        "confidence": [*HOURS, "--method", "exact", "--confidence", "0.95"],
        "missing": ["holes.csv", "--secret", "group", "--public", "hours", "--epsilon", "0.5", "--method", "exact", "--missing", "drop"],
    },
}
# Plans whose release and receipt are kept, for recipients.
RELEASED = ("exact", "channel")


def main(program, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)

    def run(*words):
        return subprocess.run([pathlib.Path(program).resolve(), *words], cwd=folder, check=True, capture_output=True, text=True).stdout

    for name, text in tables().items():
        (folder / name).write_text(text)
    for name, words in {**PLANS, **REFUSED.get(folder.name, {})}.items():
        run("calibrate", *words, "-o", f"{name}.json")
    for name, words in MODELS.items():
        run(*words, "-o", f"{name}.json")
    for name in PLANS:
        run("statement", f"{name}.json", "-o", f"{name}.statement.json")
    for name in RELEASED:
        run("release", "people.csv", "--plan", f"{name}.json", "-o", f"{name}.csv")
    for name in tables():
        (folder / name).unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
