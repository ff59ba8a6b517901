import type pg from "pg";

/**
 * Returns what a PostgreSQL lacks for shards and moves, as sentences for the operator.
 * @param name the shard's name
 */
export async function missingRequirements(client: pg.ClientBase, name: string): Promise<string[]> {
  const { rows } = await client.query<{ version: number; wal: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('wal_level') AS wal",
  );
  const { version, wal } = rows[0]!;
  const missing: string[] = [];
  if (version < 160000) return [`The shard ${name} needs PostgreSQL 16 or later.`];
  if (wal !== "logical")
    missing.push(`Set wal_level = logical in postgresql.conf of the shard ${name}, and restart its PostgreSQL.`);
  const { rows: rights } = await client.query<Record<"role" | "database", string> & Record<Right, boolean>>(
    `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       rolsuper OR rolreplication AS replication,
       rolsuper OR pg_has_role('pg_create_subscription', 'MEMBER') AS subscription,
       has_parameter_privilege('session_replication_role', 'SET') AS parameter,
       has_database_privilege(current_database(), 'CREATE') AS creation
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { role, database, ...has } = rights[0]!;
  const grants: Record<Right, string> = {
    replication: `ALTER ROLE ${role} REPLICATION`,
    subscription: `GRANT pg_create_subscription TO ${role}`,
    parameter: `GRANT SET ON PARAMETER session_replication_role TO ${role}`,
    creation: `GRANT CREATE ON DATABASE ${database} TO ${role}`,
  };
  for (const right of Object.keys(grants) as Right[])
    if (!has[right]) missing.push(`On the shard ${name}, run as a superuser: ${grants[right]}`);
  return missing;
}

type Right = "replication" | "subscription" | "parameter" | "creation";
