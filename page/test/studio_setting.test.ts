import assert from "node:assert/strict";
import { test } from "node:test";
import { SLIDER_STEPS, copyOf, differences, emptySetting, epsilonOf, isAsked, isSlow, kindsOf, kindsText, lawsKey, listItems, listText, outputName, requestOf, sliderOf } from "../src/studio_setting.ts";

test("lists are written as the command line reads them", () => {
  assert.equal(listText(["race", "sex"]), "race,sex");
  assert.equal(listText(["a,b", 'say "x"', " blank"]), '"a,b","say ""x"""," blank"');
  assert.equal(listText(["two words"]), "two words");
  assert.equal(listText([""]), '""');
  assert.equal(listText([]), "");
});

test("only what is given is asked", () => {
  const setting = emptySetting(["no-header"]);
  assert.deepEqual(requestOf(setting, "t1", "p"), { table: "t1", page: "p", question: { epsilon: "0.5" }, plan: {} });
  setting.question["secret"] = " race ";
  setting.question["delta"] = "  ";
  setting.plan["method"] = "optimal";
  setting.question["no-header"] = "yes";
  assert.deepEqual(requestOf(setting, "t1", "p"), {
    table: "t1",
    page: "p",
    question: { epsilon: "0.5", secret: "race", "no-header": true },
    plan: { method: "optimal" },
  });
});

test("the laws are drawn anew for another question, not for another epsilon, noise or method", () => {
  const setting = emptySetting();
  const key = lawsKey(setting, "t1");
  setting.question["epsilon"] = "2";
  setting.question["noise"] = "gaussian";
  setting.plan["method"] = "relaxed";
  assert.equal(lawsKey(setting, "t1"), key);
  setting.question["clip"] = "1:2";
  assert.notEqual(lawsKey(setting, "t1"), key);
  assert.notEqual(lawsKey(emptySetting(), "t2"), key);
});

test("nothing is asked before a secret and a public column are chosen", () => {
  const setting = emptySetting();
  assert.equal(isAsked(setting), false);
  setting.question["secret"] = "a";
  assert.equal(isAsked(setting), false);
  setting.question["public"] = "b";
  assert.equal(isAsked(setting), true);
});

test("linear programmes are slow", () => {
  assert.deepEqual(["exact", "optimal", "channel", undefined].map(isSlow), [false, true, true, false]);
});

test("the slider and the field say the same", () => {
  assert.equal(epsilonOf(0), "0.01");
  assert.equal(epsilonOf(SLIDER_STEPS), "10");
  assert.equal(sliderOf("0.01"), 0);
  assert.equal(sliderOf("10"), SLIDER_STEPS);
  assert.equal(sliderOf("1000"), SLIDER_STEPS);
  assert.equal(sliderOf("1e-9"), 0);
  for (const wrong of ["", "0", "-1", "x", "NaN"]) assert.equal(sliderOf(wrong), null);
  let last = 0;
  for (let step = 0; step <= SLIDER_STEPS; ++step) {
    const text = epsilonOf(step);
    assert.ok(text.length <= 6, text);
    assert.ok(Number(text) >= last, text);
    assert.ok(Math.abs((sliderOf(text) ?? -9) - step) <= 2, `${text} at ${step}`);
    last = Number(text);
  }
});

test("what two settings differ in", () => {
  const kept = emptySetting(), now = copyOf(kept);
  assert.deepEqual(differences(kept, now), []);
  now.question["epsilon"] = "1";
  now.plan["method"] = "channel";
  now.question["no-header"] = "yes";
  assert.deepEqual(differences(kept, now), [
    { name: "epsilon", kept: "0.5", now: "1" },
    { name: "no-header", kept: "–", now: "yes" },
    { name: "method", kept: "–", now: "channel" },
  ]);
  assert.equal(kept.question["epsilon"], "0.5", "a copy is a copy");
});

test("the name of a release is a plain one", () => {
  assert.equal(outputName("data/adult.csv", "occupation", 0), "adult-occupation-released.csv");
  assert.equal(outputName("adult.csv.gz", "a/b c", 1), "adult-a-b-c-released-2.csv");
  assert.equal(outputName("C:\\x\\t.tsv", "", 0), "t-released.csv");
  assert.equal(outputName("", "", 0), "released.csv");
  assert.equal(outputName("....csv", "../..", 0).includes("/"), false);
  assert.match(outputName("größe.csv", "名", 0), /^größe-名-released\.csv$/);
});

test("lists and kinds of columns are read as they are written", () => {
  for (const list of [["race", "sex"], ["a,b", 'say "x"', " blank"], ["two words"], [""], []]) assert.deepEqual(listItems(listText(list)), list);
  assert.deepEqual(listItems("a, b ,c"), ["a", "b", "c"]);
  const kinds = new Map([["zip", "code"], ["a,b", "date:dmy"], ["x=y", "number"]]);
  assert.deepEqual(kindsOf(kindsText(kinds)), kinds);
  assert.deepEqual(kindsOf("nothing, =x"), new Map());
});
