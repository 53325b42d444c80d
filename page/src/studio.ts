// The studio: a table, what is hidden in it and what is released of it, one plan, a release. Everything is asked of the server,
// which answers as the command line does; what is folded away is asked for when it is opened.
import { el } from "./dom.ts";
import { fragmentOf, stateOf, type State } from "./studio_address.ts";
import { actionsOf, merged, type Action } from "./studio_advice.ts";
import { Cancelled, StudioError, cancel, get, history, lastWork, type OpenTable, type OpenedJob, type Past, type Request } from "./studio_api.ts";
import { adviseBy, button, commandLine, isSwitch, leadToField, showWrong, type FieldShape } from "./studio_fields.ts";
import { Form } from "./studio_form.ts";
import { Grid, type FirstRows, type Inspection } from "./studio_grid.ts";
import { HistoryPart } from "./studio_history.ts";
import { JobPart } from "./studio_job.ts";
import { Methods, SideBySide, type Compared, type Optima } from "./studio_methods.ts";
import { Pictures } from "./studio_pictures.ts";
import { previewOf, type Preview } from "./studio_preview.ts";
import { LongWork } from "./studio_long.ts";
import { ReleasePart, type Calibrated, type Commands } from "./studio_release.ts";
import { ResultPart } from "./studio_result.ts";
import { dropRoles, emptySetting, fill, isAsked, isSlow, kindsOf, kindsText, lawsKey, listItems, listText, makesItsOwn, outputName, requestOf, ROLES, type Setting } from "./studio_setting.ts";
import { Shown } from "./studio_standing.ts";
import { TablePart, type Session } from "./studio_table.ts";
import { Fold, part, say, voice } from "./studio_voice.ts";

const RESTING = 350; // milliseconds without a change before what takes longer begins
const REMEMBERING = 200; // before the address follows: browsers bear only so many changes of it
const READING = ["no-header", "separator", "na"]; // what the columns are read by
// The method is chosen among what each costs, and has no field.
const METHOD: FieldShape = { texts: "plan", name: "method", label: "Method", help: "", example: "", kind: "choice", words: ["sensitivity", "kantorovich", "relaxed", "harmonic", "exact", "optimal", "channel", "swap", "sharp"] };
const NOTHING: Compared = { epsilon: 0, delta: 0, candidates: [], titles: {}, words: "", truth: "", guessing: "", command: "", chosen: "" };
type IsLast = () => boolean; // whether nothing newer is asked

const sentence = (words: string): string => words.replace(/^./, (letter) => letter.toUpperCase()) + ".";

class Studio {
  private readonly page = crypto.randomUUID();
  private readonly shapes: ReadonlyMap<string, FieldShape>;
  private readonly setting: Setting;
  private open: OpenTable | null = null;
  private looked: OpenTable | null = null; // the one whose columns are shown
  private round = 0; // of recalculations: an older answer is not shown
  private looking = 0; // of looks at the table, likewise
  private naming = 0; // of what a release is called, likewise
  private resting = 0;
  private rested = 0; // the round that nothing moved in for a moment
  private remembering = 0;
  private working = ""; // the number of the work that makes the plan
  private readonly begun = new Map<string, number>(); // in which round what is folded away was asked for
  private digest = ""; // of the plan that is shown
  private compared: Compared | null = null;
  private optima: Optima | string = "";

  private readonly form: Form;
  private readonly grid = new Grid((secretChanged) => this.chooseColumns(secretChanged), (name, kind) => this.chooseKind(name, kind));
  private readonly methods: Methods;
  private readonly sides: SideBySide;
  private readonly release: ReleasePart;
  private readonly result = new ResultPart((hint) => this.advice(hint), () => this.stop(), () => void this.recalculate());
  private readonly comparing = new LongWork("Looking at the secrets", "comparing", () => this.stop(), () => void this.recalculate());
  private readonly pictures = new Pictures();
  private readonly history = new HistoryPart(() => void this.showHistory(), (past) => void this.goBack(past));
  private readonly preview = el("div", { id: "preview" });
  private readonly folds = { preview: new Fold("preview-part", "Before and after", () => this.further(), this.preview), methods: this.later("methods"), pictures: this.later("pictures") };

