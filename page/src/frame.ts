// What stands around every plot: a heading, a sentence that says what is seen, a legend, the numbers behind it.
import { el, svgEl } from "./dom.ts";
import type { Described, Table } from "./describe.ts";

export interface Mark {
  name: string;
  colour: string; // a CSS colour
  symbol?: string; // the path of a symbol of area 60
  dash?: string;
}

export interface Drawing {
  described: Described;
  draw: (width: number) => Element;
  marks?: Mark[];
  notes?: string[];
  controls?: HTMLElement | null;
}

const NARROWEST = 280, WIDEST = 880;
let count = 0;

function tableOf(table: Table, title: string): HTMLElement {
  const head = el("tr");
  for (const text of table.head) head.append(el("th", { scope: "col" }, text));
  const body = el("tbody");
  for (const row of table.rows) {
    const line = el("tr");
    row.forEach((text, k) => line.append(k === 0 ? el("th", { scope: "row" }, text) : el("td", {}, text)));
    body.append(line);
  }
  const scroll = el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${title}, as a table` });
  scroll.append(el("table", {}, el("caption", {}, title), el("thead", {}, head), body));
  return scroll;
}

function legendOf(marks: Mark[]): HTMLElement {
  const list = el("ul", { class: "legend" });
  for (const mark of marks) {
    const line = svgEl("path", { d: "M-11,0H11", "stroke-width": "2", "stroke-dasharray": mark.dash ?? "none" });
    const sign = mark.symbol
      ? svgEl("path", { d: mark.symbol, "stroke-width": "1.5", class: "sign" })
      : svgEl("g", {});
    const swatch = svgEl("svg", { viewBox: "-12 -8 24 16", width: "24", height: "16", "aria-hidden": "true" });
    swatch.setAttribute("class", mark.symbol && mark.dash === undefined ? "swatch only" : "swatch");
    swatch.style.color = mark.colour;
    swatch.append(line, sign);
    list.append(el("li", {}, swatch, mark.name));
  }
  return list;
}

// Plot puts a style element into each picture, which a strict policy refuses; theme.css has these rules. It names its
// marks for screen readers ("dot", "rule"): the picture has one name that says more.
function bare(drawn: Element): Element {
  for (const style of drawn.querySelectorAll("style")) style.remove();
  for (const mark of drawn.querySelectorAll("[aria-label]")) {
    mark.setAttribute("data-mark", mark.getAttribute("aria-label") ?? "");
    mark.removeAttribute("aria-label");
  }
  return drawn;
}

// A figure that draws itself anew when its width changes. What it shows can be exchanged with `show`.
export class PlotFigure {
  readonly element: HTMLElement;
  private readonly heading = el("h3");
  private readonly text = el("p", { class: "said" });
  private readonly legend = el("div");
  private readonly place = el("div", { class: "drawn" });
  private readonly notes = el("div");
  private readonly details = el("details");
  private drawing: Drawing;
  private width = 0;

  constructor(drawing: Drawing) {
    const id = `plot-${++count}`;
    this.heading.id = id;
    this.text.id = `${id}-said`;
    this.drawing = drawing;
    this.element = el("figure", { class: "plot", "aria-labelledby": id, "aria-describedby": `${id}-said` });
    this.element.append(this.heading, this.text);
    if (drawing.controls) this.element.append(drawing.controls);
    this.element.append(this.legend, this.place, this.notes, this.details);
    this.show(drawing);
    if (typeof ResizeObserver !== "undefined")
      new ResizeObserver(() => this.fit()).observe(this.place);
  }

  show(drawing: Drawing): void {
    this.drawing = drawing;
    const { title, text, table } = drawing.described;
    this.heading.textContent = title;
    this.text.textContent = text;
    this.legend.replaceChildren(...(drawing.marks ? [legendOf(drawing.marks)] : []));
    this.notes.replaceChildren(...(drawing.notes ?? []).map((note) => el("p", { class: "note" }, note)));
    this.details.replaceChildren(el("summary", {}, "The numbers"), tableOf(table, title));
    this.render(this.width || 640);
  }

  private fit(): void {
    const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, this.place.clientWidth)));
    if (this.place.clientWidth > 0 && width !== this.width) this.render(width);
  }

  private render(width: number): void {
    this.width = width;
    const drawn = bare(this.drawing.draw(width));
    drawn.setAttribute("role", "img");
    const { title, text } = this.drawing.described;
    drawn.setAttribute("aria-label", `${title}. ${text}`);
    this.place.replaceChildren(drawn);
  }
}
