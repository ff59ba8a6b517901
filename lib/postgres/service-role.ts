import { createHmac } from "node:crypto";
import type pg from "pg";
import { inClientTransaction } from "@/lib/database/transaction";
import { withClient } from "./with-client";

/**
 * The service's role in its embedded database, which can only read and write rows. Someone who
 * controls the service's statements therefore can't bypass the triggers that protect the log. The
 * superuser owns the tables, and is used only for migrations.
 */
export const serviceRole = "countersign_service";

/**
 * Returns the role's password, which is derived irreversibly from the superuser's (HMAC-SHA-256).
 */
export const servicePassword = (superuserPassword: string): string =>
  createHmac("sha256", superuserPassword).update(serviceRole).digest("base64url");

/** Serializes changes of the role, because concurrent ones would fail. */
const lock = "SELECT pg_advisory_xact_lock(4600203)";

/**
 * Creates the role or, if it exists, sets its password.
 * @param client the superuser's client, in any database of the cluster
 */
export async function makeServiceRole(client: pg.ClientBase, password: string): Promise<void> {
  await inTurn(client, async () => {
    const { rows } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [serviceRole]);
    const plain = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";
    await client.query(`${rows.length > 0 ? "ALTER" : "CREATE"} ROLE ${serviceRole} ${plain} PASSWORD '${password}'`);
  });
}

/** The role may read the event log and append to it, but not change the operator's retention. */
const rights = `
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${serviceRole};
  GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${serviceRole};
  GRANT UPDATE ON SEQUENCE event_fence TO ${serviceRole};
  REVOKE UPDATE, DELETE ON event FROM ${serviceRole};
  DO $$ DECLARE part regclass; BEGIN
    FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'event'::regclass LOOP
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %s FROM ${serviceRole}', part);
    END LOOP;
  END $$;
  REVOKE INSERT, UPDATE, DELETE ON retention FROM ${serviceRole};
  GRANT UPDATE (archived_upto) ON retention TO ${serviceRole};
  REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${serviceRole}`;

/**
 * Grants access to tables that migrations have created.
 * @param ownerUrl the superuser's URL of the service's database
 */
export const grantToService = (ownerUrl: string): Promise<void> =>
  withClient(ownerUrl, (client) =>
    inTurn(client, async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_class
         WHERE relnamespace = 'public'::regnamespace
           AND relkind IN ('r', 'p', 'v', 'm', 'S')
           AND NOT has_table_privilege($1, oid, 'SELECT')
         LIMIT 1`,
        [serviceRole],
      );
      if (rows.length > 0) await client.query(rights);
    }),
  );

const inTurn = (client: pg.ClientBase, work: () => Promise<void>) =>
  inClientTransaction(client, work, { begin: `BEGIN; ${lock}` });
