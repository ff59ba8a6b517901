import { afterAll, expect, it } from "vitest";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import { eventId, startOfLog } from "@/lib/event-feed/event-id";
import { watchers } from "@/lib/events/watch-app-events";
import type { Scope } from "@/lib/scopes";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { sendingTo } from "@/lib/testing/app-with-webhook";
import { atRest } from "@/lib/testing/await-event-horizon";
import { aTokenFor } from "@/lib/testing/factories";
import { mcpClient } from "@/lib/testing/mcp-client";
import { aGrantedToken, aParty } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { sendAll } from "@/lib/testing/send-due-webhooks";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { aReceiver } from "@/lib/testing/webhook-receiver";
import { addEndpoint } from "@/lib/webhooks/endpoints";

// An agent may use a yes only once, even though it can read the yes through several routes.
const { port, ask } = await startFront();
const receiver = await aReceiver();
afterAll(receiver.close);
sendingTo([receiver.origin]);
const scopes: Scope[] = ["approvals:write", "approvals:read", "approvals:resolve"];
const ship = { kind: "option", optionId: "ship" } as const;
const atOnce = { ...aQuestion, waitSeconds: 0 };
const somebodyWaits = (count: number) => expect.poll(watchers).toBe(count);

/** Creates an agent at /api/mcp, and gives the same app a token for /api. */
async function anAgent() {
  const party = await aParty();
  const { owner, app } = party;
  const { clientId } = app;
  const resource = "http://localhost:3000/api/mcp";
  const { token: tools } = await aGrantedToken(party, { scope: "approvals:write approvals:read", resource });
  const { token } = await aTokenFor(owner, clientId, scopes);
  const client = await mcpClient(new URL(`http://127.0.0.1:${port}/api/mcp`), tools);
  const read = async (path: string) => (await ask("GET", path, { token })).text;
  const call = (name: string, args: object, signal?: AbortSignal) =>
    client.call(name, { ...args }, signal && { signal });
  return {
    owner,
    registrar: app.owner,
    clientId,
    token,
    read,
    call,
    askOwner: (args: object = atOnce) => call("ask_owner", args),
  };
}
type Agent = Awaited<ReturnType<typeof anAgent>>;

/** Reads an answer through a route other than the agent's `ask_owner`. */
type Door = (agent: Agent, id: string) => Promise<unknown>;
const doors: [string, Door][] = [
  ["a GET request", ({ read }, id) => read(`/api/approvals/${id}`)],
  ["a waiting GET request", ({ read }, id) => read(`/api/approvals/${id}?wait=30`)],
  ["the list of approvals", ({ read }) => read("/api/approvals?status=resolved")],
  ["the receipt", ({ read }, id) => read(`/api/approvals/${id}/receipt`)],
  ["the list of events", ({ read }) => expect.poll(() => read("/api/events")).toContain("approval.resolved")],
  ["the event stream", readStream],
  [
    "the list_events tool",
    ({ call }) => expect.poll(async () => (await call("list_events", {})).text).toContain("approval.resolved"),
  ],
  [
    "a webhook",
    async ({ clientId }, id) => {
      await sendAll();
      expect(
        receiver.at(`/${clientId}`).some(({ body }) => body.includes("approval.resolved") && body.includes(id)),
      ).toBe(true);
    },
  ],
];

async function readStream({ token }: Agent) {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const stop = new AbortController();
  const url = `http://127.0.0.1:${port}/api/events?after=${eventId(startOfLog)}`;
  const { body } = await fetch(url, { headers, signal: stop.signal });
  let said = "";
  for await (const piece of body ?? []) {
    said += Buffer.from(piece).toString();
    if (said.includes("approval.resolved")) break;
  }
  stop.abort();
}

it.each(doors)("asks the question again after %s returned the first answer", async (name, door) => {
  const agent = await anAgent();
  const { owner, registrar, clientId, askOwner } = agent;
  if (name === "a webhook") await addEndpoint(registrar, clientId, { url: `${receiver.origin}/${clientId}` });
  const { data } = await askOwner();
  const id = data.id as string;
  await answerApproval(owner, id, ship);
  await door(agent, id);
  const second = await askOwner();
  expect(second.data).toMatchObject({ status: "pending" });
  expect(second.data.id).not.toBe(id);
  expect(second.text).not.toContain("Do exactly what the owner decided, and nothing more");
});

it("asks the owner again if the app itself answered the first question", async () => {
  const { token, askOwner } = await anAgent();
  const { data } = await askOwner();
  await ask("POST", `/api/approvals/${data.id}/resolve`, { token, body: ship });
  expect((await askOwner()).data).toMatchObject({ status: "pending" });
});

