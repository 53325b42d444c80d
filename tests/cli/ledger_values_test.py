"""Which releases a ledger takes to be of the same values, and which budgets a release spends.

The joint bound needs the same value in each release (docs/guarantees.md, "Values that change between releases").
"""

import gzip
import json
import random
import sqlite3

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.1"]
LEDGER = ["--ledger", "budget.db", "--dataset", "people"]
UNCHANGED = "--values-unchanged"


def csv(rows, head="s,x"):
    return head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def release(table, output, *more, flags=FLAGS):
    return ["release", table, *flags, "-o", output, *LEDGER, *more]


def shown(fugu):
    return json.loads(fugu.ok("ledger", "show", "--ledger", "budget.db", "--format", "json"))["accounts"]


@pytest.fixture
def months(fugu):
    """January's x is a coin, February's the same coin flipped for everybody of one secret: same people, column and counts."""
    people = [(s, coin) for s in (0, 1) for coin in (0, 1) for _ in range(100)]
    random.Random(5).shuffle(people)
    fugu.write("jan.csv", csv(("ab"[s], coin) for s, coin in people))
    fugu.write("feb.csv", csv(("ab"[s], s ^ coin) for s, coin in people))
    return people


def test_the_xor_of_two_months_is_refused(fugu, months):
    assert "0 of 0.1 spent" in fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.1"))
    fugu.fails(6, *release("feb.csv", "2.csv"), says=["other values", UNCHANGED, "dp-laplace"])
    account, = shown(fugu)
    assert len(account["releases"]) == 1 and account["assumptions"] == []
    # What it would have told: the secrets of all.
    january = [int(line) for line in (fugu.folder / "1.csv").read_text().split()[1:]]
    february = [int(line.split(",")[1]) for line in (fugu.folder / "feb.csv").read_text().split()[1:]]
    assert [a ^ b for a, b in zip(january, february)] == [s for s, _ in months]


def test_the_same_rows_are_the_same_values(fugu, months):
    """By name, compressed, by the plan, in other chunks: the rows are what counts."""
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.1"))
    fugu.write("copy.csv.gz", gzip.compress((fugu.folder / "jan.csv").read_bytes()))
    said = fugu.ok(*release("copy.csv.gz", "2.csv"))
    assert "0 of 0.1 spent" in said and "Releases 1 and 2 are of the same rows in the same order" in said
    fugu.ok("release", "jan.csv", "--plan", "1.csv.plan.json", "-o", "3.csv", *LEDGER)
    text = fugu.ok("ledger", "show", "--ledger", "budget.db")
    assert "assumed: Releases 1, 2 and 3 are of the same rows" in text and "nothing is revealed" in text
    assert "assumptions" not in json.loads((fugu.folder / "3.csv.receipt.json").read_text())


@pytest.mark.parametrize("change", ["order", "name", "value"])
def test_other_rows_need_a_word(fugu, months, change):
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.1"))
    head, *rows = (fugu.folder / "jan.csv").read_text().splitlines()
    if change == "order":
        rows.reverse()
    elif change == "name":  # the same bytes, and x is another column of them
        fugu.write("wide.csv", csv((row.split(",") + [1 - int(row[-1])] for row in rows), "s,x,y"))
        fugu.ok("release", "wide.csv", *FLAGS, "-o", "w1.csv", "--ledger", "budget.db", "--dataset", "wide", "--budget", "0.1")
        fugu.write("swapped.csv", (fugu.folder / "wide.csv").read_text().replace("s,x,y", "s,y,x"))
        fugu.fails(6, "release", "swapped.csv", *FLAGS, "-o", "w2.csv", "--ledger", "budget.db", "--dataset", "wide")
        return
    else:
        rows[0] = rows[0][:-1] + str(1 - int(rows[0][-1]))
    fugu.write("other.csv", "\n".join([head, *rows]) + "\n")
    fugu.fails(6, *release("other.csv", "2.csv"), says=UNCHANGED)


