// The columns of a table: what each is, what it tells of the secret, and what part it plays.
import { el } from "./dom.ts";
import { counted, percent, short, shortUp } from "./numbers.ts";
import { wrongPlace } from "./studio_fields.ts";
import { listText, ROLES, type Role } from "./studio_setting.ts";

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
  warnings: string[];
}

const CHOICES: [Role, string][] = [
  ["", "not used"],
  ["secret", "hide it"],
  ["public", "release it"],
  ["known", "known: write it as it is"],
  ["given", "others know it"],
];

/** A date comes as its text. */
type Bound = number | string;
const bound = (value: Bound): string => (typeof value === "string" ? value : short(value, 6));

function kindWords(column: InspectedColumn): string {
  const values = column.values === null ? "many values" : counted(column.values, "value");
  const range = column.range ? `, ${bound(column.range[0])} to ${bound(column.range[1])}` : "";
  const missing = column.missing > 0 ? `, ${counted(column.missing, "row")} missing` : "";
  return `${column.kind}, ${values}${range}${missing}`;
}

function toldWords(column: InspectedColumn): string {
  if (!column.secret) return column.note ?? "";
  const raw = column.secret.loss === null ? "needs noise at every epsilon" : `needs no noise from epsilon ${shortUp(column.secret.loss, 3)} on`;
  return `tells ${percent(column.secret.told)} of the secret, ${raw}${column.note ? `; ${column.note}` : ""}`;
}

const QUESTION =
  "What could somebody already know about a person? Such a column is known: it is written as it is, and the promise holds within each group of people who agree in it.";

export class Columns {
  readonly element = el("div");
  private readonly warnings = el("ul", { class: "warnings", "aria-label": "Warnings" });
  private readonly body = el("div", { class: "columns", role: "group", "aria-label": "Columns" });
  private readonly summary = el("p", { class: "muted" });
  private roles = new Map<string, Role>();
  private names: string[] = [];
  private readonly notes = new Map<string, HTMLElement>();
  private choices: HTMLSelectElement[] = [];

  constructor(private readonly onChange: (secretChanged: boolean) => void) {
    this.element.append(this.summary, el("p", { class: "muted" }, QUESTION), ...ROLES.map((role) => wrongPlace(role)), this.body, this.warnings);
  }

  // A new table: nothing is chosen.
  open(inspection: Inspection): void {
    this.roles = new Map();
    this.names = inspection.columns.map((column) => column.name);
    this.notes.clear();
    this.choices = [];
    this.body.replaceChildren(...inspection.columns.map((column, place) => this.row(column, place)));
    this.tell(inspection);
  }

  // What a look with the secret found, of the same columns.
  tell(inspection: Inspection): void {
    const guess = inspection.guessed === null ? "" : ` Guessing the most frequent secret is right for ${percent(inspection.guessed)} of the rows.`;
    this.summary.textContent = `${counted(inspection.rows, "row")}, ${counted(inspection.columns.length, "column")}.${guess}`;
    for (const column of inspection.columns) {
      const note = this.notes.get(column.name);
      if (note) note.textContent = toldWords(column);
    }
    this.warnings.replaceChildren(...inspection.warnings.map((text) => el("li", {}, text)));
  }

  // Columns by name or number get these roles, all others none; those that are not there are returned.
  choose(roles: Record<string, string[]>): string[] {
    const lacking: string[] = [];
    this.roles = new Map();
    for (const [role, names] of Object.entries(roles)) {
      for (const text of names) {
        const name = this.names.includes(text) ? text : /^[1-9]\d*$/.test(text) ? this.names[Number(text) - 1] : undefined;
        if (name === undefined) lacking.push(text);
        else this.roles.set(name, role as Role);
      }
    }
    for (const choice of this.choices) {
      choice.value = this.roles.get(choice.dataset["column"] ?? "") ?? "";
      const row = choice.closest<HTMLElement>(".column");
      if (row) row.dataset["role"] = choice.value;
    }
    this.onChange(true);
    return lacking;
  }

  // The columns that are none of these, by name or number.
  others(named: string[]): string[] {
    return this.names.filter((name, place) => !named.includes(name) && !named.includes(String(place + 1)));
  }

  named(role: Role): string[] {
    return this.names.filter((name) => this.roles.get(name) === role);
  }
  list(role: Role): string {
    return listText(this.named(role));
  }

  private row(column: InspectedColumn, place: number): HTMLElement {
    const id = `role-${place}`;
    const choice = el("select", { id, "data-column": column.name });
    for (const [value, words] of CHOICES) choice.append(el("option", { value }, words));
    const note = el("span", { class: "muted", id: `${id}-note` }, toldWords(column));
    choice.setAttribute("aria-describedby", note.id);
    this.choices.push(choice);
    this.notes.set(column.name, note);
    const row = el(
      "div",
      { class: "column" },
      el("div", {}, el("label", { for: id }, column.name), el("span", { class: "kind" }, kindWords(column)), note),
      choice,
    );
    choice.addEventListener("change", () => {
      const before = this.roles.get(column.name) ?? "";
      const now = choice.value as Role;
      this.roles.set(column.name, now);
      row.dataset["role"] = now;
      this.onChange(before === "secret" || now === "secret");
    });
    return row;
  }
}
