import pg from "pg";

/** Every row of every table as text, with bytes in hex. */
export async function dumpDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const dump: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`SELECT it::text AS line FROM ${name} AS it`);
      dump.push(name, ...rows.map(({ line }) => line));
    }
    return dump.join("\n");
  } finally {
    await client.end();
  }
}