  private readonly tablePart: TablePart;
  private readonly job = new JobPart(() => ({ ...this.request(), ...this.release.extra() }), (job) => void this.openJob(job));
  private readonly results = el("div", { class: "results" });
  private readonly empty = el("p", { class: "empty" }, "Choose above each column whether it is secret or released. What that costs appears here.");
  private readonly bar = el("section", { class: "budget", "aria-label": "The promise" });
  private readonly old = el("p", { class: "old", role: "status" }, "Dimmed results belong to an earlier setting, not to these fields.");
  private readonly more: HTMLElement;
  private readonly answers = el("div", { class: "answers" });
  private readonly compareCommand = commandLine("compare", "command-compare");
  private readonly shown: { compared: Shown; plan: Shown; release: Shown; preview: Shown };

  constructor(private readonly session: Session, root: HTMLElement) {
    const fields = Object.values(session.fields).flat();
    this.shapes = new Map([...fields, METHOD].map((shape) => [shape.name, shape]));
    this.setting = emptySetting(fields.filter(isSwitch).map((shape) => shape.name));
    this.form = new Form(session.fields, this.setting, (name) => this.changed(name));
    this.methods = new Methods(this.setting, (row) => this.chooseMethod(row.method, row.noise));
    this.sides = new SideBySide(new Map(fields.map((shape) => [shape.name, shape.label])));
    this.tablePart = new TablePart(session, this.form.reading, this.grid.element, this.job, (table) => void this.taken(table));
    this.release = new ReleasePart(
      session.folder === "." ? "the folder where the studio was started" : session.folder,
      session.ledger,
      () => this.request(),
      (taken) => outputName(this.open?.name ?? "", this.grid.named("public").join("-"), taken),
      () => void this.renamed(),
      () => this.planAgain(),
      () => void this.showHistory(),
    );
    this.more = part("more", "More options", this.form.more);
    this.shown = {
      compared: new Shown([this.form.words, this.methods.element, this.compareCommand.element, this.sides.element]),
      plan: new Shown([this.result.plan, this.pictures.place("loss"), this.pictures.place("noise")]),
      release: new Shown([this.release.command.element]),
      preview: new Shown([this.preview]),
    };
    adviseBy((hint) => this.advice(hint));
    root.replaceChildren(
      el("header", {}, el("h1", {}, "fugu studio"), el("p", { class: "question" }, "Hide a secret, release the rest, with a proof."), el("p", { class: "tag open" }, "On this machine only")),
      el("div", { id: "wrong-page", class: "wrong page-wrong", role: "alert", tabindex: "-1" }),
      this.bar,
      part("table", "The table", this.tablePart.element),
      this.results,
      el("div", { id: "wrong-elsewhere", class: "wrong elsewhere" }),
      voice,
    );
    this.build();
    this.begin();
  }

  private later(what: "methods" | "pictures"): Fold {
    return what === "methods" ? new Fold("methods", "What each method costs", () => this.further()) : new Fold("pictures", "How it works", () => this.further());
  }

  private build(): void {
    this.bar.append(this.form.epsilonBar);
    const inside = (fold: Fold, ...children: Node[]) => fold.element.lastElementChild?.append(...children);
    inside(this.folds.methods, this.methods.element, this.compareCommand.element);
    inside(this.folds.pictures, ...this.pictures.elements);
    this.folds.preview.element.open = !window.matchMedia("(max-width: 600px)").matches;
    this.answers.append(
      this.old,
      el("div", { class: "decision" }, part("plan", "The plan", this.result.element), part("release-part", "Release", this.release.element)),
      this.folds.preview.element,
      this.folds.methods.element,
      new Fold("sides", "Two settings", () => undefined, this.sides.element).element,
      this.folds.pictures.element,
    );
    this.old.hidden = this.answers.hidden = this.bar.hidden = this.more.hidden = this.empty.hidden = this.grid.element.hidden = true;
    this.results.append(this.comparing.element, this.empty, this.answers, this.more, this.history.fold.element);
  }

  // What the address says, if it says anything; else the only table there is.
  private begin(): void {
    const state = stateOf(location.hash, (texts, name) => (texts === "question" && (name === "epsilon" || name === "except" || (ROLES as readonly string[]).includes(name))) || this.shapes.get(name)?.texts === texts);
    const only = this.session.tables.length === 1 ? this.session.tables[0] : undefined;
    const openOnly = () => only !== undefined && this.tablePart.openNamed(only);
    window.addEventListener("hashchange", () => location.reload());
    void this.showHistory();
    if (!state) return void openOnly();
    const job = asJob(state);
    fill(this.setting, job);
    this.form.refill();
    this.release.fill(job);
    this.job.wait(job);
    if (!state.table) return void openOnly();
    this.tablePart.openAgain(state.table, () => {
      if (!openOnly()) showWrong({ message: "the table is no longer here", hint: "drop it again, or open another; your settings are kept", status: 2, field: "table" });
    });
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
    this.remember();
  }

