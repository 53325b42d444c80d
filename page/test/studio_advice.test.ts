import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf, merged } from "../src/studio_advice.ts";
import type { FieldShape } from "../src/studio_fields.ts";

const shape = (name: string, kind: string, words: string[] = []): [string, FieldShape] => [name, { texts: "question", name, label: name, help: "", example: "", kind, words }];
const shapes = new Map([
  shape("na", "names"), shape("missing", "choice", ["error", "drop", "keep"]), shape("not-missing", "names"), shape("clip", "span"), shape("step", "number"),
  shape("merge-rare", "number"), shape("rows-independent", "switch"), shape("kind", "names"), shape("bin", "number"),
]);
const labels = (hint: string): string[] => actionsOf(hint, shapes).map((action) => action.label);

test("flags that stand side by side are pressed together", () => {
  const hint = "if it is, --na '?' --missing drop leaves such rows out, and --na '?' --missing keep makes them a category; if it is a value: --not-missing '?'";
  assert.deepEqual(labels(hint), ["--na '?' --missing drop", "--na '?' --missing keep", "--not-missing '?'"]);
  assert.deepEqual(actionsOf(hint, shapes)[0]?.sets, [{ name: "na", value: "?" }, { name: "missing", value: "drop" }]);
});

test("values and switches are buttons, words of the sentence are not", () => {
  assert.deepEqual(labels("--clip 5:14 (14.2 % of the rows beyond) needs less noise; --merge-rare 5, or --bin 2."), ["--clip 5:14", "--merge-rare 5", "--bin 2"]);
  assert.deepEqual(labels("with --rows-independent they are of different people"), ["--rows-independent"]);
  assert.deepEqual(labels("--kind zip=code says so; --clip age=17:80"), ["--kind zip=code", "--clip age=17:80"]);
  assert.deepEqual(labels("--prior 5, --budget 0.8, name the column"), []);
  assert.deepEqual(labels("--bin 5, then --bin 5"), ["--bin 5"]);
});

test("where the value is left open, the way to the field is shown", () => {
  const hint = "give wider bins with --bin W, hold the outer values with --clip LO:HI, or --missing as needed; --kind COL=KIND; --step age=G";
  assert.deepEqual(actionsOf(hint, shapes).map(({ label, leads }) => [label, leads]), [["--bin …", "bin"], ["--clip …", "clip"], ["--missing …", "missing"], ["--kind …", "kind"], ["--step …", "step"]]);
  assert.deepEqual(labels("use --bin, for example --bin 5"), ["--bin 5"]);
});

test("what is said of one column stands beside what is said of others", () => {
  assert.equal(merged("clip", "", "5:14"), "5:14");
  assert.equal(merged("clip", "1:2", "5:14"), "5:14");
  assert.equal(merged("clip", "age=1:2,hours=3:4", "age=17:80"), "hours=3:4,age=17:80");
  assert.equal(merged("kind", "zip=code", "x=date"), "zip=code,x=date");
  assert.equal(merged("na", "NA", "?"), "NA,?");
  assert.equal(merged("na", "NA,?", "?"), "NA,?");
});
