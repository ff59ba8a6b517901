import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { matchPath } from "@/lib/api/registry";
import { startFront } from "@/lib/testing/api";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/questions";

/** Next's door: the handler that the route file at this path exports, called as Next calls it. */
async function throughRoute(
  method: string,
  path: string,
  init: { headers: Record<string, string>; body?: string | undefined },
) {
  const { pathname } = new URL(path, "http://localhost");
  const match = matchPath(pathname) ?? { path: "/api/[...rest]", params: {} };
  const file = join(import.meta.dirname, "../../app", match.path.replaceAll("{", "[").replaceAll("}", "]"), "route.ts");
  const route = (await import(file)) as Record<string, (request: Request, context: object) => Promise<Response>>;
  const { body, headers } = init;
  const request = new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) });
  const reply = await route[method]?.(request, { params: Promise.resolve(match.params) });
  return reply && { status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) };
}

/** What differs from reply to reply by its nature. */
const withoutTheMoment = (headers: Record<string, string>) => {
  const own = ["x-request-id", "date", "connection", "keep-alive", "content-length", "ratelimit", "transfer-encoding"];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
};

test("both doors answer alike: status, headers and body, good requests and bad", async () => {
  const { ask } = await startFront();
  const { token } = await anAppWith("approvals:write", "approvals:read", "notifications:read");
  const { body: made } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  const { id } = made as { id: string };
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

async function openapiRoute() {
  const { GET } = await import("@/app/api/openapi.json/route");
  const reply = await GET();
  return { status: reply.status, text: await reply.text(), headers: Object.fromEntries(reply.headers) };
}

test("there is a catch-all, so that Next's own HTML never answers an app", () => {
  expect(readdirSync(join(import.meta.dirname, "../../app/api"))).toContain("[...rest]");
});
