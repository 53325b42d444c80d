"""Columns of every kind, from their texts to those that are released: dates, numbers as people write them, categories that tell
their order, maps; of one column and of several at once."""
import csv
import datetime
import json
import random

import pytest

DAY_ONE = datetime.date(1970, 1, 1)
FORMS = {"iso": "%Y-%m-%d", "dotted": "%d.%m.%Y", "dmy": "%d/%m/%Y", "mdy": "%m/%d/%Y"}


def days(seed=1, rows=400):
    """Secrets and dates that go with them."""
    draw = random.Random(seed)
    return [(s, datetime.date(1999, 6, 1) + datetime.timedelta(days=draw.randrange(40) * 9 + 30 * "ab".index(s))) for s in draw.choices("ab", k=rows)]


def text_of(rows, form):
    return "s,x\n" + "".join(f'{s},"{x.strftime(FORMS[form]) if isinstance(x, datetime.date) else x}"\n' for s, x in rows)


def units(day, unit):
    """By the calendar of Python."""
    if unit == "week":
        return ((day - datetime.timedelta(days=day.weekday())) - (DAY_ONE - datetime.timedelta(days=DAY_ONE.weekday()))).days // 7
    return {"day": (day - DAY_ONE).days, "month": 12 * (day.year - 1970) + day.month - 1, "year": day.year - 1970}[unit]


def plan_of(fugu, *more, epsilon="1"):
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", epsilon, "-o", "plan.json", "--force", *more)
    fugu.ok("verify", "plan.json")
    return json.loads((fugu.folder / "plan.json").read_text())


def counts_of(plan):
    return {secret: dict(zip(law["values"], law["mass"])) for secret, law in plan["scenario"]["priors"][0]["given"].items()}


def released(fugu, name="out.csv"):
    with open(fugu.folder / name, newline="") as file:
        return list(csv.reader(file))[1:]


@pytest.mark.parametrize("form, unit", [("iso", "day"), ("dotted", "week"), ("dmy", "month"), ("mdy", "year"), ("iso", "week")])
def test_dates_are_counted_in_units_and_come_back_as_dates(fugu, form, unit):
    rows = days()
    fugu.write("t.csv", text_of(rows, form))
    plan = plan_of(fugu, "--date-unit", unit)
    counts = {}
    for secret, day in rows:
        of = counts.setdefault(secret, {})
        of[units(day, unit)] = of.get(units(day, unit), 0) + 1
    assert counts_of(plan) == counts
    assert plan["scenario"]["source"]["reads"] == {"date": form, "unit": unit}
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    for (text,) in released(fugu):
        day = datetime.datetime.strptime(text, FORMS[form]).date()
        assert day.strftime(FORMS[form]) == text
        assert unit == "day" or units(day, unit) != units(day - datetime.timedelta(days=1), unit), "the first day of its unit"
    assert len(released(fugu)) == len(rows)
    fugu.ok("audit", "plan.json")
    fugu.ok("estimate", "out.csv", "--statement", "out.csv.receipt.json")


def test_the_time_of_day_is_not_read(fugu):
    rows = days()
    fugu.write("t.csv", "s,x\n" + "".join(f"{s},{x}{time}\n" for (s, x), time in zip(rows, ["", " 12:30", "T23:59:59.5Z", " 00:00:00+02:00"] * 100)))
    plain = plan_of(fugu)
    fugu.write("t.csv", text_of(rows, "iso"))
    assert counts_of(plan_of(fugu)) == counts_of(plain)


def test_dates_are_shaped_by_dates(fugu):
    rows = days()
    fugu.write("t.csv", text_of(rows, "dotted"))
    plan = plan_of(fugu, "--clip", "1999-07-01:2000-03-31", "--date-unit", "month", "--bin", "3")
    source = plan["scenario"]["source"]
    assert source["clip"] == ["1999-07-01", "2000-03-01"] and source["bin"] == {"width": 3, "middle": 1}
    assert {value % 3 for law in counts_of(plan).values() for value in law} == {1}
    said = " ".join(plan["assumptions"])
    assert "between 01.07.1999 and 01.03.2000" in said and "bins of 3 months" in said and "counted in months" in said
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert {text[:5] for (text,) in released(fugu)} <= {"01.02", "01.05", "01.08", "01.11"}
    plan = plan_of(fugu, "--bin-edges", "1999-07-01,2000-01-01")
    assert plan["scenario"]["source"]["labels"] == ["< 01.07.1999", "01.07.1999 to < 01.01.2000", ">= 01.01.2000"]


