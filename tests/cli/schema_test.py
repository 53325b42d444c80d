"""docs/schema says what fugu's files are: every file that the program writes in these tests is held against it (conftest.py), and
each schema refuses what is none."""
import copy
import json

import pytest

import schemas
from conftest import ROOT, Runner

TABLE = "s,x,y,g,c,d,w,p\n" + "".join(f"{s},{k % 7 + d},{k % 3},{'uv'[k % 2]},{'pqr'[(k + d) % 3]},2024-01-{k % 28 + 1:02d},{k % 4 + 1},q{k}\n"
                                       for k in range(120) for d, s in enumerate("ab"))
ASK = ["t.csv", "--secret", "s", "--epsilon", "0.5"]
CHAIN = {"states": ["0", "1"], "chains": [{"name": "c", "transition": [[0.9, 0.1], ["1/5", "4/5"]], "start": "stationary"}]}
LAWS = {"epsilon": 0.5, "lattice": {"step": 5, "origin": 0}, "source": {"secret": ["s"], "public": ["x"], "clip": [0, 100]},
        "priors": [{"given": {"a": {"gaussian": {"mean": 40, "sd": 10}},
                              "b": {"mixture": [{"weight": 1, "gaussian": {"mean": 45, "sd": 10}}]}}}]}
PLANS = {
    "numbers": ["calibrate", *ASK, "--public", "x"],
    "categories": ["calibrate", *ASK, "--public", "c"],
    "several columns": ["calibrate", *ASK, "--public", "x,c", "--step", "1"],
    "groups": ["calibrate", *ASK, "--public", "x", "--given", "g"],
    "confidence": ["calibrate", *ASK, "--public", "x", "--confidence", "0.95", "--clip", "0:7", "--step", "1"],
    "closeness and bins": ["calibrate", *ASK, "--public", "x", "--closeness", "0.05", "--bin", "2"],
    "edges": ["calibrate", *ASK, "--public", "x", "--bin-edges", "2,4", "--missing", "drop", "--na", "?"],
    "gaussian": ["calibrate", *ASK, "--public", "x", "--noise", "gaussian", "--delta", "0.01"],
    "optimal": ["calibrate", *ASK, "--public", "x", "--method", "optimal", "--loss", "absolute"],
    "channel": ["calibrate", *ASK, "--public", "c", "--method", "channel"],
    "a table of losses": ["calibrate", *ASK, "--public", "c", "--method", "channel", "--loss", "loss.csv"],
    "dates": ["calibrate", *ASK, "--public", "d", "--date-unit", "week", "--clip", "2024-01-03:2024-02-01"],
    "edges of dates": ["calibrate", *ASK, "--public", "d", "--bin-edges", "2024-01-10"],
    "a map": ["calibrate", *ASK, "--public", "c", "--map", "c=map.csv", "--map-rest", "Other"],
    "several shapes": ["calibrate", *ASK, "--public", "x,c,d", "--bin", "x=2", "--merge-rare", "c=5", "--map", "c=map.csv", "--map-rest", "c=Other"],
    "a person": ["calibrate", *ASK, "--public", "x", "--person", "p"],
    "weights": ["calibrate", *ASK, "--public", "x", "--weight", "w"],
    "people of a row": ["calibrate", *ASK, "--public", "x", "--count", "w"],
    "a range": ["calibrate", *ASK, "--public", "x", "--range", "clamp"],
    "users": ["count", "--users", "25", "--p", "0.7", "--epsilon", "0.5"],
    "a chain": ["chain", "--matrix", "chain.json", "--length", "20", "--state", "1", "--epsilon", "1"],
    "laws": ["calibrate", "--scenario", "laws.json"],
}


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    fugu = Runner(tmp_path_factory.mktemp("plans"))
    fugu.write("t.csv", TABLE)
    fugu.write("chain.json", json.dumps(CHAIN))
    fugu.write("map.csv", "from,to\np,P\nq,Q\n")
    fugu.write("laws.json", json.dumps(LAWS))
    fugu.write("loss.csv", ",p,q,r\np,0,1,2\nq,1,0,1\nr,2,1,0\n")
    for number, words in enumerate(PLANS.values()):
        done = fugu(*words, "-o", f"{number}.json")
        assert done.status == 0, done
        done = fugu("statement", f"{number}.json", "-o", f"{number}.statement.json", "--publish-min", "1")
        assert done.status == 0, done
    return fugu


def test_plans_and_statements_of_every_kind_are_held(plans):
    assert plans.held == ["plan", "statement"] * len(PLANS)


def test_scenarios_receipts_and_jobs_are_held(fugu):
    fugu.write("t.csv", TABLE)
    fugu.ok("demo")
    assert sorted(fugu.held) == ["job", "plan", "receipt", "scenario", "statement"]
    fugu.ok("release", *ASK, "--public", "x", "-o", "out.csv", "--ledger", "l.db", "--dataset", "d", "--budget", "1", "--values-unchanged")
    assert sorted(fugu.held[5:]) == ["plan", "receipt"]
    draft = json.loads(fugu.ok("inspect", "t.csv", "--job", "--secret", "s", "--public", "x"))
    assert schemas.kind_of(draft) == "job" and schemas.wrong_with(draft, "job") == ""
    assert schemas.wrong_with(LAWS, "scenario") == ""


