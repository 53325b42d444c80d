"""fugu report: one file that holds everything, private unless it is public, and only for plans that are proved."""
import base64
import hashlib
import html
import json
import os
import re
import stat
import xml.etree.ElementTree

import pytest

# Counts that are like nothing else on the page.
A = [7919, 6841, 5003]
B = [4001, 8111, 3001]
HOSTILE = ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a\u2028b & 'c'"]


def scenario(labels=("clerk", "cook", "smith"), secret="race", public="job", names=("a", "b")):
    return {"epsilon": 0.1,
            "priors": [{"name": "empirical", "given": {name: {"values": [1, 2, 3], "mass": mass}
                                                       for name, mass in zip(names, (A, B))}}],
            "source": {"secret": [secret], "public": [public], "labels": list(labels)}}


def plan(fugu, *flags, of=None, name="plan.json"):
    fugu.write("scenario.json", json.dumps(of or scenario()))
    fugu.ok("calibrate", "--scenario", "scenario.json", "-o", name, *flags)
    return name


def page(fugu, *words, name="report.html"):
    fugu.ok("report", *words, "-o", name, "--force", "--quiet")
    return (fugu.folder / name).read_text()


def embedded(text):
    found = re.findall(r'<script type="application/json" id="picture">(.*?)</script>', text, re.S)
    assert len(found) == 1
    return json.loads(found[0])


def numbers(fugu, *words):
    """What the plots of the page are drawn from."""
    return json.loads(fugu.ok("report", *words, "--format", "json", "--quiet"))


def leaves(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def test_the_file_is_private_and_says_so(fugu):
    plan(fugu)
    said = fugu.ok("report", "plan.json", "-o", "report.html")
    assert said == "Wrote report.html, readable by its owner only: it shows how often each value occurs.\n"
    assert stat.S_IMODE(os.stat(fugu.folder / "report.html").st_mode) == 0o600
    said = fugu.ok("report", "plan.json", "--public", "-o", "public.html")
    assert said == "Wrote public.html. It may be published: it holds no counts.\n"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(os.stat(fugu.folder / "public.html").st_mode) == 0o666 & ~umask


def test_everything_stands_in_the_file(fugu):
    text = page(fugu, plan(fugu))
    assert text.startswith("<!doctype html>")
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b", text)
    assert not re.search(r"<script[^>]*\ssrc", text)
    assert not re.search(r"@import|url\((?!#)", re.search(r"<style>(.*?)</style>", text, re.S).group(1))
    # The policy allows this script and this style, and nothing else.
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1))
    def digest(part):
        return "'sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"
    script = re.search(r"<script>(.*)</script>", text, re.S).group(1)
    style = re.search(r"<style>(.*?)</style>", text, re.S).group(1)
    assert policy == (f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
                      "base-uri 'none'; form-action 'none'")


def test_its_numbers_are_those_of_the_plan(fugu):
    shown = embedded(page(fugu, plan(fugu)))
    picture = numbers(fugu, "plan.json")
    made = json.loads((fugu.folder / "plan.json").read_text())
    # As in the statement, which does not tell how many secrets there are.
    assert picture["guarantee"] == shown["guarantee"] == {**made["guarantee"], "pairs": None}
    laws = picture["laws"]["columns"][0]["priors"][0]["secrets"]
    assert [law["probabilities"] for law in laws] == [[n / sum(A) for n in A], [n / sum(B) for n in B]]
    outputs = picture["loss"]["columns"][0]["outputs"]
    assert max(row["loss"] for row in outputs) == made["witness"]["loss"] <= 0.1
    assert [row["label"] for row in outputs] == ["clerk", "cook", "smith"]
    exact = next(line for line in picture["error"]["methods"] if line["method"] == "exact")
    here = next(point for point in exact["points"] if point["epsilon"] == 0.1)
    assert here["rms"] ** 2 == pytest.approx(made["mechanism"]["mse"], rel=1e-12)
    assert here["scale"] == made["mechanism"]["scale"]
    assert sum(cell["mass"] for cell in picture["transport"]["cells"]) == pytest.approx(1)
    # The page holds them as plots, whose tables have them for people.
    (drawn,), = shown["laws"]["figures"]
    assert drawn["table"]["rows"] == [[label, *(f"{round(100 * law['probabilities'][k], 1):g}\u00a0%" for law in laws)]
                                      for k, label in enumerate(["clerk", "cook", "smith"])]
    (drawn,), = shown["loss"]["figures"]
    for row, output in zip(drawn["table"]["rows"], outputs, strict=True):
        assert row[0] == output["label"] and output["loss"] <= float(row[1]) <= output["loss"] + 1e-4, "rounded up"


