// The numbers of a report as fugu writes them: docs/formats.md, "Picture".

export interface Value {
  value: number;
  label: string;
  low?: number;
  high?: number;
}

export interface Column {
  column: string;
  categorical: boolean;
  step: number;
}

export interface LawsPicture {
  picture: "laws";
  secret: string;
  columns: LawsColumn[];
  notes: string[];
}
export interface LawsColumn extends Column {
  bin: number | null;
  values: Value[];
  priors: { name: string; secrets: { secret: string; probabilities: number[] }[] }[];
}

export interface Cell {
  from: number;
  to: number;
  mass: number;
  farthest?: boolean;
}
export interface TransportPicture extends Column {
  picture: "transport";
  prior: string;
  pair: [string, string];
  secret: string;
  bin: number | null;
  distance: number;
  mean_distance: number;
  values: Value[];
  cells: Cell[] | null;
  notes: string[];
}

export interface LossOutput {
  output: number;
  label: string;
  loss?: number;
  excess?: number;
  pair?: [string, string];
  prior?: string;
}
export interface LossColumn extends Column {
  constant_beyond: boolean;
  outputs: LossOutput[];
}
export interface LossPicture {
  picture: "loss";
  kind: "loss" | "excess";
  epsilon: number;
  delta: number;
  total?: number;
  witness: {
    prior: string;
    pair: [string, string];
    output: number | number[];
    label: string;
    loss: number | null;
    delta: number | null;
  };
  columns: LossColumn[] | null;
  notes: string[];
}

export interface NoiseLaw {
  column: string;
  family: string;
  scale: number | null;
  step: number;
  stride: number;
  rms: number;
  points: [number, number][];
  beyond: number | null;
}
export interface NoisePicture {
  picture: "noise";
  kind: "noise" | "channel" | "none";
  column?: string;
  columns?: NoiseLaw[];
  inputs?: Value[];
  outputs?: Value[];
  rows?: number[][] | null;
  notes: string[];
}

export interface ErrorPoint {
  epsilon: number;
  rms: number;
  scale: number | null;
  no_noise?: boolean;
}
export interface ErrorLine {
  method: string;
  title: string;
  noise: string;
  baseline: boolean;
  points: ErrorPoint[];
}
export interface ErrorPicture {
  picture: "error";
  epsilons: number[];
  epsilon: number;
  delta: number;
  // False while the methods that solve linear programmes are still to come.
  programmes: boolean;
  // The plan's own error, which need not lie on its method's line: that may be of another loss.
  plan?: { epsilon: number; rms: number };
  methods: ErrorLine[];
  notes: string[];
}

export interface Belief {
  before: number;
  at_least: number;
  at_most: number;
}

export interface PlanPicture {
  fugu: 1;
  picture: "plan";
  kind: "table" | "users" | "chain";
  public: boolean;
  title: string;
  question: string;
  promise: string;
  beliefs: Belief[];
  promised: string[];
  not_promised: string[];
  assumptions: string[];
  notes?: string[];
  statement: string;
  estimate: string[];
  facts: [string, string][];
  method?: string;
  rms?: number;
  noise: NoisePicture;
  laws?: LawsPicture;
  transport?: TransportPicture;
  loss?: LossPicture;
  error?: ErrorPicture;
}
