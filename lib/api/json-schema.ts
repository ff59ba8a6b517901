import { z } from "zod";
import { knownWords } from "@/lib/text/extensible-enum";

export type Json = Record<string, unknown>;
type Schema = { properties?: Record<string, Json>; required?: string[]; $ref?: string } & Json;

/**
 * JSON Schema of a zod schema, with everything that has an id moved to the shared components. Only bodies are closed: a reply
 * may hold more one day, which must not break the clients of today.
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
 * An object that may hold more than is said, in so many words: Go's generator takes silence for a no. And words that may become
 * more, as any text.
 */
const opened = ({ jsonSchema }: { jsonSchema: Json }) => {
  if (jsonSchema.additionalProperties === false) jsonSchema.additionalProperties = true;
  if (knownWords in jsonSchema) delete jsonSchema.enum;
};
const none = () => {};

/** A schema by itself, where it is a reference. */
export const resolve = (schema: Schema, schemas: Record<string, unknown>): Schema =>
  schema.$ref ? (schemas[schema.$ref.split("/").at(-1) as string] as Schema) : schema;

const relink = (value: unknown): unknown => {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (key, inner) => (meaningless(key, inner) ? undefined : inner));
};

/** Of what zod writes: names of definitions, and bounds that only say that JavaScript can hold the number. */
export const meaningless = (key: string, value: unknown): boolean =>
  (key === "id" && typeof value === "string") ||
  ((key === "minimum" || key === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER);