@pytest.mark.parametrize("flags", [[], ["--method", "channel"], ["--method", "optimal"],
                                   ["--delta", "1e-4", "--noise", "gaussian"], ["--confidence", "0.9"]])
def test_public_holds_no_counts(fugu, flags):
    private = page(fugu, plan(fugu, *flags), "--time-limit", "2")
    public = page(fugu, "plan.json", "--public", name="public.html")
    shares = [count / sum(law) for law in (A, B) for count in law]
    held = list(leaves(numbers(fugu, "plan.json", "--time-limit", "2")))
    assert all(any(value == share for value in held) for share in shares)  # so the search below can find something
    assert "laws" in embedded(private)
    shown = embedded(public)
    for value in [*leaves(shown), *leaves(numbers(fugu, "plan.json", "--public"))]:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert value not in A + B and all(abs(value - share) > 1e-9 for share in shares), value
        elif isinstance(value, str):
            assert not any(re.search(rf"\b{count}\b", value.replace(",", "")) for count in A + B + [sum(A), sum(B)]), value
    assert not {"laws", "transport", "loss", "error", "notes", "rms"} & shown.keys()
    # What it says of the mechanism is what the statement says.
    statement = json.loads(fugu.ok("statement", "plan.json", "--format", "json"))
    assert shown["guarantee"] == statement["guarantee"]
    assert shown["assumptions"] == statement["assumptions"]
    assert shown["estimate"] == statement["estimate"]


def test_names_are_text(fugu):
    made = scenario(HOSTILE, "<u>s</u>", "</title><script>x</script>", ("<i>a</i>", "</script>b"))
    text = page(fugu, plan(fugu, of=made), "--time-limit", "2")
    script = re.search(r"<script>(.*)</script>", text, re.S).group(1)
    outside = text.replace(script, "")
    assert re.findall(r"<script[^>]*>", outside) == ['<script type="application/json" id="picture">', "<script>"]
    assert outside.count("</script>") == 2 and "<img" not in outside and "<u>" not in outside
    assert "\u2028" not in outside
    (drawn,), = embedded(text)["laws"]["figures"]
    assert [row[0] for row in drawn["table"]["rows"]] == HOSTILE
    for svg in (drawn["svg"], drawn["narrow"]):
        tags = {element.tag.split("}")[1] for element in xml.etree.ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "rect", "line", "text", "title", "path", "polyline", "polygon"}, tags


def test_plans_of_models(fugu):
    fugu.ok("count", "--users", "25", "--p", "0.7", "--epsilon", "0.5", "-o", "users.json")
    fugu.write("chain.txt", json.dumps({"states": ["0", "1"], "chains": [
        {"transition": [[0.9, 0.1], [0.4, 0.6]], "start": [0.8, 0.2]}]}))
    fugu.ok("chain", "--matrix", "chain.txt", "--length", "60", "--state", "1", "--epsilon", "1", "-o", "chain.json")
    for name, kind in (("users.json", "users"), ("chain.json", "chain")):
        picture = embedded(page(fugu, name))
        assert picture["kind"] == kind and not picture["public"]
        assert picture["noise"]["figures"] and "laws" not in picture
        shown = embedded(page(fugu, name, "--public", name="public.html"))
        assert shown["public"] and len(shown["promised"]) < len(picture["promised"])
        fugu.fails(2, "report", name, "-o", "r.html", "--time-limit", "3", says="--time-limit cannot be used")


def test_only_what_is_proved_is_reported(fugu):
    plan(fugu)
    made = json.loads((fugu.folder / "plan.json").read_text())
    made["witness"]["loss"] = 0.05
    fugu.write("changed.json", json.dumps(made))
    fugu.fails(4, "report", "changed.json", "-o", "report.html", says="changed.json")
    fugu.fails(4, "report", "changed.json", "--public", "-o", "report.html", says="changed.json")
    fugu.fails(3, "report", "scenario.json", "-o", "report.html")
    fugu.fails(5, "report", "absent.json", "-o", "report.html", says="absent.json")