def test_a_word_is_an_assumption(fugu, months):
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.1"))
    head, *rows = (fugu.folder / "jan.csv").read_text().splitlines()
    fugu.write("sorted.csv", "\n".join([head, *sorted(rows)]) + "\n")
    said = fugu.ok(*release("sorted.csv", "2.csv", UNCHANGED))
    assert "0 of 0.1 spent" in said and "Nobody's value has changed between releases 1 and 2" in said.replace("\n             ", " ")
    receipt = json.loads((fugu.folder / "2.csv.receipt.json").read_text())
    assert ["Nobody's value has changed" in sentence for sentence in receipt["assumptions"]] == [True]
    account, = shown(fugu)
    assert [row["values_unchanged"] for row in account["releases"]] == [False, True]
    assert len(account["assumptions"]) == 1 and UNCHANGED in account["assumptions"][0]
    assert "assumed: Nobody's value has changed between releases 1 and 2" in fugu.ok("ledger", "show", "--ledger", "budget.db")
    found = json.loads(fugu.ok(*release("sorted.csv", "3.csv", "--format", "json")))
    assert found["ledger"]["assumptions"] == [account["assumptions"][0].replace("1 and 2", "1, 2 and 3")]


def test_a_word_that_the_counts_contradict_is_refused(fugu, months):
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "5"))
    rows = [line.split(",") for line in (fugu.folder / "jan.csv").read_text().splitlines()[1:]]
    moved = [(s, 1 - int(x)) if k % 5 == 0 and x == "0" else (s, x) for k, (s, x) in enumerate(rows)]
    fugu.write("moved.csv", csv(moved))
    fugu.fails(2, *release("moved.csv", "2.csv", UNCHANGED), says=[UNCHANGED, "since release 1", "grown"])
    fugu.write("more.csv", csv([*rows, ("a", 1)]))
    said = fugu.ok(*release("more.csv", "2.csv", UNCHANGED))
    assert "the frequencies are not those of release 1" in said
    fugu.write("gone.csv", csv(rows[1:]))
    fugu.ok(*release("gone.csv", "3.csv", UNCHANGED))


@pytest.fixture
def coins(fugu):
    """x is s for some g and its opposite for others: alone it says nothing, and to who knows g everything. y says nothing."""
    people = [("ab"[s], "gh"[g], s ^ g, y) for s in (0, 1) for g in (0, 1) for y in range(3) for _ in range(40)]
    return fugu.write("coins.csv", csv(people, "s,group,x,y"))


def of_column(column, *more):
    return ["--secret", "s", "--public", column, "--epsilon", "0.4", "--rows-independent", *more]


def test_an_account_covers_everybody_whom_a_release_covers(fugu, coins):
    """The second release covers who knows the group; to them the first one told all, and no bound by its laws is one for them."""
    plain, known = of_column("x", "--method", "exact"), of_column("y", "--method", "dp-laplace", "--given", "group")
    fugu.ok(*release(coins, "1.csv", "--budget", "5", flags=plain))
    fugu.fails(6, *release(coins, "2.csv", flags=known), says=["know different columns (--given)", "the same --given"])
    # The other way round: y costs what it tells whatever its values are, and x by the laws of those who know the group.
    known, plain = of_column("y", "--method", "exact", "--given", "group"), of_column("x", "--method", "dp-laplace")
    other = ["--ledger", "other.db", "--dataset", "people"]
    fugu.ok("release", coins, *known, "-o", "3.csv", *other, "--budget", "5")
    assert "0.4 of 5 spent" in fugu.ok("release", coins, *plain, "-o", "4.csv", *other)
    # What hides the values themselves hides them from everybody.
    third = ["--ledger", "third.db", "--dataset", "people"]
    fugu.ok("release", coins, *of_column("y", "--method", "dp-laplace"), "-o", "5.csv", *third, "--budget", "5")
    hidden = of_column("x", "--method", "dp-laplace", "--given", "group")
    assert "0.8 of 5 spent" in fugu.ok("release", coins, *hidden, "-o", "6.csv", *third)


