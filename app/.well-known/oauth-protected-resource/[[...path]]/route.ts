import { documentPreflight, documentReply, protectedResource } from "@/lib/oauth/metadata";

type Context = { params: Promise<{ path?: string[] }> };

export const dynamic = "force-dynamic";
export const GET = async (_: Request, { params }: Context) =>
  documentReply(protectedResource(((await params).path ?? []).join("/")));
export const OPTIONS = documentPreflight;
