// What is behind a plan, drawn: the laws and how far they are apart, what each output gives away, the noise, and the error at
// other budgets.
import { el } from "./dom.ts";
import { plots, type Plots } from "./plots.ts";
import { lastWork, type Request } from "./studio_api.ts";
import type { Calibrated } from "./studio_release.ts";
import { Shown } from "./studio_standing.ts";

type IsLast = () => boolean;
type Saying = (isLast: IsLast, task: () => Promise<void>) => Promise<boolean>; // whether it went well
const NAMES = ["laws", "transport", "loss", "noise", "error"];

export class Pictures {
  private readonly places = new Map(NAMES.map((name) => [name, el("div", { id: `plot-of-${name}` })]));
  readonly elements = [...this.places.values()];
  readonly laws = new Shown([this.place("laws"), this.place("transport")]);
  readonly error = new Shown([this.place("error")]);
  private drawnLaws = ""; // what those that are shown are of

  place(name: string): HTMLElement {
    return this.places.get(name) ?? el("div");
  }

  ofPlan(made: Calibrated): void {
    this.place("loss").replaceChildren(plots(made.loss));
    this.place("noise").replaceChildren(plots(made.noise));
  }

  // The fields changed; the laws stay those of `key`, which does not depend on epsilon.
  outdate(key: string): void {
    if (key !== this.drawnLaws) this.laws.standing = "pending";
    this.error.standing = "pending";
  }
  giveUp(): void {
    this.laws.giveUp();
    this.error.giveUp();
  }
  forget(): void {
    this.drawnLaws = "";
  }

  async draw(isLast: IsLast, request: Request, key: string, saying: Saying): Promise<void> {
    await this.drawLaws(isLast, request, key, saying);
    if (!isLast()) return;
    await saying(isLast, async () => {
      for (const kind of ["errors", "all-errors"]) {
        const { error } = await lastWork<{ error: Plots }>(isLast, kind, request);
        if (!isLast()) return;
        this.place("error").replaceChildren(plots(error));
        this.error.standing = "fresh";
      }
    });
    if (isLast()) this.error.giveUp();
  }

  private async drawLaws(isLast: IsLast, request: Request, key: string, saying: Saying): Promise<void> {
    if (key === this.drawnLaws) return void (this.laws.standing = "fresh");
    const good = await saying(isLast, async () => {
      const { laws, transport } = await lastWork<{ laws: Plots; transport: Plots }>(isLast, "laws", request);
      if (!isLast()) return;
      this.drawnLaws = key;
      this.place("laws").replaceChildren(plots(laws));
      this.place("transport").replaceChildren(plots(transport));
      this.laws.standing = "fresh";
    });
    if (!good && isLast()) this.laws.giveUp();
  }
}
