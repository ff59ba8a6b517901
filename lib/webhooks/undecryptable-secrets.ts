import { db } from "@/lib/database/db";
import { undecryptable } from "@/lib/keys/encrypted-table";
import { disableEndpoint } from "./record-attempt";
import { signingSecrets } from "./signing-secrets";

/** Counts the endpoints whose current signing secret can't be decrypted. */
export const countUndecryptableSecrets = async (): Promise<number> => inUse(await lost()).length;

/**
 * Deletes the signing secrets that can't be decrypted. If an endpoint's current secret is among
 * them, disables the endpoint and notifies its owner.
 * @returns the number of deleted current secrets
 */
export async function removeUndecryptableSecrets(): Promise<number> {
  const all = await lost();
  for (const { id, endpointId, retiresAt } of all) {
    await db.webhookSecret.deleteMany({ where: { id } });
    if (!retiresAt) await disableEndpoint(endpointId, "secret");
  }
  return inUse(all).length;
}

const lost = async () =>
  db.webhookSecret.findMany({
    where: { id: { in: [...(await undecryptable(signingSecrets)).keys()] } },
    select: { id: true, endpointId: true, retiresAt: true },
    orderBy: { id: "asc" },
  });

const inUse = (all: Awaited<ReturnType<typeof lost>>) => all.filter(({ retiresAt }) => !retiresAt);
