import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeAdvice } from "../src/studio_sizes.ts";

const column = (kind: string, values: number | null, small_values = 0) => ({ name: "x", kind, values, small_values });

test("what takes long is said before anybody waits", () => {
  assert.deepEqual(sizeAdvice(null, []), []);
  assert.deepEqual(sizeAdvice(10, [column("category", 16), column("number", 100), column("date", 3000)]), []);
  assert.match(sizeAdvice(5000, []).join(), /5,000 different secrets.*--pairs/);
  assert.match(sizeAdvice(2, [column("category", 100_000, 100_000)]).join(), /^x has 100,000 different values, 100,000 of which hardly anybody shares.*--merge-rare 5/);
  assert.match(sizeAdvice(2, [column("number", 21_648)]).join(), /21,648 different values.*--bin/);
  assert.match(sizeAdvice(2, [column("many", null)]).join(), /too many different values to count/);
});
