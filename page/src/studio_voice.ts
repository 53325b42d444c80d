// One place that is read aloud, one short sentence at a time; and parts of the page that are folded away.
import { el } from "./dom.ts";

export const voice = el("p", { class: "unseen", id: "voice", role: "status", "aria-live": "polite" });

export function say(sentence: string): void {
  if (voice.textContent !== sentence) voice.textContent = sentence;
}

// A card that is always open.
export function part(id: string, title: string, ...children: (Node | null)[]): HTMLElement {
  return el("section", { "aria-labelledby": id }, el("h2", { id }, title), el("div", { id: `in-${id}` }, ...children));
}

// A card that is closed until somebody opens it; what it holds is asked for then.
export class Fold {
  readonly element: HTMLDetailsElement;
  private readonly aside = el("span", { class: "aside" });

  constructor(id: string, title: string, onOpen: () => void, ...children: (Node | null)[]) {
    this.element = el("details", { class: "card" }, el("summary", {}, el("h2", { id }, title), this.aside), el("div", { id: `in-${id}` }, ...children));
    this.element.addEventListener("toggle", () => this.element.open && onOpen());
  }
  get open(): boolean {
    return this.element.open;
  }
  // A few words beside the title.
  note(words: string): void {
    this.aside.textContent = words;
  }
}
