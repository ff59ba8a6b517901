import { describe, expect, it, test } from "vitest";
import { exportData } from "@/lib/owner-data/data-export";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { contentHash } from "./content-hash";
import { readApproval, searchWaiting } from "./inbox-queries";
import type { Approval } from "./schema";
import { searchApprovals, waitingFromApp } from "./search";

const { ask } = await startFront();
const { owner, token, clientId } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");

const submit = (change: object) => ask("POST", "/api/approvals", { token, body: { ...aQuestion, ...change } });
const idOf = async (reply: ReturnType<typeof submit>) => ((await reply).body as { id: string }).id;
const problems = async (reply: ReturnType<typeof submit>) => {
  const { status, body } = await reply;
  const { details = [] } = body as { details?: { path: string; message: string }[] };
  return [status, ...details.map(({ path, message }) => `${path}: ${message}`)];
};
const read = async (id: string) => (await ask("GET", `/api/approvals/${id}`, { token })).body as Approval;
const facts = [
  { label: "Amount", value: "86.40 €" },
  { label: "Recipient", value: 'Ada "the" \\ <Lovelace> 🙂' },
  { label: "Amount", value: "1.20 €" },
];

test("returns facts exactly as submitted", async () => {
  const id = await idOf(submit({ facts }));
  const approval = await read(id);
  expect(approval.facts).toEqual(facts);
  expect(approval.contentHash).toBe(contentHash({ ...aQuestion, facts }));
  const { data } = (await ask("GET", "/api/approvals?limit=1", { token })).body as { data: Approval[] };
  expect(data[0]).toEqual(approval);
  expect((await readApproval(owner, id)).facts).toEqual(facts);
  expect((await waitingFromApp(owner, clientId)).find(({ _id }) => _id === id)?.facts).toEqual(facts);
});

test("returns facts in the response to a waiting request", async () => {
  const reply = await ask("POST", "/api/approvals?wait=1", { token, body: { ...aQuestion, facts } });
  expect(reply.body).toMatchObject({ status: "pending", facts });
});

test("treats an empty fact list as absent", async () => {
  const approval = await read(await idOf(submit({ facts: [] })));
  expect(approval).not.toHaveProperty("facts");
  expect(approval.contentHash).toBe(contentHash(aQuestion));
});

test("stores each question's own facts when questions are submitted concurrently", async () => {
  const wanted = Array.from({ length: 40 }, (_, nth) => (nth % 2 ? [{ label: "Nth", value: `${nth}` }] : undefined));
  const ids = await Promise.all(wanted.map((facts) => idOf(submit({ facts }))));
  expect(await Promise.all(ids.map(async (id) => (await read(id)).facts))).toEqual(wanted);
});

describe("invalid facts", () => {
  const fact = (change: object) => submit({ facts: [{ label: "Amount", value: "1 €", ...change }] });
  const long = (length: number) => "x".repeat(length);
  it.each<[string, object, string]>([
    ["an empty label", { label: "" }, "facts.0.label: Must not be empty"],
    ["a blank value", { value: " \u200b" }, "facts.0.value: Must not be blank"],
    ["a long label", { label: long(81) }, "facts.0.label: Must be at most 80 characters"],
    ["a long value", { value: long(201) }, "facts.0.value: Must be at most 200 characters"],
    ["two lines", { value: "a\nb" }, "facts.0.value: Must be one line without control characters"],
    ["a line separator", { label: "a\u2028b" }, "facts.0.label: Must be one line without control characters"],
    ["NUL", { value: "a\0b" }, "facts.0.value: Must be one line without control characters"],
    [
      "a bidirectional override",
      { value: "pay \u202e001$" },
      "facts.0.value: Must not contain bidirectional overrides",
    ],
    ["an unpaired surrogate", { value: "a\ud800" }, "facts.0.value: Must not contain an unpaired surrogate"],
    ["an unknown field", { unit: "€" }, "facts.0.unit: Unrecognized key: unit. Allowed: label, value."],
    ["NaN", { value: Number.NaN }, "facts.0.value: Required"],
  ])("rejects a fact with %s", async (_, change, message) => {
    expect(await problems(fact(change))).toEqual([400, message]);
  });

  it("rejects more than six facts", async () => {
    const six = Array.from({ length: 6 }, (_, nth) => ({ label: `${nth}`, value: "x" }));
    expect((await submit({ facts: six })).status).toBe(201);
    expect(await problems(submit({ facts: [...six, ...six] }))).toEqual([400, "facts: Must contain at most 6 facts"]);
  });

  it("rejects prototype keys in facts", async () => {
    for (const key of ["__proto__", "constructor", "prototype"]) {
      const raw = `{"question":"q","options":[{"id":"a","label":"A"}],"facts":[{"label":"A","value":"1","${key}":{"value":"2"}}]}`;
      expect((await ask("POST", "/api/approvals", { token, raw })).status, key).toBe(400);
    }
    expect(({} as { value?: string }).value).toBeUndefined();
  });
});

it("measures the length of facts in code points", async () => {
  const longest = [{ label: "🙂".repeat(80), value: "🙂".repeat(200) }];
  expect((await read(await idOf(submit({ facts: longest })))).facts).toEqual(longest);
});

describe("numbers to match", () => {
  it("requires high risk for a question with a number to match", async () => {
    for (const risk of [undefined, "low", "normal"])
      expect(await problems(submit({ match: "47", ...(risk && { risk }) }))).toEqual([
        400,
        'match: Requires risk "high"',
      ]);
    expect((await submit({ match: "47", risk: "high" })).status).toBe(201);
  });

  it.each(["", "4", "474", " 47", "47\n", "４７", "4a", "-1", "1e", "NaN"])(
    "rejects %j as the number to match",
    async (match) => {
      expect(await problems(submit({ match, risk: "high" }))).toEqual([400, "match: Must be two digits, like 47"]);
    },
  );

  it("rejects a number to match combined with a default", async () => {
    const terms = { risk: "high", match: "47", defaultOptionId: "wait", expiresAt: Date.now() + 3_600_000 };
    expect(await problems(submit(terms))).toEqual([
      400,
      "defaultOptionId: Cannot be combined with match, because a default is not the owner's answer",
    ]);
  });

  it("omits the number to match from the response to the app", async () => {
    const id = await idOf(submit({ match: "47", risk: "high" }));
    const reply = await ask("GET", `/api/approvals/${id}`, { token });
    expect(reply.text).not.toMatch(/match|"47"/);
  });
});

test("finds questions by their facts", async () => {
  const { owner, token } = await anAppWith("approvals:write");
  const id = await idOf(ask("POST", "/api/approvals", { token, body: { ...aQuestion, facts } }));
  await ask("POST", "/api/approvals", { token, body: aQuestion });
  const found = async (text: string) =>
    (await searchApprovals(owner, { list: "waiting", text } as never)).approvals.map(({ _id }) => _id);
  expect(await found("lovelace")).toEqual([id]);
  expect(await found("86.40")).toEqual([id]);
  expect((await searchWaiting(owner, "lovelace 418")).map(({ id }) => id)).toEqual([id]);
  expect(await searchWaiting(owner, "babbage")).toEqual([]);
});

test("exports facts without the number to match", async () => {
  const { owner, token } = await anAppWith("approvals:write");
  await ask("POST", "/api/approvals", { token, body: { ...aQuestion, facts, risk: "high", match: "47" } });
  let text = "";
  for await (const part of exportData(owner)) text += part;
  expect(JSON.parse(text)).toMatchObject({ approvalsWaiting: [{ facts, picked: null }] });
  expect(text).not.toContain("offers");
});
