// The studio: a table, a question, what every method costs, a plan, a release. Everything is asked of the server, which
// answers as the command line does.
import { el } from "./dom.ts";
import { plots, type Plots } from "./plots.ts";
import { Cancelled, StudioError, get, lastWork, type OpenTable, type OpenedJob, type Request } from "./studio_api.ts";
import { Columns, type Inspection } from "./studio_columns.ts";
import { commandLine, isSwitch, showWrong } from "./studio_fields.ts";
import { Form } from "./studio_form.ts";
import { JobPart } from "./studio_job.ts";
import { Methods, SideBySide, type Compared, type Optima } from "./studio_methods.ts";
import { ReleasePart, fileLink, type Calibrated, type Commands } from "./studio_release.ts";
import { dropRoles, emptySetting, fill, isAsked, isSlow, lawsKey, makesItsOwn, outputName, requestOf, ROLES, type Setting } from "./studio_setting.ts";
import { Shown } from "./studio_standing.ts";
import { TablePart, type Session } from "./studio_table.ts";

const RESTING = 350; // milliseconds without a change before what takes longer begins
type IsLast = () => boolean; // whether nothing newer is asked

function part(id: string, title: string, ...children: (Node | null)[]): HTMLElement {
  return el("section", { "aria-labelledby": id }, el("h2", { id }, title), ...children);
}

class Studio {
  private readonly page = crypto.randomUUID();
  private readonly setting: Setting;
  private open: OpenTable | null = null;
  private looked: OpenTable | null = null; // the one whose columns are shown
  private round = 0; // of recalculations: an older answer is not shown
  private looking = 0; // of looks at the table, likewise
  private naming = 0; // of what a release is called, likewise
  private resting = 0;
  private shownLaws = "";
  private digest = ""; // of the plan that is shown
  private compared: Compared | null = null;
  private optima: Optima | string = "";

  private readonly form: Form;
  private readonly columns = new Columns((secretChanged) => this.chooseColumns(secretChanged));
  private readonly methods: Methods;
  private readonly sides: SideBySide;
  private readonly release: ReleasePart;

  private readonly tablePart: TablePart;
  private readonly job = new JobPart(() => ({ ...this.request(), ...this.release.extra() }), (job) => void this.openJob(job));
  private readonly asking = el("div", { class: "asking" });
  private readonly results = el("div", { class: "results" });
  private readonly empty = el("p", { class: "empty" }, "Choose a column to hide and one to release: every method appears here.");
  private readonly epsilon = el("section", { class: "budget", "aria-label": "Epsilon" });
  private readonly old = el("p", { class: "old", role: "status" }, "What is dimmed does not belong to these fields: it is of the last setting that had an answer.");
  private readonly answers = el("div");
  private readonly plan = el("div", { "aria-live": "polite" });
  private readonly plots = new Map<string, HTMLElement>();
  private readonly commands = { compare: commandLine("compare", "command-compare"), calibrate: commandLine("make the plan", "command-calibrate") };

  private readonly shown: { compared: Shown; plan: Shown; release: Shown; laws: Shown; error: Shown };

  constructor(session: Session, root: HTMLElement) {
    const fields = Object.values(session.fields).flat();
    this.setting = emptySetting(fields.filter(isSwitch).map((shape) => shape.name));
    this.form = new Form(session.fields, this.setting, (name) => this.changed(name));
    this.methods = new Methods(this.setting, (row) => this.chooseMethod(row.method, row.noise));
    this.sides = new SideBySide(new Map(fields.map((shape) => [shape.name, shape.label])));
    this.tablePart = new TablePart(session, this.form.reading, this.job, (table) => void this.taken(table));
    this.release = new ReleasePart(
      session.folder === "." ? "the folder where the studio was started" : session.folder,
      session.ledger,
      () => this.request(),
      (taken) => outputName(this.open?.name ?? "", this.columns.named("public").join("-"), taken),
      () => void this.renamed(),
      () => this.recalculate(),
    );
    for (const name of ["laws", "transport", "loss", "noise", "error"]) this.plots.set(name, el("div", { id: `plot-of-${name}` }));
    this.shown = {
      compared: new Shown([this.form.words, this.methods.element, this.commands.compare.element, this.sides.element]),
      plan: new Shown([this.plan, this.place("loss"), this.place("noise")]),
      release: new Shown([this.release.command.element]),
      laws: new Shown([this.place("laws"), this.place("transport")]),
      error: new Shown([this.place("error")]),
    };
    root.replaceChildren(
      el("header", {}, el("h1", {}, "fugu studio"), el("p", { class: "question" }, "Hide a secret, release a column, with a proof."), el("p", { class: "tag open" }, "On this machine only")),
      el("div", { id: "wrong-page", class: "wrong page-wrong", role: "alert", tabindex: "-1" }),
      el("div", { class: "studio" }, this.asking, this.results),
      el("div", { id: "wrong-elsewhere", class: "wrong elsewhere" }),
    );
    this.build();
    const only = session.tables.length === 1 ? session.tables[0] : undefined;
    if (only !== undefined) this.tablePart.openNamed(only);
  }

