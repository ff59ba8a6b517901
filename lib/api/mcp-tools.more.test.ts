import http from "node:http";
import { describe, expect, it } from "vitest";
import * as answering from "@/lib/approvals/answer";
import { sendAnswersNow } from "@/lib/approvals/held-answers";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import { idempotencyKeyReused, invalidToken } from "@/lib/errors";
import { watchers } from "@/lib/events/watch-app-events";
import { revokeGrant } from "@/lib/grants/grants";
import { type Scope, scopeNames } from "@/lib/scopes";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { eventually } from "@/lib/testing/eventually";
import { type McpClient, mcpClient, type Revision, revisions } from "@/lib/testing/mcp-client";
import { aGrantedToken, aParty } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { aPasskeyFor, signed } from "@/lib/testing/sign-answers";

const { port, ask } = await startFront();
const url = new URL(`http://127.0.0.1:${port}/api/mcp`);
const resource = "http://localhost:3000/api/mcp";
const usual: Scope[] = ["approvals:write", "approvals:read"];
const ship = { kind: "option", optionId: "ship" } as const;

/** Creates an owner and an agent that the owner connected. */
async function anAgent(scopes: Scope[] = usual, revision?: Revision, query = "") {
  const party = await aParty();
  const { token } = await aGrantedToken(party, { scope: scopes.join(" "), resource });
  const { owner } = party;
  const pending = () =>
    db.approval.findMany({ where: { ownerId: owner.ownerId, status: "pending" }, orderBy: { createdAt: "asc" } });
  const everAsked = () => db.approval.count({ where: { ownerId: owner.ownerId } });
  /** Waits until exactly one question is pending, and returns its ID. */
  const asked = async () => {
    await expect.poll(async () => (await pending()).length).toBe(1);
    return (await pending())[0]?.id as string;
  };
  return { ...party, token, client: await mcpClient(new URL(query, url), token, revision), pending, asked, everAsked };
}
const nobodyWaits = () => expect.poll(watchers).toBe(0);
const somebodyWaits = (count = 1) => expect.poll(watchers).toBe(count);

describe.each(revisions)("the server for clients with protocol %s", (revision) => {
  it("reports progress until the owner answers", async () => {
    const { client, owner, asked } = await anAgent(usual, revision);
    await client.tools();
    const progress: object[] = [];
    const answer = client.call("ask_owner", aQuestion, { onprogress: (it) => progress.push(it) });
    const id = await asked();
    await somebodyWaits();
    await expect.poll(() => progress.length).toBe(1);
    expect(progress[0]).toMatchObject({ progress: 0, total: 45, message: `Waiting for the owner to answer ${id}` });
    await answerApproval(owner, id, { ...ship, note: "Go" });
    expect(await answer).toMatchObject({
      text: 'The owner chose option id "ship" (label "Ship now"). Note: "Go". Do exactly what the owner decided, and nothing more.',
      data: { id, status: "resolved", resolution: { ...ship, note: "Go", resolvedBy: "owner" } },
      isError: false,
    });
    expect((await answer).data).not.toHaveProperty("question");
    await nobodyWaits();
    await client.close();
  });

  it("omits the signature of an answer", async () => {
    const { client, owner } = await anAgent(usual, revision);
    await client.tools();
    const device = await aPasskeyFor(owner);
    const asked = await client.call("ask_owner", { ...aQuestion, signedByOwner: true, waitSeconds: 1 });
    const id = asked.data.id as string;
    const signature = await signed(owner, device, [id], ship);
    const { contentHash } = await readApproval(owner, id);
    await answering.answerApproval(owner, id, ship, contentHash, { signature });
    await sendAnswersNow(owner, [id]);
    const { data } = await client.call("check_approval", { id });
    expect(data).toMatchObject({ signedByOwner: true, resolution: { ...ship, resolvedBy: "owner" } });
    expect(data).not.toHaveProperty("resolution.signature");
    await client.close();
  });

  it("waits in check_approval for the answer to a pending question", async () => {
    const { client, owner, everAsked } = await anAgent(usual, revision);
    await client.tools();
    const early = await client.call("ask_owner", { ...aQuestion, waitSeconds: 1 });
    const id = early.data.id as string;
    expect(early.text).toMatch(new RegExp(`^The owner has not answered yet.* check_approval with id ${id} `));
    expect(early.data).toMatchObject({ id, status: "pending", next: early.text });
    const late = client.call("check_approval", { id });
    await somebodyWaits();
    await answerApproval(owner, id, { kind: "other", otherText: "Tomorrow" });
    expect(await late).toMatchObject({
      text: expect.stringContaining('own words: "Tomorrow"'),
      data: { _id: id, id, question: aQuestion.question, status: "resolved" },
    });
    expect((await client.call("check_approval", { id })).data).toMatchObject({ status: "resolved" });
    expect(await everAsked()).toBe(1);
    await client.close();
  });

  it("ends a wait when the agent cancels the call", async () => {
    const { client, asked } = await anAgent(usual, revision);
    const stop = new AbortController();
    const answer = client.call("ask_owner", aQuestion, { signal: stop.signal }).catch((error) => error);
    await asked();
    await somebodyWaits();
    stop.abort("no longer wanted");
    expect(await answer).toBeInstanceOf(Error);
    await nobodyWaits();
    await client.close();
  });

  it("returns an error when the agent loses access during a wait", async () => {
    const { client, owner, app, asked } = await anAgent(usual, revision);
    const answer = client.call("ask_owner", aQuestion);
    await asked();
    await somebodyWaits();
    await revokeGrant(owner, app.clientId);
    expect(await answer).toMatchObject({ text: `Unauthorized\n${invalidToken().why}`, isError: true });
    await nobodyWaits();
    await client.close().catch(() => {});
  });
});

