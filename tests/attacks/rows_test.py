"""What the order of rows, their length and how they were written tell.

The defences: --shuffle (fugu/release/shuffle.cc), whose removal makes test_shuffled_rows_say_nothing_by_their_place fail;
texts that depend on the index alone, whose removal makes test_outputs_of_equal_values_are_equal_bytes fail.
"""

import itertools
import json
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
