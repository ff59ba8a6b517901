import type { AppActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { sql } from "@/lib/database/sql";
import { grantsOf } from "@/lib/grants/token-store";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/work/process-singleton";
import { writeBehind } from "@/lib/work/write-behind";
import { writeByOwner } from "./write-by-owner";

/**
 * The interval between writes in milliseconds, and the limit per grant: a burst of requests, and
 * then requests per second.
 */
const flushEveryMs = 1_000;
const [burst, perSecond] = [200, 0.2];
/**
 * The maximum numbers of pending requests, of pending requests with an unknown app, and of grants.
 * Without these limits, an unavailable database or forged tokens could fill the memory.
 */
const [maxListed, maxUnknown, maxGrants] = [10_000, 2_000, 5_000];

/** A request as its developer sees it, without its body, query and token. */
export type NotedRequest = {
  /** The value of `X-Request-Id`. */
  id: string;
  /** The operation's name. Requests with the same operation and status are of the same kind. */
  operation: string;
  method: string;
  /** The declared path, without IDs and query. */
  path: string;
  status: number;
  /** The time from arrival to response, in milliseconds. */
  ms: number;
  warnings: readonly string[];
  /**
   * When the request arrived, in epoch milliseconds by this instance's clock. The database gets the
   * request's age instead.
   */
  at: number;
};
type Listed = { request: NotedRequest; grant: GrantOwner; more: number };
type GrantOwner = { readonly grantId: string; readonly ownerId: string; readonly appId: string };

/** A grant's room in the log, and the latest request of each kind that did not fit. */
type OfGrant = {
  /** Successful and failed requests have separate room, so that neither hides the other. */
  well: Room;
  refused: Room;
  /** The latest request by operation and status. `more` counts the earlier ones. */
  heldBack: Map<string, Map<number, Listed>>;
};
/** How many more requests a grant could log at the time `at`, in epoch milliseconds. */
type Room = { left: number; at: number };

type RequestLog = {
  listed: Listed[];
  grants: Map<string, OfGrant>;
  /** Requests that were denied before their app was known, with their token's hash. */
  unknown: { tokenHash: Buffer; request: NotedRequest }[];
  dropped: number;
};

const requests = processSingleton<RequestLog>("requests", () => ({
  listed: [],
  grants: new Map(),
  unknown: [],
  dropped: 0,
}));
const missing = "could not record some requests in the request log";
const writing = processSingleton("writing requests", () =>
  writeBehind({ every: flushEveryMs, problem: missing, write: writeDue }),
);

/**
 * Records a request in memory after its response, for the developer's log. Its grant is the one
 * that authorized it or, if none did, its token's grant. A request with a forged token is dropped
 * later.
 */
export function noteRequest(app: AppActor, request: NotedRequest): void {
  const it = requests();
  if (app.admitted) list(it, app.admitted, request);
  else if (it.unknown.length < maxUnknown) it.unknown.push({ tokenHash: app.tokenHash, request });
  else it.dropped++;
  writing().markDirty();
}

/**
 * Adds a request to the log if its grant has room. Otherwise, keeps the latest request of each kind
 * until there is room, and counts the earlier ones.
 */
function list(state: RequestLog, grantOwner: GrantOwner, request: NotedRequest) {
  const grant = state.grants.get(grantOwner.grantId) ?? begin(state, grantOwner.grantId, request.at);
  const room = request.status < 400 ? grant.well : grant.refused;
  if (state.listed.length < maxListed && takeRoom(room, request.at)) {
    state.listed.push({ request, grant: grantOwner, more: 0 });
    return;
  }
  let ofKind = grant.heldBack.get(request.operation);
  if (!ofKind) grant.heldBack.set(request.operation, (ofKind = new Map()));
  const held = ofKind.get(request.status);
  if (held) {
    held.request = request;
    held.more++;
  } else ofKind.set(request.status, { request, grant: grantOwner, more: 0 });
}

/**
 * Creates a grant's state. If there are too many grants, first drops those without held-back
 * requests, which then start with a full burst again.
 */
function begin(state: RequestLog, grantId: string, requestedAt: number): OfGrant {
  if (state.grants.size >= maxGrants)
    for (const [id, { heldBack }] of state.grants) if (heldBack.size === 0) state.grants.delete(id);
  const grant = {
    well: { left: burst, at: requestedAt },
    refused: { left: burst, at: requestedAt },
    heldBack: new Map(),
  };
  state.grants.set(grantId, grant);
  return grant;
}

function takeRoom(room: Room, now: number): boolean {
  room.left = Math.min(burst, room.left + (Math.max(0, now - room.at) / 1000) * perSecond);
  room.at = now;
  if (room.left < 1) return false;
  room.left--;
  return true;
}

/** Writes all requests now, before the process ends. Never throws. */
export const flushRequests = (): Promise<void> => writing().flush();

async function writeDue(all: boolean): Promise<boolean> {
  const it = requests();
  const [unknown, dropped] = [it.unknown, it.dropped];
  Object.assign(it, { unknown: [], dropped: 0 });
  let due: Listed[] = [];
  const lost: Listed[] = [];
  try {
    await lookUpGrants(it, unknown);
    listHeldBack(it, all);
    due = it.listed;
    it.listed = [];
    await writeByOwner(
      due,
      ({ grant }) => grant.ownerId,
      (some) => write(some),
      (some) => lost.push(...some),
    );
    if (dropped > 0) log.warn(missing, { count: dropped });
  } catch (error) {
    // Drops these requests, because they would fill the memory during an outage.
    const count = dropped + lost.reduce((sum, { more }) => sum + more + 1, due.length === 0 ? unknown.length : 0);
    log.warn(missing, { count, reason: String(error) });
  }
  return it.listed.length + it.unknown.length > 0 || anyHeldBack(it);
}

/** Adds held-back requests to the log once there is room. */
function listHeldBack(state: RequestLog, all: boolean) {
  const now = clock.now();
  for (const { well, refused, heldBack } of state.grants.values()) {
    for (const [operation, ofKind] of heldBack) {
      for (const [status, held] of ofKind) {
        if (!all && !takeRoom(status < 400 ? well : refused, now)) continue;
        ofKind.delete(status);
        state.listed.push(held);
      }
      if (ofKind.size === 0) heldBack.delete(operation);
    }
  }
}

const anyHeldBack = (state: RequestLog) => [...state.grants.values()].some(({ heldBack }) => heldBack.size > 0);

/** Looks up the grants of denied tokens, which may have expired or exceeded a rate limit. */
async function lookUpGrants(state: RequestLog, unknown: RequestLog["unknown"]) {
  if (unknown.length === 0) return;
  const tokens = new Map(unknown.map(({ tokenHash }) => [tokenHash.toString("latin1"), tokenHash]));
  const grants = await grantsOf([...tokens.values()]);
  for (const { tokenHash, request } of unknown) {
    const grant = grants.get(tokenHash.toString("latin1"));
    if (grant) list(state, grant, request);
  }
}

/**
 * Writes requests without waiting for the disk. Passes each request's age, because only the
 * database's clock is used for times.
 */
async function write(due: Listed[]) {
  const now = clock.now();
  const requested = due.map(({ request: { at, ms, ...rest }, grant: { ownerId, appId }, more }) => ({
    ...rest,
    ownerId,
    appId,
    more,
    ms: Math.max(0, Math.round(ms)),
    age: Math.max(0, now - at) / 1000,
  }));
  await sql`
    WITH soon AS (SELECT set_config('synchronous_commit', 'off', true) AS set)
    INSERT INTO api_request (
      id, owner_id, app_id, method, path, status, ms, warnings, more, created_at
    )
    SELECT r.id, r."ownerId", r."appId", r.method, r.path, r.status, r.ms, r.warnings, r.more,
      now() - make_interval(secs => r.age)
    FROM soon,
      json_to_recordset(${JSON.stringify(requested)}::"json") AS r(
        id text, "ownerId" text, "appId" text, method text, path text, status int, ms int,
        warnings text[], more int, age float8
      )
    WHERE soon.set = 'off'
    ON CONFLICT DO NOTHING`.run();
}