def test_errors(fugu):
    plan(fugu)
    fugu.fails(2, "report", "plan.json", says=["--output is missing", "-o report.html"])
    fugu.fails(2, "report", "plan.json", "-o", "plan.json", "--force", says="the plan itself")
    fugu.fails(2, "report", "plan.json", "-o", "r.html", "--public", "--time-limit", "3", says="--time-limit")
    fugu.fails(2, "report", "plan.json", "-o", "r.html", "--time-limit", "soon", says="--time-limit")
    fugu.fails(5, "report", "plan.json", "-o", "absent/r.html")
    fugu.write("r.html", "mine")
    fugu.fails(2, "report", "plan.json", "-o", "r.html", says="r.html")
    assert (fugu.folder / "r.html").read_text() == "mine"
    assert page(fugu, "plan.json", name="r.html") != "mine"


def test_the_demos_report(demo):
    picture = json.loads(demo.ok("report", "plan.json" if (demo.folder / "plan.json").exists() else "fugu-demo/plan.json",
                                 "--format", "json", "--quiet"))
    assert picture["title"] == "race, hidden in occupation"
    assert len(picture["loss"]["columns"][0]["outputs"]) == 14
    for line in picture["error"]["methods"]:
        errors = [point["rms"] for point in line["points"]]
        assert all(a >= b * (1 - 1e-6) for a, b in zip(errors, errors[1:])), line["method"]


def test_the_head_ties_a_page_to_its_plan_and_tells_the_public_nothing_of_it(fugu):
    plan(fugu)
    made = json.loads((fugu.folder / "plan.json").read_text())
    said = ["--title", "Jobs <b>2026</b>", "--table-name", "people & co", "--date", "1 July 2026"]
    text = page(fugu, "plan.json", "--time-limit", "1", *said)
    assert "<title>Jobs &lt;b&gt;2026&lt;/b&gt;: report</title>" in text
    shown = embedded(text)
    head = dict(shown["head"])
    assert head.pop("Made by").startswith("fugu ")
    assert head == {"Table": "people & co", "Rows counted": f"{sum(A) + sum(B):,}", "Date": "1 July 2026", "Plan": made["digest"]}
    public = page(fugu, "plan.json", "--public", *said, name="public.html")
    assert {name for name, _ in embedded(public)["head"]} == {"Table", "Date", "Made by"} and made["digest"] not in public
    assert not {"search", "shares", "sample", "associations"} & embedded(public).keys()


def test_a_reader_finds_the_four_answers(fugu):
    shown = numbers(fugu, plan(fugu), "--time-limit", "1")
    assert shown["plainly"] == ("Somebody who is 50 % sure of a person's race, between any two of its values, is at most 52.5 % sure after seeing "
                                "what is released of that person; 10 % becomes at most 11.0 %.")
    assert shown["verdict"].startswith("Good for shares, by fugu estimate") or shown["verdict"].startswith("Of little use")
    assert any("believes that values occur as often, given each secret, as this table says" in sentence for sentence in shown["covered"])
    assert re.search(r"\d+\.\d % of the values stay unchanged\.", shown["costs"][0])
    assert any(sentence.startswith("Decisions about one person: about ") for sentence in shown["bad_for"])
    assert {"epsilon", "secret", "noise"} <= {term for term, _ in shown["terms"]}


@pytest.mark.parametrize("public", [False, True])
def test_whoever_knows_the_exact_counts_is_not_covered(fugu, public):
    """Covered is somebody who believes the frequencies. Known counts make rows depend on each other, unless nothing is changed; where rows
    trade places the plan's assumptions say so, too."""
    rows = [f"{'FM'[k % 2]},{'abc'[k * k % 7 % 3]},{'xyz'[k % 3]}" for k in range(300)]
    fugu.write("t.csv", "sex,job,place\n" + "\n".join(rows) + "\n")
    flags = ["--public"] if public else ["--time-limit", "1"]
    for released, method, limit, assumed, value in (("job", "swap", True, True, False), ("job,place", "swap", True, True, True),
                                                    ("job", "exact", False, False, False), ("job", "sensitivity", True, False, False)):
        fugu.ok("calibrate", "t.csv", "--secret", "sex", "--public", released, "--method", method, "--epsilon", "0.3", "-o", "plan.json", "--force")
        shown = numbers(fugu, "plan.json", *flags)
        assert not any("knows how often" in sentence for sentence in shown["covered"])
        assert any("knows this table's exact counts" in sentence for sentence in shown["not_promised"]) == limit
        assert any("true value in a released column" in sentence for sentence in shown["not_promised"]) == value
        assert any("this table's exact counts" in sentence for sentence in shown["assumptions"]) == assumed


