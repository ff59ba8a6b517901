import { env } from "@/lib/config/env";
import { pool } from "@/lib/database/db";
import { shardOfOwner } from "@/lib/database/shards/each-shard";
import { shardNumbered } from "@/lib/database/shards/shard-map";

/** Returns the connection string of the database that stores an owner. */
export const urlOf = ({ ownerId }: { ownerId: string }): string =>
  shardNumbered(shardOfOwner(ownerId)).url ?? env().databaseUrl;

/** Returns the service's pool of the database that stores an owner. */
export const poolOf = ({ ownerId }: { ownerId: string }) => pool(shardOfOwner(ownerId));
