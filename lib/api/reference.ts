import { scopeNames, scopes, sensitiveScopes, usualScopes } from "@/lib/scopes";
import { knownWords } from "@/lib/text/extensible-enum";
import { openapi, reasons } from "./openapi";
import { operations } from "./operation-registry";

/** A field of a request or response. A nested field is named by its path, like `options[].id`. */
export type Field = {
  name: string;
  in: "path" | "query" | "header" | "body" | "reply";
  type: string;
  required: boolean;
  /** The field's limits, each as a short phrase. */
  bounds: string[];
  description?: string;
};
export type Endpoint = {
  id: string;
  method: string;
  path: string;
  /** The scope that the operation needs, or null if any live token is enough. */
  scope: string | null;
  summary: string;
  description?: string;
  takes: Field[];
  gives: Field[];
  success: number;
  failures: number[];
  /**
   * A command that calls the operation, with the token in `$COUNTERSIGN_TOKEN` and an ID in `$ID`.
   */
  curl: string;
};
/**
 * Returns the content of the reference page. Reads it from the served OpenAPI document, so that the
 * two never differ.
 * @param baseUrl the service's origin
 */
export function reference(baseUrl: string) {
  const { paths, components } = openapi();
  const schemas = components.schemas as Record<string, Schema>;
  const endpoints = Object.entries(paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) =>
      endpoint({ path, method: method.toUpperCase(), op, schemas, baseUrl }),
    ),
  );
  return {
    baseUrl,
    endpoints,
    scopes: scopeNames.map((scope) => ({
      scope,
      ...scopes[scope],
      usual: usualScopes.includes(scope),
      sensitive: sensitiveScopes.has(scope),
    })),
    errors: Object.entries(reasons).map(([status, means]) => ({
      status: Number(status),
      means,
      advice: advice[Number(status)] ?? "",
    })),
  };
}

/** What the client's developer should do about each error status. */
const advice: Record<number, string> = {
  400: "Correct each field that `details` lists. An unchanged request will fail again.",
  401: "Read `details`. If the token is unknown, expired or revoked, refresh the token or ask the owner for a new token.",
  403: "Read `details`. If the token lacks a scope, ask the owner to allow the scope.",
  404: "Check the ID. Requests for other apps' records also return 404.",
  409: "Get the approval, and act on its current state.",
  413: "Send a smaller request body.",
  410: "Events after your cursor have expired, or a restore from a backup removed events. Read events again without `after` and `Last-Event-ID`.",
  422: "Use a new Idempotency-Key, or resend the original request unchanged.",
  429: "Wait as many seconds as Retry-After says, then retry. If too many approvals are pending, wait for answers. If too many calls are waiting, read events instead.",
  503: "Wait as many seconds as Retry-After says, then resend the same request with the same Idempotency-Key.",
};

