import type { AppActor } from "@/lib/actor";
import { sql } from "@/lib/database/sql";
import { grantsOf } from "@/lib/grants/token-store";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/work/process-singleton";
import { writeBehind } from "@/lib/work/write-behind";

/** Requests are written down about a second later, so many of one grant at once and so many a second after that. */
const flushEveryMs = 1_000;
const [burst, perSecond] = [200, 0.2];
/** Beyond these many that wait, no more are noted: neither a database that is away nor made-up tokens fill the memory. */
const [mostListed, mostUnknown, mostGrants] = [10_000, 2_000, 5_000];

/** One request as its developer reads of it: no body, no query, no token. */
export type NotedRequest = {
  /** What `X-Request-Id` says. */
  id: string;
  /** Which operation it was: requests of one and of the same status are of a kind. */
  operation: string;
  method: string;
  /** As declared, without ids and query. */
  path: string;
  status: number;
  /** Milliseconds from its arrival to its answer. */
  ms: number;
  warnings: readonly string[];
  /** When it came, in epoch milliseconds of this copy; what is written is how long ago that was. */
  at: number;
};
type Listed = { request: NotedRequest; whose: Whose; more: number };
type Whose = { readonly grantId: string; readonly ownerId: string; readonly appId: string };

/** What is known of one grant: how much room it has in the list, and the latest of each kind for which there was none. */
type OfGrant = {
  /** Well-answered requests and refused ones apart, so that neither hides the other. */
  well: Room;
  refused: Room;
  /** By operation and status. `more` counts those before the latest. */
  heldBack: Map<string, Map<number, Listed>>;
};
/** `at` in epoch milliseconds. */
type Room = { left: number; at: number };

type RequestLog = {
  listed: Listed[];
  grants: Map<string, OfGrant>;
  /** Requests that were refused before it was known whose they are, by token. */
  unknown: { tokenHash: Buffer; request: NotedRequest }[];
  dropped: number;
};

const requests = processSingleton<RequestLog>("requests", () => ({
  listed: [],
  grants: new Map(),
  unknown: [],
  dropped: 0,
}));
const missing = "requests are missing from the developers' list";
const writing = processSingleton("writing requests", () =>
  writeBehind({ every: flushEveryMs, problem: missing, write: writeDue }),
);

/**
 * Note a request that was answered, for the developer's list. It costs no query. Whose it is follows from the grant that
 * admitted it; where none did, from the token, if we ever issued it; otherwise it is nobody's to read of.
 */
export function noteRequest(app: AppActor, request: NotedRequest): void {
  const it = requests();
  if (app.admitted) list(it, app.admitted, request);
  else if (it.unknown.length < mostUnknown) it.unknown.push({ tokenHash: app.tokenHash, request });
  else it.dropped++;
  writing().markDirty();
}

/** Into the list while there is room for this grant, else counted with those of its kind. Every request passes here. */
function list(it: RequestLog, whose: Whose, request: NotedRequest) {
  const grant = it.grants.get(whose.grantId) ?? begin(it, whose.grantId, request.at);
  const room = request.status < 400 ? grant.well : grant.refused;
  if (it.listed.length < mostListed && takeRoom(room, request.at)) {
    it.listed.push({ request, whose, more: 0 });
    return;
  }
  let ofKind = grant.heldBack.get(request.operation);
  if (!ofKind) grant.heldBack.set(request.operation, (ofKind = new Map()));
  const held = ofKind.get(request.status);
  if (held) {
    held.request = request;
    held.more++;
  } else ofKind.set(request.status, { request, whose, more: 0 });
}

/** With too many grants those are forgotten that hold nothing back; their room is as new. */
function begin(it: RequestLog, grantId: string, at: number): OfGrant {
  if (it.grants.size >= mostGrants)
    for (const [id, { heldBack }] of it.grants) if (heldBack.size === 0) it.grants.delete(id);
  const grant = { well: { left: burst, at }, refused: { left: burst, at }, heldBack: new Map() };
  it.grants.set(grantId, grant);
  return grant;
}

function takeRoom(room: Room, now: number): boolean {
  room.left = Math.min(burst, room.left + (Math.max(0, now - room.at) / 1000) * perSecond);
  room.at = now;
  if (room.left < 1) return false;
  room.left--;
  return true;
}

/** Write down every request noted so far. For draining; never throws. */
export const flushRequests = (): Promise<void> => writing().flush();

async function writeDue(all: boolean): Promise<boolean> {
  const it = requests();
  const [unknown, dropped] = [it.unknown, it.dropped];
  Object.assign(it, { unknown: [], dropped: 0 });
  let due: Listed[] = [];
  try {
    await learnWhose(it, unknown);
    listHeldBack(it, all);
    due = it.listed;
    it.listed = [];
    if (due.length > 0) await write(due);
    if (dropped > 0) log.warn(missing, { count: dropped });
  } catch (error) {
    // A list of what was asked is worth less than the memory of an outage.
    const count = dropped + due.reduce((sum, { more }) => sum + more + 1, due.length === 0 ? unknown.length : 0);
    log.warn(missing, { count, reason: String(error) });
  }
  return it.listed.length + it.unknown.length > 0 || anyHeldBack(it);
}

/** What was held back joins the list as there is room again. */
function listHeldBack(it: RequestLog, all: boolean) {
  const now = Date.now();
  for (const { well, refused, heldBack } of it.grants.values()) {
    for (const [operation, ofKind] of heldBack) {
      for (const [status, held] of ofKind) {
        if (!all && !takeRoom(status < 400 ? well : refused, now)) continue;
        ofKind.delete(status);
        it.listed.push(held);
      }
      if (ofKind.size === 0) heldBack.delete(operation);
    }
  }
}

const anyHeldBack = (it: RequestLog) => [...it.grants.values()].some(({ heldBack }) => heldBack.size > 0);

/** Find the apps behind tokens that were refused: ended ones, and those of grants that have used up their rate. */
async function learnWhose(it: RequestLog, unknown: RequestLog["unknown"]) {
  if (unknown.length === 0) return;
  const tokens = new Map(unknown.map(({ tokenHash }) => [tokenHash.toString("latin1"), tokenHash]));
  const grants = await grantsOf([...tokens.values()]);
  for (const { tokenHash, request } of unknown) {
    const grant = grants.get(tokenHash.toString("latin1"));
    if (grant) list(it, grant, request);
  }
}

/** Nobody waits for these to reach the disk. Times are told as ages: the clock that counts is the database's. */
async function write(due: Listed[]) {
  const now = Date.now();
  const requested = due.map(({ request: { at, ms, ...rest }, whose: { ownerId, appId }, more }) => ({
    ...rest,
    ownerId,
    appId,
    more,
    ms: Math.max(0, Math.round(ms)),
    age: Math.max(0, now - at) / 1000,
  }));
  await sql`WITH soon AS (SELECT set_config('synchronous_commit', 'off', true) AS set)
    INSERT INTO api_request (id, owner_id, app_id, method, path, status, ms, warnings, more, created_at)
    SELECT r.id, r."ownerId", r."appId", r.method, r.path, r.status, r.ms, r.warnings, r.more, now() - make_interval(secs => r.age)
    FROM soon, json_to_recordset(${JSON.stringify(requested)}::json) AS r(id text, "ownerId" text, "appId" text, method text, path text,
      status int, ms int, warnings text[], more int, age float8)
    WHERE soon.set = 'off' ON CONFLICT DO NOTHING`.run();
}
