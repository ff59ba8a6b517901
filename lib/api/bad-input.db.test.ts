import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";

// These tests send invalid bodies. The service must store a value exactly or reject it.
const { ask } = await startFront();
const { token } = await anAppWith(
  "approvals:write",
  "approvals:read",
  "approvals:resolve",
  "notifications:write",
  "notifications:read",
);

const submit = (change: object) => ask("POST", "/api/approvals", { token, body: { ...aQuestion, ...change } });
const push = (change: object) => ask("POST", "/api/notifications", { token, body: { title: "Hello", ...change } });
const option = (change: object) => submit({ options: [{ id: "a", label: "A", ...change }] });
const raw = (bytes: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  ask("POST", "/api/approvals", { token, raw: bytes, headers });
const whole = JSON.stringify(aQuestion);

async function newApproval() {
  const { body } = await ask("POST", "/api/approvals", { token, body: aQuestion });
  return (body as { id: string }).id;
}

describe("content type and encoding", () => {
  test.each([
    ["an empty content type", ""],
    ["plain text", "text/plain"],
    ["a form", "application/x-www-form-urlencoded"],
    ["multipart data", "multipart/form-data; boundary=x"],
    ["JSON in UTF-16", "application/json; charset=utf-16"],
    ["the content type application/jsonp", "application/jsonp"],
    ["two content types", "application/json, text/plain"],
  ])("returns 400 for %s", async (_row, type) => {
    expect((await raw(new TextEncoder().encode(whole), { "content-type": type })).status).toBe(400);
  });

  test("accepts application/json with charset=utf-8 in any case", async () => {
    for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
      expect((await raw(whole, { "content-type": type })).status).toBe(201);
  });

  test("returns 400 for bodies that are compressed or not valid UTF-8", async () => {
    expect((await raw(`\ufeff${whole}`)).status).toBe(201);
    const broken = new Uint8Array([
      ...new TextEncoder().encode('{"question":"'),
      0xff,
      0xfe,
      0xc3,
      ...new TextEncoder().encode('"}'),
    ]);
    expect((await raw(broken)).body).toMatchObject({
      details: [{ message: "The request body must be encoded in UTF-8" }],
    });
    expect((await raw(new Uint8Array(gzipSync(whole)), { "content-encoding": "gzip" })).status).toBe(400);
  });
});

test("reports where the JSON is invalid, if the parser returns the position", async () => {
  const message = async (body: string) =>
    ((await raw(body)).body as { details: { message: string }[] }).details[0]?.message;
  expect(await message("question=Ship?")).toMatch(/^The JSON in the request body is invalid\. Use double quotes/);
  expect(await message('{"question":"Ship?"')).toMatch(/is invalid(\.| at character \d+\.) Use double quotes/);
  expect(await message("{question: 1}")).toMatch(/is invalid at character 2\. Use double quotes/);
});

test("returns 400 for deeply nested JSON", async () => {
  for (const depth of [40, 5_000, 50_000]) {
    const nest = "[".repeat(depth) + "]".repeat(depth);
    expect((await raw(nest)).status).toBe(400);
    expect((await raw(`{"question":"q","options":${nest}}`)).status).toBe(400);
    expect((await ask("POST", "/api/notifications", { token, raw: `{"title":"t","data":{"a":${nest}}}` })).status).toBe(
      400,
    );
  }
});

describe("text fields", () => {
  const bad: [string, string][] = [
    ["NUL", "a\0b"],
    ["an unpaired surrogate", "a\ud800b"],
    ["only white space", " \n\t "],
    ["only zero-width spaces", "\u200b\u2060\ufeff"],
    ["a bidirectional override", "pay \u202e001$"],
    ["a bidirectional isolate", "a\u2066b"],
    ["tag characters", "a\u{e0041}b"],
    ["a C0 control character", "a\u0007b"],
    ["a C1 control character", "a\u0085b"],
    ["a lone carriage return", "a\rb"],
    ["stacked combining marks", `a${"\u0301".repeat(30)}`],
    ["blank braille", "\u2800"],
  ];
  test.each(bad)("returns 400 for %s in every text field", async (_row, text) => {
    for (const reply of [
      await submit({ question: text }),
      await option({ label: text }),
      await push({ title: text }),
      await ask("POST", `/api/approvals/${await newApproval()}/resolve`, {
        token,
        body: { kind: "other", otherText: text },
      }),
    ]) {
      expect([reply.status, reply.body]).toEqual([
        400,
        { error: "Bad request", details: [expect.objectContaining({ message: expect.any(String) })] },
      ]);
    }
  });

  test("rejects NUL and unpaired surrogates in options and data", async () => {
    for (const text of ["a\0b", "a\ud800b"]) {
      expect((await option({ note: text })).status).toBe(400);
      expect((await push({ data: { a: text } })).status).toBe(400);
      expect((await push({ data: { [text]: 1 } })).status).toBe(400);
      expect((await push({ data: { a: [{ b: text }] } })).status).toBe(400);
    }
  });

  test("returns valid text unchanged", async () => {
    const texts = [
      "🙂 👩‍👩‍👧 e\u0301 é",
      "שלום עולם",
      "a\n\tb\r\nc",
      "<script>alert(1)</script> {{7*7}} #{7*7}",
      "[x](javascript:alert(1))",
      "می‌خواهم",
    ];
    for (const question of texts) {
      const made = await submit({ question, backgroundContext: question, recommendation: "" });
      expect(made.status).toBe(201);
      const { body } = await ask("GET", made.headers.get("location") as string, { token });
      expect(body).toMatchObject({ question, backgroundContext: question, recommendation: "" });
    }
  });

  test("measures text lengths in code points", async () => {
    for (const [max, send] of [
      [2_000, (text: string) => submit({ question: text })],
      [200, (text: string) => option({ label: text })],
      [1_000, (text: string) => option({ note: text })],
      [20_000, (text: string) => submit({ backgroundContext: text })],
      [2_000, (text: string) => submit({ recommendation: text })],
      [200, (text: string) => push({ title: text })],
      [10_000, (text: string) => push({ body: text })],
    ] as const) {
      expect([max, (await send("🙂".repeat(max))).status]).toEqual([max, 201]);
      expect([max, (await send("🙂".repeat(max + 1))).status]).toEqual([max, 400]);
    }
  });
});

describe("request fields", () => {
  test.each([
    ["a question of the wrong type", { question: 5 }],
    ["a question of the wrong type", { question: ["x"] }],
    ["a question of the wrong type", { question: { set: "x" } }],
    ["a background of the wrong type", { backgroundContext: { a: 1 } }],
    ["options that are not a list", { options: undefined }],
    ["options that are not a list", { options: "abc" }],
    ["options that are not a list", { options: {} }],
    ["no options", { options: [] }],
    [
      "two equal option IDs",
      {
        options: [
          { id: "a", label: "A" },
          { id: "a", label: "B" },
        ],
      },
    ],
    [
      "option IDs that differ only in case",
      {
        options: [
          { id: "yes", label: "A" },
          { id: "YES", label: "B" },
        ],
      },
    ],
    [
      "labels that look alike",
      {
        options: [
          { id: "a", label: "Pay 10" },
          { id: "b", label: "Pay lo" },
        ],
      },
    ],
    [
      "labels that look alike",
      {
        options: [
          { id: "a", label: "Yes" },
          { id: "b", label: "Y\u0435s" },
        ],
      },
    ],
    [
      "21 options",
      {
        options: Array.from({ length: 21 }, (_, n) => ({
          id: `o${n}`,
          label: `Option ${String.fromCharCode(97 + n)}`,
        })),
      },
    ],
    ["an invalid option ID", { options: [{ id: "", label: "A" }] }],
    ["an invalid option ID", { options: [{ id: " ", label: "A" }] }],
    ["an invalid option ID", { options: [{ id: "a\n", label: "A" }] }],
    ["an invalid option ID", { options: [{ id: "x".repeat(101), label: "A" }] }],
    ["a long question", { question: "x".repeat(100_000) }],
    ["a field that the service sets", { status: "resolved" }],
    ["a field that the service sets", { clientId: "app_x" }],
    ["a field that the service sets", { _id: "apr_x" }],
    ["a field that the service sets", { resolution: { kind: "option" } }],
    ["a forbidden key", { constructor: { a: 1 } }],
    ["a forbidden key", { prototype: {} }],
    ["an unknown field of an option", { options: [{ id: "a", label: "A", default: true }] }],
  ])("returns 400 for %s: %j", async (_row, change) => {
    expect((await submit(change)).status).toBe(400);
  });

  test("names an unknown field in the error", async () => {
    const { body } = await submit({ option: [] });
    expect(body).toEqual({
      error: "Bad request",
      details: [{ path: "option", message: "Unrecognized key: option. Did you mean options?" }],
    });
  });

  test("rejects __proto__ keys and unsafe numbers", async () => {
    for (const text of [
      '{"__proto__":{},"question":"q","options":[{"id":"a","label":"A"}]}',
      '{"question":"q","options":[{"id":"a","label":"A","__proto__":{}}]}',
    ])
      expect((await raw(text)).status).toBe(400);
    const twice = await raw('{"question":"first","question":"last","options":[{"id":"a","label":"A"}]}');
    const { body } = await ask("GET", twice.headers.get("location") as string, { token });
    expect(body).toMatchObject({ question: "last" });
    const data = (text: string) => ask("POST", "/api/notifications", { token, raw: `{"title":"t","data":${text}}` });
    for (const text of ['{"a":1e400}', '{"a":9007199254740993}', '{"a":{"__proto__":1}}', '{"a":[{"constructor":1}]}'])
      expect([text, (await data(text)).status]).toEqual([text, 400]);
  });

  test.each([
    ["data that is not an object", { data: [] }],
    ["data that is not an object", { data: "x" }],
    ["data over 16 KiB", { data: { a: "x".repeat(16 * 1024) } }],
    [
      "ten thousand keys in its data",
      { data: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1])) },
    ],
    ["nine levels in its data", { data: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } }],
    ["an invalid type", { type: "a\nb" }],
    ["an invalid type", { type: "x".repeat(65) }],
    ["an invalid type", { type: "\u202eb" }],
    ["no title", { title: undefined }],
    ["a title of two lines", { title: "a\nb" }],
  ])("rejects a notification with %s", async (_row, change) => {
    expect((await push(change)).status).toBe(400);
  });

  test("returns nested JSON data unchanged and in the same key order", async () => {
    const data = {
      z: 1,
      a: [null, true, -0.5, "ü"],
      "odd key": { a: { a: { a: { a: { a: { a: {} } } } } } },
      5: "five",
    };
    const made = await push({ data });
    const { text } = await ask("GET", made.headers.get("location") as string, { token });
    expect(text).toContain(`"data":${JSON.stringify(data)}`);
  });

  test("fills missing notification fields with defaults", async () => {
    const { body } = await ask("GET", (await push({})).headers.get("location") as string, { token });
    expect(body).toMatchObject({ title: "Hello", body: "", type: "general", data: {} });
  });

  test("accepts a recommendation that names no option", async () => {
    expect((await submit({ recommendation: "Neither, I would ask Ana" })).status).toBe(201);
  });
});

