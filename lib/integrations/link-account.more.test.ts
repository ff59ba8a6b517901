import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { startIdentityProvider, type TestIdentity } from "@/lib/testing/identity-provider";
import { signInByScript } from "@/lib/testing/oidc/scripted-sign-in";
import { beginLink, finishLink, type LinkingOwner, type LinkOutcome } from "./link-account";
import { clientFor } from "./provider-catalog";
import type { Access } from "./providers/access-types";
import type { OAuthCredential, ProviderAccount } from "./providers/provider";
import { openCredential } from "./vault";

const back = "http://localhost:3000/integrations/callback/corp";
let corp: TestIdentity;
let uni: TestIdentity;
beforeAll(async () => {
  corp = await startIdentityProvider("corp");
  uni = await startIdentityProvider("uni", { name: "Uni", domain: "uni.example" });
  configure({
    OIDC_PROVIDERS: JSON.stringify([corp.setting, uni.setting]),
    ALLOW_PRIVATE_FETCH: `${corp.origin} ${uni.origin}`,
  });
});
afterEach(() => corp.heal());
afterAll(() => {
  corp.close();
  uni.close();
});

let count = 0;
/** Returns the name of an account at the provider that no other test uses. */
const aName = () => `robin-${++count}`;

type Going = { account: string; ticks?: readonly string[]; asked?: Access[]; id?: string; provider?: string };
/**
 * Follows the redirects to the provider and through its pages.
 * @returns the redirect back to the service
 */
async function go(owner: LinkingOwner, { account, ticks, asked = ["mail.read", "calendar.read"], ...more }: Going) {
  const { id, provider = "corp" } = more;
  const { location } = await beginLink(owner, { provider, asked, ...(id && { integrationId: id }) });
  return signInByScript(location, { account, ...(ticks && { scopes: ticks }) });
}
const link = async (owner: LinkingOwner, going: Going): Promise<LinkOutcome> =>
  finishLink(owner, going.provider ?? "corp", await go(owner, going));
