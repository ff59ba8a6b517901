import type pg from "pg";
import { FailoverClient } from "@/lib/database/failover-client";

/** Runs work with a separate connection, and closes it. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  config: pg.ClientConfig = {},
): Promise<T> {
  const client = new FailoverClient({ connectionString: url, connectionTimeoutMillis: 5000, ...config });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
