import { authorizationServer, documentPreflight, documentReply } from "@/lib/grants/metadata";

export const dynamic = "force-dynamic";
export const GET = () => documentReply(authorizationServer());
export const OPTIONS = documentPreflight;
