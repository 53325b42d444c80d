"""The paper's figures from the command line: their numbers, and that they are drawings."""
import json
import os
import stat
import subprocess
import xml.etree.ElementTree
from fractions import Fraction

import pytest

from conftest import PROGRAM, ROOT

PAPER = json.loads((ROOT / "tests" / "data" / "paper.json").read_text())
SPACE = "{http://www.w3.org/2000/svg}"
# The paper's Figure 2 has ten users with probabilities of their own, and does not print them.
TEN_USERS = [Fraction(k, 20) for k in (1, 3, 5, 8, 9, 11, 13, 15, 17, 19)]


def count_law(chances):
    """P(count = k) of independent users, exactly."""
    law = [Fraction(1)]
    for p in chances:
        law = [a * (1 - p) + b * p for a, b in zip([*law, Fraction(0)], [Fraction(0), *law])]
    return law


def entry(law, first=0):
    return {"values": list(range(first, first + len(law))), "mass": [str(mass) for mass in law]}


def count_scenario(chances):
    """A prior for each distinct user: the count given that the user is 0, is 1, or absent: the mixture of both."""
    priors = []
    for i, p in enumerate(chances):
        if p in chances[:i]:
            continue
        others = count_law(chances[:i] + chances[i + 1:])
        priors.append({"name": f"user {i + 1}",
                       "given": {"0": entry(others), "1": entry(others, 1), "absent": entry(count_law(chances))}})
    return {"priors": priors}


@pytest.fixture
def count(fugu):
    fugu.write("count.json", json.dumps(count_scenario([Fraction(7, 10)] * 25)))
    return "count.json"


def numbers(fugu, kind, *flags):
    return json.loads(fugu.ok("figure", kind, *flags, "--format", "json"))


def drawing(text):
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag == SPACE + "svg" and "href" not in text and "nan" not in text
    return root


def words(root):
    return [element.text for element in root.iter(SPACE + "text")]


def test_the_78_binomial_probabilities(fugu, count):
    found = numbers(fugu, "laws", "--scenario", count)
    assert found["prior"] == "user 1"
    checked = 0
    for law, name in zip(found["laws"], ("zero", "one", "absent")):
        mass = dict(zip(law["values"], law["mass"]))
        assert len(PAPER["binomial"][name]) == 26
        for x, wanted in enumerate(PAPER["binomial"][name]):
            assert mass.get(x, 0) == pytest.approx(wanted, rel=1e-12, abs=0)
            checked += 1
    assert checked == 78 and [law["secret"] for law in found["laws"]] == ["0", "1", "absent"]


def test_masses_are_right_to_the_last_digits_however_small(fugu):
    tiny = Fraction(1, 10**250)
    fugu.write("tiny.json", json.dumps({"priors": [{"name": "p", "given": {
        "a": {"values": [0, 1, 2], "mass": [str(tiny * tiny), str(Fraction(1, 7)), str(Fraction(6, 7) - tiny * tiny)]},
        "b": {"values": [0], "mass": [1]}}}]}))
    text = fugu.ok("figure", "laws", "--scenario", "tiny.json", "--format", "json")
    mass = json.loads(text, parse_float=Fraction)["laws"][0]["mass"]
    for found, wanted in zip(mass, (tiny * tiny, Fraction(1, 7), Fraction(6, 7) - tiny * tiny)):
        assert abs(Fraction(found) / wanted - 1) < Fraction(1, 10**15)


def test_plan_of_25_users(fugu, count):
    """Figure 1: from 0 to 1 all mass moves by one; from 0 to absent it stays or moves by one."""
    for pair, distances in (("0:1", {1}), ("0:absent", {0, 1})):
        found = numbers(fugu, "plan", "--scenario", count, "--pairs", pair)
        assert found["pair"] == pair.split(":") and found["w_inf"] == 1
        assert {to - x for x, to, _ in found["cells"]} == distances
        assert sum(mass for _, _, mass in found["cells"]) == pytest.approx(1, rel=1e-14)
        rows = {}
        for x, _, mass in found["cells"]:
            rows[x] = rows.get(x, 0) + mass
        for x in range(25):
            assert rows[x] == pytest.approx(PAPER["binomial"]["zero"][x], rel=1e-12, abs=0)


