"""What the order of rows, their length and how they were written tell.

The defences: --shuffle (fugu/release/shuffle.cc), whose removal makes test_shuffled_rows_say_nothing_by_their_place fail; a draw
for each row by itself (fugu/sample/swap_sampler.h), whose replacement by one that deals the flows out makes
test_what_a_row_becomes_does_not_depend_on_other_rows fail; the nearest row by the row's values alone (fugu/rows/plan_values.cc);
texts that depend on the index alone, whose removal makes test_outputs_of_equal_values_are_equal_bytes fail.
"""

import collections
import itertools
import json
import math
import random
import re

import pytest

FLAGS = ["--secret", "s", "--public", "x", "--epsilon", "0.5"]
ROWS = 2000


@pytest.fixture
def by_secret(fugu):
    """A table sorted by its secret, as exports often are; id is the place."""
    fugu.write("in.csv", "s,id,x\n" + "".join(f"{'ab'[2 * k // ROWS]},{k},{k * k % 5 + 2 * k // ROWS}\n" for k in range(ROWS)))


def places(fugu, *flags):
    fugu.ok("release", "in.csv", *FLAGS, "--keep-unprotected", "id", "-o", "out.csv", "--force", *flags)
    return [int(line.split(",")[0]) for line in (fugu.folder / "out.csv").read_text().splitlines()[1:]]


def test_rows_keep_their_order_unless_they_are_shuffled(fugu, by_secret):
    """A known limit: the order goes along. Sorted by the secret, a row's place gives it away."""
    assert places(fugu) == list(range(ROWS))


