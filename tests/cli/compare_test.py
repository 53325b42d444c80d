"""fugu compare in words: what each method leaves of the table, one recommendation, and the command that releases it."""
import json
import re
import shlex

import pytest

ASK = ["--secret", "s", "--public", "v", "--epsilon", "0.5"]
CATEGORIES = {("a", "x"): 400, ("a", "y"): 200, ("b", "x"): 100, ("b", "y"): 300}


@pytest.fixture(autouse=True)
def as_the_program_chooses(fugu):
    fugu.method = None


def write(fugu, counts, head="s,v"):
    rows = [f"{secret},{value}" for (secret, value), count in counts.items() for _ in range(count)]
    fugu.write("t.csv", "\n".join([head, *rows]) + "\n")


def blocks(text):
    """The paragraphs that begin with a method's name, by that name."""
    found = {}
    for part in text.split("\n\n"):
        name = re.match(r"([a-z-]+)(?: \([a-z0-9:.]+\))?: ", part)
        if name and "\n  " in part:
            found[name.group(1)] = part
    return found


def numbers(fugu, people=2000):
    values = {}
    for k in range(people):
        pair = ("ab"[k % 2], str(10 + (k * k + 3 * (k % 2)) % 11))
        values[pair] = values.get(pair, 0) + 1
    write(fugu, values)


def test_categories_in_words(fugu):
    write(fugu, CATEGORIES)
    text = fugu.ok("compare", "t.csv", *ASK, "--rows-independent")
    shown = blocks(text)
    assert list(shown) == ["swap", "channel", "sharp", "randomized-response"]
    assert "; the default" in shown["swap"] and text.count("the default") == 1
    stays = {row["method"]: row["rows"]["unchanged"] for row in json.loads(fugu.ok("compare", "t.csv", *ASK, "--rows-independent", "--format", "json"))["candidates"]}
    for method, part in shown.items():
        assert f"\n  {100 * stays[method]:.1f} % of the values stay unchanged\n" in part
        # Never a distance in an alphabet.
        assert "root mean square" not in part and "spread" not in part
        assert re.search(r"a guess at the secret is right for at most \d+\.\d\d % of the people", part)
    assert "frequencies hold as they stand" in shown["swap"] and "must be estimated" in shown["sharp"]
    assert "composes" in shown["sharp"] and "ask fugu compose" in shown["swap"]
    assert "hides the value itself" in shown["randomized-response"]
    assert "is right for 60.00 % of the people; with the true values" in " ".join(text.split())
    assert "W_inf" not in text and "times the" not in text


def test_the_command_is_the_one_that_releases_it(fugu):
    write(fugu, CATEGORIES)
    text = fugu.ok("compare", "t.csv", *ASK, "--rows-independent")
    said = " ".join(text.split())
    assert re.search(r"Recommended at epsilon 0\.5: swap, because \d+\.\d % of the values stay and every frequency holds as it stands \(categories trade places\)\.", said)
    line, = re.findall(r"^  (fugu release .*)$", text, re.M)
    fugu.ok(*shlex.split(line)[1:])
    assert json.loads((fugu.folder / "released.csv.plan.json").read_text())["guarantee"]["method"] == "swap"


def test_numbers_have_their_own_unit_beside_their_spread(fugu):
    numbers(fugu)
    shown = blocks(fugu.ok("compare", "t.csv", *ASK, "--rows-independent"))
    assert list(shown)[0] == "swap" and {"exact", "sharp", "dp-laplace"} <= set(shown)
    assert re.search(r"values change by [0-9.]+ \(root mean square\), beside a spread of [0-9.]+", shown["exact"])
    fugu.write("d.csv", "s,v\n" + "".join(f"{'ab'[k % 2]},2024-03-1{(k * k + 4 * (k % 2)) % 9}\n" for k in range(900)))
    shown = blocks(fugu.ok("compare", "d.csv", *ASK, "--rows-independent"))
    assert re.search(r"values change by [0-9.]+ days \(root mean square\), beside a spread of [0-9.]+ days", shown["exact"])


def test_all_has_every_method_and_paper_the_table(fugu):
    write(fugu, CATEGORIES)
    ask = ["compare", "t.csv", *ASK, "--rows-independent"]
    every = [row["method"] for row in json.loads(fugu.ok(*ask, "--format", "json"))["candidates"]]
    assert sorted(blocks(fugu.ok(*ask, "--all"))) == sorted(every)
    paper = fugu.ok(*ask, "--paper")
    assert all(re.search(rf"^  {method} ", paper, re.M) for method in every) and "W_inf" in paper
    fugu.fails(2, *ask, "--all", "--paper", says="--paper already shows every method")


def test_several_epsilons_each_have_a_recommendation(fugu):
    write(fugu, CATEGORIES)
    text = fugu.ok("compare", "t.csv", *ASK[:-1], "0.1,1/2", "--rows-independent")
    assert re.findall(r"^Recommended at (.*?): swap", text, re.M) == ["epsilon 0.1", "epsilon 0.5"]
    assert re.findall(r"^  fugu release .*--epsilon (\S+) ", text, re.M) == ["0.1", "0.5"]


