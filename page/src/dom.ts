// Elements, made in one line. Text goes in as text: nothing is ever read as markup, and what turns the direction of writing
// is seen.
type Child = Node | string | null | undefined;

const TURNING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export const visible = (text: string): string =>
  text.replace(TURNING, (one) => `<U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`);

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, name === "aria-label" ? visible(value) : value);
  for (const child of children) if (child !== null && child !== undefined) element.append(typeof child === "string" ? visible(child) : child);
  return element;
}
