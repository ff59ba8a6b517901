import pg from "pg";

/**
 * Tables with an owner whose rows other owners' rows refer to. Every owner can connect an app, and
 * an endpoint receives the events of all owners of its app.
 */
const shared = ["app", "webhook_endpoint"];

const foreignKeys = `
  SELECT k.conname AS name, k.conrelid::regclass::text AS child, c.attname AS column,
    k.confrelid::regclass::text AS parent, p.attname AS key
  FROM pg_constraint k
    JOIN pg_attribute c ON c.attrelid = k.conrelid AND k.conkey = ARRAY[c.attnum]
    JOIN pg_attribute p ON p.attrelid = k.confrelid AND k.confkey = ARRAY[p.attnum]
  WHERE k.contype = 'f'
    AND k.confrelid::regclass::text <> ALL ($1)
    AND 2 = (
      SELECT count(*) FROM pg_attribute o WHERE o.attrelid IN (k.conrelid, k.confrelid) AND o.attname = 'owner_id'
    )`;

type ForeignKey = { name: string; child: string; column: string; parent: string; key: string };

/**
 * Finds rows whose owner is not the owner of the row that they refer to. A row of a grant, for
 * example, names its owner as the grant does, and no constraint compares the two.
 * @returns the foreign keys of such rows, each with the number of rows
 */
export async function contradictingOwners(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const keys = await client.query<ForeignKey>(foreignKeys, [shared]);
    const counts = keys.rows.map(
      ({ name, child, column, parent, key }) =>
        `SELECT '${name}' AS name, count(*)::int AS rows FROM ${child} c JOIN ${parent} p ON p.${key} = c.${column}
         WHERE c.owner_id IS DISTINCT FROM p.owner_id`,
    );
    const found = await client.query<{ name: string; rows: number }>(counts.join(" UNION ALL "));
    return found.rows.filter(({ rows }) => rows > 0).map(({ name, rows }) => `${name}: ${rows}`);
  } finally {
    await client.end();
  }
}
