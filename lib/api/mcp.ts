import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { AppActor } from "@/lib/actor";
import { AppError, asAppError } from "@/lib/errors";
import { grantedScopes } from "@/lib/grants/admission";
import { bearerChallenge } from "@/lib/grants/challenge";
import { noteRefusal } from "@/lib/grants/refused";
import { noteRequest } from "@/lib/grants/request-log";
import { touch } from "@/lib/grants/usage";
import { log } from "@/lib/log";
import type { Operation } from "@/lib/operation";
import type { Leaving } from "@/lib/wait";
import { appFromHeader } from "./bearer";
import { bodyLimit } from "./call";
import { lacks } from "./endpoint";
import { checkRate, countRequest } from "./limits";
import { perform } from "./perform";
import { operations } from "./registry";
import { newRequestId } from "./request-id";

/** Browser clients may call from anywhere: a token is needed, and no cookie is looked at. */
const cors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, MCP-Protocol-Version",
};

/**
 * `/api/mcp`: the operations as MCP tools over Streamable HTTP, without sessions, for clients of this revision and the ones
 * before. It takes tokens made for it (RFC 8707) and lists what their scopes allow. Never throws.
 */
export async function mcpEndpoint(request: Request): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  const began = performance.now();
  let app: AppActor | undefined;
  try {
    app = appFromHeader(request.headers.get("authorization") ?? undefined, null, "mcp");
    checkRate(app);
    const scopes = await grantedScopes(app);
    const limits = countRequest(app);
    const authInfo = { token: "", clientId: app.admitted?.appId ?? "", scopes, extra: { app } };
    return dressed(await (await handler()).fetch(request, { authInfo }), limits);
  } catch (error) {
    const known = asAppError(error);
    if (!known) log.error("an MCP request failed", error);
    const { status, message, headers } = known ?? new AppError(500, "Internal server error");
    if (app) note(app, { method: request.method, path: "/api/mcp", status, began });
    const challenge = known && bearerChallenge(known, "mcp");
    const body = { jsonrpc: "2.0", id: null, error: { code: -32000, message } };
    return dressed(
      Response.json(body, { status, headers: { ...headers, ...(challenge && { "www-authenticate": challenge }) } }),
    );
  }
}

const preflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...cors,
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers":
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID",
      "access-control-max-age": "86400",
    },
  });

function dressed(reply: Response, limits: Record<string, string> = {}): Response {
  const headers = new Headers(reply.headers);
  for (const [name, value] of Object.entries({ ...cors, "cache-control": "no-store", ...limits }))
    headers.set(name, value);
  return new Response(reply.body, { status: reply.status, headers });
}

type Sdk = typeof import("@modelcontextprotocol/server");

let made: Promise<McpHttpHandler> | undefined;

/** One server for each request, so that nothing is kept between two. The SDK is loaded for the first; many never ask. */
const handler = () =>
  (made ??= import("@modelcontextprotocol/server").then((sdk) =>
    sdk.createMcpHandler(({ authInfo }) => serverFor(sdk, authInfo?.extra?.app as AppActor, authInfo?.scopes ?? []), {
      maxRequestBodySize: bodyLimit,
      onerror: (error) => log.info("an MCP request was refused", { reason: error.message }),
    }),
  ));

const instructions =
  "Countersign carries questions to the person you act for. Submit an approval before you do what matters, then get it until its status is `resolved`; act only on what the resolution says, and only when `resolvedBy` is `owner`.";

function serverFor({ Server }: Sdk, app: AppActor, scopes: readonly string[]) {
  const server = new Server({ name: "countersign", version: "0.0.0" }, { capabilities: { tools: {} }, instructions });
  const allowed = operations.filter((op) => op.scope === null || scopes.includes(op.scope));
  server.setRequestHandler("tools/list", () => ({ tools: allowed.map(asTool) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const op = allowed.find(({ id }) => toolName(id) === params.name);
    if (!op) return said("There is no such tool, or the owner did not allow it.", true);
    return call(op, app, params.arguments ?? {}, () => mcpReq.signal);
  });
  return server;
}

/** `submitApproval` → `submit_approval`. */
const toolName = (id: string) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const asTool = (op: Operation) => ({
  name: toolName(op.id),
  title: op.summary,
  description: op.description ?? op.summary,
  inputSchema: inputSchema(op),
  annotations: { readOnlyHint: op.method === "GET", openWorldHint: false },
});

/** The JSON Schema of what an operation takes. One with a name would only be referred to, where MCP wants an object. */
function inputSchema(op: Operation) {
  const { $schema: _, $ref, $defs = {}, ...plain } = z.toJSONSchema(op.input, { io: "input" });
  const named = $ref && $defs[$ref.slice("#/$defs/".length)];
  return { ...plain, ...named, ...($ref && { $defs }), type: "object" } as { type: "object" };
}

/** A refusal is told in words, as a tool's result, so that the agent can mend its call. */
async function call(op: Operation, { tokenHash, resource }: AppActor, input: object, leaving: Leaving) {
  const app: AppActor = { kind: "app", tokenHash, resource, needs: op.scope };
  const asked = { method: "MCP", path: toolName(op.id), began: performance.now() };
  try {
    const { text, warnings } = await perform(op, app, () => input, leaving);
    if (app.admitted) touch(app.admitted.grantId, op.scope, app.tokenHash);
    note(app, { ...asked, status: op.status ?? 200, warnings });
    return { ...said(text), structuredContent: JSON.parse(text) as Record<string, unknown> };
  } catch (error) {
    const known = asAppError(error);
    if (!known) log.error("an MCP tool failed", error);
    else noteRefusal(app, known.status, op.id, known.status === 403 ? lacks(known) : undefined);
    note(app, { ...asked, status: known?.status ?? 500 });
    const details = known?.details?.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    return said([known?.message ?? "Internal server error", ...(details ?? [])].join("\n"), true);
  }
}

type Asked = { method: string; path: string; status: number; began: number; warnings?: readonly string[] };

const note = (app: AppActor, { began, warnings = [], ...asked }: Asked) =>
  noteRequest(app, {
    id: newRequestId(),
    operation: asked.path,
    ...asked,
    warnings,
    ms: performance.now() - began,
    at: Date.now(),
  });

const said = (text: string, isError = false) => ({
  content: [{ type: "text" as const, text }],
  ...(isError && { isError }),
});
