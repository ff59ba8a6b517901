import { gzipSync } from "node:zlib";
import { allSections } from "@/lib/api/docs/headings";

export const dynamic = "force-dynamic";

let packed: Uint8Array<ArrayBuffer> | undefined;

/** What the search looks in, the same for everybody. A file that is packed, since Next packs nothing that a route gives, and takes off its Content-Encoding. */
export function GET(): Response {
  packed ??= new Uint8Array(gzipSync(JSON.stringify(allSections())));
  return new Response(packed, {
    headers: { "content-type": "application/gzip", "cache-control": "public, max-age=3600" },
  });
}
