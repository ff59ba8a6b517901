import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Operation, ToolDescription } from "@/lib/api-operation";
import { badRequest } from "@/lib/errors";
import { type Scope, usualScopes } from "@/lib/scopes";
import { knownWords } from "@/lib/text/extensible-enum";
import { patterns } from "@/lib/text/text-schema";
import { type Json, meaningless, withShortFields, withShortResolution } from "./json-schema";
import { operations } from "./operation-registry";

/** An operation as MCP clients see it. */
export type Tool = {
  op: Operation;
  name: string;
  title: string;
  description: string;
  /** The tool's arguments in addition to the operation's own input. */
  own: z.ZodObject;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>;
  /** The scopes that some arguments require in addition, by argument name. */
  needs: Partial<Record<string, Scope>>;
  /** What a call can wait for. Undefined if it can't wait. */
  waitsFor: ToolDescription["waitsFor"];
};
type JsonObject = McpTool["inputSchema"];

const key = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/, "Must be 1 to 255 printable ASCII characters")
  .optional()
  .describe(
    "Makes retries safe. For 24 hours, calls with the same key and arguments run once and return the same result.",
  );

/**
 * The maximum and the default wait of a call, in seconds. The default is shorter than the minute
 * after which clients time out.
 */
export const maxWait = 300;
export const defaultWait = 45;
/**
 * The maximum wait without progress reports, in seconds. It is shorter than the minute after which
 * clients time out.
 */
export const maxWaitWithoutProgress = 50;
const atMost = (max: number) => z.int().min(0).max(max).optional();
const waitSeconds = {
  answer: atMost(maxWait).describe(
    `Seconds to wait for the answer: 0 to ${maxWait}, ${defaultWait} by default. Values above 50 require progress notifications.`,
  ),
  events: atMost(maxWaitWithoutProgress).describe(
    `Seconds to wait if no events are available: 0 to ${maxWaitWithoutProgress}, 0 by default.`,
  ),
};

/**
 * The output field for the agent's next step. Tools that ask or wait also return it as text,
 * because some clients show their models only text.
 */
const next = z.string().describe("The next step for the agent, as text.");
const id = z.string().describe("The ID of the approval.");
const match = z.string().optional().describe("The number to show to the person you act for.");

/**
 * The approval fields that the schema describes to a model. The other fields are returned too, but
 * the model sent them itself or rarely needs them.
 */
const describedFields = ["question", "status", "resolution", "deadlinePassed", "questions"];

/**
 * The operations that agents use most. A model reads all listed tools with every request, so most
 * other tools are listed only on request.
 */
const usual = new Set("submitApproval getApproval addToApproval reportOutcome pushNotification".split(" "));

let made: readonly Tool[] | undefined;

/** Returns every operation as a tool, in the registry's order. Built on first use. */
export const tools = (): readonly Tool[] => (made ??= operations.map(asTool));

function asTool(op: Operation): Tool {
  const { name, title, description, destructive = false, waitsFor, needs, aliases } = op.tool ?? plain(op);
  const asks = waitsFor === "answer" && op.waits !== undefined;
  const own = z.strictObject({
    ...(waitsFor && { waitSeconds: waitSeconds[waitsFor] }),
    ...(op.idempotent && { key }),
  });
  const gives = z.object(waitsFor === "answer" ? { ...(asks ? { match } : { id }), next } : {});
  const output = objectSchema(op.output, "input");
  const reads = op.method === "GET";
  const hints = {
    readOnlyHint: reads,
    destructiveHint: destructive,
    idempotentHint: reads || destructive,
    openWorldHint: false,
  };
  return {
    op,
    name,
    title,
    description,
    own,
    needs: { ...(asks && { waitSeconds: op.waits?.scope }), ...needs },
    waitsFor,
    // A query parameter may arrive as text, but its schema describes the parsed value.
    inputSchema: joined(
      withShortFields(
        without(
          objectSchema(z.strictObject({ ...op.input.shape, ...aliases?.fields }), "output"),
          waitsFor ? ["wait"] : [],
        ),
      ),
      objectSchema(own, "input"),
    ),
    outputSchema: joined(
      waitsFor === "answer"
        ? only(withShortResolution(output), asks ? describedFields.slice(1) : describedFields)
        : output,
      objectSchema(gives, "input"),
    ),
    annotations: hints,
  };
}

/**
 * Returns the names of the tools that a client requests in its URL in addition to the default
 * tools.
 * @param requested `all` or a list of names
 * @throws {AppError} 400 if a tool is unknown
 */
