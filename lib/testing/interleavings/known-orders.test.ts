import { expect, test } from "vitest";
import { decide, describeStep, type Held, KnownOrders, type Step } from "./known-orders";
import { seededRandom } from "./seeded-random";

/** Runs an actor with two steps and one with a step before which it can crash, without a database. */
function simulate(seed: number): Step[] {
  const random = seededRandom(seed);
  const actors = [
    { name: "a", left: ["begin", "read"], canCrash: false },
    { name: "b", left: ["begin"], canCrash: true },
  ];
  const steps: Step[] = [];
  for (;;) {
    const ready = actors.filter(({ left }) => left.length > 0);
    if (ready.length === 0) return steps;
    const held: Held[] = ready.map(({ name, left, canCrash }) => ({ name, canCrash, point: left[0]! }));
    const step = decide(random, held);
    steps.push(step);
    ready[step.index]!.left.shift();
  }
}

test("knows a seed exactly if an earlier seed has run the same order", () => {
  const known = new KnownOrders();
  const orders = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    const steps = simulate(seed);
    const order = steps.map(describeStep).join();
    expect(known.has(seed), order).toBe(orders.has(order));
    known.add(steps);
    orders.add(order);
  }
  // The step of "b" is the first, second or last one, and crashes or not.
  expect(orders.size).toBe(6);
});

test("knows an order although an actor arrived late in the first run of its beginning", () => {
  const [a, b] = ["a", "b"].map((name) => ({ name, point: "begin", canCrash: name === "b" })) as [Held, Held];
  const late: Step[] = [
    { held: [a, b], index: 0, crashes: false },
    { held: [b], index: 0, crashes: false },
    { held: [{ ...a, point: "read" }], index: 0, crashes: false },
  ];
  for (let seed = 1; seed <= 100; seed++) {
    const known = new KnownOrders();
    known.add(late);
    known.add(simulate(seed));
    expect(known.has(seed), simulate(seed).map(describeStep).join()).toBe(true);
  }
});
