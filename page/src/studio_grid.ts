// The table itself: its first rows, and above each column what it is, what it tells of the secret and what part it plays.
import { el } from "./dom.ts";
import { counted, percent, short, shortUp } from "./numbers.ts";
import { advised, button, wrongPlace } from "./studio_fields.ts";
import { sizeAdvice } from "./studio_sizes.ts";
import { isAlone, listText, ROLES, type Role } from "./studio_setting.ts";

/** A date comes as its text. */
type Bound = number | string;
export interface InspectedColumn {
  name: string;
  kind: string;
  values: number | null;
  missing: number;
  range: [Bound, Bound] | null;
  small_values: number;
  note: string | null;
  secret?: { told: number; guessed: number; loss: number | null; small_cells: number };
}
export interface Inspection {
  rows: number;
  secrets: number | null;
  guessed: number | null;
  columns: InspectedColumn[];
  warnings: { column: string | null; text: string }[];
}
export interface FirstRows {
  columns: string[];
  rows: string[][];
}

const CHOICES: [Role, string][] = [
  ["", "left out"],
  ["secret", "secret: hidden"],
  ["public", "released"],
  ["known", "known: written unchanged"],
  ["given", "given: others know it"],
  ["person", "person: whose row it is"],
  ["weight", "weight of the row"],
  ["count", "number of people"],
];
const KINDS: [string, string][] = [["number", "number"], ["category", "category"], ["ordered", "ordered category"], ["date", "date"], ["code", "code"]];
const MOST_COLUMNS = 60; // that are shown: two lists and a few cells for each

const bound = (value: Bound): string => (typeof value === "string" ? value : short(value, 6));

function factsOf(column: InspectedColumn): string {
  const values = column.values === null ? "many values" : counted(column.values, "value");
  const range = column.range ? `, ${bound(column.range[0])} to ${bound(column.range[1])}` : "";
  const missing = column.missing > 0 ? `, ${counted(column.missing, "row")} missing` : "";
  return `${values}${range}${missing}`;
}

function toldWords(column: InspectedColumn): string {
  if (!column.secret) return column.note ?? "";
  const raw = column.secret.loss === null ? "needs noise at every epsilon" : `needs no noise from epsilon ${shortUp(column.secret.loss, 3)} on`;
  return `reveals ${percent(column.secret.told)} of the secret, ${raw}${column.note ? `; ${column.note}` : ""}`;
}

const options = (list: [string, string][]): HTMLElement[] => list.map(([value, words]) => el("option", { value }, words));

// One column's head.
class Head {
  readonly element: HTMLTableCellElement;
  readonly chosen: HTMLInputElement;
  readonly role: HTMLSelectElement;
  private readonly kind: HTMLSelectElement;
  private readonly facts: HTMLElement;
  private readonly told: HTMLElement;

  constructor(readonly name: string, place: number, onRole: (role: Role) => void, onKind: (kind: string) => void, onChosen: () => void) {
    const id = `role-${place}`;
    this.chosen = el("input", { type: "checkbox", "aria-label": `Choose ${name}` });
    this.role = el("select", { id, "data-column": name, "aria-describedby": `${id}-facts ${id}-told` }, ...options(CHOICES));
    this.kind = el("select", { "aria-label": `Kind of ${name}`, "data-kind": name }, el("option", { value: "" }, "…"), ...options(KINDS));
    this.facts = el("span", { class: "facts-of", id: `${id}-facts` });
    this.told = el("span", { class: "told", id: `${id}-told` });
    this.element = el("th", { scope: "col" }, el("div", { class: "name" }, this.chosen, el("label", { for: id }, name)), this.role, this.kind, this.facts, this.told);
    this.role.addEventListener("change", () => onRole(this.role.value as Role));
    this.kind.addEventListener("change", () => onKind(this.kind.value));
    this.chosen.addEventListener("change", onChosen);
  }
  tell(column: InspectedColumn): void {
    const seen = this.kind.options[0];
    if (seen) seen.textContent = `${column.kind} (found)`;
    this.facts.textContent = factsOf(column);
    this.told.textContent = toldWords(column);
  }
  showRole(role: Role): void {
    this.role.value = role;
    this.element.dataset["role"] = role;
  }
  showKind(kind: string): void {
    if (kind && ![...this.kind.options].some((one) => one.value === kind)) this.kind.append(el("option", { value: kind }, kind));
    this.kind.value = kind;
  }
}

