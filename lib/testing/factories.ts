import { randomBytes } from "node:crypto";
import type { AppActor, SessionOwner } from "@/lib/actor";
import { registerApp } from "@/lib/apps/apps";
import { db } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { change } from "@/lib/events/change-transaction";
import { getOrCreateGrant } from "@/lib/grants/create-and-change-grant";
import { createPersonalToken } from "@/lib/grants/personal-tokens";
import { newOwnerId } from "@/lib/ids";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { reserveEmail } from "@/lib/owners/find-accounts";
import type { Scope } from "@/lib/scopes";

/**
 * The password of every test owner. Its hash is cheap to verify; passwords.test.ts covers hashes at
 * the real cost.
 */
const password = "correct horse battery staple";
const passwordHash = "scrypt$10$8$1$8JOWFZoVzMNzPq5mgiwIcA$kQWtvbcm4jhL8JFqpvJ9M8CbEf3cmoxcYKXc27FiJEo";

/**
 * Creates an owner who can sign in and has just signed in. `session` is the browser session that
 * consent forms are bound to.
 * @param near an owner whose home the new owner shares, so that both are on the same shard
 */
export async function anOwner({
  near,
}: {
  near?: { ownerId: string };
} = {}): Promise<SessionOwner & { email: string; password: string; name: string; session: string }> {
  const ownerId = newOwnerId(near && homeOf(near.ownerId));
  const email = `${ownerId}@example.com`;
  await reserveEmail(ownerId, email, false);
  await db.owner.create({ data: { id: ownerId, email, confirmedEmail: email, name: "Robin Owner", passwordHash } });
  const session = randomBytes(8).toString("hex");
  return { kind: "owner", ownerId, email, password, name: "Robin Owner", session, fresh: true };
}

/**
 * Creates an app that the given owner registered or, by default, a new owner. The app is
 * confidential by default.
 */
export async function anApp(
  owner?: SessionOwner,
  { public: isPublic = false, redirectUris = ["https://app.example/callback"] } = {},
) {
  const registrar = owner ?? (await anOwner());
  const name = `App ${randomBytes(6).toString("hex").replace(/./g, letterOf)}`;
  const { clientId, clientSecret = "" } = await registerApp(registrar, { name, redirectUris, public: isPublic });
  return { owner: registrar, clientId, clientSecret, name, redirectUris };
}

/**
 * Returns a letter for a hexadecimal digit. No two of these letters look alike, so no app's name is
 * rejected as a look-alike.
 */
const letterOf = (digit: string) => "abdefghjkpqstuyx"[Number.parseInt(digit, 16)] ?? "a";

/** Connects an app to an owner as the consent screen would, but without scopes. */
export const letIn = ({ ownerId }: SessionOwner, clientId: string) =>
  change({ ownerId }, (tx) => getOrCreateGrant(tx, ownerId, clientId));

/**
 * Creates a token with these scopes for an owner and an app. Connects the app first if another
 * owner registered it.
 * @returns the token, and the app as an actor
 */
export async function aTokenFor(
  owner: SessionOwner,
  clientId: string,
  scopes: Scope[],
): Promise<{ token: string; id: string; app: AppActor }> {
  if ((await db.app.count({ where: { id: clientId, ownerId: owner.ownerId } })) === 0) await letIn(owner, clientId);
  const { token, id } = await createPersonalToken(owner, { clientId, scopes });
  return { token, id, app: { kind: "app", tokenHash: hashSecret(token), resource: "api", needs: null } };
}

/** Creates an owner, an app that the owner registered, and a token with these scopes. */
export async function anAppWith(...scopes: [Scope, ...Scope[]]) {
  const owner = await anOwner();
  const { clientId, name } = await anApp(owner);
  const { token, id, app } = await aTokenFor(owner, clientId, scopes);
  return { owner, app, clientId, name, token, tokenId: id };
}
