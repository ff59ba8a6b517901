import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addChannel } from "@/lib/alerts/channels/channels";
import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { db } from "@/lib/database/db";
import { inService } from "@/lib/database/shards/marks";
import { freeze, listFreezes } from "@/lib/freeze/freeze";
import { openCredential } from "@/lib/integrations/vault";
import { pushNotification } from "@/lib/notifications/notifications";
import { signIn } from "@/lib/owners/owners";
import { changeSettings } from "@/lib/owners/settings";
import { readOwnReceipt } from "@/lib/receipts/read-own-receipt";
import { rotateReceiptKey } from "@/lib/receipts/receipt-keys";
import { issueReceipt } from "@/lib/receipts/receipts";
import { recordUse } from "@/lib/receipts/use-answer";
import { configure } from "@/lib/testing/change-settings";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anApp, anOwner, aTokenFor, letIn } from "@/lib/testing/factories";
import { inWords, obeyed, withEnvironment } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { aQuestion } from "@/lib/testing/sample-question";
import { testShards } from "@/lib/testing/shards/shard-count";
import { aWorkingAccount } from "@/lib/testing/working-linked-accounts";
import { addEndpoint } from "@/lib/webhooks/endpoints";

// Owners are imported into the directory, where test shards have no homes.
const testOfOne = test.skipIf(testShards > 0);
const folder = newDataDir();
type Target = Awaited<ReturnType<typeof ownDatabase>>;
const targets: Target[] = [];
afterAll(async () => {
  for (const { end } of targets) await end();
  removeDataDir(folder);
});

const secret = "only-for-tests-0123456789abcdef0123456789abcdef";
const settingsOf = (url: string) => ({
  DATABASE_URL: url,
  SECRET: secret,
  PUBLIC_URL: "http://localhost:3000",
  ALLOW_PRIVATE_FETCH: "http://127.0.0.1:9999",
});
let source: ReturnType<typeof settingsOf>;
beforeAll(() => {
  source = settingsOf(process.env.DATABASE_URL ?? "");
});

async function aTarget() {
  const target = await ownDatabase();
  targets.push(target);
  return settingsOf(target.url);
}

/** Runs `owner export`, and returns what it writes to stdout. */
async function exported(settings: Record<string, string>, email: string) {
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const { status, out, err } = await inWords(settings, ["owner", "export", email]).finally(() => write.mockRestore());
  expect({ status, out }).toEqual({ status: 0, out: "" });
  expect(err).toContain("chmod 600");
  return text;
}

let files = 0;
function fileOf(text: string) {
  const path = join(folder, `${++files}.countersign`);
  writeFileSync(path, text);
  return path;
}

