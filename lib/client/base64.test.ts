import { expect, test } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64";

test("encodes and decodes as many bytes as a receipt of a long answer has", () => {
  const bytes = new Uint8Array(1_000_000).fill(0xfb);
  // `toEqual` would compare a million elements, which takes seconds.
  expect(Buffer.from(fromBase64Url(toBase64Url(bytes)) ?? []).equals(bytes)).toBe(true);
});