def test_plan_of_ten_users_under_each_belief(fugu):
    """Figure 2: users of their own probabilities, each of whom is a prior."""
    fugu.write("ten.json", json.dumps(count_scenario(TEN_USERS)))
    seen = set()
    for user in range(1, 11):
        found = numbers(fugu, "plan", "--scenario", "ten.json", "--pairs", "0:1", "--belief", f"user {user}")
        assert found["prior"] == f"user {user}" and {to - x for x, to, _ in found["cells"]} == {1}
        others = count_law(TEN_USERS[:user - 1] + TEN_USERS[user:])
        assert [mass for _, _, mass in found["cells"]] == pytest.approx([float(mass) for mass in others], rel=1e-14)
        seen.add(found["cells"][0][2])
    assert len(seen) == 10
    fugu.fails(2, "figure", "plan", "--scenario", "ten.json", "--pairs", "0:1", "--belief", "user 11", says="--belief")


def test_song_s_plans(fugu):
    for name, example in zip(("first", "second"), PAPER["examples"]):
        found = numbers(fugu, "plan", "--scenario", ROOT / "examples" / f"song-{name}.json")
        assert found["w_inf"] == example["w_inf"]
        assert [cell[:2] for cell in found["cells"]] == [cell[:2] for cell in example["plan"]]
        for cell, wanted in zip(found["cells"], example["plan"]):
            assert cell[2] == pytest.approx(float(Fraction(wanted[2])), rel=1e-15)


def test_the_paper_s_column(demo):
    """Figure 3: the conditional distributions and the plan; Figure 4: the variances of both theorems."""
    flags = ["--scenario", "fugu-demo/scenario.json"]
    adult = PAPER["adult"]
    for law in numbers(demo, "laws", *flags)["laws"]:
        assert law["labels"] == adult["labels"] and law["values"] == adult["values"]
        assert law["mass"] == pytest.approx(adult["printed"][law["secret"]], rel=1e-13)
    assert numbers(demo, "plan", *flags)["w_inf"] == adult["w_inf"]
    rows = adult["laplace_variance"]
    lines = numbers(demo, "error", *flags, "--epsilon", ",".join(str(row["epsilon"]) for row in rows))["lines"]
    for line, theorem in zip(lines, ("theorem1", "theorem2")):
        assert [point[0] for point in line["points"]] == [row["epsilon"] for row in rows]
        assert [point[1] for point in line["points"]] == pytest.approx([row[theorem] for row in rows], rel=1e-12)


def test_drawings(demo):
    flags = ["--scenario", "fugu-demo/scenario.json"]
    root = drawing(demo.ok("figure", "laws", *flags))
    assert {"race = White", "race = Asian-Pac-Islander", "Farming-fishing"} <= set(words(root))
    assert root.find(SPACE + "title").text == "What occupation says about race"
    assert "They differ most at" in root.find(SPACE + "desc").text
    assert len([rect for rect in root.iter(SPACE + "rect") if rect.get("fill") == "#0072b2"]) == 14 + 1
    root = drawing(demo.ok("figure", "plan", *flags))
    assert "occupation, race = White" in words(root) and "Sales" in words(root)
    root = drawing(demo.ok("figure", "error", *flags, "--epsilon", "0.1,0.3,0.5,1"))
    assert len(list(root.iter(SPACE + "polyline"))) == 7
    assert demo.ok("figure", "laws", *flags) == demo.ok("figure", "laws", *flags, "--epsilon", "3")


def test_a_figure_from_a_table_is_private(fugu, grades):
    flags = [grades, "--secret", "union", "--public", "grade"]
    said = fugu.ok("figure", "laws", *flags, "-o", "laws.svg")
    assert "owner only" in said
    assert stat.S_IMODE((fugu.folder / "laws.svg").stat().st_mode) == 0o600
    assert (fugu.folder / "laws.svg").read_text() == fugu.ok("figure", "laws", *flags)
    fugu.fails(2, "figure", "laws", *flags, "-o", "laws.svg", says="--force")
    fugu.ok("figure", "plan", *flags, "-o", "laws.svg", "--force", "--format", "json")
    drawing((fugu.folder / "laws.svg").read_text())


def test_error_with_delta_and_another_noise(demo):
    flags = ["--scenario", "fugu-demo/scenario.json", "--noise", "gaussian", "--delta", "1e-5", "--epsilon", "0.3,0.1,1.5,0.3"]
    lines = numbers(demo, "error", *flags)["lines"]
    assert [line["method"].split(":")[0] for line in lines] == ["theorem3a", "theorem3b", "kantorovich", "relaxed",
                                                               "exact", "optimal", "channel"]
    assert [point[0] for point in lines[0]["points"]] == [0.1, 0.3]  # theorem 3 (a) is for epsilon up to 1
    assert [point[0] for point in lines[1]["points"]] == [0.1, 0.3, 1.5]
    drawing(demo.ok("figure", "error", *flags))


