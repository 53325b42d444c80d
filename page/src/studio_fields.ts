// Fields with their label, their help and the place where what is wrong with them is said.
import { el, visible } from "./dom.ts";
import type { Wrong } from "./studio_api.ts";

// A flag as a field: fugu/ask/flags.h says what each part is.
export interface FieldShape {
  texts: "question" | "plan";
  name: string; // that of the flag
  label: string;
  help: string;
  example: string;
  kind: string;
  words: string[];
}

export const isSwitch = (shape: FieldShape): boolean => shape.kind.endsWith("switch");

// The choice of nothing stands for what holds then, where that is one of the words.
function choiceOf(shape: FieldShape, id: string): HTMLSelectElement {
  const words = shape.words.filter((word) => word !== shape.example);
  return el("select", { id }, el("option", { value: "" }, shape.example || "not given"), ...words.map((word) => el("option", { value: word }, word)));
}

export class Field {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  private readonly wrong: HTMLElement;

  // A switch is "yes" or empty.
  constructor(readonly shape: FieldShape, onChange: (value: string) => void) {
    const id = `field-${shape.name}`;
    const label = el("label", { for: id }, shape.label);
    this.wrong = wrongPlace(shape.name);
    if (isSwitch(shape)) {
      const box = el("input", { type: "checkbox", id, "aria-describedby": this.wrong.id });
      box.addEventListener("change", () => onChange(box.checked ? "yes" : ""));
      this.input = box;
      this.element = el("div", { class: "field check" }, box, label, this.wrong);
      return;
    }
    const choice = shape.kind === "choice";
    this.input = choice ? choiceOf(shape, id) : el("input", { id, type: "text", autocomplete: "off", spellcheck: "false", placeholder: shape.example });
    const help = el("p", { class: "help", id: `${id}-help` }, shape.help);
    this.input.setAttribute("aria-describedby", `${help.id} ${this.wrong.id}`);
    this.input.addEventListener(choice ? "change" : "input", () => onChange(this.input.value));
    this.element = el("div", { class: "field" }, label, this.input, help, this.wrong);
    if (!choice && shape.words.length > 0) {
      const list = el("datalist", { id: `${id}-list` }, ...shape.words.map((value) => el("option", { value })));
      this.input.setAttribute("list", list.id);
      this.element.append(list);
    }
  }

  set value(text: string) {
    if (this.input instanceof HTMLInputElement && this.input.type === "checkbox") this.input.checked = text !== "";
    else if (this.input.value !== text) this.input.value = text;
  }
}

// Where an error about this field is said.
export function wrongPlace(name: string): HTMLElement {
  return el("p", { class: "wrong", id: `wrong-${name}`, role: "alert", tabindex: "-1" });
}

// Whether the whole of it is on the screen, and nothing before it.
function isSeen(element: HTMLElement): boolean {
  const { left, top, bottom } = element.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 8, y)));
}

function leadTo(place: HTMLElement, input: HTMLElement | null): void {
  place.scrollIntoView({ block: "center" });
  (input ?? place).focus({ preventScroll: true });
}

// What is wrong comes into sight. The page does not move under somebody who types or moves a slider elsewhere: it is said at
// the edge of the screen, with a way there.
function bringIntoSight(place: HTMLElement, input: HTMLElement | null, message: string): void {
  if (isSeen(place)) return;
  const active = document.activeElement;
  if (active !== null && active === input) return place.scrollIntoView({ block: "nearest" });
  if (!active?.matches("input:not([type=file]), select")) return leadTo(place, input);
  document.getElementById("wrong-elsewhere")?.replaceChildren(
    el("strong", {}, message),
    button("Show where", () => {
      document.getElementById("wrong-elsewhere")?.replaceChildren();
      leadTo(place, input);
    }, { class: "small" }),
  );
}

// To the field of a flag, unfolded.
export function leadToField(name: string): void {
  const input = document.getElementById(`field-${name}`);
  if (!input) return;
  unfoldAround(input);
  leadTo(input, input);
}
function unfoldAround(element: HTMLElement): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
}

let advise: (hint: string) => Node | null = () => null;
// How a hint becomes something to press.
export function adviseBy(make: (hint: string) => Node | null): void {
  advise = make;
}

// Advice that stands by itself.
export function advised(text: string): HTMLElement {
  return el("li", {}, text, advise(text));
}

// Says what is wrong beside the field that it is about; where that is not on the page, beside `otherwise`. What was wrong
// before is over.
export function showWrong(wrong: Wrong | null, otherwise = "page"): void {
  for (const place of document.querySelectorAll(".wrong")) place.replaceChildren();
  for (const input of document.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  if (!wrong) return;
  const input = document.getElementById(`field-${wrong.field ?? ""}`);
  input?.setAttribute("aria-invalid", "true");
  const places = [wrong.field ?? otherwise, otherwise, "page"].map((name) => document.getElementById(`wrong-${name}`));
  const place = places.find((one) => one !== null && !one.closest("[hidden]"));
  if (!place) return;
  unfoldAround(place);
  place.replaceChildren(el("strong", {}, wrong.message), el("span", { class: "hint" }, wrong.hint), ...[advise(wrong.hint) ?? ""]);
  bringIntoSight(place, input?.closest("[hidden]") ? null : input, wrong.message);
}

export function button(text: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = el("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  return made;
}

export function progressBar(label: string): { element: HTMLElement; show: (fraction: number, what: string) => void } {
  const bar = el("progress", { max: "1", value: "0", "aria-label": label });
  const words = el("span", { class: "muted" }), begun = Date.now();
  return {
    element: el("div", { class: "progress" }, bar, words),
    // Of what cannot say how far it is, how long it has gone on.
    show: (fraction, what) => {
      if (fraction > 0) bar.value = fraction;
      else bar.removeAttribute("value");
      const seconds = Math.floor((Date.now() - begun) / 1000);
      words.textContent = `${fraction > 0 ? `${Math.round(100 * fraction)} % ` : ""}${what}${seconds > 0 ? `, ${seconds} s` : ""}`;
    },
  };
}

// A command, with a button that copies it.
export function commandLine(label: string, id: string): { element: HTMLElement; show: (text: string) => void } {
  const code = el("code", { id, tabindex: "0" });
  let command = "";
  const said = el("span", { class: "muted", role: "status" });
  const copy = button("Copy", () => {
    void navigator.clipboard.writeText(command).then(
      () => (said.textContent = "Copied."),
      () => {
        getSelection()?.selectAllChildren(code);
        said.textContent = "Press Ctrl-C to copy.";
      },
    );
  }, { "aria-label": `Copy the command to ${label}`, class: "small" });
  return {
    element: el("div", { class: "command" }, el("span", { class: "command-label" }, label), code, copy, said),
    show: (text) => {
      command = text;
      code.textContent = visible(text);
      said.textContent = "";
    },
  };
}
