import { describe, expect, it } from "vitest";
import type { SignInMethod } from "@/lib/actor";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { anOwner } from "@/lib/testing/factories";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { changePassword, resetPassword, signOutEverywhere } from "./owners";
import { createSession, endSession, listSessions, requireRecentSignIn, sessionOwner } from "./sessions";

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36";
const next = "four other words in a row";

async function open(ownerId: string, more: { method?: SignInMethod; instead?: string; sessionVersion?: number } = {}) {
  const { method = "password", instead, sessionVersion = 1 } = more;
  const opening = { method, userAgent: chrome, address: "192.0.2.7", instead };
  return (await createSession({ ownerId, sessionVersion }, opening)).id;
}
const age = (id: string, seconds: number) =>
  db.$executeRaw`UPDATE owner_session SET signed_in_at = now() - make_interval(secs => ${seconds}) WHERE id = ${id}`;
const eventsOf = async (ownerId: string) =>
  (await db.event.findMany({ where: { ownerId }, orderBy: { id: "asc" } })).map(({ type, data }) => ({ type, data }));

describe("session", () => {
  it("accepts a session until the owner ends the session", async () => {
    const owner = await anOwner();
    const session = await open(owner.ownerId, { method: "passkey" });
    const { ownerId, name, email } = owner;
    expect(await sessionOwner(ownerId, 1, session)).toEqual({
      kind: "owner",
      ownerId,
      name,
      email,
      session,
      method: "passkey",
      fresh: true,
      snapshot: expect.stringMatching(/^\d+-\d+-[\d,]*$/),
      pending: 0,
    });
    await endSession({ ...owner, session: newId("ses") }, session);
    expect(await sessionOwner(ownerId, 1, session)).toBeNull();
    await expect(endSession(owner, session)).rejects.toMatchObject({ status: 404 });
    expect(await eventsOf(ownerId)).toEqual([
      { type: "owner.signed_in", data: { session, method: "passkey" } },
      { type: "owner.session_ended", data: { session } },
    ]);
  });

  it("rejects another owner's session and an expired, outdated or forged session", async () => {
    const [{ ownerId }, other] = [await anOwner(), await anOwner()];
    const session = await open(ownerId);
    expect(await sessionOwner(other.ownerId, 1, session)).toBeNull();
    expect(await sessionOwner(ownerId, 2, session)).toBeNull();
    for (const sid of [newId("ses"), undefined, "", "x".repeat(36), 7]) {
      expect(await sessionOwner(ownerId, 1, sid)).toBeNull();
    }
    for (const version of [undefined, "1", null, 1.5]) expect(await sessionOwner(ownerId, version, session)).toBeNull();
    await db.$executeRaw`UPDATE owner_session SET expires_at = now() - interval '1 second' WHERE id = ${session}`;
    expect(await sessionOwner(ownerId, 1, session)).toBeNull();
  });

  it("prevents another owner from ending a session", async () => {
    const [{ ownerId }, other] = [await anOwner(), await anOwner()];
    const session = await open(ownerId);
    await expect(endSession(other, session)).rejects.toMatchObject({ status: 404 });
    expect(await sessionOwner(ownerId, 1, session)).not.toBeNull();
  });

  it("lists a session's device, address and sign-in method", async () => {
    const owner = await anOwner();
    const [first, second] = [await open(owner.ownerId), await open(owner.ownerId, { method: "passkey" })];
    const lines = await listSessions({ ...owner, session: first });
    expect(lines.map(({ id, current }) => [id, current])).toEqual([
      [first, true],
      [second, false],
    ]);
    expect(lines[1]?.how).toBe(" with a passkey");
    expect(lines[0]).toEqual({
      id: first,
      device: "Chrome on Linux",
      address: "192.0.2.7",
      how: "",
      current: true,
      createdAt: expect.any(Number),
      lastSeenAt: expect.any(Number),
    });
  });

  it.each([
    ["2001:db8:1:2:3::4", "2001:db8:1:2::/64"],
    ["::ffff:192.0.2.9", "192.0.2.9"],
    ["", ""],
  ])("shows a session's address %j as %j", async (address, told) => {
    const owner = await anOwner();
    const opening = { method: "password" as const, userAgent: "", address };
    await createSession({ ownerId: owner.ownerId, sessionVersion: 1 }, opening);
    expect((await listSessions(owner)).map((it) => it.address)).toEqual([told]);
  });

  it("records a session's last use at most once a minute", async () => {
    const { ownerId } = await anOwner();
    const id = await open(ownerId);
    const seen = async () => (await db.ownerSession.findUniqueOrThrow({ where: { id } })).lastSeenAt.getTime();
    const before = await seen();
    await sessionOwner(ownerId, 1, id);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await seen()).toBe(before);
    await db.$executeRaw`UPDATE owner_session SET last_seen_at = now() - interval '61 seconds' WHERE id = ${id}`;
    const long = await seen();
    await sessionOwner(ownerId, 1, id);
    await expect.poll(seen).toBeGreaterThan(long);
  });

  it("replaces a browser's previous session at the next sign-in", async () => {
    const owner = await anOwner();
    const before = await open(owner.ownerId);
    await db.$executeRaw`UPDATE owner_session SET created_at = now() - interval '3 days' WHERE id = ${before}`;
    const [old] = await listSessions({ ...owner, session: before });
    const after = await open(owner.ownerId, { instead: before });
    const lines = await listSessions({ ...owner, session: after });
    expect(lines.map(({ id, createdAt }) => [id, createdAt])).toEqual([[after, old?.createdAt]]);
    expect(await sessionOwner(owner.ownerId, 1, before)).toBeNull();
    const other = await anOwner();
    await open(other.ownerId, { instead: after });
    expect(await sessionOwner(owner.ownerId, 1, after)).toBeNull();
    expect((await listSessions(other))[0]?.createdAt).toBeGreaterThan(Date.now() - 60_000);
  });

  it("deletes ended and expired sessions", async () => {
    const owner = await anOwner();
    const [ended, expired, live] = [await open(owner.ownerId), await open(owner.ownerId), await open(owner.ownerId)];
    await endSession(owner, ended);
    await db.$executeRaw`UPDATE owner_session SET expires_at = now() - interval '1 second' WHERE id = ${expired}`;
    await atEveryShard(sweep);
    const left = await db.ownerSession.findMany({ where: { ownerId: owner.ownerId } });
    expect(left.map(({ id }) => id)).toEqual([live]);
  });
});

