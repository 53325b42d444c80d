"""Promises in belief and budgets of their own: against Fractions, against a second solver, and as people write them."""

import itertools
import json
import os
from fractions import Fraction

import pytest

import tampering_test
from optima import LOSSES, Case, calibrate, channel_limit, check_channel, check_noise, close, noise_limit, prove, random_case, ratio
from promises import ALL, Promised, laplace_masses, random_promise, says_something, swap_limit, swap_masses, tightest


CASES = 500 if os.environ.get("FUGU_LONG") else 20
SQUARED = LOSSES["squared"]


def cases(first, **more):
    """So many random promises that say something."""
    found = (random_promise(seed, **more) for seed in itertools.count(first))
    return itertools.islice((case for case in found if says_something(case)), CASES)


def test_exact_noise_keeps_every_limit_and_takes_no_more_than_it_must(fugu):
    noisy = 0
    for case in cases(10_000):
        found = calibrate(fugu, case, "--method", "exact", "--epsilon", case.epsilon)
        masses = laplace_masses(case, found)
        prove(case, case.epsilon, 0, masses)
        if ratio(found):
            noisy += 1
            assert tightest(case, masses) > 1 - 1e-8
    assert noisy > CASES / 2


def test_channels_keep_every_limit_with_the_least_error(fugu):
    for case in cases(20_000):
        found = calibrate(fugu, case, "--method", "channel", "--epsilon", case.epsilon)
        check_channel(case, found, case.epsilon, SQUARED)
        assert found["error"] == close(channel_limit(case, case.epsilon, SQUARED))


def test_values_trade_places_within_every_limit_at_the_least_error(fugu):
    for case in cases(30_000, full=True):
        found = calibrate(fugu, case, "--method", "swap", "--epsilon", case.epsilon)
        prove(case, case.epsilon, 0, swap_masses(case, found))
        assert found["error"] == pytest.approx(swap_limit(case, SQUARED), rel=2e-6, abs=1e-8)


def test_optimal_noise_keeps_every_limit_with_the_least_error(fugu):
    for case in cases(40_000, narrow=True):
        found = calibrate(fugu, case, "--method", "optimal", "--epsilon", case.epsilon)
        check_noise(case, found, case.epsilon)
        r, reach = float(ratio(found)), found["reach"]
        if r and reach:
            least = noise_limit(case, case.epsilon, Fraction(found["lattice"]["step"]), reach, r)
            assert found["error"] == pytest.approx(least, rel=1e-5, abs=1e-9)


HIV = {"HIV": {4: 3, 5: 6, 6: 1}, "flu": {2: 20, 3: 30, 4: 25, 5: 5}, "none": {1: 60, 2: 150, 3: 150, 4: 50}}
QUESTION = ["--secret", "diagnosis", "--public", "fever"]


@pytest.fixture
def clinic(fugu):
    """Ten of 500 people have HIV: 2 %; none has 82 %, more than e^-0.5."""
    rows = [f"{secret},{value}" for secret, counts in HIV.items() for value, count in counts.items() for _ in range(count)]
    return fugu.write("clinic.csv", "diagnosis,fever\n" + "\n".join(rows) + "\n")


def plan_of(fugu, *arguments):
    fugu.ok("calibrate", *arguments, "-o", "plan.json", "--force")
    return tampering_test.read(fugu.folder / "plan.json")


def words(text):
    return " ".join(text.split())


