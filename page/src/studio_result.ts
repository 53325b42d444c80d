// The plan of the present fields: what it costs in a sentence, what is proved, advice; how far its making is, and a way to stop
// that.
import { el } from "./dom.ts";
import type { Progress } from "./studio_api.ts";
import { button, commandLine, progressBar } from "./studio_fields.ts";
import { fileLink, type Calibrated } from "./studio_release.ts";
import { factsIn } from "./studio_summary.ts";

const WORDS: Record<string, string> = {
  guarantee: "promise",
  leakage: "what is learnt",
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
  private readonly making = el("div", { id: "making" });
  private bar: ReturnType<typeof progressBar> | null = null;
  private readonly inside = el("div");
  private readonly whole = el("details", { id: "whole-plan" }, el("summary", {}, "The whole plan"), this.inside);

  constructor(private readonly advise: (hint: string) => Node | null, private readonly onStop: () => void, private readonly onAgain: () => void) {
    this.element = el("div", {}, this.making, this.plan);
    this.plan.append(this.whole);
  }

  show(made: Calibrated, recommended: boolean): void {
    this.done();
    const facts = factsIn(made.summary);
    this.inside.replaceChildren(el("div", { id: "summary" }, list(facts)), el("p", { class: "statement" }, made.statement), this.command.element);
    this.plan.replaceChildren(
      el("p", { class: "verdict" }, el("strong", { id: "chosen-method" }, made.method), recommended ? ", which is recommended here." : ", which you chose."),
      list(facts.filter(([name]) => FIRST.includes(name))),
      made.hint ? el("div", { class: "advice" }, el("p", {}, made.hint.trim()), this.advise(made.hint)) : "",
      el("div", { class: "buttons" }, fileLink(made.files["plan"], "Download the plan"), fileLink(made.files["statement"], "Statement"), fileLink(made.files["report"], "Report")),
      el("p", { class: "help" }, "The plan and the report hold how often each value occurs: keep them to yourself. The statement may be published."),
      this.whole,
    );
  }

  // How far it is. It takes a while: what is known already is shown beside.
  progress(progress: Progress): void {
    if (!this.bar) {
      this.bar = progressBar("Making the plan");
      this.making.replaceChildren(this.bar.element, button("Stop", this.onStop, { class: "small", id: "stop-plan" }));
    }
    this.bar.show(progress.fraction, progress.what);
  }
  done(): void {
    this.bar = null;
    this.making.replaceChildren();
  }
  stopped(): void {
    this.bar = null;
    this.making.replaceChildren(
      el("p", {}, "Stopped: these fields have no plan yet."),
      button("Make the plan", this.onAgain, { class: "small", id: "plan-again" }),
    );
  }
}
