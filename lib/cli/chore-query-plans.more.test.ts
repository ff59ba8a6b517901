import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { onTokenEnd } from "@/lib/access/token-watcher";
import { alertOwners, startAlerts } from "@/lib/alerts/alert-loop";
import { db, pool } from "@/lib/database/db";
import { onEachShard } from "@/lib/database/shards/each-shard";
import { inEveryShard } from "@/lib/database/shards/marks";
import { watch } from "@/lib/events/watch-app-events";
import { revokeGrantsToDeletedApps } from "@/lib/grants/revoke-grants-to-apps";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { ofDatabase } from "@/lib/serving/gauges";
import { aHookedApp, sendingTo } from "@/lib/testing/app-with-webhook";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { fill } from "@/lib/testing/filled-tables";
import { notePlans, type Planned } from "@/lib/testing/query-plans";
import { sendAll } from "@/lib/testing/send-due-webhooks";
import { query } from "@/lib/testing/temporary-postgres";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { flushDeniedRequests, recordDeniedRequest } from "@/lib/traffic/denied-requests";
import { flushUsage, recordUsage } from "@/lib/traffic/last-use";
import { flushRequests, type NotedRequest, noteRequest } from "@/lib/traffic/request-log";
import { startWebhooks } from "@/lib/webhooks/dispatcher";
import { dueChores, intervalChores, onDueChores, startChores } from "./background-chores";

/**
 * Tables that stay small however long the service runs, or whose rows are read only by their
 * approval's ID.
 */
const small = [
  ...["_prisma_migrations", "consent_request", "data_key", "device_code", "integration_secret", "link_attempt"],
  ...["passkey", "passkey_challenge", "receipt_key", "recovery_code", "removed_passkey"],
  "sign_in_link",
  "answer_link",
  "email_route",
  "skipped_transaction",
  "retained_key",
  "frozen_request",
  "retention",
  "revoked_scope",
  ...["shard", "home_placement", "placement_version", "instance_placement"],
  ...["approval_addition", "approval_outcome", "approval_question", "approval_use", "secret_check", "webhook_cursor"],
];
/** The maximum number of rows of a growing table that one idle check may read. */
const maxRows = 5000;

const url = process.env.DATABASE_URL ?? "";
const [receiver, mailbox] = [await aReceiver(), await aMailbox()];
let plans: Planned[];
beforeAll(async () => {
  expect(await fill(url)).toEqual(small.sort());
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "yes@acme.example" });
  sendingTo([receiver.origin]);
  plans = await notePlans(url);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => Promise.all([receiver.close(), mailbox.close()]));

/** Returns each large scan since the last call, with the number of rows that it read. */
function readWhole(): string[] {
  const found = plans.flatMap(({ statement, scans }) =>
    scans
      .filter(
        ({ how, table, read }) => !small.includes(table) && (read > maxRows || (how === "Seq Scan" && read > 2500)),
      )
      .map(({ how, table, read }) => `${how} of ${read} rows of ${table}: ${statement.replaceAll(/\s+/g, " ")}`),
  );
  plans.length = 0;
  return found;
}

/** A chore that does nothing with one database. */
const ofSeveralShards = "finish deletions on several shards";

test("ends grants to deleted apps without reading large tables", async () => {
  await inEveryShard(revokeGrantsToDeletedApps);
  expect(plans).not.toEqual([]);
  expect(readWhole()).toEqual([]);
});

test.each([...intervalChores.filter(({ name }) => name !== ofSeveralShards), ...onDueChores])(
  "reads large tables only through indexes in the chore $name",
  async (chore) => {
    const isDue = async () =>
      (await inEveryShard(dueChores))[0]?.[onDueChores.indexOf(chore as (typeof onDueChores)[number])];
    if ("due" in chore) expect(await isDue()).toBe(true);
    await inEveryShard(() => chore.run(new AbortController().signal));
    if ("due" in chore) expect(await isDue()).toBe(false);
    expect(plans).not.toEqual([]);
    // A due chore must not read rows that become due later, such as a thousand deadlines.
    if ("due" in chore) expect(plans.flatMap(({ scans }) => scans).filter(({ read }) => read > 500)).toEqual([]);
    expect(readWhole()).toEqual([]);
  },
);

test("runs one fast query a second while no chore is due", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // Matches statements that don't count: notifications of the chores above, and checks for other
  // tests' open transactions.
  const others = /pg_notify|skipped_transaction(?!.* AS due)/s;
  const asked = () => plans.filter(({ statement }) => statement !== "SELECT" && !others.test(statement));
  /**
   * Waits long enough for any query to run. Passes the time with queries, because fake timers stand
   * still.
   */
  const leisure = async () => {
    for (let wait = 0; wait < 20; wait++) await pool().query("SELECT");
  };
  // Moves the refused sign-ins that are not yet recorded into the future, because the current
  // minute may end before this test does.
  await pool().query("UPDATE failed_sign_in SET minute = minute + interval '1 day' WHERE written_at IS NULL");
  plans.length = 0;
  const stop = onEachShard(startChores);
  for (let second = 1; second <= 3; second++) {
    vi.advanceTimersByTime(1000);
    // The query may run late on a busy machine. No other query may run.
    await expect.poll(() => asked().length).toBe(second);
    await leisure();
    expect(asked().map(({ statement }) => statement)).toEqual(Array(second).fill(asked()[0]?.statement));
  }
  expect(asked()[0]?.scans.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(20);

  await pool().query("UPDATE approval_triage SET snoozed_until = now() WHERE approval_id = 'apr_' || md5('1000')");
  vi.advanceTimersByTime(1000);
  await expect.poll(() => asked().some(({ statement }) => statement.includes("SET returned_at"))).toBe(true);
  vi.useRealTimers();
  await stop();
  expect(readWhole()).toEqual([]);
});