export function requestedTools(requested: string | null): ReadonlySet<string> {
  const names = tools().map(({ name }) => name);
  const wanted = requested === "all" ? names : (requested ?? "").split(",").filter(Boolean);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw badRequest(
      `Unknown tool: ${unknown.slice(0, 100)}. Send tools=all, or any of these names: ${names.join(", ")}.`,
      "tools",
    );
  return new Set(wanted);
}

/**
 * Whether a tool is listed. A tool is listed if agents often use it, if the client's URL requests
 * it, or if its scope is not among the usual scopes.
 */
const listed = ({ op, name }: Tool, wanted: ReadonlySet<string>): boolean =>
  usual.has(op.id) || (op.scope !== null && !usualScopes.includes(op.scope)) || wanted.has(name);

/**
 * Returns the listed tools that these scopes allow, without the arguments that need another scope.
 */
export const toolsFor = (scopes: readonly string[], wanted: ReadonlySet<string>): readonly McpTool[] =>
  tools()
    .filter((tool) => (tool.op.scope === null || scopes.includes(tool.op.scope)) && listed(tool, wanted))
    .map(({ op: _, own: __, waitsFor: ___, needs, inputSchema, ...tool }) => {
      const useless = Object.entries(needs).flatMap(([name, scope]) =>
        scope && !scopes.includes(scope) ? [name] : [],
      );
      return { ...tool, inputSchema: without(inputSchema, useless) };
    });

/**
 * Returns the default description of an operation's tool. The name is converted from
 * `listApprovals` to `list_approvals`, for example.
 */
const plain = (op: Operation): ToolDescription => ({
  name: op.id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  title: op.summary,
  description: op.description ?? op.summary,
});

/**
 * Returns the JSON Schema of an object, without a top-level reference, which MCP doesn't allow.
 * @param io whether the schema describes input or output; with `input`, an output schema allows
 * fields that a newer service adds
 */
function objectSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, $ref, $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const named = $ref && $defs[$ref.slice(definitions.length)];
  const all = { ...whole, ...(named as object), ...(Object.keys($defs).length > 0 && { $defs }), type: "object" };
  const schemaOf = JSON.parse(JSON.stringify(all), (name, value) => {
    if (meaningless(name, value) || name === knownWords || undelivered.has(value)) return undefined;
    // Some clients' validators warn of unknown formats.
    if (name === "format" && typeof value === "string") return undefined;
    if (Array.isArray(value?.anyOf)) return eitherType(value, $defs as Record<string, JsonObject>);
    // Replaces the empty schema, because strict clients warn about it.
    return name === "additionalProperties" && JSON.stringify(value) === "{}" ? true : value;
  }) as JsonObject;
  return pruned(schemaOf);
}

/**
 * Merges alternatives of different types into one schema, because some clients keep only the first
 * alternative of an `anyOf`. Merging is safe because each keyword applies to only one type. Leaves
 * other alternatives unchanged.
 */
function eitherType({ anyOf, ...rest }: JsonObject & { anyOf: Json[] }, $defs: Record<string, Json>): Json {
  const each = anyOf.map(
    (one) => (typeof one.$ref === "string" ? $defs[one.$ref.slice(definitions.length)] : one) ?? one,
  );
  const types = each.map(({ type }) => type);
  const apart = types.every((type) => typeof type === "string") && new Set(types).size === types.length;
  return apart ? { ...rest, ...Object.assign({}, ...each), type: types } : { ...rest, anyOf };
}

/** The patterns that schemas for models omit, because models rarely violate them. */
const undelivered: ReadonlySet<unknown> = new Set(Object.values(patterns));

const definitions = "#/$defs/";

/** Returns a schema with only the definitions that it refers to. */
function pruned({ $defs, ...schema }: JsonObject): JsonObject {
  const all = ($defs ?? {}) as Record<string, unknown>;
  const used = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(all[name]);
    }
  };
  look(schema);
  const left = Object.entries(all).filter(([name]) => used.has(name));
  return left.length > 0 ? { ...schema, $defs: Object.fromEntries(left) } : schema;
}

const without = (schema: JsonObject, names: readonly string[]): JsonObject =>
  pruned({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))),
    ...(schema.required && { required: schema.required.filter((name) => !names.includes(name)) }),
  });

const only = (schema: JsonObject, names: readonly string[]): JsonObject =>
  without(
    schema,
    Object.keys(schema.properties ?? {}).filter((name) => !names.includes(name)),
  );

const joined = (a: JsonObject, b: JsonObject): JsonObject => ({
  ...a,
  properties: { ...a.properties, ...b.properties },
  required: [...(a.required ?? []), ...(b.required ?? [])],
});
