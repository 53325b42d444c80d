"""What may be published, searched for what may not: counts, rare labels, digests of the plan, names of files.

The defences: statements are made from the mechanism and the words of the plan (fugu/plan/statement.cc), receipts hold the
digest of the statement and not of the plan (fugu/release/receipt.cc), error messages name lines and columns. Adding the
plan's digest to the receipt, the rare labels to the statement or a value to a message makes a test here fail.
"""

import hashlib
import json
import random
import re

import pytest

from conftest import ADULT
from tampering_test import canonical, digest, read

# Counts that are found nowhere else: of cells, of secrets, of values, and the smallest group's name.
CELLS = {("sa", "u"): 2311, ("sa", "v"): 1709, ("sb", "u"): 1823, ("sb", "v"): 2203, ("sa", "zebrafish"): 7, ("sb", "quokka"): 5}


def private_numbers():
    numbers = set(CELLS.values()) - {5, 7}
    for place in (0, 1):
        for key in {cell[place] for cell in CELLS}:
            numbers.add(sum(count for cell, count in CELLS.items() if cell[place] == key))
    return {number for number in numbers if number > 100}


@pytest.fixture
def published(fugu):
    """Everything that may be published of a release with rare labels, given columns and a small group."""
    rng = random.Random(11)
    rows = [(s, x) for (s, x), count in CELLS.items() for _ in range(count)]
    rng.shuffle(rows)
    lines = [f"{s},{'north' if k % 3 else 'south'},{x}\n" for k, (s, x) in enumerate(rows)]
    lines[17] = "sa,atlantis,u\n" if lines[17].startswith("sa") else "sb,atlantis,u\n"
    fugu.write("very-private-name.csv", "s,g,x\n" + "".join(lines))
    said = fugu.ok("release", "very-private-name.csv", "--secret", "s", "--public", "x", "--given", "g", "--merge-rare", "100",
                   "--epsilon", "0.2", "-o", "out.csv", "--digest")
    assert "Released" in said
    fugu.ok("statement", "out.csv.plan.json", "-o", "statement.json")
    texts = {name: (fugu.folder / name).read_text() for name in ("out.csv.receipt.json", "statement.json", "out.csv")}
    texts["words"] = fugu.ok("statement", "out.csv.plan.json")
    texts["page"] = fugu.ok("report", "out.csv.plan.json", "--public", "--format", "json")
    return texts


def numbers_in(text):
    text = re.sub(r"[0-9a-f]{64}", "", text)  # digests hold any run of digits, by chance
    return {int(number) for number in re.findall(r"(?<![\d.])\d+(?![\d.])", text.replace(",", ""))}


def test_the_private_numbers_are_in_the_plan(fugu, published):
    """The control: the search finds them where they are."""
    plan = (fugu.folder / "out.csv.plan.json").read_text()
    found = {int(number) for number in re.findall(r"\d+", plan)}
    # One row was moved to another group and perhaps to another cell: most counts are still those.
    assert len(private_numbers() & found) >= 2
    assert "zebrafish" in plan and "quokka" in plan and "atlantis" in plan


def test_no_count_is_published(fugu, published):
    plan = json.loads((fugu.folder / "out.csv.plan.json").read_text())
    counts = private_numbers()
    for prior in plan["scenario"]["priors"]:
        for law in prior["given"].values():
            counts |= {int(mass) for mass in law["mass"] if float(mass) > 100} | {int(sum(map(float, law["mass"])))}
    counts.discard(sum(CELLS.values()))  # how many rows there are is seen in the released table
    assert len(counts) > 8
    for name, text in published.items():
        assert not counts & numbers_in(text), name


def test_no_rare_label_and_no_small_group_is_published(fugu, published):
    for name, text in published.items():
        for word in ("zebrafish", "quokka", "atlantis", "very-private-name", str(fugu.folder)):
            assert word not in text, (name, word)


