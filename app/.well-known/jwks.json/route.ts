import { documentPreflight, documentReply } from "@/lib/grants/metadata";
import { publicKeys } from "@/lib/receipts/keys";

export const dynamic = "force-dynamic";
/** What receipts are checked with: the key in use, and every former one. */
export const GET = async () => documentReply({ keys: await publicKeys() });
export const OPTIONS = documentPreflight;
