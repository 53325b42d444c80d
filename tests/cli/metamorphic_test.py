"""Questions that are the same but for a change whose effect is known: the answer changes by exactly that.

Nothing here knows a right answer. What must not change is compared to the last digit: the integers that are drawn, the
loss, the error. What scales is compared exactly where doubles scale exactly (powers of two)."""

import json
import random
from fractions import Fraction

import pytest

METHODS = ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "exact", "optimal", "channel"]
ASK = {
    "pure": ["--epsilon", "0.7"],
    "delta": ["--epsilon", "0.7", "--delta", "0.001"],
    "gaussian": ["--epsilon", "0.7", "--delta", "0.001", "--noise", "gaussian"],
    "confidence": ["--epsilon", "0.7", "--confidence", "0.9"],
    "closeness": ["--epsilon", "0.7", "--closeness", "0.1"],
}


def people(seed=1, rows=240, secrets="abc"):
    rng = random.Random(seed)
    return [(secret := rng.choice(secrets), secrets.index(secret) + min(rng.randrange(7), rng.randrange(7))) for _ in range(rows)]


def declared(rows):
    """The values that can occur, as a confidence needs them: a bin for each."""
    values = sorted({Fraction(str(x)) for _, x in rows})
    unit = min(b - a for a, b in zip(values, values[1:]))
    return ["--bin", str(unit), f"--clip={values[0]}:{values[-1]}"]


def plan_of(fugu, rows, *flags, name="in.csv"):
    flags = [*flags, *(declared(rows) if "--confidence" in flags else [])]
    fugu.write(name, "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    return json.loads(fugu.ok("calibrate", name, "--secret", "s", "--public", "x", *flags, "--format", "json"),
                      parse_float=Fraction)


def drawn(plan):
    """The mechanism but for where its lattice lies."""
    return {key: value for key, value in plan["mechanism"].items() if key not in ("lattice", "inputs", "outputs")}


def same(a, b):
    """Two plans promise, draw and cost the same."""
    assert drawn(a) == drawn(b)
    assert a["sensitivity"] == b["sensitivity"]
    guarantees = [{key: value for key, value in plan["guarantee"].items() if key != "domain"} for plan in (a, b)]
    assert guarantees[0] == guarantees[1]
    assert a["witness"]["loss"] == b["witness"]["loss"] and a["witness"]["delta"] == b["witness"]["delta"]


@pytest.mark.parametrize("ask", ASK)
def test_shifted_values_shift_the_lattice_and_nothing_else(fugu, ask):
    base = plan_of(fugu, people(), *ASK[ask])
    for shift in (-1000, 12345678901):
        moved = plan_of(fugu, [(s, x + shift) for s, x in people()], *ASK[ask])
        same(base, moved)
        assert moved["witness"]["output"] - shift == base["witness"]["output"]
    moved = plan_of(fugu, [(s, f"{x}.125") for s, x in people()], *ASK[ask])
    same(base, moved)
    assert Fraction(moved["mechanism"]["lattice"]["origin"]) == Fraction(1, 8)


@pytest.mark.parametrize("method", METHODS)
def test_shifted_values_by_every_method(fugu, method):
    flags = ["--epsilon", "0.7", "--method", method]
    same(plan_of(fugu, people(), *flags), plan_of(fugu, [(s, x - 77) for s, x in people()], *flags))


@pytest.mark.parametrize("ask", ASK)
def test_doubled_values_double_the_scale_to_the_last_digit(fugu, ask):
    base = plan_of(fugu, people(), *ASK[ask])
    for factor in (2, 4, 1024):
        wide = plan_of(fugu, [(s, x * factor) for s, x in people()], *ASK[ask])
        assert wide["mechanism"]["weights"] == base["mechanism"]["weights"]
        assert wide["mechanism"]["tail"] == base["mechanism"]["tail"]
        assert float(wide["mechanism"]["scale"]) == factor * float(base["mechanism"]["scale"])
        assert float(wide["mechanism"]["mse"]) == factor**2 * float(base["mechanism"]["mse"])
        assert wide["witness"]["loss"] == base["witness"]["loss"]
        for key in ("range", "w_inf"):
            assert wide["sensitivity"][key] == factor * base["sensitivity"][key]
        assert wide["witness"]["output"] == factor * base["witness"]["output"]


@pytest.mark.parametrize("ask", ASK)
def test_values_in_other_units_scale_but_for_a_rounding(fugu, ask):
    """Tenths and tens are no powers of two: the least double that is proved may be a neighbour."""
    base = plan_of(fugu, people(), *ASK[ask])
    for text, factor in ((lambda x: f"{x / 10:.1f}", 0.1), (lambda x: x * 10, 10), (lambda x: x * 7, 7)):
        other = plan_of(fugu, [(s, text(x)) for s, x in people()], *ASK[ask])
        assert float(other["mechanism"]["scale"]) == pytest.approx(factor * float(base["mechanism"]["scale"]), rel=1e-12)
        assert other["witness"]["loss"] == pytest.approx(base["witness"]["loss"] or 0, abs=1e-12) or base["witness"]["loss"] is None