describe("resolving approvals", () => {
  test.each([
    ["an empty answer", {}],
    ["an invalid choice", { kind: "option" }],
    ["an invalid choice", { kind: "option", optionId: "not-offered" }],
    ["an invalid choice", { kind: "option", optionId: 1 }],
    ["an invalid choice", { kind: "option", optionId: null }],
    ["a written answer without text", { kind: "other" }],
    ["a written answer without text", { kind: "other", otherText: "  " }],
    ["both a choice and a text", { kind: "other", otherText: "x", optionId: "ship" }],
    ["both a choice and a text", { kind: "option", optionId: "ship", otherText: "x" }],
    ["an unknown kind", { kind: "OPTION", optionId: "ship" }],
    ["an unknown kind", { kind: "cancel" }],
    ["an unknown kind", { kind: ["option"], optionId: "ship" }],
    ["an unknown kind", { kind: true, optionId: "ship" }],
    ["a field that the service sets", { kind: "option", optionId: "ship", resolvedBy: "owner" }],
    ["a field that the service sets", { kind: "option", optionId: "ship", resolvedAt: 0 }],
    ["a note that is too long", { kind: "option", optionId: "ship", note: "x".repeat(2_001) }],
    ["an ID in the body", { kind: "option", optionId: "ship", id: "apr_x" }],
  ])("returns 400 for %s without resolving the approval: %j", async (_row, body) => {
    const id = await newApproval();
    expect((await ask("POST", `/api/approvals/${id}/resolve`, { token, body })).status).toBe(400);
    expect((await ask("GET", `/api/approvals/${id}`, { token })).body).toMatchObject({ status: "pending" });
  });

  test("returns 409 for any second answer to an approval", async () => {
    const id = await newApproval();
    const resolve = (body: object) => ask("POST", `/api/approvals/${id}/resolve`, { token, body });
    expect((await resolve({ kind: "option", optionId: "ship" })).body).toEqual({ ok: true });
    const again = await resolve({ kind: "option", optionId: "ship" });
    expect([again.status, again.body]).toEqual([409, { error: "Already resolved" }]);
    expect((await resolve({ kind: "option", optionId: "not-offered" })).status).toBe(409);
    expect((await ask("GET", `/api/approvals/${id}`, { token })).body).toMatchObject({
      resolution: { resolvedBy: "api" },
    });
  });
});

