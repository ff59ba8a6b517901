import { randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, inject, test } from "vitest";
import { startService } from "@/lib/testing/service-process";
import { inDatabase, query } from "@/lib/testing/temporary-postgres";

test("runs as a database role that has no superuser privileges", async () => {
  const { url } = inject("postgres");
  const plain = `plain_${randomBytes(4).toString("hex")}`;
  await query(url, `CREATE ROLE ${plain} LOGIN PASSWORD 'plain'`);
  await query(url, `CREATE DATABASE ${plain} OWNER ${plain}`);
  const { href } = Object.assign(new URL(inDatabase(url, plain)), { username: plain, password: "plain" });
  const paths = new Set<string | undefined>();
  const collector = http.createServer((req, res) => {
    paths.add(req.url);
    req.resume().on("end", () => res.end());
  });
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const service = await startService({
    DATABASE_URL: href,
    SECRET: "s".repeat(40),
    METRICS_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT,
  });

  expect((await fetch(`${service.url}/readyz?strict`)).status).toBe(200);
  const [, metrics = ""] = /^Metrics are at (\S+)$/m.exec(service.output()) ?? [];
  expect(await (await fetch(metrics)).text()).toMatch(/^countersign_database_up 1$/m);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);

  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  expect(service.output()).toMatch(/^Stopping\. Waiting for requests to finish\.\nStopped\n$/m);
  expect([...paths].sort()).toEqual(["/v1/metrics", "/v1/traces"]);
  collector.close();
  await query(url, `DROP DATABASE ${plain}`);
  await query(url, `DROP ROLE ${plain}`);
});
