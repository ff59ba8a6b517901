import { gzipSync } from "node:zlib";
import { allSections } from "@/lib/api/docs/page-sections";

export const dynamic = "force-dynamic";

let packed: Uint8Array<ArrayBuffer> | undefined;

/**
 * Serves the search index, the same for every reader. It is compressed here and served as a file,
 * because Next.js doesn't compress route responses and removes their Content-Encoding.
 */
export function GET(): Response {
  packed ??= new Uint8Array(gzipSync(JSON.stringify(allSections())));
  return new Response(packed, {
    headers: { "content-type": "application/gzip", "cache-control": "public, max-age=3600" },
  });
}
