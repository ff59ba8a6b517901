import { allSections } from "@/lib/api/docs/sections";

export const dynamic = "force-dynamic";
/** What the search looks in: the same for everybody, so it may be kept for a while. */
export const GET = () => Response.json(allSections(), { headers: { "cache-control": "public, max-age=3600" } });
