import assert from "node:assert/strict";
import { test } from "node:test";
import { look } from "../src/looks.ts";

test("series differ, in more than their colour", () => {
  const looks = Array.from({ length: 16 }, (_, k) => look(k));
  assert.equal(new Set(looks.map((one) => one.colour + one.path)).size, 16);
  assert.equal(new Set(looks.slice(0, 7).map((one) => one.path)).size, 7);
  assert.equal(new Set(looks.slice(0, 8).map((one) => one.dash)).size, 8);
  assert.equal(new Set(looks.slice(0, 8).map((one) => one.colour)).size, 8);
});
