import type { Json } from "./json-schema";
import { openapi } from "./openapi";

/*
 * Some generators, gateways and importers read only OpenAPI 3.0. This module translates or removes
 * the 3.1 keywords that 3.0 lacks. An unknown keyword stops the build, so none remains in the
 * output.
 */

/**
 * Keywords that only narrow a schema, so that the description stays correct without them. With
 * `discriminator`, swagger-codegen would generate Java that does not compile.
 */
const leftOut = new Set(["propertyNames", "dependentSchemas", "discriminator"]);

/** Keywords of JSON Schema 2020-12 that 3.0 lacks or defines differently. */
const unknown = new Set(
  (
    "$schema $id $anchor $dynamicRef $dynamicAnchor $defs $comment if then else prefixItems contains minContains maxContains " +
    "patternProperties unevaluatedProperties unevaluatedItems dependentRequired contentEncoding contentMediaType contentSchema"
  ).split(" "),
);

/** Keywords whose values are data, not schemas. */
const data = new Set(["example", "examples", "default", "enum", "required"]);

let text: string | undefined;

/**
 * Returns the 3.0 document as JSON text: the content of `public/openapi-3.0.json` and
 * `/api/openapi-3.0.json`.
 */
export const openapi30Text = () => (text ??= `${JSON.stringify(openapi30(), null, 2)}\n`);

/**
 * Derives the OpenAPI 3.0 description from the 3.1 description.
 * @throws {Error} naming a keyword that 3.0 cannot express
 */
export function openapi30(): Json {
  const { info, ...document } = openapi();
  const { summary: _, ...about } = info;
  const older = inOlderWords(document) as typeof document;
  const { schemas, ...others } = older.components;
  // Omits components that only removed keywords referred to.
  const isUsed = (name: string) => JSON.stringify(older).includes(`"#/components/schemas/${name}"`);
  const used = Object.fromEntries(Object.entries(schemas).filter(([name]) => isUsed(name)));
  return { ...older, openapi: "3.0.3", info: about, components: { schemas: used, ...others } };
}

/**
 * Converts a part of the document to 3.0.
 * @param names whether its keys are names, like property names, and not keywords
 */
export function inOlderWords(part: unknown, names = false): unknown {
  if (Array.isArray(part)) return part.map((each) => inOlderWords(each));
  if (typeof part !== "object" || part === null) return part;
  // In 3.0, readers ignore all properties next to a reference.
  if (!names && "$ref" in part) return { $ref: part.$ref };
  return Object.assign({}, ...Object.entries(part).map(([word, value]) => translated(word, value, names)));
}

/** Keywords whose value is an object with names as keys, not keywords. */
const named = new Set("properties schemas paths headers securitySchemes responses content links".split(" "));

function translated(word: string, value: unknown, isName: boolean): Json {
  if (isName) return { [word]: inOlderWords(value) };
  // `additionalProperties: true` is the default. Stating it makes swagger-codegen generate maps of
  // objects whose fields stay empty.
  if (leftOut.has(word) || (word === "additionalProperties" && value === true)) return {};
  if (unknown.has(word)) throw new Error(`OpenAPI 3.0 does not support ${word}`);
  if (word === "type" && (value === "null" || Array.isArray(value))) return typed([value].flat());
  if (word === "const") return { enum: [value] };
  if (word === "examples" && Array.isArray(value)) return { example: value[0] };
  if (/^exclusive(Minimum|Maximum)$/.test(word) && typeof value === "number")
    return { [word]: true, [word.slice("exclusive".length).toLowerCase()]: value };
  if (data.has(word)) return { [word]: value };
  return { [word]: inOlderWords(value, named.has(word)) };
}

/** Converts a list of types. Several types become alternatives, and `null` becomes `nullable`. */
function typed(types: readonly unknown[]): Json {
  const others = types.filter((type) => type !== "null");
  if (others.length === 0) throw new Error("OpenAPI 3.0 does not support the type null");
  return {
    ...(others.length === 1 ? { type: others[0] } : { anyOf: others.map((type) => ({ type })) }),
    ...(others.length < types.length && { nullable: true }),
  };
}
