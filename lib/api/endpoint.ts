import { bearerChallenge } from "@/lib/access/challenge";
import { checkKey, once } from "@/lib/access/idempotency";
import type { AppActor } from "@/lib/actor";
import { AppError, Forbidden } from "@/lib/errors";
import { cors } from "@/lib/net/cors";
import type { Operation, WaitSpec } from "@/lib/operation";
import { reportError } from "@/lib/error-reporting";
import { currentRequest } from "@/lib/request-context";
import { noteRefusal } from "@/lib/traffic/refused";
import { noteRequest } from "@/lib/traffic/request-log";
import { touch } from "@/lib/traffic/usage";
import { appFromHeader } from "./bearer";
import { type Call, type OperationReply, readBody, readInput } from "./call";
import { checkRate, countRequest } from "./limits";
import { perform } from "./perform";
import { newRequestId } from "./request-id";
import { openStream, prefersStream } from "./stream";
import { apiVersion, checkVersion } from "./version";
import { asksToWait, checkQuery, readSeconds, waitOn } from "./waiting";

const baseHeaders = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "countersign-version": apiVersion,
};

/** Serve one operation: the same code behind the front and behind Next's route file. Never throws. */
export async function answer(op: Operation, call: Call): Promise<OperationReply> {
  const began = performance.now();
  try {
    const request = currentRequest();
    if (request) Object.assign(request, handledAs(op));
    const app = appFromHeader(call.header("authorization"), op.scope, "api");
    if (request) request.app = app;
    const waits = asksToWait(call) ? op.waits : undefined;
    const reader = waits ? { ...app, needs: waits.scope } : app;
    return finish(await asked(op, app, call, waits, reader).catch(failure), reader, op, began);
  } catch (unauthorized) {
    return finish(failure(unauthorized), undefined, op, began);
  }
}

/** Who may not read the answer makes nothing that would be waited for: `reader` is the same app, for what reading needs. */
async function asked(op: Operation, app: AppActor, call: Call, waits: WaitSpec | undefined, reader: AppActor) {
  checkRate(app);
  checkVersion(call.header("countersign-version"));
  if (op.streams && prefersStream(call.header("accept"))) return openStream(op, op.streams, app, call);
  if (!waits) return make(op, app, call);
  const seconds = await readSeconds(op, reader, call);
  return waitOn(waits, reader, await make(op, app, call), seconds, call);
}

/** What is said of a request for this operation in the log, and which share of the database's connections is its. */
export function handledAs(op: Operation): { route: string; kind: string } {
  let known = handledBy.get(op);
  if (!known) {
    const { id, method, path, scope } = op;
    handledBy.set(op, (known = { route: `${method} ${path}`, kind: scope?.split(":")[0] ?? id }));
  }
  return known;
}
const handledBy = new WeakMap<Operation, { route: string; kind: string }>();

function make(op: Operation, app: AppActor, call: Call): Promise<OperationReply> {
  const key = op.idempotent ? call.header("idempotency-key") : undefined;
  return key === undefined ? plain(op, app, call) : keyed(op, app, call, key);
}

async function plain(op: Operation, app: AppActor, call: Call): Promise<OperationReply> {
  const read = () => {
    checkQuery(op, call);
    return readInput(call);
  };
  const wire = await perform(op, app, read, () => call.leaving());
  const headers: Record<string, string> = {};
  if (wire.retryAfter !== undefined) headers["retry-after"] = String(wire.retryAfter);
  if (op.status === 201) headers.location = `${op.path}/${createdId(wire.text)}`;
  if (wire.nextCursor) headers.link = nextLink(op, call, wire.nextCursor);
  return { status: op.status ?? 200, headers, body: wire.text, warnings: wire.warnings };
}

async function keyed(op: Operation, app: AppActor, call: Call, key: string): Promise<OperationReply> {
  let request: Buffer;
  try {
    checkKey(key);
    checkQuery(op, call);
    request = Buffer.concat([Buffer.from(`${JSON.stringify(call.params)}\n`), await readBody(call)]);
  } catch (refusal) {
    // Told in the order of perform: 401 and 403 come first.
    const refused = withBody(call, () => Promise.reject(refusal));
    return plain(op, app, refused);
  }
  const replay = withBody(call, async () => request.subarray(request.indexOf(10) + 1));
  const done = await once(app, op.id, key, request, async () => {
    const { status, body: text, warnings } = await plain(op, app, replay);
    return { status, text, warnings };
  });
  const headers: Record<string, string> = done.replayed ? { "idempotent-replayed": "true" } : {};
  if (op.status === 201) headers.location = `${op.path}/${createdId(done.text)}`;
  return { status: done.status, headers, body: done.text, warnings: done.warnings };
}

const withBody = (call: Call, body: Call["body"]): Call => ({
  method: call.method,
  query: call.query,
  params: call.params,
  header: (name) => call.header(name),
  body,
  leaving: () => call.leaving(),
});

const createdId = (text: string) => (JSON.parse(text) as { id: string }).id;

function nextLink(op: Operation, call: Call, cursor: string) {
  const query = new URLSearchParams(call.query);
  query.set("cursor", cursor);
  return `<${op.path}?${query}>; rel="next"`;
}

/** Any thrown value as a reply: the sentence of an AppError, 503 while the database is away, else 500 without detail. */
export function failure(error: unknown): OperationReply {
  const known = reportError(error, "a request failed");
  const { status, message, details, headers } = known ?? new AppError(500, "Internal server error");
  const challenge = known && bearerChallenge(known);
  return {
    status,
    headers: { ...headers, ...(challenge && { "www-authenticate": challenge }) },
    body: JSON.stringify({ error: message, ...(details && { details }) }),
    ...(status === 403 && { lacks: lacks(known) }),
  };
}

/** Which permission a refusal was for want of. */
export const lacks = (refusal: AppError | undefined) => (refusal instanceof Forbidden ? refusal.scope : "");

function finish(reply: OperationReply, app: AppActor | undefined, op: Operation, began: number): OperationReply {
  if (app?.admitted) {
    Object.assign(reply.headers, countRequest(app));
    if (reply.status < 400) touch(app.admitted.grantId, op.scope, app.tokenHash);
  }
  const dressed = dress(reply);
  if (!app) return dressed;
  const { status, warnings = [] } = reply;
  if (status >= 400) noteRefusal(app, status, op.id, reply.lacks ?? op.scope ?? "");
  const id = dressed.headers["x-request-id"] as string;
  const ms = performance.now() - began;
  noteRequest(app, { id, operation: op.id, method: op.method, path: op.path, status, ms, warnings, at: Date.now() });
  return dressed;
}

/** The headers that every API reply has. @param sharing those of cross-origin access; none where no app is answered */
export function dress({ status, headers, body, stream }: OperationReply, sharing = cors): OperationReply {
  const dressed = { ...baseHeaders, ...sharing, "x-request-id": currentRequest()?.id ?? newRequestId(), ...headers };
  return stream ? { status, headers: dressed, body, stream } : { status, headers: dressed, body };
}
