// A setting of the studio: the texts of a question and of a plan, as the command line has them. No DOM here.

export interface Setting {
  question: Record<string, string>; // by the names of the flags; empty is not given, a switch is "yes"
  plan: Record<string, string>;
  switches: ReadonlySet<string>; // which flags are switches
}

export const emptySetting = (switches: Iterable<string> = []): Setting => ({ question: { epsilon: "0.5" }, plan: {}, switches: new Set(switches) });

// The texts of a job in place of those that are there. It may leave epsilon open, which the page then keeps.
export function fill(setting: Setting, job: { question: Record<string, string>; plan: Record<string, string> }): void {
  setting.question = { epsilon: setting.question["epsilon"] ?? "", ...job.question };
  dropRoles(setting); // until the columns are known
  setting.plan = { ...job.plan };
}

// What a column can be to a question; the last three are of one column each.
export const ROLES = ["secret", "public", "known", "given", "person", "weight", "count"] as const;
export type Role = "" | (typeof ROLES)[number];
export const isAlone = (role: Role): boolean => ["person", "weight", "count"].includes(role);

// What a job says of roles beyond those that columns have on the page: all columns but some.
export function dropRoles(setting: Setting): void {
  for (const role of [...ROLES, "except"]) delete setting.question[role];
}

// A list as the command line reads it: an item with a comma, a quote or blanks at its ends is quoted as in CSV.
export function listText(items: string[]): string {
  return items.map((item) => (/^\s|\s$|[",]/.test(item) || item === "" ? `"${item.replaceAll('"', '""')}"` : item)).join(",");
}

// The items of such a list.
export function listItems(text: string): string[] {
  const items: string[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:,|$)/.exec(rest), plain = /^\s*([^,]*?)\s*(?:,|$)/.exec(rest);
    const found = quoted ?? plain;
    items.push(quoted ? (quoted[1] ?? "").replaceAll('""', '"') : (plain?.[1] ?? ""));
    rest = rest.slice(found?.[0].length ?? rest.length);
  }
  return items;
}

// What is said of columns, "COL=KIND,...", by column; and back.
export function kindsOf(text: string): Map<string, string> {
  const kinds = new Map<string, string>();
  for (const item of listItems(text)) {
    const at = item.lastIndexOf("=");
    if (at > 0) kinds.set(item.slice(0, at), item.slice(at + 1));
  }
  return kinds;
}
export const kindsText = (kinds: ReadonlyMap<string, string>): string => listText([...kinds].map(([name, kind]) => `${name}=${kind}`));

// What the server takes: only what is given. Which method it is when none is, it says.
export function requestOf(setting: Setting, table: string, page: string): Record<string, unknown> {
  const given = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== "").map(([name, text]) => [name, setting.switches.has(name) || text.trim()]));
  return { table, page, question: given(setting.question), plan: given(setting.plan) };
}

// The same for everything that does not depend on epsilon and noise.
export function lawsKey(setting: Setting, table: string): string {
  const { question } = requestOf(setting, table, "") as { question: Record<string, unknown> };
  return JSON.stringify([table, Object.entries(question).filter(([name]) => name !== "epsilon" && name !== "noise").sort()]);
}

// Whether enough is said to ask anything.
export const isAsked = (setting: Setting): boolean => Boolean(setting.question["secret"] && setting.question["public"]);

// What makes a release of its own, whatever the noise is called.
export const makesItsOwn = (noise: string): boolean => ["optimal", "channel", "swap"].includes(noise);

// Linear programmes take a while.
export const isSlow = (method: string | undefined): boolean => method === "optimal" || method === "channel";

// The slider runs over the logarithm: 0.01 to 10 in 300 steps.
export const SLIDER_STEPS = 300;
const LOW = Math.log(0.01), HIGH = Math.log(10);

export function sliderOf(epsilon: string): number | null {
  const value = Number(epsilon);
  if (!(value > 0)) return null;
  return Math.round((SLIDER_STEPS * (Math.min(Math.max(Math.log(value), LOW), HIGH) - LOW)) / (HIGH - LOW));
}

// A short decimal: what people would write.
export function epsilonOf(slider: number): string {
  const value = Math.exp(LOW + ((HIGH - LOW) * slider) / SLIDER_STEPS);
  return String(Number(value.toPrecision(value < 1 ? 2 : 3)));
}

export interface Difference {
  name: string;
  kept: string;
  now: string;
}

// What two settings differ in, by the names of the flags.
export function differences(kept: Setting, now: Setting): Difference[] {
  const all = (setting: Setting): Record<string, string> => ({ ...setting.question, ...setting.plan });
  const before = all(kept), after = all(now);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => (before[name] ?? "") !== (after[name] ?? ""))
    .map((name) => ({ name, kept: before[name] || "–", now: after[name] || "–" }));
}

export function copyOf(setting: Setting): Setting {
  return { ...setting, question: { ...setting.question }, plan: { ...setting.plan } };
}

// The name of a release: that of the table with the column, without what a file name should not hold.
export function outputName(table: string, column: string, taken: number): string {
  const stem = (table.split(/[/\\]/).pop() ?? "").replace(/\.(csv|tsv|txt|data|gz|zst)/gi, "");
  const plain = `${stem}-${column}`.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "").slice(0, 80);
  return `${plain ? `${plain}-` : ""}released${taken > 0 ? `-${taken + 1}` : ""}.csv`;
}
