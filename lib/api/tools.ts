import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Operation } from "@/lib/operation";
import { operations } from "./registry";

/** An operation as MCP clients see it. */
export type Tool = {
  op: Operation;
  name: string;
  title: string;
  description: string;
  /** What it takes beside the operation's own input. */
  own: z.ZodObject;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
};
type JsonObject = McpTool["inputSchema"];

const key = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/, "Must be printable ASCII")
  .optional()
  .describe(
    "Makes a repeated call safe: with the same key and arguments it is done once and answered alike, for 24 hours.",
  );

/** Most seconds that one call waits, and how many where nothing is said: less than the minute after which clients give up. */
export const longestWait = 300;
export const usualWait = 45;
const waitSeconds = z
  .int()
  .min(0)
  .max(longestWait)
  .optional()
  .describe(
    `Seconds to wait for the answer: 0 to ${longestWait}, ${usualWait} unless told. More than 50 only for clients that ask for progress.`,
  );

/** What asks and waits also says in words what to do next, for clients that show their model nothing else. */
const next = z.string().describe("What to do next, in words.");

type Dress = {
  name: string;
  title: string;
  description: string;
  own?: z.ZodRawShape;
  /** Of the operation's own input what the tool has no use for. */
  hides?: readonly string[];
  /** What it gives beside, and in place of all but some of, the operation's own output. */
  gives?: z.ZodRawShape;
  echoes?: false;
};

/** The operations that agents know under another name, by id. Any other is offered as it is, under its id. */
const dressed: Record<string, Dress> = {
  submitApproval: {
    name: "ask_owner",
    title: "Ask the owner",
    description:
      "Ask the person you act for to decide, and wait for their answer. Do it before anything that costs money, publishes, deletes, or cannot be taken back; then do exactly what they chose. `options` are the choices they see, each with an `id` for you and a `label` for them. When they have not answered in time, call check_approval with the id you are given. Asking the same again while it waits asks nothing new: it waits on.",
    own: { waitSeconds },
    gives: { next },
    echoes: false,
  },
  getApproval: {
    name: "check_approval",
    title: "Check an approval",
    description:
      "Wait for the owner's answer to something you asked before, or read it again. Give the id that ask_owner told.",
    own: { waitSeconds },
    hides: ["wait"],
    gives: { id: z.string(), next },
  },
  pushNotification: {
    name: "notify_owner",
    title: "Notify the owner",
    description:
      "Tell the person you act for something that needs no answer, like what became of a thing they approved.",
  },
  addToApproval: {
    name: "add_context",
    title: "Add context to an approval",
    description:
      "Tell the owner more about something that waits for their answer, for one thing when they asked back. They see it beneath the question.",
  },
};

/** What the model sent itself, and need not read again. */
const sent = ["_id", "clientId", "question", "options", "backgroundContext", "recommendation"];

let made: readonly Tool[] | undefined;

/** Every operation as a tool, in the registry's order; described when somebody first asks. */
export const tools = (): readonly Tool[] => (made ??= operations.map(asTool));

function asTool(op: Operation): Tool {
  const { name, title, description, own = {}, hides = [], gives = {}, echoes } = dressed[op.id] ?? plain(op);
  const extra = z.strictObject({ ...own, ...(op.idempotent && { key }) });
  const output = objectSchema(op.output);
  return {
    ...{ op, name, title, description, own: extra },
    inputSchema: joined(without(objectSchema(op.input), hides), objectSchema(extra)),
    outputSchema: joined(without(output, echoes === false ? sent : []), objectSchema(z.object(gives))),
    annotations: { readOnlyHint: op.method === "GET", destructiveHint: false, openWorldHint: false },
  };
}

/** `listApprovals` → `list_approvals`. */
const plain = (op: Operation): Dress => ({
  name: op.id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  title: op.summary,
  description: op.description ?? op.summary,
});

/**
 * The JSON Schema of an object, as one that stands by itself: MCP wants no reference in its place. Outputs are described as
 * loosely as inputs would be, so that a field a newer service adds breaks no client; and `id` of a definition means nothing
 * to anybody but confuses validators.
 */
function objectSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, $ref, $defs = {}, ...whole } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const named = $ref && $defs[$ref.slice("#/$defs/".length)];
  const all = { ...whole, ...(named as object), ...(Object.keys($defs).length > 0 && { $defs }), type: "object" };
  return JSON.parse(JSON.stringify(all), (name, value) =>
    name === "id" && typeof value === "string" ? undefined : value,
  ) as JsonObject;
}

const without = (schema: JsonObject, names: readonly string[]): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
  ...(schema.required && { required: schema.required.filter((name) => !names.includes(name)) }),
});

const joined = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});
