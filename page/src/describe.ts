// What each plot shows, as sentences and as rows of a table: for whoever cannot see it, or wants the numbers.
import { counted, percent, short, shortUp } from "./numbers.ts";
import type {
  ErrorLine,
  ErrorPicture,
  LawsColumn,
  LawsPicture,
  LossColumn,
  LossPicture,
  NoiseLaw,
  NoisePicture,
  TransportPicture,
} from "./picture.ts";

export interface Table {
  head: string[];
  rows: string[][];
}

export interface Described {
  title: string;
  text: string;
  table: Table;
}

// The value at which the secrets differ most, and by how much.
export function widestGap(column: LawsColumn, prior: number) {
  const secrets = column.priors[prior]?.secrets ?? [];
  let widest = { place: 0, low: "", high: "", least: 0, most: 0 };
  column.values.forEach((_, place) => {
    const shares = secrets.map((secret) => ({ name: secret.secret, share: secret.probabilities[place] ?? 0 }));
    shares.sort((a, b) => a.share - b.share);
    const low = shares[0], high = shares[shares.length - 1];
    if (!low || !high || high.share - low.share <= widest.most - widest.least) return;
    widest = { place, low: low.name, high: high.name, least: low.share, most: high.share };
  });
  return widest;
}

export function describeLaws(picture: LawsPicture, column: LawsColumn, prior: number): Described {
  const secrets = column.priors[prior]?.secrets ?? [];
  const gap = widestGap(column, prior);
  const where = column.values[gap.place]?.label ?? "";
  const differ =
    gap.most > gap.least
      ? ` They differ most at ${where}: ${percent(gap.most)} given ${gap.high}, ${percent(gap.least)} given ${gap.low}.`
      : " They are the same.";
  const bins = column.bin === null ? "" : ` Values are shown in bins of ${short(column.bin)}.`;
  return {
    title: `What ${column.column} says of ${picture.secret}`,
    text: `How often each of ${counted(column.values.length, column.bin === null ? "value" : "bin")} occurs, given each of ${counted(secrets.length, "secret")}.${differ}${bins}`,
    table: {
      head: [column.column, ...secrets.map((secret) => secret.secret)],
      rows: column.values.map((value, place) => [
        value.label,
        ...secrets.map((secret) => percent(secret.probabilities[place] ?? 0)),
      ]),
    },
  };
}

export function describeTransport(picture: TransportPicture): Described {
  const [from, to] = picture.pair;
  const cells = picture.cells ?? [];
  const staying = cells.reduce((sum, cell) => sum + (cell.from === cell.to ? cell.mass : 0), 0);
  const label = (place: number) => picture.values[place]?.label ?? "";
  const stays = picture.bin === null ? "stays where it is" : "stays within its bin";
  return {
    title: `What it takes to turn ${from} into ${to}`,
    text: `No mass has to move farther than ${short(picture.distance)}, on average ${short(picture.mean_distance)}; ${percent(staying)} of it ${stays}. Of all pairs this is the one with the farthest to go.`,
    table: {
      head: [`${picture.column}, ${picture.secret} ${from}`, `${picture.column}, ${picture.secret} ${to}`, "mass", "moves farthest"],
      rows: cells.map((cell) => [label(cell.from), label(cell.to), percent(cell.mass), cell.farthest ? "yes" : ""]),
    },
  };
}

export function describeLoss(picture: LossPicture, column: LossColumn): Described {
  const { witness } = picture;
  const [first, second] = witness.pair;
  if (picture.kind === "excess") {
    return {
      title: "What each output adds beyond epsilon",
      text: `In all at most ${shortUp(picture.total ?? witness.delta ?? 0)}, of the ${short(picture.delta)} that delta allows, between ${first} and ${second}. The most at ${witness.label}.`,
      table: {
        head: [`released ${column.column}`, "adds at most"],
        rows: column.outputs.map((row) => [row.label, shortUp(row.excess ?? 0)]),
      },
    };
  }
  return {
    title: `What each released value of ${column.column} gives away`,
    text: `At most ${shortUp(witness.loss ?? 0)}, of the ${short(picture.epsilon, 6)} that is allowed: at ${witness.label}, between ${first} and ${second}. Every other output says less, or as much.`,
    table: {
      head: [`released ${column.column}`, "loss at most", "more likely under", "than under", "prior"],
      rows: column.outputs.map((row) => [
        row.label,
        shortUp(row.loss ?? 0),
        row.pair?.[0] ?? "",
        row.pair?.[1] ?? "",
        row.prior ?? "",
      ]),
    },
  };
}

