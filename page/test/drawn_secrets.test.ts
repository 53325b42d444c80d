import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_DRAWN, drawnSecrets } from "../src/drawn_secrets.ts";
import type { LawsColumn } from "../src/picture.ts";

// The secret called `odd` has everything at the second value, all others have half there.
const of = (count: number, odd: number): LawsColumn => ({
  column: "x",
  categorical: false,
  step: 1,
  bin: null,
  values: [{ value: 1, label: "1" }, { value: 2, label: "2" }],
  priors: [
    { name: "all", secrets: Array.from({ length: count }, (_, k) => ({ secret: `s${k}`, probabilities: k === odd ? [0, 1] : [0.5, 0.5] })) },
    { name: "few", secrets: [] },
  ],
});
const names = (column: LawsColumn) => column.priors[0]!.secrets.map(({ secret }) => secret);

test("few secrets are all drawn", () => {
  const column = of(MOST_DRAWN, 3);
  assert.deepEqual(drawnSecrets(column, 0, []), { column, notes: [] });
});

test("of many those that are named are drawn, and it is said how many are not", () => {
  const { column, notes } = drawnSecrets(of(5000, 4321), 0, ["s17", "s4000"]);
  const drawn = names(column);
  assert.equal(drawn.length, MOST_DRAWN);
  for (const name of ["s4321", "s17", "s4000", "s0", "s1"]) assert.ok(drawn.includes(name), name);
  assert.deepEqual(drawn, [...drawn].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))), "in their order");
  assert.deepEqual(notes, ["32 of the 5,000 secrets are drawn and listed: those that are named here, and the first. 4,968 are not shown."]);
  assert.equal(column.priors[1]!.secrets.length, 0, "another prior stays as it is");
});
