import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { notFound } from "@/lib/errors";
import { change } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { text } from "@/lib/text/text-schema";
import { validate } from "@/lib/text/validate";

/** The owner's name for an account: at most 40 characters on one line. A blank text clears it. */
export const AccountLabel = z
  .string()
  .trim()
  .pipe(text({ max: 40, min: 0 }));

/**
 * Sets or clears the owner's own name for a linked account. Apps never see this name.
 * @throws {AppError} 404 if the owner has no such account or removed it; 400 for an invalid name
 */
export async function renameAccount({ ownerId }: OwnerActor, id: string, label: string): Promise<void> {
  const name = validate(AccountLabel, label, ["label"]) || null;
  await change({ ownerId }, async (tx) => {
    const account = await tx.integration.findFirst({
      where: { id, ownerId, status: { not: "disconnected" } },
      select: { provider: true, label: true },
    });
    if (!account) throw notFound();
    if (account.label === name) return;
    await tx.integration.update({ where: { id }, data: { label: name } });
    const data = { provider: account.provider, label: name ?? "" };
    await record(tx, { ownerId, type: "integration.renamed", subject: id, data });
  });
}