const QUESTION =
  "What could somebody already know about a person? Such a column is known: it is written unchanged, and the promise holds within each group of people who share it. Small groups are released without it, or not at all.";

export class Grid {
  readonly element = el("div", { class: "grid-part" });
  private readonly warnings = el("ul", { class: "warnings", "aria-label": "Warnings" });
  private readonly sizes = el("ul", { class: "sizes", id: "size-advice", "aria-label": "Advice" });
  private secrets: number | null = null; // different ones
  private readonly summary = el("p", { class: "muted", id: "grid-said" });
  private readonly place = el("div", { class: "scroll grid", tabindex: "0", role: "region", "aria-label": "The first rows and the columns' roles" });
  private readonly find = el("input", { type: "text", id: "find-column", autocomplete: "off", placeholder: "part of a name" });
  private readonly finding = el("div", { class: "field inline", hidden: "" }, el("label", { for: "find-column" }, "Find a column"), this.find);
  private readonly several: HTMLElement;
  private readonly severalSaid = el("span", {});
  private rows: FirstRows = { columns: [], rows: [] };
  private inspected = new Map<string, InspectedColumn>();
  private roles = new Map<string, Role>();
  private said: Inspection["warnings"] = [];
  private kinds: ReadonlyMap<string, string> = new Map();
  private heads: Head[] = [];
  private readonly chosen = new Set<string>();

  constructor(private readonly onRoles: (secretChanged: boolean) => void, private readonly onKind: (name: string, kind: string) => void) {
    const all = el("select", { id: "role-of-chosen", "aria-label": "What the chosen columns are" }, el("option", { value: "-" }, "are …"), ...options(CHOICES.filter(([role]) => !isAlone(role))));
    all.addEventListener("change", () => {
      if (all.value !== "-") this.give([...this.chosen], all.value as Role);
      all.value = "-";
    });
    this.several = el("div", { class: "several" }, this.severalSaid, all, button("Release every other column", () => this.give(this.names().filter((name) => !this.roles.get(name)), "public"), { class: "small", id: "release-others" }));
    this.find.addEventListener("input", () => this.draw());
    this.element.append(this.summary, el("p", { class: "muted narrow-out" }, QUESTION), this.finding, this.several, this.place, ...ROLES.map((role) => wrongPlace(role)), this.sizes, this.warnings);
  }

  // A new table: nothing is chosen.
  open(rows: FirstRows): void {
    this.rows = rows;
    this.inspected.clear();
    this.secrets = null;
    this.sizes.replaceChildren();
    this.roles = new Map();
    this.chosen.clear();
    this.find.value = "";
    this.finding.hidden = rows.columns.length <= MOST_COLUMNS;
    this.summary.textContent = counted(rows.columns.length, "column") + ".";
    this.said = [];
    this.showWarnings();
    this.draw();
  }
  // The same table, whose file may have changed.
  refresh(rows: FirstRows): void {
    this.rows = rows;
    this.draw();
  }

  // What a look found, of the same columns.
  tell(inspection: Inspection): void {
    const guess = inspection.guessed === null ? "" : ` Guessing the most frequent secret is right for ${percent(inspection.guessed)} of the rows.`;
    this.summary.textContent = `${counted(inspection.rows, "row")}, ${counted(inspection.columns.length, "column")}.${guess}`;
    this.secrets = inspection.secrets;
    this.inspected = new Map(inspection.columns.map((column) => [column.name, column]));
    for (const head of this.heads) this.fill(head);
    this.said = inspection.warnings;
    this.showWarnings();
    this.showSizes();
  }
  // Of a column that has a role in the release it would say the opposite of what the role says.
  private showWarnings(): void {
    const left = this.said.filter(({ column }) => column === null || !this.roles.get(column));
    this.warnings.replaceChildren(...left.map(({ text }) => el("li", {}, text)));
  }
  private showSizes(): void {
    const released = this.named("public").flatMap((name) => this.inspected.get(name) ?? []);
    this.sizes.replaceChildren(...sizeAdvice(this.named("secret").length > 0 ? this.secrets : null, released).map(advised));
  }

