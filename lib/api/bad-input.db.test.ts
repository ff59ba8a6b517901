import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { startFront } from "@/lib/testing/api";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/questions";

/** The "Bad input" table of bodies, by its row numbers; what is sent either comes back exactly or is refused. */
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
    ["B5 none", ""],
    ["B6", "text/plain"],
    ["B7", "application/x-www-form-urlencoded"],
    ["B8", "multipart/form-data; boundary=x"],
    ["B9", "application/json; charset=utf-16"],
    ["a lookalike", "application/jsonp"],
    ["two at once", "application/json, text/plain"],
  ])("%s is 400", async (_row, type) => {
    expect((await raw(new TextEncoder().encode(whole), { "content-type": type })).status).toBe(400);
  });

  test("application/json with charset=utf-8 is accepted, in any case", async () => {
    for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])
      expect((await raw(whole, { "content-type": type })).status).toBe(201);
  });

  test("B10 a byte order mark is ignored, B11 broken UTF-8 and B12 a compressed body are 400", async () => {
    expect((await raw(`\ufeff${whole}`)).status).toBe(201);
    const broken = new Uint8Array([
      ...new TextEncoder().encode('{"question":"'),
      0xff,
      0xfe,
      0xc3,
      ...new TextEncoder().encode('"}'),
    ]);
    expect((await raw(broken)).body).toMatchObject({ details: [{ message: "Body is not UTF-8" }] });
    expect((await raw(new Uint8Array(gzipSync(whole)), { "content-encoding": "gzip" })).status).toBe(400);
  });
});

test("B16 JSON nested five thousand and a hundred thousand levels deep is 400", async () => {
  for (const depth of [40, 5_000, 50_000]) {
    const nest = "[".repeat(depth) + "]".repeat(depth);
    expect((await raw(nest)).status).toBe(400);
    expect((await raw(`{"question":"q","options":${nest}}`)).status).toBe(400);
    expect((await ask("POST", "/api/notifications", { token, raw: `{"title":"t","data":{"a":${nest}}}` })).status).toBe(
      400,
    );
  }
});

