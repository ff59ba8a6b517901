import { sql } from "@/lib/database/sql";
import type { Change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { newId } from "@/lib/ids";
import { lockAccount, noteScopes, recordOutcome } from "./account-status";
import { bucketsOf } from "./provider-catalog";
import type { Access } from "./providers/access-types";
import type { Linked } from "./providers/provider";
import { storeCredential } from "./vault";

/** Thrown if the account is not the one to reconnect. Nothing of it was stored. */
export class AccountMismatch extends Error {}

type Accepted = {
  ownerId: string;
  provider: string;
  asked: readonly Access[];
  linked: Linked;
  integrationId?: string | undefined;
};

/**
 * Stores an account that a provider has just given us access to, in the caller's transaction. An
 * account that was linked before keeps its ID.
 * @param asked the access that the owner selected
 * @param integrationId the account to reconnect, if any
 * @returns the account's ID, and whether it was linked `again`
 * @throws {AccountMismatch} if it is not the account to reconnect
 */
export async function storeLinkedAccount(
  tx: Change,
  { ownerId, provider, asked, linked, integrationId }: Accepted,
): Promise<{ id: string; again: boolean }> {
  const { account, credential, scopes } = linked;
  const { issuer, subject, email, name = null } = account;
  const made =
    integrationId === undefined &&
    (await sql`
      INSERT INTO integration (id, owner_id, provider, issuer, subject, email, scopes, buckets)
      VALUES (
        ${newId("int")}, ${ownerId}, ${provider}, ${issuer}, ${subject}, ${email}, ${scopes},
        ${bucketsOf(provider, scopes)}
      )
      ON CONFLICT (owner_id, provider, issuer, subject) DO NOTHING`.run(tx)) > 0;
  const found = await tx.integration.findUnique({
    where: { ownerId_provider_issuer_subject: { ownerId, provider, issuer, subject } },
    select: { id: true },
  });
  const row = found && (integrationId ?? found.id) === found.id ? await lockAccount(tx, found.id) : undefined;
  if (!row) throw new AccountMismatch();
  const { id } = row;
  await tx.integration.update({ where: { id }, data: { email, accountName: name, asked: [...asked] } });
  await storeCredential(tx, { id, ownerId, provider }, credential);
  await record(tx, { ownerId, type: "integration.linked", subject: id, data: { provider, again: !made } });
  await noteScopes(tx, row, scopes);
  await recordOutcome(tx, row, { kind: "linked", credential });
  return { id, again: !made };
}