def test_shuffled_rows_say_nothing_by_their_place(fugu, by_secret):
    """Guessing "a" for the first half is right for 1000 of 2000 but for 150 or more: below 1e-10."""
    found = places(fugu, "--shuffle")
    assert sorted(found) == list(range(ROWS))
    right = sum((k < ROWS // 2) == (place < ROWS // 2) for k, place in enumerate(found))
    assert abs(right - ROWS // 2) < 150
    assert found != places(fugu, "--shuffle")


def test_rows_that_trade_places_are_shuffled_unless_their_order_is_kept(fugu, by_secret):
    """In a table sorted by what is released, neighbours would tell the true value."""
    found = places(fugu, "--method", "swap")
    assert sorted(found) == list(range(ROWS)) != found
    assert json.loads((fugu.folder / "out.csv.receipt.json").read_text())["shuffled"]
    assert places(fugu, "--method", "swap", "--keep-order") == list(range(ROWS))
    assert not json.loads((fugu.folder / "out.csv.receipt.json").read_text())["shuffled"]
    fugu.fails(2, "release", "in.csv", *FLAGS, "--shuffle", "--keep-order", "-o", "other.csv", says=["--keep-order", "--shuffle"])


def test_every_release_says_in_which_order_its_rows_are(fugu, by_secret):
    random, kept = "the rows are in random order\n", "the rows are in the table's order, which may tell something: --shuffle mixes them\n"
    for more, order in (([], kept), (["--shuffle"], random), (["--method", "swap"], random), (["--method", "swap", "--keep-order"], kept)):
        said = fugu.ok("release", "in.csv", *FLAGS, *more, "-o", "out.csv", "--force")
        assert said.count("  order      ") == 1 and "  order      " + order in said


def differs_by_secret(rows):
    """By the least evidence of a G test with four degrees of freedom that a right release passes but once in 1e9 runs: whether what a
    value becomes goes with the secret."""
    counts = collections.Counter(rows)
    given, out = collections.Counter(), collections.Counter()
    for (secret, before, after), count in counts.items():
        given[secret, before] += count
        out[before, after] += count
    total = collections.Counter()
    for (_, before), count in given.items():
        total[before] += count
    g = sum(2 * n * math.log(n * total[x] / given[s, x] / out[x, y]) for (s, x, y), n in counts.items())
    return g > 50  # chi-squared with 4 degrees of freedom: below 4e-10


def test_what_a_row_becomes_does_not_depend_on_its_secret(fugu):
    """Whom a row trades places with is drawn from its own values. The control releases b's rows by another law."""
    rows = [(s, x) for s, shares in (("a", (5, 3, 2)), ("b", (1, 3, 6))) for x, share in zip("uvw", shares) for _ in range(2000 * share)]
    random.Random(5).shuffle(rows)
    fugu.write("in.csv", "s,id,x\n" + "".join(f"{s},{k},{x}\n" for k, (s, x) in enumerate(rows)))
    fugu.ok("release", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "--method", "swap", "--keep-unprotected", "id", "-o", "out.csv")
    after = dict(line.split(",") for line in (fugu.folder / "out.csv").read_text().splitlines()[1:])
    seen = [(s, x, after[str(k)]) for k, (s, x) in enumerate(rows)]
    assert sum(x != y for _, x, y in seen) > 1000
    assert not differs_by_secret(seen)
    assert differs_by_secret([(s, x, x if s == "b" and k % 5 == 0 else y) for k, (s, x, y) in enumerate(seen)])


def test_what_a_row_becomes_does_not_depend_on_other_rows(fugu):
    """Were the flows dealt out, so that every count stayed exactly what it was, the last row would follow from the others. About 80 of
    400 rows become each value, by 8 more or less: eight releases of one count come once in 1e9 runs."""
    rows = [(s, x) for s, shares in (("a", (3, 1)), ("b", (1, 3))) for x, share in zip("uv", shares) for _ in range(50 * share)]
    fugu.write("in.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    fugu.ok("calibrate", "in.csv", "--secret", "s", "--public", "x", "--epsilon", "0.5", "--method", "swap", "-o", "plan.json")
    released = [fugu.ok("release", "in.csv", "--plan", "plan.json", "--new-data", "-o", "-").split()[1:] for _ in range(8)]
    assert len({out.count("u") for out in released}) > 1


def test_the_nearest_row_does_not_depend_on_the_secret_or_on_other_rows(fugu):
    """Rows that the plan does not have, some of them as near to one row as to another, in tables whose other rows, order and secrets differ.
    No noise is needed here, so that what is released is the row that was taken."""
    there = [(0, 0), (10, 0), (0, 10), (20, 20)]
    fugu.write("in.csv", "s,x,y\n" + "".join(f"{s},{x},{y}\n" for s in "ab" for x, y in there for _ in range(30)))
    fugu.ok("calibrate", "in.csv", "--secret", "s", "--public", "x,y", "--epsilon", "0.5", "--method", "swap", "-o", "plan.json")
    asked = list(itertools.product((0, 10, 20), repeat=2))
    taken = []
    for k, secrets in enumerate(("a", "b", "ab")):
        rows = [(secrets[row % len(secrets)], row, x, y) for row, (x, y) in enumerate(asked)] + [("b", 100 + row, 20, 0) for row in range(40 * k)]
        random.Random(k).shuffle(rows)
        fugu.write("next.csv", "s,id,x,y\n" + "".join(f"{s},{row},{x},{y}\n" for s, row, x, y in rows))
        fugu.ok("release", "next.csv", "--plan", "plan.json", "--new-data", "--nearest", "--keep-unprotected", "id", "-o", "out.csv", "--force")
        out = dict(line.split(",", 1) for line in (fugu.folder / "out.csv").read_text().splitlines()[1:])
        taken.append([out[str(row)] for row in range(len(asked))])
    assert all(tuple(map(int, text.split(","))) in there for text in taken[0]) and len(set(taken[0])) > 2
    assert taken[0] == taken[1] == taken[2]


def test_a_bare_quote_in_a_kept_column_does_not_hold_rows_together(fugu):
    """One quote that opens nothing, in the fourth row: the rows behind it are shuffled like all others. Of 2000 shuffled
    rows about one follows the row that it followed; 12 or more do once in 1e9 runs. A last line without an end is one more."""
    notes = {3: '5" pipe', 1700: '"two\nlines, ""quoted"""', 1999: 'a "last" one'}
    rows = [f"{'ab'[k % 2]},{k},{notes.get(k, 'none')},{k % 5}" for k in range(ROWS)]
    fugu.write("in.csv", "s,id,note,x\n" + "\n".join(rows))
    fugu.ok("release", "in.csv", *FLAGS, "--keep-unprotected", "id,note", "--shuffle", "-o", "out.csv")
    text = (fugu.folder / "out.csv").read_bytes().decode()
    found = [(int(id), note) for id, note in re.findall(r'^(\d+),((?:"(?:[^"]|"")*"|[^",\n][^,\n]*)),-?\d+$', text, re.MULTILINE)]
    assert sorted(found) == [(k, notes.get(k, "none")) for k in range(ROWS)]
    assert sum(b == a + 1 for (a, _), (b, _) in itertools.pairwise(found)) < 12


# The same values, written in as many ways as CSV has; secret b writes them at length.
SHORT = {"1": "1", "2": "2", "3": "3"}
LONG = {"1": '"1.000000"', "2": "  2e0  ", "3": "+0003"}


def test_outputs_of_equal_values_are_equal_bytes(fugu):
    """Without noise the output is the values' own text: its length must not tell how they were written."""
    rng = random.Random(8)
    values = [rng.choice("123") for _ in range(300)]
    for name, forms in (("short", SHORT), ("long", LONG)):
        fugu.write(f"{name}.csv", "s,x\n" + "".join(f"{s},{forms[x]}\n" for x in values for s in "ab"))
        fugu.ok("release", f"{name}.csv", *FLAGS, "-o", f"{name}-out.csv")
        fugu.ok("release", f"{name}.csv", *FLAGS, "-o", f"{name}-out.csv.gz")
    for end in ("csv", "csv.gz", "csv.receipt.json"):
        assert (fugu.folder / f"short-out.{end}").read_bytes() == (fugu.folder / f"long-out.{end}").read_bytes()


def test_lengths_follow_the_released_value_alone(fugu):
    """A known limit: texts of released values differ in length (9, 10), and so do files. They are published anyway."""
    fugu.write("in.csv", "s,x\n" + "".join(f"{'ab'[k % 2]},{8 + k % 3 + k % 2}\n" for k in range(600)))
    fugu.ok("release", "in.csv", *FLAGS, "-o", "out.csv")
    texts = (fugu.folder / "out.csv").read_text().splitlines()[1:]
    assert {len(text) for text in texts if text == str(int(text))} == {len(text) for text in texts}
