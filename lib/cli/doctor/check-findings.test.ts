import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { readSettings } from "@/lib/config/env";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { type CheckResult, sizeText, spanText } from "./check-result";
import { clockSays, durabilitySays } from "./database-checks";
import { diskFinding, here, readMetrics, seeMail, seeService, seeSettings } from "./environment-checks";
import { maxSeconds, seeMetrics } from "./secret-and-backlog-checks";

const says = ({ findings }: CheckResult) => findings.map((it) => `${it.standing}: ${it.says}`);
const settings = (given: Record<string, string> = {}, file = "") =>
  says(seeSettings(readSettings(given as NodeJS.ProcessEnv), given as NodeJS.ProcessEnv, file));

test.each([
  [{}, "", "ok: All settings are valid."],
  [
    { OTEL_SERVICE_NAME: "x", RATELIMIT: "5" },
    "",
    "fail: RATELIMIT is not a setting and has no effect. Did you mean RATE_LIMIT?",
  ],
  [
    {},
    "MY_LIMIT=5\nOTEL_TRACES_SAMPLER=x\nPORT=1",
    "fail: MY_LIMIT is not a setting and has no effect. Remove MY_LIMIT.",
  ],
  [
    { PUBLIC_URL: "http://yes.example" },
    "",
    expect.stringMatching(/^note: PUBLIC_URL does not use TLS.* Set an https/),
  ],
  [{ PUBLIC_URL: "http://localhost:3000" }, "", "ok: All settings are valid."],
  [{ PUBLIC_URL: "https://yes.example" }, "", expect.stringMatching(/^note: TRUST_PROXY is 0.* Set TRUST_PROXY to/)],
  [
    { PUBLIC_URL: "https://yes.example", TRUST_PROXY: "1", RATE_LIMIT: "0" },
    "",
    expect.stringMatching(/^note: RATE_LIMIT/),
  ],
])("reports a finding for the settings %j and the .env file %j", (given, file, expected) => {
  expect(settings(given as unknown as Record<string, string>, file)).toEqual([expected]);
});

test.each([
  [100, "ok: The clocks of this computer and the database agree."],
  [
    7000,
    "fail: This computer's clock is 7 s ahead of the database's. Synchronize both computers with the same time server.",
  ],
  [
    -660_000,
    "fail: This computer's clock is 11 min behind the database's. Synchronize both computers with the same time server.",
  ],
])("reports a finding for a clock that is %i ms ahead", (ahead, expected) => {
  expect(says({ findings: [clockSays(ahead)] })).toEqual([expected]);
});

