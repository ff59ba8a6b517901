import { authorizationServer, documentPreflight, documentReply } from "@/lib/oauth/metadata";

export const dynamic = "force-dynamic";
export const GET = () => documentReply(authorizationServer());
export const OPTIONS = documentPreflight;
