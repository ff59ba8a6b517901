import { describe, expect, it } from "vitest";
import { scopeNames } from "@/lib/scopes";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { mcpClient } from "@/lib/testing/mcp-client";
import { aGrantedToken, aParty } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";

const { port, ask } = await startFront();
const { token } = await anAppWith(
  "approvals:write",
  "approvals:read",
  "approvals:resolve",
  "notifications:write",
  "notifications:read",
);

const submit = (change: object, headers = {}) =>
  ask("POST", "/api/approvals", { token, body: { ...aQuestion, ...change }, headers });
const push = (change: object) => ask("POST", "/api/notifications", { token, body: { title: "Hello", ...change } });
const details = ({ body }: { body: unknown }) =>
  ((body as { details?: { path: string; message: string }[] }).details ?? []).map((it) => `${it.path}: ${it.message}`);
const made = async (reply: { headers: Headers }) =>
  (await ask("GET", reply.headers.get("location") as string, { token })).body as Record<string, unknown>;

describe("wrong types", () => {
  const over20 = "x".repeat(21);
  it.each([
    ["a number for a question", { question: 42 }, ["question: Must be text, not a number"]],
    ["no question", { question: undefined }, ["question: Required"]],
    ["null for a question", { question: null }, ["question: Required"]],
    ["text for options", { options: over20 }, ["options: Must be a list of {id, label}, not text"]],
    [
      "JSON text for options",
      { options: JSON.stringify(aQuestion.options) },
      ["options: Must be a list of {id, label}, not text"],
    ],
    ["an object for options", { options: {} }, ["options: Must be a list of {id, label}, not an object"]],
    ["null for options", { options: null }, ["options: Required"]],
    [
      "strings instead of option objects",
      { options: ["Yes", "No"] },
      ["options.0: Must be an object {id, label}, not text", "options.1: Must be an object {id, label}, not text"],
    ],
    ["a number for an option ID", { options: [{ id: 1, label: "A" }] }, ["options.0.id: Must be text, not a number"]],
    ["an option without a label", { options: [{ id: "a" }] }, ["options.0.label: Required"]],
    ["null for a label", { options: [{ id: "a", label: null }] }, ["options.0.label: Required"]],
    [
      "a date for a deadline",
      { expiresAt: "2026-12-01T00:00:00Z" },
      ["expiresAt: Must be epoch milliseconds, like 1795000000000"],
    ],
    [
      "a fraction for a deadline",
      { expiresAt: 1795000000000.5 },
      ["expiresAt: Must be epoch milliseconds, like 1795000000000"],
    ],
    ["text for a boolean", { ownerOnly: "true" }, ["ownerOnly: Must be true or false, not text"]],
    ["an unknown risk", { risk: "severe" }, ['risk: Must be "low" or "normal" or "high"']],
    [
      "an unknown style",
      { options: [{ id: "a", label: "A", style: "red" }] },
      ['options.0.style: Must be "default" or "danger"'],
    ],
    ["text for facts", { facts: over20 }, ["facts: Must be a list of {label, value}, not text"]],
    ["an object for facts", { facts: { Amount: "1 €" } }, ["facts: Must be a list of {label, value}, not an object"]],
    ["text for a fact", { facts: ["1 €"] }, ["facts.0: Must be an object {label, value}, not text"]],
    ["a fact without a value", { facts: [{ label: "Amount" }] }, ["facts.0.value: Required"]],
    ["null for a value", { facts: [{ label: "Amount", value: null }] }, ["facts.0.value: Required"]],
    ["a number for a value", { facts: [{ label: "A", value: 1 }] }, ["facts.0.value: Must be text, not a number"]],
    ["a number for the number to match", { risk: "high", match: 47 }, ["match: Must be text, not a number"]],
    [
      "a list for the background context",
      { backgroundContext: ["a"] },
      ["backgroundContext: Must be text, not a list"],
    ],
  ])("rejects an approval with %s", async (_, change, words) => {
    const reply = await submit(change);
    expect([reply.status, details(reply)]).toEqual([400, words]);
  });

  it("rejects fields of the wrong type in notifications and answers", async () => {
    expect(details(await push({ data: [1] }))).toEqual(["data: Must be an object, not a list"]);
    expect(details(await push({ type: true }))).toEqual(["type: Must be text, not true or false"]);
    const { id } = (await submit({})).body as { id: string };
    const resolve = async (body: object) => details(await ask("POST", `/api/approvals/${id}/resolve`, { token, body }));
    expect(await resolve({ kind: "yes" })).toEqual(['kind: Must be "option" or "other"']);
    expect(await resolve({})).toEqual(["kind: Required"]);
    expect(await resolve({ kind: "option", optionId: 1 })).toEqual(["optionId: Must be text, not a number"]);
  });

  it("omits the rejected value from the error", async () => {
    const secret = "cs_secret_418";
    const wrong = await submit({ question: [secret], ownerOnly: secret, [`${"n".repeat(50_000)}`]: secret });
    expect(wrong.status).toBe(400);
    expect(wrong.text).not.toContain(secret);
    expect(wrong.text.length).toBeLessThan(1_000);
  });

  it("rejects tool arguments of the wrong type", async () => {
    const { token: forMcp } = await aGrantedToken(await aParty(), {
      scope: scopeNames.join(" "),
      resource: "http://localhost:3000/api/mcp",
    });
    const client = await mcpClient(new URL(`http://127.0.0.1:${port}/api/mcp`), forMcp);
    const words = async (name: string, args: Record<string, unknown>) => (await client.call(name, args)).text;
    expect(await words("ask_owner", { ...aQuestion, waitSeconds: "10" })).toBe(
      "Bad request\nwaitSeconds: Must be a whole number, not text",
    );
    expect(await words("ask_owner", { ...aQuestion, waitSeconds: 301 })).toBe(
      "Bad request\nwaitSeconds: Must be at most 300",
    );
    expect(await words("ask_owner", { ...aQuestion, options: ["Yes", 2] })).toBe(
      "Bad request\noptions.1: Must be an object {id, label}, not a number",
    );
    expect(await words("ask_owner", { ...aQuestion, options: "Yes" })).toBe(
      "Bad request\noptions: Must be a list of {id, label}, not text",
    );
    expect(await words("check_approval", {})).toBe("Bad request\nid: Required");
    expect(await words("list_approvals", { limit: true })).toBe(
      "Bad request\nlimit: Must be a whole number from 1 to 200",
    );
    await client.close();
  });
});

