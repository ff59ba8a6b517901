import { createHmac } from "node:crypto";
import type pg from "pg";
import { inClientTransaction } from "@/lib/database/transaction";
import { withClient } from "./with-client";

/**
 * Whom the service is to its embedded database: it reads and writes rows and can do nothing else. The superuser owns the tables,
 * migrates them, and is used for nothing more, so that nobody who gets at the service's statements can pass the triggers that
 * keep the log as it was written.
 */
export const serviceRole = "countersign_service";

/** Derived from the superuser's password, to which it is no way back (HMAC-SHA-256). */
export const servicePassword = (superuserPassword: string): string =>
  createHmac("sha256", superuserPassword).update(serviceRole).digest("base64url");

/** Two copies that change one role at once fail. */
const lock = "SELECT pg_advisory_xact_lock(4600203)";

/** Make the role, or give it its password again. @param client the superuser's, in any database of the cluster */
export async function makeServiceRole(client: pg.ClientBase, password: string): Promise<void> {
  await inTurn(client, async () => {
    const { rows } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [serviceRole]);
    const plain = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";
    await client.query(`${rows.length > 0 ? "ALTER" : "CREATE"} ROLE ${serviceRole} ${plain} PASSWORD '${password}'`);
  });
}

/** Of the log of events it may read and write what is new, and of what the operator keeps for how long nothing. */
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

/** Let it use the tables that migrations have made. @param ownerUrl the superuser's address of the service's database */
export const grantToService = (ownerUrl: string): Promise<void> =>
  withClient(ownerUrl, (client) =>
    inTurn(client, async () => {
      const { rows } = await client.query(
        `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT has_table_privilege($1, oid, 'SELECT') LIMIT 1`,
        [serviceRole],
      );
      if (rows.length > 0) await client.query(rights);
    }),
  );

const inTurn = (client: pg.ClientBase, work: () => Promise<void>) =>
  inClientTransaction(client, work, { begin: `BEGIN; ${lock}` });
