import { expect, test } from "vitest";
import { checkAgainAt, tryAgainAt } from "./account-check-schedule";
import type { Credential } from "./providers/provider";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = 1_800_000_000_000;

const credential: Credential = {
  kind: "oauth",
  accessToken: "a",
  refreshToken: "r",
  expiresAt: now + hour,
  scopes: ["openid"],
};

test("retries a failed check after increasing delays with jitter", () => {
  for (const [at, minutes] of [1, 5, 15, 30, 60, 60, 60].entries()) {
    expect(tryAgainAt(now, at + 1, 0, 0)).toBe(now + minutes * minute * 0.8);
    expect(tryAgainAt(now, at + 1, 0, 1)).toBe(now + Math.round(minutes * minute * 1.2));
  }
});

test("limits a provider's Retry-After to a day", () => {
  expect(tryAgainAt(now, 1, 600, 0)).toBe(now + 10 * minute);
  expect(tryAgainAt(now, 1, 600, 1)).toBe(now + 10 * minute);
  expect(tryAgainAt(now, 5, 5, 0)).toBe(now + 48 * minute);
  expect(tryAgainAt(now, 1, 30 * 24 * 3600, 0)).toBe(now + day);
});

test("renews tokens before they expire", () => {
  const look = (life: number, random: number, over: object = {}) =>
    (checkAgainAt({ ...credential, expiresAt: now + life, ...over }, now, now, random) - now) / minute;
  expect(look(hour, 0)).toBe(54);
  expect(look(10 * minute, 0)).toBe(5);
  expect(look(4 * minute, 0)).toBe(2);
  expect(look(8 * hour, 0)).toBe(432);
  expect(look(90 * day, 0)).toBe(20 * 60);
  expect(look(hour, 1)).toBeCloseTo(54 * 0.9);
  expect(look(hour, 0, { refreshToken: undefined })).toBe(60);
  // The interval has a minimum, even if the provider reports a short lifetime.
  expect(look(0, 0)).toBe(0.5);
  expect(look(-day, 0)).toBe(0.5);
  expect(
    (checkAgainAt({ kind: "oauth", accessToken: "a", refreshToken: "r", scopes: [] }, now, now, 0) - now) / hour,
  ).toBe(20);
});

test("checks mail accounts twice a day", () => {
  const mail: Credential = { kind: "mail", user: "u", password: "p", imap: { host: "h", port: 993, tls: true } };
  expect(checkAgainAt(mail, now - day, now, 0)).toBe(now + 12 * hour);
});