  // Its texts are those of the page from now on; its columns when a table is open.
  private async openJob(job: OpenedJob): Promise<void> {
    fill(this.setting, job);
    this.form.refill();
    this.release.fill(job);
    if (this.tablePart.knows(job.table)) this.tablePart.openNamed(job.table);
    else if (this.open) await this.taken(this.open);
  }

  // To a plan of the history, which is shown as it was.
  private async goBack(past: Past): Promise<void> {
    const job = asJob({ table: past.table, question: past.question, plan: past.plan, output: "", keep: false, shuffle: this.release.shuffled });
    fill(this.setting, job);
    this.form.refill();
    this.job.wait(job);
    window.scrollTo({ top: 0 });
    if (this.open?.table !== past.table) return this.tablePart.openAgain(past.table, () => showWrong({ message: `${past.name} is no longer here`, hint: "drop it again", status: 2, field: "table" }));
    this.job.taken(true);
    this.giveRoles(job);
  }

  private giveRoles(job: OpenedJob): void {
    const { secret = [], public: named = [], known = [], given = [], except = [], person = [], weight = [], count = [] } = job.roles;
    const all = named.length === 1 && named[0] === "all";
    const released = all ? this.grid.others([secret, known, given, except, person, weight, count].flat()) : named;
    this.grid.showKinds(kindsOf(this.setting.question["kind"] ?? ""));
    const lacking = this.grid.choose({ secret, public: released, known, given, person, weight, count });
    if (lacking.length > 0) showWrong({ message: `the table has no column ${lacking.join(", ")}`, hint: "open the table that the job is about", status: 3, field: "job" });
  }

  // Nothing is chosen, and nothing can be until the columns are known.
  private close(): void {
    this.looked = null;
    this.job.taken(false);
    this.tablePart.say("");
    dropRoles(this.setting);
    this.bar.hidden = this.answers.hidden = this.empty.hidden = this.more.hidden = this.grid.element.hidden = true;
    this.pictures.forget();
  }

  // The first rows at once; then what the columns are, and with a secret what they tell of it.
  private async look(fresh: boolean): Promise<boolean> {
    const looking = ++this.looking;
    const isLast = () => looking === this.looking;
    const good = await this.saying(isLast, async () => {
      const rows = fresh ? await lastWork<FirstRows>(isLast, "rows", this.request()) : null;
      if (!isLast()) return;
      if (rows) this.showTable(rows);
      const inspection = await lastWork<Inspection>(isLast, "inspect", this.request(), (progress) => isLast() && this.tablePart.looking(progress));
      if (isLast()) this.grid.tell(inspection);
    });
    if (isLast()) this.tablePart.looking();
    if (!good && isLast() && fresh) this.close();
    return good && isLast();
  }

  private showTable(rows: FirstRows): void {
    this.grid.open(rows);
    this.grid.showKinds(kindsOf(this.setting.question["kind"] ?? ""));
    this.looked = this.open;
    this.tablePart.say(this.open?.name ?? "");
    this.grid.element.hidden = this.more.hidden = this.empty.hidden = false;
  }

  private chooseColumns(secretChanged: boolean): void {
    for (const role of ROLES) this.setting.question[role] = this.grid.list(role);
    if (secretChanged) void this.look(false);
    this.changed("columns");
  }

  private chooseKind(name: string, kind: string): void {
    const kinds = kindsOf(this.setting.question["kind"] ?? "");
    if (kind) kinds.set(name, kind);
    else kinds.delete(name);
    this.setting.question["kind"] = kindsText(kinds);
    this.form.refill();
    this.changed("columns");
  }

  // What a hint advises, to press.
  private advice(hint: string): Node | null {
    const fields = new Map([...this.shapes].filter(([name]) => !(ROLES as readonly string[]).includes(name))); // roles are set in the grid
    const actions = actionsOf(hint, fields);
    if (actions.length === 0) return null;
    return el("div", { class: "buttons advised" }, ...actions.map((action) => button(action.label, () => this.follow(action), { class: "small", "data-advice": action.label })));
  }
  private follow(action: Action): void {
    if (action.leads) return leadToField(action.leads);
    for (const { name, value } of action.sets) {
      const texts = this.setting[this.shapes.get(name)?.texts ?? "question"];
      texts[name] = merged(name, texts[name] ?? "", value);
    }
    this.form.refill();
    this.grid.showKinds(kindsOf(this.setting.question["kind"] ?? ""));
    say(`Set: ${action.label}.`);
    this.changed(action.sets.find(({ name }) => READING.includes(name))?.name ?? "columns");
  }

