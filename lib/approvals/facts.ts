import { z } from "zod";
import { text } from "@/lib/text/text-schema";

/*
 * For most decisions, an owner needs a few facts, such as an amount, a recipient or a version.
 * Facts are part of the question, so the content hash covers them.
 */

const inFact = {
  label: "The name of the fact, like `Amount`.",
  value: "The value of the fact, like `86.40 €`.",
};

/** A fact as the app submits it. */
const NewFact = z
  .strictObject({
    label: text({ max: 80 }).describe(inFact.label),
    value: text({ max: 200 }).describe(inFact.value),
  })
  .meta({ id: "ApprovalFactRequest" });

/** The facts of a question as the app submits them. Labels may repeat. */
export const NewFacts = z.array(NewFact).max(6, "Must contain at most 6 facts");

export const Fact = z
  .object({
    label: z.string().describe(inFact.label),
    value: z.string().describe(inFact.value),
  })
  .meta({ id: "ApprovalFact" });
export type Fact = z.infer<typeof Fact>;

/** Returns the facts as lines of plain text. */
export const factLines = (facts: readonly Fact[] | null | undefined): string[] =>
  (facts ?? []).map(({ label, value }) => `${label}: ${value}`);