def test_an_account_covers_those_of_small_groups(fugu, coins):
    """A plan that leaves a small group out covers nobody who knows that somebody is in it; another one of the account does."""
    coins.write_text(coins.read_text() + "".join(f"{s},tiny,{k % 2},{k % 3}\n" for s in "ab" for k in range(6)))
    everybody = of_column("x", "--method", "dp-laplace", "--given", "group", "--min-group", "1")
    by_law = of_column("y", "--method", "exact", "--given", "group", "--min-group")
    fugu.ok(*release(coins, "x.csv", "--budget", "5", flags=everybody))
    fugu.fails(6, *release(coins, "some.csv", flags=[*by_law, "20"]), says=["not bounded", "--min-group"])
    assert "0.4 of 5 spent" in fugu.ok(*release(coins, "all.csv", flags=[*by_law, "1"]))


def test_of_several_confidences_one_counts(fugu, coins):
    """Bounds by the counts of each column fail apart: the least of them would fail more often than is said. The first one counts."""
    sure = ["--secret", "s", "--epsilon", "0.1", "--rows-independent", "--confidence", "0.9", "--step", "1"]
    by_range, by_law = [*sure, "--public", "y", "--clip", "0:2", "--method", "dp-laplace"], [*sure, "--public", "x", "--clip", "0:1", "--method", "exact"]
    spent = {}
    for name, flags in (("one", [by_range, by_law]), ("other", [by_law, by_range])):
        for k, asked in enumerate(flags):
            fugu.ok("release", coins, *asked, "-o", f"{name}{k}.csv", "--ledger", f"{name}.db", "--dataset", "d", *([] if k else ["--budget", "50"]))
        account, = json.loads(fugu.ok("ledger", "show", "--ledger", f"{name}.db", "--format", "json"))["accounts"]
        spent[name] = float(account["spent"]["epsilon"])
    assert spent["other"] == 0.2 < spent["one"]


@pytest.mark.parametrize("method,column", [("dp-laplace", "number"), ("sensitivity", "number"), ("randomized-response", "text")])
def test_what_adds_up_whatever_the_values_are(fugu, months, method, column):
    """Their epsilons add, and one release of other values may go by its laws."""
    flags = [*FLAGS, "--method", method]
    if column == "text":
        for name in ("jan.csv", "feb.csv"):
            text = (fugu.folder / name).read_text().replace(",0\n", ",no\n").replace(",1\n", ",yes\n")
            fugu.write(name, text)
    assert "0 of 0.2 spent" in fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.2"))
    assert "0.1 of 0.2 spent" in fugu.ok(*release("feb.csv", "2.csv", flags=flags))
    said = fugu.ok(*release("feb.csv", "3.csv", flags=flags))
    assert "0.2 of 0.2 spent" in said and "bound: changing" in said
    assert "Values may have changed between releases 1 and 2" in said.replace("\n             ", " ")
    fugu.fails(6, *release("feb.csv", "4.csv", flags=flags), says=["would be spent", UNCHANGED])
    fugu.fails(6, *release("feb.csv", "4.csv"))
    assert "Values may have changed" in fugu.ok("ledger", "show", "--ledger", "budget.db")


def test_two_months_that_both_add(fugu, months):
    flags = [*FLAGS, "--method", "dp-laplace"]
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.2", flags=flags))
    said = fugu.ok(*release("feb.csv", "2.csv", flags=flags))
    assert "of 0.2 spent of dataset people by 2 releases" in said and "bound: changing" in said
    said = fugu.ok(*release("feb.csv", "3.csv"))  # as it is: January's noise is left between them
    assert "0.1 of 0.2 spent" in said
    fugu.fails(6, *release("jan.csv", "4.csv"), says=UNCHANGED)


def test_a_method_that_does_not_cover_the_range_costs_what_it_tells(fugu):
    """Sensitivity over one pair protects the distance between its secrets, not that between all values."""
    table = [("a", 0), ("b", 1), ("c", 9)] * 40
    fugu.write("one.csv", csv(table))
    fugu.write("two.csv", csv(reversed(table)))
    flags = [*FLAGS, "--method", "sensitivity", "--pairs", "a:b"]
    fugu.ok(*release("one.csv", "1.csv", "--budget", "0.5", flags=flags))
    err = fugu.fails(6, *release("two.csv", "2.csv", flags=flags), says="would be spent")
    assert ", and with this release 1 would be" in err  # 0.1 by its law, and nine steps at 0.1
    fugu.ok(*release("two.csv", "2.csv", UNCHANGED, flags=flags))


