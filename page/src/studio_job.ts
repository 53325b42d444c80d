// A job: its file fills the page, and the page is saved as such a file. What the page has no field for stays in the file.
import { el } from "./dom.ts";
import { Cancelled, StudioError, openJob, work, type FileLink, type OpenedJob, type Request } from "./studio_api.ts";
import { button, showWrong, wrongPlace } from "./studio_fields.ts";

export class JobPart {
  readonly element: HTMLElement;
  private readonly said = el("p", { class: "muted", id: "job-said", role: "status" });
  private readonly save = button("Save as a job", () => void this.download(), { id: "save-job", class: "small", disabled: "" });
  private text = ""; // of the job that was opened, as it was
  private waiting: OpenedJob | null = null; // for a table, whose columns get their roles

  constructor(private readonly request: () => Request, private readonly onOpen: (job: OpenedJob) => void) {
    const file = el("input", { type: "file", id: "field-job", accept: ".json,application/json", "aria-describedby": "wrong-job" });
    file.addEventListener("change", () => {
      if (file.files?.[0]) void this.open(file.files[0]);
      file.value = ""; // so that the same one can be chosen again
    });
    this.element = el("div", {}, el("div", { class: "buttons" }, el("label", { class: "pick", for: "field-job" }, "Open a job", file), this.save), this.said, wrongPlace("job"));
  }

  async open(file: File): Promise<void> {
    showWrong(null);
    await this.trying(async () => {
      const text = await file.text();
      const job = await openJob(text);
      this.text = text;
      this.waiting = job;
      const kept = job.not_here.length > 0 ? ` Kept in the file, but not on the page: ${job.not_here.join(", ")}.` : "";
      this.said.textContent = `${file.name} is open.${job.table ? ` It is about ${job.table}.` : ""}${kept}`;
      this.onOpen(job);
    });
  }

  // What an address or the history says waits for its table likewise.
  wait(job: OpenedJob): void {
    this.text = "";
    this.waiting = job;
    this.said.textContent = "";
  }

  // A table is open, or none is: what waits for one is over.
  taken(open: boolean): OpenedJob | null {
    this.save.disabled = !open;
    const job = open ? this.waiting : null;
    if (open) this.waiting = null;
    return job;
  }

  private async download(): Promise<void> {
    await this.trying(async () => {
      const file = await work<FileLink>("save-job", { ...this.request(), ...(this.text ? { job: this.text } : {}) });
      const link = el("a", { href: `api/file/${file.id}`, download: file.name });
      document.body.append(link);
      link.click();
      link.remove();
    });
  }

  private async trying(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (error instanceof StudioError) showWrong({ ...error.wrong, field: "job" });
      else if (!(error instanceof Cancelled)) throw error;
    }
  }
}
