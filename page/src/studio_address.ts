// The state of the page in its address, after the #, which no server is sent: which table, what is asked, what a release is
// called. Names of columns and what stands in the fields, nothing of the table's rows. No DOM here.

export interface State {
  table: string; // its number in this run of the studio; empty when none is open
  question: Record<string, string>;
  plan: Record<string, string>;
  output: string; // empty: as it is proposed
  keep: boolean;
  shuffle: boolean;
}

const LONGEST = 1500; // of one text: a list of thousands of categories does not belong into an address

const given = (texts: Record<string, string>): [string, string][] =>
  Object.entries(texts).filter(([, text]) => text.trim() !== "" && text.length <= LONGEST).sort(([a], [b]) => (a < b ? -1 : 1));

export function fragmentOf(state: State): string {
  const parts = new URLSearchParams();
  if (state.table) parts.set("table", state.table);
  for (const [name, text] of given(state.question)) parts.set(name, text);
  for (const [name, text] of given(state.plan)) parts.set(`plan.${name}`, text);
  if (state.output) parts.set("to.output", state.output);
  if (state.keep) parts.set("to.keep", "yes");
  if (state.shuffle) parts.set("to.shuffle", "yes");
  return parts.toString();
}

// Null when it says nothing. `known` says which texts there are: what is none of them is dropped.
export function stateOf(fragment: string, known: (texts: "question" | "plan", name: string) => boolean): State | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: State = { table: parts.get("table") ?? "", question: {}, plan: {}, output: parts.get("to.output") ?? "", keep: parts.has("to.keep"), shuffle: parts.has("to.shuffle") };
  for (const [name, text] of parts) {
    if (known("question", name)) state.question[name] = text;
    if (name.startsWith("plan.") && known("plan", name.slice(5))) state.plan[name.slice(5)] = text;
  }
  return state.table || Object.keys(state.question).length > 0 ? state : null;
}
