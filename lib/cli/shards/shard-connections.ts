import type pg from "pg";
import { env } from "@/lib/config/env";
import { type Shard, shards } from "@/lib/database/shards/shard-map";
import { reasonOf } from "@/lib/postgres/connection-check";
import { withClient } from "@/lib/postgres/with-client";
import { OperatorError } from "../command";

/** The name of the commands' connections. */
const named = { application_name: "countersign shards" };

/** Returns a shard's address without a router or pooler. */
export const directUrlOf = ({ directUrl, url }: Pick<Shard, "directUrl" | "url">): string =>
  directUrl ?? url ?? env().directUrl;

/**
 * Runs work on a separate connection to a shard, without the time limits of requests.
 * @throws {OperatorError} if the shard is unavailable
 */
export async function onShard<T>(name: string, url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  let isOpen = false;
  try {
    return await withClient(
      url,
      async (client) => {
        isOpen = true;
        await client.query(
          "SET search_path = public; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0",
        );
        return work(client);
      },
      named,
    );
  } catch (error) {
    if (isOpen) throw error;
    throw new OperatorError(
      `The shard ${name} is unavailable: ${reasonOf(error)}. Start its PostgreSQL, then try again.`,
    );
  }
}

/**
 * Keeps out commands that change shards, for as long as the connection is open. Several connections
 * can have the shared lock.
 * @returns whether no such command is running
 */
export async function lockShards(directory: pg.Client, mode: "alone" | "shared" = "alone"): Promise<boolean> {
  const { rows } = await directory.query<{ mine: boolean }>(
    `SELECT pg_try_advisory_lock${mode === "shared" ? "_shared" : ""}(4600310) AS mine`,
  );
  return rows[0]?.mine === true;
}

/** Runs work in the directory while no other command changes shards. */
export const inDirectoryAlone = <T>(work: (directory: pg.Client) => Promise<T>): Promise<T> =>
  onShard("main", env().directUrl, async (directory) => {
    if (!(await lockShards(directory)))
      throw new OperatorError(
        "Another command is changing the shards or applying migrations. Wait until it has ended.",
      );
    return work(directory);
  });

/**
 * Returns an added shard.
 * @throws {OperatorError} if there is none with this name
 */
export function addedShard(name: string): Shard {
  const found = shards().find((shard) => shard.name === name);
  if (found) return found;
  throw new OperatorError(
    `No shard is named ${name}. The shards are ${shards()
      .map((shard) => shard.name)
      .join(", ")}. Add a shard with "shards add".`,
  );
}

/** Writes a line of progress for the person who is watching the command. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);
