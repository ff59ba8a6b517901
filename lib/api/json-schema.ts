import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { knownWords } from "@/lib/text/extensible-enum";

export type Json = Record<string, unknown>;
type Schema = { properties?: Record<string, Json>; required?: string[]; $ref?: string } & Json;

/**
 * Returns a zod schema as JSON Schema, and moves every named schema to the shared components. Only
 * request schemas forbid unknown fields, because responses may gain fields without breaking
 * existing clients.
 */
export function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, unknown>): Schema {
  const how = { target: "draft-2020-12", unrepresentable: "any" } as const;
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, ...how, override: io === "output" ? opened : none }) as Json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) schemas[name] = relink(definition);
  const { id, ...whole } = relink(rest) as Schema & { id?: string };
  if (!id) return whole;
  schemas[id] = whole;
  return { $ref: `#/components/schemas/${id}` };
}

/**
 * Marks an object as open explicitly, because Go's generator treats an unmarked object as closed.
 * Turns extensible enums into plain strings.
 */
const opened = ({ jsonSchema }: { jsonSchema: Json }) => {
  if (jsonSchema.additionalProperties === false) jsonSchema.additionalProperties = true;
  if (knownWords in jsonSchema) delete jsonSchema.enum;
};
const none = () => {};

/** Resolves a schema's reference, if it has one. */
export const resolve = (schema: Schema, schemas: Record<string, unknown>): Schema =>
  schema.$ref ? (schemas[schema.$ref.split("/").at(-1) as string] as Schema) : schema;

const relink = (value: unknown): unknown => {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (key, inner) => (meaningless(key, inner) ? undefined : inner));
};

/**
 * Returns whether a part of zod's output has no meaning: a definition's name, or a limit of
 * JavaScript's safe integers.
 */
export const meaningless = (key: string, value: unknown): boolean =>
  (key === "id" && typeof value === "string") ||
  ((key === "minimum" || key === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER);

/**
 * The schema of the argument `fields`, for models. The API describes a question's fields as any
 * object, and refers to the documentation. Models can't read the documentation, so they read an
 * example instead. The operation's own schema checks the arguments.
 */
const fieldsForModels = {
  type: "object",
  description:
    'Values that the owner fills in, as a flat JSON Schema. An option needs `fields: true`. Example: {"type":"object","properties":{"sum":{"type":"object","format":"money","currency":"EUR","default":{"amount":"86.40","currency":"EUR"}},"day":{"type":"string","format":"date"}}}',
  additionalProperties: true,
};

/** Replaces the schema of a question's fields in a tool's input with the one for models. */
export const withShortFields = (schema: McpTool["inputSchema"]): McpTool["inputSchema"] =>
  schema.properties?.fields ? { ...schema, properties: { ...schema.properties, fields: fieldsForModels } } : schema;

/**
 * Omits the signature from the schema of a resolution in a tool's output. Only programs verify
 * signatures.
 */
export function withShortResolution(schema: McpTool["inputSchema"]): McpTool["inputSchema"] {
  const { Resolution, ...others } = (schema.$defs ?? {}) as Record<string, Schema>;
  if (!Resolution) return schema;
  const { signature: _, ...properties } = Resolution.properties ?? {};
  return { ...schema, $defs: { ...others, Resolution: { ...Resolution, properties } } };
}
