import { describe, expect, test } from "vitest";
import { canonicalJson } from "@/lib/client/canonical-json";
import { hashOf } from "@/lib/client/content-hash";
import { payment, requestText, type SampleRequest, sampleRequest } from "@/lib/testing/sample-signing-request";
import { RequestRefusal, readSigningRequest } from "./signing-request";

const refusal = async (text: string) =>
  readSigningRequest(text).then(
    () => "accepted",
    (error: unknown) => (error instanceof RequestRefusal ? error.message : `another error: ${error}`),
  );

test("reads everything that a signature covers", async () => {
  const texts = { note: "Only this once" };
  const request = sampleRequest({ texts });
  expect(await readSigningRequest(requestText(request))).toEqual({
    statement: canonicalJson(request.statement),
    issuer: "https://yes.example.com",
    app: "app_4f2k9m",
    owner: "own_1c8p",
    offeredAt: 1_796_000_000_000,
    answers: [
      {
        approval: "apr_0123456789abcdefghijklmnopqrstuv",
        contentHash: request.statement.answers[0]?.contentHash,
        content: payment,
        option: "pay",
        note: "Only this once",
        values: { amount: { amount: "86.40", currency: "EUR" }, account: "Current" },
      },
    ],
  });
});

test("reads an answer in the owner's own words, and a batch", async () => {
  const own = sampleRequest({ answer: {}, texts: { otherText: "Pay half" } });
  const { answers } = await readSigningRequest(requestText(own));
  expect(answers[0]).toMatchObject({ otherText: "Pay half" });
  expect(answers[0]).not.toHaveProperty("option");

  const other = sampleRequest({
    answer: { approval: "apr_2", option: "keep" },
    content: { ...payment, question: "Pay invoice 8?" },
  });
  const both: SampleRequest = {
    contents: [...own.contents, ...other.contents],
    statement: { ...own.statement, answers: [...own.statement.answers, ...other.statement.answers] },
    texts: [...own.texts, ...other.texts],
  };
  const batch = await readSigningRequest(requestText(both));
  expect(batch.answers.map(({ content, option }) => [content.question, option])).toEqual([
    ["Pay invoice 7 of Harbour Bakery?", undefined],
    ["Pay invoice 8?", "keep"],
  ]);
});

test("covers parts of the content that this version doesn't know", async () => {
  const request = sampleRequest();
  const content = { ...payment, limit: "100 €" };
  request.contents = [content];
  request.statement.answers[0] = {
    ...request.statement.answers[0],
    contentHash: await hashOf(canonicalJson(content)),
  };
  const [answer] = (await readSigningRequest(requestText(request))).answers;
  expect(answer?.content.limit).toBe("100 €");
  request.contents = [{ ...content, limit: "900 €" }];
  expect(await refusal(requestText(request))).toContain("was changed");
});

/** Changes one part of a valid request. */
const changed = (change: (request: SampleRequest) => void, from = sampleRequest({ texts: { note: "Once" } })) => {
  change(from);
  return requestText(from);
};
const answerOf = (request: SampleRequest) => request.statement.answers[0] as Record<string, unknown>;
const contentOf = (request: SampleRequest) => {
  const content = structuredClone(payment);
  request.contents = [content];
  return content;
};

