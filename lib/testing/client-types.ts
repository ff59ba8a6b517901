import { openapi } from "@/lib/api/openapi";

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
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
 * The types of the TypeScript client, read from the OpenAPI document: each named schema, and what each operation takes and
 * gives. A test keeps `lib/client/types.ts` equal to this text.
 */
export function clientTypes(): string {
  const { components, paths } = openapi();
  const schemas = Object.entries(components.schemas as Record<string, Schema>).filter(([name]) => name !== "Error");
  const named = schemas.map(([name, schema]) => `${words(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`);
  const described = Object.values(paths).flatMap((methods) => Object.values(methods as Record<string, Described>));
  const operations = described
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1))
    .map((op) => `  ${op.operationId}: {\n    takes: ${taken(op)};\n    gives: ${given(op)};\n  };\n`);
  const head = "// Written by `npm run derive` from the OpenAPI document.\n";
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
  const { $ref, const: only, enum: values, anyOf, oneOf, type, items } = schema;
  if ($ref) return $ref.split("/").at(-1) as string;
  if (only !== undefined) return JSON.stringify(only);
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
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${words(schema, inner)}${inner}${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)}${required.includes(name) ? "" : " | undefined"};\n`,
  );
  return `{\n${fields.join("")}${indent}}`;
}

const words = ({ description }: Schema, indent: string) =>
  description ? `${indent}/** ${description.replaceAll("*/", "* /")} */\n` : "";
