import pg from "pg";

/*
 * The database connections that concurrent work uses, and which of them wait for locks. PostgreSQL
 * reports the beginning of a wait in a notice, so nothing needs to poll.
 */

/** A part of concurrent work whose statements are watched. */
export type User = {
  /** Is called when the user sends a statement, and when its connection has no more statements. */
  noteStatement(): void;
  /** Is called when a statement of the user begins to wait for a lock. */
  noteLockWait(): void;
};

/** A connection. Its user is the last one that sent a statement. */
type Connection = { user: User; isBusy: boolean; waits: boolean };

/** Makes PostgreSQL report each wait for a lock after 4 ms, once it has looked for a deadlock. */
const reportLockWaits = "SET deadlock_timeout = '4ms'; SET log_lock_waits = on; SET client_min_messages = log";

const connections = new Map<pg.Client & { processID: number }, Connection>();
let observer: pg.Pool | undefined;

/** Returns the connections with statements that a user sent and PostgreSQL has not finished. */
export const busyConnections = (user: User): Connection[] =>
  [...connections.values()].filter((each) => each.isBusy && each.user === user);

/** Asks PostgreSQL which statements of these users wait for locks now. */
export async function findLockWaits(users: readonly User[]): Promise<void> {
  const busy = [...connections].filter(([, { isBusy, user }]) => isBusy && users.includes(user));
  if (busy.length === 0) return;
  const { rows } = await observer!.query<{ pid: number }>({
    name: "waits",
    text: "SELECT pid FROM unnest($1::int[]) AS u (pid) WHERE pg_blocking_pids(pid) <> '{}'",
    values: [busy.map(([{ processID }]) => processID)],
  });
  for (const [{ processID }, connection] of busy)
    connection.waits = connection.isBusy && rows.some(({ pid }) => pid === processID);
}

/**
 * Watches the connections of all users.
 * @param currentUser returns the user whose work runs now, if any
 * @returns a function that stops watching
 */
export function watchConnections(connectionString: string, currentUser: () => User | undefined): () => Promise<void> {
  const { query } = pg.Client.prototype;
  observer = new pg.Pool({ connectionString, max: 2 });
  pg.Client.prototype.query = function (this: pg.Client & { processID: number }, ...given: never[]) {
    const user = currentUser();
    if (user) {
      const connection = connections.get(this) ?? watch(this, user);
      Object.assign(connection, { user, isBusy: true });
      user.noteStatement();
    }
    return query.apply(this, given as never) as never;
  } as typeof query;

  function watch(client: pg.Client & { processID: number }, user: User): Connection {
    const connection = { user, isBusy: false, waits: false };
    connections.set(client, connection);
    // If it fails, so does the statement after it.
    Promise.resolve(query.apply(client, [reportLockWaits] as never)).catch(() => {});
    client.on("notice", ({ message = "" }) => {
      if (!/^process \d+ (still waiting|acquired)/.test(message)) return;
      connection.waits = message.includes("still waiting");
      if (connection.waits) connection.user.noteLockWait();
    });
    client.on("drain", () => {
      Object.assign(connection, { isBusy: false, waits: false });
      connection.user.noteStatement();
    });
    client.on("end", () => connections.delete(client));
    return connection;
  }

  return async () => {
    pg.Client.prototype.query = query;
    connections.clear();
    await observer?.end();
  };
}