export function describeError(picture: ErrorPicture, method?: string): Described {
  const here = picture.methods
    .map((line) => ({ line, point: line.points.find((point) => point.epsilon === picture.epsilon) }))
    .filter((one) => one.point !== undefined)
    .sort((a, b) => (a.point?.rms ?? 0) - (b.point?.rms ?? 0));
  const best = here[0], worst = here[here.length - 1];
  const at = `At epsilon ${short(picture.epsilon, 6)}`;
  const one = (of: typeof best) => `${short(of?.point?.rms ?? 0)} (${of?.line.method})`;
  const words = !best
    ? `${at} there is nothing to draw.`
    : picture.programmes
      ? `${at} the least error of those drawn is ${one(best)} and the largest ${one(worst)}.`
      : `${at} the errors found so far are between ${one(best)} and ${one(worst)}; optimal and channel are still to come.`;
  const chosen = here.find((other) => other.line.method === method);
  const ours = picture.plan
    ? ` This plan, by ${method}, costs ${short(picture.plan.rms)}.`
    : chosen && chosen !== best ? ` The chosen method, ${method}, costs ${short(chosen.point?.rms ?? 0)}.` : "";
  return {
    title: "What each method costs",
    text: words + ours,
    table: {
      head: ["epsilon", ...picture.methods.map((line) => lineName(line, picture))],
      rows: picture.epsilons.map((epsilon) => [
        short(epsilon, 6),
        ...picture.methods.map((line) => {
          const point = line.points.find((one) => one.epsilon === epsilon);
          if (!point) return "–";
          return point.no_noise ? "0 (no noise)" : short(point.rms);
        }),
      ]),
    },
  };
}

// Whether the plan's own error is a point of this line.
export function holdsPlan(line: ErrorLine, picture: ErrorPicture, method?: string): boolean {
  const { plan } = picture;
  if (line.method !== method || !plan) return false;
  return line.points.some((point) => point.epsilon === plan.epsilon && Math.abs(point.rms - plan.rms) <= 1e-6 * plan.rms);
}

// A method's name, with its noise where several families are compared.
export function lineName(line: { method: string; noise: string }, picture: ErrorPicture): string {
  const twins = picture.methods.filter((other) => other.method === line.method);
  return twins.length > 1 ? `${line.method} (${line.noise})` : line.method;
}

export function describeNoise(law: NoiseLaw): Described {
  const middle = law.points.find(([size]) => size === 0);
  const stays = middle && law.stride === 1 ? ` A value stays as it is with probability ${percent(middle[1])}.` : "";
  return {
    title: `The noise that is added to ${law.column}`,
    text: `${law.family === "optimal" ? "Optimal" : law.family[0]?.toUpperCase() + law.family.slice(1)} noise in steps of ${short(law.step)}, of root mean square ${short(law.rms)}.${stays}`,
    table: {
      head: ["noise", "probability"],
      rows: law.points.map(([size, probability]) => [short(size, 6), short(probability)]),
    },
  };
}

export function describeChannel(picture: NoisePicture): Described {
  const inputs = picture.inputs ?? [], outputs = picture.outputs ?? [], rows = picture.rows ?? [];
  const kept = inputs.map((input, i) => {
    const same = outputs.findIndex((output) => output.value === input.value);
    return same < 0 ? 0 : (rows[i]?.[same] ?? 0);
  });
  const least = Math.min(...kept), most = Math.max(...kept);
  return {
    title: `What each ${picture.column ?? "value"} is replaced by`,
    text: `Each of ${counted(inputs.length, "value")} is replaced by one of ${counted(outputs.length, "value")}; it stays what it is with probability ${least === most ? percent(least) : `${percent(least)} to ${percent(most)}`}.`,
    table: {
      head: ["true value", ...outputs.map((output) => output.label)],
      rows: inputs.map((input, i) => [input.label, ...(rows[i] ?? []).map(percent)]),
    },
  };
}
