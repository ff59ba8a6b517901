import { documentPreflight, documentReply } from "@/lib/oauth/metadata";
import { relatedOrigins } from "@/lib/owners/passkeys/answer-origins";

export const dynamic = "force-dynamic";
/** The other origins at which owners may use their passkeys of this service. */
export const GET = () => documentReply(relatedOrigins());
export const OPTIONS = documentPreflight;
