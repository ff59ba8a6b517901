import { openapi } from "@/lib/api/openapi";
import { knownWords } from "@/lib/text/extensible-enum";

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  [knownWords]?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  description?: string;
};
type Content = { content?: Record<string, { schema: Schema }> };
type Described = {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

/**
 * Generates the TypeScript client's types from the OpenAPI document: each named schema, and each
 * operation's input and output. A test compares `lib/client/types.ts` with this text.
 */
export function clientTypes(): string {
  const { components, paths } = openapi();
  const schemas = Object.entries(components.schemas as Record<string, Schema>).filter(([name]) => name !== "Error");
  const named = schemas.map(([name, schema], at) => {
    const type = likeAnother(schema, schemas.slice(0, at)) ?? typeOf(schema, "");
    // The OpenAPI document describes fields as any object. The client has a type for them.
    const typed =
      name === "ApprovalRequest" ? type.replace("fields?: Record<string, unknown>", "fields?: Fields") : type;
    return `${words(schema, "")}export type ${name} = ${typed};\n`;
  });
  const described = Object.values(paths).flatMap((methods) => Object.values(methods as Record<string, Described>));
  const operations = described
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1))
    .map((op) => `  ${op.operationId}: {\n    takes: ${taken(op)};\n    gives: ${given(op)};\n  };\n`);
  const head =
    '// Written by `npm run derive` from the OpenAPI document.\nimport type { Fields } from "./field-types";\n';
  const all = `/** What each operation takes, in path, query and body together, and what it gives. */\nexport type Operations = {\n${operations.join("")}};\n`;
  return [head, ...named, all].join("\n");
}

function taken({ parameters = [], requestBody }: Described): string {
  const fields = parameters.filter((it) => it.in !== "header");
  const own: Schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: fields.filter((it) => it.required).map(({ name }) => name),
  } as Schema;
  const body = requestBody?.content?.["application/json"]?.schema;
  const parts = [...(fields.length > 0 || !body ? [own] : []), ...(body ? [body] : [])];
  return parts.map((part) => typeOf(part, "    ")).join(" & ");
}

function given({ responses }: Described): string {
  const [, success] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
  return typeOf(success?.content?.["application/json"]?.schema ?? {}, "    ");
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: only, enum: values, [knownWords]: known, anyOf, oneOf, type, items } = schema;
  if ($ref) return $ref.split("/").at(-1) as string;
  if (only !== undefined) return JSON.stringify(only);
  if (known) return `${typeOf({ enum: known }, indent)} | (string & {})`;
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const either = anyOf ?? oneOf;
  if (either) return [...new Set(either.map((one) => typeOf(one, indent)))].join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(" | ");
  if (type === "array") {
    const item = typeOf(items ?? {}, indent);
    return /[ &|]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (type === "object") return objectType(schema, indent);
  if (type === "integer") return "number";
  return type && ["string", "number", "boolean", "null"].includes(type) ? type : "unknown";
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const names = Object.keys(properties);
  const others =
    additionalProperties === false || additionalProperties === undefined ? undefined : additionalProperties;
  if (names.length === 0)
    return others ? `Record<string, ${others === true ? "unknown" : typeOf(others, indent)}>` : "Record<string, never>";
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, schema, required.includes(name), inner),
  );
  return `{\n${fields.join("")}${indent}}`;
}

const fieldOf = (name: string, schema: Schema, isThere: boolean, indent: string) =>
  `${words(schema, indent)}${indent}${name}${isThere ? "" : "?"}: ${typeOf(schema, indent)}${isThere ? "" : " | undefined"};\n`;

/**
 * Returns an object's type in terms of an earlier type that shares most of its fields. Undefined if
 * there is none.
 */
function likeAnother(schema: Schema, before: [string, Schema][]): string | undefined {
  const fields = (of: Schema, mayLack = false) =>
    Object.entries(of.properties ?? {}).map(([name, it]) => ({
      name,
      text: fieldOf(name, it, !mayLack && (of.required?.includes(name) ?? false), "  "),
    }));
  const wanted = fields(schema);
  for (const [base, other] of before) {
    for (const mayLack of [false, true]) {
      const had = fields(other, mayLack);
      const isSame = ({ text }: { text: string }) => had.some((it) => it.text === text);
      const own = wanted.filter((it) => !isSame(it));
      const without = had.filter(({ text }) => wanted.every((it) => it.text !== text));
      if (wanted.length < 4 || own.length + without.length > wanted.length / 4) continue;
      const rest = without.length > 0 ? `Omit<${base}, ${without.map(({ name }) => `"${name}"`).join(" | ")}>` : base;
      const type = mayLack ? `Partial<${rest}>` : rest;
      return own.length > 0 ? `${type} & {\n${own.map(({ text }) => text).join("")}}` : type;
    }
  }
  return undefined;
}

const words = ({ description }: Schema, indent: string) =>
  description ? `${indent}/** ${description.replaceAll("*/", "* /")} */\n` : "";
