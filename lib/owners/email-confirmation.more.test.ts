import { randomInt } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { db, pool } from "@/lib/database/db";
import { configure } from "@/lib/testing/change-settings";
import { mailRefusals } from "@/lib/testing/chores";
import { anOwner } from "@/lib/testing/factories";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import {
  cancelEmailChange,
  confirmEmail,
  readConfirmation,
  readEmailState,
  resendConfirmation,
} from "./email-confirmation";
import { findOwnerByEmail } from "./find-accounts";
import { setUp } from "./first-account-setup";
import { changeAccount, changePassword, createOwner, signIn, signOutEverywhere, signUp } from "./owners";
import { createSession } from "./sessions";
import { readSignInLink, requestSignInLink, signInWithLink } from "./sign-in-links";

const mailbox = await aMailbox();
const withMail = (url: string) => {
  configure({ SMTP_URL: url, MAIL_FROM: "Countersign <yes@acme.example>" });
};
afterAll(() => mailbox.close());
beforeEach(async () => {
  withMail(mailbox.url);
  await pool().query("DELETE FROM throttle");
  mailbox.letters.length = 0;
});

const somewhere = () => `${crypto.randomUUID()}@example.com`;
/** Returns an IP address in a random network. */
const address = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;
const password = "a sentence that is long enough";
const lettersTo = (email: string) => mailbox.letters.filter(({ to }) => to.includes(email));
const tokenIn = (text = "") => /http:\/\/localhost:3000\/confirm-email\?token=(csn_ec_\w{49})/.exec(text)?.[1] ?? "";
/**
 * Returns only the confirmation emails, because former addresses of earlier tests may still receive
 * notices.
 */
const confirmations = () => mailbox.letters.filter(({ text }) => tokenIn(text) !== "");
const linksTo = (email: string) => lettersTo(email).map(({ text }) => tokenIn(text));

/** Creates an owner who requested another address. */
async function moving() {
  const owner = await anOwner();
  const email = somewhere();
  await changeAccount(owner, { name: owner.name, email });
  const [token = ""] = linksTo(email);
  return { owner, email, token };
}
/** Creates an account with an unconfirmed address. */
async function unconfirmed() {
  const email = somewhere();
  const { ownerId } = await createOwner({ email, name: "Robin", password });
  return { kind: "owner" as const, ownerId, email, name: "Robin", session: "", fresh: true };
}

