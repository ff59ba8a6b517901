import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { expect, test } from "vitest";
import { fingerprintOf } from "./fingerprint";

test("uses the published English list of BIP-39", () => {
  // The SHA-256 of english.txt in the repository of BIP-39.
  const published = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda";
  expect(
    createHash("sha256")
      .update(`${wordlist.join("\n")}\n`)
      .digest("hex"),
  ).toBe(published);
  expect([wordlist.length, new Set(wordlist).size]).toEqual([2048, 2048]);
});

test("shows the first 66 bits as words and the first 64 bits as digits", async () => {
  // SHA-256("abc") begins with ba7816bf 8f01cfea 41 (FIPS 180-4, appendix B.1). In groups of 11 bits:
  // 1491 1541 1407 1144 231 1961.
  const bits = BigInt("0xba7816bf8f01cfea41").toString(2).padStart(72, "0").slice(0, 66);
  const words = bits.match(/.{11}/g)?.map((index) => wordlist[Number.parseInt(index, 2)]);
  expect(await fingerprintOf("abc")).toEqual({ words, groups: ["ba78", "16bf", "8f01", "cfea"] });
  expect(words).toEqual(["risk", "scheme", "quiz", "bulk", "brother", "vivid"]);
});

test("keeps leading zeros", async () => {
  let text = 0;
  const digest = () => createHash("sha256").update(`${text}`).digest("hex");
  while (!digest().startsWith("000")) text++;
  const { words, groups } = await fingerprintOf(`${text}`);
  expect(groups.join("")).toBe(digest().slice(0, 16));
  expect([words.length, words[0]]).toEqual([6, "abandon"]);
});

test("changes with each byte of the statement", async () => {
  const one = await fingerprintOf('{"amount":"86.40"}');
  const other = await fingerprintOf('{"amount":"86.41"}');
  expect(one.words).not.toEqual(other.words);
  expect(one.groups).not.toEqual(other.groups);
});

test("hashes the statement in UTF-8", async () => {
  const digest = createHash("sha256").update("Grüße 🙂", "utf8").digest("hex");
  expect((await fingerprintOf("Grüße 🙂")).groups.join("")).toBe(digest.slice(0, 16));
});