  private build(): void {
    const chosen = part("columns", "What is hidden, what is released", this.columns.element);
    const budget = part("budget", "What else is asked", this.form.budget, this.form.more);
    this.epsilon.append(this.form.epsilonBar);
    chosen.hidden = budget.hidden = this.epsilon.hidden = true;
    this.asking.append(part("table", "The table", this.tablePart.element), chosen, budget);
    this.old.hidden = true;
    this.answers.append(
      this.old,
      part("methods", "What each method costs", this.methods.element, this.commands.compare.element),
      part("sides", "Two settings", this.sides.element),
      part("plan", "The plan", this.plan),
      part("release-part", "Release", this.release.element),
      part("pictures", "What is behind it", ...["laws", "transport", "loss", "noise", "error"].map((name) => this.place(name))),
    );
    this.answers.hidden = true;
    this.results.append(this.epsilon, this.empty, this.answers);
  }

  private place(name: string): HTMLElement {
    return this.plots.get(name) ?? el("div");
  }

  // ---------------------------------------------------------------- the table

  // A table was taken in: nothing of the one before stands any more.
  private async taken(table: OpenTable): Promise<void> {
    this.open = table;
    this.outdate();
    this.close();
    await this.look(true);
    const job = this.looked ? this.job.taken(true) : null;
    if (job) this.giveRoles(job);
    if (!isAsked(this.setting)) this.giveUp();
  }

  // Its texts are those of the page from now on; its columns when a table is open.
  private async openJob(job: OpenedJob): Promise<void> {
    fill(this.setting, job);
    this.form.refill();
    this.release.fill(job);
    if (this.tablePart.knows(job.table)) this.tablePart.openNamed(job.table);
    else if (this.open) await this.taken(this.open);
  }

  private giveRoles(job: OpenedJob): void {
    const { secret = [], public: named = [], known = [], given = [], except = [], person = [], weight = [], count = [] } = job.roles;
    const all = named.length === 1 && named[0] === "all";
    const released = all ? this.columns.others([secret, known, given, except, person, weight, count].flat()) : named;
    const lacking = this.columns.choose({ secret, public: released, known, given });
    if (lacking.length > 0) showWrong({ message: `the table has no column ${lacking.join(", ")}`, hint: "open the table that the job is about", status: 3, field: "job" });
  }

  // Nothing is chosen, and nothing can be until the columns are known.
  private close(): void {
    this.looked = null;
    this.job.taken(false);
    this.tablePart.say("");
    dropRoles(this.setting);
    for (const id of ["columns", "budget"]) document.getElementById(id)?.closest("section")?.setAttribute("hidden", "");
    this.epsilon.hidden = this.answers.hidden = this.empty.hidden = true;
    this.shownLaws = "";
  }

  // What the columns are, and with a secret what they tell of it.
  private async look(fresh: boolean): Promise<boolean> {
    const looking = ++this.looking;
    const isLast = () => looking === this.looking;
    const good = await this.saying(isLast, async () => {
      const inspection = await lastWork<Inspection>(isLast, "inspect", this.request(), (progress) => isLast() && this.tablePart.looking(progress));
      if (!isLast()) return;
      if (!fresh) return this.columns.tell(inspection);
      this.columns.open(inspection);
      this.looked = this.open;
      this.tablePart.say(this.open?.name ?? "");
      for (const id of ["columns", "budget"]) document.getElementById(id)?.closest("section")?.removeAttribute("hidden");
      this.empty.hidden = false;
    });
    if (isLast()) this.tablePart.looking();
    return good && isLast();
  }

