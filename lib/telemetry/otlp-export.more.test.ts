import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { disconnect } from "@/lib/database/db";
import { startFront } from "@/lib/testing/api-server";
import { configure, unset } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { type Fields, readMessage } from "@/lib/testing/protobuf-decoder";
import { aQuestion } from "@/lib/testing/sample-question";
import { startMetrics } from "./metrics-registry";
import { startOtlp } from "./otlp-export";

/** The requests that the collector received, by path. */
const sent = new Map<string, Fields[]>();
const collector = createServer(async (req, res) => {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece);
  const path = req.url ?? "";
  expect(req.headers["content-type"]).toBe("application/x-protobuf");
  sent.set(path, [...(sent.get(path) ?? []), readMessage(Buffer.concat(pieces))]);
  res.writeHead(200).end();
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
const { port } = collector.address() as AddressInfo;
configure({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
});
afterAll(() => {
  unset(["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_RESOURCE_ATTRIBUTES"]);
  collector.close();
});
const { ask } = await startFront();

// The field numbers are from opentelemetry-proto's trace.proto, metrics.proto and common.proto.
const text = (it: Fields, field: number) => it.bytes(field).map((bytes) => bytes.toString());
const hex = (it: Fields, field: number) => it.bytes(field)[0]?.toString("hex");
const attributesOf = (it: Fields, field: number) =>
  Object.fromEntries(
    it.messages(field).map((pair) => {
      const [value] = pair.messages(2);
      return [text(pair, 1)[0], text(value as Fields, 1)[0] ?? value?.numbers(3)[0]];
    }),
  );
const spansIn = (message: Fields) =>
  message
    .messages(1)
    .flatMap((resource) => resource.messages(2))
    .flatMap((scope) => scope.messages(2))
    .map((span) => ({
      trace: hex(span, 1),
      id: hex(span, 2),
      parent: hex(span, 4),
      name: text(span, 5)[0],
      attributes: attributesOf(span, 9),
    }));

test("records requests and statements in the caller's trace", async () => {
  // Closes earlier connections, which were opened without tracing.
  await disconnect();
  const metrics = startMetrics([]);
  const stop = startOtlp(metrics.snapshot);
  const { token, clientId, owner } = await anAppWith("approvals:write");
  const [traceId, spanId] = ["ab".repeat(16), "cd".repeat(8)];
  const headers = { traceparent: `00-${traceId}-${spanId}-01` };
  const body = { ...aQuestion, question: "Is the secret marmalade?" };
  const reply = await ask("POST", "/api/approvals", { token, body, headers });
  expect(reply.status).toBe(201);
  await ask("GET", "/livez", { headers: { traceparent: `00-${"ef".repeat(16)}-${spanId}-00` } });
  await ask("GET", "/livez", {});
  // Stopping sends the remaining spans, and the metrics once more.
  await stop();
  metrics.stop();

  const traces = sent.get("/v1/traces") ?? [];
  const spans = traces.flatMap(spansIn);
  const request = spans.find(({ name }) => name === "POST /api/approvals");
  expect(request).toMatchObject({
    trace: traceId,
    parent: spanId,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/api/approvals",
      "http.response.status_code": 201n,
      "countersign.request_id": reply.headers.get("x-request-id"),
      "countersign.app": clientId,
      "countersign.owner": owner.ownerId,
    },
  });
  const statements = spans.filter(({ parent }) => parent === request?.id);
  expect(statements.length).toBeGreaterThan(0);
  for (const { trace, attributes } of statements) {
    expect(trace).toBe(traceId);
    expect(attributes["db.system.name"]).toBe("postgresql");
  }
  expect(JSON.stringify(statements.map(({ attributes }) => attributes["db.query.text"]))).toMatch(/\$1/);
  // A request is not recorded if its caller's trace is not. A request without a trace begins a new
  // one.
  const probes = spans.filter(({ name }) => name === "GET /livez");
  expect(probes).toEqual([expect.objectContaining({ parent: undefined })]);
  const everything = traces.map((it) => it.whole.toString("latin1")).join();
  expect(everything).not.toContain("marmalade");
  expect(everything).not.toContain(token);
  const [resource] = traces[0]?.messages(1)[0]?.messages(1) ?? [];
  expect(attributesOf(resource as Fields, 1)).toMatchObject({
    "service.name": "countersign",
    "deployment.environment.name": "tests",
  });

  const metricNames = (sent.get("/v1/metrics") ?? [])
    .flatMap((message) => message.messages(1))
    .flatMap((resource) => resource.messages(2))
    .flatMap((scope) => scope.messages(2))
    .map((metric) => text(metric, 1)[0]);
  expect(metricNames).toEqual(
    expect.arrayContaining(["countersign_http_requests_total", "countersign_http_request_duration_seconds"]),
  );
});

test("logs an unreachable collector only once", async () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  configure({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  const metrics = startMetrics([]);
  const stop = startOtlp(metrics.snapshot);
  expect((await ask("GET", "/livez", {})).status).toBe(200);
  await stop();
  metrics.stop();
  const lines = said.mock.calls.map(([line]) => JSON.parse(String(line)) as { message: string });
  said.mockRestore();
  expect(lines.filter(({ message }) => message === "could not send OpenTelemetry data")).toHaveLength(1);
});