def test_rows_that_vanish_do_not_add(fugu, months):
    for name in ("jan.csv", "feb.csv"):
        fugu.write(name, (fugu.folder / name).read_text() + "a,\n")
    flags = [*FLAGS, "--method", "dp-laplace", "--missing", "drop"]
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "5", flags=flags))
    fugu.fails(6, *release("feb.csv", "2.csv", flags=flags), says="--missing drop")


def test_a_stream_is_not_known(fugu, months):
    """It is counted before a row of it is read."""
    fugu.ok("calibrate", "jan.csv", *FLAGS, "-o", "plan.json")
    stream = ["release", "-", "--plan", "plan.json", "--new-data", "-o", "-", *LEDGER]
    rows = (fugu.folder / "jan.csv").read_bytes()
    fugu.ok(*stream, "--budget", "0.1", stdin=rows)
    fugu.fails(6, *stream, stdin=rows, says=UNCHANGED)
    fugu.fails(6, *release("jan.csv", "1.csv"))
    fugu.ok(*stream, UNCHANGED, stdin=rows)


def test_rows_of_a_database(fugu, months):
    """The secret is among what is compared, though a release at once would not read it again."""
    with sqlite3.connect(fugu.folder / "people.db") as database:
        database.execute("CREATE TABLE t (s, x)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [("ab"[s], coin) for s, coin in sorted(months)])
    ask = release("sqlite:people.db", "1.csv", "--table", "t")
    fugu.ok(*ask, "--budget", "0.1")
    ask[ask.index("1.csv")] = "2.csv"
    assert "of the same rows" in fugu.ok(*ask)
    by_plan = ["release", "sqlite:people.db", "--table", "t", "--plan", "1.csv.plan.json", *LEDGER, "-o"]
    assert "of the same rows" in fugu.ok(*by_plan, "3.csv")
    with sqlite3.connect(fugu.folder / "people.db") as database:  # x stays as it is, row by row
        database.execute("UPDATE t SET s = CASE s WHEN 'a' THEN 'b' ELSE 'a' END")
    fugu.fails(6, *by_plan, "4.csv", says=UNCHANGED)


def test_rows_of_a_database_without_the_secret_are_never_the_same(fugu, months):
    """Other people may have the same x in each row: here the coin of one table is the secret of the other."""
    with sqlite3.connect(fugu.folder / "people.db") as database:
        for table in ("jan", "others"):
            database.execute(f"CREATE TABLE {table} (x)")
            database.executemany(f"INSERT INTO {table} VALUES (?)", [(coin,) for _, coin in months])
    fugu.ok("calibrate", "jan.csv", *FLAGS, "-o", "plan.json")
    ask = ["release", "sqlite:people.db", "--plan", "plan.json", "--new-data", *LEDGER]
    fugu.ok(*ask, "--table", "jan", "-o", "1.csv", "--budget", "0.1")
    for table in ("others", "jan"):
        fugu.fails(6, *ask, "--table", table, "-o", "2.csv", says=["other values", UNCHANGED])
    assert shown(fugu)[0]["releases"][0]["rows"] in ("", None)
    assert UNCHANGED in " ".join(fugu.ok(*ask, "--table", "jan", "-o", "2.csv", UNCHANGED).split())


def test_the_word_without_a_ledger(fugu, months):
    fugu.fails(2, "release", "jan.csv", *FLAGS, "-o", "1.csv", UNCHANGED, says=[UNCHANGED, "--ledger"])


def test_compose_says_what_it_takes_for_granted(fugu, months):
    for name in ("jan", "feb"):
        fugu.ok("calibrate", f"{name}.csv", *FLAGS, "-o", f"{name}.json")
    assert "nobody's value has changed" in fugu.ok("compose", "jan.json", "feb.json")


@pytest.fixture
def races(fugu):
    """c1 and c2 are constant: beside the secret they change nothing but its name."""
    rng = random.Random(3)
    weights = {"a": [5, 4, 3, 2, 1], "b": [1, 2, 3, 4, 5], "c": [2, 3, 5, 3, 2]}
    rows = [(race, "k", "k", rng.choices(range(5), weights[race])[0]) for race in "abc" * 600]
    return fugu.write("races.csv", csv(rows, "race,c1,c2,x"))


def by_secret(table, secret, output, epsilon="0.5", *more):
    return ["release", table, "--secret", secret, "--public", "x", "--epsilon", epsilon, "-o", output, *LEDGER, *more]


def test_a_constant_column_buys_no_budget(fugu, races):
    fugu.ok(*by_secret(races, "race", "1.csv", "0.5", "--budget", "0.5"))
    for secret in ("race,c1", "race,c2", "c2,race,c1"):
        for budget in ("0.5", "5"):
            fugu.fails(6, *by_secret(races, secret, "2.csv", "0.5", "--budget", budget),
                       says=["for the secret race", "which this release also tells about", "would be spent"])
    assert len(shown(fugu)) == 1


def test_secrets_that_share_a_column_are_counted_together(fugu, races):
    secrets = ("race", "race,c1", "race,c2")
    for k, secret in enumerate(secrets):
        said = fugu.ok(*by_secret(races, secret, f"{k}.csv", "0.1", "--budget", "0.3"))
        assert f"by {k + 1} release" in said and "another secret" not in said
    found = {tuple(account["secret"]): account for account in shown(fugu)}
    assert set(found) == {("race",), ("c1", "race"), ("c2", "race")}
    assert all(account["counted"] == 3 and 0.29 < account["spent"]["epsilon"] <= 0.3 for account in found.values())
    assert all(len(account["releases"]) == 1 for account in found.values())
    assert "with 2 releases that other accounts list" in fugu.ok("ledger", "show", "--ledger", "budget.db")
    fugu.fails(6, *by_secret(races, "race", "4.csv", "0.1"))


def test_another_column_beside_a_shared_secret_is_refused(fugu, races):
    wide = fugu.write("wide.csv", csv((line.split(",") + [k % 2] for k, line in
                                       enumerate(races.read_text().splitlines()[1:])), "race,c1,c2,x,y"))
    fugu.ok(*by_secret(wide, "race", "1.csv", "0.1", "--budget", "5"))
    ask = by_secret(wide, "race,c1", "2.csv", "0.1", "--budget", "5")
    ask[ask.index("x")] = "y"
    fugu.fails(6, *ask, says=["everything together", "one plan"])


def test_an_older_ledger(fugu, months):
    """What it does not know of its releases counts as the worse, until the user gives a word."""
    for k in (1, 2):
        fugu.ok(*release("jan.csv", f"{k}.csv", "--budget", "0.1"))
    with sqlite3.connect(fugu.folder / "budget.db") as ledger:
        for column in ("rows", "counted", "drops", "unchanged", "reserved"):
            ledger.execute(f"ALTER TABLE releases DROP COLUMN {column}")
        ledger.execute("DROP TABLE salt")
        ledger.execute("PRAGMA user_version = 1")
    text = fugu.ok("ledger", "show", "--ledger", "budget.db")
    assert "no bound is known for its 2 releases together, so nothing is left of 0.1" in text and "spent" not in text.split("\n")[0]
    assert shown(fugu)[0]["spent"] is None and shown(fugu)[0]["counted"] == 2
    fugu.fails(6, *release("jan.csv", "3.csv"), says=UNCHANGED)
    assert "0 of 0.1 spent" in fugu.ok(*release("jan.csv", "3.csv", UNCHANGED))


def test_the_salt_is_the_ledgers_own(fugu, months):
    """The same rows in two ledgers have nothing in common."""
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "0.1"))
    first = shown(fugu)[0]["releases"][0]["rows"]
    (fugu.folder / "budget.db").unlink()
    fugu.ok(*release("jan.csv", "2.csv", "--budget", "0.1"))
    assert first.startswith("sha256:") and shown(fugu)[0]["releases"][0]["rows"] != first


