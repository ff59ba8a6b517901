import pg from "pg";

/** A prepared statement with the values of one call. */
export type Recorded = { name: string; text: string; values: unknown[] };

/** Runs `work` and returns the prepared statements that it sent to PostgreSQL. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Recorded[]> {
  const { query } = pg.Client.prototype;
  const recorded: Recorded[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
    const [statement] = given as unknown as [Partial<Recorded>];
    const { name, text, values = [] } = statement;
    if (name && text) recorded.push({ name, text, values });
    return query.apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return recorded;
}

/** Returns the call's values with another ID in place of `id`. */
export const withId = ({ values }: Recorded, id: string, other: string) =>
  values.map((value) => (value === id ? other : value));
