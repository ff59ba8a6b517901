import { securityTxt } from "@/lib/web/security-txt";

export const dynamic = "force-dynamic";
export const GET = () =>
  new Response(securityTxt(), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
  });