describe("new address", () => {
  it("changes an address only after the owner confirms it", async () => {
    const { owner, email, token } = await moving();
    expect(confirmations().map(({ to }) => to)).toEqual([[email]]);
    expect(lettersTo(owner.email)).toEqual([]);
    expect(await readEmailState(owner)).toEqual({ email: owner.email, confirmed: true, pending: email });
    expect(await signIn({ ...owner, address: address() })).toMatchObject({ ownerId: owner.ownerId });
    expect(await findOwnerByEmail(email)).toBeUndefined();
    await confirmEmail(token);
    expect(await readEmailState(owner)).toEqual({ email, confirmed: true });
    expect(await signIn({ email, password: owner.password, address: address() })).toMatchObject({
      ownerId: owner.ownerId,
    });
    // The former address is notified.
    await expect.poll(() => lettersTo(owner.email).map(({ text }) => text)).toEqual([expect.stringContaining(email)]);
  });

  it("preserves a newly confirmed address when an older form is saved", async () => {
    const { owner, email, token } = await moving();
    await confirmEmail(token);
    await changeAccount(owner, { name: "Olive", email: owner.email });
    expect(await findOwnerByEmail(email)).toMatchObject({ ownerId: owner.ownerId, name: "Olive" });
  });

  it("includes none of the owner's text in a confirmation email", async () => {
    const owner = await anOwner();
    const email = somewhere();
    await changeAccount(owner, { name: "Win a prize at evil.example", email });
    const [{ text, headers } = { text: "", headers: "" }] = lettersTo(email);
    expect(text).toContain("http://localhost:3000/confirm-email?token=");
    expect(`${headers}${text}`).not.toMatch(/prize|evil/);
    expect(text).not.toContain(owner.email);
    expect((await db.owner.findUniqueOrThrow({ where: { id: owner.ownerId } })).name).toBe(
      "Win a prize at evil.example",
    );
  });

  it("accepts a confirmation link only once", async () => {
    const { owner, email, token } = await moving();
    const { rows } = await pool().query("SELECT l::text AS kept FROM sign_in_link l WHERE owner_id = $1", [
      owner.ownerId,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].kept).not.toContain(token.slice(8));
    for (let look = 0; look < 3; look++) expect(await readConfirmation(token)).toEqual({ email });
    const racers = await Promise.allSettled(Array.from({ length: 10 }, () => confirmEmail(token)));
    expect(racers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readConfirmation(token)).toBeNull();
    await expect(confirmEmail(token)).rejects.toMatchObject({ status: 401 });
  });

  it("rejects a confirmation link after a day", async () => {
    const { owner, token } = await moving();
    expect(await readSignInLink(token)).toBeNull();
    await expect(signInWithLink(token)).rejects.toMatchObject({ status: 401 });
    for (const bad of ["", "csn_ec_junk", token.replace("ec", "sl"), `${token}x`]) {
      expect(await readConfirmation(bad)).toBeNull();
      await expect(confirmEmail(bad)).rejects.toMatchObject({ status: 401 });
    }
    const [left] = (
      await pool().query(
        "SELECT extract(epoch FROM expires_at - created_at)::int AS s FROM sign_in_link WHERE owner_id = $1",
        [owner.ownerId],
      )
    ).rows;
    expect(left).toEqual({ s: 86_400 });
    await pool().query("UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE owner_id = $1", [
      owner.ownerId,
    ]);
    expect(await readConfirmation(token)).toBeNull();
    await expect(confirmEmail(token)).rejects.toMatchObject({ status: 401 });
    expect(await readEmailState(owner)).toEqual({ email: owner.email, confirmed: true });
  });

  it.each<[string, (owner: Awaited<ReturnType<typeof anOwner>>) => Promise<unknown>]>([
    ["a later address change", (owner) => changeAccount(owner, { name: owner.name, email: somewhere() })],
    ["the change was canceled", cancelEmailChange],
    [
      "a password change",
      (owner) => changePassword(owner, { current: owner.password, next: password, address: "::1" }),
    ],
    ["a sign-out everywhere", signOutEverywhere],
  ])("rejects a confirmation link that was sent before %s", async (_, happens) => {
    const { owner, token } = await moving();
    await happens(owner);
    await expect(confirmEmail(token)).rejects.toMatchObject({ status: 401 });
    expect((await readEmailState(owner)).email).toBe(owner.email);
  });

  it("sends an owner at most three confirmations a day", async () => {
    const owner = await anOwner();
    const change = () => changeAccount(owner, { name: owner.name, email: somewhere() });
    for (let time = 0; time < 3; time++) await change();
    await expect(change()).rejects.toMatchObject({ status: 429 });
    expect(confirmations()).toHaveLength(3);
    // Changes without a new address still work.
    await changeAccount(owner, { name: "Olive", email: owner.email });
  });

  it("sends at most ten confirmations a day to an address across all accounts", async () => {
    const email = somewhere();
    for (let n = 0; n < 10; n++) {
      const owner = await anOwner();
      await changeAccount(owner, { name: owner.name, email });
    }
    const one = await anOwner();
    await expect(changeAccount(one, { name: one.name, email })).rejects.toMatchObject({ status: 429 });
    expect(confirmations()).toHaveLength(10);
  });

  it("assigns an address to the first account that confirms the address", async () => {
    const { owner, email, token } = await moving();
    const other = await anOwner();
    await changeAccount(other, { name: other.name, email });
    await confirmEmail(linksTo(email)[1] ?? "");
    await expect(confirmEmail(token)).rejects.toMatchObject({ status: 409 });
    expect(await findOwnerByEmail(email)).toMatchObject({ ownerId: other.ownerId });
    expect(await findOwnerByEmail(owner.email)).toMatchObject({ ownerId: owner.ownerId });
  });

  it("cancels an address change if the mail server rejects the mail", async () => {
    const owner = await anOwner();
    withMail("smtp://127.0.0.1:1");
    for (let time = 0; time < 5; time++)
      await expect(changeAccount(owner, { name: "Olive", email: somewhere() })).rejects.toMatchObject({ status: 502 });
    expect(await readEmailState(owner)).toEqual({ email: owner.email, confirmed: true });
    expect(await findOwnerByEmail(owner.email)).toMatchObject({ name: owner.name });
  });

  it("accepts both emailed confirmation links until the address is confirmed", async () => {
    const { owner, email, token } = await moving();
    await resendConfirmation(owner);
    expect(linksTo(email)).toHaveLength(2);
    expect(await readConfirmation(token)).toEqual({ email });
    await confirmEmail(linksTo(email)[1] ?? "");
    await expect(confirmEmail(token)).rejects.toMatchObject({ status: 401 });
    await expect(resendConfirmation(owner)).rejects.toMatchObject({ status: 400 });
  });

  it("saves an address as unconfirmed if no mail server is set up", async () => {
    configure({ SMTP_URL: undefined, MAIL_FROM: undefined });
    const owner = await anOwner();
    const email = somewhere();
    await changeAccount(owner, { name: owner.name, email });
    expect(await readEmailState(owner)).toEqual({ email, confirmed: false });
    await expect(resendConfirmation(owner)).rejects.toMatchObject({ status: 404 });
    withMail(mailbox.url);
    await (await requestSignInLink({ email }, { address: address() })).delivered;
    expect(lettersTo(email)).toEqual([]);
    await resendConfirmation(owner);
    await confirmEmail(linksTo(email)[0] ?? "");
    await (await requestSignInLink({ email }, { address: address() })).delivered;
    expect(lettersTo(email)).toHaveLength(2);
  });
});