describe("null fields", () => {
  const nothing = {
    backgroundContext: null,
    recommendation: null,
    expiresAt: null,
    defaultOptionId: null,
    ownerOnly: null,
    risk: null,
    facts: null,
    match: null,
  };
  const without = { ...aQuestion, options: aQuestion.options.map(({ id, label }) => ({ id, label })) };
  const withNulls = { ...nothing, options: without.options.map((option) => ({ ...option, note: null, style: null })) };

  it("treats null as absent in every optional field", async () => {
    const [one, other] = [await submit({ options: without.options }), await submit(withNulls)];
    expect([one.status, other.status, details(other)]).toEqual([201, 201, []]);
    const [{ _id, _creationTime, ...plain }, { _id: _, _creationTime: __, ...nulled }] = [
      await made(one),
      await made(other),
    ];
    expect(nulled).toEqual(plain);
  });

  it("accepts null for optional fields of notifications, answers and reports", async () => {
    const note = await push({ body: null, type: null, data: null });
    expect(note.status).toBe(201);
    expect(await made(note)).toMatchObject({ title: "Hello", body: "", type: "general", data: {} });
    const { id } = (await submit({})).body as { id: string };
    const answer = { kind: "option", optionId: "ship", otherText: null, note: null };
    expect((await ask("POST", `/api/approvals/${id}/resolve`, { token, body: answer })).status).toBe(200);
    const report = { status: "done", text: null, link: null };
    expect((await ask("POST", `/api/approvals/${id}/outcome`, { token, body: report })).status).toBe(200);
    expect(details(await ask("POST", `/api/approvals/${id}/additions`, { token, body: { text: null } }))).toEqual([
      "text: Required",
    ]);
  });

  it("preserves null in a notification's data", async () => {
    const data = { a: null, list: [null, 1], deep: { b: null } };
    expect(await made(await push({ data }))).toMatchObject({ data });
  });

  it("rejects an unknown field whose value is null", async () => {
    expect(details(await submit({ urgent: null }))).toEqual(["urgent: Unrecognized key: urgent. Did you mean risk?"]);
  });

  it("treats null as absent in tool arguments", async () => {
    const party = await aParty();
    const { token: forMcp } = await aGrantedToken(party, {
      scope: "approvals:write approvals:read",
      resource: "http://localhost:3000/api/mcp",
    });
    const client = await mcpClient(new URL(`http://127.0.0.1:${port}/api/mcp`), forMcp);
    const first = await client.call("ask_owner", { ...without, waitSeconds: 0 });
    const again = await client.call("ask_owner", { ...without, ...withNulls, waitSeconds: 0, key: null });
    expect([again.isError, again.data.id]).toEqual([false, first.data.id]);
    const keyed = await client.call("ask_owner", { ...without, waitSeconds: 0, key: "one" });
    const keyedAgain = await client.call("ask_owner", { ...without, ...withNulls, waitSeconds: 0, key: "one" });
    expect([keyedAgain.isError, keyedAgain.data.id]).toEqual([false, keyed.data.id]);
    await client.close();
  });
});

