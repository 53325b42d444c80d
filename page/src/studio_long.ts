// Work that takes a while: how far it is, a way to stop it, and one to begin it again.
import { el } from "./dom.ts";
import type { Progress } from "./studio_api.ts";
import { button, progressBar } from "./studio_fields.ts";

export class LongWork {
  readonly element: HTMLElement;
  private bar: ReturnType<typeof progressBar> | null = null;

  constructor(private readonly label: string, private readonly id: string, private readonly onStop: () => void, private readonly onAgain: () => void) {
    this.element = el("div", { id });
  }

  progress(progress: Progress): void {
    if (!this.bar) {
      this.bar = progressBar(this.label);
      this.element.replaceChildren(this.bar.element, button("Stop", this.onStop, { class: "small", id: `${this.id}-stop` }));
    }
    this.bar.show(progress.fraction, progress.what);
  }
  done(): void {
    this.bar = null;
    this.element.replaceChildren();
  }
  stopped(): void {
    this.bar = null;
    this.element.replaceChildren(el("p", {}, "Stopped: there is no plan for these fields yet."), button("Go on", this.onAgain, { class: "small", id: `${this.id}-again` }));
  }
}
