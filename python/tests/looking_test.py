"""What is looked at: HTML that is whole, escaped and says the core's words; pictures that show the core's numbers."""

import hashlib
import html.parser
import json
import re
import stat
import subprocess
import xml.etree.ElementTree

import pytest

import fugu

JOBS = {"white": {"clerk": 30, "cook": 20, "guard": 10}, "other": {"clerk": 20, "cook": 20, "guard": 30}}
HOURS = {"women": {20: 4, 38: 9, 40: 20, 60: 1}, "men": {20: 1, 38: 6, 40: 30, 60: 6}}
NASTY = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def jobs():
    return fugu.Scenario(JOBS, order=["clerk", "cook", "guard"], public="job")


@pytest.fixture(scope="module")
def plan(jobs):
    return fugu.calibrate(jobs, epsilon=0.5, method="exact")


class Page(html.parser.HTMLParser):
    """Tags that are opened and closed in order, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.attributes = [], [], "", []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += [name for name, _ in attributes]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_a_plan_says_its_promise_in_the_words_of_the_core(plan):
    page = Page(plan._repr_html_())
    public = plan.picture(public=True)
    assert public["public"] is True
    for words in [public["title"], public["promise"], *public["assumptions"], *(text for _, text in public["facts"])]:
        assert words in page.text
    assert "62.3 %" in page.text


def test_a_plan_shows_no_more_than_may_be_published():
    plan = fugu.calibrate(fugu.Scenario({"yes": {0: 70001, 1: 29999}, "no": {0: 39989, 1: 60011}}), epsilon=0.5)
    shown = plan._repr_html_()
    for count in (70001, 29999, 39989, 60011):
        assert str(count) in plan.to_json() and str(count) not in shown
    witness = plan.loss_curve()["witness"]
    assert not {"laws", "transport", "loss", "error"} & set(plan.picture(public=True))
    assert str(witness["loss"]) not in shown


def test_a_plan_that_does_not_verify_says_so(plan):
    forged = fugu.Plan.from_json(with_less_noise(plan))
    with pytest.raises(fugu.GuaranteeError):
        forged.verify()
    page = Page(forged._repr_html_())
    assert "does not hold" in page.text
    assert plan.picture(public=True)["promise"] not in page.text
    with pytest.raises(fugu.GuaranteeError):
        forged.plot()


def with_less_noise(plan):
    """The plan with a stronger promise than its noise keeps, and a digest that fits."""
    data = json.loads(plan.to_json(), parse_float=Literal, parse_int=Literal)
    data["scenario"]["epsilon"] = data["guarantee"]["epsilon"] = Literal("0.25")
    bare = {key: value for key, value in data.items() if key != "digest"}
    data["digest"] = "sha256:" + hashlib.sha256(canonical(bare).encode()).hexdigest()
    return canonical(data)


class Literal(str):
    """A number as it is written."""


def canonical(value):
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def test_html_is_escaped_and_has_no_scripts():
    scenario = fugu.Scenario({NASTY: {"a<b": 3, "c": 1}, "B&B": {"a<b": 1, "c": 3}}, public=NASTY)
    plan = fugu.calibrate(scenario, epsilon=0.5)
    for shown in (scenario, fugu.compare(scenario, epsilon=0.5), plan):
        page = Page(shown._repr_html_())
        assert "script" not in page.tags
        assert not [name for name in page.attributes if name.startswith("on")]
        assert not re.search(r"https?:|url\(", shown._repr_html_())
    assert "B&B" in Page(scenario._repr_html_()).text


def test_a_question_shows_its_facts(jobs):
    page, facts = Page(jobs._repr_html_()), jobs.facts()
    for name in ("secrets", "values", "pairs"):
        assert re.search(rf"{name}[^\d]*{facts[name]}", page.text, re.IGNORECASE), name
    assert "between other and white" in page.text or "between white and other" in page.text


def test_a_comparison_shows_every_candidate_at_every_epsilon(jobs):
    compared = fugu.compare(jobs, epsilon=[0.5, 1])
    page = Page(compared._repr_html_())
    assert page.tags.count("table") == 2
    assert page.tags.count("tr") == len(compared) + 2
    assert "62.3 %" in page.text and "73.2 %" in page.text


SPACE = "{http://www.w3.org/2000/svg}"


def drawing(svg):
    root = xml.etree.ElementTree.fromstring(svg)
    assert root.tag == SPACE + "svg" and "href" not in svg and "nan" not in svg
    return root


def words(svg):
    return {element.text for element in drawing(svg).iter(SPACE + "text")}


def titles(pictures):
    return [picture.title for picture in pictures]


def test_laws_are_the_cores(jobs):
    (picture,) = jobs.plot()
    assert picture.title == "What job says about secret"
    assert picture.numbers == jobs.laws()
    column = jobs.laws()["columns"][0]
    for law in column["priors"][0]["secrets"]:
        assert [float(row[law["secret"]].rstrip("\u00a0%")) for row in picture.table] == [round(100 * p, 1) for p in law["probabilities"]]
    assert {"clerk", "cook", "guard", "secret = white", "secret = other"} <= words(picture.svg)
    assert "They differ most at guard" in picture.text


def test_the_drawing_is_that_of_the_program(jobs, program, tmp_path):
    (tmp_path / "jobs.json").write_text(jobs.to_json())
    said = subprocess.run([program, "figure", "laws", "--scenario", tmp_path / "jobs.json"], capture_output=True, text=True, check=True)
    assert jobs.plot()[0].svg == said.stdout


def test_a_belief_is_chosen_by_its_name():
    scenario = fugu.Scenario(JOBS, priors={"few": {"white": JOBS["other"], "other": JOBS["white"]}}, order=["clerk", "cook", "guard"])
    assert titles(scenario.plot(prior="few")) == ["What value says about secret (prior few)"]
    assert scenario.plot(prior="few")[0].svg != scenario.plot(prior="given")[0].svg


def test_a_belief_or_column_that_is_not_there_is_named(jobs):
    with pytest.raises(fugu.UsageError, match="no prior 'mine'"):
        jobs.plot(prior="mine")
    with pytest.raises(fugu.UsageError, match="no column 'pay'"):
        jobs.plot(column="pay")


def test_a_plan_has_four_pictures_with_the_cores_numbers(plan):
    laws, transport, loss, noise = plan.plot()
    assert titles(plan.plot()) == [
        "What job says about secret", f"What it takes to turn {' into '.join(transport.numbers['pair'])}",
        "What each released value of job reveals", "The noise that is added to job"]
    assert laws.numbers == plan.scenario.laws() and transport.numbers == plan.scenario.transport()
    assert loss.numbers == plan.loss_curve() and noise.numbers == plan.picture(public=True)["noise"]
    assert len(loss.table) == len(loss.numbers["columns"][0]["outputs"]) and {"budget: 0.5"} <= words(loss.svg)
    assert len(transport.table) == len(transport.numbers["cells"])


def test_pictures_are_kept_as_one_drawing_or_each(plan, tmp_path):
    pictures = plan.plot()
    pictures.save(tmp_path / "plan.svg")
    root = drawing((tmp_path / "plan.svg").read_text())
    assert [one.find(SPACE + "title").text for one in root.findall(SPACE + "svg")] == titles(pictures)
    assert stat.S_IMODE((tmp_path / "plan.svg").stat().st_mode) == 0o600, "it shows what the table says"
    pictures[1].save(tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text() == pictures[1].svg
    with pytest.raises(fugu.Error, match="one.svg"):
        pictures[0].save(tmp_path / "one.svg")
    pictures[0].save(tmp_path / "one.svg", force=True)
    with pytest.raises(fugu.UsageError, match="pictures are SVG"):
        pictures.save(tmp_path / "plan.png")


def test_a_notebook_shows_the_drawing_and_its_words(plan):
    shown = plan.plot()[2]._repr_html_()
    page = Page(shown)
    assert page.tags[0] == "figure" and "svg" in page.tags and "script" not in page.tags
    assert "of the 0.5 that is allowed" in page.text
    assert plan.plot()._repr_html_().count("<figure") == 4


def test_several_columns_have_their_own():
    rows = [(s, a, b) for s in "xy" for a in (1, 2) for b in (1, 2, 3) for _ in range(a + b if s == "x" else 6 - b)]
    table = {"who": [r[0] for r in rows], "a": [r[1] for r in rows], "b": [r[2] for r in rows]}
    scenario = fugu.Scenario.from_table(table, secret="who", public=["a", "b"])
    pictures = fugu.calibrate(scenario, epsilon=0.1, method="exact").plot()
    assert titles(pictures) == [
        "What a says about who", "What b says about who", "What each released value of a reveals", "What each released value of b reveals",
        "The noise that is added to a", "The noise that is added to b"]
    assert "several columns" in pictures.notes[0]
    assert titles(scenario.plot(column="b")) == ["What b says about who"]


def test_a_channel_a_delta_and_no_noise_have_their_own_pictures(jobs):
    assert "What each job is replaced by" in titles(fugu.calibrate(jobs, epsilon=0.5, method="channel").plot())
    hours = fugu.Scenario(HOURS)
    assert "What each output adds beyond epsilon" in titles(fugu.calibrate(hours, epsilon=0.5, delta="1e-4", noise="gaussian").plot())
    alike = fugu.calibrate(fugu.Scenario({"a": {1: 1, 2: 1}, "b": {1: 1, 2: 1}}), epsilon=0.5).plot()
    assert alike.notes == ["No noise is added: the unchanged values keep the promise."]


def test_models_show_their_noise():
    assert titles(fugu.count(users=25, p=0.7, epsilon=1).plot()) == ["The noise that is added to released number"]
    page = Page(fugu.count(users=25, p=0.7, epsilon=1)._repr_html_())
    assert "73.2 %" in page.text


def test_errors_are_drawn_against_epsilon(jobs):
    compared = fugu.compare(jobs, epsilon=0.5)
    (picture,) = compared.plot(seconds=5)
    assert picture.title == "What each method costs" and "epsilon 0.5" in words(picture.svg)
    for method in picture.numbers["methods"]:
        there = {row["epsilon"] for row in picture.table if row[method["method"]] != "–"}
        assert len(there) == len(method["points"])


def test_odd_long_and_many_names_fit():
    names = [NASTY, "a name that is far too long to be read on an axis", *(f"kind {k}" for k in range(60))]
    laws = {secret: {name: 1 + (7 * k + place) % 5 for place, name in enumerate(names)} for k, secret in enumerate(["_a", "$b$"])}
    for picture in fugu.calibrate(fugu.Scenario(laws, order=names), epsilon=1, method="kantorovich").plot():
        assert max(len(text or "") for text in words(picture.svg)) < 90
        assert "<script" not in picture.svg


def test_many_secrets_leave_the_worst_two(jobs):
    laws = {f"group {k:02}": {value: 1 + (k * value) % 7 for value in range(1, 12)} for k in range(20)}
    scenario = fugu.Scenario(laws)
    shown = words(scenario.plot()[0].svg)
    assert {"18 others", *(f"secret = {name}" for name in scenario.transport()["pair"])} <= shown


def test_the_public_picture_is_the_programs(plan, program, tmp_path):
    (tmp_path / "plan.json").write_text(plan.to_json())
    said = subprocess.run([program, "report", tmp_path / "plan.json", "--public", "--format", "json"],
                          capture_output=True, text=True)
    if said.returncode == 2:
        pytest.skip("this program has no report as JSON")
    picture = json.loads(said.stdout)
    assert picture.pop("head")[-1][0] == "Made by"  # of the page, not of the plan
    assert picture == plan.picture(public=True)
