// What a release would leave of the table, before anything is released: a few rows before and after, each column's shares,
// how columns go together, how often the secret is guessed. All of it is the server's; nothing is computed here.
import { el } from "./dom.ts";
import { percent, short } from "./numbers.ts";
import { button } from "./studio_fields.ts";

interface Column {
  name: string;
  kind: string;
  known: boolean;
  unchanged: number;
  labels: string[];
  before: number[];
  after: number[];
  sd: number[];
  vanished: string[];
  mean: { before: number; after: number; sd: number; texts: { before: string; after: string } | null } | null;
  spread: { before: number; after: number } | null;
}
type Matrix = (number | null)[][];
export interface Preview {
  rows: number | null;
  draws: number;
  unchanged: number;
  columns: Column[];
  associations: { names: string[]; measures: string[][]; before: Matrix; after: Matrix };
  cross: { columns: string[]; rows: string[]; columns_labels: string[]; before: number[][]; after: number[][] } | null;
  sample: { columns: string[]; before: string[][]; after: string[][]; secret: string[]; of: string };
  notes: string[];
}

const MOST_LABELS = 12; // of a column

function scrolling(label: string, table: HTMLElement): HTMLElement {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

// Each cell of one simulated draw; what changed says what it was.
function sampleOf({ sample }: Preview): HTMLElement {
  const head = el("tr", {}, ...sample.columns.map((name) => el("th", { scope: "col" }, name)));
  const body = sample.after.map((row, place) =>
    el("tr", {}, ...row.map((text, column) => {
      const before = sample.before[place]?.[column] ?? "";
      return text === before ? el("td", {}, text) : el("td", { class: "changed" }, el("ins", {}, text), " ", el("del", {}, before));
    })),
  );
  const whose = sample.of === "table" ? "The first rows of the table" : "Rows like those of the table";
  return scrolling("Rows before and after", el("table", { class: "sample" }, el("caption", {}, `${whose}, in one simulated draw that is thrown away. Where a value changed, the true one is struck through.`), el("thead", {}, head), el("tbody", {}, ...body)));
}

function bar(share: number, most: number, kind: string): HTMLElement {
  const track = el("div", { class: `share ${kind}`, "aria-hidden": "true" });
  track.style.width = `${most > 0 ? (100 * share) / most : 0}%`;
  return track;
}

function meanOf({ mean, spread }: Column): string {
  if (!mean) return "";
  const said = mean.texts ? `Mean ${mean.texts.before} before, ${mean.texts.after} after` : `Mean ${short(mean.before)} before, ${short(mean.after)} after (± ${short(mean.sd, 2)})`;
  return `${said}${spread ? `; spread ${short(spread.before)} before, ${short(spread.after)} after` : ""}.`;
}

function columnOf(column: Column): HTMLElement {
  const shown = column.labels.slice(0, MOST_LABELS);
  const most = Math.max(...shown.map((_, place) => Math.max(column.before[place] ?? 0, column.after[place] ?? 0)), 0);
  const rows = shown.map((label, place) =>
    el(
      "tr",
      column.vanished.includes(label) ? { class: "vanished" } : {},
      el("th", { scope: "row" }, label),
      el("td", {}, percent(column.before[place] ?? 0), bar(column.before[place] ?? 0, most, "was")),
      el("td", {}, percent(column.after[place] ?? 0), bar(column.after[place] ?? 0, most, "is")),
    ),
  );
  const left = column.labels.length - shown.length;
  const lines = [
    column.known ? "Known: written unchanged." : `${percent(column.unchanged)} of its values stay unchanged.`,
    meanOf(column),
    column.vanished.length > 0 ? `Hardly any left: ${column.vanished.slice(0, 8).join(", ")}${column.vanished.length > 8 ? ` and ${column.vanished.length - 8} more` : ""}.` : "",
    left > 0 ? `${left} more not shown.` : "",
  ];
  return el(
    "details",
    { class: "shares", ...(column.known ? {} : { open: "" }) },
    el("summary", {}, el("h3", {}, column.name)),
    ...lines.filter((line) => line).map((line) => el("p", { class: "note" }, line)),
    el("table", {}, el("caption", { class: "unseen" }, `Shares of ${column.name}`), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "value"), el("th", { scope: "col" }, "before"), el("th", { scope: "col" }, "after"))), el("tbody", {}, ...rows)),
  );
}

