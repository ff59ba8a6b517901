import { z } from "zod";
import { webAddressProblem } from "@/lib/net/web-address";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { characterProblem, refuse, text } from "@/lib/text/text";
import { epochMillis } from "@/lib/timestamp";

/** Most questions, additions and reports that one approval has, of each. */
export const maxEntriesOfKind = 20;
/** Characters of all additions to one approval together: as many as its background may have. */
export const maxAddedCharacters = 20_000;

/** Something that the owner asked back, or that the app added. */
export const ThreadEntry = z
  .object({ text: z.string().describe("What was said."), createdAt: epochMillis() })
  .meta({ id: "Said" });
export type ThreadEntry = z.infer<typeof ThreadEntry>;

const Status = z.enum(["started", "done", "failed"]);
const inStatus = "`started` before it is over; `done` or `failed` once it is.";

/** What came of an answer, as the app reports it. */
export const Outcome = z
  .object({
    status: extensibleEnum(Status.options).describe(inStatus),
    text: z.string().optional().describe("What happened, in the app's words."),
    link: z.string().optional().meta({ format: "uri" }).describe("Where it can be looked at."),
    reportedAt: epochMillis(),
  })
  .meta({ id: "Outcome" });
export type Outcome = z.infer<typeof Outcome>;

/** What the owner asks back. */
export const askedBack = text({ max: 2_000, lines: true });

export const NewAddition = z
  .strictObject({
    text: text({ max: 20_000, lines: true }).describe("What the owner should also know; shown as safe Markdown."),
  })
  .meta({ id: "AdditionRequest" });
export type NewAddition = z.infer<typeof NewAddition>;

const link = z
  .string()
  .max(2_000, "Must be at most 2000 characters")
  .check(
    refuse((value) => {
      const problem = /\s/.test(value) ? "Must be an https address" : characterProblem(value, false);
      return problem ?? webAddressProblem(value);
    }),
  )
  .meta({ format: "uri", pattern: "^https://" })
  .describe("Where it can be looked at: an https address. The owner sees its host.");

export const NewOutcome = z
  .strictObject({
    status: Status.describe(inStatus),
    text: text({ max: 2_000, lines: true }).optional().describe("What happened, in words for the owner."),
    link: link.optional(),
  })
  .meta({ id: "OutcomeRequest" });
export type NewOutcome = z.infer<typeof NewOutcome>;

const about = z.string().describe("Identifier of the approval.");

/** The same with the approval that they are about, as the operations take them. */
export const AdditionTo = NewAddition.extend({ id: about });
export const OutcomeOf = NewOutcome.extend({ id: about });
