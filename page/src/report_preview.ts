// A few rows before and after, and how much columns go with each other before and after: from a preview.
import { el } from "./dom.ts";

export interface Sample {
  columns: string[];
  before: string[][];
  after: string[][];
  secret: string[];
  secret_released: boolean;
  of: "table" | "plan";
}

export interface Associations {
  names: string[];
  measures: string[][];
  before: (number | null)[][];
  after: (number | null)[][];
}

function headed(caption: string, said: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  const head = el("tr");
  for (const text of heads) head.append(el("th", { scope: "col" }, text));
  const body = el("tbody");
  body.append(...rows);
  const scroll = el("div", { class: "scroll whole", tabindex: "0", role: "group", "aria-label": caption });
  scroll.append(el("table", {}, el("caption", {}, caption), el("thead", {}, head), body));
  return el("div", { class: "shown" }, el("p", { class: "said" }, said), scroll);
}

// Each row as it was and as one simulated draw has it; what changed stands out, and says so.
export function sample({ columns, before, after, secret, secret_released, of }: Sample): HTMLElement {
  const rows = before.map((row, k) => {
    const line = el("tr", {}, el("th", { scope: "row" }, secret[k] ?? ""));
    row.forEach((text, c) => {
      const now = after[k]?.[c] ?? "";
      line.append(now === text ? el("td", {}, text) : el("td", { class: "changed" }, el("del", {}, text), " ", el("ins", {}, now)));
    });
    return line;
  });
  const said = `${before.length} rows ${of === "table" ? "of the table" : "drawn from the table's counts"}: in one simulated draw, the struck-out value becomes the one next to it. ${secret_released ? "The secret is one of the released columns." : "The secret is not released."}`;
  return headed("Rows, before and after", said, ["secret", ...columns], rows);
}

const two = (value: number | null | undefined): string => (value === null || value === undefined ? "-" : value.toFixed(2));

export function associations({ names, before, after }: Associations, secretReleased: boolean): HTMLElement {
  const rows = names.map((name, i) => {
    const line = el("tr", {}, el("th", { scope: "row" }, name));
    names.forEach((_, j) => line.append(el("td", {}, i === j ? "" : `${two(before[i]?.[j])} \u2192 ${two(after[i]?.[j])}`)));
    return line;
  });
  const said = `How strongly columns go together, before \u2192 after: 0 is not at all, 1 entirely. The secret comes last${secretReleased ? "" : "; it is not released"}.`;
  const shown = headed("Columns that go together", said, ["column", ...names], rows);
  shown.classList.add("matrix");
  return shown;
}