async function linked(owner: LinkingOwner, going: Going): Promise<string> {
  const outcome = await link(owner, going);
  if (!("integrationId" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.integrationId;
}
const rowOf = (id: string) => db.integration.findUniqueOrThrow({ where: { id } });
const heldOf = async (id: string) => {
  const { ownerId, provider } = await rowOf(id);
  return (await openCredential(db, { id, ownerId, provider }))?.credential as OAuthCredential | undefined;
};
const eventsOf = async (subject: string) =>
  (await db.event.findMany({ where: { subject }, orderBy: { id: "asc" } })).map(({ type, data }) => ({ type, data }));

describe("linking", () => {
  test("stores a linked account with its permissions and credential", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const outcome = await link(owner, { account });
    expect(outcome).toEqual({ kind: "linked", integrationId: expect.stringMatching(/^int_/) });
    const id = await linked(owner, { account });
    const row = await rowOf(id);
    expect(row).toMatchObject({
      ownerId: owner.ownerId,
      provider: "corp",
      issuer: corp.origin,
      subject: account,
      status: "connected",
      email: `${account}@corp.example`,
      accountName: `Robin ${account}`,
      asked: ["mail.read", "calendar.read"],
      buckets: ["identity", "mail", "calendar"],
      scopes: expect.arrayContaining(["openid", "offline_access", "mail:read", "cal:r"]),
    });
    expect(row.checkAt!.getTime()).toBeGreaterThan(Date.now());
    expect(await heldOf(id)).toMatchObject({ kind: "oauth", refreshToken: expect.any(String), scopes: row.scopes });
    expect((await eventsOf(id))[0]).toEqual({ type: "integration.linked", data: { provider: "corp", again: false } });
  });

  test("stores the provider's secrets only in the vault", async () => {
    const [owner, account] = [await anOwner(), aName()];
    await linked(owner, { account });
    const secrets = corp.issued(account).map(({ value }) => value);
    expect(secrets.length).toBeGreaterThan(2);
    const tables = await db.$queryRaw<{ name: string }[]>`
      SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`;
    let dump = "";
    for (const { name } of tables)
      dump += JSON.stringify(await db.$queryRawUnsafe(`SELECT it::text AS line FROM ${name} AS it`));
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64")])
        expect(dump).not.toContain(form);
  });

  test("links an account with part of the requested access", async () => {
    const owner = await anOwner();
    const id = await linked(owner, { account: aName(), ticks: ["cal:r"] });
    const { scopes, buckets, asked } = await rowOf(id);
    expect(buckets).toEqual(["identity", "calendar"]);
    expect(scopes).not.toContain("mail:read");
    expect(asked).toEqual(["mail.read", "calendar.read"]);
  });

  test("assumes that the requested scopes were granted if the provider reports no scopes", async () => {
    const [owner, account] = [await anOwner(), aName()];
    corp.sayScope(account, "openid files:read bad\u0000scope");
    expect((await rowOf(await linked(owner, { account }))).buckets).toEqual(["identity", "files"]);
    corp.sayScope(account, "");
    expect((await rowOf(await linked(owner, { account }))).buckets).toEqual(["identity"]);
    corp.sayScope(account);
    expect((await rowOf(await linked(owner, { account }))).buckets).toEqual(["identity", "mail", "calendar"]);
  });

  test("reuses an account in any state when the owner relinks it", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const id = await linked(owner, { account, asked: ["calendar.read"] });
    const before = await heldOf(id);
    await db.integration.update({
      where: { id },
      data: { status: "disconnected", disconnectedAt: new Date(), eraseAt: new Date(), statusBefore: "needs_reauth" },
    });
    expect(await link(owner, { account, asked: ["mail.read"] })).toEqual({ kind: "relinked", integrationId: id });
    expect(await rowOf(id)).toMatchObject({
      status: "connected",
      disconnectedAt: null,
      eraseAt: null,
      asked: ["mail.read"],
    });
    expect((await heldOf(id))?.refreshToken).not.toBe(before?.refreshToken);
    expect((await eventsOf(id)).slice(1)).toEqual([
      { type: "integration.linked", data: { provider: "corp", again: true } },
      {
        type: "integration.access_changed",
        data: { provider: "corp", added: ["mail.read"], removed: ["calendar.read"] },
      },
      { type: "integration.status_changed", data: { provider: "corp", from: "disconnected", to: "connected" } },
    ]);
  });

  test("links each account at each provider separately", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const ids = [
      await linked(owner, { account }),
      await linked(owner, { account: aName() }),
      await linked(owner, { account, provider: "uni" }),
    ];
    expect(new Set(ids).size).toBe(3);
  });

  test("lets two owners link the same account", async () => {
    const account = aName();
    const [one, other] = [await linked(await anOwner(), { account }), await linked(await anOwner(), { account })];
    expect(one).not.toBe(other);
    expect((await heldOf(one))?.refreshToken).not.toBe((await heldOf(other))?.refreshToken);
  });

  test("links only one account for two concurrent callbacks", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const urls = [await go(owner, { account }), await go(owner, { account })];
    const outcomes = await Promise.all([...urls, ...urls].map((url) => finishLink(owner, "corp", url)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["failed", "failed", "linked", "relinked"]);
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(1);
  });

  test("labels an account without an email by user name or subject", async () => {
    const [owner, named, bare] = [await anOwner(), aName(), aName()];
    corp.describe(named, { preferred_username: "robin.r" });
    corp.describe(bare, { email: 7, name: "evil\u202egnp.exe" });
    expect(await rowOf(await linked(owner, { account: named }))).toMatchObject({ email: "robin.r", accountName: null });
    expect(await rowOf(await linked(owner, { account: bare }))).toMatchObject({ email: bare, accountName: null });
  });
});