describe("query parameters", () => {
  test.each([
    "status=foo",
    "status=Pending",
    "status=",
    "status=pending%20",
    "status=pending&status=resolved",
    "status[]=pending",
    "status=%00",
    "limit=-1",
    "limit=0",
    "limit=201",
    "limit=1e9",
    "limit=1.5",
    "limit=",
    "limit=abc",
    "limit=5&limit=5",
    "cursor=garbage",
    "cursor=",
    `cursor=${Buffer.from("1.apr_x").toString("base64url")}`,
    "offset=3",
    "__proto__=1",
  ])("returns 400 for the query ?%s", async (query) => {
    for (const path of ["/api/approvals", ...(query.startsWith("status=p") ? [] : ["/api/notifications"])])
      expect([path, (await ask("GET", `${path}?${query}`, { token })).status]).toEqual([path, 400]);
  });

  test("includes the filter in the next page's URL", async () => {
    await newApproval();
    await newApproval();
    const first = await ask("GET", "/api/approvals?status=pending&limit=1", { token });
    const { nextCursor } = first.body as { nextCursor: string };
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(link).toBe(`/api/approvals?status=pending&limit=1&cursor=${nextCursor}`);
    const second = await ask("GET", link, { token });
    expect(second.status).toBe(200);
    expect((second.body as { data: unknown[] }).data).toHaveLength(1);
    expect(second.text).not.toContain((first.body as { data: { _id: string }[] }).data[0]?._id);
  });
});
