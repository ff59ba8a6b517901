import { encode } from "next-auth/jwt";
import { afterEach, describe, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { snoozeApprovals } from "@/lib/approvals/triage";
import { db } from "@/lib/database/db";
import { newId, newOwnerId } from "@/lib/ids";
import { pageVersion, readLiveCounts } from "@/lib/live-counts/live-counts";
import { signOutEverywhere } from "@/lib/owners/owners";
import { createSession } from "@/lib/owners/sessions";
import { requestLogFields, withRequest } from "@/lib/request-context";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import {
  ownerOfCookie,
  type SignedIn,
  sessionClaims,
  sessionCookie,
  sessionSeconds,
  sessionSecret,
} from "./session-cookie";

const findOne = (ownerId: string) => db.approval.findFirstOrThrow({ where: { ownerId } });

const cookieFor = async (ownerId: string, sessionVersion = 1, secret = sessionSecret(), maxAge = sessionSeconds) => {
  const opening = { method: "password" as const, userAgent: "", address: "192.0.2.1" };
  const { id: session } = await createSession({ ownerId, sessionVersion }, opening);
  return encode({ token: sessionClaims({ ownerId, sessionVersion, session }), secret, maxAge });
};

afterEach(() => {
  configure({ PUBLIC_URL: "http://localhost:3000" });
});

describe("session", () => {
  it("returns a session with its snapshot and number of pending questions", async () => {
    const { owner, app } = await anAppWith("approvals:write");
    const cookie = await cookieFor(owner.ownerId);
    const before = await ownerOfCookie(cookie, true);
    await submitApproval(app, { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] });
    const after = await ownerOfCookie(cookie, true);
    expect([before?.pending, after?.pending]).toEqual([0, 1]);
    // `before` was read before the change, so a page with its version lacks the change.
    const since = pageVersion({ ...(before as SignedIn), unseen: 0 });
    expect(await readLiveCounts({ ...(after as SignedIn), since })).toMatchObject({ pending: 1, changed: true });
    const now = pageVersion({ ...(after as SignedIn), unseen: 0 });
    expect(await readLiveCounts({ ...(after as SignedIn), since: now })).toMatchObject({ changed: false });
    // A snooze records no event, but changes the count.
    await snoozeApprovals(owner, [(await findOne(owner.ownerId)).id], { choice: "tomorrow", timeZone: "UTC" });
    expect(await readLiveCounts({ ...(after as SignedIn), since: now })).toMatchObject({ pending: 0, changed: true });
  });

  it("identifies a session's owner", async () => {
    const { ownerId, email, name } = await anOwner();
    expect(await ownerOfCookie(await cookieFor(ownerId))).toMatchObject({
      ...{ kind: "owner", ownerId, email, name, session: expect.stringMatching(/^ses_/), fresh: true },
      ...{ method: "password", snapshot: expect.stringMatching(/^\d+-\d+-/) },
    });
    expect(await ownerOfCookie(undefined)).toBeNull();
  });

  it("adds a session's owner to the request log", async () => {
    const { ownerId } = await anOwner();
    const request = { id: "req_1", headers: {}, timing: { began: 0 }, route: "GET /approvals", kind: "pages" };
    const told = await withRequest(request, async () => {
      await ownerOfCookie(await cookieFor(ownerId));
      return requestLogFields();
    });
    expect(told).toMatchObject({ requestId: "req_1", route: "GET /approvals", owner: ownerId });
  });

  it("gives each session a unique ID", async () => {
    const { ownerId } = await anOwner();
    const [one, other] = [await cookieFor(ownerId), await cookieFor(ownerId)];
    expect((await ownerOfCookie(one))?.session).not.toBe((await ownerOfCookie(other))?.session);
  });

  it("ends all of an owner's sessions when the owner signs out everywhere", async () => {
    const owner = await anOwner();
    const cookie = await cookieFor(owner.ownerId);
    expect((await ownerOfCookie(cookie))?.ownerId).toBe(owner.ownerId);
    await signOutEverywhere(owner);
    expect(await ownerOfCookie(cookie)).toBeNull();
    expect((await ownerOfCookie(await cookieFor(owner.ownerId, 2)))?.ownerId).toBe(owner.ownerId);
  });

  it("rejects a forged, expired or wrongly signed session", async () => {
    const { ownerId } = await anOwner();
    const others = [
      "junk",
      await cookieFor(ownerId, 1, "another secret"),
      await cookieFor(ownerId, 1, sessionSecret(), -60),
      await encode({
        token: sessionClaims({ ownerId: newOwnerId(), sessionVersion: 1, session: newId("ses") }),
        secret: sessionSecret(),
      }),
    ];
    for (const cookie of others) expect(await ownerOfCookie(cookie)).toBeNull();
  });

  it("keeps a session during a database outage", async () => {
    const { ownerId } = await anOwner();
    const cookie = await cookieFor(ownerId);
    await db.$executeRaw`ALTER TABLE owner RENAME TO owner_away`;
    const asked = ownerOfCookie(cookie).catch((error) => error);
    expect(await asked.finally(() => db.$executeRaw`ALTER TABLE owner_away RENAME TO owner`)).toMatchObject({
      status: 503,
    });
    expect((await ownerOfCookie(cookie))?.ownerId).toBe(ownerId);
  });
});

describe("session cookie", () => {
  it("sets the session cookie as HttpOnly, SameSite=Lax and host-only", () => {
    const common = { httpOnly: true, sameSite: "lax", path: "/" };
    expect(sessionCookie()).toEqual({ name: "countersign-session", options: { ...common, secure: false } });
    configure({ PUBLIC_URL: "https://yes.example.com" });
    expect(sessionCookie()).toEqual({ name: "__Host-countersign-session", options: { ...common, secure: true } });
  });
});