test("reads few rows in background checks while nothing is due", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write", "approvals:read");
  const { grantId } = await db.token.findUniqueOrThrow({ where: { hash: new Uint8Array(app.tokenHash) } });
  const admitted = { ...app, admitted: { grantId, ownerId: owner.ownerId, appId: clientId } };
  const request = { id: "1", operation: "submitApproval", method: "POST", path: "/api/approvals", ms: 1, warnings: [] };
  const noted = (status: number): NotedRequest => ({ ...request, id: `r${status}`, status, at: Date.now() });
  const stops = [
    onEachShard(startWebhooks),
    onEachShard(startAlerts),
    watch(owner.ownerId, clientId, { ordered: true, onEvent: () => {}, onReady: () => {} }),
    onTokenEnd(app.tokenHash, () => {}),
  ];
  const hooked = await aHookedApp(receiver.origin);
  await hooked.answer(await hooked.ask());
  recordUsage(grantId, "approvals:write", app.tokenHash);
  recordDeniedRequest(app, 403, "submitApproval");
  noteRequest(app, noted(403));
  noteRequest(admitted, noted(201));
  await Promise.all([flushUsage(), flushDeniedRequests(), flushRequests()]);
  await readLiveCounts({ ...owner, quiet: undefined });
  await alertOwners([owner.ownerId]);
  const { horizon } = await alertOwners();
  await alertOwners([], { since: horizon });
  const latest = plans.findLast(({ statement }) => statement.includes("alert_cursor w WHERE EXISTS"));
  // The scan reads only owners with changes since the last check, not every owner.
  expect(latest?.scans.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(50);
  await sendAll();
  const ran = (part: string) => plans.some(({ statement }) => statement.includes(part));
  // Waits for the queries of timers and workers, which run a moment later.
  const webhooks = ["webhook_cursor c", "stretch AS", "busy AS", "WITH mine AS"];
  const alerts = ["alert_cursor w", "look_again_at ="];
  const others = ["INTO api_request", '"event"', "AS used (hash", "AS shown(hash)", "AS w(owner_id", "pg_notify"];
  for (const part of [...webhooks, ...alerts, ...others])
    await expect.poll(() => ran(part), { message: part }).toBe(true);
  for (const stop of stops) await stop();
  expect(readWhole()).toEqual([]);
});

test("limits the number of rows that a metrics scrape reads", async () => {
  // Creates a backlog of many due deliveries to few endpoints.
  await query(
    url,
    `UPDATE webhook_delivery SET state = 'pending', ended_at = NULL, due_at = now() - interval '1 minute'
    WHERE id IN (SELECT id FROM webhook_delivery ORDER BY id LIMIT 12000)`,
  );
  await query(url, "VACUUM ANALYZE webhook_delivery");
  plans.length = 0;
  for (const { read } of ofDatabase) await read();
  expect(plans.length).toBeGreaterThan(6);
  const read = plans.flatMap(({ scans }) => scans).filter(({ table }) => !small.includes(table));
  expect(read.filter(({ how }) => how === "Seq Scan").filter(({ read }) => read > 2500)).toEqual([]);
  // A scrape counts a backlog only up to 10,000 rows.
  expect(Math.max(...read.map(({ read }) => read))).toBeLessThanOrEqual(10_100);
});

test("lists every module with a timer that queries the database", () => {
  const root = join(import.meta.dirname, "..");
  const timed = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts") || /^(testing|generated)\//.test(file)) return false;
    const source = readFileSync(join(root, file), "utf8");
    return (
      /\bset(Timeout|Interval)\(|(?<!\.)\b(later|every|loop|writeBehind|worker|runUntilEmpty)[<(]/.test(source) &&
      /from "@\/lib\/(database\/(db|sql)|events\/change|grants\/token-store)"/.test(source)
    );
  });
  expect(timed.sort()).toEqual(
    [
      // The chores, and the modules that do their work.
      "cli/background-chores.ts",
      ...["approvals/deadlines.ts", "approvals/held-answers.ts"],
      ...["integrations/disconnect-account.ts", "integrations/account-check-worker.ts"],
      ...[
        "alerts/delivery-worker.ts",
        "alerts/alert-loop.ts",
        "events/shard-messages.ts",
        "events/watch-app-events.ts",
        "access/token-watcher.ts",
      ],
      ...["traffic/denied-requests.ts", "traffic/frozen-requests.ts", "traffic/request-log.ts", "traffic/last-use.ts"],
      // The timer is the health check's timeout.
      "api/health.ts",
    ].sort(),
  );
});
