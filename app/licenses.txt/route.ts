import { licenseTexts } from "@/lib/text/license-texts";

// Generated at build time from the installed dependencies.
export const dynamic = "force-static";
export const GET = () =>
  new Response(licenseTexts(), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