it("ends a wait when the connection breaks", async () => {
  const { token, asked } = await anAgent();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask_owner", arguments: aQuestion } };
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  const request = http.request({ port, method: "POST", path: "/api/mcp", headers }).on("error", () => {});
  request.end(JSON.stringify(call));
  await asked();
  await somebodyWaits();
  request.destroy();
  await nobodyWaits();
});

describe("options as plain strings", () => {
  it("uses a plain string as both the option's ID and its label", async () => {
    const { client, owner, asked, everAsked } = await anAgent();
    const question = { question: "Ship it?", waitSeconds: 0 };
    await client.call("ask_owner", { ...question, options: ["Ship now", { id: "wait", label: "Wait" }] });
    const id = await asked();
    const options = [
      { id: "Ship now", label: "Ship now" },
      { id: "wait", label: "Wait" },
    ];
    expect((await client.call("check_approval", { id, waitSeconds: 0 })).data).toMatchObject({ options });
    expect((await client.call("ask_owner", { ...question, options })).data).toMatchObject({ id });
    expect(await everAsked()).toBe(1);
    await answerApproval(owner, id, { kind: "option", optionId: "Ship now" });
    expect((await client.call("check_approval", { id })).text).toMatch(/^The owner chose option "Ship now"\. /);
    await client.close();
  });

  it("rejects empty and duplicate option strings", async () => {
    const { client } = await anAgent();
    const words = async (options: unknown) => (await client.call("ask_owner", { question: "Ship it?", options })).text;
    expect(await words(["yes", "Yes"])).toMatch(/^Bad request\noptions: Option IDs must differ by more than case/);
    expect(await words([""])).toMatch(/^Bad request\noptions.0.id: Must not be empty/);
    expect(await words([])).toBe("Bad request\noptions: Must offer at least one option");
    await client.close();
  });
});