describe("sessions", () => {
  it("ends all sessions when the owner signs out everywhere", async () => {
    const owner = await anOwner();
    const first = await open(owner.ownerId);
    await signOutEverywhere(owner);
    expect(await listSessions({ ...owner, session: first })).toEqual([]);
    const entrance = await changePassword(owner, { current: owner.password, next, address: "192.0.2.1" });
    expect(entrance).toEqual({ ownerId: owner.ownerId, sessionVersion: 3 });
    const kept = await open(owner.ownerId, { sessionVersion: 3 });
    expect((await listSessions({ ...owner, session: kept })).map(({ id }) => id)).toEqual([kept]);
  });

  it("ends sessions that begin while the owner signs out everywhere", async () => {
    const owner = await anOwner();
    const opening = Array.from({ length: 8 }, () => open(owner.ownerId));
    const [ended] = await Promise.all([signOutEverywhere(owner), ...opening.map((it) => it.catch(() => undefined))]);
    expect(ended).toBeUndefined();
    expect(await listSessions(owner)).toEqual([]);
    await expect(open(owner.ownerId)).rejects.toMatchObject({ status: 401 });
  });
});

describe("fresh sign-in", () => {
  it("counts a sign-in as fresh for ten minutes", async () => {
    const { ownerId } = await anOwner();
    const id = await open(ownerId);
    await age(id, 595);
    const fresh = await sessionOwner(ownerId, 1, id);
    expect(fresh?.fresh).toBe(true);
    expect(() => requireRecentSignIn(fresh!)).not.toThrow();
    await age(id, 601);
    const stale = await sessionOwner(ownerId, 1, id);
    expect(stale?.fresh).toBe(false);
    expect(() => requireRecentSignIn(stale!)).toThrow(expect.objectContaining({ status: 403 }));
  });

  it("allows a single password reset after a sign-in without a password", async () => {
    const owner = await anOwner();
    const session = await open(owner.ownerId, { method: "recovery_code" });
    const signedIn = { ...owner, session, method: "recovery_code" as const };
    const reset = (by: object = {}) => resetPassword({ ...signedIn, ...by }, { next });
    await expect(reset({ fresh: false })).rejects.toMatchObject({ status: 403 });
    await expect(reset({ method: "password" })).rejects.toMatchObject({ status: 403 });
    await expect(resetPassword(signedIn, { next: "short" })).rejects.toMatchObject({ status: 400 });
    const races = await Promise.allSettled([reset(), reset(), reset()]);
    expect(races.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await sessionOwner(owner.ownerId, 1, session)).toBeNull();
    await expect(reset()).rejects.toMatchObject({ status: 400 });
  });
});
