import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readActivity } from "@/lib/activity/activity";
import { plainSentence } from "@/lib/activity/activity-export";
import { resetOwnerCommand } from "@/lib/cli/owner-commands";
import { SettingError } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { confirmEmail } from "./email-confirmation";
import { changeAccount, resetPassword, signIn, signOutEverywhere } from "./owners";
import { createSession, sessionOwner } from "./sessions";
import { makePhoneLink, readSignInLink, requestSignInLink, signInWithLink } from "./sign-in-links";

let mailbox: Awaited<ReturnType<typeof aMailbox>>;
beforeAll(async () => {
  mailbox = await aMailbox();
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
});
afterAll(() => mailbox.close());

/** A visitor with an address in a random network. */
const visitor = () => ({ address: `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1` });

async function aLink() {
  const owner = await anOwner();
  const { delivered } = await requestSignInLink({ email: owner.email.toUpperCase() }, visitor());
  await delivered;
  const letter = mailbox.letters.find(({ to }) => to.includes(owner.email));
  const token =
    /http:\/\/localhost:3000\/sign-in\/link\/open\?token=(csn_sl_\w{49})/.exec(letter?.text ?? "")?.[1] ?? "";
  return { owner, letter, token };
}

describe("sign-in link", () => {
  it("signs in an owner through an emailed link", async () => {
    const { owner, letter, token } = await aLink();
    expect(letter).toMatchObject({ from: "yes@acme.example", to: [owner.email] });
    expect(token).not.toBe("");
    expect(await readSignInLink(token)).toEqual({ email: owner.email, kind: "email_link" });
    expect(await signInWithLink(token)).toEqual({ ownerId: owner.ownerId, sessionVersion: 1, kind: "email_link" });
    const types = (await db.event.findMany({ where: { ownerId: owner.ownerId } })).map(({ type }) => type);
    expect(types).toEqual(["owner.sign_in_link_sent"]);
  });

  it("accepts a sign-in link only once", async () => {
    const { token } = await aLink();
    for (let look = 0; look < 3; look++) expect(await readSignInLink(token)).not.toBeNull();
    const racers = await Promise.allSettled(Array.from({ length: 10 }, () => signInWithLink(token)));
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readSignInLink(token)).toBeNull();
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
  });

  it("expires a sign-in link after 15 minutes", async () => {
    const { owner, token } = await aLink();
    await db.$executeRaw`UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    for (const bad of [token, "", "csn_sl_junk", token.replace("sl", "su"), `${token}x`]) {
      expect(await readSignInLink(bad)).toBeNull();
      await expect(signInWithLink(bad)).rejects.toMatchObject({ status: 401 });
    }
  });

  it("invalidates sign-in links when the owner signs out everywhere", async () => {
    const { owner, token } = await aLink();
    await signOutEverywhere(owner);
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
  });

  it("invalidates sign-in links when the account's address changes", async () => {
    const { owner, token } = await aLink();
    await changeAccount(owner, { name: "Olive", email: owner.email });
    expect(await readSignInLink(token)).not.toBeNull();
    await changeAccount(owner, { name: "Olive", email: `new-${owner.email}` });
    expect(await readSignInLink(token)).not.toBeNull();
    const letter = mailbox.letters.find(({ to }) => to.includes(`new-${owner.email}`));
    await confirmEmail(/token=(csn_ec_\w{49})/.exec(letter?.text ?? "")?.[1] ?? "");
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
    const told = () =>
      mailbox.letters.filter(({ to, text }) => to.includes(owner.email) && text.includes(`new-${owner.email}`));
    await expect.poll(() => told().length).toBe(1);
  });

  it("sends no mail to an unknown email address", async () => {
    const sent = mailbox.letters.length;
    const { delivered } = await requestSignInLink({ email: "nobody@example.com" }, visitor());
    await delivered;
    expect(mailbox.letters).toHaveLength(sent);
    await expect(requestSignInLink({ email: "nobody" }, visitor())).rejects.toMatchObject({ status: 400 });
  });

  it.each(["an account's", "an unknown"])(
    "returns 429 when a visitor requests a fourth link for %s email",
    async (whose) => {
      const email = whose === "an unknown" ? "nobody-else@example.com" : (await anOwner()).email;
      for (let time = 0; time < 3; time++) await (await requestSignInLink({ email }, visitor())).delivered;
      await expect(requestSignInLink({ email }, visitor())).rejects.toMatchObject({ status: 429 });
    },
  );

  it("does not reveal a mail server's rejection to the visitor", async () => {
    configure({ SMTP_URL: "smtp://127.0.0.1:1" });
    try {
      const { delivered } = await requestSignInLink({ email: (await anOwner()).email }, visitor());
      await expect(delivered).resolves.toBeUndefined();
    } finally {
      configure({ SMTP_URL: mailbox.url });
    }
  });

  it("offers no sign-in links if no mail server is set up", async () => {
    const { SMTP_URL = "", MAIL_FROM = "" } = process.env;
    try {
      configure({ MAIL_FROM: "" });
      await expect(requestSignInLink({ email: "a@example.com" }, visitor())).rejects.toThrow(SettingError);
      configure({ SMTP_URL: "" });
      await expect(requestSignInLink({ email: "a@example.com" }, visitor())).rejects.toMatchObject({ status: 404 });
    } finally {
      configure({ SMTP_URL, MAIL_FROM });
    }
  });
});

describe("reset link", () => {
  const opening = { userAgent: "", address: "127.0.0.1" };
  const noOptions = { one: () => undefined, all: () => [], has: () => false };
  const reset = async (email: string) => {
    const { json, text } = await resetOwnerCommand.run(noOptions, [email]);
    const token = /\/sign-in\/link\/open\?token=(csn_rl_\w{49})$/.exec(String(json.link))?.[1] ?? "";
    expect(text).toContain(String(json.link));
    return token;
  };

  it("allows a password change through the operator's reset link", async () => {
    const owner = await anOwner();
    const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
    const { id: before } = await createSession(entrance, { method: "password", ...opening });
    const token = await reset(owner.email.toUpperCase());
    expect(await readSignInLink(token)).toEqual({ email: owner.email, kind: "reset_link" });
    const { kind, ...used } = await signInWithLink(token);
    const { id } = await createSession(used, { method: kind, ...opening });
    const signedIn = await sessionOwner(used.ownerId, used.sessionVersion, id);
    expect(signedIn).toMatchObject({ method: "reset_link", fresh: true });
    const next = "seven new words in a long row";
    const { sessionVersion } = await resetPassword(signedIn as NonNullable<typeof signedIn>, { next });
    for (const session of [before, id]) expect(await sessionOwner(owner.ownerId, sessionVersion, session)).toBeNull();
    expect(await signIn({ email: owner.email, password: next, ...visitor() })).toMatchObject({ sessionVersion });
    const types = (await db.event.findMany({ where: { ownerId: owner.ownerId } })).map(({ type }) => type);
    expect(types).toContain("owner.reset_link_made");
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
  });

  it("expires a reset link after an hour", async () => {
    await expect(reset("nobody@example.com")).rejects.toThrow("No owner has the email nobody@example.com.");
    const owner = await anOwner();
    const token = await reset(owner.email);
    const [left] = await db.$queryRaw<
      { minutes: number }[]
    >`SELECT extract(epoch FROM expires_at - created_at)::int / 60 AS minutes
      FROM sign_in_link WHERE owner_id = ${owner.ownerId}`;
    expect(left).toEqual({ minutes: 60 });
    expect(await readSignInLink(token.replace("rl", "sl"))).toBeNull();
    await db.$executeRaw`UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    expect(await readSignInLink(token)).toBeNull();
  });
});

