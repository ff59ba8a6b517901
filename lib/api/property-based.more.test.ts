import fc from "fast-check";
import { expect, test } from "vitest";
import { env } from "@/lib/config/env";
import { startFront } from "@/lib/testing/api-server";
import { codePoints } from "@/lib/testing/arbitrary-strings";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

configure({ RATE_LIMIT: "0", MAX_PENDING: "0" });
const { ask } = await startFront();
expect(env().rateLimit).toBe(0);
const { token } = await anAppWith("approvals:write", "approvals:read", "approvals:resolve", "notifications:write");

/**
 * The number of requests per POST route (higher in `npm run test:more`), and the seed that makes
 * every run send the same requests.
 */
const requests = { numRuns: Number(process.env.SEEDED_REQUESTS ?? 300), seed: 418 };

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  codePoints(40),
  fc.constantFrom("", " ", "\0", "\ud800", "\u202e", "__proto__", "x".repeat(2_001), "🙂".repeat(200)),
);
const anything = fc.anything({
  maxDepth: 4,
  values: [fc.constant(null), fc.boolean(), fc.double(), fc.integer(), text],
});
const id = fc.oneof(fc.constantFrom("ship", "wait", "SHIP"), fc.stringMatching(/^[\w.:-]{1,12}$/), text);
const or = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anything });

const option = fc.record(
  { id: or(id), label: or(text), note: or(text), style: or(fc.constantFrom("default", "danger", "red")) },
  { requiredKeys: ["id", "label"] },
);
const fact = fc.record({ label: or(text), value: or(text) }, { requiredKeys: ["label", "value"] });
const ask_ = fc.record(
  {
    question: or(text),
    options: or(fc.array(or(option), { maxLength: 5 })),
    backgroundContext: or(text),
    recommendation: or(text),
    facts: or(fc.array(or(fact), { maxLength: 7 })),
    surprise: anything,
  },
  { requiredKeys: ["question", "options"] },
);
/** Generates a valid question with terms that may be invalid. */
const terms = fc
  .record(
    {
      expiresAt: or(fc.integer({ min: 10_000, max: 1e9 }).map((ahead) => Date.now() + ahead)),
      defaultOptionId: or(id),
      ownerOnly: or(fc.boolean()),
      risk: or(fc.constantFrom("low", "normal", "high", "urgent")),
      match: or(fc.stringMatching(/^[0-9]{1,3}$/)),
    },
    { requiredKeys: [] },
  )
  .map((some) => ({ ...aQuestion, ...some }));
const note = fc.record(
  {
    title: or(text),
    body: or(text),
    type: or(fc.constantFrom("general", "a b", "x".repeat(65))),
    data: or(fc.dictionary(text, anything)),
    surprise: anything,
  },
  { requiredKeys: ["title"] },
);
const answer = fc.record(
  {
    kind: or(fc.constantFrom("option", "other", "OPTION")),
    optionId: or(id),
    otherText: or(text),
    note: or(text),
    resolvedBy: fc.constant("owner"),
  },
  { requiredKeys: ["kind"] },
);

const { body: target } = await ask("POST", "/api/approvals", { token, body: aQuestion });

test.each([
  ["/api/approvals", ask_, aQuestion],
  ["/api/approvals", terms, aQuestion],
  ["/api/notifications", note, { title: "Backup finished" }],
  [`/api/approvals/${(target as { id: string }).id}/resolve`, answer, { kind: "option", optionId: "ship" }],
] as const)(
  "never returns 5xx for random requests to POST %s",
  async (path, arbitrary, good) => {
    const tally: Record<number, number> = {};
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 20, arbitrary: arbitrary as fc.Arbitrary<unknown> }, fc.constant(good), anything),
        async (body) => {
          const reply = await ask("POST", path, { token, raw: JSON.stringify(body) ?? "" });
          tally[reply.status] = (tally[reply.status] ?? 0) + 1;
          expect(reply.status).toBeLessThan(500);
          if (reply.status < 400) return;
          expect([400, 409, 413]).toContain(reply.status);
          expect(reply.body).toMatchObject({ error: expect.any(String) });
        },
      ),
      requests,
    );
    // The run must include both accepted and rejected requests.
    expect(tally[400]).toBeGreaterThan(requests.numRuns / 15);
    expect((tally[201] ?? 0) + (tally[200] ?? 0) + (tally[409] ?? 0)).toBeGreaterThan(0);
  },
  120_000,
);
