// What was planned and released in this run of the studio, by any of its pages: to go back to, and to download.
import { el } from "./dom.ts";
import type { FileLink, Past } from "./studio_api.ts";
import { button } from "./studio_fields.ts";
import { Fold } from "./studio_voice.ts";

function link(file: FileLink | undefined, words: string): HTMLElement | null {
  return file ? el("a", { href: `api/file/${file.id}`, download: file.name, class: "download small" }, words) : null;
}

export class HistoryPart {
  readonly fold: Fold;
  private readonly list = el("ol", { class: "history", id: "history-list" });

  constructor(onOpen: () => void, private readonly onBack: (past: Past) => void) {
    this.fold = new Fold("history", "History of this run", onOpen, el("p", { class: "help" }, "Plans are kept as shown: going back to one needs no new computation."), this.list);
    this.show([]);
  }

  show(history: Past[]): void {
    const plans = history.filter((one) => one.kind === "plan").length, releases = history.length - plans;
    this.fold.note(history.length === 0 ? "nothing yet" : `${plans} planned, ${releases} released`);
    this.list.replaceChildren(...history.map((one) => this.entry(one)));
  }

  private entry(past: Past): HTMLElement {
    const { files } = past;
    return el(
      "li",
      { "data-kind": past.kind },
      el("p", {}, el("strong", {}, past.kind === "release" ? past.said : `Plan for ${past.name}`), ` epsilon ${past.epsilon}, ${past.method}`),
      el("p", { class: "muted" }, `${past.error}.`),
      el("code", { class: "digest" }, past.digest),
      el(
        "div",
        { class: "buttons" },
        button("Back to this", () => this.onBack(past), { class: "small", "aria-label": `Back to this: epsilon ${past.epsilon}, ${past.method}` }),
        link(files["released"], "Released table"),
        link(files["receipt"], "Receipt"),
        link(files["statement"], "Statement"),
        link(files["plan"], "Plan (private)"),
        link(files["report"], "Report (private)"),
      ),
    );
  }
}
