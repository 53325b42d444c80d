"""The demo tells the paper's story, and the commands it shows do what it did."""
import json
import os
import re
import stat
import subprocess
import xml.etree.ElementTree

from conftest import PROGRAM, ROOT

FILES = ["adult-occupation.csv", "compare.txt", "figure.svg", "job.json", "plan.json", "scenario.json", "statement.json"]
DRAWN = ["released.csv", "released.csv.receipt.json"]
PAPER = ROOT / "tests" / "data" / "paper.json"


def test_demo_writes_its_files(demo):
    folder = demo.folder / "fugu-demo"
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES + DRAWN)
    assert stat.S_IMODE((folder / "plan.json").stat().st_mode) == 0o600
    rows = (folder / "adult-occupation.csv").read_text().splitlines()
    assert rows[0] == "race,occupation" and len(rows) == 1 + 28856
    released = (folder / "released.csv").read_text().splitlines()
    assert released[0] == "occupation" and len(released) == 1 + 28856
    assert set(released[1:]) <= {row.split(",", 1)[1] for row in rows[1:]}


def test_the_table_is_the_paper_s(demo):
    adult = json.loads(PAPER.read_text())["adult"]
    given = json.loads((demo.folder / "fugu-demo" / "scenario.json").read_text())["priors"][0]["given"]
    assert {race: entry["mass"] for race, entry in given.items()} == adult["counts"]
    for entry in json.loads(demo.ok("compare", "--scenario", "fugu-demo/scenario.json", "--format", "json", "--epsilon",
                                    ",".join(str(row["epsilon"]) for row in adult["laplace_variance"])))["comparisons"]:
        wanted = next(row for row in adult["laplace_variance"] if row["epsilon"] == entry["epsilon"])
        scale = {row["method"]: row["scale"] for row in entry["candidates"]}
        assert abs(2 * scale["kantorovich"] ** 2 / wanted["theorem1"] - 1) < 1e-12
        assert abs(2 * scale["relaxed"] ** 2 / wanted["theorem2"] - 1) < 1e-12


def test_the_story(demo):
    compared = (demo.folder / "fugu-demo" / "compare.txt").read_text()
    for epsilon in ("0.1", "0.3", "0.5", "0.8"):
        assert f"\nepsilon {epsilon}: a 50 % belief" in compared
        assert re.search(rf"^  {epsilon} +[0-9.]+ +[0-9.]+ +[0-9.]+$", demo.said, re.M)
    assert "No noise is needed at epsilon 0.8" in compared and "e^0.759." in compared
    assert "The plan is proved" in demo.said
    assert len(demo.said.splitlines()) <= 42


def test_the_commands_it_shows(demo):
    """Each command line in the story runs in a shell; the first ones print what the story shows in short, or keeps in a file."""
    parts = re.split(r"^   \$ ", demo.said.replace("\\\n", " "), flags=re.M)[1:]
    assert len(parts) == 8
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    for number, part in enumerate(parts):
        line, told = part.split("\n", 1)
        done = subprocess.run(["sh", "-c", line], cwd=demo.folder, capture_output=True, text=True,
                              env={**os.environ, "PATH": path}, timeout=60)
        assert done.returncode == 0, done
        if number == 0:
            assert done.stdout == (demo.folder / "fugu-demo" / "compare.txt").read_text()
        if number in (1, 2):
            said = " ".join(done.stdout.split())
            assert [text for text in told.splitlines() if text.strip() and text.split(": ", 1)[-1].strip() in said], (said, told)


def test_the_figure_is_a_drawing_with_a_line_for_each_method(demo):
    text = (demo.folder / "fugu-demo" / "figure.svg").read_text()
    root = xml.etree.ElementTree.fromstring(text)
    space = "{http://www.w3.org/2000/svg}"
    assert len(list(root.iter(space + "polyline"))) == 7
    words = [element.text for element in root.iter(space + "text")]
    for word in ("kantorovich", "relaxed", "harmonic", "sharp", "exact", "optimal", "channel"):
        assert any(text and text.startswith(word) for text in words)
    assert "href" not in text and "nan" not in text


def test_demo_is_the_same_every_time(demo, tmp_path):
    subprocess.run([PROGRAM, "demo", "--dir", tmp_path / "again"], check=True, capture_output=True)
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (demo.folder / "fugu-demo" / name).read_bytes()


def test_existing_files_are_kept(fugu):
    (fugu.folder / "d").mkdir()
    (fugu.folder / "d" / "figure.svg").write_text("mine")
    fugu.fails(2, "demo", "--dir", "d", says=["figure.svg", "--force"])
    assert sorted(path.name for path in (fugu.folder / "d").iterdir()) == ["figure.svg"]
    fugu.ok("demo", "--dir", "d", "--force")
    assert (fugu.folder / "d" / "figure.svg").read_text() != "mine"


def test_a_folder_that_cannot_be_made(fugu):
    fugu.write("file", "")
    fugu.fails(5, "demo", "--dir", "file/sub", says="file/sub")
