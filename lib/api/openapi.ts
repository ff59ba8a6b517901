import type { Operation } from "@/lib/api-operation";
import { forbidden, idempotencyKeyReused, invalidToken, tooLarge } from "@/lib/errors";
import { type Scope, scopes, usualScopes } from "@/lib/scopes";
import packageJson from "@/package.json" with { type: "json" };
import { apiVersion } from "./api-version";
import { errorSchema } from "./errors/error-schema";
import { type Json, resolve, toSchema } from "./json-schema";
import { idempotencyKey, lastEventId, requiredKey, waiting } from "./openapi-parameters";
import { operations } from "./operation-registry";
import { bodyLimit } from "./operation-request";
import { recordKindOf } from "./validate-path-id";

/** The meaning of each status code, in one sentence. */
export const reasons: Record<number, string> = {
  400: "The request is invalid. `details` lists each problem.",
  401: "The token is missing or invalid.",
  403: "The token is not allowed to make this request. In most cases, the token lacks the required scope. If `details` has the reason `frozen`, the owner froze the app.",
  404: "The record does not exist, or this app has no access to the record.",
  409: "The approval is already resolved, is not resolved yet, or has passed its deadline. `error` contains the reason.",
  413: "The body is larger than 128 KiB.",
  410: "Events after the cursor have expired, or a restore from a backup removed events.",
  422: "The Idempotency-Key was already used with a different request.",
  429: "Too many requests, pending approvals or waiting calls.",
  503: "The database is unavailable. Resend the request. An `Idempotency-Key` prevents duplicates.",
};

const exampleErrors: Record<number, object> = {
  400: { error: "Bad request", details: [{ path: "options.0.label", message: "Required" }] },
  401: { error: "Unauthorized", details: [{ path: "", message: invalidToken().why }] },
  404: { error: "Not found" },
  409: { error: "Already resolved" },
  410: { error: "Some events after this cursor have expired. Read again without a cursor." },
  413: { error: tooLarge(bodyLimit).message, details: tooLarge(bodyLimit).details },
  422: { error: idempotencyKeyReused().message },
  429: { error: "Too many requests" },
  503: { error: "Service unavailable" },
};

let text: string | undefined;

/**
 * Returns the OpenAPI document as JSON text, as in `public/openapi.json` and `/api/openapi.json`.
 */
export const openapiText = () => (text ??= `${JSON.stringify(openapi(), null, 2)}\n`);

/** Derives the OpenAPI 3.1 description from the operations, so that nothing is written twice. */
export function openapi() {
  const schemas: Record<string, unknown> = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    const path = (paths[op.path] ??= {});
    path[op.method.toLowerCase()] = describe(op, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      // Marks the API as a preview. The service and its packages have the other version.
      version: "0.0.0",
      "x-service-version": packageJson.version,
      summary: "Ask owners for approval, notify owners, and list linked accounts.",
      description:
        "Apps submit approvals and notifications with a bearer token. The owner grants the token's scopes. This API is a preview. Responses may gain fields, and enums in responses may gain values. Ignore unknown fields and values.",
    },
    servers: [{ url: "/", description: "This service" }],
    tags: [
      { name: "approvals", description: "Questions for the owner, and the owner's answers." },
      { name: "notifications", description: "Messages that inform the owner and need no answer." },
      { name: "integrations", description: "Linked accounts that the owner shares with this app." },
      { name: "events", description: "All events in order, for apps that must not miss an event." },
      { name: "owner", description: "The owner's public keys, which verify signed answers." },
      { name: "freeze", description: "An emergency stop for an app that someone else may control." },
    ],
    security: securityOf(null),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: {
        Version: { description: "The API version of the response.", schema: { type: "string" }, example: apiVersion },
        RequestId: {
          description: "The ID of this request. Include the ID when you report a problem.",
          schema: { type: "string" },
          example: "req_d828d1e733e42a6f1",
        },
      },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "An access token, or a personal token from the Developer page. A token has the scopes that the owner allowed.",
        },
        oauth2: {
          type: "oauth2",
          description: "The authorization code flow with PKCE (S256), which issues access tokens.",
          flows: {
            authorizationCode: {
              authorizationUrl: "/oauth/authorize",
              tokenUrl: "/oauth/token",
              refreshUrl: "/oauth/token",
              scopes: Object.fromEntries(Object.entries(scopes).map(([name, { api }]) => [name, api])),
            },
          },
        },
      },
    },
  };
}

