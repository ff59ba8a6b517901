import { z } from "zod";
import { nearest } from "./nearest-word";

/**
 * Names that callers send by mistake, each with the fields that the caller may mean. The names are
 * in lowercase without underscores. The hint suggests the first of these fields that the schema
 * has.
 */
const synonyms = new Map<string, readonly string[]>(
  Object.entries({
    ...each("choice selected selectedoption chosen", ["optionId", "options"]),
    ...each("choices answers buttons actions", ["options"]),
    ...each("option", ["options", "optionId"]),
    ...each("context background details description explanation body", ["backgroundContext", "body", "note", "text"]),
    ...each("metadata meta payload extra attributes", ["data", "backgroundContext"]),
    ...each("message text content", ["question", "body", "text", "otherText", "label"]),
    ...each("title subject prompt name", ["title", "question", "label"]),
    ...each("deadline expiry expires expiration", ["expiresAt"]),
    ...each("default defaultoption", ["defaultOptionId"]),
    ...each("suggestion suggested recommended", ["recommendation"]),
    ...each("priority severity importance urgency urgent level", ["risk", "data.inbox.priority"]),
    ...each("url link href", ["link", "data.inbox.url"]),
    ...each("category kind topic tag", ["type"]),
    ...each("value key slug", ["id"]),
    ...each("comment remark reason", ["note", "backgroundContext", "text"]),
    ...each("other freetext", ["otherText"]),
    ...each("state result", ["status"]),
    ...each("page offset startingafter after since from lasteventid nextcursor pagetoken cursor", ["cursor", "after"]),
    ...each("perpage pagesize size count first max", ["limit"]),
    ...each("timeout timeoutseconds waitseconds wait block", ["waitSeconds", "wait"]),
    ...each("enumnames enumtitles", ["oneOf", "anyOf"]),
    ...each("idempotencykey requestid", ["key"]),
  }),
);

function each(names: string, fields: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, fields]));
}

const fold = (name: string) => name.replace(/[_\s-]/g, "").toLowerCase();

/** Options for hints about fields that a schema does not have. */
export type FieldHints = {
  /** Complete hints for some names, which replace the generated ones. */
  hints?: Record<string, string>;
  /** Fields that may be sent in addition to those of the schema. */
  also?: readonly string[];
  /** Fields of the schema that are not sent with the others, so they are never suggested. */
  without?: readonly string[];
};

/**
 * Returns a hint about an unknown field.
 * @param schema the schema of the whole input
 * @param path the path of the object that contains the field
 * @param name the unknown field's name
 */
export function fieldHint(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  name: string,
  { hints = {}, also = [], without = [] }: FieldHints = {},
): string {
  const own = path.length === 0 ? [...also] : [];
  const fields = [...own, ...fieldsAt(schema, path)].filter((field) => path.length > 0 || !without.includes(field));
  const folded = fold(name);
  const hint = Object.entries(hints).find(([each]) => fold(each) === folded)?.[1];
  if (hint && path.length === 0) return hint;
  const meant =
    fields.find((field) => fold(field) === folded) ??
    synonyms.get(folded)?.find((field) => fields.includes(field.split(".")[0] as string)) ??
    nearest(name, fields);
  if (meant) return `Did you mean ${meant}?`;
  return fields.length > 0 ? `Allowed: ${fields.join(", ")}.` : "No fields are allowed here.";
}

/** Returns the fields that the object at a path inside a schema may have. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return fieldsAt(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => fieldsAt(one as z.ZodType, path));
  const [key, ...rest] = path;
  if (schema instanceof z.ZodArray && key !== undefined) return fieldsAt(schema.element as z.ZodType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (key === undefined) return Object.keys(schema.shape);
  const field = Object.hasOwn(schema.shape, key) ? (schema.shape[String(key)] as z.ZodType) : undefined;
  return field ? fieldsAt(field, rest) : [];
}