describe("a request whose parts don't match", () => {
  const cases: [string, string, (request: SampleRequest) => void][] = [
    [
      "another question",
      "question in this signing request was changed",
      (it) => (contentOf(it).question = "Pay invoice 8?"),
    ],
    ["another fact", "was changed", (it) => (contentOf(it).facts[0] = { label: "Amount", value: "864.00 €" })],
    ["a missing fact", "was changed", (it) => contentOf(it).facts.pop()],
    ["another order of options", "was changed", (it) => contentOf(it).options.reverse()],
    ["an additional member", "was changed", (it) => Object.assign(contentOf(it), { hidden: "x" })],
    ["another note", "Your note", (it) => (it.texts = [{ note: "Always" }])],
    ["a missing note", "Your note", (it) => (it.texts = [{}])],
    ["a note without a hash", "Your note", (it) => delete answerOf(it).noteHash],
    ["own words without a hash", "Your answer", (it) => (it.texts = [{ note: "Once", otherText: "Pay" }])],
    ["an unknown option", "option that the question doesn’t have", (it) => (answerOf(it).option = "send")],
    ["an option and own words", "isn’t a signing request", (it) => (answerOf(it).textHash = "sha256:0")],
    ["no answer", "isn’t a signing request", (it) => delete answerOf(it).option],
    [
      "a value above the limit",
      "amount: Must be at most 100.00",
      (it) => (answerOf(it).values = { amount: { amount: "864.00", currency: "EUR" } }),
    ],
    [
      "a value of no field",
      "no field with this name",
      (it) => (answerOf(it).values = { amount: { amount: "1.00", currency: "EUR" }, tip: 1 }),
    ],
    ["fewer contents than answers", "each question", (it) => (it.contents = [])],
    ["fewer texts than answers", "each question", (it) => (it.texts = [])],
    [
      "no answers",
      "each question",
      (it) => Object.assign(it, { contents: [], texts: [], statement: { ...it.statement, answers: [] } }),
    ],
    [
      "one question twice",
      "one question twice",
      (it) => {
        it.contents.push(...it.contents);
        it.texts.push(...it.texts);
        it.statement.answers.push(...it.statement.answers);
      },
    ],
    ["a newer version", "doesn’t know: version 2", (it) => (it.statement.version = 2)],
    ["an unknown member of the statement", 'doesn’t know: "limit" in the statement', (it) => (it.statement.limit = 1)],
    ["an unknown member of the answer", "in the answer", (it) => (answerOf(it).all = true)],
    ["an unknown member of the texts", "in the text", (it) => (it.texts = [{ note: "Once", more: "x" }])],
    ["an unknown member of the request", "in the request", (it) => Object.assign(it, { more: 1 })],
    ["another type", "isn’t a signing request", (it) => (it.statement.type = "countersign-login")],
    ["no service", "names no service", (it) => (it.statement.issuer = "yes.example.com")],
    ["a service with a path", "names no service", (it) => (it.statement.issuer = "https://yes.example.com/x")],
    ["no time", "isn’t a signing request", (it) => (it.statement.offeredAt = "today")],
    ["a time outside the range of dates", "isn’t a signing request", (it) => (it.statement.offeredAt = 1e18)],
  ];
  test.each(cases)("refuses %s", async (_, expected, change) => {
    expect(await refusal(changed(change))).toContain(expected);
  });
});

test("refuses values for a question without fields", async () => {
  const { fields: _, ...content } = payment;
  expect(await refusal(requestText(sampleRequest({ content })))).toContain("the question asks for none");
});

test("refuses any other text", async () => {
  const text = requestText(sampleRequest());
  for (const wrong of [
    "",
    "Pay?",
    "[]",
    "null",
    "1",
    '"x"',
    "{}",
    text.slice(1),
    requestText({ contents: null } as never),
  ])
    expect(await refusal(wrong), wrong.slice(0, 20)).not.toBe("accepted");
  // Two parsers could read these differently.
  const isNotCanonical = "not in the form";
  expect(await refusal(JSON.stringify(JSON.parse(text), null, 2))).toContain(isNotCanonical);
  expect(await refusal(text.replace('"version":1', '"version":1.0'))).toContain(isNotCanonical);
  expect(await refusal(text.replace('"version":1', '"version":2,"version":1'))).toContain(isNotCanonical);
  expect(await refusal(text.replace("Harbour", "\\u0048arbour"))).toContain(isNotCanonical);
  expect(await refusal(text.replace("Harbour", "\\ud800"))).toContain(isNotCanonical);
});

test("refuses a content of another shape, even if its hash matches", async () => {
  for (const content of [
    { ...payment, question: 7 },
    { ...payment, options: {} },
    { ...payment, options: [{ id: "pay", label: { text: "Pay" } }] },
    { ...payment, facts: [{ label: "Amount" }] },
    { ...payment, additions: [{}] },
    { ...payment, fields: { properties: [] } },
    { ...payment, fields: { properties: { amount: "x" } } },
  ]) {
    const request = sampleRequest();
    request.contents = [content];
    answerOf(request).contentHash = await hashOf(canonicalJson(content));
    expect(await refusal(requestText(request)), JSON.stringify(content).slice(-60)).toContain(
      "isn’t a signing request",
    );
  }
});
