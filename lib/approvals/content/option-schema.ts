import { z } from "zod";
import { extensibleEnum } from "@/lib/text/extensible-enum";
import { text } from "@/lib/text/text-schema";
import { hasMixedScripts } from "./mixed-scripts";

const inOption = {
  id: "The ID of the option, which the resolution returns as `optionId`.",
  label: "The label that the owner reads.",
  note: "A detail below the label.",
  style:
    "`danger` marks the option with a warning. If the first option has `danger`, the owner sees all `danger` options after the others.",
};
const Style = z.enum(["default", "danger"]);
/** An option's ID in a request. */
export const optionId = text({ max: 100 });

/** An option in a request. */
export const NewOption = z
  .strictObject({
    id: optionId.describe(inOption.id),
    label: text({ max: 200 })
      .refine((label) => !hasMixedScripts(label), "Must not mix alphabets in a word")
      .describe(inOption.label),
    note: text({ max: 1_000, min: 0, lines: true }).optional().describe(inOption.note),
    style: Style.optional().describe(inOption.style),
  })
  .meta({ id: "ApprovalOptionRequest" });

/** Responses may gain fields, so their schemas are separate from those of requests. */
export const ApprovalOption = z
  .object({
    id: z.string().describe(inOption.id),
    label: z.string().describe(inOption.label),
    note: z.string().optional().describe(inOption.note),
    style: extensibleEnum(Style.options).optional().describe(inOption.style),
  })
  .meta({ id: "ApprovalOption" });
export type ApprovalOption = z.infer<typeof ApprovalOption>;
