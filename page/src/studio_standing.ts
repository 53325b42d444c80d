// Whether what is shown belongs to the fields as they are now. What does not is dimmed and says so, and nothing of it can be
// copied or downloaded.

export type Standing = "fresh" | "pending" | "stale";

const WORDS: Record<Exclude<Standing, "fresh">, string> = {
  pending: "being calculated …",
  stale: "does not belong to these fields",
};

// Buttons and links that take something away.
function allow(taker: HTMLButtonElement | HTMLAnchorElement, allowed: boolean): void {
  if (allowed) taker.removeAttribute("aria-disabled");
  else taker.setAttribute("aria-disabled", "true");
  if (taker instanceof HTMLButtonElement) {
    taker.disabled = !allowed;
    return;
  }
  // A link is disabled by leading nowhere.
  if (!allowed && taker.hasAttribute("href")) {
    taker.dataset["href"] = taker.getAttribute("href") ?? "";
    taker.removeAttribute("href");
  } else if (allowed && taker.dataset["href"] !== undefined) {
    taker.setAttribute("href", taker.dataset["href"]);
  }
}

// Elements that are made anew together.
export class Shown {
  private now: Standing = "stale";

  constructor(private readonly elements: HTMLElement[]) {}

  get standing(): Standing {
    return this.now;
  }
  set standing(standing: Standing) {
    this.now = standing;
    for (const element of this.elements) {
      const isNothing = standing === "stale" && !element.hasChildNodes();
      if (standing === "fresh" || isNothing) delete element.dataset["standing"];
      else element.dataset["standing"] = WORDS[standing];
      for (const taker of element.querySelectorAll<HTMLButtonElement | HTMLAnchorElement>("button, a.download")) allow(taker, standing === "fresh");
    }
  }
  // What was being calculated has no answer.
  giveUp(): void {
    if (this.now === "pending") this.standing = "stale";
  }
}