describe("texts", () => {
  const bad: [string, string][] = [
    ["B17 NUL", "a\0b"],
    ["B19 half a surrogate pair", "a\ud800b"],
    ["B30 white space", " \n\t "],
    ["B30 zero-width space", "\u200b\u2060\ufeff"],
    ["B42 bidirectional override", "pay \u202e001$"],
    ["B42 isolate", "a\u2066b"],
    ["B42 tag characters", "a\u{e0041}b"],
    ["B42 C0", "a\u0007b"],
    ["B42 C1", "a\u0085b"],
    ["a lone carriage return", "a\rb"],
    ["B43 piled marks", `a${"\u0301".repeat(30)}`],
    ["blank braille", "\u2800"],
  ];
  test.each(bad)("%s is 400 wherever text goes", async (_row, text) => {
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

  test("B18, B20 NUL and half pairs inside options and data, in values and keys, are 400", async () => {
    for (const text of ["a\0b", "a\ud800b"]) {
      expect((await option({ note: text })).status).toBe(400);
      expect((await push({ data: { a: text } })).status).toBe(400);
      expect((await push({ data: { [text]: 1 } })).status).toBe(400);
      expect((await push({ data: { a: [{ b: text }] } })).status).toBe(400);
    }
  });

  test("what is good comes back exactly", async () => {
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

  test("lengths are counted in code points, at the bound and one beyond", async () => {
    for (const [most, send] of [
      [2_000, (text: string) => submit({ question: text })],
      [200, (text: string) => option({ label: text })],
      [1_000, (text: string) => option({ note: text })],
      [20_000, (text: string) => submit({ backgroundContext: text })],
      [2_000, (text: string) => submit({ recommendation: text })],
      [200, (text: string) => push({ title: text })],
      [10_000, (text: string) => push({ body: text })],
    ] as const) {
      expect([most, (await send("🙂".repeat(most))).status]).toEqual([most, 201]);
      expect([most, (await send("🙂".repeat(most + 1))).status]).toEqual([most, 400]);
    }
  });
});

describe("shapes", () => {
  test.each([
    ["B21", { question: 5 }],
    ["B21", { question: ["x"] }],
    ["B21", { question: { set: "x" } }],
    ["B22", { backgroundContext: { a: 1 } }],
    ["B23", { options: undefined }],
    ["B23", { options: "abc" }],
    ["B23", { options: {} }],
    ["B24", { options: [] }],
    [
      "B25",
      {
        options: [
          { id: "a", label: "A" },
          { id: "a", label: "B" },
        ],
      },
    ],
    [
      "B26",
      {
        options: [
          { id: "yes", label: "A" },
          { id: "YES", label: "B" },
        ],
      },
    ],
    [
      "B27",
      {
        options: [
          { id: "a", label: "Pay 10" },
          { id: "b", label: "Pay lo" },
        ],
      },
    ],
    [
      "B27",
      {
        options: [
          { id: "a", label: "Yes" },
          { id: "b", label: "Y\u0435s" },
        ],
      },
    ],
    [
      "B28",
      {
        options: Array.from({ length: 21 }, (_, n) => ({
          id: `o${n}`,
          label: `Option ${String.fromCharCode(97 + n)}`,
        })),
      },
    ],
    ["B29", { options: [{ id: "", label: "A" }] }],
    ["B29", { options: [{ id: " ", label: "A" }] }],
    ["B29", { options: [{ id: "a\n", label: "A" }] }],
    ["B29", { options: [{ id: "x".repeat(101), label: "A" }] }],
    ["B31", { question: "x".repeat(100_000) }],
    ["B32", { status: "resolved" }],
    ["B32", { clientId: "app_x" }],
    ["B32", { _id: "apr_x" }],
    ["B32", { resolution: { kind: "option" } }],
    ["B33", { constructor: { a: 1 } }],
    ["B33", { prototype: {} }],
    ["unknown field of an option", { options: [{ id: "a", label: "A", default: true }] }],
  ])("%s %j is 400", async (_row, change) => {
    expect((await submit(change)).status).toBe(400);
  });

  test("an unknown field is refused by name", async () => {
    const { body } = await submit({ option: [] });
    expect(body).toEqual({
      error: "Bad request",
      details: [{ path: "option", message: "Unrecognized key: option. Did you mean options?" }],
    });
  });

  test("B33 __proto__ at any level, B34 repeated keys (the last counts), B35 numbers beyond JSON's common ground", async () => {
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
    ["B36", { data: [] }],
    ["B36", { data: "x" }],
    ["B37 over 16 KiB", { data: { a: "x".repeat(16 * 1024) } }],
    ["B37 ten thousand keys", { data: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1])) }],
    ["B37 nine levels", { data: { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } } }],
    ["B38", { type: "a\nb" }],
    ["B38", { type: "x".repeat(65) }],
    ["B38", { type: "\u202eb" }],
    ["title", { title: undefined }],
    ["title of two lines", { title: "a\nb" }],
  ])("notification %s is 400", async (_row, change) => {
    expect((await push(change)).status).toBe(400);
  });

  test("data of eight levels and any JSON comes back unchanged, keys in order", async () => {
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

  test("what a notification leaves out has its default", async () => {
    const { body } = await ask("GET", (await push({})).headers.get("location") as string, { token });
    expect(body).toMatchObject({ title: "Hello", body: "", type: "general", data: {} });
  });

  test("B39 a recommendation may name no option", async () => {
    expect((await submit({ recommendation: "Neither, I would ask Ana" })).status).toBe(201);
  });
});

describe("resolve", () => {
  test.each([
    ["B46", {}],
    ["B47", { kind: "option" }],
    ["B47", { kind: "option", optionId: "not-offered" }],
    ["B47", { kind: "option", optionId: 1 }],
    ["B47", { kind: "option", optionId: null }],
    ["B48", { kind: "other" }],
    ["B48", { kind: "other", otherText: "  " }],
    ["B49", { kind: "other", otherText: "x", optionId: "ship" }],
    ["B49", { kind: "option", optionId: "ship", otherText: "x" }],
    ["B50", { kind: "OPTION", optionId: "ship" }],
    ["B50", { kind: "cancel" }],
    ["B50", { kind: ["option"], optionId: "ship" }],
    ["B50", { kind: true, optionId: "ship" }],
    ["B51", { kind: "option", optionId: "ship", resolvedBy: "owner" }],
    ["B51", { kind: "option", optionId: "ship", resolvedAt: 0 }],
    ["note too long", { kind: "option", optionId: "ship", note: "x".repeat(2_001) }],
    ["id in the body", { kind: "option", optionId: "ship", id: "apr_x" }],
  ])("%s %j is 400, and the approval still waits", async (_row, body) => {
    const id = await newApproval();
    expect((await ask("POST", `/api/approvals/${id}/resolve`, { token, body })).status).toBe(400);
    expect((await ask("GET", `/api/approvals/${id}`, { token })).body).toMatchObject({ status: "pending" });
  });

  test("B53 again is 409, also with an option that was not offered; the role is api", async () => {
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

describe("query", () => {
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
  ])("?%s is 400", async (query) => {
    for (const path of ["/api/approvals", ...(query.startsWith("status=p") ? [] : ["/api/notifications"])])
      expect([path, (await ask("GET", `${path}?${query}`, { token })).status]).toEqual([path, 400]);
  });

  test("the next page is in nextCursor and in Link, and keeps the filter", async () => {
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