describe("reconnecting", () => {
  test("preserves the account's ID on reconnection", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const id = await linked(owner, { account });
    await db.integration.update({ where: { id }, data: { status: "needs_reauth", statusReason: "invalid_grant" } });
    expect(await link(owner, { account, id })).toEqual({ kind: "relinked", integrationId: id });
    expect(await rowOf(id)).toMatchObject({ status: "connected", statusReason: null });
  });

  test("rejects a different account on reconnection", async () => {
    const [owner, account, other] = [await anOwner(), aName(), aName()];
    const id = await linked(owner, { account });
    const before = await heldOf(id);
    expect(await link(owner, { account: other, id })).toEqual({
      kind: "other_account",
      integrationId: id,
      email: `${other}@corp.example`,
    });
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(1);
    expect(await heldOf(id)).toEqual(before);
    // The outcome is the same if the owner has already linked that other account.
    const second = await linked(owner, { account: other });
    expect(await link(owner, { account: other, id })).toMatchObject({ kind: "other_account", integrationId: id });
    expect(await rowOf(second)).toMatchObject({ subject: other, status: "connected" });
  });

  test("sends the provider the email address of the account to reconnect", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const id = await linked(owner, { account });
    const { location } = await beginLink(owner, { provider: "corp", asked: [], integrationId: id });
    expect(new URL(location).searchParams.get("login_hint")).toBe(`${account}@corp.example`);
  });
});

describe("starting a link attempt", () => {
  test("stores no secrets of a link attempt in plain text", async () => {
    const owner = await anOwner();
    const { location } = await beginLink(owner, { provider: "corp", asked: ["calendar.write"] });
    const { origin, searchParams } = new URL(location);
    expect(origin).toBe(corp.origin);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: corp.setting.clientId,
      response_type: "code",
      redirect_uri: back,
      prompt: "consent",
      scope: "openid email profile offline_access cal:r cal:w",
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}[0-9a-v]{2}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const { state = "", nonce = "" } = Object.fromEntries(searchParams);
    const [row] = await db.$queryRaw<{ line: string; minutes: number }[]>`
      SELECT a::text AS line, (extract(epoch FROM expires_at - created_at) / 60)::int AS minutes
      FROM link_attempt a WHERE owner_id = ${owner.ownerId}`;
    expect(row?.minutes).toBe(10);
    for (const secret of [state, nonce])
      for (const form of [
        secret,
        Buffer.from(secret).toString("hex"),
        Buffer.from(secret, "base64url").toString("hex"),
      ])
        expect(row?.line).not.toContain(form);
  });

  test("requires a sign-in within the last ten minutes to link an account", async () => {
    const owner = { ...(await anOwner()), fresh: false };
    await expect(beginLink(owner, { provider: "corp", asked: [] })).rejects.toThrow("ten minutes");
  });

  it.each([
    ["an unknown provider", { provider: "nowhere", asked: [] }, 404],
    ["a provider without a redirect", { provider: "mail", asked: [] }, 404],
    ["a provider that is not set up", { provider: "google", asked: [] }, 409],
    ["a scope that the provider does not offer", { provider: "corp", asked: ["tasks.read"] }, 400],
    ["an unknown account", { provider: "corp", asked: [], integrationId: "int_x" }, 404],
  ] as const)("rejects a link attempt with %s", async (_, link, status) => {
    await expect(beginLink(await anOwner(), { ...link })).rejects.toMatchObject({ status });
  });

  test("rejects a reconnection of another owner's account or another provider's account", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const id = await linked(owner, { account });
    const foreign = beginLink(await anOwner(), { provider: "corp", asked: [], integrationId: id });
    await expect(foreign).rejects.toMatchObject({ status: 404 });
    await expect(beginLink(owner, { provider: "uni", asked: [], integrationId: id })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("limits link attempts per owner", async () => {
    const owner = await anOwner();
    for (let i = 0; i < 30; i++) await beginLink(owner, { provider: "corp", asked: [] });
    await expect(beginLink(owner, { provider: "corp", asked: [] })).rejects.toMatchObject({ status: 429 });
  });

  it.each([
    ["is down", "down", /Couldn’t connect/],
    ["fails", "broken", /Couldn’t connect/],
    ["limits requests", "busy", /Couldn’t connect/],
    ["sends garbage", "garbage", /couldn’t use/],
  ] as const)("shows an error for a provider that %s", async (_, how, words) => {
    const owner = await anOwner();
    // This provider's discovery document is not cached.
    uni.fault("discovery", how);
    uni.fault("token", "broken");
    await link(owner, { account: aName(), provider: "uni" }).catch(() => {});
    await expect(beginLink(owner, { provider: "uni", asked: [] })).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(words),
    });
    expect(await db.linkAttempt.count({ where: { ownerId: owner.ownerId, usedAt: null } })).toBe(0);
    uni.heal();
    expect((await beginLink(owner, { provider: "uni", asked: [] })).location).toContain(uni.origin);
  });
});

