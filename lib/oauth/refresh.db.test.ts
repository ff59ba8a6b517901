import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { authenticate } from "@/lib/access/authorization";
import { readActivity } from "@/lib/activity/activity";
import { sweep } from "@/lib/cli/delete-expired-rows";
import { db, pool } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { readAppAnomalies } from "@/lib/events/app-anomalies";
import { revokeGrant } from "@/lib/grants/grants";
import { revokeScope } from "@/lib/grants/revoke-scope";
import { key, retainKeys } from "@/lib/keys/crypto";
import { derivedSecret, hashSecret, homeInSecret } from "@/lib/keys/secret-tokens";
import { readFeed } from "@/lib/notifications/feed";
import { configure } from "@/lib/testing/change-settings";
import { anApp } from "@/lib/testing/factories";
import { aGrantedToken, aParty, askToken, bearer, type TokenReply } from "@/lib/testing/oauth-flow";
import { atEveryShard } from "@/lib/testing/shards/at-every-shard";
import { unknownSecret } from "@/lib/testing/unknown-secret";
import { successorToken } from "./token-issuance";

const admits = (token: string) => authenticate(bearer(token));
const dead = { status: 401 };

/** Creates a client with its first tokens, and a function that refreshes tokens. */
async function connected(asking: Parameters<typeof aGrantedToken>[1] = {}, kind: Parameters<typeof aParty>[0] = {}) {
  const party = await aParty(kind);
  const first = await aGrantedToken(party, asking);
  const { client_id, client_secret } = first.form;
  const identity = { client_id, ...(client_secret && { client_secret }) };
  const renew = (refresh_token: string, extra: Record<string, string> = {}, from?: string) =>
    askToken({ grant_type: "refresh_token", refresh_token, ...identity, ...extra }, undefined, from);
  return { ...party, first: first.reply, renew };
}
const renewed = async (reply: Promise<Response>) => {
  const it = await reply;
  expect(it.status).toBe(200);
  return (await it.json()) as TokenReply;
};
async function refused(reply: Promise<Response>, error = "invalid_grant") {
  const it = await reply;
  expect(await it.json()).toEqual({ error, error_description: expect.any(String) });
  expect(it.status).toBe(400);
  expect(it.headers.get("cache-control")).toBe("no-store");
}
/** Moves a token's rotation into the past by this many seconds. */
const rotatedAgo = (refreshToken: string, seconds: number) =>
  pool().query("UPDATE refresh_token SET rotated_at = rotated_at - make_interval(secs => $2) WHERE hash = $1", [
    hashSecret(refreshToken),
    seconds,
  ]);

it.each([
  ["a public client", { public: true }],
  ["a confidential client", { public: false }],
])("rotates the refresh token of %s on each use", async (_, kind) => {
  const { first, renew, owner } = await connected({ scope: "approvals:read approvals:write" }, kind);
  expect(first.refresh_token).toMatch(/^csn_rt_\w{49}$/);
  const second = await renewed(renew(first.refresh_token));
  expect(second).toEqual({
    access_token: expect.stringMatching(/^csn_at_\w{49}$/),
    token_type: "Bearer",
    expires_in: expect.any(Number),
    scope: "approvals:write approvals:read",
    refresh_token: expect.stringMatching(/^csn_rt_\w{49}$/),
    owner: owner.ownerId,
  });
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const third = await renewed(renew(second.refresh_token));
  for (const { access_token } of [first, second, third]) await admits(access_token);
});

it("returns the same new refresh token for a refresh repeated within a minute", async () => {
  const { first, renew } = await connected();
  const one = await renewed(renew(first.refresh_token));
  const again = await renewed(renew(first.refresh_token));
  expect(again.refresh_token).toBe(one.refresh_token);
  expect(again.access_token).not.toBe(one.access_token);
  for (const { access_token } of [first, one, again]) await admits(access_token);
});

