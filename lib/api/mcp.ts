import type { McpHttpHandler } from "@modelcontextprotocol/server";
import { grantedScopes } from "@/lib/access/authorization";
import { bearerChallenge } from "@/lib/access/bearer-challenge";
import type { AppActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { env } from "@/lib/config/env";
import { reportError } from "@/lib/error-reporting";
import { AppError, asAppError, lacksScope } from "@/lib/errors";
import { FrozenApp } from "@/lib/frozen-errors";
import { locateToken } from "@/lib/grants/token-store";
import { log } from "@/lib/log";
import { cors, preflight } from "@/lib/net/cors";
import { currentRequest, withRequest } from "@/lib/request-context";
import { recordDeniedRequest } from "@/lib/traffic/denied-requests";
import { countFrozenRequest } from "@/lib/traffic/frozen-requests";
import { recordUsage } from "@/lib/traffic/last-use";
import { noteRequest } from "@/lib/traffic/request-log";
import packageJson from "@/package.json" with { type: "json" };
import { apiVersion, checkVersion } from "./api-version";
import { appFromHeader } from "./bearer-token";
import { isDnsRebinding } from "./dns-rebinding";
import { missingScope, routeContext } from "./handle-operation-request";
import { cancel, runCancellable } from "./mcp-cancellation";
import { callTool, type Exchange } from "./mcp-tool-calls";
import { requestedTools, type Tool, tools, toolsFor } from "./mcp-tools";
import { bodyLimit } from "./operation-request";
import { checkRate, countRequest } from "./rate-limit";
import { newRequestId } from "./request-id";

/** The service's version, which differs from the API's version in the API description. */
const { version } = packageJson;

/**
 * Handles `/api/mcp`, which serves the operations as MCP tools over Streamable HTTP, without
 * sessions. Supports the bundled SDK's MCP revision and earlier ones. Accepts tokens issued for
 * this resource (RFC 8707), lists the tools that their scopes allow, and never throws.
 */
export async function mcpEndpoint(request: Request): Promise<Response> {
  if (isDnsRebinding(request))
    return dressed(
      refused(
        403,
        "The service accepts requests only from its own computer, because PUBLIC_URL is a local address. Set PUBLIC_URL to the URL that apps use.",
      ),
    );
  if (request.method === "OPTIONS") return dressed(preflight("GET, POST, DELETE"));
  const began = clock.elapsed();
  let app: AppActor | undefined;
  try {
    app = appFromHeader(request.headers.get("authorization") ?? undefined, null, "mcp");
    await locateToken(app.tokenHash);
    const about = currentRequest();
    if (about) about.app = app;
    checkRate(app);
    checkVersion(request.headers.get("countersign-version") ?? undefined);
    const scopes = await grantedScopes(app);
    const limits = countRequest(app);
    const more = requestedTools(new URL(request.url).searchParams.get("tools"));
    const extra: Caller = { app, more, sent: { calls: 0 } };
    const authInfo = { token: "", clientId: app.admitted?.appId ?? "", scopes, extra };
    return dressed(await (await handler()).fetch(request, { authInfo }), limits);
  } catch (error) {
    const known = reportError(error, "an MCP request failed");
    const { status, message, details, headers } = known ?? new AppError(500, "Internal server error");
    if (app) note(app, { method: request.method, path: "/api/mcp", status, began });
    if (app && known instanceof FrozenApp) countFrozenRequest(app, mcpRequest);
    const challenge = known && bearerChallenge(known, "mcp");
    const text = [message, ...(details ?? []).map((each) => each.message)].join(": ");
    return dressed(refused(status, text, { ...headers, ...(challenge && { "www-authenticate": challenge }) }));
  }
}

/** The name under which a frozen agent's MCP requests are counted, because their body is not read. */
const mcpRequest = "mcp";

const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status, headers });

const common = { ...cors, "cache-control": "no-store", "countersign-version": apiVersion };
function dressed(reply: Response, limits: Record<string, string> = {}): Response {
  const headers = new Headers(reply.headers);
  for (const [name, value] of Object.entries({ ...common, ...limits })) headers.set(name, value);
  return new Response(reply.body, { status: reply.status, headers });
}

type Sdk = typeof import("@modelcontextprotocol/server");

let made: Promise<McpHttpHandler> | undefined;

/**
 * Returns the handler for MCP requests. Each request gets its own server, so that requests share no
 * state. The SDK is loaded on first use, because many services never need it.
 */
const handler = () =>
  (made ??= import("@modelcontextprotocol/server").then((sdk) =>
    sdk.createMcpHandler(({ authInfo }) => serverFor(sdk, authInfo?.extra as Caller, authInfo?.scopes ?? []), {
      maxRequestBodySize: bodyLimit,
      onerror: (error) => log.info("an MCP request was rejected", { reason: error.message }),
    }),
  ));