  // What was said of their kinds.
  showKinds(kinds: ReadonlyMap<string, string>): void {
    this.kinds = kinds;
    for (const head of this.heads) this.fill(head);
  }

  // Columns by name or number get these roles, all others none; those that are not there are returned.
  choose(roles: Record<string, string[]>): string[] {
    const lacking: string[] = [], names = this.names();
    this.roles = new Map();
    for (const [role, texts] of Object.entries(roles)) {
      for (const text of texts) {
        const name = names.includes(text) ? text : /^[1-9]\d*$/.test(text) ? names[Number(text) - 1] : undefined;
        if (name === undefined) lacking.push(text);
        else this.roles.set(name, role as Role);
      }
    }
    this.draw();
    this.showWarnings();
    this.showSizes();
    this.onRoles(true);
    return lacking;
  }

  // The columns that are none of these, by name or number.
  others(named: string[]): string[] {
    return this.names().filter((name, place) => !named.includes(name) && !named.includes(String(place + 1)));
  }
  named(role: Role): string[] {
    return this.names().filter((name) => this.roles.get(name) === role);
  }
  list(role: Role): string {
    return listText(this.named(role));
  }
  // What is hidden and what is released, in a few words.
  words(): string {
    const few = (names: string[]) => (names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", "));
    const hidden = this.named("secret"), released = this.named("public");
    return hidden.length > 0 && released.length > 0 ? `hides ${few(hidden)}, releases ${few(released)}` : "";
  }

  private names(): string[] {
    return this.rows.columns;
  }

  private give(names: string[], role: Role): void {
    let secretChanged = false;
    for (const name of names) {
      const before = this.roles.get(name) ?? "";
      secretChanged ||= before === "secret" || role === "secret";
      if (isAlone(role)) for (const other of this.named(role)) this.roles.set(other, "");
      this.roles.set(name, role);
    }
    for (const head of this.heads) head.showRole(this.roles.get(head.name) ?? "");
    this.showSeveral();
    this.showWarnings();
    this.showSizes();
    this.onRoles(secretChanged);
  }

  private fill(head: Head): void {
    const column = this.inspected.get(head.name);
    if (column) head.tell(column);
    head.showRole(this.roles.get(head.name) ?? "");
    head.showKind(this.kinds.get(head.name) ?? "");
    head.chosen.checked = this.chosen.has(head.name);
  }

  private showSeveral(): void {
    const count = this.chosen.size;
    this.severalSaid.textContent = count === 0 ? "Several at once: tick columns, then say what they" : `${counted(count, "chosen column")}`;
    this.several.classList.toggle("some", count > 0);
  }

  // Those with a part to play, and as many others as there is room for.
  private shown(): number[] {
    const wanted = this.find.value.trim().toLowerCase(), names = this.names();
    const places = names.map((_, place) => place);
    if (names.length <= MOST_COLUMNS) return places;
    const fits = places.filter((place) => !this.roles.get(names[place] ?? "") && (names[place] ?? "").toLowerCase().includes(wanted)).slice(0, MOST_COLUMNS);
    return [...places.filter((place) => this.roles.get(names[place] ?? "")).slice(0, 2 * MOST_COLUMNS), ...fits];
  }

  private draw(): void {
    const places = this.shown(), names = this.names();
    this.heads = places.map((place) => {
      const name = names[place] ?? "";
      const head: Head = new Head(name, place, (role) => this.give([name], role), (kind) => this.onKind(name, kind), () => {
        if (head.chosen.checked) this.chosen.add(name);
        else this.chosen.delete(name);
        this.showSeveral();
      });
      this.fill(head);
      return head;
    });
    const body = this.rows.rows.map((row) => el("tr", {}, ...places.map((place) => el("td", {}, row[place] ?? ""))));
    const left = names.length - places.length;
    const caption = `The first ${counted(this.rows.rows.length, "row")}, which only you see.${left > 0 ? ` ${counted(left, "column")} not shown.` : ""}`;
    this.place.replaceChildren(el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...this.heads.map((head) => head.element))), el("tbody", {}, ...body)));
    this.showSeveral();
  }
}