def test_a_column_released_again_under_another_secret_is_counted(fugu):
    """x is a coin in one month, and the coin xor s in the next, released beside a harmless secret w."""
    people = [(s, w, coin) for s in (0, 1) for w in (0, 1) for coin in (0, 1) for _ in range(20)]
    fugu.write("jan.csv", "s,w,x\n" + "".join(f"{'ab'[s]},{'uv'[w]},{coin}\n" for s, w, coin in people))
    fugu.write("feb.csv", "s,w,x\n" + "".join(f"{'ab'[s]},{'uv'[w]},{s ^ coin}\n" for s, w, coin in people))
    ledger = ["--public", "x", "--epsilon", "0.2", "--ledger", "l.db", "--dataset", "d", "--budget", "0.2"]
    fugu.ok("release", "jan.csv", "--secret", "s", *ledger, "-o", "1.csv")
    fugu.fails(6, "release", "feb.csv", "--secret", "w", *ledger, "-o", "2.csv", says="--values-unchanged")
    fugu.ok("release", "jan.csv", "--secret", "w", *ledger, "-o", "3.csv")


def test_people_who_came_before_another_secret_are_not_covered_by_the_first_laws(fugu):
    """No value has changed, but the x of those who came is their s: the laws of s in January do not speak of them."""
    people = [(s, w, coin) for s in (0, 1) for w in (0, 1) for coin in (0, 1) for _ in range(20)]
    came = [(s, w, s) for s in (0, 1) for w in (0, 1) for _ in range(20)]
    for name, rows in (("jan.csv", people), ("feb.csv", people + came)):
        fugu.write(name, "s,w,x\n" + "".join(f"{'ab'[s]},{'uv'[w]},{x}\n" for s, w, x in rows))
    ledger = ["--public", "x", "--epsilon", "0.2", "--ledger", "l.db", "--dataset", "d", "--budget", "0.2"]
    fugu.ok("release", "jan.csv", "--secret", "s", *ledger, "-o", "1.csv")
    fugu.fails(6, "release", "feb.csv", "--secret", "w", *ledger, UNCHANGED, "-o", "2.csv", says="no finite bound of the joint loss")
    fugu.ok("release", "jan.csv", "--secret", "w", *ledger, "-o", "2.csv")  # whose laws of s are known


