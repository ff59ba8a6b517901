import { bearerChallenge } from "@/lib/access/bearer-challenge";
import type { AppActor } from "@/lib/actor";
import type { Operation, WaitSpec } from "@/lib/api-operation";
import { clock } from "@/lib/clock";
import { reportError } from "@/lib/error-reporting";
import { AppError, Forbidden } from "@/lib/errors";
import { FrozenApp } from "@/lib/frozen-errors";
import { locateToken } from "@/lib/grants/token-store";
import { cors } from "@/lib/net/cors";
import { currentRequest } from "@/lib/request-context";
import { runIdempotent, validateIdempotencyKey } from "@/lib/requests/idempotency";
import { recordDeniedRequest } from "@/lib/traffic/denied-requests";
import { countFrozenRequest } from "@/lib/traffic/frozen-requests";
import { recordUsage } from "@/lib/traffic/last-use";
import { noteRequest } from "@/lib/traffic/request-log";
import { apiVersion, checkVersion } from "./api-version";
import { appFromHeader } from "./bearer-token";
import { type OperationRequest, type OperationResponse, readBody, readInput } from "./operation-request";
import { checkRate, countRequest } from "./rate-limit";
import { newRequestId } from "./request-id";
import { runOperation } from "./run-operation";
import { openStream, prefersStream } from "./server-sent-events";
import { checkQuery, readWaitSeconds, waitForOutcome, wantsToWait } from "./wait-query";

const baseHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "countersign-version": apiVersion,
};

/**
 * Handles a request to one operation, for both our HTTP server and Next's route file. Never throws.
 */
export async function handleRequest(op: Operation, call: OperationRequest): Promise<OperationResponse> {
  const began = clock.elapsed();
  try {
    const request = currentRequest();
    if (request) Object.assign(request, routeContext(op));
    const app = appFromHeader(call.header("authorization"), op.scope, "api");
    const locating = locateToken(app.tokenHash);
    if (locating) await locating;
    if (request) request.app = app;
    const waits = wantsToWait(call) ? op.waits : undefined;
    const reader = waits ? { ...app, needs: waits.scope } : app;
    return finish(await dispatch(op, app, call, waits, reader).catch(toErrorResponse), reader, op, began);
  } catch (unauthorized) {
    return finish(toErrorResponse(unauthorized), undefined, op, began);
  }
}

/**
 * Runs an operation, or opens its stream if the call prefers one. If the call asks to wait, first
 * checks that the app may read the answer, then creates the record and waits for its outcome.
 * @param reader the same app, as an actor that needs the scope to read the answer
 */
async function dispatch(
  op: Operation,
  app: AppActor,
  call: OperationRequest,
  waits: WaitSpec | undefined,
  reader: AppActor,
) {
  checkRate(app);
  checkVersion(call.header("countersign-version"));
  if (op.streams && prefersStream(call.header("accept"))) return openStream(op, op.streams, app, call);
  if (!waits) return execute(op, app, call);
  const seconds = await readWaitSeconds(op, reader, call);
  return waitForOutcome(waits, reader, await execute(op, app, call), seconds, call);
}

/**
 * Returns a request's name for the log, and the kind of work that determines its share of the
 * database connections.
 */
export function routeContext(op: Operation): { route: string; kind: string } {
  let known = handledBy.get(op);
  if (!known) {
    const { id, method, path, scope } = op;
    handledBy.set(op, (known = { route: `${method} ${path}`, kind: scope?.split(":")[0] ?? id }));
  }
  return known;
}
const handledBy = new WeakMap<Operation, { route: string; kind: string }>();

function execute(op: Operation, app: AppActor, call: OperationRequest): Promise<OperationResponse> {
  const key = op.idempotent ? call.header("idempotency-key") : undefined;
  return key === undefined ? executeOnce(op, app, call) : executeIdempotent(op, app, call, key);
}

async function executeOnce(op: Operation, app: AppActor, call: OperationRequest): Promise<OperationResponse> {
  const read = async () => {
    checkQuery(op, call);
    const input = await readInput(call);
    return op.requiresKey ? { ...(input as object), idempotencyKey: call.header("idempotency-key") } : input;
  };
  const wire = await runOperation(op, app, read, () => call.leaving());
  const headers: Record<string, string> = {};
  if (wire.retryAfter !== undefined) headers["retry-after"] = String(wire.retryAfter);
  if (op.status === 201) headers.location = `${op.path}/${createdId(wire.text)}`;
  if (wire.nextCursor) headers.link = nextLink(op, call, wire.nextCursor);
  return { status: op.status ?? 200, headers, body: wire.text, warnings: wire.warnings };
}

