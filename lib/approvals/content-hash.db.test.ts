import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { codePoints } from "@/lib/testing/arbitrary-strings";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { readVectors } from "@/lib/testing/signed-answers/vectors";
import { getApproval, submitApproval } from "./approvals";
import { type Content, contentHash } from "./content-hash";
import { type Approval, NewApproval } from "./schema";

/**
 * Texts that JSON serializers write in different ways: quotes, control characters, separators,
 * escapes, surrogate pairs.
 */
const hard = [
  `"quoted" \\ and / and '`,
  "\b\t\n\f\r \u0001\u001f\u007f\u0080",
  "\u2028\u2029\ufeff\u200b",
  "🙂 👩‍👩‍👧 𝒳 \u{10ffff}",
  "é e\u0301 שלום می‌خواهم",
  "</script><!-- & \\u0041 \\n",
  "",
];

/** Hashes canonical JSON that the test spells out, to compare with both of our implementations. */
const byHand = (json: string) => `sha256:${createHash("sha256").update(json, "utf8").digest("hex")}`;

async function inSql({ question, options, ...rest }: Content): Promise<string> {
  const { rows } = await pool().query<{ hash: string }>(
    "SELECT approval_content_hash($1, $2::json, $3, $4, to_timestamp($5::bigint / 1000.0)::timestamptz(3), $6, $7, $8::text, $9::json, NULL::json, false, NULL::text, $10::jsonb) AS hash",
    [
      ...[question, JSON.stringify(options), rest.backgroundContext ?? null, rest.recommendation ?? null],
      ...[rest.expiresAt ?? null, rest.defaultOptionId ?? null, rest.ownerOnly ?? false],
      rest.risk ?? null,
      rest.facts ? JSON.stringify(rest.facts) : null,
      rest.additions ? JSON.stringify(rest.additions) : null,
    ],
  );
  return rows[0]?.hash as string;
}

test("hashes the canonical JSON of the content", async () => {
  const options = [
    { id: "b", label: "B \u2028", note: 'no "note"' },
    { id: "a", label: "Ä" },
  ];
  const plain: Content = { question: "Ship?\n", options };
  const json = `"options":[{"id":"b","label":"B \u2028","note":"no \\"note\\""},{"id":"a","label":"Ä"}]`;
  expect(contentHash(plain)).toBe(byHand(`{${json},"question":"Ship?\\n"}`));
  const whole: Content = {
    ...plain,
    backgroundContext: "Why",
    recommendation: "b",
    expiresAt: 1_795_000_000_123,
    ownerOnly: true,
    additions: [
      { text: "first\u0001", createdAt: 1 },
      { text: "second", createdAt: 1_795_000_000_000 },
    ],
  };
  expect(contentHash(whole)).toBe(
    byHand(
      `{"additions":[{"createdAt":1,"text":"first\\u0001"},{"createdAt":1795000000000,"text":"second"}],"backgroundContext":"Why",` +
        `"expiresAt":1795000000123,${json},"ownerOnly":true,"question":"Ship?\\n","recommendation":"b"}`,
    ),
  );
  const risky: Content = {
    question: "Delete?",
    options: [
      { style: "danger", note: "All", label: "Delete", id: "yes" },
      { id: "no", label: "Keep", style: "default" },
    ],
    recommendation: "no",
    risk: "high",
  };
  expect(contentHash(risky)).toBe(
    byHand(
      '{"options":[{"id":"yes","label":"Delete","note":"All","style":"danger"},{"id":"no","label":"Keep","style":"default"}],' +
        '"question":"Delete?","recommendation":"no","risk":"high"}',
    ),
  );
  for (const content of [plain, whole, risky]) expect(await inSql(content)).toBe(contentHash(content));
});

test("computes the same hash as before for content without facts", async () => {
  // Receipts from before have this hash of `aQuestion`.
  expect(contentHash(aQuestion)).toBe("sha256:d4018122bda266e3431208bba5ab72ce384ea7d16eeea4e040dfd5e3a2624da1");
  expect(await inSql({ ...aQuestion, risk: "low" })).toBe(contentHash({ ...aQuestion, risk: "low" }));
});

