import type { AppActor } from "@/lib/actor";
import { pool } from "@/lib/db";
import { log } from "@/lib/log";

/** Requests are written down about a second later, so many of one grant at once and so many a second after that. */
const flushEveryMs = 1_000;
const [burst, perSecond] = [200, 0.2];
/** Beyond these many that wait, no more are noted: neither a database that is away nor made-up tokens fill the memory. */
const [mostListed, mostKinds, mostGrants] = [10_000, 2_000, 50_000];

/** One request as its developer reads of it: no body, no query, no token. */
export type NotedRequest = {
  /** What `X-Request-Id` says. */
  id: string;
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
type Whose = { ownerId: string; appId: string };
type Listed = NotedRequest & Whose & { more: number };
/** Those of one kind for which there was no room in the list: the latest, and how many there were. */
type HeldBack = { grantId: string; latest: Listed };

type RequestLog = {
  listed: Listed[];
  heldBack: Map<string, HeldBack>;
  /** Requests that were refused before it was known whose they are, by token. */
  unknown: { tokenHash: Buffer; request: NotedRequest }[];
  /** Room in the list for each grant: well-answered requests and refused ones apart, so that neither hides the other. */
  room: Map<string, { left: number; at: number }>;
  dropped: number;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
};

// On globalThis because server.ts and Next's bundle each load their own copy of this module; the process keeps one list.
const shared = globalThis as typeof globalThis & { countersignRequests?: RequestLog };
const requests = (): RequestLog =>
  (shared.countersignRequests ??= {
    ...{ listed: [], heldBack: new Map(), unknown: [], room: new Map() },
    ...{ dropped: 0, timer: undefined, writing: Promise.resolve() },
  });

/**
 * Note a request that was answered, for the developer's list. It costs no query. Whose it is follows from the grant that
 * admitted it; where none did, from the token, if we ever issued it; otherwise it is nobody's to read of.
 */
export function noteRequest(app: AppActor, request: NotedRequest): void {
  const it = requests();
  if (app.admitted) list(it, app.admitted.grantId, { ...request, ...whose(app.admitted), more: 0 });
  else if (it.unknown.length < mostKinds) it.unknown.push({ tokenHash: app.tokenHash, request });
  else it.dropped++;
  it.timer ??= setTimeout(() => void flush(false), flushEveryMs).unref();
}

const whose = ({ ownerId, appId }: Whose) => ({ ownerId, appId });

/** Into the list while there is room for this grant, else counted with those of its kind. */
function list(it: RequestLog, grantId: string, request: Listed) {
  if (it.listed.length < mostListed && takeRoom(it, grantId, request)) {
    it.listed.push(request);
    return;
  }
  const kind = `${grantId} ${request.method} ${request.path} ${request.status}`;
  const held = it.heldBack.get(kind);
  if (held) {
    request.more = held.latest.more + 1;
    held.latest = request;
  } else if (it.heldBack.size < mostKinds) it.heldBack.set(kind, { grantId, latest: request });
  else it.dropped++;
}

function takeRoom(it: RequestLog, grantId: string, { status }: NotedRequest): boolean {
  const key = status < 400 ? grantId : `${grantId} refused`;
  const now = performance.now();
  let room = it.room.get(key);
  if (!room) {
    if (it.room.size >= mostGrants) it.room.clear();
    it.room.set(key, (room = { left: burst, at: now }));
  }
  room.left = Math.min(burst, room.left + ((now - room.at) / 1000) * perSecond);
  room.at = now;
  if (room.left < 1) return false;
  room.left--;
  return true;
}

/** Write down every request noted so far. For draining; never throws. */
export const flushRequests = (): Promise<void> => flush(true);

function flush(all: boolean): Promise<void> {
  const it = requests();
  clearTimeout(it.timer);
  it.timer = undefined;
  it.writing = it.writing.then(() => writeDue(it, all));
  return it.writing;
}

async function writeDue(it: RequestLog, all: boolean) {
  const [unknown, dropped] = [it.unknown, it.dropped];
  Object.assign(it, { unknown: [], dropped: 0 });
  let due: Listed[] = [];
  try {
    await learnWhose(it, unknown);
    for (const [kind, { grantId, latest }] of it.heldBack) {
      if (!all && !takeRoom(it, grantId, latest)) continue;
      it.heldBack.delete(kind);
      it.listed.push(latest);
    }
    due = it.listed;
    it.listed = [];
    if (due.length > 0) await write(due);
    if (dropped > 0) log.warn("requests are missing from the developers' list", { count: dropped });
  } catch (error) {
    // A list of what was asked is worth less than the memory of an outage.
    const count = dropped + due.reduce((sum, { more }) => sum + more + 1, due.length === 0 ? unknown.length : 0);
    log.warn("requests are missing from the developers' list", { count, reason: String(error) });
  }
  const waits = it.listed.length + it.heldBack.size + it.unknown.length > 0;
  if (waits) it.timer ??= setTimeout(() => void flush(false), flushEveryMs).unref();
}

/** Find the apps behind tokens that were refused: ended ones, and those of grants that have used up their rate. */
async function learnWhose(it: RequestLog, unknown: RequestLog["unknown"]) {
  if (unknown.length === 0) return;
  const hashes = [...new Map(unknown.map(({ tokenHash }) => [tokenHash.toString("latin1"), tokenHash])).values()];
  const { rows } = await pool().query<Whose & { hash: Buffer; grantId: string }>({
    name: "requesting-tokens",
    text: `SELECT t.hash, g.id AS "grantId", g.owner_id AS "ownerId", g.app_id AS "appId"
      FROM token t JOIN app_grant g ON g.id = t.grant_id WHERE t.hash = ANY ($1)`,
    values: [hashes],
  });
  const grants = new Map(rows.map(({ hash, ...grant }) => [hash.toString("latin1"), grant]));
  for (const { tokenHash, request } of unknown) {
    const grant = grants.get(tokenHash.toString("latin1"));
    if (grant) list(it, grant.grantId, { ...request, ...whose(grant), more: 0 });
  }
}

/** Nobody waits for these to reach the disk. Times are told as ages: the clock that counts is the database's. */
async function write(due: Listed[]) {
  const now = Date.now();
  const rows = due.map(({ at, ms, warnings, ...rest }) => ({
    ...rest,
    ms: Math.max(0, Math.round(ms)),
    warnings,
    age: Math.max(0, now - at) / 1000,
  }));
  await pool().query({
    name: "list-requests",
    text: `WITH soon AS (SELECT set_config('synchronous_commit', 'off', true) AS set)
      INSERT INTO api_request (id, owner_id, app_id, method, path, status, ms, warnings, more, created_at)
      SELECT r.id, r."ownerId", r."appId", r.method, r.path, r.status, r.ms, r.warnings, r.more, now() - make_interval(secs => r.age)
      FROM soon, json_to_recordset($1::json) AS r(id text, "ownerId" text, "appId" text, method text, path text, status int,
        ms int, warnings text[], more int, age float8)
      WHERE soon.set = 'off' ON CONFLICT DO NOTHING`,
    values: [JSON.stringify(rows)],
  });
}