it.each([1, 2, 3])("issues only one refresh token for twenty concurrent refreshes, round %i", async () => {
  const { first, renew } = await connected();
  const all = await Promise.all(Array.from({ length: 20 }, () => renewed(renew(first.refresh_token))));
  expect(new Set(all.map((it) => it.refresh_token)).size).toBe(1);
  for (const { access_token } of all) await admits(access_token);
  await renewed(renew(all[0]?.refresh_token ?? ""));
});

it.each(["its successor was used", "a minute has passed"])(
  "revokes the token family when a refresh token is reused after %s",
  async (when) => {
    const { owner, app, first, renew } = await connected();
    const elsewhere = await aGrantedToken({ owner, app });
    const family = [first, await renewed(renew(first.refresh_token))];
    if (when === "a minute has passed") await rotatedAgo(first.refresh_token, 61);
    else family.push(await renewed(renew(family[1]?.refresh_token ?? "")));
    await refused(renew(first.refresh_token));
    for (const { access_token, refresh_token } of family) {
      await expect(admits(access_token)).rejects.toMatchObject(dead);
      await refused(renew(refresh_token));
    }
    await admits(elsewhere.token);
    await renewed(renew(elsewhere.reply.refresh_token));
    const events = await db.event.findMany({ where: { ownerId: owner.ownerId, type: "token.reused" } });
    expect(events).toMatchObject([{ appId: app.clientId }]);
    const { notifications } = await readFeed(owner);
    expect(notifications).toMatchObject([
      {
        app: { appId: "countersign", name: "Countersign" },
        title: `Tokens for ${app.name} were revoked`,
        type: "security",
      },
    ]);
  },
);

it("returns the same new refresh token if another instance repeats a refresh with swapped secrets", async () => {
  const { SECRET = "" } = process.env;
  const other = "another-secret-0123456789abcdef0123456789abcdef";
  const pepper = key("token-pepper");
  retainKeys(new Map([["token-pepper", pepper]]));
  try {
    const { first, renew } = await connected();
    configure({ SECRET: other, SECRET_PREVIOUS: SECRET });
    const one = await renewed(renew(first.refresh_token));
    configure({ SECRET, SECRET_PREVIOUS: other });
    const again = await renewed(renew(first.refresh_token));
    expect(again.refresh_token).toBe(one.refresh_token);
    const next = await renewed(renew(again.refresh_token));
    for (const { access_token } of [first, one, again, next]) await admits(access_token);
  } finally {
    configure({ SECRET, SECRET_PREVIOUS: "" });
    retainKeys(new Map());
  }
});

/** Replaces an app's refresh token with one in the form from before homes. */
async function inFormerForm(refreshToken: string): Promise<string> {
  const former = derivedSecret("rt", randomBytes(32), undefined);
  await pool().query("UPDATE refresh_token SET hash = $2 WHERE hash = $1", [
    hashSecret(refreshToken),
    hashSecret(former),
  ]);
  return former;
}
/** The successor that an instance from before homes creates. */
const formerSuccessor = (refreshToken: string) =>
  derivedSecret("rt", createHmac("sha256", key("refresh-successor")).update(refreshToken).digest(), undefined);

it("replaces a refresh token from before homes as instances from before homes do", async () => {
  const { first, renew } = await connected();
  const former = await inFormerForm(first.refresh_token);
  const second = await renewed(renew(former));
  expect(second.refresh_token).toBe(formerSuccessor(former));
  const again = await renewed(renew(former));
  expect(again.refresh_token).toBe(second.refresh_token);
  const third = await renewed(renew(second.refresh_token));
  expect(third.refresh_token).toBe(formerSuccessor(second.refresh_token));
  for (const { access_token } of [second, again, third]) await admits(access_token);
  await rotatedAgo(former, 61);
  await refused(renew(former));
});

