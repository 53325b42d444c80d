// The plots of a report. Each takes its picture (docs/formats.md) and returns an element that stands for itself: heading,
// text, legend, drawing, table.
import * as Plot from "@observablehq/plot";
import { describeChannel, describeError, describeLaws, describeLoss, describeNoise, describeTransport, holdsPlan, lineName } from "./describe.ts";
import { el } from "./dom.ts";
import { drawnSecrets } from "./drawn_secrets.ts";
import { PlotFigure, type Drawing, type Mark } from "./frame.ts";
import { look, MOST_LOOKS, PALE, type Look } from "./looks.ts";
import { percent, short, shortened, shortUp } from "./numbers.ts";
import type {
  ErrorLine,
  ErrorPicture,
  ErrorPoint,
  LawsColumn,
  LawsPicture,
  LossColumn,
  LossOutput,
  LossPicture,
  NoiseLaw,
  NoisePicture,
  TransportPicture,
  Value,
} from "./picture.ts";

const ROW = 26; // pixels of a category
const CLASS = "fugu-plot";
const base = { className: CLASS, marginTop: 24, marginRight: 24, marginBottom: 46 };
const BELOW = { labelAnchor: "right", labelOffset: 40 } as const; // of the label of a horizontal axis, clear of its ticks
const longest = (width: number) => (width < 480 ? 15 : 26);

// Room for the labels at the left, in pixels.
function labelRoom(labels: string[], width: number): number {
  const letters = Math.max(1, ...labels.map((label) => [...shortened(label, longest(width))].length));
  return Math.min(0.42 * width, 16 + 6.6 * letters);
}

// Categories by their place, so that equal labels stay apart; written with their names.
function rowAxis(labels: string[], width: number) {
  return {
    domain: labels.map((_, place) => place),
    tickFormat: (place: number) => shortened(labels[place] ?? "", longest(width)),
    label: null,
    tickSize: 0,
  };
}

// ---------------------------------------------------------------- laws

interface Share {
  place: number;
  value: number;
  share: number;
  secret: number;
}

function lawLooks(count: number, pair: number[]): Look[] {
  return Array.from({ length: count }, (_, s) =>
    count <= MOST_LOOKS ? look(s) : pair.includes(s) ? look(pair.indexOf(s)) : PALE,
  );
}

function drawLaws(column: LawsColumn, prior: number, looks: Look[], width: number): Element {
  const secrets = column.priors[prior]?.secrets ?? [];
  const shares: Share[] = secrets.flatMap((secret, s) =>
    secret.probabilities.map((share, place) => ({ place, value: column.values[place]?.value ?? 0, share, secret: s })),
  );
  const name = (d: Share) =>
    `${column.values[d.place]?.label}\n${secrets[d.secret]?.secret}: ${percent(d.share)}`;
  const perSecret = (draw: (s: number, look: Look, of: Share[]) => Plot.Markish) =>
    secrets.map((_, s) => s)
      .sort((a, b) => Number(looks[b] === PALE) - Number(looks[a] === PALE))
      .map((s) => draw(s, looks[s] ?? PALE, shares.filter((d) => d.secret === s)));
  if (column.categorical || column.values.length <= 14) {
    const labels = column.values.map((value) => value.label);
    return Plot.plot({
      ...base,
      width,
      height: ROW * labels.length + 72,
      marginLeft: labelRoom(labels, width),
      x: { ...BELOW, label: "probability →", tickFormat: (x: number) => percent(x), grid: true, zero: true, ticks: width < 480 ? 4 : 8 },
      y: rowAxis(labels, width),
      marks: [
        Plot.ruleY(shares, Plot.groupY({ x1: "min", x2: "max" }, { y: "place", x1: "share", x2: "share", stroke: "var(--line)", strokeWidth: 5 })),
        ...perSecret((_, look, of) =>
          Plot.dot(of, { x: "share", y: "place", symbol: look.symbol, fill: look.colour, r: 4.5 }),
        ),
        Plot.tip(shares, Plot.pointer({ x: "share", y: "place", title: name, maxRadius: 30 })),
      ],
    });
  }
  return Plot.plot({
    ...base,
    width,
    height: 320,
    marginLeft: 52,
    x: { ...BELOW, label: `${column.column} →`, ticks: width < 480 ? 4 : 9 },
    y: { label: "↑ probability", tickFormat: (y: number) => percent(y), grid: true, zero: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line)" }),
      ...perSecret((_, look, of) =>
        Plot.lineY(of, { x: "value", y: "share", curve: "step", stroke: look.colour, strokeWidth: look === PALE ? 1 : 2, strokeDasharray: look.dash }),
      ),
      Plot.tip(shares, Plot.pointer({ x: "value", y: "share", title: name, maxRadius: 30 })),
    ],
  });
}