async function executeIdempotent(
  op: Operation,
  app: AppActor,
  call: OperationRequest,
  key: string,
): Promise<OperationResponse> {
  let request: Buffer;
  try {
    validateIdempotencyKey(key);
    checkQuery(op, call);
    request = Buffer.concat([Buffer.from(`${JSON.stringify(call.params)}\n`), await readBody(call)]);
  } catch (refusal) {
    // Keeps the order of errors in `runOperation`: 401 and 403 come first.
    const refused = withBody(call, () => Promise.reject(refusal));
    return executeOnce(op, app, refused);
  }
  const replay = withBody(call, async () => request.subarray(request.indexOf(10) + 1));
  const done = await runIdempotent(app, op.id, key, request, async () => {
    const { status, body: text, warnings } = await executeOnce(op, app, replay);
    return { status, text, warnings };
  });
  const headers: Record<string, string> = done.replayed ? { "idempotent-replayed": "true" } : {};
  if (op.status === 201) headers.location = `${op.path}/${createdId(done.text)}`;
  return { status: done.status, headers, body: done.text, warnings: done.warnings };
}

const withBody = (call: OperationRequest, body: OperationRequest["body"]): OperationRequest => ({
  method: call.method,
  query: call.query,
  params: call.params,
  header: (name) => call.header(name),
  body,
  leaving: () => call.leaving(),
});

const createdId = (text: string) => (JSON.parse(text) as { id: string }).id;

function nextLink(op: Operation, call: OperationRequest, cursor: string) {
  const query = new URLSearchParams(call.query);
  query.set("cursor", cursor);
  return `<${op.path}?${query}>; rel="next"`;
}

/**
 * Converts any thrown value to a response. An AppError results in its own status and message, an
 * unavailable database in a 503, and anything else in a 500 without details.
 */
export function toErrorResponse(error: unknown): OperationResponse {
  const known = reportError(error, "a request failed");
  const { status, message, details, headers } = known ?? new AppError(500, "Internal server error");
  const challenge = known && bearerChallenge(known);
  return {
    status,
    headers: { ...headers, ...(challenge && { "www-authenticate": challenge }) },
    body: JSON.stringify({ error: message, ...(details && { details }) }),
    ...(status === 403 && { lacks: missingScope(known) }),
    ...(known instanceof FrozenApp && { frozen: true }),
  };
}

/** Returns the missing scope that caused the rejection, or "" if there was another reason. */
export const missingScope = (refusal: AppError | undefined) => (refusal instanceof Forbidden ? refusal.scope : "");

function finish(reply: OperationResponse, app: AppActor | undefined, op: Operation, began: number): OperationResponse {
  if (app?.admitted) {
    Object.assign(reply.headers, countRequest(app));
    if (reply.status < 400) recordUsage(app.admitted.grantId, op.scope, app.tokenHash);
  }
  const dressed = withCommonHeaders(reply);
  if (!app) return dressed;
  const { status, warnings = [] } = reply;
  if (reply.frozen) countFrozenRequest(app, op.id);
  else if (status >= 400) recordDeniedRequest(app, status, op.id, reply.lacks ?? op.scope ?? "");
  const id = dressed.headers["x-request-id"] as string;
  const ms = clock.elapsed() - began;
  noteRequest(app, { id, operation: op.id, method: op.method, path: op.path, status, ms, warnings, at: clock.now() });
  return dressed;
}

/**
 * Returns the response with the headers that every API response has.
 * @param sharing the cross-origin headers; none for responses that are not meant for apps
 */
export function withCommonHeaders(
  { status, headers, body, stream }: OperationResponse,
  sharing = cors,
): OperationResponse {
  const dressed = { ...baseHeaders, ...sharing, "x-request-id": currentRequest()?.id ?? newRequestId(), ...headers };
  return stream ? { status, headers: dressed, body, stream } : { status, headers: dressed, body };
}