const instructions =
  "Countersign sends questions to the person you act for (the owner) and returns the owner's answers. Call ask_owner before any action that costs money, is visible to others, deletes data, or cannot be undone. In `question`, say what you are about to do. In `backgroundContext`, give the information that the owner needs. Offer options in plain words. Then do exactly what the owner decided. An answer is the owner's only if `resolvedBy` is `owner`. If there is no answer yet, continue with other work, or call check_approval with the ID. Never ask the same question again, and never treat silence as approval. Use notify_owner for information that needs no answer.";

/**
 * A request's app, its additional tools, and its number of tool calls. Older clients may send up to
 * a hundred messages in one request.
 */
type Caller = { app: AppActor; more: ReadonlySet<string>; sent: { calls: number } };

function serverFor({ Server, ProtocolError, ProtocolErrorCode }: Sdk, { app, more, sent }: Caller, scopes: string[]) {
  const { publicUrl } = env();
  const icon = (size: number) => ({
    src: `${publicUrl}/icons/icon-${size}.png`,
    mimeType: "image/png",
    sizes: [`${size}x${size}`],
  });
  const icons = [icon(192), icon(512)];
  const named = { name: "countersign", title: "Countersign", version, websiteUrl: publicUrl, icons };
  const server = new Server(named, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({ tools: [...toolsFor(scopes, more)] }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools().find(({ name }) => name === params.name);
    const why = !tool
      ? `Unknown tool: ${params.name}. Call tools/list to list the available tools.`
      : tool.op.scope !== null && !scopes.includes(tool.op.scope) && lacksScope(tool.op.scope, scopes);
    if (!tool || why) throw new ProtocolError(ProtocolErrorCode.InvalidParams, why || "");
    // The request itself already counts as the first call.
    if (sent.calls++ > 0) {
      const refusal = refusalOf(app);
      if (refusal) return toolReply(refusal, true);
    }
    const { progressToken } = mcpReq._meta ?? {};
    const progress = (progress: number, total: number, message: string) =>
      void mcpReq
        .notify({ method: "notifications/progress", params: { progressToken, progress, total, message } })
        .catch(() => {});
    return runCancellable(app, mcpReq, (leaving) =>
      call(tool, app, params.arguments ?? {}, scopes.includes("approvals:read"), {
        leaving,
        ...(progressToken !== undefined && { progress }),
      }),
    );
  });
  server.setNotificationHandler("notifications/cancelled", ({ params }) => cancel(app, params.requestId));
  return server;
}

/**
 * Counts one more call.
 * @returns the error message if the call is rejected
 */
function refusalOf(app: AppActor): string | undefined {
  try {
    checkRate(app);
    countRequest(app);
    return undefined;
  } catch (error) {
    return asAppError(error)?.message ?? "Internal server error";
  }
}

/**
 * Calls a tool. Returns a rejection as a result with text, so that the agent can correct its call.
 */
async function call(
  tool: Tool,
  { tokenHash, resource }: AppActor,
  input: Record<string, unknown>,
  mayRead: boolean,
  exchange: Exchange,
) {
  const { op, name } = tool;
  const app: AppActor = { kind: "app", tokenHash, resource, needs: op.scope };
  const entry = { method: "MCP", path: name, began: clock.elapsed() };
  try {
    const about = currentRequest();
    if (about) about.app = app;
    const work = () => callTool(tool, app, input, mayRead, exchange);
    const { text, data, warnings } = await (about
      ? withRequest({ ...about, ...routeContext(op), route: `MCP ${name}`, app }, work)
      : work());
    if (app.admitted) recordUsage(app.admitted.grantId, op.scope, app.tokenHash);
    note(app, { ...entry, status: op.status ?? 200, warnings });
    return { ...toolReply(text), structuredContent: data };
  } catch (error) {
    const known = reportError(error, "an MCP tool failed");
    if (known instanceof FrozenApp) countFrozenRequest(app, op.id);
    else if (known)
      recordDeniedRequest(app, known.status, op.id, known.status === 403 ? missingScope(known) : undefined);
    note(app, { ...entry, status: known?.status ?? 500 });
    const details = known?.details?.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    return toolReply([known?.message ?? "Internal server error", ...(details ?? [])].join("\n"), true);
  }
}

type ToolRequest = { method: string; path: string; status: number; began: number; warnings?: readonly string[] };

const note = (app: AppActor, { began, warnings = [], ...entry }: ToolRequest) =>
  noteRequest(app, {
    id: newRequestId(),
    operation: entry.path,
    ...entry,
    warnings,
    ms: clock.elapsed() - began,
    at: clock.now(),
  });

const toolReply = (text: string, isError = false) => ({
  content: [{ type: "text" as const, text }],
  ...(isError && { isError }),
});
