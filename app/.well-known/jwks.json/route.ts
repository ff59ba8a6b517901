import { toErrorResponse, withCommonHeaders } from "@/lib/api/handle-operation-request";
import { toResponse } from "@/lib/api/route-request";
import { documentPreflight, documentReply } from "@/lib/oauth/metadata";
import { publishedKeys } from "@/lib/receipts/receipt-keys";

export const dynamic = "force-dynamic";
/** The public keys that verify receipts: the current key, all former keys, and the revoked keys. */
export const GET = () =>
  publishedKeys().then(
    (keys) => documentReply(keys),
    (error) => toResponse(withCommonHeaders(toErrorResponse(error))),
  );
export const OPTIONS = documentPreflight;
