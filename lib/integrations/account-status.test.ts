import { expect, test } from "vitest";
import { checkAgainAt } from "./account-check-schedule";
import { type AccountRow, nextStatus } from "./account-status";
import type { Credential } from "./providers/provider";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = 1_800_000_000_000;

const row = (over: Partial<AccountRow> = {}): AccountRow => ({
  id: "int_x",
  ownerId: "own_x",
  provider: "google",
  email: "robin@example.com",
  label: null,
  status: "connected",
  reason: null,
  scopes: [],
  buckets: ["identity"],
  failures: 0,
  failingSince: null,
  refreshedAt: now - hour,
  disconnectedAt: null,
  eraseAt: null,
  statusBefore: null,
  lease: null,
  now,
  ...over,
});
const credential: Credential = {
  kind: "oauth",
  accessToken: "a",
  refreshToken: "r",
  expiresAt: now + hour,
  scopes: ["openid"],
};
const passing = { kind: "failed", fault: { reason: "provider_down", final: false } } as const;
const final = { kind: "failed", fault: { reason: "invalid_grant", final: true } } as const;
const works = { kind: "works", credential, renewed: true } as const;

test("retries after the first temporary failure without showing an error", () => {
  expect(nextStatus(row(), passing)).toMatchObject({
    status: "connected",
    reason: null,
    failures: 1,
    failingSince: now,
  });
});

test("reports an error after two failures that are five minutes apart", () => {
  const soon = row({ failures: 1, failingSince: now - 5 * minute + 1 });
  expect(nextStatus(soon, passing)).toMatchObject({ status: "connected", failures: 2 });
  const later = row({ failures: 1, failingSince: now - 5 * minute });
  expect(nextStatus(later, passing)).toMatchObject({
    status: "error",
    reason: "provider_down",
    failingSince: later.failingSince,
  });
  expect(nextStatus(row({ status: "error", failures: 7, failingSince: now - day }), passing)).toMatchObject({
    status: "error",
    failures: 8,
  });
});

test("stops checking an account after a final failure", () => {
  for (const status of ["connected", "error", "needs_reauth"] as const)
    expect(nextStatus(row({ status }), final)).toMatchObject({
      status: "needs_reauth",
      reason: "invalid_grant",
      checkAt: null,
    });
});

test("asks the owner to reconnect after four days of errors", () => {
  const error = { status: "error", failures: 90 } as const;
  expect(nextStatus(row({ ...error, failingSince: now - 4 * day }), passing)).toMatchObject({ status: "error" });
  expect(nextStatus(row({ ...error, failingSince: now - 4 * day - 1 }), passing)).toMatchObject({
    status: "needs_reauth",
    reason: "failing_too_long",
    checkAt: null,
  });
});

test("preserves the original reason after later temporary failures", () => {
  const waiting = row({ status: "needs_reauth", reason: "invalid_grant", failures: 1, failingSince: now - day });
  expect(nextStatus(waiting, passing)).toMatchObject({
    status: "needs_reauth",
    reason: "invalid_grant",
    checkAt: null,
  });
});

test("restores the connected status after a successful check or relinking", () => {
  for (const status of ["connected", "error", "needs_reauth"] as const) {
    const failing = row({ status, reason: "provider_down", failures: 3, failingSince: now - hour });
    const whole = { status: "connected", reason: null, failures: 0, failingSince: null };
    expect(nextStatus(failing, works)).toMatchObject(whole);
    expect(nextStatus(failing, { kind: "linked", credential })).toMatchObject(whole);
  }
  const removed = row({ status: "disconnected", disconnectedAt: now - day });
  expect(nextStatus(removed, { kind: "linked", credential })).toMatchObject({ status: "connected" });
});

test("ignores a check that ends after the account's removal", () => {
  const removed = row({ status: "disconnected", disconnectedAt: now, eraseAt: now + 10_000, statusBefore: "error" });
  for (const outcome of [works, passing, final]) expect(nextStatus(removed, outcome).status).toBe("disconnected");
  for (const outcome of [works, passing, final]) expect(nextStatus(removed, outcome).checkAt).toBeUndefined();
});

test("restores a removed account's earlier status", () => {
  for (const status of ["connected", "error", "needs_reauth"] as const) {
    const before = row({ status, reason: "invalid_grant", failures: 2, failingSince: now - hour });
    const removed = nextStatus(before, { kind: "disconnected", eraseAt: now + 10_000 });
    expect(removed).toMatchObject({ status: "disconnected", checkAt: null });
    const back = nextStatus(row({ ...before, ...removed, statusBefore: status, disconnectedAt: now }), {
      kind: "restored",
    });
    expect(back).toMatchObject({ status, reason: "invalid_grant", failures: 2, failingSince: now - hour });
    expect(back.checkAt).toBe(status === "needs_reauth" ? null : now);
  }
  expect(nextStatus(row(), { kind: "restored" })).toMatchObject({ status: "connected" });
});

test("renews tokens on schedule regardless of other checks", () => {
  const renewedAt = now - 19 * hour;
  const long = { ...credential, expiresAt: now + 30 * day };
  expect(checkAgainAt(long, renewedAt, now, 0)).toBe(now + hour);
  const looked = nextStatus(row({ refreshedAt: renewedAt }), { kind: "works", credential: long, renewed: false });
  expect(looked.checkAt).toBeLessThanOrEqual(now + hour);
});