  private chooseColumns(secretChanged: boolean): void {
    for (const role of ROLES) this.setting.question[role] = this.columns.list(role);
    if (secretChanged) void this.look(false);
    this.changed("columns");
  }

  // ---------------------------------------------------------------- recalculation

  private request(): Request {
    return requestOf(this.setting, this.open?.table ?? "", this.page);
  }

  // Runs it and says what is wrong beside its field, if that is still asked.
  private async saying(isLast: IsLast, task: () => Promise<void>): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      if (!(error instanceof StudioError || error instanceof Cancelled)) throw error;
      if (error instanceof StudioError && isLast()) showWrong(error.wrong);
      return false;
    }
  }

  private changed(name: string): void {
    if (["no-header", "separator", "na"].includes(name) && this.open) {
      const fresh = name !== "na" || this.looked !== this.open;
      showWrong(null);
      const round = this.outdate();
      if (fresh) this.close();
      void this.look(fresh).then((good) => {
        if (round !== this.round) return;
        if (good) void this.recalculate();
        else this.giveUp();
      });
      return;
    }
    void this.recalculate();
  }

  // Whatever is shown is of fields that were: nothing that is under way for them will be shown either.
  private outdate(): number {
    clearTimeout(this.resting);
    const { laws, ...others } = this.shown;
    for (const shown of Object.values(others)) shown.standing = "pending";
    if (lawsKey(this.setting, this.open?.table ?? "") !== this.shownLaws) laws.standing = "pending";
    this.release.ready(null);
    return ++this.round;
  }

  private giveUp(): void {
    for (const shown of Object.values(this.shown)) shown.giveUp();
    this.results.removeAttribute("aria-busy");
    this.old.hidden = false;
  }

  private async recalculate(): Promise<void> {
    const round = this.outdate();
    const isLast = () => round === this.round;
    if (!this.open || !isAsked(this.setting)) {
      showWrong(null);
      return this.giveUp();
    }
    const request = this.request();
    this.results.setAttribute("aria-busy", "true");
    const good = await this.saying(isLast, async () => {
      const compared = await lastWork<Compared>(isLast, "compare", request);
      if (!isLast()) return;
      showWrong(null);
      this.showCompared(compared);
    });
    if (!isLast()) return;
    this.results.removeAttribute("aria-busy");
    this.old.hidden = good;
    if (!good) {
      this.form.words.textContent = "";
      return this.giveUp();
    }
    if (!isSlow(this.setting.plan["method"])) await this.planning(isLast, "calibrate", request);
    if (!isLast()) return;
    this.resting = window.setTimeout(() => void this.rest(isLast, request), RESTING);
  }

  private showCompared(compared: Compared): void {
    this.compared = compared;
    this.optima = "waits until you rest";
    this.epsilon.hidden = this.answers.hidden = false;
    this.empty.hidden = true;
    this.form.words.textContent = compared.words.replace(/^./, (letter) => letter.toUpperCase()) + ".";
    this.commands.compare.show(compared.command);
    this.shown.compared.standing = "fresh";
    this.showMethods();
    this.release.refresh(this.columns.list("given"));
  }

  private showMethods(): void {
    if (!this.compared) return;
    this.methods.show(this.compared, this.optima);
    this.sides.show(this.setting, this.compared.words, this.methods.chosen());
  }

  private async planning(isLast: IsLast, kind: string, request: Request): Promise<void> {
    const naming = this.naming;
    const good = await this.saying(isLast, async () => {
      const made = await lastWork<Calibrated>(isLast, kind, { ...request, ...this.release.extra() });
      if (!isLast()) return;
      this.showPlan(made);
      if (naming === this.naming) this.showRelease(made.commands);
      else await this.renamed();
    });
    if (good || !isLast()) return;
    this.shown.plan.giveUp();
    this.shown.release.giveUp();
  }

  // The release is to be called otherwise; the plan stays as it is. Before it is there, there is nothing to release.
  private async renamed(): Promise<void> {
    const round = this.round, naming = ++this.naming;
    if (this.shown.plan.standing !== "fresh") return;
    this.shown.release.standing = "pending";
    this.release.ready(null);
    const isLast = () => round === this.round && naming === this.naming;
    const good = await this.saying(isLast, async () => {
      const commands = await lastWork<Commands>(isLast, "commands", { ...this.request(), ...this.release.extra() });
      if (!isLast()) return;
      showWrong(null);
      this.showRelease(commands);
    });
    if (!good && isLast()) this.shown.release.giveUp();
  }

  private showRelease(commands: Commands): void {
    this.release.command.show(commands.release);
    this.shown.release.standing = "fresh";
    this.release.ready(this.digest);
  }

  private showPlan(made: Calibrated): void {
    this.digest = made.digest;
    this.release.foresee(made.ledger);
    this.commands.calibrate.show(made.commands.calibrate);
    this.plan.replaceChildren(
      el("pre", { class: "summary", id: "summary" }, made.summary.trimEnd()),
      ...made.notes.map((note) => el("p", { class: "note" }, note)),
      made.hint ? el("p", { class: "advice" }, made.hint.trim()) : "",
      el("div", { class: "buttons" }, fileLink(made.files["plan"], "Download the plan"), fileLink(made.files["statement"], "Statement"), fileLink(made.files["report"], "Report")),
      el("p", { class: "help" }, "The plan and the report hold how often each value occurs: keep them to yourself. The statement may be published."),
      el("details", {}, el("summary", {}, "What may be published, in words"), el("p", { class: "statement" }, made.statement)),
      this.commands.calibrate.element,
    );
    this.place("loss").replaceChildren(plots(made.loss));
    this.place("noise").replaceChildren(plots(made.noise));
    this.shown.plan.standing = "fresh";
  }

  // What takes longer: begun when nothing has moved for a moment, stopped when something does.
  private async rest(isLast: IsLast, request: Request): Promise<void> {
    await this.showLaws(isLast, request);
    if (!isLast()) return;
    if (isSlow(this.setting.plan["method"])) {
      this.plan.replaceChildren(el("p", { class: "muted" }, "The linear programme is being solved …"));
      void this.planning(isLast, "calibrate-slow", request);
    }
    void this.findOptima(isLast, request);
    void this.saying(isLast, async () => {
      for (const kind of ["errors", "all-errors"]) {
        const { error } = await lastWork<{ error: Plots }>(isLast, kind, request);
        if (isLast()) this.showErrors(error);
      }
    }).then(() => isLast() && this.shown.error.giveUp());
  }

  private showErrors(drawn: Plots): void {
    this.place("error").replaceChildren(plots(drawn));
    this.shown.error.standing = "fresh";
  }

  private async showLaws(isLast: IsLast, request: Request): Promise<void> {
    const key = lawsKey(this.setting, this.open?.table ?? "");
    if (key === this.shownLaws) return void (this.shown.laws.standing = "fresh");
    const good = await this.saying(isLast, async () => {
      const { laws, transport } = await lastWork<{ laws: Plots; transport: Plots }>(isLast, "laws", request);
      if (!isLast()) return;
      this.shownLaws = key;
      this.place("laws").replaceChildren(plots(laws));
      this.place("transport").replaceChildren(plots(transport));
      this.shown.laws.standing = "fresh";
    });
    if (!good && isLast()) this.shown.laws.giveUp();
  }

  private async findOptima(isLast: IsLast, request: Request): Promise<void> {
    const say = (words: Optima | string) => {
      if (!isLast()) return;
      this.optima = words;
      this.showMethods();
    };
    say("a linear programme is being solved …");
    try {
      say(await lastWork<Optima>(isLast, "optima", request));
    } catch (error) {
      if (error instanceof StudioError) say(error.wrong.message);
      else if (!(error instanceof Cancelled)) throw error;
    }
  }

  private chooseMethod(method: string, noise: string): void {
    this.setting.plan["method"] = method;
    if (!makesItsOwn(noise) && noise !== (this.setting.question["noise"] || "laplace")) {
      this.setting.question["noise"] = noise;
      const field = document.getElementById("field-noise") as HTMLInputElement | null;
      if (field) field.value = noise;
    }
    void this.recalculate();
  }
}

// A file dropped beside its place must not be opened by the browser, which would leave the page.
for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());

const root = document.getElementById("studio");
if (root)
  get("api/session").then(
    (session) => new Studio(session as Session, root),
    (error: unknown) => root.replaceChildren(el("p", { class: "wrong", role: "alert" }, error instanceof Error ? error.message : "The studio does not answer.")),
  );
