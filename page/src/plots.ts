// The plots that fugu draws (fugu/report/plot.h), put in place: each with its heading, what it shows in words, its numbers
// as a table, and a list to choose from where there are several.
import { el } from "./dom.ts";

interface Plot {
  title: string;
  text: string;
  choice: string;
  table: { head: string[]; rows: string[][] };
  notes: string[];
  svg: string;
  narrow: string; // the same for a phone
}

export interface Plots {
  figures: Plot[][]; // in each place one of these
  notes: string[];
}

const NARROW = 480; // pixels
let count = 0;

function tableOf({ title, table }: Plot): HTMLElement {
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

// The drawing as elements. It is fugu's own, with every name escaped, and the page's policy runs nothing in it.
function drawing(svg: string): Element {
  return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
}

function figure(choice: Plot[]): HTMLElement {
  const id = `plot-${++count}`;
  const heading = el("h3", { id }), said = el("p", { class: "said", id: `${id}-said` });
  const place = el("div", { class: "drawn" }), notes = el("div"), details = el("details"), select = el("select");
  let drawn = "";
  const draw = (narrow = (place.clientWidth || NARROW) < NARROW) => {
    const plot = choice[select.selectedIndex] ?? choice[0];
    const wanted = narrow ? plot?.narrow : plot?.svg;
    if (wanted && wanted !== drawn) place.replaceChildren(drawing((drawn = wanted)));
  };
  const show = (plot: Plot) => {
    heading.replaceChildren(plot.title);
    said.replaceChildren(plot.text);
    notes.replaceChildren(...plot.notes.map((note) => el("p", { class: "note" }, note)));
    details.replaceChildren(el("summary", {}, "The numbers"), tableOf(plot));
    draw();
  };
  for (const plot of choice) select.append(el("option", {}, plot.choice));
  select.addEventListener("change", () => choice[select.selectedIndex] && show(choice[select.selectedIndex] as Plot));
  const controls = choice.length > 1 ? el("label", { class: "choice" }, "For somebody who knows: ", select) : null;
  if (choice[0]) show(choice[0]);
  new ResizeObserver(() => draw()).observe(place);
  // On paper letters stay readable, and two drawings fit beside each other.
  addEventListener("beforeprint", () => draw(true));
  addEventListener("afterprint", () => draw());
  return el("figure", { class: "plot", "aria-labelledby": id, "aria-describedby": `${id}-said` }, heading, said, controls, place, notes, details);
}

export function plots({ figures, notes }: Plots): HTMLElement {
  return el("div", {}, ...figures.map(figure), ...notes.map((note) => el("p", { class: "note" }, note)));
}
