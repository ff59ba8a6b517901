import { expect, test } from "vitest";
import { readInboxHints } from "./notification-display-hints";

const plain = { priority: "normal", format: "plain" };

test("accepts notification data without hints", () => {
  for (const data of [{}, { inbox: {} }, { other: { url: "javascript:" } }, undefined, null, "text", [1]])
    expect(readInboxHints(data)).toEqual({ extras: plain, ignored: [] });
});

test("reads every supported inbox hint", () => {
  const inbox = {
    url: "https://example.com/builds/418?tab=log#end",
    priority: "urgent",
    dedupeKey: "build-418",
    expiresAt: Date.UTC(2027, 0),
    format: "markdown",
  };
  expect(readInboxHints({ inbox, build: 418 })).toEqual({ extras: inbox, ignored: [] });
});

test("names each invalid inbox hint", () => {
  const { extras, ignored } = readInboxHints({
    inbox: {
      url: "http://example.com",
      priority: "asap",
      dedupeKey: "",
      expiresAt: 1_800_000_000,
      format: "markdown",
      color: "red",
    },
  });
  expect(extras).toEqual({ ...plain, format: "markdown" });
  expect(ignored).toEqual([
    "inbox.url: Must be an https address",
    'inbox.priority: Must be one of "low", "normal", "high", "urgent"',
    "inbox.dedupeKey: Must not be empty",
    "inbox.expiresAt: Must be epoch milliseconds in the year 2000 or later",
    "inbox.color: Unknown",
  ]);
});

test("accepts inbox hints only as an object", () => {
  for (const inbox of ["urgent", 1, null, ["url"]])
    expect(readInboxHints({ inbox })).toEqual({ extras: plain, ignored: ["inbox: Must be an object"] });
});

test("accepts only https URLs without a user name", () => {
  const of = (url: unknown) => readInboxHints({ inbox: { url } }).extras.url;
  expect(of("https://EXAMPLE.com")).toBe("https://example.com/");
  expect(of("https://b\u00fccher.example/\u202egnp")).toBe("https://xn--bcher-kva.example/%E2%80%AEgnp");
  expect(of(`https://example.com/${"a".repeat(1980)}`)).toHaveLength(2000);
  const refused = [
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "ftp://example.com",
      "//example.com",
      "/approvals",
    ],
    ...[
      "https://",
      "https://bank.example@evil.example/",
      "https://:pass@evil.example",
      "",
      " ",
      7,
      null,
      {},
      ["https://a.b"],
    ],
    `https://example.com/${"a".repeat(1981)}`,
  ];
  for (const url of refused) expect(of(url), String(url)).toBeUndefined();
});

test("accepts only whole milliseconds as a time", () => {
  const of = (expiresAt: unknown) => readInboxHints({ inbox: { expiresAt } }).extras.expiresAt;
  expect(of(Date.UTC(2020, 1))).toBe(Date.UTC(2020, 1));
  for (const time of ["2027-01-01", 1.5e12 + 0.5, -1, 0, Number.MAX_SAFE_INTEGER, Number.NaN, true])
    expect(of(time), String(time)).toBeUndefined();
});

test("ignores keys that have a special meaning in JavaScript", () => {
  const data = JSON.parse('{"inbox": {"__proto__": {"url": "https://a.example"}, "toString": 1}}');
  expect(readInboxHints(data)).toEqual({
    extras: plain,
    ignored: ["inbox.__proto__: Unknown", "inbox.toString: Unknown"],
  });
});
