import { z } from "zod";
import { webAddressProblem } from "@/lib/net/check-app-link-url";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { characterProblem } from "@/lib/text/text-problems";
import { refuse, text } from "@/lib/text/text-schema";
import { epochMillis } from "@/lib/timestamp-schema";

/** The maximum number of thread entries of each kind: questions, additions and reports. */
export const maxEntriesOfKind = 20;
/**
 * The maximum total length of an approval's additions in characters, the same as for its
 * background.
 */
export const maxAddedCharacters = 20_000;

/** A clarification by the owner, or an addition by the app. */
export const ThreadEntry = z
  .object({
    text: z.string().describe("The text of the owner's question or the app's addition."),
    createdAt: epochMillis(),
  })
  .meta({ id: "Said" });
export type ThreadEntry = z.infer<typeof ThreadEntry>;

const Status = z.enum(["started", "done", "failed"]);
const inStatus = "`started` while the action is in progress; `done` or `failed` when it is finished.";

/** The outcome of an answer, reported by the app. */
export const Outcome = z
  .object({
    status: extensibleEnum(Status.options).describe(inStatus),
    text: z.string().optional().describe("A description of the outcome, in the app's words."),
    link: z.string().optional().meta({ format: "uri" }).describe("A link to the result."),
    reportedAt: epochMillis(),
  })
  .meta({ id: "Outcome" });
export type Outcome = z.infer<typeof Outcome>;

/** The text of a clarification. */
export const askedBack = text({ max: 2_000, lines: true });

export const NewAddition = z
  .strictObject({
    text: text({ max: 20_000, lines: true }).describe("Information for the owner, shown as sanitized Markdown."),
  })
  .meta({ id: "AdditionRequest" });
export type NewAddition = z.infer<typeof NewAddition>;

const link = z
  .string()
  .max(2_000, "Must be at most 2,000 characters")
  .check(
    refuse((value) => {
      const problem = /\s/.test(value) ? "Must be an https address" : characterProblem(value, false);
      return problem ?? webAddressProblem(value);
    }),
  )
  .meta({ format: "uri", pattern: "^https://" })
  .describe("The https address of the result. The owner sees only its host.");

export const NewOutcome = z
  .strictObject({
    status: Status.describe(inStatus),
    text: text({ max: 2_000, lines: true }).optional().describe("A description of the outcome, for the owner."),
    link: link.optional(),
  })
  .meta({ id: "OutcomeRequest" });
export type NewOutcome = z.infer<typeof NewOutcome>;

const about = z.string().describe("The ID of the approval.");

/** The request schemas with the approval's ID, as the operations accept them. */
export const AdditionTo = NewAddition.extend({ id: about });
export const OutcomeOf = NewOutcome.extend({ id: about });
