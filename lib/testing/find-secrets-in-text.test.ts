import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { leaked } from "./find-secrets-in-text";

const secret = randomBytes(24).toString("base64url");
const around = (text: string) => `<p>{"a":"${text}"}</p>`;

test("finds no secret in a random or empty text", () => {
  expect(leaked(randomBytes(100_000).toString("base64"), [secret])).toEqual([]);
  expect(leaked("", [secret])).toEqual([]);
});

test("finds a secret at any base64 offset", () => {
  for (let before = 0; before < 7; before++) {
    for (let behind = 0; behind < 4; behind++) {
      const bytes = Buffer.concat([randomBytes(before), Buffer.from(secret), randomBytes(behind)]);
      for (const form of ["base64", "base64url"] as const)
        expect(leaked(around(bytes.toString(form)), [secret])).toContain(`secret 0 as ${form}`);
    }
  }
});

test("finds a secret in hex, bytea, URLs, forms, nested JSON and HTML", () => {
  const hex = Buffer.concat([randomBytes(3), Buffer.from(secret), randomBytes(5)]).toString("hex");
  expect(leaked(`\\x${hex}`, ["another secret", secret])).toEqual(["secret 1 as hex"]);
  expect(leaked(hex.toUpperCase(), [secret])).toEqual(["secret 0 as hex"]);

  const awkward = `p&ss "w/+rd' <é>\\`;
  const as = (text: string) => leaked(around(text), [awkward]);
  expect(as(awkward)).toContain("secret 0 as plain");
  expect(as(encodeURIComponent(awkward))).toEqual(["secret 0 as part of an address"]);
  expect(as(encodeURIComponent(awkward).toLowerCase())).toEqual(["secret 0 as part of an address"]);
  expect(as(`${new URLSearchParams({ awkward })}`)).toEqual(["secret 0 as part of an address"]);
  expect(as(JSON.stringify({ awkward }))).toEqual(["secret 0 as JSON"]);
  expect(as(JSON.stringify(JSON.stringify({ awkward })))).toEqual(["secret 0 as JSON"]);
  expect(as("p&amp;ss &quot;w/+rd&#x27; &lt;é&gt;\\")).toEqual(["secret 0 as HTML"]);
});

test("omits the secret from a finding", () => {
  expect(leaked(secret, [secret]).join()).not.toContain(secret);
  expect(() => leaked("", ["short"])).toThrow("Too short");
});
