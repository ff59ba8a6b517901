import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect } from "vitest";
import { startMetrics, textOf } from "@/lib/telemetry/metrics-registry";
import { operatorsFiles } from "@/lib/testing/documented-metrics";
import { runSystem, testWith } from "@/lib/testing/test-with-programs";
import { gauges } from "./gauges";

/* Runs Prometheus's linter and its rule tests (`apt-get install prometheus`). */
const folder = mkdtempSync(join(tmpdir(), "countersign-promtool-"));
afterAll(() => rmSync(folder, { recursive: true }));
const rules = resolve(operatorsFiles, "alerts.yml");

async function promtool(args: string[], input = "") {
  const { status, out, err } = await runSystem("promtool", args, { input });
  return { status, said: out + err };
}
function file(name: string, content: object): string {
  // Every JSON document is also valid YAML.
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

type Panel = { targets?: { expr: string }[] };

/** Series that trigger each alert, in promtool's format, with one value per minute. */
const firing: Record<string, Record<string, string>> = {
  CountersignDown: { 'up{job="countersign",instance="a"}': "1x5 0x10" },
  CountersignDatabaseDown: { countersign_database_up: "1x5 0x10" },
  CountersignErrors: { 'countersign_http_requests_total{route="/api/approvals",status="500"}': "0x3 0+5x12" },
  CountersignUnavailable: {
    'countersign_http_requests_total{status="503"}': "0+2x15",
    'countersign_http_requests_total{status="200"}': "0+100x15",
  },
  CountersignSlow: {
    'countersign_http_request_duration_seconds_bucket{route="/api/approvals",le="1"}': "0+10x15",
    'countersign_http_request_duration_seconds_bucket{route="/api/approvals",le="2.5"}': "0+90x15",
    'countersign_http_request_duration_seconds_bucket{route="/api/approvals",le="+Inf"}': "0+100x15",
  },
  CountersignPoolExhausted: { countersign_db_pool_waiting: "0x3 3x12" },
  CountersignEventLoopBlocked: { 'nodejs_eventloop_lag_p99_seconds{job="countersign"}': "0.02x3 0.6x12" },
  CountersignRestarts: { 'process_start_time_seconds{job="countersign"}': "0+60x15" },
  CountersignFeedLate: { countersign_feed_lag_seconds: "0+20x15" },
  CountersignFeedHolder: { countersign_feed_holder_seconds: "0+30x15" },
  CountersignNotifyLost: { countersign_notify_lost_messages: "0+1x15" },
  CountersignWebhooksLate: {
    countersign_webhook_oldest_due_seconds: "0+120x15",
    countersign_webhook_unread_event_seconds: "0x15",
  },
  CountersignAlertsLate: { countersign_alert_oldest_due_seconds: "0+120x15" },
  CountersignMailFails: {
    'countersign_mails_total{outcome="failed"}': "0+1x15",
    'countersign_mails_total{outcome="sent"}': "5x15",
  },
  // The test's time begins at 0. The chore last succeeded at minute three.
  CountersignChoreStopped: { 'countersign_chore_last_success_timestamp_seconds{chore="sweep"}': "180x45" },
};
/** The same series when there is no problem. */
const quiet: Record<string, string> = {
  'up{job="countersign",instance="a"}': "1x45",
  countersign_database_up: "1x45",
  'countersign_http_requests_total{route="/api/approvals",status="500"}': "3x45",
  'countersign_http_requests_total{route="/api/approvals",status="200"}': "0+1000x45",
  'countersign_http_requests_total{route="/api/approvals",status="503"}': "0+1x45",
  'countersign_http_request_duration_seconds_bucket{route="/api/approvals",le="0.1"}': "0+999x45",
  'countersign_http_request_duration_seconds_bucket{route="/api/approvals",le="+Inf"}': "0+1000x45",
  countersign_db_pool_waiting: "0 9 0 0 4 0 0 7 0x37",
  'nodejs_eventloop_lag_p99_seconds{job="countersign"}': "0.02 0.5 0.02x43",
  'process_start_time_seconds{job="countersign"}': "1x20 900x25",
  countersign_feed_lag_seconds: "0 3 0x43",
  countersign_feed_holder_seconds: "0 90 0x43",
  countersign_notify_lost_messages: "2x45",
  countersign_webhook_oldest_due_seconds: "0 40 3 0x42",
  countersign_webhook_unread_event_seconds: "0 2 0x43",
  countersign_alert_oldest_due_seconds: "0 12 0x43",
  'countersign_mails_total{outcome="failed"}': "1x45",
  'countersign_mails_total{outcome="sent"}': "0+3x45",
  'countersign_chore_last_success_timestamp_seconds{chore="sweep"}': "0+60x45",
};

testWith(["promtool"], "passes promtool's checks of the alert rules and the dashboard", async () => {
  expect(await promtool(["check", "rules", "--lint-fatal", rules])).toMatchObject({ status: 0 });
  const { panels } = JSON.parse(readFileSync(join(operatorsFiles, "dashboard.json"), "utf8")) as { panels: Panel[] };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(25);
  const asRules = expressions.map((expr, at) => ({
    record: `dashboard:${at}`,
    expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", "countersign"),
  }));
  const checked = await promtool([
    "check",
    "rules",
    file("dashboard.yml", { groups: [{ name: "dashboard", rules: asRules }] }),
  ]);
  expect(checked).toEqual({ status: 0, said: expect.stringContaining(`${expressions.length} rules found`) });
});

testWith(["promtool"], "passes promtool's check of a scrape", async () => {
  const metrics = startMetrics(gauges);
  const text = await textOf(await metrics.snapshot());
  metrics.stop();
  expect(await promtool(["check", "metrics"], text)).toEqual({ status: 0, said: "" });
});

testWith(["promtool"], "fires each alert only for the matching problem", async () => {
  const named = [...readFileSync(rules, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(named.sort()).toEqual(Object.keys(firing).sort());
  const series = (of: Record<string, string>) => Object.entries(of).map(([series, values]) => ({ series, values }));
  const expr = (alert: string) => `count(ALERTS{alertname=~"${alert}",alertstate="firing"})`;
  const tests = Object.entries(firing).map(([alert, seen]) => ({
    name: alert,
    interval: "1m",
    input_series: series(seen),
    promql_expr_test: [
      {
        expr: expr(alert),
        eval_time: alert === "CountersignChoreStopped" ? "30m" : "14m",
        exp_samples: [{ labels: "{}", value: 1 }],
      },
    ],
  }));
  const well = {
    name: "all is well",
    interval: "1m",
    input_series: series(quiet),
    promql_expr_test: ["2m", "9m", "22m", "40m"].map((eval_time) => ({
      expr: expr(".*"),
      eval_time,
      exp_samples: [],
    })),
  };
  const path = file("tests.yml", { rule_files: [rules], evaluation_interval: "1m", tests: [...tests, well] });
  expect(await promtool(["test", "rules", path])).toEqual({ status: 0, said: expect.stringContaining("SUCCESS") });
});
