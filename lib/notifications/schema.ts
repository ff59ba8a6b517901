import { z } from "zod";
import { characterProblem, slug, text } from "@/lib/text";

/** Most bytes and levels of a notification's `data`. */
export const dataBounds = { bytes: 16 * 1024, levels: 8 };

const Data = z
  .looseObject({})
  .check((context) => {
    const problem = dataProblem(context.value);
    if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
  })
  .describe("Free-form object, at most 16 KiB and 8 levels deep, returned unchanged. Integers must fit in 53 bits.");

export const Notification = z
  .object({
    _id: z.string(),
    _creationTime: z.int().describe("Epoch milliseconds."),
    title: z.string(),
    body: z.string(),
    type: z.string().describe("A free category label."),
    createdAt: z.int().describe("Epoch milliseconds."),
    data: z.looseObject({}).describe("The object the app attached."),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof Notification>;

export const NewNotification = z
  .strictObject({
    title: text({ max: 200 }),
    body: text({ max: 10_000, min: 0, lines: true }).optional().meta({ default: "" }),
    type: slug(64).optional().meta({ default: "general" }),
    data: Data.optional().meta({ default: {} }),
  })
  .meta({ id: "NewNotification" });
export type NewNotification = z.infer<typeof NewNotification>;

/** A notification as its owner sees it. Whether it was read is the owner's business: apps never learn it. */
export type FeedItem = {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  app: { appId: string; name: string };
  title: string;
  body: string;
  /** The app's own word for the kind of thing this is. */
  type: string;
  read: boolean;
};

const poisonedKeys = new Set(["__proto__", "constructor", "prototype"]);

function dataProblem(data: object): string | undefined {
  return (
    valueProblem(data, 1) ??
    (Buffer.byteLength(JSON.stringify(data)) > dataBounds.bytes ? "Must be at most 16 KiB" : undefined)
  );
}

/** The first thing wrong inside a JSON value. Stops at the depth bound, so it cannot overflow the stack. */
function valueProblem(value: unknown, level: number): string | undefined {
  if (typeof value === "string") return characterProblem(value, true);
  if (typeof value === "number") return numberProblem(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (level > dataBounds.levels) return `Must be at most ${dataBounds.levels} levels deep`;
  for (const [name, inner] of Object.entries(value)) {
    if (poisonedKeys.has(name)) return `Must not have a key named ${name}`;
    const problem = characterProblem(name, true) ?? valueProblem(inner, level + 1);
    if (problem) return problem;
  }
  return undefined;
}

function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return "Must not hold a number beyond what JSON readers agree on";
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return "Must not hold an integer beyond 53 bits: send it as text";
  return undefined;
}
