// What a release can do to a belief: before, and the least and the most it can be after.
import { el } from "./dom.ts";
import { percent, percentUp } from "./numbers.ts";

export interface Belief {
  before: number;
  at_least: number;
  at_most: number;
}

function bar(belief: Belief): HTMLElement {
  const track = el("div", { class: "track", "aria-hidden": "true" });
  const span = el("div", { class: "span" }), dot = el("div", { class: "dot" });
  span.style.left = `${100 * belief.at_least}%`;
  span.style.width = `${100 * (belief.at_most - belief.at_least)}%`;
  dot.style.left = `${100 * belief.before}%`;
  track.append(span, dot);
  return track;
}

export function beliefs(list: Belief[]): HTMLElement {
  const rows = el("tbody");
  for (const belief of list) {
    const least = `${Math.floor(1000 * belief.at_least) / 10}\u00a0%`;
    rows.append(
      el(
        "tr",
        {},
        el("th", { scope: "row" }, percent(belief.before)),
        el("td", { class: "wide" }, bar(belief)),
        el("td", {}, `${least} to ${percentUp(belief.at_most)}`),
      ),
    );
  }
  return el(
    "table",
    { class: "beliefs" },
    el("caption", {}, "Somebody thinks one of two secrets this likely. After seeing a released value, they think it is between"),
    el("thead", { class: "unseen" }, el("tr", {}, el("th", { scope: "col" }, "before"), el("th", { scope: "col" }, "drawn"), el("th", { scope: "col" }, "after"))),
    rows,
  );
}