def test_of_rows_that_trade_places_no_noise_and_no_exact_share_is_spoken_of(fugu):
    rows = [f"{'FM'[k % 2]},{'abc'[k % 5 % (2 + k % 2)]},{'xyz'[k % 3]}" for k in range(300)]
    fugu.write("t.csv", "sex,job,place\n" + "\n".join(rows) + "\n")
    fugu.ok("calibrate", "t.csv", "--secret", "sex", "--public", "job,place", "--method", "swap", "--epsilon", "0.3", "-o", "plan.json")
    assert numbers(fugu, "plan.json", "--public")["question"] == (
        "job, place will be released; sex must stay secret. How much must change to hide sex, at epsilon 0.3?")
    fugu.ok("report", "plan.json", "--public", "-o", "public.html")
    page = (fugu.folder / "public.html").read_text()
    assert re.search(r"At least \d+\s% of the rows stay unchanged, on average; the others trade places", page)


def test_a_public_report_does_not_call_numbers_with_noise_good_for_shares(fugu):
    """How well shares are estimated depends on how far the values spread, which no statement tells."""
    rows = [f"{'ab'[k % 2]},{k * 37 % 1000 + 40 * (k % 2)}" for k in range(2000)]
    fugu.write("t.csv", "\n".join(["s,v", *rows, ""]))
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "v", "--rows-independent", "--method", "exact", "--epsilon", "0.1", "-o", "plan.json")
    for flags in (["--public"], ["--time-limit", "1"]):
        verdict = numbers(fugu, "plan.json", *flags)["verdict"]
        assert "how well fugu estimate finds shares is not known beforehand" in verdict and "for shares" not in verdict


def test_what_is_said_of_known_columns_ends_where_groups_are_small(fugu):
    rows = [f"{'FM'[k % 2]},{place},{'abc'[k * k % 7 % 3]}" for place in ("north", "south") for k in range(100)]
    ask = ["--secret", "sex", "--known", "region", "--public", "job", "--epsilon", "0.3", "--force"]
    fugu.write("large.csv", "sex,region,job\n" + "\n".join(rows) + "\n")
    fugu.write("left_out.csv", "sex,region,job\n" + "\n".join(rows + [f"{'FM'[k % 2]},village,{'abc'[k % 3]}" for k in range(8)]) + "\n")
    fugu.write("small.csv", "sex,region,job\n" + "\n".join(rows + [f"{'FM'[k % 2]},village{k % 12 // 2},{'abc'[k % 3]}" for k in range(72)]) + "\n")
    for flags in (["--time-limit", "1"], ["--public"]):
        for table, said in (("large.csv", "which the release shows unchanged."), ("left_out.csv", "in the groups that were large enough"), ("small.csv", "in the groups that were large enough")):
            fugu.ok("calibrate", table, *ask, "-o", "plan.json")
            known = [words for words in numbers(fugu, "plan.json", *flags)["covered"] if "region" in words]
            assert len(known) == 1 and said in known[0], known


def test_nobody_is_called_protected_whom_the_promise_leaves_out(fugu):
    """Rows may be left out, pairs may be listed, and of a frequent secret a promise in belief says nothing."""
    three = scenario(names=("a", "b", "c"))
    three["priors"][0]["given"] = {name: {"values": [1, 2, 3], "mass": mass} for name, mass in (("a", A), ("b", B), ("c", [40, 50, 60]))}

    def covered(*flags):
        return numbers(fugu, plan(fugu, "--force", *flags, of=three), "--public")["covered"][0]

    assert covered() == "Every person whose row is released is protected, over that one row."
    assert covered("--pairs", "a:b") == "Every person whose row is released and whose secret is in a listed pair is protected, over that one row."
    assert covered("--promise", "belief", "--shares", "a=0.96,b=0.02,c=0.02") == (
        "Every person whose row is released is protected, over that one row; but of 'a' the promise does not say how sure anybody may become.")


