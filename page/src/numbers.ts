// How numbers are written for people.

// `digits` significant digits, without trailing zeros: "0.525", "260", "1.2e-7".
export function short(value: number, digits = 4): string {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return Number(value.toPrecision(digits)).toExponential().replace(/-/g, "−").replace("e+", "e");
  if (size >= 1000) return Math.round(value).toLocaleString("en-GB").replace("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// What is proved stays proved: never below the value. Precondition: value >= 0.
export function shortUp(value: number, digits = 4): string {
  const nearest = Number(value.toPrecision(digits));
  if (nearest >= value || value === 0) return short(nearest, digits);
  const unit = 10 ** (Math.floor(Math.log10(value)) - digits + 1);
  return short(Number((nearest + unit).toPrecision(digits)), digits);
}

export function percent(value: number): string {
  if (value > 0 && value < 0.0005) return "<\u00a00.1\u00a0%";
  return `${String(Number((100 * value).toFixed(1)))}\u00a0%`;
}

// A probability that is an upper bound: rounded up to a tenth of a percent.
export function percentUp(value: number): string {
  return `${Math.ceil(1000 * value) / 10}\u00a0%`;
}

export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en-GB")} ${thing}${count === 1 ? "" : "s"}`;
}