/**
 * Returns an operation's security schemes. Either one is enough, because both send the same header.
 * Generators without OAuth support use the first one.
 */
const securityOf = (scope: Scope | null) => [{ bearer: [] }, { oauth2: scope ? [scope] : [] }];

function describe(op: Operation, schemas: Record<string, unknown>): Json {
  // A query parameter's schema describes the parsed value, because all parameters arrive as text. A
  // body's schema describes the body as sent.
  const input = toSchema(op.input, op.method === "GET" ? "output" : "input", op.body ? {} : schemas);
  const inPath = [...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const names = Object.keys(resolve(input, schemas).properties ?? {});
  const parameter = (name: string): Json => {
    const { properties = {}, required = [] } = resolve(input, schemas);
    const { description, ...schema } = properties[name] as Json;
    const where = inPath.includes(name) ? "path" : "query";
    const { [name]: example = recordKindOf(op)?.example } = op.example.query ?? {};
    return {
      ...{ name, in: where, required: required.includes(name), ...(description ? { description } : {}), schema },
      ...((where === "path" || op.example.query?.[name] !== undefined) && {
        example: schema.type === "integer" ? Number(example) : example,
      }),
    };
  };
  const parameters = names.filter((name) => inPath.includes(name) || op.method === "GET").map(parameter);
  if (op.waits) parameters.push(waiting);
  if (op.idempotent) parameters.push(idempotencyKey);
  if (op.requiresKey) parameters.push(requiredKey);
  if (op.streams) parameters.push(lastEventId);
  const responses: Json = { [op.status ?? 200]: success(op, schemas) };
  for (const status of [401, ...(op.scope ? [403] : []), ...op.failures, 429, 503].sort())
    responses[status] = failed(status, op);
  return {
    operationId: op.id,
    tags: [op.path.split("/")[2]],
    summary: op.summary,
    ...(op.description && { description: op.description }),
    security: securityOf(op.scope),
    ...(parameters.length > 0 && { parameters }),
    ...(op.method === "POST" && {
      requestBody: { required: true, ...json(toSchema(op.body ?? op.input, "input", schemas), op.example.body) },
    }),
    responses,
  };
}

const json = (schema: unknown, example: unknown) => ({ content: { "application/json": { schema, example } } });
const headers = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "Countersign-Version": { $ref: "#/components/headers/Version" },
};

/**
 * Describes a successful response. If the operation can wait, the response has two forms.
 * `dependentSchemas`, which generators ignore, describes the second form, because Java's generator
 * can't distinguish the forms of a `oneOf`.
 */
function success(op: Operation, schemas: Record<string, unknown>): Json {
  const schema = toSchema(op.output, "output", schemas);
  if (op.waits) resolve(schema, schemas).dependentSchemas = { status: toSchema(op.waits.output, "output", schemas) };
  const { content } = op.waits
    ? either(schema, op.example.response, op.waits.gives)
    : json(schema, op.example.response);
  const stream = op.streams && { "text/event-stream": { schema: { type: "string" } } };
  const links = linksFrom(op);
  return {
    description: op.status === 201 ? "Created." : "OK.",
    headers,
    content: { ...content, ...stream },
    ...(Object.keys(links).length > 0 && { links }),
  };
}

const either = (schema: unknown, at_once: unknown, waited: unknown) => ({
  content: { "application/json": { schema, examples: { at_once: { value: at_once }, waited: { value: waited } } } },
});

/**
 * Returns a response's links for clients: to the operations on the created record, and to the next
 * events. A link must be valid for every success, and only some responses have a next page, so no
 * link points to it.
 */
function linksFrom(op: Operation): Json {
  const to = (operationId: string, parameters: Json) => [operationId, { operationId, parameters }];
  const below = operations.filter(({ path }) => path.startsWith(`${op.path}/{id}`));
  const made = op.status === 201 ? below.map(({ id }) => to(id, { id: "$response.body#/id" })) : [];
  const next = "after" in op.input.shape ? [to(op.id, { after: "$response.body#/nextCursor" })] : [];
  return Object.fromEntries([...made, ...next]);
}

const failed = (status: number, { scope }: Operation) => ({
  description: reasons[status],
  headers,
  ...json({ $ref: "#/components/schemas/Error" }, status === 403 ? lacking(scope ?? "") : exampleErrors[status]),
});

const lacking = (scope: string) => {
  const { message: error, details } = forbidden(
    scope,
    usualScopes.filter((each) => each !== scope),
  );
  return { error, details };
};
