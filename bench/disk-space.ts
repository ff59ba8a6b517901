import pg from "pg";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { resetEnv } from "@/lib/config/env";
import { closeDb } from "@/lib/database/db";
import { closePubsub } from "@/lib/events/pubsub";
import { migrate } from "@/lib/postgres/migrations";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { aQuestion } from "@/lib/testing/sample-question";
import { sendAll } from "@/lib/testing/send-due-webhooks";
import { inDatabase, query, throwawayPostgres } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { secret } from "./benchmark-servers";

/*
 * `npm run bench:sizes`: the disk space of one approval that was asked, answered and delivered by a
 * webhook. It prints the size by table, for docs/operations.md. Webhook rows are deleted after
 * seven days.
 */
const count = 10_000;
const { url, end } = await throwawayPostgres();
await query(url, "CREATE DATABASE sizes");
const address = inDatabase(url, "sizes");
await migrate(address);
const receiver = await aReceiver();
Object.assign(process.env, {
  DATABASE_URL: address,
  SECRET: secret,
  PUBLIC_URL: "http://localhost:3000",
  MAX_PENDING: "0",
});
resetEnv();
sendingTo([receiver.origin]);

const hooked = await aHookedApp(receiver.origin);
const sql = new pg.Client({ connectionString: address });
await sql.connect();
const sizes = async () => {
  await sql.query("VACUUM ANALYZE");
  const { rows } = await sql.query<{ name: string; rows: string; table: number; indexes: number }>(
    `SELECT c.relname AS name, pg_table_size(c.oid)::int AS table, pg_indexes_size(c.oid)::int AS indexes
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows;
};
const before = new Map((await sizes()).map((it) => [it.name, it]));
for (let done = 0; done < count; done += 100)
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      const { id } = await submitApproval({ ...hooked.app, needs: "approvals:write" }, aQuestion);
      await resolveApproval(hooked.owner, id, { kind: "option", optionId: "ship" });
    }),
  );
await sendAll();
for (const { name, table, indexes } of await sizes()) {
  const [rows, index] = [table - (before.get(name)?.table ?? 0), indexes - (before.get(name)?.indexes ?? 0)];
  if (rows + index >= count)
    console.log(`| \`${name}\` | ${Math.round(rows / count)} | ${Math.round(index / count)} |`);
}
await Promise.all([sql.end(), receiver.close(), closePubsub()]);
await closeDb();
await end();