type Schema = {
  type?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  [knownWords]?: unknown[];
  oneOf?: Schema[];
  const?: unknown;
  default?: unknown;
  description?: string;
} & Partial<Record<"minLength" | "maxLength" | "minItems" | "maxItems" | "minimum" | "maximum", number>>;
type Content = { content?: { "application/json": { schema: Schema } } };
type Parameter = { name: string; in: Field["in"]; required: boolean; description?: string; schema: Schema };
type Described = {
  operationId: string;
  summary: string;
  description?: string;
  security: { oauth2?: string[] }[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

type DescribedEndpoint = {
  path: string;
  method: string;
  op: Described;
  schemas: Record<string, Schema>;
  baseUrl: string;
};

function endpoint({ path, method, op, schemas, baseUrl }: DescribedEndpoint): Endpoint {
  const statuses = Object.keys(op.responses).map(Number);
  const success = statuses.find((status) => status < 300) as number;
  const parameters = (op.parameters ?? []).map(
    ({ name, in: where, required, description, schema }): Field => ({
      name,
      in: where,
      type: typeOf(schema, schemas),
      required,
      bounds: bounds(schema),
      ...(description && { description }),
    }),
  );
  const fieldsOf = (content: Content | undefined, where: Field["in"]) => {
    const schema = content?.content?.["application/json"].schema;
    return schema ? fields(schema, where, schemas) : [];
  };
  return {
    id: op.operationId,
    method,
    path,
    scope: op.security.flatMap(({ oauth2 = [] }) => oauth2)[0] ?? null,
    summary: op.summary,
    ...(op.description && { description: op.description }),
    takes: [...parameters, ...fieldsOf(op.requestBody, "body")],
    gives: fieldsOf(op.responses[success], "reply"),
    success,
    failures: statuses.filter((status) => status >= 400),
    curl: curl(op.operationId, method, baseUrl + path),
  };
}

function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  const found = schema.$ref ? { ...schemas[schema.$ref.split("/").at(-1) as string], ...schema } : schema;
  return found.oneOf ? eitherOf(found.oneOf.map((one) => resolve(one, schemas))) : found;
}

/**
 * Merges an object's variants into one object with all of their fields. A field is required if
 * every variant requires it.
 */
function eitherOf(kinds: readonly Schema[]): Schema {
  const each = kinds.flatMap(({ properties = {} }) => Object.entries(properties));
  const properties: Record<string, Schema> = {};
  for (const [name, schema] of each) {
    const { [name]: before } = properties;
    const words = [...new Set([...(before?.enum ?? []), ...(schema.enum ?? [])])];
    const description = [...new Set([before?.description, schema.description])].filter(Boolean).join(" ");
    properties[name] = { ...schema, description, ...(words.length > 0 && { enum: words }) };
  }
  const required = Object.keys(properties).filter((name) => kinds.every((it) => it.required?.includes(name)));
  return { type: "object", properties, required };
}

/** Lists every field of an object, including those of nested objects. */
function fields(of: Schema, where: Field["in"], schemas: Record<string, Schema>, before = ""): Field[] {
  const { properties = {}, required = [] } = resolve(of, schemas);
  return Object.entries(properties).flatMap(([name, given]) => {
    const schema = resolve(given, schemas);
    const inner = schema.type === "array" ? resolve(schema.items ?? {}, schemas) : schema;
    const path = `${before}${name}`;
    const field: Field = {
      name: path,
      in: where,
      type: typeOf(schema, schemas),
      required: required.includes(name),
      bounds: bounds(schema),
      ...(schema.description && { description: schema.description }),
    };
    return [field, ...fields(inner, where, schemas, `${path}${schema.type === "array" ? "[]" : ""}.`)];
  });
}

const plurals: Record<string, string> = { text: "strings", object: "objects", "whole number": "whole numbers" };

function typeOf(given: Schema, schemas: Record<string, Schema>): string {
  const schema = resolve(given, schemas);
  if (schema.type === "array") return `list of ${plurals[typeOf(schema.items ?? {}, schemas)] ?? "values"}`;
  if (schema.type === "integer") return "whole number";
  return { string: "text", boolean: "true or false", object: "object" }[schema.type ?? ""] ?? schema.type ?? "any";
}

/** Returns whether a bound is set and is not JavaScript's largest integer. */
const holds = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function bounds(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const allowed = schema.const === undefined ? (wordsOf(schema) ?? wordsOf(schema.items ?? {})) : [schema.const];
  return [
    ...(allowed ? [allowed.map((value) => JSON.stringify(value)).join(" or ")] : []),
    ...(maxLength === undefined ? [] : [`${minLength ? `${minLength} to` : "at most"} ${count(maxLength)} characters`]),
    ...(maxItems === undefined ? [] : [`${minItems ?? 0} to ${maxItems}`]),
    ...(holds(minimum) && holds(maximum) ? [`${minimum} to ${maximum}`] : []),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} by default`]),
  ];
}

const wordsOf = (schema: Schema) => schema.enum ?? schema[knownWords];
const count = (number: number) => number.toLocaleString("en");

/**
 * Returns a command that calls the operation. It works as is once `$COUNTERSIGN_TOKEN` and, if the
 * path has an ID, `$ID` are set.
 */
function curl(id: string, method: string, url: string): string {
  const op = operations.find((it) => it.id === id);
  const { query, body } = op?.example ?? {};
  const address = `${url.replace("{id}", "$ID")}${query ? `?${new URLSearchParams(query)}` : ""}`;
  return [
    `curl "${address}"`,
    `-H "Authorization: Bearer $COUNTERSIGN_TOKEN"`,
    ...(op?.requiresKey ? [`-H "Idempotency-Key: deploy-418"`] : []),
    ...(method === "POST" ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body ?? {})}'`] : []),
  ].join(" \\\n  ");
}