function lawsDrawing(picture: LawsPicture, whole: LawsColumn, prior: number, pair: string[]): Drawing {
  const { column, notes } = drawnSecrets(whole, prior, pair);
  const secrets = column.priors[prior]?.secrets.map((secret) => secret.secret) ?? [];
  const looks = lawLooks(secrets.length, pair.map((name) => secrets.indexOf(name)));
  const rows = column.categorical || column.values.length <= 14;
  const marks: Mark[] = secrets
    .map((name, s) => ({ name, look: looks[s] ?? PALE }))
    .filter((one) => one.look !== PALE)
    .map((one) => ({ name: one.name, colour: one.look.colour, ...(rows ? { symbol: one.look.path } : { dash: one.look.dash }) }));
  if (secrets.length > MOST_LOOKS) marks.push({ name: `${secrets.length - marks.length} others`, colour: PALE.colour });
  const described = { ...describeLaws(picture, whole, prior), table: describeLaws(picture, column, prior).table };
  return { described, draw: (width) => drawLaws(column, prior, looks, width), marks, notes: [...notes, ...picture.notes] };
}

// Choosing which prior is drawn, where there are several.
function priorChoice(column: LawsColumn, choose: (prior: number) => void): HTMLElement | null {
  if (column.priors.length < 2) return null;
  const select = el("select");
  column.priors.forEach((prior, k) => select.append(el("option", { value: String(k) }, prior.name)));
  select.addEventListener("change", () => choose(select.selectedIndex));
  return el("label", { class: "choice" }, "Believed by somebody who knows: ", select);
}

// P(X|S=s) side by side. `pair` are the secrets that stand out where there are many.
export function lawsPlot(picture: LawsPicture, pair: string[] = []): HTMLElement {
  const group = el("div");
  for (const column of picture.columns) {
    const controls = priorChoice(column, (prior) => figure.show(lawsDrawing(picture, column, prior, pair)));
    const figure = new PlotFigure({ ...lawsDrawing(picture, column, 0, pair), controls });
    group.append(figure.element);
  }
  return group;
}

// ---------------------------------------------------------------- transport

// A heat map over values by their place: categories, or few numbers.
function placeMap(values: Value[], other: Value[], cells: Heat[], width: number, words: [string, string]): Element {
  const across = values.map((value) => value.label), down = other.map((value) => value.label);
  const left = labelRoom(down, width) + 18;
  const inner = width - left - base.marginRight;
  const side = Math.min(44, inner / across.length);
  const below = Math.min(150, 30 + 4.9 * Math.max(1, ...across.map((label) => [...shortened(label, longest(width))].length)));
  const few = Math.max(1, Math.ceil(13 / side));
  return Plot.plot({
    ...base,
    width: Math.max(width, 280),
    height: side * down.length + below + 40,
    marginTop: 34,
    marginLeft: left,
    marginRight: Math.max(base.marginRight, width - left - side * across.length),
    marginBottom: below,
    x: { ...rowAxis(across, width), tickRotate: -45, ticks: across.map((_, k) => k).filter((k) => k % few === 0), padding: 0.04, label: words[0], labelAnchor: "left", labelArrow: "none", labelOffset: below - 4 },
    y: { ...rowAxis(down, width), ticks: down.map((_, k) => k).filter((k) => k % few === 0), padding: 0.04, label: words[1], labelAnchor: "top", labelArrow: "none" },
    marks: [
      Plot.cell(across.flatMap((_, x) => (x < down.length && across.length === down.length ? [x] : [])), { x: (k: number) => k, y: (k: number) => k, fill: "none", stroke: "var(--line)" }),
      Plot.cell(cells, { x: "from", y: "to", fill: "var(--heat)", fillOpacity: "shade" }),
      Plot.cell(cells.filter((cell) => cell.farthest), { x: "from", y: "to", fill: "none", stroke: "var(--limit)", strokeWidth: 2.5, inset: 1 }),
      Plot.tip(cells, Plot.pointer({ x: "from", y: "to", title: "title", maxRadius: 40 })),
    ],
  });
}

