import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import type { AppActor, OwnerActor } from "@/lib/actor";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { listApps, registerApp } from "@/lib/apps/apps";
import { describeError } from "@/lib/cli/describe-error.mjs";
import { prepareStartup } from "@/lib/cli/prepare-startup";
import { quietly } from "@/lib/cli/progress.mjs";
import { env } from "@/lib/config/env";
import { change } from "@/lib/events/change-transaction";
import { shareIntegrations } from "@/lib/grants/linked-account-sharing";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { scopesFor } from "@/lib/integrations/provider-catalog";
import type { Access } from "@/lib/integrations/providers/access-types";
import { storeLinkedAccount } from "@/lib/integrations/store-account";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { pushNotification } from "@/lib/notifications/notifications";
import { findOwnerByEmail } from "@/lib/owners/find-accounts";
import { createOwner } from "@/lib/owners/owners";
import { scopeNames } from "@/lib/scopes";
import { type Asker, answered, notifications, pending } from "./seed-content";

// `npm run seed`: creates an owner, four apps, two linked accounts and a full inbox to explore. With
// --again, adds more for the existing owner.
const email = "olive@example.com";
const names: Record<Asker, string> = {
  release: "Release desk",
  mail: "Mail helper",
  plan: "Campaign planner",
  ledger: "Household ledger",
};

async function seed(again: boolean): Promise<string> {
  const existing = await findOwnerByEmail(email);
  if (existing && !again) {
    const apps = await listApps({ kind: "owner", ownerId: existing.ownerId });
    const called = apps.map(({ name }) => name).join(", ") || "none";
    throw new Refusal(
      `The owner ${email} already exists (apps: ${called}). To add more questions, run "npm run seed -- --again".`,
    );
  }
  const password = randomBytes(12).toString("base64url");
  const ownerId = existing?.ownerId ?? (await createOwner({ email, name: "Olive Marten", password })).ownerId;
  const owner: OwnerActor = { kind: "owner", ownerId };

  const release = await connect(owner, names.release);
  const mail = await connect(owner, names.mail);
  await shareIntegrations(owner, mail.clientId, await linkAccounts(owner));
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
    `password     ${existing ? "printed by the first run" : password}`,
    `inbox        ${env().publicUrl}/approvals`,
    `a question   ${env().publicUrl}/approvals/${ids[0]}`,
    `accounts     ${env().publicUrl}/integrations   (two linked accounts with invented credentials)`,
    `token        ${release.token}   (for the app "${names.release}", with every scope, valid for 90 days)`,
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
 * Two linked accounts, each with different access. Their credentials are made up, so they are never
 * checked unless the owner asks.
 * @returns their IDs
 */
async function linkAccounts(owner: OwnerActor): Promise<string[]> {
  const work: Access[] = ["mail.read", "calendar.read"];
  return [
    await link(owner, "Work", { provider: "google", asked: work, granted: work }),
    await link(owner, "Home", { provider: "microsoft", asked: [...work, "files.read"], granted: ["mail.read"] }),
  ];
}

type MadeUpLink = { provider: string; asked: Access[]; granted: Access[] };

async function link(owner: OwnerActor, label: string, { provider, asked, granted }: MadeUpLink): Promise<string> {
  const place = label.toLowerCase();
  const account = { issuer: `https://${provider}.example`, subject: `olive-${place}`, email: `olive@${place}.example` };
  const scopes = scopesFor(provider, granted);
  const credential = { kind: "oauth", accessToken: "made-up", scopes } as const;
  const linked = { account: { ...account, name: "Olive Marten" }, credential, scopes };
  return change(owner, async (tx) => {
    const { id } = await storeLinkedAccount(tx, { ownerId: owner.ownerId, provider, asked, linked });
    await tx.integration.update({ where: { id }, data: { label, checkAt: null } });
    return id;
  });
}

/** The seed was already run. */
class Refusal extends Error {}

try {
  const { values } = parseArgs({ options: { again: { type: "boolean", default: false } } });
  const ready = await prepareStartup("command", quietly);
  process.stdout.write(`${await seed(values.again).finally(ready.close)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : describeError(error)}\n`);
  process.exitCode = 1;
}
