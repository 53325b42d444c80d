import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentOf, stateOf, type State } from "../src/studio_address.ts";

const known = (texts: string, name: string): boolean => (texts === "question" ? ["secret", "public", "epsilon", "na", "kind", "no-header"] : ["method"]).includes(name);
const state: State = {
  table: "t1-0a", question: { secret: '"a,b",c d', public: "x & y=z#", epsilon: "0.5", na: "?,#", "no-header": "yes" }, plan: { method: "exact" },
  output: "mine.csv", keep: true, shuffle: true,
};

test("what is set comes back from the address", () => {
  assert.deepEqual(stateOf(`#${fragmentOf(state)}`, known), state);
  assert.deepEqual(stateOf(fragmentOf({ ...state, output: "", keep: false, shuffle: false }), known), { ...state, output: "", keep: false, shuffle: false });
});

test("an address holds what is given, and no text that is too long for one", () => {
  assert.equal(fragmentOf({ table: "", question: { epsilon: "0.5", na: " ", kind: "x".repeat(2000) }, plan: {}, output: "", keep: false, shuffle: false }), "epsilon=0.5");
});

test("an address that says nothing, or nothing that is known, is none", () => {
  for (const text of ["", "#", "#plan.loss=squared", "#prior=/etc/passwd", "#to.output=x.csv"]) assert.equal(stateOf(text, known), null, text);
  assert.deepEqual(stateOf("#table=t1&prior=x&epsilon=1", known)?.question, { epsilon: "1" });
});