@pytest.mark.parametrize("method", METHODS[:-1])
def test_turned_values_turn_the_noise(fugu, method):
    flags = ["--epsilon", "0.7", "--method", method]
    base = plan_of(fugu, people(), *flags)
    turned = plan_of(fugu, [(s, -x) for s, x in people()], *flags)
    assert float(turned["mechanism"]["mse"]) == pytest.approx(float(base["mechanism"]["mse"]), rel=1e-9)
    if method != "optimal":  # whose table may have ties
        same(base, turned)


@pytest.mark.parametrize("ask", ASK)
def test_rows_in_another_order_make_the_same_plan(fugu, ask):
    rows = people()
    random.Random(2).shuffle(rows)
    base, other = plan_of(fugu, people(), *ASK[ask]), plan_of(fugu, rows, *ASK[ask])
    assert base == other  # to the digest


@pytest.mark.parametrize("ask", ASK)
def test_secrets_under_other_names(fugu, ask):
    names = {"a": "z", "b": "m", "c": "f"}
    base = plan_of(fugu, people(), *ASK[ask])
    other = plan_of(fugu, [(names[s], x) for s, x in people()], *ASK[ask])
    same(base, other)
    assert {names[secret] for secret in base["witness"]["pair"]} == set(other["witness"]["pair"])


def test_counts_in_the_same_proportion(fugu):
    """Every row three times: the same laws. With a confidence more rows say more, and never cost more."""
    for ask in ("pure", "delta", "gaussian", "closeness"):
        same(plan_of(fugu, people(), *ASK[ask]), plan_of(fugu, people() * 3, *ASK[ask]))
    few, many = (plan_of(fugu, rows, *ASK["confidence"]) for rows in (people(), people() * 3))
    assert float(many["mechanism"]["scale"]) < float(few["mechanism"]["scale"])


def scenario(fugu, given, *flags):
    fugu.write("scenario.json", json.dumps({"epsilon": 0.7, "priors": given}))
    return json.loads(fugu.ok("calibrate", "--scenario", "scenario.json", *flags, "--format", "json"), parse_float=Fraction)


def law(*pairs):
    return {"values": [x for x, _ in pairs], "mass": [mass for _, mass in pairs]}


def test_masses_in_other_words(fugu):
    """Counts, decimals and fractions of one law; an order of the values that is another."""
    base = scenario(fugu, [{"name": "p", "given": {"a": law((0, 1), (1, 3)), "b": law((0, 2), (3, 2))}}])
    for a, b in ((law((0, 0.25), (1, 0.75)), law((0, 0.5), (3, 0.5))), (law((1, "3/4"), (0, "1/4")), law((3, "1/2"), (0, "1/2"))),
                 (law((0, 10), (1, 30)), law((0, 7), (3, 7)))):
        same(base, scenario(fugu, [{"name": "p", "given": {"a": a, "b": b}}]))


def test_a_belief_that_is_there_already(fugu):
    given = {"a": law((0, 1), (1, 3)), "b": law((0, 2), (3, 2))}
    base = scenario(fugu, [{"name": "p", "given": given}])
    twice = scenario(fugu, [{"name": "p", "given": given}, {"name": "q", "given": given}])
    assert drawn(base) == drawn(twice) and base["witness"]["loss"] == twice["witness"]["loss"]


@pytest.mark.parametrize("method", ["kantorovich", "harmonic", "exact"])
def test_a_secret_in_no_pair_changes_nothing(fugu, method):
    flags = ["--epsilon", "0.7", "--method", method, "--pairs", "a:b"]
    rows = [row for row in people() if row[0] != "c"]
    unused = rows + [("c", x) for _, x in rows[:50]]
    base, more = plan_of(fugu, rows, *flags), plan_of(fugu, unused, *flags)
    same(base, more)
    assert base["witness"]["pair"] == more["witness"]["pair"]
    used = plan_of(fugu, [(s, x if s != "c" else 9) for s, x in unused], *flags[:-1], "a:b,a:c")
    assert drawn(used) != drawn(base)  # the control: in a pair it does


@pytest.mark.parametrize("method", METHODS)
def test_more_to_hide_never_takes_less_noise(fugu, method):
    """A smaller epsilon, and one more pair."""
    flags = ["--method", method]
    errors = [float(plan_of(fugu, people(), "--epsilon", epsilon, *flags)["mechanism"]["mse"]) for epsilon in ("2", "1", "0.5", "0.1")]
    assert all(first <= second * (1 + 1e-9) for first, second in zip(errors, errors[1:]))
    pairs = [float(plan_of(fugu, people(), "--epsilon", "0.5", "--pairs", pairs, *flags)["mechanism"]["mse"])
             for pairs in ("a:b", "a:b,b:c", "all")]
    assert all(first <= second * (1 + 1e-9) for first, second in zip(pairs, pairs[1:]))


def test_several_columns_in_another_order(fugu):
    rows = people()
    for name, head, form in (("xy.csv", "s,x,y", "{s},{x},{y}"), ("yx.csv", "s,y,x", "{s},{y},{x}")):
        fugu.write(name, head + "\n" + "".join(form.format(s=s, x=x, y=x * x % 3) + "\n" for s, x in rows))
    plans = [json.loads(fugu.ok("calibrate", name, "--secret", "s", "--public", "x,y", "--epsilon", "1", "--format", "json"))
             for name in ("xy.csv", "yx.csv")]
    assert plans[0] == plans[1]
