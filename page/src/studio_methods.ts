// Every method side by side, one of them chosen; and two settings beside each other.
import { el } from "./dom.ts";
import { percentUp, short, shortUp } from "./numbers.ts";
import { button } from "./studio_fields.ts";
import { copyOf, differences, makesItsOwn, type Setting } from "./studio_setting.ts";

export interface Candidate {
  method: string;
  noise: string;
  scale: number | null;
  mse: number | null;
  loss: number | null;
  delta?: number | null;
  baseline?: boolean;
  robust?: { mse: number | null };
  rows?: { leakage: { guessed_after: { at_most: number } } };
  note: string;
}
export interface Compared {
  epsilon: number;
  delta: number;
  candidates: Candidate[];
  titles: Record<string, string>;
  words: string;
  truth: string;
  guessing: string; // what the shares of guesses stand beside
  command: string;
  chosen: string; // the method when none is named
}
export interface Optima {
  candidates: Candidate[];
  titles: Record<string, string>;
}

const WAITING: [string, string][] = [["optimal", "symmetric noise of least error"], ["channel", "least error on these outputs"], ["swap", "values trade places, frequencies stay"]];

const ROOMY = ["noise", "scale", "secret guessed"]; // columns that are not shown where there is little room

// For how many people the best guess of the secret is right by what is released, at most.
const guessed = (row: Candidate | undefined): string => (row?.rows ? percentUp(row.rows.leakage.guessed_after.at_most) : "–");

export class Methods {
  readonly element: HTMLElement;
  private readonly body = el("tbody");
  private readonly head = el("tr");
  private readonly caption = el("caption");
  private readonly notes = el("div");
  private compared: Compared | null = null;
  private optima: Optima | string = "";

  constructor(private readonly setting: Setting, private readonly onChoose: (candidate: Candidate) => void) {
    const table = el("table", { class: "methods" }, this.caption, el("thead", {}, this.head), this.body);
    this.element = el("div", { id: "the-methods" }, el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Methods" }, table), this.notes);
  }

  // What is known now; the optima are there, or words about why not yet.
  show(compared: Compared, optima: Optima | string): void {
    this.compared = compared;
    this.optima = optima;
    this.render();
  }
  // What a method is, in a few words.
  titleOf(method: string): string {
    return this.compared?.titles[method] ?? (typeof this.optima === "string" ? undefined : this.optima.titles[method]) ?? new Map(WAITING).get(method) ?? "";
  }
  chosen(): Candidate | undefined {
    return this.rows().find((row) => this.isChosen(row));
  }

  private rows(): Candidate[] {
    if (!this.compared) return [];
    const optima = typeof this.optima === "string" ? [] : this.optima.candidates;
    const main = this.compared.candidates.filter((row) => !row.baseline);
    return [...main, ...optima, ...this.compared.candidates.filter((row) => row.baseline)];
  }
  private isChosen(row: Candidate): boolean {
    const noise = this.setting.question["noise"] || "laplace";
    return row.method === (this.setting.plan["method"] || this.compared?.chosen) && (row.noise === noise || makesItsOwn(row.noise));
  }

  private render(): void {
    const compared = this.compared;
    if (!compared) return;
    const robust = compared.candidates.some((row) => row.robust);
    const titles = ["method", "noise", "error (rms)", ...(robust ? ["with confidence"] : []), "scale", compared.delta > 0 ? "delta" : "loss", "secret guessed"];
    this.caption.textContent = `${robust ? 'Every method but those that are "not robust"' : "Every method"} keeps the same promise. Choose one for the plan.`;
    this.head.replaceChildren(...titles.map((title) => el("th", { scope: "col", ...(ROOMY.includes(title) ? { class: "roomy" } : {}) }, title)));
    const rows = this.rows();
    const largest = Math.max(...rows.filter((row) => !row.baseline).map((row) => Math.sqrt(row.mse ?? 0)), 1e-300);
    const titlesOf = { ...compared.titles, ...(typeof this.optima === "string" ? {} : this.optima.titles) };
    // Radios are kept, so that the keyboard stays where it is while numbers follow.
    const focus = document.activeElement?.id;
    const lines = (baseline: boolean) => rows.filter((row) => Boolean(row.baseline) === baseline).map((row) => this.row(row, titlesOf[row.method] ?? "", largest, robust));
    const waiting = typeof this.optima === "string" && this.optima ? this.waiting(titles.length) : [];
    this.body.replaceChildren(...lines(false), ...waiting, ...lines(true));
    if (focus?.startsWith("method-")) document.getElementById(focus)?.focus();
    const noted = rows.filter((row) => row.note);
    this.notes.replaceChildren(
      ...noted.map((row) => el("p", { class: "note" }, `${row.method} (${row.noise}): ${row.note}`)),
      ...(rows.some((row) => row.baseline) ? [el("p", { class: "note" }, "A baseline hides the value itself, not only the secret.")] : []),
      ...(compared.guessing ? [el("p", { class: "note" }, compared.guessing)] : []),
      el("p", { class: "note" }, compared.truth),
    );
  }

  private waiting(columns: number): HTMLElement[] {
    return WAITING.map(([method, title]) =>
      el("tr", { class: "waiting" }, el("th", { scope: "row" }, el("div", { class: "name" }, el("span", {}, method), el("span", { class: "kind" }, title))), el("td", { colspan: String(columns - 1) }, String(this.optima))),
    );
  }

  private row(row: Candidate, title: string, largest: number, robust: boolean): HTMLElement {
    const id = `method-${row.method}-${row.noise}`;
    const choice = el("input", { type: "radio", name: "method", id });
    choice.checked = this.isChosen(row);
    choice.disabled = row.mse === null;
    choice.addEventListener("change", () => this.onChoose(row));
    const bar = el("progress", { class: "cost", max: "1", "aria-hidden": "true" });
    bar.value = row.mse === null ? 0 : Math.min(1, Math.sqrt(row.mse) / largest);
    const error = row.mse === null ? "–" : row.mse === 0 ? "none" : short(Math.sqrt(row.mse));
    const bound = row.loss ?? row.delta ?? null;
    const line = el(
      "tr",
      { "data-method": row.method },
      el("th", { scope: "row" }, el("div", { class: "name" }, choice, el("label", { for: id }, row.method), el("span", { class: "kind" }, title), el("span", { class: "kind cramped" }, row.noise))),
      el("td", { class: "roomy" }, row.noise),
      el("td", { class: "error" }, error, bar),
      robust ? el("td", {}, row.robust?.mse == null ? "not robust" : short(Math.sqrt(row.robust.mse))) : null,
      el("td", { class: "roomy" }, row.scale === null ? "–" : shortUp(row.scale, 5)),
      el("td", {}, bound === null ? "–" : shortUp(bound)),
      el("td", { class: "roomy" }, guessed(row)),
    );
    if (choice.checked) line.classList.add("chosen");
    if (row.baseline) line.classList.add("baseline");
    return line;
  }
}

interface Kept {
  setting: Setting;
  words: string;
  candidate: Candidate | undefined;
}

// A setting that was kept, beside the one that is there now.
export class SideBySide {
  readonly element = el("div", { class: "side-by-side" });
  private kept: Kept | null = null;
  private now: Kept | null = null;