describe("facts and numbers", () => {
  const risky = { ...aQuestion, risk: "high", match: true };
  const numberOf = async (id: unknown) =>
    (await db.approval.findUniqueOrThrow({ where: { id: String(id) } })).match as { number: string };

  it("includes the facts in check_approval's result", async () => {
    const { client } = await anAgent();
    const facts = [{ label: "Amount", value: "86.40 €" }];
    const { data } = await client.call("ask_owner", { ...aQuestion, facts, waitSeconds: 0 });
    expect(data).not.toHaveProperty("facts");
    expect((await client.call("check_approval", { id: data.id, waitSeconds: 0 })).data).toMatchObject({ facts });
  });

  it("returns the number to match without waiting for an answer", async () => {
    const { client } = await anAgent();
    await client.tools();
    const { text, data } = await client.call("ask_owner", { ...risky, waitSeconds: 300 });
    expect(data).toMatchObject({ status: "pending", match: (await numberOf(data.id)).number });
    expect(text).toMatch(
      /^Show this number now to the person you act for: \d\d\. That person must pick this number before answering\. The owner has not answered/,
    );
    await nobodyWaits();
  });

  it("returns the number to match even to an agent that cannot read answers", async () => {
    const { client } = await anAgent(["approvals:write"]);
    const { text, data } = await client.call("ask_owner", risky);
    expect(text).toMatch(/^Show this number .*\d\d.* The question was submitted with the id apr_/);
    expect(data.match).toBe((await numberOf(data.id)).number);
  });

  it.each([
    ["without a key", {}],
    ["with a key", { key: "pay 418" }],
  ])("returns the same number for a repeated question %s", async (_, keyed) => {
    const { client, owner, everAsked } = await anAgent();
    const { data } = await client.call("ask_owner", { ...risky, ...keyed });
    const again = await client.call("ask_owner", { ...risky, ...keyed, waitSeconds: 0 });
    expect(again.data).toMatchObject({ id: data.id, match: data.match });
    expect(again.text).toContain(`act for: ${data.match}.`);
    const waiting = client.call("ask_owner", { ...risky, ...keyed });
    await somebodyWaits();
    const { contentHash } = await readApproval(owner, String(data.id));
    await answering.answerApproval(owner, String(data.id), ship, contentHash, {
      confirmed: true,
      picked: String(data.match),
    });
    expect(await waiting).toMatchObject({
      text: expect.not.stringContaining("number"),
      data: { id: data.id, status: "resolved" },
    });
    expect(await everAsked()).toBe(1);
  });

  it("asks a new question after the owner picks a wrong number", async () => {
    const { client, owner } = await anAgent();
    const { data } = await client.call("ask_owner", risky);
    const id = String(data.id);
    const { contentHash, match } = await readApproval(owner, id);
    const wrong = match?.numbers.find((number) => number !== data.match);
    expect(await answering.answerApproval(owner, id, ship, contentHash, { confirmed: true, picked: wrong })).toEqual({
      mismatched: true,
    });
    expect((await client.call("ask_owner", risky)).data.id).not.toBe(id);
  });

  it("rejects the match argument unless the question is high-risk", async () => {
    const { client } = await anAgent();
    const { data } = await client.call("ask_owner", { ...aQuestion, match: false, waitSeconds: 0 });
    expect(data).not.toHaveProperty("match");
    expect((await client.call("ask_owner", { ...aQuestion, match: true })).text).toBe(
      'Bad request\nmatch: Requires risk "high"',
    );
    expect((await client.call("ask_owner", { ...risky, match: 47 })).text).toBe(
      "Bad request\nmatch: Must be text, not a number",
    );
  });
});