def test_error_of_close_beliefs(fugu, grades):
    """Without --epsilon the points are those that the closeness leaves something of."""
    flags = [grades, "--secret", "union", "--public", "grade", "--closeness", "2.5", "--time-limit", "1"]
    points = [point[0] for point in numbers(fugu, "error", *flags)["lines"][0]["points"]]
    assert points == [5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8]


def many_secrets(secrets, values):
    rows = [f"s{s},{x}" for s in range(secrets) for x in range(values)]
    return "s,x\n" + "\n".join(rows) + "\n"


def test_bad_questions(fugu, grades, count):
    flags = [grades, "--secret", "union", "--public", "grade"]
    fugu.fails(2, "figure", "pie", *flags, says=["'pie'", "laws, plan, error"])
    fugu.fails(2, "figure", "laws", says="no table is given")
    fugu.fails(2, "figure", "plan", "--scenario", count, says=["3 pairs", "--pairs"])
    fugu.fails(2, "figure", "error", *flags, "--epsilon", "0.5", says="two points")
    fugu.write("same.csv", many_secrets(2, 3))
    fugu.fails(2, "figure", "error", "same.csv", "--secret", "s", "--public", "x", says="nothing to draw")
    fugu.fails(2, "figure", "error", *flags, "--belief", "empirical", says="--belief")
    fugu.fails(2, "figure", "laws", *flags, "--time-limit", "3", says="--time-limit")
    fugu.fails(2, "figure", "error", *flags, "--noise", "laplace,gaussian", says="--noise")
    fugu.fails(2, "figure", "laws", "--scenario", count, "-o", count, "--force", says="this is the input")
    question = ["--secret", "s", "--public", "x"]
    fugu.write("many.csv", many_secrets(50, 2))
    fugu.fails(2, "figure", "laws", "many.csv", *question, says=["50 secrets", "--pairs"])
    fugu.ok("figure", "laws", "many.csv", *question, "--pairs", "s1:s2,s2:s40")
    fugu.write("fine.csv", many_secrets(2, 10001))
    fugu.fails(2, "figure", "laws", "fine.csv", *question, says=["10001 values", "--step"])
    fugu.fails(2, "figure", "plan", "fine.csv", *question, says=["10001 cells", "--step"])
    fugu.ok("figure", "plan", "fine.csv", *question, "--step", "100")


def test_names_are_text_and_nothing_else(fugu):
    fugu.write("odd.csv", 's,x\n"<b>&""",<i>\n"<b>&""",\\u\nb,<i>\nb,"long long long long long long name"\n')
    for kind in ("laws", "plan"):
        root = drawing(fugu.ok("figure", kind, "odd.csv", "--secret", "s", "--public", "x"))
        assert any('<b>&"' in word for word in words(root)) and "<i>" in words(root)
        assert not {element.tag for element in root.iter()} & {SPACE + "b", SPACE + "i"}
        assert "long long long long lon…" in words(root)


def test_every_figure_of_the_paper_as_its_page_says(fugu):
    """The commands of docs/paper.md, run as they stand."""
    page = (ROOT / "docs" / "paper.md").read_text()
    commands = page[page.index("```sh\nfugu demo\n") + 6:]
    script = "set -e\n" + commands[:commands.index("```")]
    folder = fugu.folder / "bin"
    folder.mkdir()
    (folder / "fugu").symlink_to(PROGRAM)
    done = subprocess.run(["bash", "-c", script], cwd=fugu.folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    assert done.returncode == 0, done
    drawn = sorted(path.name for path in fugu.folder.glob("*.svg"))
    assert drawn == ["appendix.svg", "figure1a.svg", "figure1b.svg", "figure2.svg", "figure3a.svg", "figure3b.svg",
                     "figure4.svg"]
    # The scenario of fugu count is the one that was checked against the paper's numbers above.
    laws = json.loads(fugu.ok("figure", "laws", "--scenario", "users25.json", "--format", "json"))["laws"]
    for law, name in zip(laws, ["zero", "one", "absent"]):
        golden = [mass for mass in PAPER["binomial"][name] if mass > 0]
        assert [float(mass) for mass in law["mass"]] == pytest.approx(golden, rel=1e-12)


def test_several_columns_are_not_drawn(fugu):
    table = fugu.write("t.csv", "s,a,b\n" + "".join(f"{'xy'[k % 2]},{k % 3},{k % 5}\n" for k in range(60)))
    for kind in ["laws", "plan", "error"]:
        fugu.fails(2, "figure", kind, table, "--secret", "s", "--public", "a,b", says="one column")
