"""Repeated release and averaging: what it tells without a ledger, and that a ledger ends it.

The defence is the ledger (fugu/ledger/ledger.cc): without its check of the budget
test_the_ledger_ends_the_attack sees more outputs than the budget pays for.
"""

import statistics

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
LEDGER = ["--ledger", "budget.db", "--dataset", "people", "--budget", "1"]
TRUTH = [k % 2 for k in range(40)]  # the value is the secret


@pytest.fixture
def plan(fugu):
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[x]},{x}\n" for x in TRUTH))
    fugu.ok("calibrate", "in.csv", *FLAGS, "-o", "plan.json")


def guesses_right(fugu, releases):
    """How many of the 40 values the mean of so many releases tells."""
    columns = [[int(line) for line in (fugu.folder / f"{k}.csv").read_text().split()[1:]] for k in range(releases)]
    means = [statistics.mean(column[row] for column in columns) for row in range(len(TRUTH))]
    return sum((mean > 0.5) == (truth == 1) for mean, truth in zip(means, TRUTH))


def test_averaging_tells_everything_without_a_ledger(fugu, plan):
    """A known limit (docs/guarantees.md, "Each value is released once"): it is the account that protects.

    Noise of scale 2 has a standard deviation of 2.83; the mean of 300 is within 0.5 of the truth but for 1 in 450."""
    for k in range(300):
        fugu.ok("release", "in.csv", "--plan", "plan.json", "-o", f"{k}.csv")
    assert guesses_right(fugu, 300) >= 37
    assert guesses_right(fugu, 1) < 37


def test_the_ledger_ends_the_attack(fugu, plan):
    appeared = 0
    for k in range(6):
        result = fugu("release", "in.csv", "--plan", "plan.json", "-o", f"{k}.csv", *LEDGER)
        assert result.status in (0, 6), result
        assert (fugu.folder / f"{k}.csv").exists() == (result.status == 0)
        appeared += result.status == 0
    assert appeared == 2
    fugu.ok("verify", "plan.json")


def test_another_plan_output_or_order_buys_nothing(fugu, plan):
    """Another output, another plan for the same column, the rows in another order: one account."""
    for k in range(2):
        fugu.ok("release", "in.csv", "--plan", "plan.json", "-o", f"{k}.csv", *LEDGER)
    head, *rows = (fugu.folder / "in.csv").read_text().splitlines()
    fugu.write("turned.csv", "\n".join([head, *reversed(rows)]) + "\n")
    fugu.fails(6, "release", "turned.csv", "--plan", "plan.json", "-o", "turned-out.csv", *LEDGER)
    fugu.fails(6, "release", "in.csv", *FLAGS[:-1], "0.1", "-o", "small.csv", *LEDGER)
    fugu.fails(6, "release", "in.csv", "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER)


def test_another_name_is_another_account(fugu, plan):
    """A known limit: names are all that tells the ledger who the rows are of."""
    for k in range(2):
        fugu.ok("release", "in.csv", "--plan", "plan.json", "-o", f"{k}.csv", *LEDGER)
    fugu.fails(6, "release", "in.csv", "--plan", "plan.json", "-o", "third.csv", *LEDGER)
    elsewhere = ["others" if word == "people" else word for word in LEDGER]
    fugu.ok("release", "in.csv", "--plan", "plan.json", "-o", "third.csv", *elsewhere)
    fugu.write("renamed.csv", (fugu.folder / "in.csv").read_text().replace("s,x", "t,x"))
    again = ["release", "renamed.csv", "--secret", "t", *FLAGS[2:], "-o", "fourth.csv", *LEDGER]
    fugu.fails(6, *again, says="for the secret s, which this release also tells about")
    fugu.write("renamed.csv", (fugu.folder / "in.csv").read_text().replace("s,x", "t,y"))
    fugu.ok(*["y" if word == "x" else word for word in again])
