// The table: dropped, chosen or named. The last choice counts, whichever ends first.
import { el } from "./dom.ts";
import { Cancelled, StudioError, openAgain, openTable, upload, type OpenTable, type Progress } from "./studio_api.ts";
import { button, progressBar, showWrong, wrongPlace } from "./studio_fields.ts";
import type { Sections } from "./studio_form.ts";
import type { JobPart } from "./studio_job.ts";

export interface Session {
  tables: string[];
  folder: string;
  folder_named: boolean;
  ledger: boolean;
  fields: Sections;
}

export class TablePart {
  readonly element: HTMLElement;
  private readonly opening = el("div");
  private readonly opened = el("p", { class: "opened", role: "status" });
  private choice = new AbortController(); // of the table that was chosen last

  constructor(private readonly session: Session, reading: HTMLElement, grid: HTMLElement, private readonly job: JobPart, private readonly onTaken: (table: OpenTable) => void) {
    const named = el("div", { class: "buttons" }, ...session.tables.map((name) => button(name, () => this.openNamed(name), { class: "small" })));
    const ways = el("div", { class: "ways" }, this.dropPart(), named, session.folder_named ? this.namePart() : null, this.job.element);
    this.element = el("div", {}, ways, this.opening, this.opened, wrongPlace("table"), grid, el("details", { class: "group" }, el("summary", {}, "How the table is read"), reading));
  }

  // Whether the studio may open a table of that name by itself.
  knows(name: string): boolean {
    return this.session.tables.includes(name) || (this.session.folder_named && name !== "");
  }
  openNamed(name: string): void {
    void this.take((signal) => openTable(name, signal));
  }
  // One that was open before, by its number; when it is not any more, `otherwise`.
  openAgain(table: string, otherwise: () => void): void {
    void this.take((signal) => openAgain(table, signal), otherwise);
  }
  // It is open; with no name none is.
  say(name: string): void {
    this.opened.replaceChildren(...(name ? [el("strong", {}, name), " is open."] : []));
    this.element.classList.toggle("has-table", name !== "");
  }
  // Looks at it; without progress it has ended.
  looking(progress?: Progress): void {
    if (!progress) return this.opening.replaceChildren();
    const bar = progressBar("Looking at the columns");
    bar.show(progress.fraction, progress.what);
    this.opening.replaceChildren(bar.element);
  }

  private async take(ask: (signal: AbortSignal) => Promise<OpenTable>, otherwise?: () => void): Promise<void> {
    this.choice.abort();
    const { signal } = (this.choice = new AbortController());
    showWrong(null);
    this.opening.replaceChildren();
    try {
      const table = await ask(signal);
      if (signal.aborted) return;
      this.opening.replaceChildren();
      this.onTaken(table);
    } catch (error) {
      if (signal.aborted || error instanceof Cancelled) return;
      this.opening.replaceChildren();
      if (!(error instanceof StudioError)) throw error;
      if (otherwise) otherwise();
      else showWrong(error.wrong, "table");
    }
  }

  private send(file: File): void {
    void this.take((signal) => {
      const bar = progressBar("Reading the file");
      const stop = button("Cancel", () => {
        this.choice.abort();
        this.opening.replaceChildren(el("p", { class: "muted", role: "status" }, `${file.name} was not uploaded.`));
      }, { class: "small", id: "cancel-upload" });
      this.opening.replaceChildren(bar.element, stop);
      return upload(file, signal, (share) => bar.show(share, "taken in"));
    });
  }

  private dropPart(): HTMLElement {
    const file = el("input", { type: "file", id: "field-table", accept: ".csv,.tsv,.txt,.data,.gz,.zst", "aria-describedby": "wrong-table" });
    const drop = el("label", { class: "drop", for: "field-table" }, el("strong", {}, "Drop a CSV file here"), el("span", { class: "muted" }, "or choose one. It stays on this machine. A job can be dropped, too."), file);
    const take = (dropped: File | undefined) => dropped && (dropped.name.endsWith(".json") ? void this.job.open(dropped) : this.send(dropped));
    file.addEventListener("change", () => {
      take(file.files?.[0]);
      file.value = ""; // so that the same one can be chosen again
    });
    for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    });
    return drop;
  }

  private namePart(): HTMLElement {
    const name = el("input", { type: "text", id: "field-name", autocomplete: "off" });
    const go = () => this.openNamed(name.value);
    name.addEventListener("keydown", (event) => event.key === "Enter" && go());
    return el("div", { class: "field inline" }, el("label", { for: "field-name" }, `Or name one in ${this.session.folder}`), name, button("Open", go, { class: "small" }));
  }
}