const gib = 2 ** 30;
const durable = { careless: null, archiving: true, failing: false, slot: null, kept: null };
test.each([
  [{}, "ok: Acknowledged writes survive a crash, and PostgreSQL archives the write-ahead log."],
  [
    { careless: ["fsync"] },
    "fail: A crash can lose answers that apps have already received. Set fsync = on in PostgreSQL.",
  ],
  [
    { failing: true },
    expect.stringMatching(/^fail: archive_command is failing, .*Find the reason in PostgreSQL's error log\.$/),
  ],
  [
    { slot: "replica", kept: String(gib / 2) },
    "ok: Acknowledged writes survive a crash, and PostgreSQL archives the write-ahead log.",
  ],
  [
    { slot: "replica", kept: String(3 * gib) },
    expect.stringMatching(/^fail: The replication slot replica .* retains 3\.0 GiB of write-ahead log/),
  ],
])("reports the durability of a database server with the properties %j", (more, expected) => {
  expect(says({ findings: durabilitySays({ ...durable, ...more }) })).toEqual([expected]);
});

test.each([
  [50 * gib, /^ok: 50\.0 GiB of 100 GiB is free for DATA_DIR \(\/data\)\.$/],
  [8 * gib, /^note: 8\.0 GiB .*\. Add disk space soon\.$/],
  [gib / 2, /^fail: 512 MiB .*\. Free some space before /],
])("reports a finding for a 100 GiB disk with %i bytes free", (free, expected) => {
  expect(says({ findings: [diskFinding({ what: "DATA_DIR", path: "/data", free, total: 100 * gib })] })[0]).toMatch(
    expected,
  );
});

test("formats durations and sizes", () => {
  expect([0, 119, 125, 7300, 200_000].map(spanText)).toEqual(["0 s", "119 s", "2 min", "2 h", "2 days"]);
  expect([0, 1023, 1536, 200 * 2 ** 20].map(sizeText)).toEqual(["0 B", "1023 B", "1.5 KiB", "200 MiB"]);
});

const scraped = `# TYPE countersign_http_requests_total counter
countersign_http_requests_total{method="POST",route="/api/approvals",status="201"} 40
countersign_http_requests_total{method="POST",route="/api/approvals",status="503"} 2
countersign_chore_last_success_timestamp_seconds{chore="sweep"} 1000
countersign_chore_last_success_timestamp_seconds{chore="email owners"} 1200
`;
test("sums a metric across its labels", () => {
  expect(says(seeMetrics(scraped, 1300))).toEqual([
    "ok: Requests since startup: 42. None failed with an internal error.",
  ]);
});
test.each([
  ["countersign_notify_lost_messages 1", /^fail: Messages .*DATABASE_DIRECT_URL/],
  [
    'countersign_chore_last_success_timestamp_seconds{chore="deadlines"} 10',
    /^fail: A background task last succeeded 21 min ago/,
  ],
  ["countersign_db_pool_waiting 4", /^note: .*DATABASE_POOL/],
  [
    'countersign_http_requests_total{route="other",status="500"} 3',
    /^note: Requests that failed .*: 3\. Search the log for/,
  ],
])("reports a finding for the metrics line %s", (line, expected) => {
  expect(says(seeMetrics(scraped + line, 1300))).toEqual([expect.stringMatching(expected)]);
});

test("uses the same thresholds as the alert rules", () => {
  const rules = readFileSync("docs/operations/alerts.yml", "utf8");
  const limit = (metric: string) => Number(new RegExp(`max\\(${metric}\\) > (\\d+)`).exec(rules)?.[1]);
  expect(maxSeconds).toEqual({
    feed: limit("countersign_feed_lag_seconds"),
    webhooks: limit("countersign_webhook_oldest_due_seconds"),
    unread: limit("countersign_webhook_unread_event_seconds"),
    alerts: limit("countersign_alert_oldest_due_seconds"),
  });
});

test("signs in to the mail server without sending mail", async () => {
  const mailbox = await aMailbox({ passwords: new Map([["us", "right"]]) });
  const with_ = (password: string) =>
    seeMail(
      readSettings({ SMTP_URL: mailbox.url.replace("//", `//us:${password}@`), MAIL_FROM: "us@example.com" } as never),
    );
  expect(says(await with_("right"))).toEqual([
    `ok: The mail server 127.0.0.1:${mailbox.port} accepts connections from this service.`,
  ]);
  const [refused] = says(await with_("hush"));
  expect(refused).toMatch(
    /^fail: Can't use the mail server 127\.0\.0\.1:\d+ \(.*535.*\)\. Check the mail server and SMTP_URL\.$/,
  );
  expect(refused).not.toContain("hush");
  expect(mailbox.letters).toEqual([]);
  await mailbox.close();
  // Uses port 1, because another program may have taken the mailbox's port by now.
  const nowhere = readSettings({ SMTP_URL: "smtp://us:right@127.0.0.1:1", MAIL_FROM: "us@example.com" } as never);
  expect(says(await seeMail(nowhere))[0]).toMatch(/^fail: .*ECONNREFUSED/);
});

const replies = { ready: 200 };
const copy = createServer((req, res) => res.writeHead(req.url?.startsWith("/readyz") ? replies.ready : 502).end());
await new Promise<void>((resolve) => copy.listen(0, "127.0.0.1", resolve));
afterAll(() => copy.close());
const { port } = copy.address() as AddressInfo;
const service = (given: Record<string, string>) => seeService(readSettings(given as NodeJS.ProcessEnv));

test("reports whether the service responds at its local and public addresses", async () => {
  const PORT = String(port);
  expect(says(await service({ PORT }))).toEqual([`ok: An instance is ready at 127.0.0.1:${port}.`]);
  expect(says(await service({ PORT, HOST: "0.0.0.0", PUBLIC_URL: `http://localhost:${port}` }))).toEqual([
    `ok: An instance is ready at 127.0.0.1:${port}.`,
    expect.stringMatching(
      /^note: This computer can't reach the instance at http:\/\/localhost:\d+ \(HTTP 502\)\. Check the proxy/,
    ),
  ]);
  replies.ready = 503;
  expect(says(await service({ PORT }))).toEqual([
    expect.stringMatching(/^fail: The instance at .* is not ready \(HTTP 503\)/),
  ]);
  const scrape = readMetrics(readSettings({ METRICS_PORT: PORT } as never));
  await expect(scrape).rejects.toThrow(/Can.t read metrics from http.*\/metrics \(HTTP 502\)\. Set METRICS_PORT/);
  const none = await service({ PORT: "1" });
  expect(says(none)).toEqual(['note: No instance is running at 127.0.0.1:1. Start an instance with "npm start".']);
  expect(none.running).toBe(false);
  expect([here("::"), here("fd00::1"), here("10.0.0.1")]).toEqual(["[::1]", "[fd00::1]", "10.0.0.1"]);
});