const MEASURES: Record<string, string> = { V: "Cramér's V", r: "correlation", eta: "correlation ratio" };

function associationsOf({ associations }: Preview): HTMLElement | null {
  const { names, measures, before, after } = associations;
  if (names.length < 2) return null;
  const cell = (value: number | null | undefined): string => (value == null ? "–" : value.toFixed(2));
  const rows = names.flatMap((name, a) =>
    names.slice(a + 1).map((other, k) => {
      const b = a + 1 + k, was = before[a]?.[b], is = after[a]?.[b];
      return el("tr", {}, el("th", { scope: "row" }, `${name} and ${other}`), el("td", {}, MEASURES[measures[a]?.[b] ?? ""] ?? ""), el("td", {}, cell(was)), el("td", {}, cell(is)), el("td", {}, was == null || is == null ? "–" : (is - was >= 0 ? "+" : "−") + Math.abs(is - was).toFixed(2)));
    }),
  );
  return el(
    "details",
    { class: "associations" },
    el("summary", {}, el("h3", {}, "How columns go together")),
    scrolling("Associations", el("table", {}, el("caption", {}, "0 is not at all, 1 is entirely. The secret comes last."), el("thead", {}, el("tr", {}, ...["columns", "measure", "before", "after", "change"].map((title) => el("th", { scope: "col" }, title)))), el("tbody", {}, ...rows))),
  );
}

// Two columns against each other; `onCross` asks for others.
function crossOf(preview: Preview, onCross: (columns: [string, string]) => void): HTMLElement | null {
  const { names } = preview.associations, { cross } = preview;
  if (names.length < 2) return null;
  const [first, second] = [0, 1].map((place) => {
    const list = el("select", { "aria-label": place === 0 ? "Rows of the cross table" : "Columns of the cross table", id: `cross-${place}` }, ...names.map((name) => el("option", {}, name)));
    list.value = cross?.columns[place] ?? names[place === 0 ? 0 : names.length - 1] ?? "";
    return list;
  }) as [HTMLSelectElement, HTMLSelectElement];
  const ask = button("Show", () => first.value !== second.value && onCross([first.value, second.value]), { class: "small", id: "cross-show" });
  const table = cross && el(
    "table",
    {},
    el("caption", {}, `Shares of all rows by ${cross.columns.join(" and ")}: before → after`),
    el("thead", {}, el("tr", {}, el("td", {}), ...cross.columns_labels.map((label) => el("th", { scope: "col" }, label)))),
    el("tbody", {}, ...cross.rows.map((label, a) => el("tr", {}, el("th", { scope: "row" }, label), ...cross.columns_labels.map((_, b) => el("td", {}, `${percent(cross.before[a]?.[b] ?? 0)} → ${percent(cross.after[a]?.[b] ?? 0)}`))))),
  );
  return el("details", { class: "cross", ...(cross ? { open: "" } : {}) }, el("summary", {}, el("h3", {}, "Two columns against each other")), el("div", { class: "several" }, first, second, ask), table ? scrolling("Cross table", table) : null);
}

export function previewOf(preview: Preview, onCross: (columns: [string, string]) => void): HTMLElement {
  return el(
    "div",
    { class: "preview" },
    el("p", { class: "verdict" }, el("strong", {}, `${percent(preview.unchanged)} of the rows`), " stay unchanged, on average."),
    sampleOf(preview),
    el("div", { class: "columns-shares" }, ...preview.columns.map(columnOf)),
    associationsOf(preview),
    crossOf(preview, onCross),
    ...preview.notes.map((note) => el("p", { class: "note" }, note)),
    el("p", { class: "note" }, `Averages over ${preview.draws} simulated draws, never the draw of a release. It shows your rows: keep it to yourself.`),
  );
}
