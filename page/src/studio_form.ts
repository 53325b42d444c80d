// The form: everything that a question and a plan take, in the order of a decision.
import { el } from "./dom.ts";
import { Field, wrongPlace, type FieldShape } from "./studio_fields.ts";
import { SLIDER_STEPS, epsilonOf, sliderOf, type Setting } from "./studio_setting.ts";

const BUDGET: FieldShape[] = [
  { name: "delta", label: "Delta", help: "What a conclusion's likelihood may exceed the factor e^epsilon by. Empty is 0.", placeholder: "0" },
  { name: "confidence", label: "Confidence", help: "Hold for every law that the counts allow, for example 0.95; numbers then need a clip with a step or a bin, or edges. Empty takes the table as the truth." },
  { name: "closeness", label: "Closeness", help: "Also cover beliefs within a factor e^λ of the table's; takes 2 λ from epsilon." },
];
const NOISE: FieldShape = {
  name: "noise",
  label: "Noise",
  help: "laplace, gaussian, power:P or log:ETA.",
  suggestions: ["laplace", "gaussian", "power:3", "log:1"],
  placeholder: "laplace",
};
const WHO: FieldShape[] = [
  { name: "pairs", label: "Secrets that must not be told apart", help: "all, neighbours, or pairs such as A:B,A:C or A:*.", suggestions: ["all", "neighbours"], placeholder: "all" },
  { name: "min-group", label: "Least group of those who know more", help: "People with each secret that a group of the known columns needs to be covered by itself.", placeholder: "20" },
  { name: "secret-order", label: "Order of the secrets", help: "For neighbours: a,b,c." },
];
const SHAPE: FieldShape[] = [
  { name: "clip", label: "Clip", help: "Hold numbers within LO:HI.", placeholder: "20:70" },
  { name: "bin", label: "Bin", help: "Bins of this width; each number becomes the middle of its bin." },
  { name: "bin-edges", label: "Bin edges", help: "Release only between which edges a number lies.", placeholder: "18,30,65" },
  { name: "merge-rare", label: "Merge rare", help: "One category of all that have fewer rows than this." },
  { name: "step", label: "Step", help: "Snap numbers to multiples of this." },
  { name: "order", label: "Order of the categories", help: "a,b,c; by their bytes when empty." },
  { name: "range", label: "Range of released values", options: [["", "as the column needs"], ["free", "free"], ["clamp", "within the data's range"]] },
  { name: "weights", label: "Weights of several columns", help: "W,W: how the noise is shared out." },
];
const READ: FieldShape[] = [
  { name: "missing", label: "A missing field", options: [["", "stops"], ["drop", "drops its row"], ["keep", "is a category of its own"]] },
  { name: "na", label: "Texts that mean missing", help: "Besides the empty field, for example ?,NA." },
  { name: "separator", label: "Separator", help: "Between fields; found by itself when empty.", placeholder: "," },
];
const METHOD: FieldShape[] = [
  { name: "loss", label: "Error that optimal and channel make small", options: [["", "squared"], ["absolute", "absolute"], ["zero-one", "zero-one"]] },
  { name: "outputs", label: "What a channel may release", help: "The values when empty." },
  { name: "time-limit", label: "Time limit of optimal and channel", help: "Seconds.", placeholder: "60" },
];
const PLAN_FIELDS = new Set(METHOD.map((shape) => shape.name));

export class Form {
  readonly epsilonBar = el("div", { class: "epsilon-bar" });
  readonly budget = el("div");
  readonly reading = el("div", { class: "fields" });
  readonly more = el("div");
  readonly words = el("p", { class: "promise", id: "words", role: "status" });
  private readonly slider = el("input", { type: "range", id: "slider", min: "0", max: String(SLIDER_STEPS), step: "1", "aria-label": "Epsilon, on a logarithmic scale", "aria-describedby": "words" });
  private readonly epsilon = el("input", { id: "field-epsilon", type: "text", inputmode: "decimal", autocomplete: "off", "aria-describedby": "words wrong-epsilon" });

  constructor(private readonly setting: Setting, private readonly onChange: (name: string) => void) {
    this.slider.addEventListener("input", () => {
      this.epsilon.value = epsilonOf(Number(this.slider.value));
      this.set("epsilon", this.epsilon.value);
    });
    this.epsilon.addEventListener("input", () => {
      const place = sliderOf(this.epsilon.value);
      if (place !== null) this.slider.value = String(place);
      this.set("epsilon", this.epsilon.value);
    });
    this.showEpsilon();
    this.epsilonBar.append(
      el("div", { class: "epsilon" }, el("label", { for: "field-epsilon" }, "Epsilon"), this.epsilon, el("div", {}, this.slider, el("p", { class: "scale-ends muted" }, el("span", {}, "hides more"), el("span", {}, "costs less")))),
      wrongPlace("epsilon"),
      this.words,
    );
    this.budget.append(
      el("div", { class: "fields" }, ...[...BUDGET, NOISE].map((shape) => this.field(shape))),
    );
    this.more.append(
      this.group("Who must not be told apart", WHO),
      this.group("Shape the values first", SHAPE),
      this.group("Optimal methods", METHOD),
    );
    const header = el("input", { type: "checkbox", id: "field-no-header" });
    header.addEventListener("change", () => {
      this.setting.noHeader = header.checked;
      this.onChange("no-header");
    });
    this.reading.append(
      el("div", { class: "field check" }, header, el("label", { for: "field-no-header" }, "The first line is data"), wrongPlace("no-header")),
      ...READ.map((shape) => this.field(shape)),
    );
  }

  showEpsilon(): void {
    const text = this.setting.question["epsilon"] ?? "";
    this.epsilon.value = text;
    this.slider.value = String(sliderOf(text) ?? 0);
  }

  private set(name: string, value: string): void {
    (PLAN_FIELDS.has(name) ? this.setting.plan : this.setting.question)[name] = value;
    this.onChange(name);
  }
  private field(shape: FieldShape): HTMLElement {
    return new Field(shape, (value) => this.set(shape.name, value)).element;
  }
  private group(title: string, shapes: FieldShape[]): HTMLElement {
    return el("details", { class: "group" }, el("summary", {}, title), el("div", { class: "fields" }, ...shapes.map((shape) => this.field(shape))));
  }
}
