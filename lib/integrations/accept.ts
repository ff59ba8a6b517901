import type { Transaction } from "@/lib/db";
import { record } from "@/lib/events/events";
import { newId } from "@/lib/ids";
import { accessesOf, bucketsOf } from "./catalogue";
import type { Linked } from "./provider";
import type { Access } from "./schema";
import { lockAccount, settle } from "./standing";
import { storeCredential } from "./vault";

/** Another account than the one that was to be connected again. Nothing of it was kept. */
export class OtherAccount extends Error {}

/**
 * Keep an account that a provider just let us into, in the caller's transaction: under the id that it has where the owner
 * linked it before, in whatever state that was left. Call `announce(ownerId)` after the commit.
 * @param asked what the owner ticked before they went
 * @param integrationId the account that it must be
 * @returns its id, and whether it was linked before
 * @throws {OtherAccount} when it is not that one
 */
export async function acceptLink(
  tx: Transaction,
  {
    ownerId,
    provider,
    asked,
    linked: { account, credential, scopes },
    integrationId,
  }: {
    ownerId: string;
    provider: string;
    asked: readonly Access[];
    linked: Linked;
    integrationId?: string | undefined;
  },
): Promise<{ id: string; again: boolean }> {
  const { issuer, subject, email, name = null } = account;
  const granted = { scopes, buckets: bucketsOf(provider, scopes), asked: [...asked], email, account_name: name };
  const [made] =
    integrationId !== undefined
      ? []
      : await tx.$queryRaw<{ id: string }[]>`
          INSERT INTO integration (id, owner_id, provider, issuer, subject, email, account_name, scopes, buckets, asked)
          VALUES (${newId("int")}, ${ownerId}, ${provider}, ${issuer}, ${subject}, ${email}, ${name}, ${granted.scopes},
            ${granted.buckets}, ${granted.asked})
          ON CONFLICT (owner_id, provider, issuer, subject) DO NOTHING RETURNING id`;
  const unique = { ownerId, provider, issuer, subject };
  const found = made ?? (await tx.integration.findUnique({ where: { ownerId_provider_issuer_subject: unique } }));
  if (!found || (integrationId !== undefined && found.id !== integrationId)) throw new OtherAccount();
  const { id } = found;
  const row = await lockAccount(tx, id, ownerId);
  if (!row) throw new OtherAccount();
  if (!made) {
    await tx.integration.update({
      where: { id },
      data: { email, accountName: name, scopes, buckets: granted.buckets, asked: granted.asked },
    });
  }
  await storeCredential(tx, { id, ownerId, provider }, credential);
  await record(tx, { ownerId, type: "integration.linked", subject: id, data: { provider, again: !made } });
  const [before, after] = [made ? scopes : row.scopes, scopes].map((each) => accessesOf(provider, each));
  const added = after!.filter((each) => !before!.includes(each));
  const removed = before!.filter((each) => !after!.includes(each));
  if (added.length + removed.length > 0)
    await record(tx, {
      ownerId,
      type: "integration.access_changed",
      subject: id,
      data: { provider, added, removed },
    });
  await settle(tx, row, { kind: "linked", credential });
  return { id, again: !made };
}