def test_numbers_of_few_people_are_warned_of(fugu):
    rows = [f"{'ab'[k % 2]},{30 + k % 5},{'xy'[k % 3 == 0]}" for k in range(600)] + ["a,97,x", "b,98,y"]
    fugu.write("t.csv", "s,age,job\n" + "\n".join(rows) + "\n")
    ask = ["t.csv", "--secret", "s", "--public", "age,job", "--epsilon", "0.5", "--rows-independent"]
    for more in ([], ["--paper"]):
        text = fugu.ok("compare", *ask, *more)
        assert "As it stands, that would be refused: column 'age': fewer than 5 people share some of its values" in text
    fugu.fails(2, "release", *ask, "-o", "out.csv", says="column 'age': fewer than 5 people share some of its values")
    assert "refused" not in fugu.ok("compare", *ask, "--clip", "age=30:34")


def test_no_noise_is_said_plainly(fugu):
    write(fugu, {("a", "x"): 50, ("a", "y"): 50, ("b", "x"): 52, ("b", "y"): 48})
    text = " ".join(fugu.ok("compare", "t.csv", *ASK, "--rows-independent").split())
    assert "because no noise is needed: the unchanged values tell any two of these secrets apart by at most e^0.0" in text
    assert "The values are the true ones" in text


def test_cost_is_taken_and_handed_on(fugu):
    rows = [f"{'ab'[k % 2]},{'xyz'[k % 3]},{'uvw'[(k * k + k % 2) % 3]}" for k in range(900)]
    fugu.write("t.csv", "s,one,two\n" + "\n".join(rows) + "\n")
    ask = ["compare", "t.csv", "--secret", "s", "--public", "one,two", "--epsilon", "0.2", "--rows-independent"]
    assert re.search(r"^  fugu release .* --cost columns ", fugu.ok(*ask, "--cost", "columns"), re.M)
    fugu.fails(2, *ask, "--cost", "columns:1", says="--cost: 1 weights for 2 released columns")
    by_columns = json.loads(fugu.ok(*ask, "--cost", "columns", "--format", "json"))["candidates"][-1]
    assert by_columns["method"] == "swap" and "changed columns are made few" in by_columns["note"]


def test_what_a_recipient_will_know_is_near_what_estimate_says(fugu):
    write(fugu, {("a", "x"): 3000, ("a", "y"): 1000, ("a", "z"): 400, ("b", "x"): 2000, ("b", "y"): 2000, ("b", "z"): 700})
    ask = ["t.csv", *ASK, "--rows-independent"]
    shown = blocks(fugu.ok("compare", *ask, "--all"))
    for method in ("swap", "exact", "randomized-response"):
        expected = float(re.search(r"about ±([0-9.]+) points", shown[method]).group(1))
        fugu.ok("release", *ask, "--method", method, "-o", "out.csv", "--force")
        said = json.loads(fugu.ok("estimate", "out.csv", "--statement", "out.csv.receipt.json", "--format", "json"))
        if method == "swap":
            cell = next(cell for cell in said["tables"][0]["cells"] if cell["values"] == ["z"])
            found = 100 * max(cell["high"] - cell["count"], cell["count"] - cell["low"]) / 9100
        else:
            share = said["estimates"][0]["shares"][2]["share"]
            found = 50 * (share["high"] - share["low"])
        assert found == pytest.approx(expected, rel=0.35), method


def test_shares_are_not_called_good_where_nobody_knows_them(fugu):
    """Of many numbers how well shares are estimated is not worked out; and a bound as wide as the share itself tells nothing."""
    rows = [f"{'ab'[k % 2]},{k * 37 % 1000 + 40 * (k % 2)}" for k in range(2000)]
    fugu.write("many.csv", "\n".join(["s,v", *rows, ""]))
    ask = ["--secret", "s", "--public", "v", "--epsilon", "0.5", "--rows-independent"]
    text = " ".join(fugu.ok("compare", "many.csv", *ask).split())
    assert "how well fugu estimate finds shares is not known beforehand" in text.lower() and "Good for shares" not in text
    fugu.write("two.csv", "\n".join(["s,v", *["a,x", "b,y"] * 50, ""]))
    text = " ".join(fugu.ok("compare", "two.csv", *ask).split())
    assert "a share of 50.0 % stays unknown, by about ±50 points" in text and "known to about ±50" not in text


def test_a_confidence_is_in_every_number(fugu):
    write(fugu, CATEGORIES)
    ask = ["compare", "t.csv", *ASK, "--rows-independent", "--order", "x,y", "--confidence", "0.9"]
    text = fugu.ok(*ask)
    assert "At 90 % all of this holds for every distribution that the counts allow." in text
    robust = {row["method"]: row["robust"]["mse"] for row in json.loads(fugu.ok(*ask, "--format", "json"))["candidates"]}
    assert all(robust[method] is not None for method in blocks(text))