def test_files_that_the_documents_show_are_held():
    shown = {}
    for page in ("formats.md", "jobs.md"):
        for block in (ROOT / "docs" / page).read_text().split("```json\n")[1:]:
            try:
                document = json.loads(block.split("```")[0])
            except ValueError:
                continue  # several, or a part of one
            if kind := schemas.kind_of(document):
                assert schemas.wrong_with(document, kind) == ""
                shown[kind] = shown.get(kind, 0) + 1
    assert shown["scenario"] >= 3 and shown["job"] == 1


def faults(document, kind, path=()):
    """Copies with one member renamed, one more, or one of another type, wherever names are fixed."""
    place = document
    for key in path:
        place = place[key]
    free = path and (path[-1] in ("given", "columns", "dropped") or (len(path) > 1 and path[-2] == "dropped"))
    if isinstance(place, dict):
        if not (free and isinstance(place, dict) and kind in ("plan", "scenario", "job")):
            yield changed(document, path, {**place, "surplus": 1}), (*path, "surplus")
        for key, value in place.items():
            if key not in ("scale",):
                yield changed(document, (*path, key), {"another": ["type"]}), (*path, key)
            if isinstance(value, (dict, list)):
                yield from faults(document, kind, (*path, key))
    elif place and isinstance(place, list):
        yield changed(document, (*path, 0), {"another": ["type"]}), (*path, 0)


def changed(document, path, value):
    if not path:
        return value
    new = copy.deepcopy(document)
    place = new
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return new


JOB = {"format": "fugu-job", "version": 1, "table": {"file": "t.csv", "na": ["?"]}, "columns": {"s": {"role": "secret"}, "x": {"role": "public", "clip": [1, 2]}},
       "budget": {"epsilon": 0.5}, "outputs": {"release": "o.csv"}}


def test_schemas_refuse_what_is_wrong(plans, fugu):
    documents = [(json.loads((plans.folder / f"{number}.json").read_text()), "plan") for number in range(len(PLANS))]
    documents += [(json.loads((plans.folder / f"{number}.statement.json").read_text()), "statement") for number in range(len(PLANS))]
    documents += [(document["scenario"], "scenario") for document, kind in documents if kind == "plan" and "scenario" in document]
    documents.append((JOB, "job"))
    fugu.write("t.csv", TABLE)
    fugu.ok("release", *ASK, "--public", "x", "-o", "out.csv")
    documents.append((json.loads((fugu.folder / "out.csv.receipt.json").read_text()), "receipt"))
    planted = 0
    for document, kind in documents:
        assert schemas.wrong_with(document, kind) == ""
        for fault, path in faults(document, kind):
            assert schemas.wrong_with(fault, kind) != "", (kind, path)
            planted += 1
        for key in document:
            if key in schemas.schema(kind)["required"]:
                assert schemas.wrong_with({name: value for name, value in document.items() if name != key}, kind) != "", key
    assert planted > 500


def test_a_file_that_is_not_as_its_schema_says_is_seen(fugu):
    before = schemas.state(fugu.folder)
    fugu.write("j.json", json.dumps({**JOB, "seed": 1}))
    with pytest.raises(AssertionError, match="j.json is not as docs/schema/job.schema.json says"):
        schemas.hold_new(before, fugu.folder)
    after = schemas.state(fugu.folder)
    fugu.write("other.json", "[1]")
    assert schemas.hold_new(after, fugu.folder) == [None]


@pytest.mark.parametrize("members, good", [
    ({"budget": {"epsilon": "1/2"}}, True), ({"budget": {"epsilon": [1]}}, False), ({"budget": {"epsilon": "half"}}, False),
    ({"table": {"header": False}}, True), ({"table": {"header": "no"}}, False), ({"table": {"na": []}}, False),
    ({"secrets": {"pairs": [["a", "b"]]}}, True), ({"secrets": {"pairs": [["a"]]}}, False), ({"secrets": {"pairs": "all"}}, True),
    ({"columns": {"a": {"role": "hidden"}}}, False), ({"columns": {"": {}}}, False), ({"columns": {"a": {}}}, True),
    ({"columns": {"a": {"role": "public", "bin_edges": [1, 2]}}}, True), ({"columns": {"a": {"role": "public", "clip": [1]}}}, False),
    ({"mechanism": {"noise_shares": [1, 2]}}, True), ({"mechanism": {"asymmetric": 1}}, False), ({"seed": 1}, False), ({"outputs": {"log": "x"}}, False),
    ({"version": 2}, False), ({"shape": {"kind": "a=code"}}, True), ({"secrets": {"priors": ["p.json"]}}, True), ({"secrets": {"priors": [1]}}, False),
])
def test_the_schema_of_jobs_and_their_reader_agree(fugu, members, good):
    """Whether the reader takes it: any complaint of its own has status 3 and comes before anything else is looked for."""
    document = {"format": "fugu-job", "version": 1, **members}
    assert (schemas.wrong_with(document, "job") == "") == good
    fugu.write("j.json", json.dumps(document))
    said = fugu.fails(3, "run", "j.json")
    assert ("j.json.table: no table is given" in said) == good, said
