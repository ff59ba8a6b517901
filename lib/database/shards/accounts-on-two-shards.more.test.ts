import { afterAll, afterEach, expect, test } from "vitest";
import { addDevice } from "@/lib/alerts/devices";
import { finishAcrossShards } from "@/lib/cli/finish-across-shards";
import { db } from "@/lib/database/db";
import { deleteOwner } from "@/lib/owner-data/account-deletion";
import { confirmEmail, requestEmailChange } from "@/lib/owners/email-confirmation";
import { anyOwner, findOwnerByEmail, findPasskey } from "@/lib/owners/find-accounts";
import { changeAccount, createOwner, signIn } from "@/lib/owners/owners";
import { configure } from "@/lib/testing/change-settings";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { setUpTwoShards } from "@/lib/testing/two-shards";
import { homeOf } from "./homes";
import { inEveryShard, inHomeOf } from "./marks";

/* Accounts whose owner is in the directory, and accounts whose owner is on another shard. */

const shards = setUpTwoShards();
afterEach(() => {
  configure({ SMTP_URL: undefined, MAIL_FROM: undefined });
});
const mailbox = await aMailbox();
afterAll(async () => {
  await mailbox.close();
});

const password = "purple lantern over the quiet harbor";
const from = { address: "203.0.113.7" };
let number = 0;
const aNewEmail = () => `robin-${++number}@example.com`;
const isElsewhere = (ownerId: string) => homeOf(ownerId) >= 512;

/** Signs up new owners until one is on the given shard. */
async function aNewOwner(elsewhere: boolean) {
  for (;;) {
    const { ownerId, email } = await createOwner({ email: aNewEmail(), name: "Robin Owner", password });
    if (isElsewhere(ownerId) === elsewhere)
      return { kind: "owner" as const, ownerId, email, name: "Robin Owner", session: "s", fresh: true };
  }
}
const routesOf = async (ownerId: string) =>
  (
    await shards.clients[0].query<{ email: string }>("SELECT email FROM email_route WHERE owner_id = $1 ORDER BY 1", [
      ownerId,
    ])
  ).rows.map(({ email }) => email);
const age = (ownerId: string) =>
  shards.clients[0].query("UPDATE email_route SET created_at = now() - interval '2 hours' WHERE owner_id = $1", [
    ownerId,
  ]);
const repair = () => inEveryShard(finishAcrossShards);

test.each([false, true])("creates an account and signs it in (on another shard: %s)", async (elsewhere) => {
  const { ownerId, email } = await aNewOwner(elsewhere);
  expect(await shards.counts("SELECT FROM owner WHERE id = $1", [ownerId])).toEqual(elsewhere ? [0, 1] : [1, 0]);
  expect(await routesOf(ownerId)).toEqual([email]);
  expect(await signIn({ email: email.toUpperCase(), password, ...from })).toEqual({ ownerId, sessionVersion: 1 });
  expect(await findOwnerByEmail(email)).toMatchObject({ ownerId });
  await expect(signIn({ email, password: "wrong horse", ...from })).rejects.toMatchObject({ status: 401 });
  expect(await anyOwner()).toBe(true);
});

test.each([false, true])("gives each email to one account (first on another shard: %s)", async (elsewhere) => {
  const { email } = await aNewOwner(elsewhere);
  for (let times = 0; times < 12; times++)
    await expect(createOwner({ email, name: "Robin", password })).rejects.toMatchObject({ status: 409 });
  const many = aNewEmail();
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, () => createOwner({ email: many, name: "Robin", password })),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await shards.counts("SELECT FROM owner WHERE email = $1", [many])).sort()).toEqual([0, 1]);
  await expect(createOwner({ email: aNewEmail(), name: "Robin", password }, { first: true })).rejects.toMatchObject({
    status: 404,
  });
});

test("releases a reserved email after an hour if the account was not created", async () => {
  const { ownerId, email } = await aNewOwner(true);
  await shards.clients[1].query("DELETE FROM owner WHERE id = $1", [ownerId]);
  await repair();
  await expect(createOwner({ email, name: "Robin", password })).rejects.toMatchObject({ status: 409 });
  await age(ownerId);
  shards.gates[1].close();
  await repair().catch(() => {});
  expect(await routesOf(ownerId)).toEqual([email]);
  shards.gates[1].open();
  await expect
    .poll(() =>
      repair().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await routesOf(ownerId)).toEqual([]);
  await createOwner({ email, name: "Robin", password });
});