test("hashes facts in the given order", async () => {
  const facts = [
    { value: "86.40 €", label: "Amount" },
    { label: 'To "Ada"', value: "GB33\u2028BUKB" },
    { label: "Amount", value: "1 €" },
  ];
  const content: Content = { question: "Pay?", options: [{ id: "yes", label: "Yes" }], facts, risk: "high" };
  expect(contentHash(content)).toBe(
    byHand(
      '{"facts":[{"label":"Amount","value":"86.40 €"},{"label":"To \\"Ada\\"","value":"GB33\u2028BUKB"},{"label":"Amount","value":"1 €"}],' +
        '"options":[{"id":"yes","label":"Yes"}],"question":"Pay?","risk":"high"}',
    ),
  );
  expect(await inSql(content)).toBe(contentHash(content));
  expect(contentHash({ ...content, facts: facts.toReversed() })).not.toBe(contentHash(content));
});

test("omits false flags and empty lists from the hashed content", () => {
  const bare = contentHash(aQuestion);
  expect(contentHash({ ...aQuestion, ownerOnly: false, additions: [], facts: [] })).toBe(bare);
  expect(contentHash({ ...aQuestion, _id: "apr_1", status: "resolved" } as Content)).toBe(bare);
  expect(contentHash({ ...aQuestion, backgroundContext: "" })).not.toBe(bare);
  expect(contentHash({ ...aQuestion, options: aQuestion.options.toReversed() })).not.toBe(bare);
});

test("computes equal hashes in SQL and TypeScript for every text", async () => {
  for (const text of hard) {
    const content = {
      question: text,
      backgroundContext: text,
      recommendation: text,
      options: hard.map((label, at) => ({ id: `o${at}`, label, ...(at % 2 && { note: text }) })),
      expiresAt: 1_795_000_000_001,
      defaultOptionId: "o1",
      facts: hard.map((value) => ({ label: text, value })),
      additions: [{ text, createdAt: 5 }],
    };
    expect(await inSql(content), JSON.stringify(text)).toBe(contentHash(content));
  }
  const words = codePoints(30).map((text) => text.replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(words, words, fc.option(words, { nil: undefined }), fc.boolean(), async (a, b, c, ownerOnly) => {
      const content = { question: a, options: [{ id: "x", label: b, note: c }], backgroundContext: c, ownerOnly };
      expect(await inSql(content)).toBe(contentHash(content));
    }),
    { numRuns: 200, seed: 7 },
  );
});

test("returns every approval with its content hash", async () => {
  const { app } = await anAppWith("approvals:write", "approvals:resolve");
  const expiresAt = Date.now() + 3_600_000;
  for (const ask of [
    aQuestion,
    { ...aQuestion, backgroundContext: "# Why\n\n- a\tb", recommendation: "ship" },
    { ...aQuestion, expiresAt, defaultOptionId: "wait" },
    { ...aQuestion, expiresAt, ownerOnly: true },
    { ...aQuestion, facts: [{ label: "Build", value: 'the "418"' }], ownerOnly: true },
    { ...aQuestion, options: [{ id: "x", label: "X", style: "danger" as const }], risk: "low" as const },
  ]) {
    const { id } = await submitApproval(app, ask);
    const read = async () => JSON.parse((await getApproval(app, id)).text) as Approval;
    const approval = await read();
    expect(approval).toMatchObject(ask);
    expect(approval.contentHash).toBe(contentHash(ask));
    expect(contentHash(approval)).toBe(approval.contentHash);
    await pool().query("UPDATE approval SET content_hash = NULL WHERE id = $1", [id]);
    expect(await read()).toEqual(approval);
  }
});

test("computes the hash of every content that clients hash", async () => {
  configure({ LENS_ORIGINS: "https://lens.example" });
  const { app, owner } = await anAppWith("approvals:write");
  await aPasskeyFor(owner);
  let submitted = 0;
  for (const { name, content, canonical } of readVectors().contents) {
    const ask = NewApproval.safeParse(content);
    if (!ask.success) continue;
    submitted++;
    const { id } = await submitApproval(app, ask.data);
    const read = async () => JSON.parse((await getApproval(app, id)).text) as Approval;
    const approval = await read();
    expect([name, approval.contentHash]).toEqual([name, byHand(canonical)]);
    expect(contentHash(approval)).toBe(approval.contentHash);
    await pool().query("UPDATE approval SET content_hash = NULL WHERE id = $1", [id]);
    expect(await read()).toEqual(approval);
    const { rows } = await pool().query("SELECT approval_current_hash(a) AS hash FROM approval a WHERE id = $1", [id]);
    expect(rows).toEqual([{ hash: approval.contentHash }]);
  }
  // The service rejects null and unknown values, and the app sends additions later.
  expect(submitted).toBe(10);
});
