/*
 * An owner signs with one button, by a hold or by two separate presses. The two presses are for
 * anyone who cannot hold, and for screen readers, which only click. A hold that ends early signs
 * nothing and does not count as the first press, because the owner changed their mind.
 */

/**
 * The duration of a hold, in milliseconds. app/globals.css animates the signature for the same
 * time.
 */
export const holdMs = 800;
/**
 * The longest press, in milliseconds, that counts as one of two presses. A longer press is a hold.
 */
const pressMs = 400;
/** The minimum time between two presses, in milliseconds. Faster presses may be a double click. */
const pauseMs = 600;

export type Hold =
  /** `early`: the last hold ended early. */
  | { phase: "rest"; early?: true }
  /** The button was pressed once, at the time `at`. */
  | { phase: "armed"; at: number }
  /** `armedAt` is the time of an earlier press. */
  | { phase: "holding"; since: number; armedAt?: number }
  | { phase: "signed" };

/**
 * "click": a press without a beginning and an end, for example from a screen reader. "cancel": the
 * pointer left the button, or the page lost the focus. "elapsed": the button was held to the end.
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