it("returns the same new refresh token if an instance from before homes created it", async () => {
  const { owner, first, renew } = await connected();
  const one = await renewed(renew(first.refresh_token));
  expect(homeInSecret(one.refresh_token)).toBe(homeOf(owner.ownerId));
  const successor = formerSuccessor(first.refresh_token);
  await pool().query("UPDATE refresh_token SET hash = $2 WHERE hash = $1", [
    hashSecret(one.refresh_token),
    hashSecret(successor),
  ]);
  const again = await renewed(renew(first.refresh_token));
  expect(again.refresh_token).toBe(successor);
  const next = await renewed(renew(successor));
  for (const { access_token } of [first, one, again, next]) await admits(access_token);
});

it("leaves at most one valid token chain after a concurrent replay", async () => {
  for (let round = 0; round < 5; round++) {
    const { first, renew } = await connected();
    const second = await renewed(renew(first.refresh_token));
    const [replay, use] = await Promise.all([renew(first.refresh_token), renew(second.refresh_token)]);
    // Both orders are valid. If the replay came first, it got the same successor. If the use came
    // first, the replay counts as a theft.
    if (replay.status === 200) expect(((await replay.json()) as TokenReply).refresh_token).toBe(second.refresh_token);
    else if (use.status === 200) await refused(renew(((await use.json()) as TokenReply).refresh_token));
  }
});

it("revokes the tokens of a refresh in progress when theft is detected", async () => {
  const { first, renew } = await connected();
  const second = await renewed(renew(first.refresh_token));
  const third = await renewed(renew(second.refresh_token));
  const [latest, next] = [hashSecret(third.refresh_token), hashSecret(successorToken(third.refresh_token))];
  const other = await pool().connect();
  try {
    // Simulates a refresh that stops just before its commit.
    await other.query("BEGIN");
    await other.query("UPDATE refresh_token SET rotated_at = now() WHERE hash = $1", [latest]);
    await other.query(
      `INSERT INTO refresh_token (hash, owner_id, grant_id, family_id, scopes, resource, expires_at, ends_at)
       SELECT $2, owner_id, grant_id, family_id, scopes, resource, expires_at, ends_at FROM refresh_token WHERE hash = $1`,
      [latest, next],
    );
    const stolen = renew(first.refresh_token);
    const blocked =
      "SELECT FROM pg_stat_activity WHERE datname LIKE current_database() || '%' AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool().query(blocked)).rowCount).toBe(1);
    await other.query("COMMIT");
    await refused(stolen);
  } finally {
    other.release();
  }
  await refused(renew(successorToken(third.refresh_token)));
  const { rows } = await pool().query("SELECT revoked_at FROM refresh_token WHERE hash = $1", [next]);
  expect(rows).toEqual([{ revoked_at: expect.any(Date) }]);
});

it("limits a single access token to fewer scopes on request", async () => {
  const { first, renew } = await connected({ scope: "approvals:read approvals:write notifications:write" });
  const less = await renewed(renew(first.refresh_token, { scope: "approvals:read offline_access" }));
  expect(less.scope).toBe("approvals:read");
  await expect(authenticate(bearer(less.access_token, "approvals:write"))).rejects.toMatchObject({ status: 403 });
  const whole = await renewed(renew(less.refresh_token));
  expect(whole.scope).toBe("approvals:write approvals:read notifications:write");
  await refused(renew(whole.refresh_token, { scope: "approvals:read approvals:resolve" }), "invalid_scope");
  await refused(renew(whole.refresh_token, { scope: "everything" }), "invalid_scope");
  await refused(renew(whole.refresh_token, { resource: "http://localhost:3000/api/mcp" }), "invalid_target");
  await renewed(renew(whole.refresh_token, { resource: "http://localhost:3000/api/" }));
});

it("rejects another app's refresh token and does not revoke the token", async () => {
  const { first, renew } = await connected();
  const other = await anApp(undefined, { public: true });
  const stolen = { grant_type: "refresh_token", refresh_token: first.refresh_token, client_id: other.clientId };
  await refused(askToken(stolen));
  await renewed(renew(first.refresh_token));
});

