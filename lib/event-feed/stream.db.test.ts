import http, { type IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { watchers } from "@/lib/events/watch-app-events";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeToken } from "@/lib/grants/personal-tokens";
import { revokeScope } from "@/lib/grants/revoke-scope";
import type { Scope } from "@/lib/scopes";
import { startFront } from "@/lib/testing/api-server";
import { settled } from "@/lib/testing/await-event-horizon";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

const { ask, port } = await startFront();
const all: [Scope, ...Scope[]] = ["approvals:write", "approvals:read", "approvals:resolve", "notifications:write"];
const open: http.ClientRequest[] = [];
afterEach(async () => {
  for (const request of open.splice(0)) request.destroy();
  await expect.poll(watchers).toBe(0);
});

type StreamedEvent = { id: string; event: string; data: { id: string; type: string; data: Record<string, unknown> } };

/** Opens a stream and collects everything that it sends, parsed as by a browser's EventSource. */
async function stream(token: string, query = "", headers: Record<string, string> = {}) {
  const request = http.request({
    port,
    path: `/api/events${query}`,
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers },
  });
  open.push(request);
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    request.on("response", resolve).on("error", reject).end(),
  );
  request.removeAllListeners("error").on("error", () => {});
  let text = "";
  let ended = false;
  reply.setEncoding("utf8").on("data", (piece) => (text += piece));
  reply.on("close", () => (ended = true)).on("error", () => {});
  const blocks = () => text.split("\n\n").slice(0, -1);
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
  return {
    status: reply.statusCode,
    headers: reply.headers,
    said: () => text,
    events: (): StreamedEvent[] =>
      blocks()
        .filter((block) => block.includes("\ndata: "))
        .map((block) => ({
          id: field(block, "id"),
          event: field(block, "event"),
          data: JSON.parse(field(block, "data")),
        })),
    begun: () => field(blocks()[0] ?? "", "id"),
    ended: () => ended,
    hangUp: () => void request.destroy(),
  };
}

