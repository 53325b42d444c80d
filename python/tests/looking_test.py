"""What is looked at: HTML that is whole, escaped and says the core's words; pictures that show the core's numbers."""

import hashlib
import html.parser
import json
import math
import re
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pytest

import fugu

JOBS = {"white": {"clerk": 30, "cook": 20, "guard": 10}, "other": {"clerk": 20, "cook": 20, "guard": 30}}
HOURS = {"women": {20: 4, 38: 9, 40: 20, 60: 1}, "men": {20: 1, 38: 6, 40: 30, 60: 6}}
NASTY = '<script>alert("x")</script>'


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def jobs():
    return fugu.Scenario(JOBS, order=["clerk", "cook", "guard"], public="job")


@pytest.fixture(scope="module")
def plan(jobs):
    return fugu.calibrate(jobs, epsilon=0.5)


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


def test_laws_are_the_cores(jobs):
    ax = jobs.plot()
    column = jobs.laws()["columns"][0]
    for law, bars in zip(column["priors"][0]["secrets"], ax.containers):
        assert bars.get_label() == law["secret"]
        assert [bar.get_height() for bar in bars] == law["probabilities"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["clerk", "cook", "guard"]


def test_laws_go_onto_given_axes(jobs):
    _, ax = plt.subplots()
    assert jobs.plot(ax=ax) is ax
    assert len(plt.get_fignums()) == 1


def test_a_belief_or_column_that_is_not_there_is_named(jobs):
    with pytest.raises(fugu.UsageError, match="no prior 'mine'"):
        jobs.plot(prior="mine")
    with pytest.raises(fugu.UsageError, match="no column 'pay'"):
        jobs.plot(column="pay")


def panels(figure):
    return {ax.get_title(loc="left"): ax for ax in figure.axes}


def test_a_plan_has_four_panels_with_the_cores_numbers(plan):
    there = panels(plan.plot())
    before, far, given, noise = (there[name] for name in
                                 ("Before any noise", "The two secrets farthest apart", "What a released value gives away", "The noise"))
    loss = plan.loss_curve()
    outputs = loss["columns"][0]["outputs"]
    assert [bar.get_height() for bar in given.containers[0]] == [output["loss"] for output in outputs]
    lines = {line.get_label(): line for line in given.get_lines()}
    assert list(lines["budget: 0.5"].get_ydata()) == [0.5, 0.5]
    star = next(line for label, line in lines.items() if label.startswith("witness"))
    place = [output["output"] for output in outputs].index(loss["witness"]["output"])
    assert (list(star.get_xdata()), list(star.get_ydata())) == ([place], [outputs[place]["loss"]])
    points = plan.picture(public=True)["noise"]["columns"][0]["points"]
    assert [bar.get_height() for bar in noise.containers[0]] == [chance for _, chance in points]
    cells = plan.scenario.transport()["cells"]
    mass = far.get_images()[0].get_array()
    drawn = {(x, y): mass[y, x] for y in range(3) for x in range(3) if not math.isnan(mass.filled(math.nan)[y, x])}
    assert drawn == {(cell["from"], cell["to"]): cell["mass"] for cell in cells}
    assert len(far.patches) == sum(bool(cell.get("farthest")) for cell in cells) > 0
    assert len(before.containers) == 2


def test_several_columns_have_a_row_each():
    rows = [(s, a, b) for s in "xy" for a in (1, 2) for b in (1, 2, 3) for _ in range(a + b if s == "x" else 6 - b)]
    assert {row[0] for row in rows} == {"x", "y"}
    table = {"who": [r[0] for r in rows], "a": [r[1] for r in rows], "b": [r[2] for r in rows]}
    figure = fugu.calibrate(fugu.Scenario.from_table(table, secret="who", public=["a", "b"]), epsilon=0.1).plot()
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles.count("Before any noise") == titles.count("What a released value gives away") == titles.count("The noise") == 2
    assert "The two secrets farthest apart" not in titles


def test_a_channel_a_delta_and_no_noise_have_their_own_panels(jobs):
    assert "The channel" in panels(fugu.calibrate(jobs, epsilon=0.5, method="channel").plot())
    hours = fugu.Scenario(HOURS)
    spent = panels(fugu.calibrate(hours, epsilon=0.5, delta="1e-4", noise="gaussian").plot())
    assert "Where delta is spent" in spent
    alike = fugu.calibrate(fugu.Scenario({"a": {1: 1, 2: 1}, "b": {1: 1, 2: 1}}), epsilon=0.5).plot()
    assert any("No noise is needed" in text.get_text().replace("\n", " ") for ax in alike.axes for text in ax.texts)


def test_models_show_their_noise():
    assert list(panels(fugu.count(users=25, p=0.7, epsilon=1).plot())) == ["The noise"]
    page = Page(fugu.count(users=25, p=0.7, epsilon=1)._repr_html_())
    assert "73.2 %" in page.text


def test_errors_are_drawn_against_epsilon(jobs):
    compared = fugu.compare(jobs, epsilon=0.5)
    curve = compared.error_curve(seconds=5)
    ax = compared.plot(seconds=5)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    lines = {line.get_label().split(":")[0].removesuffix(" (baseline)"): line for line in ax.get_lines()}
    for method in curve["methods"]:
        shown = [(point["epsilon"], point["rms"]) for point in method["points"] if point["rms"] > 0]
        drawn = list(zip(*lines[method["method"]].get_data()))
        if method["method"] not in ("optimal", "channel"):  # found in time in one and not in the other, perhaps
            assert drawn == shown
    assert list(lines["epsilon 0.5"].get_xdata()) == [0.5, 0.5]


def test_long_odd_and_many_names_fit(tmp_path):
    names = ["$x$ costs $5", "_hidden", "a name that is far too long to be read on an axis", *(f"kind {k}" for k in range(60))]
    laws = {secret: {name: 1 + (7 * k + place) % 5 for place, name in enumerate(names)} for k, secret in enumerate(["_a", "$b$"])}
    figure = fugu.calibrate(fugu.Scenario(laws, order=names), epsilon=1, method="kantorovich").plot()
    figure.savefig(tmp_path / "x.png")
    ax = panels(figure)["Before any noise"]
    labels = [text.get_text() for text in ax.get_xticklabels()]
    assert max(map(len, labels)) <= 20 and len(labels) <= 32
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {" _a", r"\$b\$"}


def test_many_secrets_leave_the_worst_two(jobs):
    laws = {f"group {k:02}": {value: 1 + (k * value) % 7 for value in range(1, 12)} for k in range(20)}
    scenario = fugu.Scenario(laws)
    shown = {text.get_text() for text in scenario.plot().get_legend().get_texts()}
    assert shown == {"18 others", *scenario.transport()["pair"]}


WITHOUT = """
import sys
sys.modules["matplotlib"] = None
import fugu
plan = fugu.calibrate(fugu.Scenario({"a": {0: 1, 1: 2}, "b": {0: 2, 1: 1}}), epsilon=0.5)
plan._repr_html_()
try:
    plan.plot()
except fugu.UsageError as error:
    print(error)
"""


def test_without_matplotlib_plots_say_so_and_html_works():
    said = subprocess.run([sys.executable, "-I", "-B", "-c", WITHOUT], capture_output=True, text=True, check=True).stdout
    assert said == "plots are drawn with matplotlib, which is not installed\nhint: pip install matplotlib\n"


def test_importing_fugu_imports_no_matplotlib():
    done = subprocess.run([sys.executable, "-I", "-B", "-c", "import fugu, sys; print('matplotlib' in sys.modules)"],
                          capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_public_picture_is_the_programs(plan, program, tmp_path):
    (tmp_path / "plan.json").write_text(plan.to_json())
    said = subprocess.run([program, "report", tmp_path / "plan.json", "--public", "--format", "json"],
                          capture_output=True, text=True)
    if said.returncode == 2:
        pytest.skip("this program has no report as JSON")
    assert json.loads(said.stdout) == plan.picture(public=True)