describe("returning from the provider", () => {
  test("rejects a callback from another session or owner", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const url = await go(owner, { account });
    const notYours = { kind: "failed", reason: "not_yours" };
    expect(await finishLink({ ...owner, session: "another" }, "corp", url)).toEqual(notYours);
    expect(await finishLink(await anOwner(), "corp", url)).toEqual(notYours);
    expect(corp.issued(account).some(({ kind }) => kind === "AccessToken")).toBe(false);
    expect(await finishLink(owner, "corp", url)).toMatchObject({ kind: "linked" });
  });

  test("rejects a second callback for a link attempt", async () => {
    const owner = await anOwner();
    const url = await go(owner, { account: aName() });
    expect(await finishLink(owner, "corp", url)).toMatchObject({ kind: "linked" });
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "failed", reason: "expired" });
  });

  test("rejects a callback ten minutes after the link attempt began", async () => {
    const owner = await anOwner();
    const url = await go(owner, { account: aName() });
    await db.$executeRaw`UPDATE link_attempt SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "failed", reason: "expired" });
  });

  test("rejects a callback with a missing, repeated or forged state", async () => {
    const owner = await anOwner();
    const url = await go(owner, { account: aName() });
    const before = corp.asked().token;
    const changed = (change: (query: URLSearchParams) => void) => {
      const other = new URL(url);
      change(other.searchParams);
      return finishLink(owner, "corp", other);
    };
    const expired = { kind: "failed", reason: "expired" };
    expect(await changed((query) => query.delete("state"))).toEqual(expired);
    expect(await changed((query) => query.append("state", "x"))).toEqual(expired);
    expect(await changed((query) => query.set("state", "x".repeat(43)))).toEqual(expired);
    expect(corp.asked().token).toBe(before);
  });

  test("rejects a callback from a different provider", async () => {
    const owner = await anOwner();
    const url = await go(owner, { account: aName() });
    const before = [corp.asked().token, uni.asked().token];
    expect(await finishLink(owner, "uni", url)).toEqual({ kind: "failed", reason: "expired" });
    url.searchParams.set("iss", uni.origin);
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "failed", reason: "provider" });
    // RFC 9207: this provider names itself in its responses, so a response without the name is not
    // from it.
    const silent = await go(owner, { account: aName() });
    silent.searchParams.delete("iss");
    expect(await finishLink(owner, "corp", silent)).toEqual({ kind: "failed", reason: "provider" });
    expect([corp.asked().token, uni.asked().token]).toEqual(before);
  });

  test("reports that the owner denied access at the provider", async () => {
    const [owner, account] = [await anOwner(), aName()];
    const { location } = await beginLink(owner, { provider: "corp", asked: ["mail.read"] });
    const url = await signInByScript(location, { account, allow: false });
    expect(url.searchParams.get("error")).toBe("access_denied");
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "denied" });
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "failed", reason: "expired" });
  });

  test("rejects a code from another link attempt", async () => {
    const owner = await anOwner();
    const [mine, stolen] = [await go(owner, { account: aName() }), await go(await anOwner(), { account: aName() })];
    mine.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await finishLink(owner, "corp", mine)).toEqual({ kind: "failed", reason: "provider" });
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(0);
  });

  it.each([
    ["the token endpoint is down", "token", "down"],
    ["the token endpoint sends garbage", "token", "garbage"],
    ["the token endpoint rejects the code", "token", "refused"],
    ["the token endpoint rejects the client", "token", "unknown-client"],
    ["the key endpoint is down", "jwks", "down"],
    ["the key endpoint sends garbage", "jwks", "garbage"],
    ["the userinfo endpoint fails", "userinfo", "broken"],
  ] as const)("links no account if %s", async (_, where, how) => {
    const owner = await anOwner();
    const url = await go(owner, { account: aName() });
    corp.fault(where, how);
    expect(await finishLink(owner, "corp", url)).toEqual({ kind: "failed", reason: "provider" });
    expect(await db.integration.count({ where: { ownerId: owner.ownerId } })).toBe(0);
    corp.heal();
    expect(await link(owner, { account: aName() })).toMatchObject({ kind: "linked" });
  });

  test("accepts a token signed with a provider's new key", async () => {
    const owner = await anOwner();
    await linked(owner, { account: aName() });
    corp.rotateKeys();
    expect(await link(owner, { account: aName() })).toMatchObject({ kind: "linked" });
    const before = corp.asked().discovery;
    await linked(owner, { account: aName() });
    expect(corp.asked().discovery).toBe(before);
  });
});

describe("linked accounts", () => {
  const signal = () => AbortSignal.timeout(5_000);
  async function anAccount(going: Partial<Going> = {}) {
    const account = aName();
    const id = await linked(await anOwner(), { account, ...going });
    const { issuer, subject, email } = await rowOf(id);
    const about: ProviderAccount = { issuer, subject, email };
    const credential = (await heldOf(id)) as OAuthCredential;
    const check = (held = credential, renew = false, of = about) =>
      clientFor("corp").check(held, { account: of, renew, signal: signal() });
    return { account, about, credential, check };
  }
  /** Removes the refresh token, so that the account works only until its access token expires. */
  const unrenewable = ({ refreshToken: _, ...held }: OAuthCredential): OAuthCredential => held;

  test("checks a linked account without renewing a valid token", async () => {
    const { account, about, credential, check } = await anAccount();
    expect(await check()).toEqual({ account: { ...about, name: `Robin ${account}` } });
    const uses = corp.issued(account).find(({ value }) => value === credential.refreshToken)?.uses;
    expect(uses).toBe(0);
  });

  test("uses each refresh token only once", async () => {
    const { account, credential, check } = await anAccount();
    const first = (await check(credential, true)).credential as OAuthCredential;
    const second = (await check({ ...first, expiresAt: Date.now() + 60_000 })).credential as OAuthCredential;
    expect(new Set([credential, first, second].map(({ refreshToken }) => refreshToken)).size).toBe(3);
    expect(second.scopes).toEqual(credential.scopes);
    const used = corp.issued(account).filter(({ kind }) => kind === "RefreshToken");
    expect(used.map(({ uses }) => uses)).toEqual([1, 1, 0]);
    expect(await check(second)).not.toHaveProperty("credential");
  });

  test("updates an account's access to match the provider's report", async () => {
    const { account, credential, check } = await anAccount();
    corp.sayScope(account, "openid mail:read");
    expect(await check(credential, true)).toMatchObject({
      scopes: ["openid", "mail:read"],
      credential: { scopes: ["openid", "mail:read"] },
    });
  });

  test("renews a rejected access token", async () => {
    const { account, check } = await anAccount();
    corp.fault("userinfo", "refused", account);
    expect(await check()).toHaveProperty("credential");
  });

  it.each([
    ["a refresh is rejected", "refresh", "refused", { reason: "invalid_grant", final: true }],
    [
      "the client is rejected in a refresh",
      "refresh",
      "unknown-client",
      { reason: "provider_misbehaves", final: false },
    ],
    ["a refresh is rate limited", "refresh", "busy", { reason: "rate_limited", final: false, retryAfter: 120 }],
    ["a refresh fails", "refresh", "broken", { reason: "provider_down", final: false }],
    ["a refresh gets no response", "refresh", "down", { reason: "provider_down", final: false }],
    ["a refresh returns garbage", "refresh", "garbage", { reason: "provider_misbehaves", final: false }],
    [
      "a userinfo request is rate limited",
      "userinfo",
      "busy",
      { reason: "rate_limited", final: false, retryAfter: 120 },
    ],
    ["a userinfo request fails", "userinfo", "broken", { reason: "provider_down", final: false }],
    ["a userinfo request gets no response", "userinfo", "down", { reason: "provider_down", final: false }],
    ["a userinfo request returns garbage", "userinfo", "garbage", { reason: "provider_misbehaves", final: false }],
  ] as const)("keeps the provider's text out of errors if %s", async (_, where, how, fault) => {
    const { account, credential, check } = await anAccount();
    corp.fault(where, how, account);
    const thrown: Error = await check(credential, where === "refresh").then(
      () => new Error("nothing"),
      (error) => error,
    );
    expect(thrown).toMatchObject(fault);
    expect(thrown.message).not.toContain("canary");
    for (const { value } of corp.issued(account)) expect(thrown.message).not.toContain(value);
  });

  test("stops waiting for a provider that does not respond in time", async () => {
    const { account, about, credential } = await anAccount();
    corp.fault("refresh", "slow", account);
    const soon = AbortSignal.timeout(200);
    const late = clientFor("corp").check(credential, { account: about, renew: true, signal: soon });
    await expect(late).rejects.toMatchObject({ reason: "provider_down", final: false });
  });

  test("fails a check permanently when the access is revoked or expired", async () => {
    const taken = await anAccount();
    corp.revoke(taken.account);
    await expect(taken.check()).rejects.toMatchObject({ reason: "invalid_grant", final: true });
    await expect(taken.check(unrenewable(taken.credential))).rejects.toMatchObject({
      reason: "revoked_at_provider",
      final: true,
    });
    const ended = { ...unrenewable(taken.credential), expiresAt: Date.now() - 1 };
    await expect(taken.check(ended)).rejects.toMatchObject({ reason: "refresh_exhausted", final: true });
    const used = await anAccount();
    await used.check(used.credential, true);
    await expect(used.check(used.credential, true)).rejects.toMatchObject({ reason: "invalid_grant", final: true });
  });

  test("rejects a renewal from a different subject or issuer", async () => {
    const { about, credential, check } = await anAccount();
    const other = { ...about, subject: "somebody" };
    await expect(check(credential, false, other)).rejects.toMatchObject({
      reason: "provider_misbehaves",
      final: false,
    });
    await expect(check(credential, true, other)).rejects.toMatchObject({ reason: "provider_misbehaves", final: false });
    const before = uni.asked();
    const moved = clientFor("uni").check(credential, { account: about, renew: true, signal: signal() });
    await expect(moved).rejects.toMatchObject({ reason: "not_configured", final: false });
    await expect(clientFor("uni").revoke(credential, signal())).rejects.toMatchObject({ reason: "not_configured" });
    expect({ ...uni.asked(), discovery: 0 }).toEqual({ ...before, discovery: 0 });
  });

  test("revokes an account's access at the provider", async () => {
    const { credential, check } = await anAccount();
    await clientFor("corp").revoke(credential, signal());
    await expect(check()).rejects.toMatchObject({ reason: "invalid_grant", final: true });
  });
});
