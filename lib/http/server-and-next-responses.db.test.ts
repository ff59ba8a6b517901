import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as route from "@/app/api/[...rest]/route";
import { db } from "@/lib/database/db";
import { watchers } from "@/lib/events/watch-app-events";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

type Init = { headers: Record<string, string>; body?: string | undefined; signal?: AbortSignal };

/**
 * Keeps references to the requests, because a request's signal works only while something
 * references the request.
 */
const held: Request[] = [];

/** Calls Next's entry point: the handler that its route file exports for the method. */
async function routed(method: string, path: string, init: Init): Promise<Response | undefined> {
  const { body, ...rest } = init;
  const request = new Request(`http://localhost${path}`, { method, ...rest, ...(body !== undefined && { body }) });
  held.push(request);
  return (route as Record<string, (request: Request) => Promise<Response>>)[method]?.(request);
}

async function throughRoute(method: string, path: string, init: Init) {
  const reply = await routed(method, path, init);
  return reply && { status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) };
}

/** Removes the headers that may differ between two responses to the same request. */
const withoutTheMoment = (headers: Record<string, string>) => {
  const own = ["x-request-id", "date", "connection", "keep-alive", "content-length", "ratelimit", "transfer-encoding"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
};

const { ask } = await startFront();

test("returns the same responses from the HTTP server and from Next's routes", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:read", "notifications:read");
  const { body: made } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = made as { id: string };
  await settled(token);
  const big = JSON.stringify({ question: "x".repeat(200_000) });
  const json = "application/json";

  const requests: [method: string, path: string, body?: string, token?: string | null, type?: string][] = [
    ["GET", "/api/approvals"],
    ["GET", "/api/approvals?limit=1"],
    ["GET", "/api/approvals?limit=0"],
    ["GET", "/api/approvals?status=pending&status=pending"],
    ["GET", "/api/approvals?__proto__=1"],
    ["GET", `/api/approvals/${id}`],
    ["GET", "/api/approvals/nobody"],
    ["GET", `/api/approvals/${id}?x=1`],
    ["GET", `/api/approvals/${id}?wait=1`],
    ["GET", `/api/approvals/${id}?wait=61`],
    ["POST", "/api/approvals?wait=0", JSON.stringify(aQuestion)],
    ["GET", "/api/events?limit=1"],
    ["GET", "/api/events?after=nothing"],
    ["POST", "/api/events", "{}"],
    ["GET", "/api/integrations"],
    ["GET", "/api/notifications"],
    ["GET", "/api/notifications/nobody"],
    ["POST", "/api/notifications", "{}"],
    ["POST", `/api/approvals/${id}/resolve`, '{"kind":"option","optionId":"ship"}'],
    ["POST", "/api/approvals", "{"],
    ["POST", "/api/approvals", "{}"],
    ["POST", "/api/approvals", "{}", undefined, "text/plain"],
    ["POST", "/api/approvals", big],
    ["POST", "/api/approvals", big, null],
    ["POST", "/api/approvals", "{}", "junk"],
    ["GET", "/api/approvals", undefined, null],
    ["PUT", "/api/approvals", "{}"],
    ["DELETE", `/api/approvals/${id}`],
    ["GET", `/api/approvals/${id}/resolve`],
    ["OPTIONS", "/api/approvals"],
    ["GET", "/api/nope"],
    ["GET", "/api/openapi.json"],
  ];
  for (const [method, path, body, shown = token, type = json] of requests) {
    const headers: Record<string, string> = {
      ...(shown !== null && { authorization: `Bearer ${shown}` }),
      ...(body !== undefined && { "content-type": type }),
    };
    const route =
      path === "/api/openapi.json" ? await openapiRoute() : await throughRoute(method, path, { headers, body });
    const front = await ask(method, path, { headers, ...(body !== undefined && { raw: body }) });
    const what = `${method} ${path} ${body?.slice(0, 20) ?? ""}`;
    expect([what, route?.status, route?.text]).toEqual([what, front.status, front.text]);
    expect([what, withoutTheMoment(route?.headers ?? {})]).toEqual([
      what,
      withoutTheMoment(Object.fromEntries(front.headers)),
    ]);
  }
});

/** Waits until the first event is readable, so that every reader starts with it. */
const settled = async (token: string) =>
  expect(((await ask("GET", "/api/events?wait=30", { token })).body as { data: unknown[] }).data).not.toEqual([]);

test("serves waiting requests and event streams through Next.js routes", async () => {
  const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const headers = { authorization: `Bearer ${token}` };
  const { body: made } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = made as { id: string };

  const left = new AbortController();
  const stream = await routed("GET", "/api/events", {
    headers: { ...headers, accept: "text/event-stream" },
    signal: left.signal,
  });
  expect([stream?.status, stream?.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const reader = (stream as Response & { body: ReadableStream<Uint8Array> }).body.getReader();
  let told = Buffer.from((await reader.read()).value ?? []).toString();
  expect(told).toMatch(/^retry: 2000\nid: evt_/);

  const wait = throughRoute("GET", `/api/approvals/${id}?wait=30`, { headers });
  const gone = new AbortController();
  const lost = throughRoute("GET", `/api/approvals/${id}?wait=60`, { headers, signal: gone.signal });
  await expect.poll(watchers).toBe(3);
  gone.abort();
  await expect.poll(watchers).toBe(2);
  await lost;
  await ask("POST", `/api/approvals/${id}/resolve`, { token, body: { kind: "option", optionId: "ship" } });
  expect(JSON.parse((await wait)?.text ?? "")).toMatchObject({ status: "resolved" });
  while (!told.includes("event: approval.resolved\n"))
    told += Buffer.from((await reader.read()).value ?? []).toString();
  left.abort();
  await expect.poll(watchers).toBe(0);
  expect((await reader.read()).done).toBe(true);
});

async function openapiRoute() {
  const { GET } = await import("@/app/api/openapi.json/route");
  const reply = await GET();
  return { status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) };
}

test("defines a catch-all API route for unknown paths", () => {
  expect(readdirSync(join(import.meta.dirname, "../../app/api"))).toContain("[...rest]");
});

test("ignores forwarding headers when limiting requests per address", async () => {
  await db.throttle.deleteMany();
  // The limit on reading documents of new apps is per address.
  const redeem = (from: string) =>
    ask("POST", "/oauth/token", {
      raw: new URLSearchParams({
        grant_type: "authorization_code",
        code: "a",
        client_id: `https://${from}.app.invalid/client.json`,
      }).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-countersign-address": from,
        "x-forwarded-for": from,
      },
    });
  expect((await redeem("192.0.2.1")).status).toBe(401);
  await db.throttle.updateMany({ data: { failures: 300 } });
  const { status, headers } = await redeem("192.0.2.2");
  expect([status, headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});