def test_what_was_proved_is_what_was_promised(fugu):
    """With budgets of their own the tightest pair is not that of the largest loss; a promise in belief is not about odds; a delta is no loss."""
    three = scenario(names=("a", "b", "c"))
    three["priors"][0]["given"] = {name: {"values": [1, 2, 3], "mass": mass} for name, mass in (("a", [50, 30, 20]), ("b", [30, 40, 30]), ("c", [45, 30, 25]))}

    def proved(*flags):
        name = plan(fugu, "--force", *flags, of=three)
        words = next(words for words in numbers(fugu, name, "--time-limit", "1")["promised"] if "prove" in words)
        line = re.search(r"^  loss +(.*(?:\n {13}.*)*)", fugu.ok("verify", name), re.M).group(1)
        return words, " ".join(line.split())

    plain = proved("--epsilon", "0.1")
    assert plain[0].startswith("The loss, by how much a released value can change the odds, as a power of e, is proved to be at most 0.1; largest between a and b at")
    assert plain[1].startswith("at most 0.1; largest between a and b at output")
    # Here a and b may lose 0.4, and a and c 0.02: the second takes most of its budget.
    own = proved("--epsilon", "a:c=0.02,*=0.4")
    assert own[0].startswith("It is proved that every budget is kept; tightest between c and a at output 3") and "largest" not in "".join(own)
    assert re.match(r"every budget is kept; tightest between c and a at output 3 \(\w+\): at most 0\.02$", own[1]), own[1]
    for flags, said in ((["belief"], "for b at output"), (["belief-both"], "for ")):
        belief = proved("--epsilon", "0.1", "--promise", *flags, "--shares", "a=0.4,b=0.3,c=0.3")
        assert "in how sure somebody is; largest " + said in belief[0] and "odds" not in belief[0] and "(all)" not in belief[0]
        assert "in how sure somebody is; largest " + said in belief[1]
    delta = proved("--epsilon", "0.1", "--delta", "0.01", "--noise", "gaussian")
    assert delta[0].startswith("The probabilities of released values under two secrets are proved to differ beyond e^epsilon by at most 0.01 in all; largest")


@pytest.mark.parametrize("method", ["exact", "swap", "channel", "sensitivity"])
def test_every_release_assumes_that_the_order_of_its_rows_says_nothing(fugu, method):
    rows = [f"{'FM'[k % 2]},{'abc'[k * k % 7 % 3]}" for k in range(300)]
    table = fugu.write("t.csv", "sex,job\n" + "\n".join(rows) + "\n")
    order = "Unless the rows were released in random order, their order is assumed to say nothing of them."
    fugu.ok("release", table, "--secret", "sex", "--public", "job", "--epsilon", "0.3", "--method", method, "-o", "o.csv")
    fugu.ok("statement", "o.csv.plan.json", "-o", "statement.json")
    read = lambda name: json.loads((fugu.folder / name).read_text())
    for statement in (read("statement.json"), read("o.csv.receipt.json")["statement"], numbers(fugu, "o.csv.plan.json", "--public")):
        assert statement["assumptions"].count(order) == 1 and statement["statement"].count(order) == 1


def test_the_words_are_those_of_the_promise(fugu):
    """Odds stay within e^epsilon without a delta and in odds alone; a secret that is released is written."""
    def terms(*flags, **how):
        return dict(numbers(fugu, plan(fugu, "--force", *flags, **how), "--public")["terms"])

    plain, delta, belief = terms(), terms("--delta", "0.01", "--noise", "gaussian"), terms("--promise", "belief")
    assert "odds" in plain["epsilon"] and "never exceeds epsilon" in plain["loss"] and "never written" in plain["secret"]
    assert "plus delta" in delta["epsilon"] and "may exceed epsilon" in delta["loss"]
    assert "odds" not in belief["epsilon"] and "odds" not in belief["loss"]
    released = scenario(secret="job", names=("clerk", "cook"))
    released["priors"][0]["given"] = {name: {"values": [value], "mass": [400]} for value, name in ((1, "clerk"), (2, "cook"))}
    assert "never written" not in terms("--method", "swap", of=released)["secret"]


@pytest.mark.parametrize(("method", "state"), [("exact", "found"), ("channel", "least"), ("swap", "least")])
def test_what_is_known_to_be_the_least_is_told_apart(fugu, method, state):
    search = numbers(fugu, plan(fugu, "--method", method), "--time-limit", "1")["search"]
    assert search["state"] == state and search["text"]


@pytest.mark.parametrize("public", [False, True])
def test_what_was_made_coarser_is_a_cost(fugu, public):
    """Figures are about bins: the page says so before them, and means are not called those of the values."""
    rows = [f"{s},{x}" for s in "ab" for x in range(20, 60) for _ in range(2 + (x % 3 if s == "a" else 1))]
    table = fugu.write("people.csv", "s,age\n" + "\n".join(rows) + "\n")
    fugu.ok("calibrate", table, "--secret", "s", "--public", "age", "--bin", "10", "--clip", "20:59", "--epsilon", "0.1", "-o", "binned.json")
    shown = numbers(fugu, "binned.json", *(["--public"] if public else ["--time-limit", "1"]))
    assert shown["costs"][0].startswith("First, age was made coarser for everybody")
    assert any(sentence == "Exact values of age: they were made coarser for everybody." for sentence in shown["bad_for"])
    assert not any("nothing was changed" in sentence for sentence in shown["good_for"])