describe("repeated questions", () => {
  it("asks one question for concurrent duplicate calls", async () => {
    const { client, owner, asked, everAsked } = await anAgent();
    const answers = [client.call("ask_owner", aQuestion), client.call("ask_owner", aQuestion)];
    const id = await asked();
    await somebodyWaits(2);
    await answerApproval(owner, id, ship);
    for (const { data } of await Promise.all(answers)) expect(data).toMatchObject({ id, status: "resolved" });
    expect(await everAsked()).toBe(1);
  });

  it("returns an answer that the owner gave after the call was interrupted", async () => {
    const { client, owner, asked, everAsked } = await anAgent();
    const cut = async () => {
      const stop = new AbortController();
      const call = client.call("ask_owner", aQuestion, { signal: stop.signal }).catch(() => {});
      const id = await asked();
      await somebodyWaits();
      stop.abort();
      await call;
      await nobodyWaits();
      return id;
    };
    const id = await cut();
    expect(await cut()).toBe(id);
    await answerApproval(owner, id, ship);
    const again = await client.call("ask_owner", aQuestion);
    expect(again.data).toMatchObject({ id, status: "resolved" });
    expect(again.text).toMatch(
      /^You already asked this question, so the service did not ask the owner again\. The owner chose option id "ship"/,
    );
    expect(await everAsked()).toBe(1);
  });

  it.each([
    ["ask_owner", async (_: McpClient) => {}],
    ["check_approval", async (client: McpClient, id: string) => void (await client.call("check_approval", { id }))],
    ["list_approvals", async (client: McpClient) => void (await client.call("list_approvals", { status: "resolved" }))],
    ["get_receipt", async (client: McpClient, id: string) => void (await client.call("get_receipt", { id }))],
  ])("asks the question again after %s returned the first answer", async (name, read) => {
    const { client, owner, asked, everAsked } = await anAgent();
    const first = client.call("ask_owner", { ...aQuestion, ...(name !== "ask_owner" && { waitSeconds: 0 }) });
    const id = await asked();
    if (name === "ask_owner") await somebodyWaits();
    else await first;
    await answerApproval(owner, id, ship);
    await first;
    await read(client, id);
    const second = await client.call("ask_owner", { ...aQuestion, waitSeconds: 0 });
    expect(second.data).toMatchObject({ status: "pending" });
    expect(second.data.id).not.toBe(id);
    expect(await everAsked()).toBe(2);
  });

  it("finds the pending question when the agent asks again days later", async () => {
    const { client, everAsked } = await anAgent();
    const first = await client.call("ask_owner", { ...aQuestion, waitSeconds: 0 });
    await db.$executeRaw`UPDATE idempotency SET created_at = created_at - interval '3 days'
      WHERE operation = 'askOwner' AND reply::json ->> 'id' = ${String(first.data.id)}`;
    await atEveryShard(sweep);
    expect((await client.call("ask_owner", { ...aQuestion, waitSeconds: 0 })).data.id).toBe(first.data.id);
    expect(await everAsked()).toBe(1);
  });

  it("asks a new question if the content or the app differs", async () => {
    const { client, owner, everAsked } = await anAgent();
    const other = await aGrantedToken({ owner, app: (await aParty()).app }, { scope: usual.join(" "), resource });
    const askNow = { ...aQuestion, waitSeconds: 0 };
    await client.call("ask_owner", askNow);
    await client.call("ask_owner", askNow);
    await client.call("ask_owner", { ...askNow, backgroundContext: "All green." });
    await (await mcpClient(url, other.token)).call("ask_owner", askNow);
    expect(await everAsked()).toBe(3);
  });

  it("returns the earlier question for a repeated key and rejects a changed question", async () => {
    const { client, owner, everAsked } = await anAgent();
    const keyed = { ...aQuestion, key: "build 418", waitSeconds: 0 };
    const { data } = await client.call("ask_owner", keyed);
    await answerApproval(owner, data.id as string, ship);
    for (let time = 0; time < 2; time++) {
      const again = await client.call("ask_owner", { ...keyed, waitSeconds: 1 });
      expect(again.data).toMatchObject({ id: data.id, status: "resolved" });
    }
    const wrong = await client.call("ask_owner", { ...keyed, question: "Ship build 419?" });
    expect(wrong).toMatchObject({ text: idempotencyKeyReused().message, isError: true });
    expect(await everAsked()).toBe(1);
  });

  it("sends only one notification for a repeated key", async () => {
    const { client, owner } = await anAgent(["notifications:write"]);
    for (let time = 0; time < 2; time++) await client.call("notify_owner", { title: "Done", key: "done 418" });
    expect(await db.notification.count({ where: { ownerId: owner.ownerId } })).toBe(1);
  });
});

