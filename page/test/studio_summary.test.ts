import assert from "node:assert/strict";
import { test } from "node:test";
import { factsIn } from "../src/studio_summary.ts";

test("a summary has names, and lines that go on", () => {
  assert.deepEqual(factsIn("  guarantee  epsilon 0.5: a 50 % belief\n             becomes 62 %\n  error      rms 0.4\n  note       one\n  note       two\n"), [
    ["guarantee", "epsilon 0.5: a 50 % belief becomes 62 %"], ["error", "rms 0.4"], ["note", "one"], ["note", "two"],
  ]);
  assert.deepEqual(factsIn(""), []);
});