def test_no_digest_of_what_is_private_is_published(fugu, published):
    """A digest of the plan or of the table tells a right guess of the last unknown row from a wrong one."""
    plan = (fugu.folder / "out.csv.plan.json").read_bytes()
    private = {json.loads(plan)["digest"].removeprefix("sha256:"), hashlib.sha256(plan).hexdigest(),
               hashlib.sha256((fugu.folder / "very-private-name.csv").read_bytes()).hexdigest()}
    public = {hashlib.sha256((fugu.folder / "out.csv").read_bytes()).hexdigest(),
              json.loads(published["out.csv.receipt.json"])["statement_digest"].removeprefix("sha256:")}
    found = {digest for text in published.values() for digest in re.findall(r"[0-9a-f]{64}", text)}
    assert found == public and not found & private


def test_the_receipt_of_another_table_with_the_same_noise_is_the_same(fugu):
    """Two tables whose counts differ and whose mechanism does not: nothing that is published tells them apart."""
    receipts = []
    for more in (0, 30):
        rows = [("a", 0)] * (40 + more) + [("a", 1)] * (40 + more) + [("b", 0)] * (60 - more) + [("b", 1)] * (60 - more)
        fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
        fugu.ok("release", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "out.csv", "--force")
        receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
        drawn = receipt.pop("output")  # the digest of what was drawn, which is published beside it
        assert drawn == "sha256:" + hashlib.sha256((fugu.folder / "out.csv").read_bytes()).hexdigest()
        receipts.append(receipt)
    assert receipts[0] == receipts[1]