const submit = async (token: string) =>
  ((await ask("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string }).id;
const resolve = (token: string, id: string) =>
  ask("POST", `/api/approvals/${id}/resolve`, { token, body: { kind: "option", optionId: "ship" } });
const subjects = (events: StreamedEvent[]) => events.map(({ event, data }) => `${event} ${data.data.id}`);

describe("event stream", () => {
  test("sends events in the EventSource format", async () => {
    const { token } = await anAppWith(...all);
    await submit(token);
    const { data } = (await ask("GET", "/api/events?wait=5", { token })).body as { data: unknown[] };
    expect(data.length).toBeGreaterThan(0);
    await expect
      .poll(async () => ((await ask("GET", "/api/events", { token })).body as { data: unknown[] }).data)
      .toHaveLength(2);
    const listening = await stream(token);
    expect([listening.status, listening.headers]).toEqual([
      200,
      expect.objectContaining({
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
        "x-request-id": expect.stringMatching(/^req_/),
      }),
    ]);
    await expect.poll(listening.said).toMatch(/^retry: 2000\nid: evt_[0-9a-v]{26}\n\n$/);
    const id = await submit(token);
    await resolve(token, id);
    await expect
      .poll(() => subjects(listening.events()))
      .toEqual([`approval.submitted ${id}`, `approval.resolved ${id}`]);
    const [, resolved] = listening.events();
    expect(resolved?.id).toBe(resolved?.data.id);
    expect(resolved?.data).toMatchObject({ type: "approval.resolved", data: { resolution: { optionId: "ship" } } });
    const json = (await ask("GET", "/api/events", { token })).body as { data: unknown[] };
    expect(json.data.slice(2)).toEqual(listening.events().map(({ data: event }) => event));
  });

  test("resumes a stream after the event in Last-Event-ID", async () => {
    const { token } = await anAppWith(...all);
    await settled();
    const first = await stream(token);
    await expect.poll(first.begun).toMatch(/^evt_/);
    first.hangUp();
    const [one, two] = [await submit(token), await submit(token)];
    const again = await stream(token, "", { "last-event-id": first.begun() });
    await expect
      .poll(() => subjects(again.events()))
      .toEqual([`approval.submitted ${one}`, `approval.submitted ${two}`]);
    const [seen] = again.events();
    const wins = await stream(token, `?after=${first.begun()}`, { "last-event-id": seen?.id ?? "" });
    await expect.poll(() => subjects(wins.events())).toEqual([`approval.submitted ${two}`]);
    const after = await stream(token, `?after=${first.begun()}`);
    await expect.poll(() => after.events().length).toBe(2);
  });

  test("sends events in order even if the events fill several pages", async () => {
    const { token } = await anAppWith(...all);
    await settled();
    const first = await stream(token);
    await expect.poll(first.begun).toMatch(/^evt_/);
    first.hangUp();
    const ids = [];
    for (let at = 0; at < 230; at++) ids.push(await submit(token));
    const again = await stream(token, "", { "last-event-id": first.begun() });
    await expect.poll(() => subjects(again.events())).toEqual(ids.map((id) => `approval.submitted ${id}`));
  });

  test("sends only events that the token's current scopes allow", async () => {
    const { token, owner, clientId } = await anAppWith(...all);
    const { token: reader } = await aTokenFor(owner, clientId, ["notifications:read", "approvals:read"]);
    await settled();
    const listening = await stream(reader);
    await expect.poll(listening.begun).toMatch(/^evt_/);
    const seen = await submit(token);
    await expect.poll(() => subjects(listening.events())).toEqual([`approval.submitted ${seen}`]);
    await revokeScope(owner, clientId, "approvals:read");
    await submit(token);
    await ask("POST", "/api/notifications", { token, body: { title: "Hello" } });
    await expect
      .poll(() => listening.events().map(({ event }) => event))
      .toEqual([...["approval.submitted", "grant.changed", "notification.pushed"]]);
  });

  test.each([
    ["after", "?after=evt_x", {}],
    ["Last-Event-ID", "", { "last-event-id": "nonsense" }],
  ])("returns 400 for an invalid %s", async (name, query, headers) => {
    const { token } = await anAppWith(...all);
    const refused = await stream(token, query, headers as Record<string, string>);
    expect([refused.status, refused.headers["content-type"]]).toEqual([400, "application/json"]);
    await expect.poll(refused.said).toContain(`"path":"${name}"`);
  });

  test("returns 401 for a missing or revoked token", async () => {
    const { token, owner, tokenId } = await anAppWith(...all);
    await revokeToken(owner, tokenId);
    for (const bad of [token, "x"]) expect((await stream(bad)).status).toBe(401);
  });

  test("ends the stream when the token or grant is revoked", async () => {
    const { token, tokenId, owner, clientId } = await anAppWith(...all);
    const { token: second } = await aTokenFor(owner, clientId, ["approvals:read"]);
    const [first, other] = [await stream(token), await stream(second)];
    await expect.poll(watchers).toBe(2);
    await revokeToken(owner, tokenId);
    await expect.poll(first.ended).toBe(true);
    expect(other.ended()).toBe(false);
    await revokeGrant(owner, clientId);
    await expect.poll(other.ended).toBe(true);
  });

  test("limits a grant to ten streams", async () => {
    const { token } = await anAppWith(...all);
    const { token: others } = await anAppWith(...all);
    const streams = [];
    for (let at = 0; at < 10; at++) streams.push(await stream(token));
    const refused = await stream(token);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect((await stream(others)).status).toBe(200);
    streams[3]?.hangUp();
    await expect.poll(watchers).toBe(10);
    expect((await stream(token)).status).toBe(200);
  });

  test("does not open a stream for a HEAD request", async () => {
    const { token } = await anAppWith(...all);
    const reply = await ask("HEAD", "/api/events", { token, headers: { accept: "text/event-stream" } });
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([200, "", "text/event-stream"]);
    await expect.poll(watchers).toBe(0);
  });
});

test.each([
  ["text/event-stream", "text/event-stream"],
  ["Text/Event-Stream; q=0.9", "text/event-stream"],
  ["text/event-stream, */*;q=0.1", "text/event-stream"],
  ["*/*", "application/json"],
  ["application/json, text/event-stream", "application/json"],
  ["application/json;q=0.5, text/event-stream;q=0.4", "application/json"],
  ["text/event-stream;q=0", "application/json"],
])("responds to the header Accept: %s with %s", async (accept, type) => {
  const { token } = await anAppWith(...all);
  const reply = await stream(token, "", { accept });
  expect([reply.status, reply.headers["content-type"]]).toEqual([200, type]);
});