describe("phone link", () => {
  const opening = { userAgent: "Mozilla/5.0 (Linux; Android 16) Chrome/146.0.0.0 Mobile Safari/537.36", address: "" };
  const tokenOf = ({ link }: { link: string }) =>
    /^http:\/\/localhost:3000\/sign-in\/link\/open\?token=(csn_hl_\w{49})$/.exec(link)?.[1] ?? "";

  it("signs in only one browser per phone link", async () => {
    const owner = await anOwner();
    const token = tokenOf(await makePhoneLink(owner));
    for (let look = 0; look < 3; look++)
      expect(await readSignInLink(token)).toEqual({ email: owner.email, kind: "phone_link" });
    const racers = await Promise.allSettled(Array.from({ length: 10 }, () => signInWithLink(token)));
    const [first, ...others] = racers.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []));
    expect(others).toEqual([]);
    const { kind, ...entrance } = first as Awaited<ReturnType<typeof signInWithLink>>;
    const { id } = await createSession(entrance, { method: kind, ...opening });
    expect(await sessionOwner(owner.ownerId, 1, id)).toMatchObject({ method: "phone_link" });
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
    expect(await readSignInLink(token)).toBeNull();
    const told = (await readActivity(owner)).items.map(plainSentence);
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^You signed in with a link for your phone/),
        "You created a link to sign in on your phone",
      ]),
    );
  });

  it("expires a phone link after five minutes", async () => {
    const owner = await anOwner();
    const token = tokenOf(await makePhoneLink(owner));
    const [left] = await db.$queryRaw<
      { seconds: number }[]
    >`SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sign_in_link WHERE owner_id = ${owner.ownerId}`;
    expect(left).toEqual({ seconds: 300 });
    expect(await readSignInLink(token.replace("_hl_", "_rl_"))).toBeNull();
    await db.$executeRaw`UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE owner_id = ${owner.ownerId}`;
    expect(await readSignInLink(token)).toBeNull();
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
    const another = tokenOf(await makePhoneLink(owner));
    await signOutEverywhere(owner);
    await expect(signInWithLink(another)).rejects.toMatchObject({ status: 401 });
  });

  it("rejects a password change after a sign-in through a phone link", async () => {
    const owner = await anOwner();
    const { kind, ...entrance } = await signInWithLink(tokenOf(await makePhoneLink(owner)));
    const { id } = await createSession(entrance, { method: kind, ...opening });
    const signedIn = (await sessionOwner(owner.ownerId, 1, id)) as NonNullable<
      Awaited<ReturnType<typeof sessionOwner>>
    >;
    await expect(resetPassword(signedIn, { next: "seven new words in a long row" })).rejects.toMatchObject({
      status: 403,
    });
  });

  it("reports a sign-in through a phone link in a new browser", async () => {
    const owner = await anOwner();
    await createSession({ ownerId: owner.ownerId, sessionVersion: 1 }, { method: "password", ...opening });
    const { kind, ...entrance } = await signInWithLink(tokenOf(await makePhoneLink(owner)));
    await createSession(entrance, { method: kind, ...opening, address: "192.0.2.7" });
    const letter = () =>
      mailbox.letters.find(({ to, text }) => to.includes(owner.email) && text.includes("signed in to your account"));
    await expect.poll(() => letter()?.text).toContain("IP address: 192.0.2.7\r\nSign-in method: a link for your phone");
  });
});