interface Heat {
  from: number;
  to: number;
  mass: number;
  farthest: boolean;
  shade: number; // opacity: never so faint that a cell with mass looks empty
  title: string;
}

function shaded(cells: Omit<Heat, "shade">[]): Heat[] {
  const most = Math.max(...cells.map((cell) => cell.mass));
  return cells.map((cell) => ({ ...cell, shade: 0.1 + 0.9 * Math.sqrt(cell.mass / most) }));
}

// The same over numbers, where they lie.
function numberMap(picture: TransportPicture, cells: Heat[], width: number): Element {
  const at = (place: number) => picture.values[place]?.value ?? 0;
  const size = Math.min(width, 480);
  const r = Math.max(2, Math.min(9, (0.42 * (size - 90)) / picture.values.length));
  const ends = [at(0), at(picture.values.length - 1)] as [number, number];
  const [from, to] = picture.pair;
  return Plot.plot({
    ...base,
    width: size,
    height: size,
    marginLeft: 56,
    inset: r + 2,
    x: { ...BELOW, label: `${picture.column}, ${from} →`, domain: ends, ticks: 5 },
    y: { label: `↑ ${picture.column}, ${to}`, domain: ends, ticks: 5 },
    marks: [
      Plot.frame({ stroke: "var(--line)" }),
      Plot.line([ends, ends], { x: (_, k) => ends[k], y: (_, k) => ends[k], stroke: "var(--muted)", strokeDasharray: "4 4" }),
      Plot.dot(cells, { x: (d: Heat) => at(d.from), y: (d: Heat) => at(d.to), symbol: "square", r, fill: "var(--heat)", fillOpacity: "shade" }),
      Plot.dot(cells.filter((cell) => cell.farthest), { x: (d: Heat) => at(d.from), y: (d: Heat) => at(d.to), symbol: "square", r: r + 1.5, stroke: "var(--limit)", strokeWidth: 1.5 }),
      Plot.tip(cells, Plot.pointer({ x: (d: Heat) => at(d.from), y: (d: Heat) => at(d.to), title: "title", maxRadius: 30 })),
    ],
  });
}

// How mass moves between the laws of the worst pair; only a note where it cannot be drawn.
export function transportPlot(picture: TransportPicture): HTMLElement {
  if (!picture.cells) return notesOnly(picture.notes);
  const label = (place: number) => picture.values[place]?.label ?? "";
  const cells = shaded(
    picture.cells.map((cell) => ({
      ...cell,
      farthest: cell.farthest ?? false,
      title: `${label(cell.from)} → ${label(cell.to)}\n${percent(cell.mass)} of the mass${cell.farthest ? ", the farthest" : ""}`,
    })),
  );
  const [from, to] = picture.pair;
  const words: [string, string] = [`from: ${picture.secret} = ${from}`, `to: ${picture.secret} = ${to}`];
  const rows = picture.categorical || picture.values.length <= 30;
  return new PlotFigure({
    described: describeTransport(picture),
    draw: (width) => (rows ? placeMap(picture.values, picture.values, cells, width, words) : numberMap(picture, cells, width)),
    notes: ["The stronger a cell, the more mass moves that way. What is framed in orange moves farthest.", ...picture.notes],
  }).element;
}

function notesOnly(notes: string[]): HTMLElement {
  const group = el("div");
  for (const note of notes) group.append(el("p", { class: "note" }, note));
  return group;
}

// ---------------------------------------------------------------- loss

const lossOf = (row: LossOutput) => row.loss ?? row.excess ?? 0;