  // ---------------------------------------------------------------- recalculation

  private request(): Request {
    return requestOf(this.setting, this.open?.table ?? "", this.page);
  }

  // The address follows what is set, so that the page can be loaded again.
  private remember(): void {
    clearTimeout(this.remembering);
    this.remembering = window.setTimeout(() => {
      if (!this.looked) return;
      const state: State = { table: this.looked.table, question: this.setting.question, plan: this.setting.plan, output: this.release.ownName(), keep: this.release.kept, shuffle: this.release.shuffled };
      window.history.replaceState(null, "", `#${fragmentOf(state)}`);
    }, REMEMBERING);
  }

  // Runs it and says what is wrong beside its field, if that is still asked.
  private readonly saying = async (isLast: IsLast, task: () => Promise<void>): Promise<boolean> => {
    try {
      await task();
      return true;
    } catch (error) {
      if (!(error instanceof StudioError || error instanceof Cancelled)) throw error;
      if (error instanceof StudioError && isLast()) showWrong(error.wrong);
      return false;
    }
  };

  private changed(name: string): void {
    if (name === "kind") this.grid.showKinds(kindsOf(this.setting.question["kind"] ?? ""));
    if (READING.includes(name) && this.open) {
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
    for (const shown of Object.values(this.shown)) shown.standing = "pending";
    this.pictures.outdate(lawsKey(this.setting, this.open?.table ?? ""));
    this.result.making.done();
    this.comparing.done();
    this.release.ready(null);
    this.remember();
    return ++this.round;
  }

  private giveUp(): void {
    for (const shown of Object.values(this.shown)) shown.giveUp();
    this.pictures.giveUp();
    this.results.removeAttribute("aria-busy");
    this.old.hidden = false;
  }

  // Somebody does not want to wait for the plan.
  private stop(): void {
    const { working } = this;
    this.outdate();
    this.giveUp();
    (this.answers.hidden ? this.comparing : this.result.making).stopped();
    say("Stopped.");
    if (working) void cancel(working).catch(() => undefined);
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
      // Of several columns the methods take long to compare, and only whoever looks at them waits for that.
      const compared = await lastWork<Partial<Compared>>(isLast, this.grid.named("public").length > 1 ? "promise" : "compare", request, (progress) => {
        if (!isLast()) return;
        this.working = progress.job;
        this.comparing.progress(progress);
      });
      if (!isLast()) return;
      showWrong(null);
      this.showCompared({ ...NOTHING, ...compared });
    });
    if (!isLast()) return;
    this.comparing.done();
    this.results.removeAttribute("aria-busy");
    this.old.hidden = good;
    if (!good) {
      this.form.words.textContent = "";
      return this.giveUp();
    }
    const slow = this.isSlow();
    if (!slow) await this.planning(isLast, "calibrate", request);
    if (!isLast()) return;
    this.resting = window.setTimeout(() => void this.rest(isLast, request, slow), RESTING);
  }

  // Linear programmes, and whole rows that trade places, take a while.
  private isSlow(): boolean {
    return isSlow(this.setting.plan["method"]) || this.grid.named("public").length > 1;
  }

  private showCompared(compared: Compared): void {
    this.compared = compared;
    this.optima = "waits until you pause";
    this.bar.hidden = this.answers.hidden = false;
    this.empty.hidden = true;
    this.form.words.textContent = sentence(compared.words);
    this.compareCommand.show(compared.command);
    this.shown.compared.standing = "fresh";
    this.showMethods();
    this.release.refresh(this.grid.list("given"));
  }

  private showMethods(): void {
    if (!this.compared) return;
    this.methods.show(this.compared, this.optima);
    this.sides.show(this.setting, this.compared.words, this.methods.chosen());
  }

  private async planning(isLast: IsLast, kind: string, request: Request): Promise<void> {
    const naming = this.naming;
    const good = await this.saying(isLast, async () => {
      const made = await lastWork<Calibrated>(isLast, kind, { ...request, ...this.release.extra() }, (progress) => {
        if (!isLast()) return;
        this.working = progress.job;
        this.result.making.progress(progress);
      });
      if (!isLast()) return;
      this.showPlan(made);
      if (naming === this.naming) this.showRelease(made.commands);
      else await this.renamed();
    });
    if (good || !isLast()) return;
    this.result.making.done();
    this.shown.plan.giveUp();
    this.shown.release.giveUp();
    this.shown.preview.giveUp();
  }

  // The release is to be called otherwise; the plan stays as it is. Before it is there, there is nothing to release.
  private async renamed(): Promise<void> {
    const round = this.round, naming = ++this.naming;
    this.remember();
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
    this.result.command.show(made.commands.calibrate);
    this.result.show(made, this.methods.titleOf(made.method), !this.setting.plan["method"]);
    this.pictures.ofPlan(made);
    this.shown.plan.standing = "fresh";
  }

  // The table is not what it was: it is read again before anything is shown of it.
  private async planAgain(): Promise<void> {
    const rows = await lastWork<FirstRows>(() => true, "rows", this.request()).catch(() => null);
    if (rows) this.grid.refresh(rows);
    void this.look(false);
    await this.recalculate();
  }

  // What takes longer: begun when nothing has moved for a moment, stopped when something does.
  private async rest(isLast: IsLast, request: Request, slow: boolean): Promise<void> {
    this.rested = this.round;
    this.further();
    if (slow) await this.planning(isLast, "calibrate-slow", request);
    if (!isLast() || this.shown.plan.standing !== "fresh") return;
    say(this.form.words.textContent ?? "");
    void this.showHistory({ ...request, digest: this.digest });
    this.further();
  }

  // What is folded away, once somebody opened it.
  private further(): void {
    const { round } = this;
    const isLast = () => round === this.round;
    if (this.rested !== round || this.shown.compared.standing !== "fresh") return;
    const request = this.request();
    const once = (what: string, task: () => void) => {
      if (this.begun.get(what) === round) return;
      this.begun.set(what, round);
      task();
    };
    if (this.folds.methods.open) once("optima", () => void this.findOptima(isLast, request));
    if (this.folds.pictures.open) once("pictures", () => void this.pictures.draw(isLast, request, lawsKey(this.setting, this.open?.table ?? ""), this.saying));
    if (this.folds.preview.open && this.shown.plan.standing === "fresh") once("preview", () => void this.foresee(isLast, request));
  }

  // No preview keeps nobody from releasing: what is wrong with it is said in its place.
  private async foresee(isLast: IsLast, request: Request, cross?: [string, string]): Promise<void> {
    let shown: Node;
    try {
      const preview = await lastWork<Preview>(isLast, "preview", { ...request, digest: this.digest, ...(cross ? { cross: listText(cross) } : {}) });
      shown = previewOf(preview, (columns) => void this.foresee(isLast, request, columns));
    } catch (error) {
      if (!(error instanceof StudioError || error instanceof Cancelled)) throw error;
      shown = el("p", { class: "note" }, `No preview: ${error.message || "it was stopped"}.`);
    }
    if (!isLast()) return;
    this.preview.replaceChildren(shown);
    this.shown.preview.standing = "fresh";
  }

  private async showHistory(shown?: Request): Promise<void> {
    await history(shown).then((list) => this.history.show(list), (error: unknown) => {
      if (!(error instanceof StudioError)) throw error;
    });
  }

  private async findOptima(isLast: IsLast, request: Request): Promise<void> {
    const show = (words: Optima | string) => {
      if (!isLast()) return;
      this.optima = words;
      this.showMethods();
    };
    show("solving a linear programme …");
    try {
      if (this.compared?.candidates.length === 0) {
        const compared = await lastWork<Compared>(isLast, "compare-slow", request);
        if (!isLast()) return;
        this.compared = compared;
        this.showMethods();
      }
      show(await lastWork<Optima>(isLast, "optima", request));
    } catch (error) {
      if (error instanceof StudioError) show(error.wrong.message);
      else if (!(error instanceof Cancelled)) throw error;
    }
  }

  private chooseMethod(method: string, noise: string): void {
    this.setting.plan["method"] = method;
    if (!makesItsOwn(noise) && noise !== (this.setting.question["noise"] || "laplace")) {
      this.setting.question["noise"] = noise;
      this.form.refill();
    }
    void this.recalculate();
  }
}

// What an address or the history holds, as a job that waits for its table.
function asJob(state: State): OpenedJob {
  const roles = Object.fromEntries([...ROLES, "except"].map((role) => [role, listItems(state.question[role] ?? "")]));
  return { table: "", roles, question: state.question, plan: state.plan, output: state.output, keep: state.keep ? "yes" : "", shuffle: state.shuffle, not_here: [] };
}

// A file dropped beside its place must not be opened by the browser, which would leave the page.
for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());

const root = document.getElementById("studio");
if (root)
  get("api/session").then(
    (session) => new Studio(session as Session, root),
    (error: unknown) => root.replaceChildren(el("p", { class: "wrong", role: "alert" }, error instanceof Error ? error.message : "The studio does not answer.")),
  );
