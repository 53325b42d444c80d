"""The program answers as it did when tests/corpus/digests.json was written: a change of an answer is meant, and named."""
import json
import sys

from conftest import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "tests" / "corpus"))
import cases  # noqa: E402


def test_every_answer_is_the_one_that_was_kept(tmp_path):
    kept = json.loads((ROOT / "tests" / "corpus" / "digests.json").read_text())
    found = cases.digests(PROGRAM, tmp_path)
    assert {name for name in kept.keys() | found.keys() if kept.get(name) != found.get(name)} == set()


def test_every_question_is_answered_and_a_changed_answer_is_seen(tmp_path):
    corpus = cases.Corpus(PROGRAM, tmp_path)
    assert len(cases.cases()) >= 200
    for name in ("calibrate people.csv --secret race --public job --method exact --epsilon 0.5",
                 "calibrate people.csv --secret race --public job --method optimal --epsilon 0.5"):
        plan = corpus.answer(name)
        digest = cases.digest(name, plan)
        plan["mechanism"]["mse"] *= 1.001
        assert cases.digest(name, plan) != digest