function lossTip(picture: LossPicture, row: LossOutput): string {
  if (picture.kind === "excess") return `${row.label}\nadds at most ${shortUp(lossOf(row))}`;
  return `${row.label}\nloss at most ${shortUp(lossOf(row))}\n${row.pair?.[0]} against ${row.pair?.[1]}`;
}

function drawLoss(picture: LossPicture, column: LossColumn, witness: LossOutput | undefined, width: number): Element {
  const rows = column.outputs;
  const budget = picture.kind === "loss" ? [picture.epsilon] : [];
  const words = picture.kind === "loss" ? "loss" : "adds at most";
  const title = (row: LossOutput) => lossTip(picture, row);
  const budgetText = `budget: ${short(picture.epsilon, 6)}`;
  const seen = witness ? [witness] : [];
  if (column.categorical || rows.length <= 14) {
    const labels = rows.map((row) => row.label);
    const place = (row: LossOutput) => rows.indexOf(row);
    return Plot.plot({
      ...base,
      width,
      height: ROW * rows.length + 84,
      marginTop: 34,
      marginLeft: labelRoom(labels, width),
      marginRight: 34,
      x: { ...BELOW, label: `${words} →`, grid: true, zero: true, ticks: width < 480 ? 4 : 8 },
      y: { ...rowAxis(labels, width), padding: 0.3 },
      marks: [
        Plot.barX(rows, { x: lossOf, y: place, fill: "var(--bar)", rx2: 2 }),
        Plot.barX(seen, { x: lossOf, y: place, fill: "var(--series-1)", rx2: 2 }),
        Plot.ruleX(budget, { stroke: "var(--limit)", strokeWidth: 2, strokeDasharray: "6 3" }),
        Plot.text(budget, { x: (x: number) => x, frameAnchor: "top", dy: -12, text: () => budgetText, textAnchor: "end", dx: 4, fill: "var(--limit-text)", fontWeight: 600 }),
        Plot.text(seen, { x: lossOf, y: place, text: () => "★ worst", textAnchor: "end", dx: -6, fill: "var(--on-bar)", fontWeight: 600 }),
        Plot.tip(rows, Plot.pointerY({ x: lossOf, y: place, title })),
      ],
    });
  }
  const first = rows[0]?.output ?? 0, last = rows[rows.length - 1]?.output ?? 0;
  const atRight = (witness?.output ?? first) > (first + last) / 2; // the budget's name goes to the other side
  return Plot.plot({
    ...base,
    width,
    height: 320,
    marginTop: 34,
    marginLeft: picture.kind === "loss" ? 56 : 72,
    x: { ...BELOW, label: `released ${column.column} →`, ticks: width < 480 ? 4 : 9 },
    y: { label: `↑ ${words}`, grid: true, zero: true, tickFormat: (y: number) => short(y) },
    marks: [
      Plot.areaY(rows, { x: "output", y: lossOf, fill: "var(--bar)", fillOpacity: 0.35, curve: picture.kind === "loss" ? "linear" : "step" }),
      Plot.lineY(rows, { x: "output", y: lossOf, stroke: "var(--series-1)", strokeWidth: 1.75, curve: picture.kind === "loss" ? "linear" : "step" }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.ruleY(budget, { stroke: "var(--limit)", strokeWidth: 2, strokeDasharray: "6 3" }),
      Plot.text(budget, { y: (y: number) => y, frameAnchor: atRight ? "left" : "right", dx: atRight ? 4 : -4, dy: -8, text: () => budgetText, fill: "var(--limit-text)", fontWeight: 600 }),
      Plot.dot(seen, { x: "output", y: lossOf, symbol: "star", r: 7, fill: "var(--series-2)", stroke: "var(--paper)" }),
      Plot.text(seen, { x: "output", y: lossOf, text: () => "worst", dy: 16, fill: "currentColor", stroke: "var(--paper)", strokeWidth: 4, fontWeight: 600 }),
      Plot.tip(rows, Plot.pointerX({ x: "output", y: lossOf, title })),
    ],
  });
}

// The row of the output where the loss, or what it adds, is largest.
export function worstRow(picture: LossPicture, column: LossColumn, axis: number): LossOutput | undefined {
  const { output } = picture.witness;
  const at = Array.isArray(output) ? output[axis] : output;
  const named = column.outputs.find((row) => row.output === at);
  const largest = Math.max(...column.outputs.map(lossOf));
  return named && lossOf(named) === largest ? named : column.outputs.find((row) => lossOf(row) === largest);
}

// What each output gives away, the budget, and the witness.
export function lossPlot(picture: LossPicture): HTMLElement {
  if (!picture.columns) return notesOnly(picture.notes);
  const group = el("div");
  picture.columns.forEach((column, axis) => {
    const witness = worstRow(picture, column, axis);
    const beyond = column.constant_beyond && picture.kind === "loss" ? ["Farther out the loss stays what it is at the ends."] : [];
    group.append(
      new PlotFigure({
        described: describeLoss(picture, column),
        draw: (width) => drawLoss(picture, column, witness, width),
        notes: [...beyond, ...picture.notes],
      }).element,
    );
  });
  return group;
}

// ---------------------------------------------------------------- noise

function drawNoise(law: NoiseLaw, width: number): Element {
  const points = law.points.map(([size, probability]) => ({ size, probability }));
  const title = (d: { size: number; probability: number }) => `${short(d.size, 6)}: ${short(d.probability)}`;
  const step = law.step * law.stride;
  const bars = points.length <= width / 5;
  return Plot.plot({
    ...base,
    width,
    height: 240,
    marginLeft: 56,
    x: { ...BELOW, label: "noise →", ticks: width < 480 ? 5 : 9 },
    y: { label: "↑ probability", grid: true, zero: true, ticks: 5, tickFormat: (y: number) => short(y) },
    marks: [
      bars
        ? Plot.rectY(points, { x1: (d) => d.size - 0.4 * step, x2: (d) => d.size + 0.4 * step, y: "probability", fill: "var(--series-1)" })
        : Plot.areaY(points, { x: "size", y: "probability", fill: "var(--series-1)", fillOpacity: 0.6 }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.tip(points, Plot.pointerX({ x: "size", y: "probability", title })),
    ],
  });
}

function channelPlot(picture: NoisePicture): HTMLElement {
  const inputs = picture.inputs ?? [], outputs = picture.outputs ?? [];
  if (!picture.rows) return notesOnly(picture.notes);
  const cells = shaded(
    picture.rows.flatMap((row, to) =>
      row.flatMap((mass, from) =>
        mass > 0
          ? [{ from, to, mass, farthest: false, title: `${inputs[to]?.label} → ${outputs[from]?.label}\n${percent(mass)}` }]
          : [],
      ),
    ),
  );
  return new PlotFigure({
    described: describeChannel(picture),
    draw: (width) => placeMap(outputs, inputs, cells, width, ["released", "true value"]),
    notes: ["The stronger a cell, the more likely it is.", ...picture.notes],
  }).element;
}

// The law of the noise, or the channel.
export function noisePlot(picture: NoisePicture): HTMLElement {
  if (picture.kind === "channel") return channelPlot(picture);
  const group = el("div");
  if (picture.kind === "none") group.append(el("p", {}, "No noise is added: values as they are keep the promise."));
  for (const law of picture.columns ?? []) {
    const notes = law.stride > 1 ? [`Every ${short(law.stride)}th step is drawn.`] : [];
    group.append(
      new PlotFigure({ described: describeNoise(law), draw: (width) => drawNoise(law, width), notes: [...notes, ...picture.notes] }).element,
    );
  }
  return group;
}

// ---------------------------------------------------------------- error

// The plan's own error: a ring, around its method's symbol where that is the same.
const PLAN_MARK = { symbol: "circle", r: 8, fill: "none", stroke: "var(--limit-text)", strokeWidth: 2.5 } as const;

interface Point extends ErrorPoint {
  line: string;
}

const withNoise = (line: ErrorLine) => line.points.filter((point) => point.rms > 0);

function drawError(picture: ErrorPicture, looks: Look[], method: string | undefined, width: number): Element {
  const marks: Plot.Markish[] = [];
  const all: Point[] = [];
  picture.methods.forEach((line, k) => {
    const { colour, symbol, dash } = looks[k] ?? look(k);
    const points = withNoise(line);
    all.push(...points.map((point) => ({ ...point, line: lineName(line, picture) })));
    const own = picture.plan ? holdsPlan(line, picture, method) : line.method === method;
    marks.push(
      Plot.lineY(points, { x: "epsilon", y: "rms", stroke: colour, strokeWidth: own ? 3.5 : 1.5, strokeDasharray: own ? "none" : dash }),
      Plot.dot(points, { x: "epsilon", y: "rms", fill: colour, symbol, r: own ? 5 : 3.5 }),
    );
  });
  const { plan } = picture;
  if (plan && plan.rms > 0) {
    all.push({ ...plan, scale: null, line: "this plan" });
    marks.push(Plot.dot([plan], { x: "epsilon", y: "rms", ...PLAN_MARK }));
  }
  return Plot.plot({
    ...base,
    width,
    height: 380,
    marginTop: 34,
    marginLeft: 56,
    x: { ...BELOW, type: "log", label: "epsilon (smaller hides more) →", grid: true, ticks: width < 480 ? 3 : 7, tickFormat: (x: number) => short(x) },
    y: { type: "log", label: "↑ error (root mean square)", grid: true, ticks: 5, tickFormat: (y: number) => short(y) },
    marks: [
      Plot.ruleX([picture.epsilon], { stroke: "var(--limit)", strokeDasharray: "6 3", strokeWidth: 2 }),
      Plot.text([picture.epsilon], { x: (x: number) => x, frameAnchor: "top", dy: -12, text: () => `this plan: ${short(picture.epsilon, 6)}`, fill: "var(--limit-text)", fontWeight: 600 }),
      ...marks,
      Plot.tip(all, Plot.pointer({ x: "epsilon", y: "rms", title: (d: Point) => `${d.line}\nepsilon ${short(d.epsilon, 6)}: ${short(d.rms)}`, maxRadius: 30 })),
    ],
  });
}

// From which epsilon on a method adds nothing, in words.
export function noNoiseNotes(picture: ErrorPicture): string[] {
  const from = new Map<number, string[]>();
  for (const line of picture.methods) {
    const first = line.points.find((point) => point.no_noise);
    if (first) from.set(first.epsilon, [...(from.get(first.epsilon) ?? []), lineName(line, picture)]);
  }
  return [...from].sort(([a], [b]) => a - b).map(([epsilon, names]) => `No noise is needed at epsilon ${short(epsilon, 6)} by ${names.join(", ")}.`);
}

// Error against epsilon for every method; that of the plan stands out.
export function errorPlot(picture: ErrorPicture, method?: string): HTMLElement {
  const ownLines = picture.methods.filter((line) => !line.baseline);
  const looks = picture.methods.map((line, k) =>
    line.baseline ? { ...look(k), colour: "var(--muted)" } : look(ownLines.indexOf(line)),
  );
  const marks: Mark[] = picture.methods
    .map((line, k) => ({ line, look: looks[k] ?? look(k) }))
    .filter(({ line }) => withNoise(line).length > 0)
    .map(({ line, look: { colour, path, dash } }) => {
      const ours = holdsPlan(line, picture, method), chosen = !picture.plan && line.method === method;
      const words = ours ? " (this plan)" : chosen ? " (chosen method)" : line.baseline ? " (baseline)" : "";
      return { name: lineName(line, picture) + words, colour, symbol: path, dash: ours || chosen ? "none" : dash };
    });
  if (picture.plan && picture.plan.rms > 0 && !picture.methods.some((line) => holdsPlan(line, picture, method)))
    marks.push({ name: `this plan, by ${method}`, colour: PLAN_MARK.stroke, symbol: look(0).path });
  const baselines = picture.methods.some((line) => line.baseline)
    ? ["A baseline hides the value itself, not only the secret: it holds whatever somebody believes."]
    : [];
  return new PlotFigure({
    described: describeError(picture, method),
    draw: (width) => drawError(picture, looks, method, width),
    marks,
    notes: [...noNoiseNotes(picture), ...baselines, ...picture.notes],
  }).element;
}
