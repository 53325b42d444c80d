// A picture of thousands of secrets would be hundreds of thousands of elements, which no page bears: some are drawn and
// listed, and it says how many are not.
import { widestGap } from "./describe.ts";
import type { LawsColumn } from "./picture.ts";

export const MOST_DRAWN = 32;

export interface Drawn {
  column: LawsColumn; // with the secrets of this prior that are drawn
  notes: string[];
}

// All where they are few; else those that the text names, and the first.
export function drawnSecrets(column: LawsColumn, prior: number, pair: string[]): Drawn {
  const secrets = column.priors[prior]?.secrets ?? [];
  if (secrets.length <= MOST_DRAWN) return { column, notes: [] };
  const { low, high } = widestGap(column, prior);
  const named = secrets.filter(({ secret }) => [low, high, ...pair].includes(secret));
  const drawn = new Set([...new Set([...named, ...secrets])].slice(0, MOST_DRAWN));
  const count = (number: number) => number.toLocaleString("en-GB");
  return {
    column: { ...column, priors: column.priors.map((one, k) => (k === prior ? { ...one, secrets: secrets.filter((secret) => drawn.has(secret)) } : one)) },
    notes: [`${count(drawn.size)} of the ${count(secrets.length)} secrets are drawn and listed: those that are named here, and the first. ${count(secrets.length - drawn.size)} are not shown.`],
  };
}
