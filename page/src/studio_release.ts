// The release: a name, a bar that moves, and what came of it.
import { el } from "./dom.ts";
import type { Plots } from "./plots.ts";
import { Cancelled, StudioError, cancel, work, type FileLink, type Request, type Wrong } from "./studio_api.ts";
import { button, commandLine, progressBar, showWrong, wrongPlace } from "./studio_fields.ts";
import { say } from "./studio_voice.ts";

export interface Commands {
  calibrate: string;
  release: string;
}
export interface Calibrated {
  digest: string;
  method: string;
  error: string;
  summary: string;
  hint: string;
  statement: string;
  assumptions: string[];
  notes: string[];
  loss: Plots;
  noise: Plots;
  ledger: string | null;
  files: Record<string, FileLink>;
  commands: Commands;
}
interface Released {
  said: string;
  draw: string;
  ledger: string | null;
  summary: string;
  files: Record<string, FileLink>;
  command: string;
}

export function fileLink(file: FileLink | undefined, words: string): HTMLElement | null {
  return file ? el("a", { href: `api/file/${file.id}`, download: file.name, class: "download" }, words) : null;
}

export class ReleasePart {
  readonly element = el("div");
  private readonly output = el("input", { id: "field-output", type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": "wrong-output" });
  private readonly keep = el("input", { id: "field-keep", type: "checkbox" });
  private readonly keepRow = el("div", { class: "field check" }, this.keep, el("label", { for: "field-keep" }, "Also write the given columns"), wrongPlace("keep"));
  private readonly shuffle = el("input", { id: "field-shuffle", type: "checkbox" });
  private readonly done = el("ol", { class: "releases" });
  private readonly running = el("div");
  private readonly ahead = el("pre", { class: "ledger", id: "ledger-ahead" });
  private readonly start: HTMLButtonElement;
  private count = 0;
  private digest: string | null = null; // of the plan to release; none is there to release without it
  private busy = false;
  private left = false; // by the keyboard, when it could not be pressed
  readonly command = commandLine("release", "command-release");
  given = "";

  constructor(
    folder: string,
    ledger: boolean,
    private readonly request: () => Request,
    private readonly propose: (taken: number) => string,
    private readonly onChange: () => void,
    private readonly planAgain: () => Promise<void>,
    private readonly onReleased: () => void,
  ) {
    this.start = button("Release", () => void this.run(), { id: "release", class: "primary" });
    this.element.append(
      this.ahead,
      el("div", { class: "field" }, el("label", { for: "field-output" }, `Name of the released table, in ${folder}`), this.output, wrongPlace("output")),
      this.keepRow,
      el("div", { class: "field check" }, this.shuffle, el("label", { for: "field-shuffle" }, "Write the rows in random order, as with rows that trade places")),
      el("div", { class: "buttons" }, this.start),
      el("p", { class: "help" }, ledger ? "Each release is a new draw of the noise, and is counted in the ledger before it appears." : "Each release is a new draw of the noise. Somebody with two can average it out: release once, or start the studio with --ledger to keep count."),
      this.running,
      this.done,
      this.command.element,
    );
    this.allow();
    this.keepRow.hidden = this.ahead.hidden = true;
    this.output.addEventListener("input", () => (this.output.dataset["own"] = "yes"));
    for (const input of [this.output, this.keep, this.shuffle]) input.addEventListener("input", this.onChange);
  }

  // What a request for a release says besides the question.
  extra(): Record<string, unknown> {
    return { output: this.output.value, ...(this.keep.checked ? { keep: this.given } : {}), ...(this.shuffle.checked ? { shuffle: true } : {}) };
  }

  // What a job says of its release.
  fill(job: { output: string; keep: string; shuffle: boolean }): void {
    if (job.output) {
      this.output.value = job.output;
      this.output.dataset["own"] = "yes";
    }
    this.keep.checked = job.keep !== "";
    this.shuffle.checked = job.shuffle;
  }

  // The name that somebody gave, not the one that is proposed.
  ownName(): string {
    return this.output.dataset["own"] ? this.output.value : "";
  }
  get kept(): boolean {
    return this.keep.checked;
  }
  get shuffled(): boolean {
    return this.shuffle.checked;
  }

  // The question changed: another name, other columns beside.
  refresh(given: string): void {
    this.given = given;
    this.keepRow.hidden = !given;
    if (!given) this.keep.checked = false;
    if (!this.output.dataset["own"]) this.output.value = this.propose(this.count);
  }

  // What the ledger says of a release by the plan that is shown; null when it says nothing, or no more.
  foresee(ledger: string | null): void {
    this.ahead.textContent = ledger?.trimEnd() ?? "";
    this.ahead.hidden = ledger === null;
  }

  // The plan that is shown, and may be released from now on; null when there is none of the present fields.
  ready(digest: string | null): void {
    this.digest = digest;
    this.allow();
  }
  // The keyboard comes back to the button once it can be pressed again.
  private allow(): void {
    if (document.activeElement === this.start) this.left = true;
    this.start.disabled = this.digest === null || this.busy;
    if (!this.start.disabled && this.left) {
      this.left = false;
      if (document.activeElement === document.body) this.start.focus();
    }
    this.start.setAttribute("aria-disabled", String(this.start.disabled));
  }

  private async run(): Promise<void> {
    if (this.digest === null || this.busy) return;
    const asked = { ...this.request(), ...this.extra(), digest: this.digest };
    const bar = progressBar("Release");
    let job = "";
    const stop = button("Cancel", () => void (job && cancel(job)), { class: "small" });
    this.running.replaceChildren(bar.element, stop);
    this.busy = true;
    this.allow();
    showWrong(null);
    try {
      const released = await work<Released>("release", asked, (progress) => {
        job = progress.job;
        bar.show(progress.fraction, progress.what);
      });
      this.count += 1;
      this.foresee(null); // what came of it says what is left now
      this.done.prepend(this.said(released));
      say(released.said);
      this.onReleased();
      delete this.output.dataset["own"];
      this.refresh(this.given);
      this.onChange();
    } catch (error) {
      if (error instanceof StudioError) await this.refused(error.wrong);
      else if (error instanceof Cancelled) {
        this.done.prepend(el("li", {}, "Cancelled: nothing was written."));
        say("Cancelled: nothing was written.");
      }
      else throw error;
    } finally {
      this.running.replaceChildren();
      this.busy = false;
      this.allow();
    }
  }

  private async refused(wrong: Wrong): Promise<void> {
    if (wrong.field === "plan") await this.planAgain();
    showWrong(wrong, "output");
  }

  private said(released: Released): HTMLElement {
    const command = commandLine("release the same way", `command-release-${this.count}`);
    command.show(released.command);
    return el(
      "li",
      { class: "released" },
      el("p", {}, el("strong", {}, released.said)),
      el("p", { class: "draw" }, released.draw),
      released.ledger ? el("pre", { class: "ledger" }, released.ledger.trimEnd()) : null,
      el("div", { class: "buttons" }, fileLink(released.files["released"], "The released table"), fileLink(released.files["receipt"], "Receipt"), fileLink(released.files["statement"], "Statement"), fileLink(released.files["report"], "Report"), fileLink(released.files["plan"], "Plan (private)")),
      command.element,
    );
  }
}
