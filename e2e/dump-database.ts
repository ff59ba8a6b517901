import pg from "pg";

/** Every row of every table of all databases as text, with bytes in hex. */
export async function dumpDatabase(): Promise<string> {
  const shards = (process.env.SHARDS ?? "").split(" ").filter((shard) => shard !== "");
  const urls = [process.env.DATABASE_URL ?? "", ...shards.map((shard) => shard.slice(shard.indexOf("=") + 1))];
  return (await Promise.all(urls.map(dump))).join("\n");
}

async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`SELECT it::text AS line FROM ${name} AS it`);
      lines.push(name, ...rows.map(({ line }) => line));
    }
    return lines.join("\n");
  } finally {
    await client.end();
  }
}
