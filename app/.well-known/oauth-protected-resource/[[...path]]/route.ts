import { documentPreflight, documentReply, protectedResource } from "@/lib/grants/metadata";

type Context = { params: Promise<{ path?: string[] }> };

export const dynamic = "force-dynamic";
export const GET = async (_: Request, { params }: Context) =>
  documentReply(protectedResource(((await params).path ?? []).join("/")));
export const OPTIONS = documentPreflight;
