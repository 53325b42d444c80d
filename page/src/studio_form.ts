// The form: everything that a question and a plan take, in the order of a decision.
import { el } from "./dom.ts";
import { Field, wrongPlace, type FieldShape } from "./studio_fields.ts";
import { SLIDER_STEPS, epsilonOf, sliderOf, type Setting } from "./studio_setting.ts";

export type Sections = Record<string, FieldShape[]>; // what can be asked, as the server's table of flags has it

export class Form {
  readonly epsilonBar = el("div", { class: "epsilon-bar" });
  readonly reading = el("div", { class: "fields" });
  readonly more = el("div");
  readonly words = el("p", { class: "promise", id: "words" });
  private readonly all: Field[] = [];
  private readonly slider = el("input", { type: "range", id: "slider", min: "0", max: String(SLIDER_STEPS), step: "1", "aria-label": "Epsilon, on a logarithmic scale", "aria-describedby": "words" });
  private readonly epsilon = el("input", { id: "field-epsilon", type: "text", inputmode: "decimal", autocomplete: "off", "aria-describedby": "words wrong-epsilon" });

  constructor(sections: Sections, private readonly setting: Setting, private readonly onChange: (name: string) => void) {
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
      this.words,
      el("div", { class: "epsilon" }, el("label", { for: "field-epsilon" }, "Epsilon"), this.epsilon, el("div", {}, this.slider, el("p", { class: "scale-ends muted" }, el("span", {}, "hides more"), el("span", {}, "costs less")))),
      wrongPlace("epsilon"),
    );
    this.more.append(
      this.group("What is promised", sections["budget"]),
      this.group("Who must not be told apart", sections["who"]),
      this.group("Shape the values first", sections["shape"]),
      this.group("Optimal methods", sections["method"]),
    );
    this.reading.append(...this.fields(sections["read"]));
  }

  showEpsilon(): void {
    const text = this.setting.question["epsilon"] ?? "";
    this.epsilon.value = text;
    this.slider.value = String(sliderOf(text) ?? 0);
  }

  // The setting is another: the fields follow, and nobody is told.
  refill(): void {
    this.showEpsilon();
    for (const field of this.all) field.value = this.setting[field.shape.texts][field.shape.name] ?? "";
  }

  private set(name: string, value: string, texts: FieldShape["texts"] = "question"): void {
    this.setting[texts][name] = value;
    this.onChange(name);
  }
  private fields(shapes: FieldShape[] = []): HTMLElement[] {
    return shapes.map((shape) => {
      const field = new Field(shape, (value) => this.set(shape.name, value, shape.texts));
      this.all.push(field);
      return field.element;
    });
  }
  private group(title: string, shapes: FieldShape[] | undefined): HTMLElement {
    return el("details", { class: "group" }, el("summary", {}, title), el("div", { class: "fields" }, ...this.fields(shapes)));
  }
}
