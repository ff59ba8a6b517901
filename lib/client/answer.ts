import type { Resolution } from "./types";

/** The answer to a question. */
export type Answer = {
  /** The approval's id. */
  id: string;
  resolution: Resolution;
  /** The id of the chosen option; absent if the owner answered in their own words. */
  chosen: string | undefined;
  /** The owner's own words, if no option was chosen. */
  text: string | undefined;
  note: string | undefined;
  /**
   * `owner`: the owner answered, signed in or (at low risk) on an alert. `api`: the app itself, or
   * the default after the deadline.
   */
  by: "owner" | "api";
  /** Whether a simulated owner answered ("countersign simulate"), in tests of agents. */
  simulated: boolean;
  /**
   * Whether the owner, and no one else, chose this option. Check it before you act. It is false for
   * a simulated answer, unless the client was created with `allowSimulated`.
   */
  yes(optionId: string): boolean;
};

/** @param allowSimulated whether `yes` accepts a simulated answer */
export function asAnswer(id: string, resolution: Resolution, allowSimulated = false): Answer {
  const { kind, optionId, otherText, note, resolvedBy } = resolution;
  const simulated = isSimulated(note);
  const counts = resolvedBy === "owner" && (allowSimulated || !simulated);
  return {
    id,
    resolution,
    note,
    by: resolvedBy,
    chosen: kind === "option" ? optionId : undefined,
    text: kind === "other" ? otherText : undefined,
    simulated,
    yes: (wanted) => counts && kind === "option" && optionId === wanted,
  };
}

/** The beginning of every simulated answer's note. */
export const isSimulated = (note: string | undefined): boolean => note?.startsWith("Simulated: ") ?? false;