  // `labels` are those of the fields, by the names of the flags.
  constructor(private readonly labels: ReadonlyMap<string, string>) {
    this.render();
  }
  show(setting: Setting, words: string, candidate: Candidate | undefined): void {
    this.now = { setting: copyOf(setting), words, candidate };
    this.render();
  }

  private render(): void {
    const { kept, now } = this;
    const keep = button(kept ? "Keep this setting instead" : "Keep this setting", () => {
      this.kept = this.now;
      this.render();
      document.getElementById("keep")?.focus();
    }, { id: "keep" });
    if (!now) keep.disabled = true;
    if (!kept || !now) {
      this.element.replaceChildren(keep, el("p", { class: "help" }, "Then change something to see both side by side."));
      return;
    }
    const changed = differences(kept.setting, now.setting);
    const error = (one: Kept) => (one.candidate?.mse == null ? "–" : short(Math.sqrt(one.candidate.mse)));
    const lines: [string, string, string][] = [
      ...changed.map(({ name, kept: before, now: after }): [string, string, string] => [this.labels.get(name) ?? name, before, after]),
      ["promise", kept.words, now.words],
      ["method", kept.candidate?.method ?? "–", now.candidate?.method ?? "–"],
      ["error (rms)", error(kept), error(now)],
      ["secret guessed", guessed(kept.candidate), guessed(now.candidate)],
    ];
    const body = el("tbody", {}, ...lines.map(([name, before, after]) => el("tr", before === after ? {} : { class: "differs" }, el("th", { scope: "row" }, name), el("td", {}, before), el("td", {}, after))));
    const head = el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col" }, "kept"), el("th", { scope: "col" }, "now")));
    this.element.replaceChildren(
      el("table", { class: "sides-table", id: "side-by-side" }, el("caption", {}, changed.length === 0 ? "Nothing differs yet." : "What differs, and the result."), head, body),
      el("div", { class: "buttons" }, keep, button("Forget it", () => {
        this.kept = null;
        this.render();
      }, { class: "small" })),
    );
  }
}