def test_what_other_columns_tell_of_other_secrets_is_said_not_to_be_counted(fugu):
    """x is a coin, y the secret xor it: each tells nothing of its own secret, both tell everything."""
    rows = [(i % 2, (i // 4) % 2, (i // 2) % 2) for i in range(4000)]
    fugu.write("two.csv", csv(((f"s{s}", f"t{t}", x, s ^ x) for s, t, x in rows), "s,t,x,y"))
    for secret, public in (("s", "x"), ("t", "y")):
        flags = ["--secret", secret, "--public", public, "--epsilon", "0.1"]
        fugu.ok(*release("two.csv", f"{public}.csv", "--budget", "0.1", flags=flags))
    for account in shown(fugu):
        assert any("Not counted: release" in said and "not bounded" in said for said in account["assumptions"])


@pytest.mark.parametrize(("first", "second", "says"), [
    ([], ["--pairs", "a:b"], "different pairs of secrets"),
    (["--pairs", "a:b"], [], "different pairs of secrets"),
    (["--closeness", "0.02"], [], "with different closeness"),
    (["--confidence", "0.9", "--clip", "0:2", "--step", "1"], [], "different confidence"),
])
def test_one_account_speaks_of_one_promise(fugu, first, second, says):
    """Across columns and tables, too: x = 2 tells c, which the pair a:b leaves out."""
    draw = random.Random(2)
    rows = [("abc"[k % 3], draw.choice([0, 1]) if k % 3 < 2 else 2, draw.choice([0, 1, 2])) for k in range(600)]
    fugu.write("t.csv", csv(rows, "s,x,y"))
    fugu.write("more.csv", csv([*rows, ("a", 1, 1)], "s,x,y"))
    flags = ["--secret", "s", "--epsilon", "0.3", "--method"]
    fugu.ok("release", "t.csv", *flags, "dp-laplace", "--public", "y", *first, "-o", "1.csv", *LEDGER, "--budget", "9")
    for table, column in (("t.csv", "x"), ("more.csv", "y")):
        fugu.fails(6, "release", table, *flags, "dp-laplace", "--public", column, *second, "-o", "2.csv", *LEDGER, says=says)


def test_the_account_says_which_pairs_it_speaks_of(fugu):
    fugu.write("t.csv", csv([("abc"[k % 3], k % 2) for k in range(300)]))
    fugu.ok(*release("t.csv", "1.csv", "--pairs", "a:b", "--budget", "1"))
    [account] = shown(fugu)
    assert any("Only the one pair of secrets that the plans list is protected." in sentence for sentence in account["assumptions"])


def test_names_with_line_breaks_are_no_other_names(fugu):
    """The digest of the rows knows where a name ends: B and S xor B under names that run together are two columns."""
    coins = [(s, coin, s ^ coin) for s in (0, 1) for coin in (0, 1) for _ in range(50)]
    random.Random(1).shuffle(coins)
    for name, head in (("one.csv", 's,x,"z\nx"'), ("two.csv", 's,"x\nz",x')):
        fugu.write(name, csv((("ab"[s], b, x) for s, b, x in coins), head))
    fugu.ok(*release("one.csv", "1.csv", "--budget", "1"))
    fugu.fails(6, *release("two.csv", "2.csv"), says="may be other values")


def test_what_was_made_in_another_container_is_not_void_from_here(fugu, months):
    fugu.ok(*release("jan.csv", "1.csv", "--budget", "1"))
    (fugu.folder / "1.csv").unlink()
    ledger = sqlite3.connect(fugu.folder / "budget.db")
    [(process,)] = ledger.execute("SELECT process FROM releases").fetchall()
    machine, boot, space = process.split("@")[1].split(" ")
    void = ["ledger", "void", "1", "--ledger", "budget.db", "--reason", "killed"]
    for place in (f"{machine} {boot} pid:[1]", f"another {boot} {space}", f"another other {space}"):
        ledger.execute("UPDATE releases SET state = 'spent', process = ?", [f"999999:1@{place}"])
        ledger.commit()
        fugu.fails(2, *void, says="another container")
    ledger.execute("UPDATE releases SET process = ?", [f"999999:1@{machine} {boot} {space}"])
    ledger.commit()
    ledger.close()
    fugu.ok(*void)


def test_noise_on_the_nearest_value_is_not_counted(fugu):
    """Of 4 and 6 the nearest among 0 and 10 are 10 apart: the sum would count that noise for a distance of 2."""
    fugu.write("ours.csv", csv([("a", 4), ("b", 6)] * 500))
    fugu.write("theirs.csv", csv([(s, 0 if (k < 8) == (s == "a") else 10) for s in "ab" for k in range(10)] * 100))
    for name in ("ours", "theirs"):
        fugu.ok("calibrate", f"{name}.csv", "--secret", "s", "--public", "x", "--step", "2", "--epsilon", "1", "-o", f"{name}.json")
    fugu.ok("release", "ours.csv", "--plan", "ours.json", "-o", "1.csv", *LEDGER, "--budget", "2")
    again = ["release", "ours.csv", "--plan", "theirs.json", "--new-data"]
    fugu.fails(3, *again, "-o", "2.csv", *LEDGER, says="the plan does not know this value")
    fugu.fails(2, *again, "--nearest", "-o", "2.csv", *LEDGER, says=["--nearest", "ledger"])
    fugu.fails(2, *again, "--nearest", "-o", "2.csv", *LEDGER, UNCHANGED, says=["--nearest", "ledger"])
    account, = shown(fugu)
    assert len(account["releases"]) == 1
    fugu.ok(*again, "--nearest", "-o", "2.csv")
