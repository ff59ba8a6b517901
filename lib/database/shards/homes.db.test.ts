import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAnswerLinks } from "@/lib/alerts/answer-link";
import { submitApproval } from "@/lib/approvals/approvals";
import { findClient } from "@/lib/apps/apps";
import { pool } from "@/lib/database/db";
import { homeInSecret, isSecret, type OwnerSecret } from "@/lib/keys/secret-tokens";
import { claimDeviceCode, decideDevice, readDevice, requestDevice } from "@/lib/oauth/device-authorization";
import { redeemDeviceCode } from "@/lib/oauth/redeem-device-code";
import { requestEmailChange } from "@/lib/owners/email-confirmation";
import { createOwner } from "@/lib/owners/owners";
import { makePhoneLink, makeResetLink, requestSignInLink } from "@/lib/owners/sign-in-links";
import { configure } from "@/lib/testing/change-settings";
import { anApp, anOwner, aTokenFor } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aCode, aGrantedToken, askToken, type TokenReply } from "@/lib/testing/oauth-flow";
import { homeOf } from "./homes";

let mailbox: Awaited<ReturnType<typeof aMailbox>>;
beforeAll(async () => {
  mailbox = await aMailbox();
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
});
afterAll(() => mailbox.close());

const question = {
  question: "Send it?",
  options: [
    { id: "y", label: "Send it" },
    { id: "n", label: "Wait" },
  ],
};

type Owner = Awaited<ReturnType<typeof anOwner>>;
const aConnection = async (owner: Owner) => ({ owner, app: await anApp(undefined, { public: true }) });
const tokenIn = (text = "") => /token=(csn_\w+)/.exec(text)?.[1] ?? "";
const mailedTo = (email: string) => tokenIn(mailbox.letters.find(({ to }) => to.includes(email))?.text);

async function refreshed(owner: Owner): Promise<TokenReply> {
  const { reply, form } = await aGrantedToken(await aConnection(owner));
  const { refresh_token } = reply;
  return (await askToken({ grant_type: "refresh_token", refresh_token, client_id: form.client_id })).json();
}

/** The tokens of a device that the owner connected. */
async function onDevice(owner: Owner) {
  const { app } = await aConnection(owner);
  const client = await findClient(app.clientId);
  if (!client) throw new Error("no such app");
  const codes = await requestDevice(client, { scopes: ["approvals:read"], resource: "api" });
  const { id } = await claimDeviceCode(owner, codes.userCode);
  const view = await readDevice(owner, id);
  if (view.state !== "open") throw new Error(view.state);
  await decideDevice(owner, id, { csrf: view.csrf, allow: true, scopes: ["approvals:read"] });
  return redeemDeviceCode(client, codes.deviceCode);
}

/** Every way to get each kind of owner's secret, through the functions that issue it. */
const issued: Record<OwnerSecret, Record<string, (owner: Owner) => Promise<string | undefined>>> = {
  at: {
    "for a code": async (owner) => (await aGrantedToken(await aConnection(owner))).token,
    "for a refresh token": async (owner) => (await refreshed(owner)).access_token,
    "for a device": async (owner) => (await onDevice(owner)).token,
  },
  rt: {
    "for a code": async (owner) => (await aGrantedToken(await aConnection(owner))).reply.refresh_token,
    "for a refresh token": async (owner) => (await refreshed(owner)).refresh_token,
    "for a device": async (owner) => (await onDevice(owner)).refreshToken,
  },
  ac: { "after consent": async (owner) => (await aCode(await aConnection(owner))).code },
  pat: {
    "for the owner's app": async (owner) =>
      (await aTokenFor(owner, (await anApp(owner)).clientId, ["approvals:read"])).token,
    "for another owner's app": async (owner) =>
      (await aTokenFor(owner, (await anApp()).clientId, ["approvals:read"])).token,
  },
  sl: {
    "by email": async ({ email }) => {
      await (await requestSignInLink({ email }, { address: "2001:db8::1" })).delivered;
      return mailedTo(email);
    },
  },
  rl: { "from the operator": async (owner) => tokenIn(await makeResetLink(owner)) },
  hl: { "for a phone": async (owner) => tokenIn((await makePhoneLink(owner)).link) },
  al: {
    "in an email": async (owner) => {
      const { app } = await aTokenFor(owner, (await anApp(owner)).clientId, ["approvals:write"]);
      const { id } = await submitApproval({ ...app, needs: "approvals:write" }, question);
      return tokenIn((await makeAnswerLinks(owner.ownerId, [id])).get(id)?.link);
    },
  },
  ec: {
    "for a new address": async (owner) => {
      const email = `new-${owner.email}`;
      await requestEmailChange(owner, email);
      return mailedTo(email);
    },
  },
};

describe.each(Object.entries(issued))("a secret of the kind %s", (kind, ways) => {
  it.each(Object.entries(ways))("names its owner's home if it was issued %s", async (_, issue) => {
    const owner = await anOwner();
    const secret = (await issue(owner)) ?? "";
    expect([secret, isSecret(secret, [kind as OwnerSecret])]).toEqual([secret, true]);
    expect(homeInSecret(secret)).toBe(homeOf(owner.ownerId));
  });
});

it("reads the same home in TypeScript and in SQL", async () => {
  for (let owners = 0; owners < 20; owners++) await anOwner();
  const email = `${crypto.randomUUID()}@example.com`;
  await createOwner({ email, name: "Robin", password: "a sentence that is long enough" });
  const { rows } = await pool().query("SELECT id, substr(id, 15, 2) AS home FROM owner");
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ home }) => Number.parseInt(home, 32))).toEqual(rows.map(({ id }) => homeOf(id)));
  expect(new Set(rows.map(({ home }) => home)).size).toBeGreaterThan(10);
});