def test_how_many_secrets_the_table_has_is_not_published(fugu):
    """Where the mechanism hides the value whatever anyone believes, a secret of one person more changes nothing."""
    published = []
    for last in ("a", "c"):
        rows = [("ab"[k % 2], k // 2 % 2) for k in range(200)] + [(last, 0)]
        fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
        for method in (["dp-laplace", "--clip", "0:1", "--step", "1"], ["randomized-response", "--clip", "0:1", "--step", "1"]):
            fugu.ok("release", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.7", "--method", *method, "-o", "out.csv",
                    "--rows-independent", "--force")
            receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
            published.append(({key: receipt[key] for key in receipt if key not in ("output", "statement_digest")},
                              fugu.ok("statement", "out.csv.plan.json"), fugu.ok("report", "out.csv.plan.json", "--public", "-o", "-", "--date", "today")))
    assert published[:2] == published[2:]


SECRET_TEXTS = ["hunter2", "31337.25"]


@pytest.mark.parametrize("text", SECRET_TEXTS)
def test_no_message_holds_a_value(fugu, text):
    """Values that the plan does not know, in tables to be released, audited and calibrated."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 3 + k % 2}\n" for k in range(60)))
    fugu.ok("release", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "out.csv")
    fugu.write("bad.csv", f"s,x\na,1\nb,{text}\n")
    told = [fugu.fails(3, "release", "bad.csv", "--plan", "out.csv.plan.json", "--new-data", "-o", "bad-out.csv"),
            fugu.fails(3, "audit", "--released", "out.csv", "--original", "bad.csv", "--plan", "out.csv.plan.json"),
            fugu.fails(4, "audit", "--released", "bad.csv", "--original", "in.csv", "--plan", "out.csv.plan.json",
                       says="row 2")]
    for message in told:
        assert text not in message


def test_no_message_lists_the_secrets(fugu):
    """What the table's secrets are is found where its owner looks for it, not in a log."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{['flu', 'SEKRIT'][k % 2]},{k % 3}\n" for k in range(60)))
    ask = ["in.csv", "--secret", "s", "--public", "x"]
    for flags in (["--epsilon", "1", "--pairs", "flu:cold"], ["--epsilon", "cold=0.1,*=1"], ["--epsilon", "1", "--promise", "belief", "--shares", "flu=1,cold=1"]):
        assert "SEKRIT" not in fugu.fails(2, "calibrate", *ask, *flags, says="there is no secret 'cold'")
    belief = ["--promise", "belief", "--shares", "flu=0.5"]
    for flags, says in ((belief, "--shares: 1 of the 2 secrets has none"),
                        (["--confidence", "0.9", "--clip", "0:2", "--step", "1", "--population", "flu=100"], "1 of the 2 secrets")):
        assert "SEKRIT" not in fugu.fails(2, "calibrate", *ask, "--epsilon", "1", *flags, says=says)


def test_no_number_of_the_table_is_on_standard_error(fugu):
    """A warning of noise told the standard deviation and quantiles: the one that is far out follows from them."""
    fugu.write("ages.csv", "s,age\n" + "".join(f"{'ab'[k % 2]},{20 + k % 47}\n" for k in range(3000)) + "a,9731\n")
    ask = ["ages.csv", "--secret", "s", "--public", "age", "--epsilon", "0.05", "--method", "exact"]
    for command in (["calibrate", *ask, "-o", "plan.json"], ["release", *ask, "-o", "out.csv"]):
        done = fugu(*command)
        assert done.status == 0 and "standard deviation 1" in done.out and "--clip age=" in done.out
        assert "the noise exceeds" in done.err and not re.search("[0-9]", done.err)


def test_no_refusal_tells_how_far_the_values_reach(fugu):
    """Where the outputs of an unbiased channel do not reach far enough, the message told between which numbers the values lie; of a Gaussian
    without a delta it told to six digits how many people have the outermost values."""
    fugu.write("ages.csv", "s,age\n" + "".join(f"{'ab'[k % 2]},{20 + k % 47}\n" for k in range(300)) + "a,9731\na,19\nb,19\nb,9731\nb,9731\n")
    ask = ["ages.csv", "--secret", "s", "--public", "age", "--epsilon", "0.5"]
    err = fugu.fails(4, "calibrate", *ask, "--method", "channel", "--unbiased", "--outputs", "0,10,20", says="outputs further beyond the values")
    assert not re.search("[0-9]", err)
    err = fugu.fails(4, "calibrate", *ask, "--noise", "gaussian", says="for no scale")
    assert set(re.findall(r"[0-9.]*[0-9]", err)) == {"0.5", "0"}


def numbers_in(err):
    return set(re.findall(r"[0-9.]*[0-9]", err))


@pytest.mark.parametrize("more", [["--public", "x"], ["--public", "x", "--delta", "0.25"], ["--public", "x,y"]])
def test_no_refusal_to_verify_says_of_whom(fugu, more):
    """What could not be proved was told with the prior (a group), the output, both secrets and the loss, whose digits hold counts."""
    rows = [("SEKRIT" if k % 3 % 2 else "flu", 7031 * (k % 5), 5077 * (k % 4), "GROUP" if k // 60 else "north") for k in range(240)]
    fugu.write("in.csv", "s,x,y,g\n" + "".join(f"{s},{x},{y},{g}\n" for s, x, y, g in rows))
    fugu.ok("calibrate", "in.csv", "--secret", "s", *more, "--given", "g", "--epsilon", "0.5", "--method", "exact", "-o", "plan.json")
    plan = read(fugu.folder / "plan.json")
    for group in plan["scenario"]["priors"]:
        group["given"]["SEKRIT"]["mass"][0] *= 900
    plan["digest"] = digest(plan)
    fugu.write("plan.json", canonical(plan))
    for command in (["verify", "plan.json"], ["release", "in.csv", "--quiet", "--plan", "plan.json", "-o", "out.csv"]):
        err = fugu.fails(4, *command, says="the plan does not verify")
        assert "SEKRIT" not in err and "flu" not in err and "GROUP" not in err and "empirical" not in err
        assert numbers_in(err) <= {"0.5", "0.25"}, err


def test_no_refusal_tells_the_step_of_the_data(fugu):
    """A lattice that only one person's number makes so fine, or so coarse, is that person's number."""
    def told(values, *flags):
        fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{value}\n" for k, value in enumerate(values)))
        return fugu.fails(2 if flags else 3, "calibrate", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "1", *flags)

    zeros = ["0"] * 98
    for err in (told(zeros + ["41037"], "--method", "channel", "--outputs", "0,5"), told(zeros + ["41037"], "--clip", "0:1e20"),
                told(zeros + ["41037", "41037" + "0" * 15]), told(zeros + ["41037", "4.1037e-20"])):
        assert "lattice" in err or "common step" in err
        assert "41" not in err and "037" not in err, err


def test_nobodys_digits_move_the_middles_of_bins(fugu):
    """One number with a decimal among whole ones moved every released value, 0, 2, 4, … to 1, 3, 5, …, and the step and origin that are published."""
    ask = ["--secret", "s", "--public", "x", "--epsilon", "1", "--method", "exact", "--bin", "2", "-o", "out.csv", "--force"]
    told = []
    for own in ("4", "4.5", "4.0625"):
        fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 10}\n" for k in range(2000)) + f"a,{own}\n")
        fugu.ok("release", "in.csv", *ask)
        receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
        receipt.pop("output")
        told.append(receipt)
    assert told[0] == told[1] == told[2]


def test_no_refusal_of_a_file_names_the_secret(fugu):
    """The place of a mass was given by the secret's name."""
    def told(*command, mass):
        given = {"flu": {"values": [0, 1], "mass": [1, 1]}, "SEKRIT": {"values": [0, 1], "mass": mass}}
        fugu.write("s.json", json.dumps({"epsilon": 1, "priors": [{"name": "p", "given": given}]}))
        fugu.write("p.json", json.dumps({"name": "q", "given": given}))
        return fugu.fails(3, *command)

    assert told("calibrate", "--scenario", "s.json", mass=[1, -1]).startswith("fugu: s.json.priors[0].given[1].mass[1]: a mass is negative")
    fugu.write("in.csv", "s,x\n" + "".join(f"{['flu', 'SEKRIT'][k % 2]},{k // 2 % 2}\n" for k in range(40)))
    told_of_prior = told("calibrate", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--prior", "p.json", mass=[1])
    assert "SEKRIT" not in told_of_prior and ".given[" in told_of_prior


def test_no_refusal_counts_people(fugu):
    """How many rows are missing, how many values a column of numbers has, how many categories and how many of them are rare."""
    ask = ["--secret", "s", "--public", "x", "--epsilon", "1"]
    fugu.write("na.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{k % 3 if k % 9 else 'NA'}\n" for k in range(117)))
    fugu.write("people.csv", "s,x,patient_id\n" + "".join(f"{'ab'[k % 2]},{k % 3},{k // 2}\n" for k in range(400)))
    fugu.write("rare.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{'uv'[k // 2 % 2]}\n" for k in range(400)) + "a,w\nb,z\n")
    assert not numbers_in(fugu.fails(3, "calibrate", "na.csv", *ask, says="looks like a missing value"))
    assert not numbers_in(fugu.fails(2, "calibrate", "people.csv", *ask, says="looks like a person's number"))
    assert numbers_in(fugu.fails(2, "release", "rare.csv", *ask, "-o", "out.csv", says="share some of its categories")) == {"5"}
    fugu.fails(2, "release", "people.csv", "--rows-independent", *ask, "--method", "swap", "--publish-min", "200", "-o", "out.csv", says="share some of its values")
    assert not numbers_in(fugu.fails(3, "calibrate", "people.csv", "--person", "patient_id", "--rows-per-person", "2", *ask, says="different secrets").replace("line 2", ""))


def test_a_row_that_does_not_count_shows_no_secret_either(fugu):
    """A row of weight 0 is in no law: of a secret that the plan does not know nothing is promised."""
    fugu.write("w.csv", "s,x,w\n" + "".join(f"{'ab'[k % 2]},{'uv'[k // 2 % 2]},1\n" for k in range(200)) + "SEKRIT,u,0\n")
    ask = ["w.csv", "--secret", "s", "--public", "x", "--weight", "w", "--epsilon", "0.1", "--method", "exact"]
    fugu.ok("calibrate", *ask, "-o", "plan.json")
    for command in ([*ask], ["w.csv", "--plan", "plan.json"]):
        assert "SEKRIT" not in fugu.fails(3, "release", *command, "-o", "out.csv", says="the plan does not know this secret")


def test_a_first_row_is_not_published_as_the_header(fugu):
    """Columns named by number, and --no-header forgotten: the first person's true value would head the output."""
    rows = "".join(f"{'AB'[k % 2]},{'mf'[k % 3 % 2]},{['guard', 'cook'][k * k % 5 % 2]},n{k}\n" for k in range(400))
    fugu.write("bare.csv", rows)
    ask = ["--secret", "1", "--public", "3", "--epsilon", "0.5"]
    for command in (["release", "bare.csv", *ask, "-o", "out.csv"], ["calibrate", "bare.csv", *ask]):
        err = fugu.fails(3, *command, says=["looks like data", "--no-header"])
        assert "guard" not in err and "n0" not in err
    err = fugu.fails(2, "calibrate", "bare.csv", "--secret", "9", "--public", "3", "--epsilon", "0.5", says="1 to 4")
    assert "guard" not in err
    fugu.ok("release", "bare.csv", *ask, "--no-header", "-o", "out.csv")
    fugu.write("named.csv", "secret,sex,job,name\n" + rows)
    fugu.ok("release", "named.csv", *ask, "-o", "named-out.csv")


@pytest.mark.parametrize("columns", [
    ["--secret", "A", "--public", "n0"],  # the secret
    ["--secret", "n0", "--public", "guard"],  # what is released
    ["--secret", "n0", "--public", "n0b", "--given", "m", "--min-group", "1"],  # what is known
])
def test_a_first_row_is_not_published_by_its_own_names(fugu, columns):
    """The first person's values, taken for the names of the columns: "two values of White"."""
    fugu.write("bare.csv", "".join(f"{'AB'[k % 2]},{'mf'[k % 3 % 2]},{['guard', 'cook'][k * k % 5 % 2]},n{k},n{k}b\n" for k in range(60)))
    err = fugu.fails(3, "release", "bare.csv", *columns, "--epsilon", "0.5", "-o", "out.csv", says=["looks like data", "--no-header"])
    assert "guard" not in err and "'A'" not in err and "'m'" not in err


def test_a_first_row_that_is_rare_in_the_used_columns_shows_in_the_others(fugu):
    rows = "".join(f"{'AB'[k % 2]},{['guard', 'cook'][k * k % 5 % 2]},{'mf'[k % 3 % 2]}\n" for k in range(60))
    fugu.write("bare.csv", "Q,king,m\n" + rows)
    ask = ["--secret", "1", "--public", "2", "--epsilon", "0.5"]
    for command in (["release", "bare.csv", *ask, "-o", "out.csv"], ["calibrate", "bare.csv", *ask], ["compare", "bare.csv", *ask]):
        err = fugu.fails(3, *command, says=["looks like data", "in column 3", "--no-header"])
        assert "king" not in err
    assert "king" not in fugu.fails(2, "calibrate", "bare.csv", "--secret", "race", *ask[2:], says="if its first line is data")
    fugu.write("named.csv", "s,x,sex\n" + rows)
    fugu.ok("release", "named.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "out.csv")
    err = fugu.fails(2, "release", "bare.csv", "--plan", "out.csv.plan.json", "--new-data", "-o", "new.csv",
                     says="write a line with the plan's names above it")
    assert "king" not in err


def test_a_first_row_is_not_published_by_a_kept_column(fugu):
    rows = "".join(f"{'ab'[k % 2]},{k // 2 % 2},{40 + k % 7},{['Paris', 'Rome'][k % 3 % 2]}\n" for k in range(60))
    ask = ["--secret", "s", "--public", "x", "--epsilon", "0.5", "-o", "out.csv"]
    fugu.write("in.csv", "s,x,39,Rome\n" + rows)
    fugu.fails(3, "release", "in.csv", *ask, says=["column 4", "--no-header"])
    fugu.fails(3, "release", "in.csv", *ask, "--force", "--keep-unprotected", "Rome", says=["column 4", "--no-header"])
    fugu.fails(3, "release", "in.csv", *ask, "--force", "--keep-unprotected", "39,Rome", says=["column 4", "--no-header"])
    fugu.write("in.csv", "s,x,39,town\n" + rows)
    fugu.ok("release", "in.csv", *ask, "--force", "--keep-unprotected", "39")  # s and x are names, and nobody has 39
    fugu.write("in.csv", "s,x,40,town\n" + rows)
    fugu.fails(3, "release", "in.csv", *ask, "--force", "--keep-unprotected", "40", says=["column 3", "--no-header"])
    fugu.write("in.csv", "s,x,age,town\n" + rows)
    fugu.ok("release", "in.csv", *ask, "--force", "--keep-unprotected", "age,town")


def test_years_are_names(fugu):
    rows = [("ab"[k % 2], 1900 + k // 2 % 4 * 100, k // 8 % 5) for k in range(80)]
    ask = ["--secret", "s", "--public", "2020", "--epsilon", "0.5", "-o", "out.csv", "--force"]
    fugu.write("in.csv", "s,2020,2021\n" + "".join(f"{s},{x},{y}\n" for s, x, y in rows))
    fugu.ok("release", "in.csv", *ask, "--keep-unprotected", "2021")
    assert (fugu.folder / "out.csv").read_text().startswith("2020,2021\n")
    assert "looks like data" not in fugu.ok("inspect", "in.csv")
    fugu.write("next.csv", "2020\n1900\n2000\n")  # which the plan calls so
    fugu.ok("release", "next.csv", "--plan", "out.csv.plan.json", "--new-data", "-o", "next-out.csv")
    fugu.write("in.csv", "s,2020,2021\n" + "".join(f"{s},{x + 20},{y}\n" for s, x, y in rows))
    fugu.fails(3, "release", "in.csv", *ask, says="in column 2 it has what the lines below it have")
    # Two numbers above numbers: nothing shows that they are names.
    fugu.write("in.csv", "2019,2020\n" + "".join(f"{y % 2},{x}\n" for s, x, y in rows))
    fugu.fails(3, "release", "in.csv", "--secret", "2019", "--public", "2020", *ask[4:],
               says=["column 1 it has a number or a date, as all lines below it have"])


def test_the_first_person_of_adult_is_no_header(fugu):
    if not ADULT.exists():
        pytest.skip("the table of the paper is not here")
    for secret, public in (("White", "Bachelors"), ("White", "13"), ("9", "Bachelors")):
        fugu.fails(3, "release", ADULT, "--secret", secret, "--public", public, "--epsilon", "0.5", "-o", "out.csv",
                   says=["looks like data", "--no-header"])
    for secret in ([], ["--secret", "White"], ["--secret", "9"]):
        said = fugu.ok("inspect", ADULT, *secret)
        assert "The first line looks like data" in said and "--no-header" in said
        columns = json.loads(fugu.ok("inspect", ADULT, *secret, "--format", "json"))["columns"]
        assert all(column["name_is_data"] for column in columns), "numbers above numbers are, beside words that are"
    for secret, public in (("77516", "39"), ("Male", "77516"), ("77516", "2174")):
        fugu.fails(3, "calibrate", ADULT, "--secret", secret, "--public", public, "--epsilon", "0.5", says=["looks like data"])
    assert "looks like data" not in fugu.ok("inspect", ADULT, "--no-header")
