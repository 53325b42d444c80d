import assert from "node:assert/strict";
import { test } from "node:test";
import { describeChannel, describeError, describeLaws, describeLoss, describeNoise, describeTransport, holdsPlan, lineName, widestGap } from "../src/describe.ts";
import type { ErrorPicture, LawsPicture, LossPicture, TransportPicture } from "../src/picture.ts";

const laws: LawsPicture = {
  picture: "laws",
  secret: "race",
  notes: [],
  columns: [
    {
      column: "job",
      categorical: true,
      step: 1,
      bin: null,
      values: [{ value: 1, label: "clerk" }, { value: 2, label: "cook" }, { value: 3, label: "smith" }],
      priors: [
        { name: "all", secrets: [{ secret: "a", probabilities: [0.5, 0.3, 0.2] }, { secret: "b", probabilities: [0.1, 0.5, 0.4] }, { secret: "c", probabilities: [0.4, 0.4, 0.2] }] },
        { name: "few", secrets: [{ secret: "a", probabilities: [1, 0, 0] }, { secret: "b", probabilities: [1, 0, 0] }, { secret: "c", probabilities: [1, 0, 0] }] },
      ],
    },
  ],
};
const column = laws.columns[0]!;

test("laws say where they differ most, and where they do not", () => {
  assert.deepEqual(widestGap(column, 0), { place: 0, low: "b", high: "a", least: 0.1, most: 0.5 });
  const said = describeLaws(laws, column, 0);
  assert.match(said.text, /each of 3 values occurs, given each of 3 secrets\. They differ most at clerk: 50\u00a0% given a, 10\u00a0% given b\./);
  assert.deepEqual(said.table.head, ["job", "a", "b", "c"]);
  assert.deepEqual(said.table.rows[1], ["cook", "30\u00a0%", "50\u00a0%", "40\u00a0%"]);
  assert.match(describeLaws(laws, column, 1).text, /They are the same\./);
});

const transport: TransportPicture = {
  picture: "transport",
  prior: "all",
  pair: ["a", "b"],
  secret: "race",
  column: "job",
  categorical: true,
  step: 1,
  bin: null,
  distance: 1,
  mean_distance: 0.3,
  values: column.values,
  cells: [{ from: 0, to: 0, mass: 0.2 }, { from: 0, to: 1, mass: 0.3, farthest: true }, { from: 1, to: 1, mass: 0.5 }],
  notes: [],
};

test("transport says how far and how much stays", () => {
  const said = describeTransport(transport);
  assert.match(said.text, /No mass has to move farther than 1, on average 0\.3; 70\u00a0% of it stays where it is/);
  assert.deepEqual(said.table.rows[1], ["clerk", "cook", "30\u00a0%", "yes"]);
});

const loss: LossPicture = {
  picture: "loss",
  kind: "loss",
  epsilon: 0.5,
  delta: 0,
  witness: { prior: "all", pair: ["a", "b"], output: 2, label: "cook", loss: 0.49996, delta: null },
  columns: [
    {
      column: "job",
      categorical: true,
      step: 1,
      constant_beyond: false,
      outputs: [
        { output: 1, label: "clerk", loss: 0.1, pair: ["b", "a"], prior: "all" },
        { output: 2, label: "cook", loss: 0.49996, pair: ["a", "b"], prior: "all" },
      ],
    },
  ],
  notes: [],
};

test("losses are bounds: they are written rounded up", () => {
  const said = describeLoss(loss, loss.columns![0]!);
  assert.match(said.text, /At most 0\.5, of the 0\.5 that is allowed: at cook, between a and b/);
  assert.deepEqual(said.table.rows[1], ["cook", "0.5", "a", "b", "all"]);
  const excess: LossPicture = { ...loss, kind: "excess", delta: 1e-5, total: 9.87654e-6, witness: { ...loss.witness, loss: null, delta: 9.87654e-6 } };
  assert.match(describeLoss(excess, loss.columns![0]!).text, /In all at most 9\.877e−6, of the 1e−5 that delta allows/);
});

const error: ErrorPicture = {
  picture: "error",
  epsilons: [0.25, 0.5, 1],
  epsilon: 0.5,
  delta: 0,
  programmes: true,
  methods: [
    { method: "kantorovich", title: "", noise: "laplace", baseline: false, points: [{ epsilon: 0.25, rms: 8, scale: 5 }, { epsilon: 0.5, rms: 4, scale: 2 }] },
    { method: "exact", title: "", noise: "laplace", baseline: false, points: [{ epsilon: 0.5, rms: 2, scale: 1 }, { epsilon: 1, rms: 0, scale: 0, no_noise: true }] },
  ],
  notes: [],
};

test("errors name the least and the largest, and what is missing", () => {
  const said = describeError(error, "kantorovich");
  assert.match(said.text, /the least error of those drawn is 2 \(exact\) and the largest 4 \(kantorovich\)\. The chosen method, kantorovich, costs 4\.$/);
  assert.deepEqual(said.table.rows, [["0.25", "8", "–"], ["0.5", "4", "2"], ["1", "–", "0 (no noise)"]]);
  assert.equal(lineName(error.methods[0]!, error), "kantorovich");
  const twice: ErrorPicture = { ...error, methods: [...error.methods, { ...error.methods[1]!, noise: "gaussian" }] };
  assert.equal(lineName(twice.methods[2]!, twice), "exact (gaussian)");
});

test("while optima are to come no error is called the least", () => {
  const said = describeError({ ...error, programmes: false }, "exact");
  assert.doesNotMatch(said.text, /least/);
  assert.match(said.text, /so far are between 2 \(exact\) and 4 \(kantorovich\); optimal and channel are still to come\./);
});

test("a plan's point is its own error, not its method's line", () => {
  const other: ErrorPicture = { ...error, plan: { epsilon: 0.5, rms: 7 } };
  assert.match(describeError(other, "exact").text, /This plan, by exact, costs 7\.$/);
  assert.equal(holdsPlan(other.methods[1]!, other, "exact"), false);
  const same: ErrorPicture = { ...error, plan: { epsilon: 0.5, rms: 2 } };
  assert.equal(holdsPlan(same.methods[1]!, same, "exact"), true);
  assert.equal(holdsPlan(same.methods[0]!, same, "exact"), false);
  assert.equal(holdsPlan(error.methods[1]!, error, "exact"), false);
});

test("an epsilon without any point says so", () => {
  assert.match(describeError({ ...error, epsilon: 3, notes: ["Points are missing."] }).text, /At epsilon 3 there is nothing to draw\./);
});

test("noise and channels", () => {
  const noise = describeNoise({ column: "job", family: "laplace", scale: 1, step: 1, stride: 1, rms: 1.2, points: [[-1, 0.2], [0, 0.6], [1, 0.2]], beyond: 0 });
  assert.match(noise.text, /Laplace noise in steps of 1, of root mean square 1\.2\. A value stays as it is with probability 60\u00a0%\./);
  const channel = describeChannel({ picture: "noise", kind: "channel", column: "job", inputs: column.values.slice(0, 2), outputs: column.values.slice(0, 2), rows: [[0.9, 0.1], [0.3, 0.7]], notes: [] });
  assert.match(channel.text, /it stays what it is with probability 70\u00a0% to 90\u00a0%/);
  assert.deepEqual(channel.table.rows[0], ["clerk", "90\u00a0%", "10\u00a0%"]);
});
