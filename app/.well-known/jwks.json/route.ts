import { toErrorResponse, withCommonHeaders } from "@/lib/api/endpoint";
import { toResponse } from "@/lib/api/route";
import { documentPreflight, documentReply } from "@/lib/oauth/metadata";
import { publicKeys } from "@/lib/receipts/keys";

export const dynamic = "force-dynamic";
/** What receipts are checked with: the key in use, and every former one. */
export const GET = () =>
  publicKeys().then(
    (keys) => documentReply({ keys }),
    (error) => toResponse(withCommonHeaders(toErrorResponse(error))),
  );
export const OPTIONS = documentPreflight;
