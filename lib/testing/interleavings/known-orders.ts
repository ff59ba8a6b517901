import { seededRandom } from "./seeded-random";

/** How often an actor that can crash does so instead of its next step. */
const crashRate = 0.3;

/** An actor that is held at a pause point. */
export type Held = { name: string; point: string; canCrash: boolean };
/** A step: the actors that were held before it, which of them took it, and whether it crashed instead. */
export type Step = { held: readonly Held[]; index: number; crashes: boolean };

/** Returns the step that a seed's next random numbers decide. */
export function decide(random: () => number, held: readonly Held[]): Step {
  const index = Math.floor(random() * held.length);
  return { held, index, crashes: held[index]!.canCrash && random() < crashRate };
}

/** Returns a line of a failure's message. */
export const describeStep = ({ held, index, crashes }: Step): string =>
  `${held[index]!.name}: ${held[index]!.point}${crashes ? " (crash)" : ""}`;

/** The actors that are held before a step, and what follows each step. If none is held, all have ended. */
type Moment = { held: readonly Held[]; next: Map<string, Moment> };

/** The orders of steps that a scenario's earlier seeds have run. */
export class KnownOrders {
  private first: Moment | undefined;

  add(steps: readonly Step[]): void {
    let moment = (this.first ??= { held: [], next: new Map() });
    for (const step of steps) {
      // In an earlier run, an actor may have arrived late. The latest run is more likely to be right.
      moment.held = step.held;
      const key = describeStep(step);
      const following = moment.next.get(key) ?? { held: [], next: new Map() };
      moment.next.set(key, following);
      moment = following;
    }
    moment.held = [];
  }

  /** Whether a run with this seed would take the same steps as an earlier run, in the same order. */
  has(seed: number): boolean {
    const random = seededRandom(seed);
    let moment = this.first;
    while (moment && moment.held.length > 0) moment = moment.next.get(describeStep(decide(random, moment.held)));
    return moment !== undefined;
  }
}
