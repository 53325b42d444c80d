// Advice that names flags, as buttons: what is pressed is set in its field. No DOM here.
import type { FieldShape } from "./studio_fields.ts";

export interface Set {
  name: string; // of a flag
  value: string; // of a switch "yes"
}
export interface Action {
  label: string; // as the command line writes it
  sets: Set[];
  leads?: string; // to the field of this flag, where the advice leaves the value open
}

type Shapes = ReadonlyMap<string, FieldShape>;
const FLAG = /--([a-z][a-z-]*[a-z])(?:[ =]('[^']*'|"[^"]*"|[^\s'"]+))?/g;

// The value that stands behind a flag, where it is one and not the next word of the sentence.
function valueOf(shape: FieldShape, text: string | undefined): string | null {
  if (shape.kind.endsWith("switch")) return "yes";
  if (text === undefined) return null;
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2] ?? "";
  const plain = text.replace(/[.,;:)]+$/, "");
  if (shape.kind === "choice") return shape.words.includes(plain) ? plain : null;
  return /\d|[=:]/.test(plain) && !/(^|=)[A-Z]+([:=,][A-Z.]+)*$/.test(plain) ? plain : null;
}

interface Found extends Action {
  at: number;
  end: number;
}

function found(hint: string, shapes: Shapes): Found[] {
  return [...hint.matchAll(FLAG)].flatMap((match) => {
    const shape = shapes.get(match[1] ?? "");
    if (!shape) return [];
    const value = valueOf(shape, match[2]), at = match.index ?? 0, end = at + match[0].length;
    if (value === null) return [{ at, end, label: `--${shape.name} …`, sets: [], leads: shape.name }];
    const text = shape.kind.endsWith("switch") ? "" : ` ${/^[\w.:=,%+-]+$/.test(value) ? value : `'${value}'`}`;
    return [{ at, end, label: `--${shape.name}${text}`, sets: [{ name: shape.name, value }] }];
  });
}

// What a hint advises. Flags that stand side by side, "--na '?' --missing drop", are pressed together.
export function actionsOf(hint: string, shapes: Shapes): Action[] {
  const all = found(hint, shapes).filter((one, _, others) => !one.leads || !others.some((other) => other.sets[0]?.name === one.leads));
  const actions: Action[] = [];
  let end = -1;
  for (const one of all) {
    const before = one.at === end + 1 && !one.leads ? actions.pop() : undefined;
    actions.push(before ? { label: `${before.label} ${one.label}`, sets: [...before.sets, ...one.sets] } : { label: one.label, sets: one.sets, ...(one.leads ? { leads: one.leads } : {}) });
    end = one.leads ? -1 : one.end;
  }
  return actions.filter((one, place) => actions.findIndex((other) => other.label === one.label) === place);
}

const LISTS = ["na", "not-missing"]; // what is added to, not replaced

// The text of a field once the value is set: what is said of one column stands beside what is said of others.
export function merged(name: string, now: string, value: string): string {
  const column = /^([^=:]+)=/.exec(value)?.[1];
  const items = now.trim() === "" ? [] : now.split(",").map((item) => item.trim());
  if (column !== undefined) return [...items.filter((item) => item.includes("=") && !item.startsWith(`${column}=`)), value].join(",");
  if (LISTS.includes(name)) return items.includes(value) ? now : [...items, value].join(",");
  return value;
}
