import { runAuthorized } from "@/lib/access/authorization";
import type { Actor, AppActor, OwnerActor } from "@/lib/actor";
import { getApproval } from "@/lib/approvals/approvals";
import { type Content, contentHash } from "@/lib/approvals/content-hash";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import type { Approval } from "@/lib/approvals/schema";
import { isSimulatedApproval } from "@/lib/approvals/simulated-owner";
import { env } from "@/lib/config/env";
import { sql } from "@/lib/database/sql";
import { notResolved } from "@/lib/errors";
import { type CurrentKey, currentKey, signingKey } from "./receipt-keys";
import type { ReceiptClaims } from "./schema";

/*
 * Receipts are signed when they are read, so a claim that a later version adds also appears in the
 * receipts of old answers. `approval.simulated` says whether a simulated owner's rules gave the
 * answer, because the answer's note may contain anything.
 */

/**
 * Returns the receipt of a resolved approval: a compact JWS (RFC 7515, EdDSA) that anyone can
 * verify with the public keys. The same claims and key always result in the same text.
 * @throws {AppError} 404; 409 until the approval is resolved
 */
export async function issueReceipt(app: AppActor, id: string): Promise<string> {
  const approval = JSON.parse((await getApproval(app, id)).text) as Approval;
  return (await signed(app, approval)).receipt;
}

/** An approval as its owner sees it, with the receipt that its app gets. */
export type OwnerReceipt = SignedAnswer & { approval: OwnerApproval };

/**
 * Returns the receipt to the owner, even if no app has read it.
 * @throws {AppError} the same errors as issueReceipt
 */
export async function readReceipt(owner: OwnerActor, id: string): Promise<OwnerReceipt> {
  const approval = await readApproval(owner, id);
  return { approval, ...(await signed(owner, approval)) };
}

type SignedAnswer = { receipt: string; claims: ReceiptClaims };

async function signed(
  actor: Actor,
  approval: Content & Pick<Approval, "_id" | "clientId" | "contentHash" | "once" | "resolution">,
): Promise<SignedAnswer> {
  const { _id: id, resolution } = approval;
  if (!resolution) throw notResolved();
  // Never signs content that was changed outside the service.
  if (contentHash(approval) !== approval.contentHash)
    throw new Error(`The content of ${id} does not match its content hash`);
  const result = sql`${isSimulatedApproval(id)} AS simulated, ${currentKey}`;
  const { owner_id, simulated, ...current } = await runAuthorized<ReceiptRow>(actor, { result });
  const claims: ReceiptClaims = {
    iss: env().publicUrl,
    aud: approval.clientId,
    owner: owner_id,
    sub: id,
    iat: Math.floor(resolution.resolvedAt / 1000),
    contentHash: approval.contentHash,
    resolution,
    ...(approval.once && { once: true }),
    ...(simulated && { simulated }),
  };
  return { claims, receipt: await (await signingKey(current)).sign("countersign-receipt+jwt", claims) };
}

type ReceiptRow = { owner_id: string; simulated: boolean | null } & CurrentKey;
