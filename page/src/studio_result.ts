// The plan of the present fields: what it costs in a sentence, what is proved, advice.
import { el } from "./dom.ts";
import { commandLine } from "./studio_fields.ts";
import { LongWork } from "./studio_long.ts";
import { fileLink, type Calibrated } from "./studio_release.ts";
import { factsIn } from "./studio_summary.ts";

const WORDS: Record<string, string> = {
  guarantee: "promise",
  leakage: "what is learned",
  loss: "proved",
  noise: "what is done",
  error: "what it costs",
};
const FIRST = ["error", "leakage"]; // what people decide by; the rest is folded

function list(facts: [string, string][]): HTMLElement {
  return el("dl", { class: "plan-facts" }, ...facts.flatMap(([name, text]) => [el("dt", {}, WORDS[name] ?? name), el("dd", {}, text)]));
}

export class ResultPart {
  readonly element: HTMLElement;
  readonly plan = el("div", { id: "the-plan" });
  readonly command = commandLine("make the plan", "command-calibrate");
  readonly making: LongWork;
  private readonly inside = el("div");
  private readonly whole = el("details", { id: "whole-plan" }, el("summary", {}, "The whole plan"), this.inside);

  constructor(private readonly advise: (hint: string) => Node | null, onStop: () => void, onAgain: () => void) {
    this.making = new LongWork("Making the plan", "making", onStop, onAgain);
    this.element = el("div", {}, this.making.element, this.plan);
    this.plan.append(this.whole);
  }

  // `title` says what its method does.
  show(made: Calibrated, title: string, recommended: boolean): void {
    this.making.done();
    const facts = factsIn(made.summary);
    this.inside.replaceChildren(el("div", { id: "summary" }, list(facts)), el("p", { class: "statement" }, made.statement), this.command.element);
    this.plan.replaceChildren(
      el("p", { class: "verdict" }, el("strong", { id: "chosen-method" }, made.method), `${title ? `: ${title}` : ""}. ${recommended ? "Recommended for these columns." : "You chose it."}`),
      list(facts.filter(([name]) => FIRST.includes(name))),
      made.hint ? el("div", { class: "advice" }, el("p", {}, made.hint.trim()), this.advise(made.hint)) : "",
      el("div", { class: "buttons" }, fileLink(made.files["plan"], "Download the plan"), fileLink(made.files["statement"], "Statement"), fileLink(made.files["report"], "Report")),
      el("p", { class: "help" }, "The plan and the report show how often each value occurs: keep them to yourself. The statement may be published."),
      this.whole,
    );
  }
}
