// The report: one page about one plan, from the words and plots that stand in it.
import { beliefs, type Belief } from "./beliefs.ts";
import { el } from "./dom.ts";
import { plots, type Plots } from "./plots.ts";

// docs/formats.md, "Picture", with plots in the place of their numbers.
interface PlanPicture {
  public: boolean;
  title: string;
  question: string;
  promise: string;
  beliefs: Belief[];
  promised: string[];
  not_promised: string[];
  assumptions: string[];
  notes?: string[];
  statement: string;
  estimate: string[];
  facts: [string, string][];
  guarantee: { delta: number };
  noise: Plots;
  laws?: Plots;
  transport?: Plots;
  loss?: Plots;
  error?: Plots;
}

function section(id: string, title: string, ...children: (Node | null)[]): HTMLElement {
  const part = el("section", { "aria-labelledby": id }, el("h2", { id }, title));
  for (const child of children) if (child) part.append(child);
  return part;
}

function list(items: string[], kind = ""): HTMLElement {
  const all = el("ul", kind ? { class: kind } : {});
  for (const item of items) all.append(el("li", {}, item));
  return all;
}

function facts(rows: [string, string][]): HTMLElement {
  const all = el("dl", { class: "facts" });
  for (const [name, text] of rows) all.append(el("div", {}, el("dt", {}, name), el("dd", {}, text)));
  return all;
}

function explained(text: string): HTMLElement {
  return el("p", { class: "lead" }, text);
}

function head(picture: PlanPicture): HTMLElement {
  const tag = picture.public
    ? el("p", { class: "tag open" }, "May be published")
    : el("p", { class: "tag closed" }, "Private: this report shows how often each value occurs");
  return el(
    "header",
    {},
    tag,
    el("h1", {}, picture.title),
    el("p", { class: "question" }, picture.question),
  );
}

function promise(picture: PlanPicture): HTMLElement {
  return section(
    "promise",
    "The promise",
    el("p", { class: "promise" }, picture.promise),
    picture.beliefs.length > 0 ? beliefs(picture.beliefs) : null,
    facts(picture.facts),
  );
}

function data(picture: PlanPicture): (HTMLElement | null)[] {
  const { laws, transport, loss, error } = picture;
  return [
    laws
      ? section(
          "secret",
          "What the values say before any noise",
          explained("The farther the heights of one value differ, the more that value says of the secret."),
          plots(laws),
        )
      : null,
    transport
      ? section(
          "transport",
          "How far apart the worst two are",
          explained("Mass on the diagonal is the same for both. The farther it has to move, the more noise hides the difference."),
          plots(transport),
        )
      : null,
    loss
      ? section(
          "loss",
          "What a released value gives away",
          explained(
            Number(picture.guarantee.delta) === 0
              ? "For every value that may be released: by how much it can change the odds between two secrets, as a power of e. This is proved for each, not estimated."
              : "With a delta, losses may pass epsilon where that is unlikely. For every value that may be released: how much it adds to that.",
          ),
          plots(loss),
        )
      : null,
    error
      ? section(
          "cost",
          "What it costs, and what it could cost",
          explained("Every method keeps the same promise. They differ in how much noise they need for it."),
          plots(error),
        )
      : null,
  ];
}

function limits(picture: PlanPicture): HTMLElement {
  return section(
    "limits",
    "What is promised, and what is not",
    el(
      "div",
      { class: "sides" },
      el("div", {}, el("h3", {}, "Promised"), list(picture.promised, "yes")),
      el("div", {}, el("h3", {}, "Not promised"), list(picture.not_promised, "no")),
    ),
    el("h3", {}, "It rests on this"),
    list(picture.assumptions),
    picture.notes && picture.notes.length > 0 ? el("div", {}, el("h3", {}, "Notes"), list(picture.notes)) : null,
  );
}

// The whole report as one element.
export function reportElement(picture: PlanPicture): HTMLElement {
  const page = el("main", {}, head(picture), promise(picture));
  for (const part of data(picture)) if (part) page.append(part);
  page.append(
    section(
      "noise",
      "What is done to a value",
      explained("This law is published with the released values, so that whoever receives them can reckon with it."),
      plots(picture.noise),
    ),
    limits(picture),
    section("estimate", "For whoever receives the values", list(picture.estimate)),
    section("statement", "The statement", el("p", { class: "statement" }, picture.statement)),
  );
  return page;
}

const source = document.getElementById("picture");
if (source) {
  const picture = JSON.parse(source.textContent ?? "") as PlanPicture;
  document.title = `${picture.title}: report`;
  document.body.append(reportElement(picture));
}
