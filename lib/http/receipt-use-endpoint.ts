import { z } from "zod";
import { methodNotAllowed } from "@/lib/api/errors/error-responses";
import { toErrorResponse } from "@/lib/api/handle-operation-request";
import { type OperationRequest, type OperationResponse, readInput } from "@/lib/api/operation-request";
import { consumeAll } from "@/lib/owners/rate-limiter";
import { readOwnReceipt } from "@/lib/receipts/read-own-receipt";
import { recordUseWithReceipt } from "@/lib/receipts/use-answer";
import { validate } from "@/lib/text/validate";

const Input = z.strictObject({
  receipt: z.string("Must be the receipt, a compact JWS").max(200_000, "Must be at most 200,000 characters"),
  idempotencyKey: z
    .string("Send the Idempotency-Key header")
    .regex(/^(?=.*[!-~])[ -~]{1,255}$/, "Idempotency-Key must be 1 to 255 printable ASCII characters"),
});

/** Limits for callers without a token: by their address, and by the approval. */
const paces = { address: { burst: 60, seconds: 1 }, approval: { burst: 20, seconds: 3 } };

/**
 * Handles POST /receipts/use: uses the owner's answer in a receipt, for a program without a token.
 * The reply and the errors are those of POST /api/approvals/{id}/use. Never throws.
 * @param address the caller's address
 */
export async function receiptUseEndpoint(call: OperationRequest, address: string): Promise<OperationResponse> {
  if (call.method !== "POST") return methodNotAllowed(["POST"]);
  try {
    await consumeAll([{ kind: "use-address", what: address, pace: paces.address }]);
    const given = { ...(await readInput(call)), idempotencyKey: call.header("idempotency-key") };
    const { receipt, idempotencyKey: key } = validate(Input, given);
    const { aud: appId, owner: ownerId, sub: id, contentHash, resolution } = await readOwnReceipt(receipt);
    await consumeAll([{ kind: "use-approval", what: id, pace: paces.approval }]);
    const used = await recordUseWithReceipt({ ownerId, appId }, { id, contentHash, values: resolution.values, key });
    return { status: 200, headers: {}, body: JSON.stringify(used) };
  } catch (error) {
    return toErrorResponse(error);
  }
}
