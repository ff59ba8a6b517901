import type { Resolution } from "./types";

/** What became of a question. */
export type Answer = {
  /** The approval's id. */
  id: string;
  resolution: Resolution;
  /** The id of the chosen option; absent where the answer is in the owner's own words. */
  chosen: string | undefined;
  /** The owner's own words, where no option was chosen. */
  text: string | undefined;
  note: string | undefined;
  /** `owner`: the owner answered, signed in or (at low risk) on an alert. `api`: the app itself, or the default of a deadline that passed. */
  by: "owner" | "api";
  /** Whether a simulated owner answered ("countersign simulate"), in tests of agents. */
  simulated: boolean;
  /** Whether the owner, and nobody else, chose this option. The one question to ask before doing it. */
  yes(optionId: string): boolean;
};

export function asAnswer(id: string, resolution: Resolution): Answer {
  const { kind, optionId, otherText, note, resolvedBy } = resolution;
  return {
    id,
    resolution,
    note,
    by: resolvedBy,
    chosen: kind === "option" ? optionId : undefined,
    text: kind === "other" ? otherText : undefined,
    simulated: isSimulated(note),
    yes: (wanted) => resolvedBy === "owner" && kind === "option" && optionId === wanted,
  };
}

/** How the note of every simulated answer begins. */
export const isSimulated = (note: string | undefined): boolean => note?.startsWith("Simulated: ") ?? false;
