import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { Password } from "../schema";
import { isBreached } from "./breached";
import { isGuessable } from "./guessable";

const why = "This password, or most of it, is on a list of passwords from data breaches. Choose other words.";

it.each([
  // An entry of the list of breached passwords.
  "momsanaladventure",
  "30secondstomars",
  "Mailcreated5240",
  "MAILCREATED5240",
  // An entry with digits and symbols around it.
  "liverpool 29-01-1974!",
  "!!!1994!!!manchester",
  "Metallica..1234.5678",
  // A repeated entry.
  "liverpoolliverpool",
  "Chelsea1Chelsea2Chelsea3",
  "fuckyou!!fuckyou!!",
  "trustno1trustno1",
])("rejects the breached password %s", (password) => {
  expect(isBreached(password)).toBe(true);
  const said = Password.safeParse(password).error?.issues.map(({ message }) => message);
  expect(said).toEqual([isGuessable(password) ? expect.stringMatching(/^This password is too easy/) : why]);
});

it("finds no guessable pattern in some breached passwords", () => {
  for (const password of ["momsanaladventure", "30secondstomars", "liverpool 29-01-1974!", "Mailcreated5240"])
    expect([password, isGuessable(password)]).toEqual([password, false]);
});

it.each([
  "four words in a row",
  "a sentence that is long enough",
  "liverpool lantern orbit cactus",
  "T7#kq9!mZ2@wR5x",
  "вчера шёл мелкий дождь",
  "昨日は小雨が降っていましたね今日",
  "quiet lantern orbit 1974",
])("accepts the password %s", (password) => {
  expect(isBreached(password)).toBe(false);
  expect(Password.safeParse(password).success).toBe(true);
});

it("checks passwords of the maximum length", () => {
  for (const password of ["1".repeat(256), "ab".repeat(128), `${"a1".repeat(127)}b`, "!".repeat(256)])
    expect(typeof isBreached(password)).toBe("boolean");
});

test("rejects at most one in 40,000 passwords that were never breached", () => {
  const table = readFileSync("lib/owners/weak-passwords/breached-passwords.bin");
  const hashes = Array.from({ length: table.length / 4 }, (_, at) => table.readUInt32BE(at * 4));
  expect(hashes.every((hash, at) => at === 0 || hash > (hashes[at - 1] as number))).toBe(true);
  expect(hashes.length).toBeGreaterThan(100_000);
  // The probability that a random hash is in the list by chance.
  expect(hashes.length / 2 ** 32).toBeLessThan(1 / 40_000);
});
