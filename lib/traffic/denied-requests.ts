import type { AppActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { change } from "@/lib/events/change-transaction";
import { type NewEvent, record } from "@/lib/events/record-events";
import { grantsOf, type TokenGrant } from "@/lib/grants/token-store";
import { processSingleton } from "@/lib/work/process-singleton";
import { writeBehind } from "@/lib/work/write-behind";
import { writeByOwner } from "./write-by-owner";

/**
 * The minimum intervals in milliseconds: between writes, and between writes of the same kind, which
 * have the same grant, status, operation and scope.
 */
const flushEveryMs = 2_000;
const kindEveryMs = 60_000;
/**
 * The maximum number of pending kinds. Further ones are not recorded, so that forged tokens can't
 * fill the memory.
 */
const maxEntries = 5_000;

/** The statuses that an owner should know about. */
const recordedStatuses = new Set([401, 403, 409, 429]);

type Refusal = { tokenHash: Buffer; status: number; operation: string; scope: string; count: number };
/** A denied request of a known app. */
type AttributedRefusal = Omit<Refusal, "tokenHash"> & { grant: TokenGrant };

type Refusals = {
  /** Requests whose grant has not been looked up yet, by token, status, operation and scope. */
  noted: Map<string, Refusal>;
  /** Requests that have not been written yet, by grant, status, operation and scope. */
  known: Map<string, AttributedRefusal>;
  /** The last write time of each kind. */
  written: Map<string, number>;
};

const refusals = processSingleton<Refusals>("refusals", () => ({
  noted: new Map(),
  known: new Map(),
  written: new Map(),
}));
const writing = processSingleton("recording rejected requests", () =>
  writeBehind({
    every: flushEveryMs,
    problem: "could not record rejected requests; the service will retry",
    write: writeDue,
  }),
);

/**
 * Records a denied request for the activity of the app's owner. Sends no query, because the grant
 * is looked up later.
 * @param scope the missing scope, or "" if none was missing
 */
export function recordDeniedRequest(
  app: AppActor,
  status: number,
  operation: string,
  scope: string = app.needs ?? "",
): void {
  if (!recordedStatuses.has(status)) return;
  const it = refusals();
  const key = `${app.tokenHash.toString("latin1")} ${status} ${operation} ${scope}`;
  const before = it.noted.get(key);
  if (before) before.count++;
  else if (it.noted.size < maxEntries) {
    it.noted.set(key, { tokenHash: app.tokenHash, status, operation, scope, count: 1 });
  }
  writing().markDirty();
}

/** Writes all denied requests now, before the process ends. Never throws. */
export const flushDeniedRequests = (): Promise<void> => writing().flush();

/** Writes the requests that are due, and keeps those that can't be written. */
async function writeDue(all: boolean): Promise<boolean> {
  const it = refusals();
  await lookUpGrants(it);
  const now = clock.now();
  for (const [key, writtenAt] of it.written) if (now - writtenAt >= kindEveryMs) it.written.delete(key);
  const due = [...it.known].filter(([key]) => all || !it.written.has(key));
  const unwritten = new Set<AttributedRefusal>();
  try {
    await write(
      due.map(([, refusal]) => refusal),
      (some) => {
        for (const refusal of some) unwritten.add(refusal);
      },
    );
  } finally {
    for (const [key, refusal] of due) {
      if (unwritten.has(refusal)) continue;
      it.known.delete(key);
      it.written.set(key, now);
    }
  }
  return it.noted.size + it.known.size > 0;
}

/** Looks up the grants of the tokens. Drops requests with a token that was never issued. */
async function lookUpGrants(state: Refusals) {
  const keys = [...state.noted.keys()];
  if (keys.length === 0) return;
  const grants = await grantsOf([...state.noted.values()].map(({ tokenHash }) => tokenHash));
  // Deletes only what was looked up, because more may have been added since.
  for (const key of keys) {
    const { tokenHash, ...refusal } = state.noted.get(key) as Refusal;
    state.noted.delete(key);
    const grant = grants.get(tokenHash.toString("latin1"));
    if (grant) add(state, { ...refusal, grant });
  }
}

function add(state: Refusals, refusal: AttributedRefusal) {
  const key = `${refusal.grant.grantId} ${refusal.status} ${refusal.operation} ${refusal.scope}`;
  const before = state.known.get(key);
  if (before) before.count += refusal.count;
  else state.known.set(key, refusal);
}

const write = (due: AttributedRefusal[], keep: (some: AttributedRefusal[]) => void) =>
  writeByOwner(
    due,
    ({ grant }) => grant.ownerId,
    (some) => change(null, (tx) => record(tx, ...some.map(asEvent))),
    keep,
  );

const asEvent = ({ grant, status, operation, scope, count }: AttributedRefusal): NewEvent => ({
  ownerId: grant.ownerId,
  appId: grant.appId,
  type: "app.refused",
  subject: grant.grantId,
  data: {
    status,
    operation,
    count,
    token: grant.last4,
    ...(scope && { scope }),
    ...(status === 401 && grant.reason && { reason: grant.reason }),
  },
});
