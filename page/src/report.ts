// The report: one page about one plan, for somebody who decides. First the answers in everyday words, then the evidence.
import { beliefs, type Belief } from "./beliefs.ts";
import { el } from "./dom.ts";
import { plots, type Plots } from "./plots.ts";
import { associations, sample, type Associations, type Sample } from "./report_preview.ts";

// docs/formats.md, "Picture", with plots in the place of their numbers.
interface PlanPicture {
  public: boolean;
  title: string;
  heading?: string; // in place of the title
  head?: [string, string][];
  question: string;
  promise: string;
  plainly?: string; // the same in everyday words
  beliefs: Belief[];
  verdict: string;
  good_for: string[];
  bad_for: string[];
  covered: string[];
  costs: string[];
  search?: { state: "least" | "unfinished" | "found"; text: string };
  terms: [string, string][];
  promised: string[];
  not_promised: string[];
  assumptions: string[];
  notes?: string[];
  statement: string;
  estimate: string[];
  facts: [string, string][];
  guarantee: { delta: number; method?: string; promise?: string; budgets?: unknown[] };
  shares?: Plots & { draws?: number };
  sample?: Sample;
  associations?: Associations;
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

function named(rows: [string, string][], kind: string): HTMLElement {
  const all = el("dl", { class: kind });
  for (const [name, text] of rows) all.append(el("div", {}, el("dt", {}, name), el("dd", {}, text)));
  return all;
}

const explained = (text: string): HTMLElement => el("p", { class: "lead" }, text);

function sides(left: [string, string[]], right: [string, string[]]): HTMLElement {
  return el(
    "div",
    { class: "sides" },
    el("div", {}, el("h3", {}, left[0]), list(left[1], "yes")),
    el("div", {}, el("h3", {}, right[0]), list(right[1], "no")),
  );
}

function head(picture: PlanPicture): HTMLElement {
  const tag = picture.public
    ? el("p", { class: "tag open" }, "May be published")
    : el("p", { class: "tag closed" }, "Private, do not pass on: this report shows how often each value occurs");
  return el(
    "header",
    {},
    tag,
    el("h1", {}, picture.heading ?? picture.title),
    picture.head && picture.head.length > 0 ? named(picture.head, "head") : null,
    el("p", { class: "question" }, picture.question),
    el("p", { class: "verdict" }, el("strong", {}, "In short: "), picture.verdict),
  );
}

const SEARCH = { least: "Known to be the least", unfinished: "Only the best so far", found: "Found, not known to be the least" };

// What somebody must know who decides.
function answers(picture: PlanPicture): HTMLElement[] {
  const search = picture.search;
  return [
    section(
      "promise",
      "What is promised",
      el("p", { class: "promise" }, picture.plainly ?? picture.promise),
      picture.plainly ? el("p", { class: "lead" }, picture.promise) : null,
      picture.beliefs.length > 0 ? beliefs(picture.beliefs) : null,
    ),
    section("whom", "Who is protected, and against whom", sides(["Covered", picture.covered], ["Not covered, not promised", picture.not_promised])),
    section(
      "costs",
      "What it costs",
      list(picture.costs),
      search ? el("p", { class: `search ${search.state}` }, el("strong", {}, `${SEARCH[search.state]}. `), search.text) : null,
    ),
    section("use", "What to use it for, and what not", sides(["Use it for", picture.good_for], ["Do not use it for", picture.bad_for])),
  ];
}

function change(picture: PlanPicture): HTMLElement | null {
  const { shares, sample: rows, associations: matrix } = picture;
  if (!shares) return null;
  const few = !rows || rows.columns.length <= 2; // columns: on paper rows and drawings stand beside each other
  return section(
    "change",
    "Before and after",
    explained("Averages over simulated draws that are thrown away: last digits differ from the exact figures above. A release will be near them, not the same."),
    el("div", { class: few ? "beside" : "below" }, rows ? sample(rows) : null, el("div", { class: "drawings" }, plots(shares))),
    matrix ? associations(matrix, rows?.secret_released ?? false) : null,
  );
}

function evidence(picture: PlanPicture): (HTMLElement | null)[] {
  const { laws, transport, loss, error } = picture;
  return [
    laws
      ? section(
          "secret",
          "What the values say before any change",
          explained("The more the heights of one value differ, the more that value says about the secret."),
          plots(laws),
        )
      : null,
    transport && transport.figures.length > 0
      ? section(
          "transport",
          "How far apart the worst two are",
          explained("Mass on the diagonal is the same for both. The farther the rest has to move, the harder the difference is to hide."),
          plots(transport),
        )
      : null,
    loss
      ? section(
          "loss",
          "What a released value reveals",
          explained(
            picture.guarantee.promise || picture.guarantee.budgets
              ? "Every budget, or how sure anybody may become of each secret, was proved by itself."
              : Number(picture.guarantee.delta) === 0
                ? "For every value that may be released: by how much it can change the odds between two secrets, as a power of e. This is proved for each, not estimated."
                : "With a delta, the loss may exceed epsilon: by a little anywhere, by much only where that is unlikely. For every value that may be released: how much it adds to the delta.",
          ),
          plots(loss),
        )
      : null,
    error
      ? section(
          "others",
          "What other methods would cost",
          error.figures.length > 0 ? explained("Every method keeps the same promise. They differ in how much they change.") : null,
          plots(error),
        )
      : null,
    section(
      "noise",
      "What is done to a value",
      explained(
        picture.guarantee.method === "swap"
          ? "Only the shares of the rows and values that change are published with the release."
          : "This distribution is published with the released values, so that recipients can allow for it.",
      ),
      plots(picture.noise),
    ),
  ];
}

// The whole report as one element.
export function reportElement(picture: PlanPicture): HTMLElement {
  const page = el("main", {}, head(picture), ...answers(picture), change(picture));
  const proof = el("div", { class: "evidence" });
  for (const part of evidence(picture)) if (part) proof.append(part);
  page.append(
    proof,
    section("facts", "In numbers", named(picture.facts, "facts")),
    section("rests", "What it rests on", list(picture.promised), el("h3", {}, "Assumed"), list(picture.assumptions),
      picture.notes && picture.notes.length > 0 ? el("div", {}, el("h3", {}, "Notes"), list(picture.notes)) : null),
    section("estimate", "For whoever receives the values", list(picture.estimate)),
    section("statement", "The statement", el("p", { class: "statement" }, picture.statement)),
    section("terms", "The words used here", named(picture.terms, "terms")),
  );
  return page;
}

const source = document.getElementById("picture");
if (source) {
  const picture = JSON.parse(source.textContent ?? "") as PlanPicture;
  document.title = `${picture.heading ?? picture.title}: report`;
  document.body.append(reportElement(picture));
}
