import { toErrorResponse, withCommonHeaders } from "@/lib/api/handle-operation-request";
import { toResponse } from "@/lib/api/route-request";
import { documentPreflight, documentReply } from "@/lib/oauth/metadata";
import { publicKeys } from "@/lib/receipts/receipt-keys";

export const dynamic = "force-dynamic";
/** The public keys that verify receipts: the current key and all former keys. */
export const GET = () =>
  publicKeys().then(
    (keys) => documentReply({ keys }),
    (error) => toResponse(withCommonHeaders(toErrorResponse(error))),
  );
export const OPTIONS = documentPreflight;
