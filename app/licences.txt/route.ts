import { licenceTexts } from "@/lib/text/licences";

// Made by the build: a copy of the service has what it was built with.
export const dynamic = "force-static";
export const GET = () =>
  new Response(licenceTexts(), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
