"""The README's three commands, and what they must leave."""

TABLE = "fugu-demo/adult-occupation.csv"
QUESTION = (TABLE, "--secret", "race", "--public", "occupation", "--epsilon", "0.5")
ROWS = 28_856  # people in the demo's table


def check_released(text):
    lines = text.splitlines()
    assert lines[0] == "occupation" and len(lines) == ROWS + 1
    assert "Adm-clerical" in lines and "White" not in lines


def run_three_commands(run, read):
    """run(arguments …) runs fugu and gives what it says; read(file) gives a file's text."""
    assert TABLE in run("demo")
    said = run("release", *QUESTION, "-o", "out.csv")
    assert f"Released {ROWS:,} rows to out.csv." in said and "at most 62.3 %" in said
    check_released(read("out.csv"))
    assert '"epsilon": 0.5' in read("out.csv.receipt.json")
    said = run("estimate", "out.csv")
    assert f"{ROWS:,} rows released" in said and "Adm-clerical" in said
    assert "The plan is proved" in run("verify", "out.csv.plan.json")


def plan_of(run, read):
    """A plan, which is the same whoever made it."""
    run("calibrate", *QUESTION, "-o", "plan.json")
    return read("plan.json")