describe("unconfirmed address", () => {
  it("sends no sign-in links or security mails to an unconfirmed address", async () => {
    const owner = await unconfirmed();
    const { ownerId, email } = owner;
    const entrance = await signIn({ email, password, address: address() });
    const opening = { method: "password" as const, userAgent: "", address: "192.0.2.1" };
    await createSession(entrance, opening);
    await createSession(entrance, { ...opening, address: "192.0.2.2" });
    await (await requestSignInLink({ email }, { address: address() })).delivered;
    await db.$executeRaw`
      INSERT INTO failed_sign_in (owner_id, step, minute, count, address)
      VALUES (${ownerId}, 'password', now(), 9, '192.0.2.9')`;
    expect(await mailRefusals()).toBe(0);
    // Sends another email last. When it arrives, any earlier email must have arrived.
    const known = await anOwner();
    const first = await createSession({ ownerId: known.ownerId, sessionVersion: 1 }, opening);
    expect(first.id).toBeTruthy();
    await createSession({ ownerId: known.ownerId, sessionVersion: 1 }, { ...opening, address: "192.0.2.3" });
    await expect.poll(() => lettersTo(known.email)).toHaveLength(1);
    expect(lettersTo(email)).toEqual([]);
    await resendConfirmation(owner);
    await confirmEmail(linksTo(email)[0] ?? "");
    expect(await mailRefusals()).toBe(1);
    const types = (await db.event.findMany({ where: { ownerId } })).map(({ type }) => type);
    expect(types).toContain("owner.email_confirmed");
  });

  it("sends an unconfirmed address at most six confirmations a day", async () => {
    const owner = await unconfirmed();
    for (let time = 0; time < 6; time++) await resendConfirmation(owner);
    await expect(resendConfirmation(owner)).rejects.toMatchObject({ status: 429 });
    expect(confirmations()).toHaveLength(6);
  });

  it("sends only a confirmation link after a sign-up or the setup", async () => {
    configure({ SIGNUPS: "open", SETUP_TOKEN: "a-token-of-this-test-0123456789" });
    try {
      const [one, two] = [somewhere(), somewhere()];
      await db.owner.deleteMany({ where: { first: true } });
      const { ownerId } = await signUp({ email: one, name: "evil.example", password }, address());
      await expect.poll(() => linksTo(one)).toEqual([expect.stringMatching(/./)]);
      expect(lettersTo(one)[0]?.text).not.toContain("evil");
      expect(await readEmailState({ kind: "owner", ownerId })).toEqual({ email: one, confirmed: false });
      await confirmEmail(linksTo(one)[0] ?? "");
      expect(await readEmailState({ kind: "owner", ownerId })).toEqual({ email: one, confirmed: true });
      await expect(
        setUp("a-token-of-this-test-0123456789", { email: two, name: "Robin", password }),
      ).rejects.toMatchObject({ status: 404 });
    } finally {
      configure({ SIGNUPS: undefined, SETUP_TOKEN: undefined });
    }
  });

  it("requires no confirmation for an account that the operator creates", async () => {
    const { ownerId, email } = await createOwner({ email: somewhere(), name: "Robin", password }, { confirmed: true });
    expect(await readEmailState({ kind: "owner", ownerId })).toEqual({ email, confirmed: true });
  });
});
