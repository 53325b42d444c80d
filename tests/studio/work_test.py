"""Work in the background of the studio: newer rounds replace older ones, slow work holds nothing up."""
import concurrent.futures

import pytest

from conftest import slow_table, until

QUESTION = {"secret": "union", "public": "grade", "epsilon": "0.5"}


def begin(studio, kind, table, page, epsilon="0.5", **more):
    answer = studio.ask("POST", f"/api/{kind}", {"table": table, "page": page, "question": {"secret": "s", "public": "x", "epsilon": epsilon}, "plan": {}, **more})
    assert answer.status == 200, answer.body
    return answer.json


def test_newer_work_of_a_page_replaces_the_older(studio):
    table = studio.upload(slow_table())
    first = begin(studio, "optima", table, "one")
    other = begin(studio, "optima", table, "two")
    assert first["state"] in ("running", "waiting"), first
    second = begin(studio, "optima", table, "one", "0.6")
    assert studio.finished(first)["state"] == "cancelled"
    for job in (other, second):
        state = studio.ask("GET", f"/api/jobs/{job['job']}").json["state"]
        assert state in ("running", "waiting", "done")
        studio.ask("DELETE", f"/api/jobs/{job['job']}")
        assert studio.finished(studio.ask("GET", f"/api/jobs/{job['job']}").json)["state"] in ("cancelled", "done")


def test_an_older_request_that_comes_late_stops_nothing(studio):
    table = studio.upload(slow_table())
    newest = begin(studio, "optima", table, "one", "0.6", round=2)
    assert newest["state"] in ("running", "waiting"), newest
    late = begin(studio, "optima", table, "one", "0.5", round=1)
    assert late["state"] == "cancelled"
    assert studio.ask("GET", f"/api/jobs/{newest['job']}").json["state"] in ("running", "waiting", "done")
    again = begin(studio, "optima", table, "one", "0.6", round=2)  # of two with one number the later is newer
    assert studio.finished(newest)["state"] in ("cancelled", "done")
    assert again["state"] != "cancelled"
    studio.ask("DELETE", f"/api/jobs/{again['job']}")


@pytest.mark.parametrize("order", [(5, 1, 2, 3, 4), (2, 5, 1, 4, 3), (5, 4, 3, 2, 1), (1, 2, 3, 4, 5)])
def test_the_newest_of_a_page_ends_well_in_whatever_order_they_come(studio, order):
    table = studio.open("grades.csv")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = {}
        for number in order:
            body = {"table": table, "page": "one", "round": number, "question": {**QUESTION, "epsilon": f"0.{number}"}, "plan": {}}
            asked[number] = pool.submit(lambda body=body: studio.finished(studio.ask("POST", "/api/compare", body).json))
    views = {number: one.result() for number, one in asked.items()}
    assert (views[5]["state"], views[5]["result"]["epsilon"]) == ("done", 0.5)
    late = [number for number in order[order.index(5) + 1:]]
    assert [views[number]["state"] for number in late] == ["cancelled"] * len(late)


@pytest.mark.parametrize("number", [-1, 1.5, "1", None, 1e30, True])
def test_a_round_is_a_number(studio, number):
    body = {"table": studio.open("grades.csv"), "page": "one", "round": number, "question": QUESTION, "plan": {}}
    assert studio.ask("POST", "/api/compare", body).status == 400


def test_slow_work_does_not_hold_up_recalculation(studio):
    table = studio.upload(slow_table())
    slow = [begin(studio, "optima", table, f"page {k}") for k in range(10)]
    for epsilon in ("0.1", "0.2", "0.3"):
        studio.done("compare", studio.open("grades.csv"), {**QUESTION, "epsilon": epsilon})
    states = [studio.ask("DELETE", f"/api/jobs/{job['job']}").json["state"] for job in slow]
    assert any(state in ("cancelled", "running") for state in states)


def test_too_much_work_is_refused(studio):
    table = studio.upload(slow_table())

    def ask(k):
        body = {"table": table, "page": f"page {k}", "question": {"secret": "s", "public": "x", "epsilon": "0.5"}, "plan": {}}
        return studio.ask("POST", "/api/optima", body)
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(ask, range(120)))
    refused = [answer for answer in answers if answer.status == 503]
    assert refused and all("hint" in answer.json["error"] for answer in refused)
    for answer in answers:
        if answer.status == 200:
            studio.ask("DELETE", f"/api/jobs/{answer.json['job']}")
    assert until(lambda: studio.ask("POST", "/api/optima", {"table": table, "question": {"secret": "s"}, "plan": {}}).status == 200)
    assert studio.alive()


def test_a_cancelled_release_writes_nothing(studio, tmp_path):
    table = studio.upload("s,x\n" + "a,1\na,3\nb,2\nb,6\n" * 4_000_000)
    question = {"secret": "s", "public": "x", "epsilon": "0.5"}
    plan = studio.work("calibrate", table, question)
    body = {"table": table, "question": question, "plan": {}, "output": "out.csv", "digest": plan["result"]["digest"]}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        view = pool.submit(lambda: studio.finished(studio.ask("POST", "/api/release", body).json))
        job = f"/api/jobs/{int(plan['job']) + 1}"  # it answers after a while only
        assert until(lambda: studio.ask("DELETE", job).status == 200)
        assert view.result()["state"] == "cancelled"
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"]