it.each([
  ["30 days without use", "expires_at = now() - interval '1 second'"],
  ["a year", "expires_at = now() - interval '1 second', ends_at = now() - interval '1 second'"],
])("expires a refresh token after %s", async (_, sql) => {
  const { first, renew } = await connected();
  await pool().query(`UPDATE refresh_token SET ${sql} WHERE hash = $1`, [hashSecret(first.refresh_token)]);
  await refused(renew(first.refresh_token));
});

it("extends a refresh token by 30 days within its family's lifetime", async () => {
  const { first, renew } = await connected();
  const days = async (token: string) => {
    const { rows } = await pool().query(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS idle, round(extract(epoch FROM ends_at - now()) / 86400)::int AS whole
       FROM refresh_token WHERE hash = $1`,
      [hashSecret(token)],
    );
    return rows[0];
  };
  expect(await days(first.refresh_token)).toEqual({ idle: 30, whole: 365 });
  await pool().query("UPDATE refresh_token SET ends_at = now() + interval '7 days' WHERE hash = $1", [
    hashSecret(first.refresh_token),
  ]);
  expect(await days((await renewed(renew(first.refresh_token))).refresh_token)).toEqual({ idle: 7, whole: 7 });
  const short = await connected({ decision: { days: 1 } });
  expect(await days(short.first.refresh_token)).toEqual({ idle: 1, whole: 1 });
});

it("excludes revoked scopes from refreshed tokens", async () => {
  const { owner, app, first, renew } = await connected({ scope: "approvals:read approvals:write" });
  await revokeScope(owner, app.clientId, "approvals:write");
  const second = await renewed(renew(first.refresh_token));
  expect(second.scope).toBe("approvals:read");
  await revokeGrant(owner, app.clientId);
  await refused(renew(second.refresh_token));
  // No event remains that would alert the owner.
  await rotatedAgo(first.refresh_token, 61);
  await refused(renew(first.refresh_token));
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "token.reused" } })).toBe(0);
});

it("revokes refreshed tokens when an authorization code is reused", async () => {
  const party = await aParty();
  const { form, reply } = await aGrantedToken(party);
  const again = { grant_type: "refresh_token", client_id: party.app.clientId };
  const second = await renewed(askToken({ ...again, refresh_token: reply.refresh_token }));
  await refused(askToken(form));
  await expect(admits(second.access_token)).rejects.toMatchObject(dead);
  await refused(askToken({ ...again, refresh_token: second.refresh_token }));
});

it("reports a late reuse of an authorization code only once", async () => {
  const party = await aParty();
  const { form, reply } = await aGrantedToken(party);
  const elsewhere = await aGrantedToken(party);
  const identity = { grant_type: "refresh_token", client_id: party.app.clientId };
  const second = await renewed(askToken({ ...identity, refresh_token: reply.refresh_token }));
  const back = "now() - interval '3 days'";
  await pool().query(`UPDATE authorization_code SET expires_at = ${back}`);
  await pool().query(
    `UPDATE token SET expires_at = ${back} WHERE grant_id IN (SELECT grant_id FROM authorization_code)`,
  );
  await atEveryShard(sweep);
  expect(await db.authorizationCode.count()).toBe(0);
  const other = await anApp(undefined, { public: true });
  await refused(askToken({ ...form, client_id: other.clientId }));
  const third = await renewed(askToken({ ...identity, refresh_token: second.refresh_token }));
  await refused(askToken(form));
  await refused(askToken(form));
  await expect(admits(third.access_token)).rejects.toMatchObject(dead);
  await refused(askToken({ ...identity, refresh_token: third.refresh_token }));
  await renewed(askToken({ ...identity, refresh_token: elsewhere.reply.refresh_token }));
  expect(await db.event.count({ where: { ownerId: party.owner.ownerId, type: "code.reused" } })).toBe(1);
});

it.each([
  ["that was never issued", unknownSecret("rt")],
  ["that is malformed", "csn_rt_nonsense"],
  ["that is another type of token", unknownSecret("at")],
  ["of 5,000 characters", "x".repeat(5000)],
])("rejects a refresh token %s", async (_, junk) => {
  await refused((await connected()).renew(junk));
});

describe("two clients with one token family", () => {
  const [home, away] = ["192.0.2.7", "198.51.100.9"];
  type Connected = Awaited<ReturnType<typeof connected>>;
  /**
   * Refreshes as the client, and right afterwards as someone else with the same token.
   * @returns the last token, which both have
   */
  async function bothRenew({ first, renew }: Connected, times: number, from: [string?, string?] = [home, home]) {
    let token = first.refresh_token;
    for (let time = 0; time < times; time++) {
      const next = await renewed(renew(token, {}, from[0]));
      expect((await renewed(renew(token, {}, from[1]))).refresh_token).toBe(next.refresh_token);
      token = next.refresh_token;
    }
    return token;
  }
  const told = async ({ owner }: Connected) => ({
    activity: (await readActivity(owner, { kind: "trouble" })).items.map(({ type, data }) => ({ type, data })),
    notices: (await readFeed(owner)).notifications.map(({ title, type }) => ({ title, type })),
    troubles: [...(await readAppAnomalies(owner)).values()].map(({ shared }) => shared),
  });
  const nothing = { activity: [], notices: [], troubles: [] };
  const once = ({ app }: Connected, why: string) => ({
    activity: [{ type: "token.shared", data: { why } }],
    notices: [{ title: `Someone else may be using ${app.name}’s token`, type: "security" }],
    troubles: [1],
  });

  it("warns only once about two clients that share a token family", async () => {
    const it = await connected();
    const second = await bothRenew(it, 2);
    expect(await told(it)).toEqual(nothing);
    const third = await bothRenew({ ...it, first: { ...it.first, refresh_token: second } }, 1);
    expect(await told(it)).toEqual(once(it, "running"));
    const last = await bothRenew({ ...it, first: { ...it.first, refresh_token: third } }, 4);
    expect(await told(it)).toEqual(once(it, "running"));
    await admits((await renewed(it.renew(last))).access_token);
  });

  it("does not warn about a shared token family when responses are occasionally lost", async () => {
    const it = await connected();
    let token = it.first.refresh_token;
    for (let time = 0; time < 4; time++) {
      token = await bothRenew({ ...it, first: { ...it.first, refresh_token: token } }, 2);
      token = (await renewed(it.renew(token, {}, home))).refresh_token;
    }
    expect(await told(it)).toEqual(nothing);
  });

  it("does not warn about repeated refreshes from a single network", async () => {
    const it = await connected();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => renewed(it.renew(it.first.refresh_token, {}, home))),
    );
    const { refresh_token } = all[0]!;
    const six = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"] as [string, string];
    const next = await bothRenew({ ...it, first: { ...it.first, refresh_token } }, 1, six);
    const single = (await renewed(it.renew(next, {}, home))).refresh_token;
    await bothRenew({ ...it, first: { ...it.first, refresh_token: single } }, 1, [home, six[0]]);
    expect(await told(it)).toEqual(nothing);
  });

  it("warns on a token's first reuse from another network", async () => {
    const it = await connected();
    await renewed(it.renew(it.first.refresh_token, {}, home));
    await Promise.all(Array.from({ length: 8 }, () => renewed(it.renew(it.first.refresh_token, {}, away))));
    expect(await told(it)).toEqual(once(it, "network"));
    const { rows } = await pool().query("SELECT t::text AS row FROM refresh_token t");
    for (const { row } of rows) expect(row).not.toMatch(/192\.0\.2|198\.51/);
  });

  it("warns again about a shared token family after a month", async () => {
    const it = await connected();
    const token = await bothRenew(it, 1, [home, away]);
    await pool().query("UPDATE refresh_token SET warned_at = warned_at - interval '31 days'");
    await bothRenew({ ...it, first: { ...it.first, refresh_token: token } }, 1, [home, away]);
    expect((await told(it)).activity).toHaveLength(2);
  });
});