def test_a_release_beyond_the_calendar_is_set_to_its_end(fugu):
    rows = [("a" if k % 2 else "b", datetime.date(9990 if k % 2 else 9, 1, 1) + datetime.timedelta(days=k % 7)) for k in range(400)]
    fugu.write("t.csv", "s,x\n" + "".join(f"{s},{x.isoformat()}\n" for s, x in rows))
    plan_of(fugu, epsilon="0.01")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    texts = [text for (text,) in released(fugu)]
    assert all(datetime.date.fromisoformat(text) for text in texts)
    assert "0001-01-01" in texts and "9999-12-31" in texts, "with this noise some always are"


@pytest.mark.parametrize("texts, says", [
    (["03/04/2024", "01/02/2024"], ["day and month cannot be told apart", "--kind x=date:dmy", "--kind x=date:mdy"]),
    (["2024-03-31", "31.03.2024"], ["mixes date formats", "--kind x=category"]),
    (["2024-03-31", "2024-04-01", "soon"], ["mixes dates and text; line 4 is the first with text", "--na"]),
    (["1,5", "2,25"], ["may hold numbers with a decimal comma", "--kind x=number:comma"]),
    (["1,500", "2,250"], ["a decimal comma or a thousands separator", "number:comma", "number:thousands"]),
    (["1,500.25", "2,250"], ["thousands separators", "number:thousands"]),
    (["29%", "30 %"], ["percent sign", "number:percent"]),
    (["29,5%", "30%"], ["number:comma-percent"]),
    (["1", "2", "soon"], ["mixes numbers and text; line 4 is the first with text", "--kind x=code"]),
])
def test_what_is_asked(fugu, texts, says):
    rows = [("ab"[k // len(texts) % 2], texts[k % len(texts)]) for k in range(40 * len(texts))]
    fugu.write("t.csv", text_of(rows, "iso"))
    status = 3 if "mixes" in says[0] else 2
    fugu.fails(status, "compare", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", says=says)
    fugu.ok("compare", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--kind", "x=category")


@pytest.mark.parametrize("kind, write", [
    ("number:comma", lambda n: f"{n},5"), ("number:thousands", lambda n: f"{n // 1000},{n % 1000:03d}.5"),
    ("number:percent", lambda n: f"{n}.5%"), ("number:comma-percent", lambda n: f"{n},5 %"),
])
def test_numbers_as_people_write_them(fugu, kind, write):
    numbers = [(s, 1000 + 10 * (k % 13) + 5 * "ab".index(s)) for k, s in enumerate("ab" * 200)]
    fugu.write("t.csv", "s,x\n" + "".join(f"{s},{n}.5\n" for s, n in numbers))
    plain = plan_of(fugu)
    fugu.write("t.csv", text_of([(s, write(n)) for s, n in numbers], "iso"))
    assert counts_of(plan_of(fugu, "--kind", f"x={kind}")) == counts_of(plain)
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    for (text,) in released(fugu):
        number = float(text.rstrip("%").replace(",", "." if "comma" in kind else ""))
        assert text == {"number:comma": f"{number:.1f}".replace(".", ","), "number:thousands": f"{number:.1f}", "number:percent": f"{number:.1f}%",
                        "number:comma-percent": f"{number:.1f}%".replace(".", ",")}[kind]
    fugu.ok("estimate", "out.csv", "--statement", "out.csv.receipt.json")


@pytest.mark.parametrize("texts, order", [
    (["[10-20)", "[0-10)", "[100-110)", "[20-30)"], ["[0-10)", "[10-20)", "[20-30)", "[100-110)"]),
    ([">= 60", "< 20", "20 to 59"], ["< 20", "20 to 59", ">= 60"]),
    (["Medium", "LOW", "high"], ["LOW", "Medium", "high"]),
    (["Sun", "Mon", "Fri"], ["Mon", "Fri", "Sun"]),
    (["b", "c", "a"], ["a", "b", "c"]),
    (["2nd", "10th", "none"], ["10th", "2nd", "none"]),
])
def test_categories_have_the_order_that_they_tell(fugu, texts, order):
    fugu.write("t.csv", text_of([("ab"[k // len(texts) % 2], texts[k % len(texts)]) for k in range(60)], "iso"))
    assert plan_of(fugu)["scenario"]["source"]["labels"] == order
    assert plan_of(fugu, "--kind", "x=category")["scenario"]["source"]["labels"] == sorted(order)
    told = order != sorted(order) or texts[0] == "Medium"
    kind = json.loads(fugu.ok("inspect", "t.csv", "--format", "json"))["columns"][1]["kind"]
    assert kind == ("ordered category" if told and "none" not in texts else "category")
    if "none" in texts or texts[0] == "b":
        fugu.fails(2, "compare", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--kind", "x=ordered", says="--order")
    else:
        assert plan_of(fugu, "--kind", "x=ordered")["scenario"]["source"]["labels"] == order


CODES = ["250.83", "V27", "428", "E885", "8"]
MAP = "from,to\n250.83,Diabetes\nV27,Birth\n428,Heart\nE885,Injury\n"


def codes():
    return text_of([("ab"[k % 2], CODES[k * k % 7 % 5]) for k in range(300)], "iso")


def test_a_map_makes_categories_of_codes(fugu):
    fugu.write("t.csv", codes())
    fugu.write("map.csv", MAP)
    ask = ["calibrate", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "-o", "plan.json", "--map"]
    fugu.fails(3, *ask, "x=map.csv", says=["the map does not list this text", "--map-rest"])
    plan = plan_of(fugu, "--map", "x=map.csv", "--map-rest", "Other")
    to = dict(line.split(",") for line in MAP.split()[1:])
    labels = plan["scenario"]["source"]["labels"]
    assert labels == sorted({to.get(code, "Other") for code in CODES if code in codes()})
    expected = {}
    for line in codes().replace('"', "").split()[1:]:
        s, code = line.split(",")
        at = labels.index(to.get(code, "Other")) + 1
        expected.setdefault(s, {})[at] = expected.setdefault(s, {}).get(at, 0) + 1
    assert counts_of(plan) == expected
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    assert {text for (text,) in released(fugu)} <= set(labels)
    statement = (fugu.folder / "out.csv.receipt.json").read_text()
    assert "250.83" not in statement and '"mapped": true' in statement
    fugu.ok("audit", "plan.json")


def test_a_map_to_numbers(fugu):
    fugu.write("t.csv", text_of([("ab"[k % 2], ["low", "mid", "high"][k % 3]) for k in range(90)], "iso"))
    fugu.write("map.csv", "from,to\nlow,1\nmid,2.5\nhigh,10\n")
    plan = plan_of(fugu, "--map", "map.csv", "--clip", "0:4")
    assert {value for law in counts_of(plan).values() for value in law} == {1, 2.5, 4}
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")


@pytest.mark.parametrize("text, says", [
    ("a,b\n1,2\n", "the first line is not from,to"), ("from,to\n1,2,3\n", "line 2"), ("from,to\n1,\n", "line 2: a text is empty"),
    ("from,to\n1,a\n1,b\n", "line 3: this text is mapped to another one above"), ("from,to\n", "lists nothing"),
])
def test_maps_that_are_none(fugu, text, says):
    fugu.write("t.csv", codes())
    fugu.write("map.csv", text)
    fugu.fails(3, "compare", "t.csv", "--secret", "s", "--public", "x", "--epsilon", "1", "--map", "x=map.csv", says=["--map: map.csv", says])


def several():
    draw = random.Random(3)
    rows = [(s, draw.randrange(18, 80), draw.randrange(0, 99), draw.choice(["cook", "clerk", "nurse"] * 40 + ["smith", "diver"]),
             datetime.date(2000, 1, 1) + datetime.timedelta(days=draw.randrange(60))) for s in draw.choices("ab", k=3000)]
    return "s,age,hours,job,day\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def test_several_columns_are_shaped_at_once(fugu):
    fugu.write("t.csv", several())
    ask = ["calibrate", "t.csv", "--secret", "s", "--public", "age,hours,job,day", "--epsilon", "4", "-o", "plan.json", "--force", "--method", "kantorovich"]
    fugu.ok(*ask, "--clip", "age=20:69; hours=0:79", "--bin", "age=10,hours=20", "--merge-rare", "60", "--order", "job=nurse,cook,clerk,smith,diver",
            "--date-unit", "day=month")
    source = json.loads((fugu.folder / "plan.json").read_text())["scenario"]["source"]
    assert source["clip"] == [[20, 69], [0, 79], None, None]
    assert source["bin"] == [{"width": 10, "middle": 5}, {"width": 20, "middle": 10}, None, None]
    assert source["labels"] == [[], [], ["nurse", "cook", "clerk", "(rare)"], []] and source["rare"][2] == ["diver", "smith"]
    assert source["reads"][3] == {"date": "iso", "unit": "month"}
    fugu.ok("verify", "plan.json")
    fugu.ok("release", "t.csv", "--plan", "plan.json", "-o", "out.csv")
    for age, hours, job, day in released(fugu):
        assert int(age) % 10 == 5 and int(hours) % 20 == 10 and job in ("nurse", "cook", "clerk", "(rare)") and day.endswith("-01")
    said = " ".join(json.loads((fugu.folder / "plan.json").read_text())["assumptions"])
    assert "Values of age are held between 20 and 69" in said and "Categories of job of few people" in said
    fugu.ok("estimate", "out.csv", "--statement", "out.csv.receipt.json")


def test_a_flag_that_names_no_column_is_for_those_that_it_suits(fugu):
    fugu.write("t.csv", several())
    fugu.ok("calibrate", "t.csv", "--secret", "s", "--public", "age,hours,job", "--epsilon", "4", "-o", "plan.json", "--bin", "20", "--merge-rare", "60",
            "--method", "kantorovich")
    source = json.loads((fugu.folder / "plan.json").read_text())["scenario"]["source"]
    assert source["bin"] == [{"width": 20, "middle": 10}] * 2 + [None] and source["rare"] == [None, None, ["diver", "smith"]]


@pytest.mark.parametrize("public, flags, says", [
    ("job,kin", ["--bin", "5"], "--bin: no released column holds numbers or dates"),
    ("age,hours", ["--merge-rare", "5"], "--merge-rare: no released column holds categories"),
    ("age,job", ["--date-unit", "month"], "--date-unit: no released column holds dates"),
])
def test_flags_that_suit_no_column(fugu, public, flags, says):
    fugu.write("t.csv", several().replace("\n", ",u\n").replace("day,u", "day,kin", 1))
    fugu.fails(2, "compare", "t.csv", "--secret", "s", "--public", public, "--epsilon", "4", *flags, says=says)


@pytest.mark.parametrize("flags, says", [
    (["--clip", "job=1:2"], "--clip: column 'job' holds categories, not numbers"),
    (["--merge-rare", "age=5"], "--merge-rare: column 'age' holds numbers, not categories"),
    (["--merge-rare", "day=5"], "holds dates, not categories"),
    (["--date-unit", "age=month"], "--date-unit: column 'age' holds numbers, not dates"),
    (["--date-unit", "day=hour"], "'hour' is unknown"),
    (["--clip", "day=1:2"], "--clip: column 'day' holds dates"),
    (["--clip", "age=2000-01-01:2001-01-01"], "holds numbers, not dates"),
    (["--bin", "day=1.5"], "counted in whole units"),
    (["--bin", "nobody=5"], "'nobody' is not a released column"),
    (["--order", "a,b"], "--order: there are several columns"),
    (["--map", "map.csv"], "--map: there are several columns"),
    (["--map-rest", "job=Other"], "the column has no map"),
    (["--map", "s=map.csv"], "'s' is not a released column"),
])
def test_flags_that_do_not_suit_a_column(fugu, flags, says):
    fugu.write("t.csv", several())
    fugu.write("map.csv", MAP)
    fugu.fails(2, "compare", "t.csv", "--secret", "s", "--public", "age,job,day", "--epsilon", "4", *flags, says=says)
