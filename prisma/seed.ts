import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import type { AppActor, OwnerActor } from "@/lib/actor";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { listApps, registerApp } from "@/lib/apps/apps";
import { isDemoInstalled, startDemo } from "@/lib/cli/demo-identity";
import { describeError } from "@/lib/cli/describe-error.mjs";
import { quietly } from "@/lib/cli/progress.mjs";
import { prepareStartup } from "@/lib/cli/startup";
import { env } from "@/lib/config/env";
import { db } from "@/lib/database/db";
import { demoFolder, demoIdentity, enableDemo } from "@/lib/demo-identity/config";
import { signInByScript } from "@/lib/demo-identity/scripted-sign-in";
import { shareIntegrations } from "@/lib/grants/account-sharing";
import { createPersonalToken } from "@/lib/grants/tokens";
import { beginLink, finishLink } from "@/lib/integrations/link";
import type { Access } from "@/lib/integrations/providers/access";
import { hashSecret } from "@/lib/keys/crypto";
import { pushNotification } from "@/lib/notifications/notifications";
import { createOwner, findOwnerByEmail } from "@/lib/owners/owners";
import { scopeNames } from "@/lib/scopes";
import { type Asker, answered, notifications, pending } from "./seed-content";

// `npm run seed`: creates an owner, four apps and a full inbox to explore. With --again, adds more
// for the existing owner.
const email = "olive@example.com";
const names: Record<Asker, string> = {
  release: "Release desk",
  mail: "Mail helper",
  plan: "Campaign planner",
  ledger: "Household ledger",
};

async function seed(again: boolean, folder: string | undefined): Promise<string> {
  const existing = await findOwnerByEmail(email);
  if (existing && !again) {
    const apps = await listApps({ kind: "owner", ownerId: existing.ownerId });
    const called = apps.map(({ name }) => `"${name}"`).join(" and ") || "no apps";
    throw new Refusal(`${email} already exists, with ${called}. To add more, run npm run seed -- --again`);
  }
  const password = randomBytes(12).toString("base64url");
  const ownerId = existing?.ownerId ?? (await createOwner({ email, name: "Olive Marten", password })).ownerId;
  const owner: OwnerActor = { kind: "owner", ownerId };

  const release = await connect(owner, names.release);
  const mail = await connect(owner, names.mail);
  const accounts = await linkAccounts(owner, folder).catch((error) => {
    process.stderr.write(`No accounts were linked. ${describeError(error)}\n`);
    return [];
  });
  await shareIntegrations(owner, mail.clientId, accounts);
  const plan = await connect(owner, names.plan);
  const ledger = await connect(owner, names.ledger);
  const apps = { release: release.actor, mail: mail.actor, plan: plan.actor, ledger: ledger.actor };

  for (const { app, ask, answer } of answered) {
    const { id } = await submitApproval({ ...apps[app], needs: "approvals:write" }, ask);
    await resolveApproval(owner, id, answer);
  }
  for (const { app, note } of notifications)
    await pushNotification({ ...apps[app], needs: "notifications:write" }, note);
  const ids: string[] = [];
  for (const { app, ask } of pending) {
    ids.push((await submitApproval({ ...apps[app], needs: "approvals:write" }, ask)).id);
  }
  return [
    `sign in      ${env().publicUrl}/sign-in`,
    `email        ${email}`,
    `password     ${existing ? "the one printed the first time" : password}`,
    `inbox        ${env().publicUrl}/approvals`,
    `a decision   ${env().publicUrl}/approvals/${ids[0]}`,
    `accounts     ${accounts.length > 0 ? `${env().publicUrl}/integrations   (at a "Demo identity" that the service runs)` : "none"}`,
    `token        ${release.token}   (of "${names.release}", every scope, 90 days)`,
    "",
    `try it       curl -H "Authorization: Bearer ${release.token}" "${env().publicUrl}/api/approvals?limit=1"`,
  ].join("\n");
}

/** The owner's app of this name, connected, with a token for every scope. */
async function connect(
  { ownerId }: OwnerActor,
  name: string,
): Promise<{ clientId: string; token: string; actor: AppActor }> {
  const owner = { kind: "owner", ownerId, fresh: true } as const;
  const existing = (await listApps(owner)).find((app) => app.name === name);
  const { clientId } = existing ?? (await registerApp(owner, { name, redirectUris: ["http://127.0.0.1/callback"] }));
  const { token } = await createPersonalToken(owner, { clientId, scopes: scopeNames, name: "seed" });
  return { clientId, token, actor: { kind: "app", tokenHash: hashSecret(token), resource: "api", needs: null } };
}

/**
 * Two accounts at the Demo identity, linked as an owner would, each with different access. None if
 * that provider cannot run here.
 * @returns their IDs
 */
async function linkAccounts(owner: OwnerActor, folder: string | undefined): Promise<string[]> {
  if (!folder) return [];
  if (!isDemoInstalled()) throw new Error("The Demo identity's package could not be installed.");
  await enableDemo(folder);
  // The Demo identity of a running service, or our own meanwhile.
  const stop = startDemo(folder);
  try {
    for (let look = 0; !demoIdentity() && look < 300; look++) await new Promise((resolve) => setTimeout(resolve, 100));
    if (!demoIdentity()) throw new Error("The Demo identity does not respond.");
    const work = await linkAt("olive-work", "Work", ["mail.read", "calendar.read"], ["mail:read", "calendar:read"]);
    const home = await linkAt("olive-home", "Home", ["mail.read", "calendar.read", "files.read"], ["mail:read"]);
    return [work, home];
  } finally {
    await stop();
  }

  async function linkAt(account: string, label: string, asked: Access[], scopes: string[]): Promise<string> {
    const visitor = { ...owner, fresh: true, session: "seed" };
    const { location } = await beginLink(visitor, { provider: "demo", asked });
    const outcome = await finishLink(visitor, "demo", await signInByScript(location, { account, scopes }));
    if (!("integrationId" in outcome)) throw new Error(`The Demo identity was not linked: ${JSON.stringify(outcome)}`);
    await db.integration.update({ where: { id: outcome.integrationId }, data: { label } });
    return outcome.integrationId;
  }
}

/** The seed was already run. */
class Refusal extends Error {}

try {
  const { values } = parseArgs({ options: { again: { type: "boolean", default: false } } });
  const ready = await prepareStartup("command", quietly);
  const folder = demoFolder(ready.settings);
  process.stdout.write(`${await seed(values.again, folder).finally(ready.close)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : describeError(error)}\n`);
  process.exitCode = 1;
}
