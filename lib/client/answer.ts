import { canonicalJson } from "./canonical-json";
import type { FieldValue } from "./field-types";
import type { Resolution } from "./types";

/**
 * The recorded answer to a question: the owner's, the app's own, or the default. `Values` is the
 * type of its values.
 */
export type Answer<Values = Record<string, FieldValue>> = {
  /** The approval's ID. */
  id: string;
  resolution: Resolution;
  /** The ID of the chosen option. Absent for an answer in free text. */
  chosen: string | undefined;
  /** The answer in free text, if no option was chosen. */
  text: string | undefined;
  note: string | undefined;
  /** The values of the question's `fields` by name, if the chosen option takes fields. */
  values: Values | undefined;
  /**
   * `owner`: the owner answered while signed in, or from an email link or an alert. `api`: the app
   * itself answered, or the default applied after the deadline.
   */
  by: "owner" | "api";
  /**
   * Whether a simulated owner answered ("countersign simulate"). Simulated answers are for testing
   * agents.
   */
  simulated: boolean;
  /**
   * Returns whether the owner, and no one else, chose this option. Check this before you act.
   * Returns false for a simulated answer, unless the client was created with `allowSimulated`.
   */
  yes(optionId: string): boolean;
};

/**
 * An app's answer to its own question: an option or other text. `values` has the values of the
 * question's fields, which an option with `fields: true` requires.
 */
export type OwnAnswer = { note?: string } & (
  | { optionId: string; otherText?: never; values?: Readonly<Record<string, FieldValue>> }
  | { otherText: string; optionId?: never; values?: never }
);

/** The outcome of the action that the answer concerned. `link` must be an https URL. */
export type CameOf = { status: "started" | "done" | "failed"; text?: string; link?: string };

/**
 * Converts a resolution to an answer.
 * @param allowSimulated whether `yes` accepts a simulated answer
 */
export function asAnswer(id: string, resolution: Resolution, allowSimulated = false): Answer {
  const { kind, optionId, otherText, note, values, resolvedBy } = resolution;
  const simulated = isSimulated(note);
  const counts = resolvedBy === "owner" && (allowSimulated || !simulated);
  return {
    id,
    resolution,
    note,
    values: values as Answer["values"],
    by: resolvedBy,
    chosen: kind === "option" ? optionId : undefined,
    text: kind === "other" ? otherText : undefined,
    simulated,
    yes: (wanted) => counts && kind === "option" && optionId === wanted,
  };
}

/** Returns whether an answer's note has the prefix of simulated answers. */
export const isSimulated = (note: string | undefined): boolean => note?.startsWith("Simulated: ") ?? false;

/**
 * Returns whether the owner chose this option, with exactly these values.
 * @param values all values of the intended action by field name; any values count without `values`
 */
export const choseOption = (
  { resolvedBy, kind, optionId, values: chosen }: Resolution,
  wanted: string,
  values?: Readonly<Record<string, unknown>>,
): boolean =>
  resolvedBy === "owner" &&
  kind === "option" &&
  optionId === wanted &&
  (values === undefined || canonicalJson(chosen ?? {}) === canonicalJson(values));