test.each([false, true])("changes an email without a mail server (on another shard: %s)", async (elsewhere) => {
  const owner = await aNewOwner(elsewhere);
  const [taken, email] = [(await aNewOwner(!elsewhere)).email, aNewEmail()];
  await expect(changeAccount(owner, { name: "Robin", email: taken })).rejects.toMatchObject({ status: 409 });
  await changeAccount(owner, { name: "Robin", email });
  expect(await routesOf(owner.ownerId)).toEqual([email]);
  expect(await signIn({ email, password, ...from })).toMatchObject({ ownerId: owner.ownerId });
  await expect(signIn({ email: owner.email, password, ...from })).rejects.toMatchObject({ status: 401 });
  await createOwner({ email: owner.email, name: "Robin", password });
});

test.each([false, true])("changes an email by a confirmation link (on another shard: %s)", async (elsewhere) => {
  configure({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <yes@acme.example>" });
  const owner = await aNewOwner(elsewhere);
  const taken = await aNewOwner(!elsewhere);
  await expect(requestEmailChange(owner, taken.email)).rejects.toMatchObject({ status: 409 });
  const email = aNewEmail();
  await requestEmailChange(owner, email);
  const letter = mailbox.letters.find(({ to }) => to.includes(email));
  await confirmEmail(/csn_ec_\w+/.exec(letter?.text ?? "")?.[0] ?? "");
  expect(await routesOf(owner.ownerId)).toEqual([email]);
  expect(await signIn({ email, password, ...from })).toMatchObject({ ownerId: owner.ownerId });
  // Another account gets the address before its link is used.
  const late = aNewEmail();
  await requestEmailChange(owner, late);
  const lateLetter = mailbox.letters.find(({ to }) => to.includes(late));
  await createOwner({ email: late, name: "Robin", password });
  await expect(confirmEmail(/csn_ec_\w+/.exec(lateLetter?.text ?? "")?.[0] ?? "")).rejects.toMatchObject({
    status: 409,
  });
  expect(await routesOf(owner.ownerId)).toEqual([email]);
});

test("keeps one of several concurrent changes of an email", async () => {
  const owner = await aNewOwner(true);
  const emails = Array.from({ length: 6 }, aNewEmail);
  await Promise.all(emails.map((email) => changeAccount(owner, { name: "Robin", email })));
  const [now] = (await shards.clients[1].query("SELECT email FROM owner WHERE id = $1", [owner.ownerId])).rows;
  expect(await routesOf(owner.ownerId)).toContain(now.email);
  expect(await signIn({ email: now.email, password, ...from })).toMatchObject({ ownerId: owner.ownerId });
  await age(owner.ownerId);
  await repair();
  expect(await routesOf(owner.ownerId)).toEqual([now.email]);
});

test.each([false, true])("deletes an account (on another shard: %s)", async (elsewhere) => {
  const owner = await aNewOwner(elsewhere);
  await deleteOwner(owner, { email: owner.email });
  expect(await shards.counts("SELECT FROM owner WHERE id = $1", [owner.ownerId])).toEqual([0, 0]);
  expect(await routesOf(owner.ownerId)).toEqual([]);
  await createOwner({ email: owner.email, name: "Robin", password });
});

test("moves a browser's alerts to the owner who signs in there", async () => {
  const device = { endpoint: "https://push.example.com/1", p256dh: "p".repeat(87), auth: "a".repeat(22) };
  const [one, other] = [await aNewOwner(false), await aNewOwner(true)];
  await addDevice(one, device, "Firefox");
  await addDevice(other, device, "Firefox");
  expect(await shards.counts("SELECT FROM push_subscription")).toEqual([0, 1]);
  await addDevice(one, device, "Firefox");
  expect(await shards.counts("SELECT FROM push_subscription")).toEqual([1, 0]);
});

test.each([true, false])("finds a passkey on another shard (with a user handle: %s)", async (named) => {
  const { ownerId } = await aNewOwner(true);
  const id = `passkey-${number}`;
  await inHomeOf(ownerId, async () =>
    db.passkey.create({ data: { id, ownerId, name: "", publicKey: new Uint8Array(), counter: 0, transports: [] } }),
  );
  expect(await findPasskey(id, named ? ownerId : undefined)).toMatchObject({ id, owner: { id: ownerId } });
  expect(await findPasskey("none", undefined)).toBeNull();
});

test("gives new owners a home on another shard while a shard is away", async () => {
  shards.gates[1].close();
  for (let nth = 0; nth < 8; nth++) {
    const { ownerId } = await createOwner({ email: aNewEmail(), name: "Robin Owner", password });
    expect(isElsewhere(ownerId)).toBe(false);
  }
  // While no shard responds, the sign-up fails before it reserves the email.
  shards.gates[0].close();
  await expect(createOwner({ email: aNewEmail(), name: "Robin Owner", password })).rejects.toThrow();
});
