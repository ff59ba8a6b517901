import { randomBytes } from "node:crypto";
import type { OwnerActor } from "@/lib/actor";
import { db } from "@/lib/database/db";
import { change } from "@/lib/events/change-transaction";
import { newId } from "@/lib/ids";
import { lockAccount, recordOutcome } from "@/lib/integrations/account-status";
import {
  type Credential,
  type OAuthCredential,
  type ProviderClient,
  ProviderFault,
} from "@/lib/integrations/providers/provider";
import { storeCredential } from "@/lib/integrations/vault";
import { anOwner } from "./factories";

/** Creates unique tokens in a provider's format. */
export const someTokens = (): OAuthCredential & { refreshToken: string; expiresAt: number } => ({
  kind: "oauth",
  accessToken: randomBytes(24).toString("base64url"),
  refreshToken: randomBytes(24).toString("base64url"),
  expiresAt: Date.now() + 3_600_000,
  scopes: ["openid"],
});

/** Creates an account that an owner linked. By default, a check is due. */
export async function aWorkingAccount({
  owner,
  provider = "google",
  issuer = "https://id.example",
  credential = someTokens(),
  due = true,
}: {
  owner?: OwnerActor;
  provider?: string;
  issuer?: string;
  credential?: Credential;
  due?: boolean;
} = {}) {
  const linker = owner ?? (await anOwner());
  const account = { id: newId("int"), ownerId: linker.ownerId, provider };
  const subject = randomBytes(8).toString("hex");
  await change(null, async (tx) => {
    await tx.integration.create({
      data: { ...account, issuer, subject, email: `${subject}@example.com`, scopes: ["openid"], buckets: ["identity"] },
    });
    const row = await lockAccount(tx, account.id);
    await recordOutcome(tx, row!, { kind: "linked", credential });
    await storeCredential(tx, account, credential);
  });
  if (due) await makeDue(account.id);
  // Moves the last check back by an hour, because an account is not checked again right after a
  // check.
  await db.$executeRaw`UPDATE integration SET checked_at = checked_at - interval '1 hour' WHERE id = ${account.id}`;
  return { owner: linker, credential, ...account };
}

export const makeDue = (id: string) =>
  db.$executeRaw`UPDATE integration SET check_at = now() - interval '1 second' WHERE id = ${id}`;

/** Creates a provider that accepts each refresh token once, and revokes a reused one. */
export function aProvider() {
  const uses = new Map<string, number>();
  const revoked: string[] = [];
  const it = {
    /** The number of uses of each refresh token. */
    uses,
    /** The revoked tokens. */
    revoked,
    /** Runs before a response. It can wait or throw. */
    before: async (_credential: OAuthCredential): Promise<void> => {},
    /** The scopes in the provider's response, if any. */
    scopes: undefined as string[] | undefined,
    /** The last issued tokens. */
    given: undefined as OAuthCredential | undefined,
  };
  const client: ProviderClient = {
    async check(credential, { renew }) {
      if (credential.kind !== "oauth") throw new Error("not this provider's");
      const { refreshToken = "" } = credential;
      if (renew) uses.set(refreshToken, (uses.get(refreshToken) ?? 0) + 1);
      await it.before(credential);
      if (!renew) return it.scopes ? { scopes: it.scopes } : {};
      if ((uses.get(refreshToken) ?? 0) > 1) throw new ProviderFault("invalid_grant", true, "used twice");
      it.given = { ...someTokens(), ...(it.scopes && { scopes: it.scopes }) };
      return { credential: it.given, ...(it.scopes && { scopes: it.scopes }) };
    },
    async revoke(credential) {
      if (credential.kind !== "oauth") throw new Error("not this provider's");
      await it.before(credential);
      revoked.push(credential.refreshToken ?? credential.accessToken);
    },
  };
  return Object.assign(it, { clientFor: () => client });
}