describe("free text", () => {
  it.each([
    ["Order shipped"],
    ["größe"],
    [""],
    ["a/b?c=d&e#f"],
    ['"quoted" \\ <b>'],
    [" kept as it is "],
    ["📦".repeat(64)],
    ["💥"],
  ])("accepts %j as a notification type", async (type) => {
    const reply = await push({ type });
    expect([reply.status, details(reply)]).toEqual([201, []]);
    expect(await made(reply)).toMatchObject({ type });
    const listed = await ask("GET", `/api/notifications?type=${encodeURIComponent(type)}`, { token });
    expect((listed.body as { data: { type: string }[] }).data.map((it) => it.type)).toEqual([type]);
  });

  it.each([["Order\nshipped"], ["x".repeat(65)], ["\u202eabc"], ["a\0"]])(
    "rejects %j as a notification type",
    async (type) => {
      expect((await push({ type })).status).toBe(400);
    },
  );

  it.each([
    ["Ship it now!"],
    ["größe"],
    ['say "yes" \\ <b>&amp;'],
    ["a/b?c#d"],
    ["はい"],
    ["🚀".repeat(100)],
    ["{id}"],
    ["'; DROP"],
  ])("accepts %j as an option ID", async (id) => {
    const options = [
      { id, label: "Ship now" },
      { id: "wait", label: "Wait" },
    ];
    const reply = await submit({ options, expiresAt: Date.now() + 600_000, defaultOptionId: id });
    expect([reply.status, details(reply)]).toEqual([201, []]);
    expect(await made(reply)).toMatchObject({ options, defaultOptionId: id });
    const path = reply.headers.get("location") as string;
    const answer = { kind: "option", optionId: id };
    expect((await ask("POST", `${path}/resolve`, { token, body: answer })).status).toBe(200);
    expect(await made(reply)).toMatchObject({ resolution: answer });
    // Another file's open transaction may delay the newest events.
    const events = async () => (await ask("GET", "/api/events?limit=100", { token })).text;
    await expect.poll(events).toContain(`"resolution":{"kind":"option","optionId":${JSON.stringify(id)},`);
  });

  it.each([
    ["differ only in case", ["größe", "GRÖßE"]],
    ["differ only in accent encoding", ["caf\u00e9", "cafe\u0301"]],
    ["differ only in invisible characters", ["yes", "yes\u200b"]],
  ])("rejects option IDs that %s", async (_, ids) => {
    const options = ids.map((id, at) => ({ id, label: `Choice ${at === 0 ? "one" : "two"}` }));
    expect(details(await submit({ options }))).toEqual(["options: Option IDs must differ by more than case"]);
  });
});
