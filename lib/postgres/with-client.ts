import type pg from "pg";
import { DatabaseClient } from "@/lib/net/database-hosts";

/** Do something on a connection of its own, which ends with that. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  config: pg.ClientConfig = {},
): Promise<T> {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 5000, ...config });
  // What ends it is thrown by what is under way.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
