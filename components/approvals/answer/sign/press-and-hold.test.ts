import { describe, expect, test } from "vitest";
import { atRest, type Hold, type HoldEvent, holdMs, step } from "./press-and-hold";

/** The state after these events at their times. */
const stateAfter = (...events: [HoldEvent, at: number][]): Hold =>
  events.reduce<Hold>((hold, [event, at]) => step(hold, event, at), atRest);

describe("hold on the sign button", () => {
  test("signs at the end of a full hold", () => {
    expect(stateAfter(["press", 0], ["elapsed", holdMs])).toEqual({ phase: "signed" });
  });

  test("does not sign after an early release", () => {
    expect(stateAfter(["press", 0], ["release", holdMs - 1])).toEqual({ phase: "rest", early: true });
    expect(stateAfter(["press", 0], ["cancel", holdMs - 1], ["elapsed", holdMs])).toEqual(atRest);
  });

  test("counts a press after an early release as the first of two presses", () => {
    expect(stateAfter(["press", 0], ["release", 700], ["press", 2000], ["release", 2050])).toMatchObject({
      phase: "armed",
    });
  });

  test("does not sign after a second press that is too long", () => {
    const late: [HoldEvent, number][] = [
      ["press", 0],
      ["release", 50],
      ["press", 1000],
      ["release", 1500],
    ];
    expect(stateAfter(...late)).toEqual({ phase: "rest", early: true });
    expect(stateAfter(...late, ["click", 3000])).toEqual({ phase: "armed", at: 3000 });
  });

  test("signs only once per hold", () => {
    const signed = stateAfter(["press", 0], ["elapsed", holdMs]);
    for (const event of ["press", "release", "click", "cancel", "elapsed"] as const)
      expect(step(signed, event, 5000)).toBe(signed);
  });
});

describe("two presses of the sign button", () => {
  test("signs after two presses with a pause between them", () => {
    expect(stateAfter(["press", 0], ["release", 50])).toEqual({ phase: "armed", at: 50 });
    expect(stateAfter(["press", 0], ["release", 50], ["press", 650], ["release", 700])).toEqual({ phase: "signed" });
  });

  test("ignores a double click", () => {
    expect(stateAfter(["press", 0], ["release", 50], ["press", 150], ["release", 200])).toEqual({
      phase: "armed",
      at: 50,
    });
  });

  test("accepts two clicks without press and release events as a signature", () => {
    expect(stateAfter(["click", 0])).toEqual({ phase: "armed", at: 0 });
    expect(stateAfter(["click", 0], ["click", 600])).toEqual({ phase: "signed" });
  });
});

test.each(["release", "cancel", "elapsed"] as const)("ignores the event “%s” if no press is in progress", (event) => {
  expect(step(atRest, event, 1)).toBe(atRest);
});
