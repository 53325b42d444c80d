// What will take long, or point to single people, said before anybody waits for it. No DOM here.
import { counted } from "./numbers.ts";

export interface Sized {
  name: string;
  kind: string;
  values: number | null; // null: too many to count
  small_values: number;
}

const MANY_SECRETS = 100;
const MANY_CATEGORIES = 1000;
const MANY_NUMBERS = 5000;

// `secrets` is how many different ones there are, null when none is chosen.
export function sizeAdvice(secrets: number | null, released: Sized[]): string[] {
  const advice: string[] = [];
  if (secrets !== null && secrets > MANY_SECRETS)
    advice.push(
      `There are ${counted(secrets, "different secret")}, and no two may be told apart: that takes long, and a lot of noise. ` +
        "Hide a coarser column, or say with --pairs which ones must not be told apart.",
    );
  for (const { name, kind, values, small_values } of released) {
    const many = values === null ? "too many different values to count" : counted(values, "different value");
    if (kind === "number" || kind === "date") {
      if (values === null || values > MANY_NUMBERS) advice.push(`${name} has ${many}: wider steps are quicker and need less noise (--bin or --step).`);
    } else if (values === null || values > MANY_CATEGORIES) {
      const rare = small_values > 0 ? `, ${small_values.toLocaleString("en-GB")} of which hardly anybody shares` : "";
      advice.push(`${name} has ${many}${rare}: it points to single people. Leave it out, or merge the rare ones with --merge-rare 5.`);
    }
  }
  return advice;
}
