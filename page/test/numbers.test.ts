import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, percent, percentUp, short, shortUp } from "../src/numbers.ts";

test("numbers are short", () => {
  assert.equal(short(0.52504626), "0.525");
  assert.equal(short(36.774), "36.77");
  assert.equal(short(12345.6), "12,346");
  assert.equal(short(-0.25), "−0.25");
  assert.equal(short(0), "0");
  assert.equal(short(1.234567e-7), "1.235e−7");
});

test("bounds are never rounded down", () => {
  assert.equal(shortUp(0.49999), "0.5");
  assert.equal(shortUp(0.31231), "0.3124");
  assert.equal(shortUp(0.5), "0.5");
  assert.equal(percentUp(0.62245933), "62.3\u00a0%");
  assert.equal(percentUp(0.5), "50\u00a0%");
  for (let k = 1; k < 2000; ++k) {
    const value = Math.exp(-k / 97);
    const written = Number(shortUp(value).replace(/−/g, "-"));
    assert.ok(written >= value && written <= value * 1.0011, `${value} was written ${written}`);
  }
});

test("shares", () => {
  assert.equal(percent(0.1794), "17.9\u00a0%");
  assert.equal(percent(0), "0\u00a0%");
  assert.equal(percent(0.00001), "<\u00a00.1\u00a0%");
});

test("words", () => {
  assert.equal(counted(1, "secret"), "1 secret");
  assert.equal(counted(1400, "value"), "1,400 values");
});