it("returns the answer to ask_owner after a failed webhook delivery", async () => {
  const { owner, registrar, clientId, read, askOwner } = await anAgent();
  const path = `/${clientId}`;
  receiver.on(path, (reply) => reply.writeHead(500).end());
  await addEndpoint(registrar, clientId, { url: `${receiver.origin}${path}` });
  const { data } = await askOwner();
  await read(`/api/approvals/${data.id}`);
  await read("/api/approvals");
  await answerApproval(owner, data.id as string, ship);
  await sendAll();
  expect(receiver.at(path).length).toBeGreaterThan(0);
  expect((await askOwner()).text).toContain('The owner chose option id "ship" (label "Ship now")');
});

it("returns the answer to both a waiting ask_owner call and a GET request", async () => {
  const agent = await anAgent();
  const { owner, read, askOwner } = agent;
  const waiting = askOwner(aQuestion);
  await somebodyWaits(1);
  const [asked] = await db.approval.findMany({ where: { ownerId: owner.ownerId } });
  const other = read(`/api/approvals/${asked?.id}?wait=30`);
  await somebodyWaits(2);
  await answerApproval(owner, asked?.id ?? "", ship);
  expect(await other).toContain('"optionId":"ship"');
  expect((await waiting).text).toMatch(
    /^The owner chose option id "ship" \(label "Ship now"\).* Do exactly what the owner decided, and nothing more/,
  );
});

it.each([2, 5])("returns the answer to only one of %i concurrent ask_owner calls", async (many) => {
  const { owner, askOwner } = await anAgent();
  const calls = Array.from({ length: many }, () => askOwner(aQuestion));
  await somebodyWaits(many);
  const approvals = await db.approval.findMany({ where: { ownerId: owner.ownerId } });
  expect(approvals).toHaveLength(1);
  const id = approvals[0]?.id ?? "";
  await answerApproval(owner, id, ship);
  const told = await Promise.all(calls);
  const [on, others] = [
    told.filter(({ text }) => /Do exactly what the owner decided, and nothing more/.test(text)),
    told.filter(({ text }) => !/Do exactly what the owner decided, and nothing more/.test(text)),
  ];
  expect(on).toHaveLength(1);
  expect(on[0]?.data).toMatchObject({ id, resolution: ship });
  for (const { text, data, isError } of others) {
    expect(text).toMatch(/another of your calls received the answer\. Ask again only if you need a second answer/);
    expect([data, isError]).toEqual([{ id, status: "resolved", next: text }, false]);
  }
  expect((await askOwner()).data).toMatchObject({ status: "pending" });
});

it("returns the answer to only one of two ask_owner calls after an interrupted call", async () => {
  const { owner, call, askOwner } = await anAgent();
  const stop = new AbortController();
  const cut = call("ask_owner", aQuestion, stop.signal).catch(() => {});
  await somebodyWaits(1);
  stop.abort();
  await cut;
  await somebodyWaits(0);
  // Waits for the interrupted call's reads, because a read that is still running would get the
  // answer.
  await atRest();
  const [asked] = await db.approval.findMany({ where: { ownerId: owner.ownerId } });
  await answerApproval(owner, asked?.id ?? "", ship);
  const texts = (await Promise.all([askOwner(), askOwner()])).map(({ text }) => text);
  expect(texts.filter((text) => text.includes("Do exactly what the owner decided, and nothing more"))).toHaveLength(1);
});

it("marks the answer as already received in all check_approval results but one", async () => {
  const { owner, call, askOwner } = await anAgent();
  const [one, other] = [await askOwner(), await askOwner()];
  expect(other.data.id).toBe(one.data.id);
  const check = () => call("check_approval", { id: one.data.id });
  const checking = [check(), check(), check()];
  await somebodyWaits(3);
  await answerApproval(owner, one.data.id as string, ship);
  const texts = [...(await Promise.all(checking)), await check()].map(({ text }) => text);
  for (const text of texts) expect(text).toContain('The owner chose option id "ship" (label "Ship now")');
  expect(texts.filter((text) => !text.includes("already received this answer"))).toHaveLength(1);
  expect((await askOwner()).data).toMatchObject({ status: "pending" });
});

it("returns the answer every time a question with a key is checked", async () => {
  const { owner, token, call, askOwner } = await anAgent();
  const keyed = { ...atOnce, key: "build 418" };
  const { data } = await askOwner(keyed);
  const { body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  for (const id of [data.id as string, (body as { id: string }).id]) {
    await answerApproval(owner, id, ship);
    for (let time = 0; time < 2; time++)
      expect((await call("check_approval", { id })).text).toMatch(
        /Do exactly what the owner decided, and nothing more\.$/,
      );
  }
  expect((await askOwner(keyed)).text).toContain("Do exactly what the owner decided, and nothing more");
});

it("returns an answer that the owner gave days after the first call", async () => {
  const { owner, askOwner } = await anAgent();
  const { data } = await askOwner();
  await db.$executeRaw`UPDATE idempotency SET created_at = created_at - interval '3 days'
    WHERE operation = 'askOwner' AND reply::json ->> 'id' = ${String(data.id)}`;
  await answerApproval(owner, data.id as string, ship);
  await atEveryShard(sweep);
  expect((await askOwner()).text).toContain("Do exactly what the owner decided, and nothing more");
});