/** Returns the lines of a file that differ neither by the time of the export nor by keys. */
const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^(\{|\["(receiptKeys|dataKeys)"|$)/.test(line))
    .sort();

async function aFullOwner() {
  const owner = await anOwner();
  const { clientId } = await anApp(owner);
  const made = await aTokenFor(owner, clientId, ["approvals:write", "approvals:read", "notifications:write"]);
  const { app } = made;
  const once = { ...aQuestion, once: true, question: "Ship „418“ \\ now?\nReally?" };
  const used = await submitApproval(app, once);
  await resolveApproval(owner, used.id, { kind: "option", optionId: "ship" }, { contentHash: contentHash(once) });
  await recordUse(app, { id: used.id, contentHash: contentHash(once), key: "key 1" });
  const waiting = await submitApproval(app, { ...aQuestion, facts: [{ label: "Amount", value: "1.00 €" }] });
  await askClarification(owner, waiting.id, "Why now?");
  await addToApproval(app, waiting.id, { text: "Because" });
  await pushNotification(app, { title: "Done", body: "", type: "x", data: { n: 1.5, big: 2 ** 60 } });
  await changeSettings(owner, { theme: "dark", quiet: { from: 1320, until: 420 } });
  configure({ ALLOW_PRIVATE_FETCH: source.ALLOW_PRIVATE_FETCH });
  await addEndpoint(owner, clientId, { url: "http://127.0.0.1:9999/hooks" });
  await addChannel(owner, "slack", { url: "https://hooks.slack.example/services/x" });
  const account = await aWorkingAccount({ owner });
  return { owner, clientId, app, used, waiting, account };
}

testOfOne("restores an owner's data in another database, so that tokens and receipts stay valid", async () => {
  const { owner, app, used, waiting, account } = await aFullOwner();
  const receipt = await issueReceipt(app, used.id);
  const before = [(await getApproval(app, used.id)).text, (await getApproval(app, waiting.id)).text];
  const text = await exported(source, owner.email);
  const target = await aTarget();
  const imported = await obeyed(target, ["owner", "import", fileOf(text)]);
  expect(imported.json()).toMatchObject({ ownerId: owner.ownerId, email: owner.email, skippedApps: [] });
  expect(rowsOf(await exported(target, owner.email))).toEqual(rowsOf(text));

  await withEnvironment(target, async () => {
    expect([(await getApproval(app, used.id)).text, (await getApproval(app, waiting.id)).text]).toEqual(before);
    expect(await readOwnReceipt(receipt)).toMatchObject({ sub: used.id, owner: owner.ownerId });
    expect(await readOwnReceipt(await issueReceipt(app, used.id))).toMatchObject({ sub: used.id });
    const repeated = {
      id: used.id,
      contentHash: contentHash({ ...aQuestion, once: true, question: "" }),
      key: "key 2",
    };
    await expect(recordUse(app, repeated)).rejects.toMatchObject({ status: 409 });
    expect(await signIn({ email: owner.email, password: owner.password, address: "192.0.2.1" } as never)).toMatchObject(
      {
        ownerId: owner.ownerId,
      },
    );
    const opened = await inService(() => db.$transaction((tx) => openCredential(tx, { ...account, ...owner })));
    expect(opened).toMatchObject({ credential: account.credential });
    await rotateReceiptKey();
    expect(await readOwnReceipt(receipt)).toMatchObject({ sub: used.id });
  });
});

testOfOne("keeps a frozen owner frozen", async () => {
  const { owner } = await aFullOwner();
  await freeze(owner, { appId: "", by: "operator" });
  const text = await exported(source, owner.email);
  const target = await aTarget();
  await obeyed(target, ["owner", "import", fileOf(text)]);
  await withEnvironment(target, async () => expect(await listFreezes(owner)).toHaveLength(1));
  expect(rowsOf(await exported(target, owner.email))).toEqual(rowsOf(text));
});

testOfOne("skips the permissions of apps whose owners are missing, and says which", async () => {
  const registrar = await anOwner();
  const { clientId, name } = await anApp(registrar);
  const owner = await anOwner();
  const { app } = await aTokenFor(owner, clientId, ["approvals:write"]);
  const { id } = await submitApproval(app, aQuestion);
  const [theirs, registrars] = [await exported(source, owner.email), await exported(source, registrar.email)];

  const alone = await aTarget();
  const imported = await inWords(alone, ["owner", "import", fileOf(theirs)]);
  expect(imported).toMatchObject({ status: 0, out: expect.stringContaining("1 question,") });
  expect(imported.err).toContain(`registered the apps: ${name} (${clientId}).`);
  await withEnvironment(alone, async () => {
    expect(await db.approval.count({ where: { id, ownerId: owner.ownerId } })).toBe(1);
    await expect(submitApproval(app, aQuestion)).rejects.toMatchObject({ status: 401 });
  });
  expect((await obeyed(alone, ["owner", "import", fileOf(registrars)])).json()).toMatchObject({ skippedApps: [] });
  await withEnvironment(alone, async () => {
    await letIn(owner, clientId);
    expect((await aTokenFor(owner, clientId, ["approvals:write"])).token).toMatch(/^csn_pat_/);
  });

  const both = await aTarget();
  for (const text of [registrars, theirs])
    expect((await obeyed(both, ["owner", "import", fileOf(text)])).json()).toMatchObject({ skippedApps: [] });
  await withEnvironment(both, async () => expect((await submitApproval(app, aQuestion)).id).toMatch(/^apr_/));
});

testOfOne("rejects files that cannot be imported, and changes nothing", async () => {
  const { owner } = await aFullOwner();
  const text = await exported(source, owner.email);
  const target = await aTarget();
  const refused = async (settings: Record<string, string>, content: string, words: RegExp) =>
    expect(await obeyed(settings, ["owner", "import", fileOf(content)])).toMatchObject({
      status: 1,
      err: expect.stringMatching(words),
    });
  await refused(source, text, /already has an account with the email own_\w+@example\.com, so nothing was imported\./);
  await refused(target, "{}\n", /^The file was not written by "owner export"\.\n$/);
  await refused(target, text.replace('"version":1', '"version":2'), /has the version 2, but .* reads the version 1\./);
  await refused(target, text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1), /^The file is incomplete\./);
  await refused(target, text.replace('"theme":', '"thema":'), /column thema, which .* does not know/);
  await refused({ ...target, SECRET: `other-${secret}` }, text, /^The file was written with another SECRET\./);
  expect((await obeyed(target, ["owner", "list"])).json()).toEqual({ owners: [] });
  const missing = await obeyed(target, ["owner", "import", join(folder, "no.countersign")]);
  expect(missing.err).toMatch(/no\.countersign does not exist\.\n$/);
});

testOfOne("imports an owner whose service has replaced its SECRET", async () => {
  const old = await aTarget();
  const { email } = await anOwner();
  const words = ["owner", "create", "--email", `new-${email}`, "--name", "N", "--password-stdin"];
  const next = { ...old, SECRET: `next-${secret}` };
  await obeyed(old, words, "a password of some length");
  const made = await obeyed(old, ["app", "create", "--owner", `new-${email}`, "--name", "Bot", "--token"]);
  const { token } = made.json() as { token: string };
  const rotated = await obeyed({ ...next, SECRET_PREVIOUS: old.SECRET }, ["secret", "rotate"]);
  expect(rotated.err).toBe("");
  const text = await exported(next, `new-${email}`);
  const target = { ...(await aTarget()), SECRET: next.SECRET };
  expect((await obeyed(target, ["owner", "import", fileOf(text)])).err).toBe("");
  expect((await obeyed(target, ["token", "revoke", token])).err).toBe("");
});

test.runIf(testShards > 0)("exports an owner from another shard, but imports only into main", async () => {
  const { owner, used } = await aFullOwner();
  const text = await exported(source, owner.email);
  expect(text).toContain(used.id);
  const refused = await obeyed(await aTarget(), ["owner", "import", fileOf(text)]);
  expect(refused.err).toMatch(/is on another shard than main\. Import owners before you move homes/);
});
