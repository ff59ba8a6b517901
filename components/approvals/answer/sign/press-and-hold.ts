/*
 * An owner signs with one button, by holding it or by two separate presses. The two presses are for
 * people who can't hold a button and for screen readers, which can only click. A hold that ends
 * early doesn't count as the first press, because it shows that the owner changed their mind.
 */

/**
 * The duration of a hold, in milliseconds. The animation of the signature in app/globals.css takes
 * the same time.
 */
export const holdMs = 800;
/**
 * The longest press, in milliseconds, that counts as one of two presses. A longer press is a hold.
 */
const pressMs = 400;
/** The minimum time between two presses, in milliseconds. Faster presses may be a double click. */
const pauseMs = 600;

export type Hold =
  /** `early` is set if the last hold ended early. */
  | { phase: "rest"; early?: true }
  /** The button was pressed once, at the time `at`. */
  | { phase: "armed"; at: number }
  /** `armedAt` is the time of an earlier press. */
  | { phase: "holding"; since: number; armedAt?: number }
  | { phase: "signed" };

/**
 * "click" is a press without separate press and release events, for example from a screen reader.
 * "cancel" means that the pointer left the button or the page lost focus. "elapsed" means that the
 * button was held for the full duration.
 */
export type HoldEvent = "press" | "release" | "click" | "cancel" | "elapsed";

export const atRest: Hold = { phase: "rest" };

/** Returns the next state, or the same object if nothing changes. */
export function step(hold: Hold, event: HoldEvent, now: number): Hold {
  if (hold.phase === "signed") return hold;
  if (event === "click") return pressed(hold.phase === "armed" ? hold.at : undefined, now);
  if (hold.phase !== "holding") {
    if (event !== "press") return hold;
    return { phase: "holding", since: now, ...(hold.phase === "armed" && { armedAt: hold.at }) };
  }
  switch (event) {
    case "elapsed":
      return { phase: "signed" };
    case "release":
      return now - hold.since < pressMs ? pressed(hold.armedAt, now) : { phase: "rest", early: true };
    case "cancel":
      return atRest;
    case "press":
      return hold;
  }
}

const pressed = (armedAt: number | undefined, now: number): Hold =>
  armedAt !== undefined && now - armedAt >= pauseMs ? { phase: "signed" } : { phase: "armed", at: armedAt ?? now };