describe("permissions", () => {
  it.each<[Scope[], string[]]>([
    [["approvals:write"], ["ask_owner"]],
    [["approvals:read"], ["check_approval"]],
    [["approvals:resolve"], ["resolve_approval"]],
    [["notifications:write"], ["notify_owner"]],
    [["notifications:read"], ["get_notification", "list_notifications"]],
  ])("lists only the tools that the scopes %j allow", async (scopes, names) => {
    const { client } = await anAgent(scopes);
    const listed = (await client.tools()).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(names));
    const others = ["ask_owner", "check_approval", "resolve_approval", "notify_owner", "list_notifications"];
    for (const name of others.filter((it) => !names.includes(it))) expect(listed).not.toContain(name);
  });

  it("asks a question without waiting if the agent cannot read answers", async () => {
    const { client } = await anAgent(["approvals:write"]);
    const began = performance.now();
    const asked = await client.call("ask_owner", aQuestion);
    expect(asked.text).toMatch(/^The question was submitted with the id apr_\w+\. You cannot read the answer/);
    expect(asked.data).toEqual({ id: expect.stringMatching(/^apr_/), next: asked.text });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it("returns output that matches each tool's schema", async () => {
    const { client } = await anAgent(scopeNames, undefined, "?tools=all");
    const schemas = Object.fromEntries((await client.tools()).map((tool) => [tool.name, tool.outputSchema]));
    expect(Object.values(schemas)).not.toContain(undefined);
    const { data } = await client.call("ask_owner", { ...aQuestion, waitSeconds: 0 });
    const { data: told } = await client.call("notify_owner", { title: "Hello", data: { n: 1 } });
    for (const [name, args] of [
      ["list_approvals", { limit: 1 }],
      ["check_approval", { id: data.id, waitSeconds: 0 }],
      ["resolve_approval", { id: data.id, ...ship }],
      ["check_approval", { id: data.id }],
      ["list_notifications", {}],
      ["get_notification", { id: told.id }],
      ["list_integrations", {}],
      ["list_events", { limit: 5 }],
    ] as const)
      expect(await client.call(name, args), name).toMatchObject({ isError: false });
  });

  it("waits in list_events for new events", async () => {
    const { client } = await anAgent(["notifications:write", "notifications:read"]);
    // The consent is an event too, which becomes final only after all earlier transactions.
    const before = await eventually(async () => {
      const told = await client.call("list_events", {});
      expect(told.data.data).not.toEqual([]);
      return told;
    });
    const later = client.call("list_events", { after: before.data.nextCursor, waitSeconds: 50 });
    await somebodyWaits();
    const { data } = await client.call("notify_owner", { title: "Done" });
    expect((await later).data).toMatchObject({ data: [{ type: "notification.pushed", data: { id: data.id } }] });
    await nobodyWaits();
  });

  it.each([
    ["ask_owner", { ...aQuestion, waitSeconds: 301 }, "waitSeconds: "],
    ["ask_owner", { ...aQuestion, waitSeconds: "soon" }, "waitSeconds: "],
    ["ask_owner", { ...aQuestion, key: "\u00e9" }, "key: "],
    ["ask_owner", { ...aQuestion, key: "x", question: "\ud83d" }, "question: "],
    ["ask_owner", { ...aQuestion, urgent: true }, "urgent: Unrecognized key: urgent. Did you mean risk?"],
    ["check_approval", { id: "apr_no" }, "Not found"],
    ["notify_owner", { title: "", key: "x" }, "title: "],
  ])("returns an error that explains why %s rejects %j", async (name, args, words) => {
    const { client } = await anAgent(scopeNames);
    const refused = await client.call(name, args);
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(words);
  });
});

it("returns the server's name, version and instructions", async () => {
  for (const revision of revisions) {
    const { client } = await anAgent(usual, revision);
    expect(client.instructions()).toContain("ask_owner");
    expect(client.server()).toMatchObject({
      name: "countersign",
      title: "Countersign",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  }
});

it.each([
  ["a foreign page", { origin: "http://evil.example" }, 403],
  ["a sandboxed page", { origin: "null" }, 403],
  ["a client that uses another host name", { host: "evil.example:3000" }, 403],
  ["a page on this computer", { origin: "http://localhost:6274" }, 401],
  ["a client without an Origin header", {}, 401],
])("returns $2 for an unauthenticated request from %s", async (_, headers, status) => {
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
  const sent = JSON.stringify(initialize);
  const got = await new Promise<number | undefined>((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const request = http.request({ port, method: "POST", path: "/api/mcp", headers: all }, (reply) => {
      reply.resume().on("end", () => resolve(reply.statusCode));
    });
    request.on("error", reject).end(sent);
  });
  expect(got).toBe(status);
  expect((await ask("GET", "/api/health")).status).toBe(200);
});