def test_what_a_promise_in_belief_says(fugu, clinic):
    plan = plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief")
    assert plan["guarantee"]["promise"] == plan["scenario"]["promise"] == "belief"
    assert plan["witness"]["pair"] == ["HIV", ALL]
    assert any("says nothing of 'none'" in note for note in plan["notes"])
    said = words(fugu.ok("calibrate", clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief"))
    assert "HIV, 2 % beforehand, becomes at most 3.3 %" in said
    assert "none, 82 % beforehand, may become certain" in said
    statement = words(fugu.ok("statement", "plan.json", "--publish-min", "1"))
    assert "more than e^0.5 times as sure of a value of diagnosis: whoever believes the prior's shares of the secrets: a share of 2 % becomes at most 3.3 %" in statement
    assert "Of 'none' it does not say how sure." in statement and "may become certain" in statement
    assert "82 %" not in statement and "the shares that they have in the prior" in statement
    proved = words(fugu.ok("verify", "plan.json"))
    assert "makes anybody who believes the stated shares more than e^0.5 times as sure of a secret" in proved
    assert "epsilon 0.5 in belief" in proved


def test_a_promise_of_the_odds_is_as_before(fugu, clinic):
    plan = plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5")
    assert plan == plan_of(fugu, clinic, *QUESTION, "--epsilon", "*=0.5", "--promise", "odds")
    assert not {"promise", "budgets"} & (set(plan["guarantee"]) | set(plan["scenario"]))
    assert "shares" not in plan["scenario"]["priors"][0]


def test_a_promise_in_belief_takes_less_noise_than_one_of_the_odds(fugu, clinic):
    scales = [plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5", "--promise", promise)["mechanism"]["scale"]
              for promise in ("belief", "belief-both", "odds")]
    assert scales[0] < scales[1] < scales[2]


def test_stated_shares_take_the_place_of_the_tables(fugu, clinic):
    belief = [clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief"]
    own = plan_of(fugu, *belief)
    same = plan_of(fugu, *belief, "--shares", "none=0.82,flu=0.16,HIV=0.02")
    assert same["mechanism"]["scale"] == own["mechanism"]["scale"]
    assert "the shares that the owner states" in " ".join(same["assumptions"])
    other = plan_of(fugu, *belief, "--shares", "none=0.5,flu=0.2,HIV=0.3")
    assert other["mechanism"]["scale"] != own["mechanism"]["scale"]
    fugu.ok("verify", "plan.json")


def test_budgets_in_a_file_and_in_a_flag_are_the_same(fugu):
    case = Promised(random_case(7, full=True, priors=1, secrets=3), "odds", {"A": "0.1", "B:C": "0.25"}, "1")
    by_flag = calibrate(fugu, case, "--method", "exact", "--epsilon", case.epsilon)
    case.file |= {"epsilon": 1, "budgets": [{"secrets": ["A"], "epsilon": 0.1}, {"secrets": ["C", "B"], "epsilon": 0.25}]}
    assert calibrate(fugu, case, "--method", "exact") == by_flag
    # One epsilon in a flag is that of everything.
    plain = calibrate(fugu, case, "--method", "exact", "--epsilon", "1")
    assert "budgets" not in json.loads((fugu.folder / "plan.json").read_text())["guarantee"]
    assert plain["scale"] < by_flag["scale"]


def test_a_pair_never_has_more_than_either_of_its_secrets(fugu):
    """A budget of a secret is said of every pair that it is in: a pair's own does not lift it."""
    case = Promised(random_case(7, full=True, priors=1, secrets=3), "odds", {"A": "0.1"}, "1")
    alone, lifted, pairs = (calibrate(fugu, case, "--method", "exact", "--epsilon", epsilon)["scale"]
                            for epsilon in ("A=0.1,*=1", "A=0.1,A:B=0.9,A:C=0.9,*=1", "A:B=0.9,A:C=0.9,*=1"))
    assert lifted == alone > pairs


def test_belief_is_about_the_stated_shares(fugu):
    """The counterexample of docs/guarantees.md: 1.63 times as sure for who believes the shares, 1.74 times for who is 1 % sure."""
    rows = [("a", 1)] * 35 + [("a", 0)] * 65 + [("b", 1)] * 180 + [("b", 0)] * 720
    table = fugu.write("t.csv", "s,x\n" + "".join(f"{s},{x}\n" for s, x in rows))
    ask = [table, "--secret", "s", "--public", "x", "--epsilon", "0.5", "--promise", "belief", "--method", "exact"]
    assert plan_of(fugu, *ask)["mechanism"]["scale"] == 0
    assert plan_of(fugu, *ask, "--shares", "a=0.01,b=0.99")["mechanism"]["scale"] > 0


def test_shares_of_another_prior_are_not_those_of_the_first(fugu):
    """Under the second prior 0 makes who is 60 % sure of a at most e^0.5 times as sure; who is 10 % sure becomes 77 % sure."""
    fugu.write("t.csv", "s,x\n" + "a,0\na,1\nb,0\nb,1\n" * 40)
    law = {"a": {"values": [0, 1], "mass": [30, 70]}, "b": {"values": [0, 1], "mass": [1, 99]}}
    ask = ["t.csv", "--secret", "s", "--public", "x", "--promise", "belief", "--epsilon", "0.5", "--method", "exact",
           "--shares", "a=0.1,b=0.9", "--prior", "other.json"]
    fugu.write("other.json", json.dumps({"name": "other", "shares": {"a": 0.6, "b": 0.4}, "given": law}))
    plan = plan_of(fugu, *ask)
    assert plan["mechanism"]["scale"] == 0 and Fraction(3, 10) / (Fraction(1, 10) * Fraction(3, 10) + Fraction(9, 1000)) > 7
    says = " ".join(plan["assumptions"])
    assert "the shares that the owner states for their prior (for the first: 'a' 10 %, 'b' 90 %)" in says
    assert "whoever believes the first prior and its stated shares:" in words(fugu.ok("verify", "plan.json"))
    fugu.write("other.json", json.dumps({"name": "other", "given": law}))  # the shares of the first
    same = plan_of(fugu, *ask)
    assert same["mechanism"]["scale"] > 0 and "the owner states ('a' 10 %, 'b' 90 %)" in " ".join(same["assumptions"])


def test_each_stratum_has_shares_of_its_own(fugu):
    rows = [f"{s},{g},{x}" for g, share in (("a", 30), ("b", 60)) for s, n in (("yes", share), ("no", 90 - share))
            for x in range(3) for _ in range(n * (1 + (x == (s == "yes"))))]
    table = fugu.write("t.csv", "s,g,x\n" + "\n".join(rows) + "\n")
    fugu.method = "swap"
    plan = plan_of(fugu, table, "--secret", "s", "--public", "x", "--known", "g", "--epsilon", "0.1", "--promise", "belief", "--rows-independent")
    for prior, stratum in zip(plan["scenario"]["priors"], plan["mechanism"]["strata"]):
        case = Promised(Case([prior["given"]]), "belief", {}, "0.1")
        prove(case, "0.1", 0, swap_masses(case, stratum))
        assert tightest(case, swap_masses(case, stratum)) > 1 - 1e-5
        assert prior["known"] == stratum["known"]


@pytest.mark.parametrize("promise", ["belief", "belief-both"])
def test_further_beliefs_have_the_tables_shares(fugu, clinic, promise):
    plan = plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.4", "--promise", promise, "--also", "smoothed:2")
    first, second = plan["scenario"]["priors"]
    shares = {s: Fraction(getattr(x, "text", x)) for s, x in second["shares"].items()}
    assert shares == {"HIV": Fraction(1, 50), "flu": Fraction(4, 25), "none": Fraction(41, 50)}
    case = Promised(Case([first["given"], second["given"]]), promise, {}, "0.4",
                    [shares] * 2)
    prove(case, "0.4", 0, laplace_masses(case, plan["mechanism"]))


def worst_belief(boxes, masses, way, shares):
    """The largest ratio over laws within boxes: the most of one secret against the least of the others, or the other way round."""
    def extreme(law, most):
        order = sorted(range(len(masses)), key=lambda k: masses[k], reverse=most)
        rest = 1 - sum(low for low, _ in law)
        total = sum(low * masses[k] for k, (low, _) in enumerate(law))
        for k in order:
            more = min(rest, law[k][1] - law[k][0])
            total, rest = total + more * masses[k], rest - more
        return total

    secret = way[0] if way[1] == ALL else way[1]
    surer = way[1] == ALL
    own = extreme(boxes[secret], surer)
    others = sum(shares[s] * extreme(law, not surer) for s, law in boxes.items() if s != secret)
    mixture = shares[secret] * own + others
    return own / mixture if surer else mixture / own


@pytest.mark.parametrize("promise", ["belief", "belief-both"])
def test_close_beliefs_are_covered_too(fugu, promise):
    for seed in range(60_000, 60_012):
        case = Promised(random_case(seed, full=True, priors=1, narrow=True), promise, {}, "0.3")
        found = calibrate(fugu, case, "--method", "exact", "--epsilon", "0.3", "--closeness", "0.1")
        r, step = float(ratio(found)), Fraction(found["lattice"]["step"])
        if not r:
            continue
        place = [int((x - case.values[0]) / step) for x in case.values]
        less, more = 2.718281828459045 ** -0.1, 2.718281828459045 ** 0.1
        laws, shares = case.priors[0], case.mixed[0]
        boxes = {s: [(float(laws[s].get(x, 0)) * less, float(laws[s].get(x, 0)) * more) for x in case.values] for s in shares}
        worst = max(worst_belief(boxes, [r ** abs(y - x) for x in place], way, {s: float(p) for s, p in shares.items()})
                    for way in case.ordered for y in place)
        assert worst == pytest.approx(2.718281828459045 ** 0.3, rel=1e-6)


def forge(fugu, plan, **changes):
    """The plan with a fresh digest and other members of its scenario, guarantee likewise; None takes one away."""
    for part in (plan["scenario"], plan["guarantee"]):
        for key, value in changes.items():
            if value is None:
                part.pop(key, None)
            else:
                part[key] = value
    return tampering_test.refused(fugu, plan, says="does not verify")


def test_forged_promises_are_refused(fugu, clinic):
    belief = plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief")
    copy = lambda: json.loads(tampering_test.canonical(belief), parse_float=tampering_test.Literal)
    assert "more than epsilon 0.5" in forge(fugu, copy(), promise=None)
    assert "more than is promised" in forge(fugu, copy(), promise="belief-both")
    assert "more than is promised" in forge(fugu, copy(), epsilon=tampering_test.Literal("0.4"))
    assert "more than is promised" in forge(fugu, copy(), budgets=[{"secrets": ["HIV"], "epsilon": tampering_test.Literal("0.4")}])
    changed = copy()
    changed["scenario"]["priors"][0]["shares"] = {"HIV": 1, "flu": 16, "none": 83}
    assert "more than is promised" in tampering_test.refused(fugu, changed)
    changed = copy()
    changed["guarantee"].pop("promise")
    tampering_test.refused(fugu, changed, says="guarantee.promise is not")

    own = plan_of(fugu, clinic, *QUESTION, "--epsilon", "HIV=0.1,*=0.5")
    copy = lambda: json.loads(tampering_test.canonical(own), parse_float=tampering_test.Literal)
    lower = [{"secrets": ["HIV"], "epsilon": tampering_test.Literal("0.05")}]
    assert "more than is promised" in forge(fugu, copy(), budgets=lower)
    forge(fugu, copy(), budgets=[{"secrets": ["HIV"], "epsilon": tampering_test.Literal("0.2")}])
    changed = copy()
    changed["guarantee"]["budgets"] = lower
    tampering_test.refused(fugu, changed, says="guarantee.budgets is not")


def test_what_these_promises_do_not_go_with(fugu, clinic):
    def fails(*arguments, says, command="calibrate"):
        return fugu.fails(2, command, clinic, *QUESTION, *arguments, says=says)

    belief = ["--epsilon", "0.1", "--promise", "belief"]
    fails(*belief, "--delta", "1e-6", says="takes no delta")
    fails("--epsilon", "HIV=0.1,*=1", "--delta", "1e-6", says="take no delta")
    fails(*belief, "--pairs", "HIV:flu", says="not of pairs")
    fails("--epsilon", "HIV:flu=0.1,*=1", "--promise", "belief", says="a budget is of a pair")
    fails("--epsilon", "HIV:flu=0.1,*=1", "--pairs", "HIV:none", says="not protected")
    fails("--epsilon", "HIV=2,*=1", says="'HIV' has more than *")
    fails("--epsilon", "HIV=0.1", says="what the others may spend")
    fails("--epsilon", "AIDS=0.1,*=1", says="there is no secret 'AIDS'")
    fails("--epsilon", "HIV=0.1,HIV=0.2,*=1", says="given twice")
    fails("--epsilon", "0.5", "--promise", "trust", says="use one of odds, belief, belief-both")
    fails("--epsilon", "0.5", "--shares", "HIV=1,flu=1,none=1", says="a promise in odds needs no shares")
    fails(*belief, "--shares", "HIV=1,flu=1", says="1 of the 3 secrets has none")
    fails("--epsilon", "5", "--promise", "belief", says="says nothing of any secret")
    for method in ("kantorovich", "harmonic", "sharp", "relaxed"):
        fails(*belief, "--method", method, says="use exact, optimal, channel, swap")
    fails(*belief, "--method", "channel", "--unbiased", "--range", "free", says="--unbiased")
    fails(*belief, "--method", "channel", "--closeness", "0.05", says="use --method exact")


def test_a_promise_in_belief_is_of_one_release(fugu, clinic):
    plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief")
    for plans in (["plan.json"], ["plan.json", "plan.json"]):
        fugu.fails(4, "compose", *plans, says="a promise in belief is about one release")
    fugu.fails(2, "audit", "plan.json", says="one epsilon for the odds")
    fugu.fails(6, "release", clinic, "--plan", "plan.json", "-o", "out.csv", "--ledger", "l.db", "--dataset", "d", "--budget", "1", "--publish-min", "1",
               says="a promise in belief is about one release")
    fugu.ok("release", clinic, "--plan", "plan.json", "-o", "out.csv", "--publish-min", "1")
    receipt = json.loads((fugu.folder / "out.csv.receipt.json").read_text())
    assert receipt["statement"]["guarantee"]["promise"] == "belief"


def test_budgets_of_their_own_add_up_as_the_largest(fugu, clinic):
    plan_of(fugu, clinic, *QUESTION, "--epsilon", "HIV=0.1,*=0.5", "--method", "sensitivity")
    together = json.loads(fugu.ok("compose", "plan.json", "plan.json", "--format", "json"))
    assert float(together["epsilon"]) <= 1
    fugu.fails(2, "audit", "plan.json", says="one epsilon for the odds")


def test_a_budget_of_a_secret_that_is_in_no_pair_is_refused(fugu, clinic):
    error = fugu.fails(2, "calibrate", clinic, *QUESTION, "--epsilon", "HIV=0.1,*=1", "--pairs", "flu:none")
    assert "a secret that is in no protected pair" in error


def test_priors_of_files_have_the_tables_shares(fugu, clinic):
    """Whoever holds another belief about the values believes of the secrets what the table says, however its masses are written."""
    given = {"HIV": [8, 1, 1], "flu": [1, 8, 1], "none": [1, 2, 7]}
    scales = []
    for times in (1, 100):
        masses = {s: {"values": [2, 3, 4], "mass": [m * (times if s == "HIV" else 1) for m in mass]} for s, mass in given.items()}
        fugu.write("news.json", json.dumps({"name": "news", "given": masses}))
        plan = plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.2", "--promise", "belief", "--method", "exact", "--prior", "news.json")
        shares = {s: Fraction(getattr(x, "text", x)) for s, x in plan["scenario"]["priors"][1]["shares"].items()}
        assert {s: share / sum(shares.values()) for s, share in shares.items()} == {"HIV": Fraction(1, 50), "flu": Fraction(4, 25), "none": Fraction(41, 50)}
        scales.append(plan["mechanism"]["scale"])
    assert scales[0] == scales[1] > 0


def test_stated_shares_are_published_with_what_becomes_of_them(fugu, clinic):
    plan_of(fugu, clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief", "--shares", "none=0.82,flu=0.16,HIV=0.02")
    statement = words(fugu.ok("statement", "plan.json", "--publish-min", "1"))
    assert "'HIV' from 2 % to at most 3.3 %, 'flu' from 16 % to at most 26.38 %" in statement
    assert "the shares that the owner states ('HIV' 2 %, 'flu' 16 %, 'none' 82 %)" in statement
    assert "Every other secret is protected, each by itself." in statement
    error = fugu.fails(2, "calibrate", clinic, *QUESTION, "--epsilon", "0.5", "--promise", "belief", "--shares", "none=0.8,flu=0.15,HIV=0.02")
    assert "they add up to 0.97, not to 1" in error


def test_with_known_columns_and_a_confidence_there_is_a_method(fugu):
    rows = [f"{s},{g},{x}" for g in "pq" for s in "ab" for x in "uv" for _ in range(60 + 10 * (s == "a") * (x == "u"))]
    table = fugu.write("t.csv", "s,g,x\n" + "\n".join(rows) + "\n")
    fugu.method = None
    fugu.ok("calibrate", table, "--secret", "s", "--public", "x", "--known", "g", "--epsilon", "0.5", "--confidence", "0.9", "--rows-independent")
