import { env } from "@/lib/env";

/**
 * Whether a form was sent from one of our own pages: what a browser says of itself, which a foreign page cannot change. A
 * page that keeps its address to itself (Referrer-Policy: no-referrer) posts with `Origin: null`, so Sec-Fetch-Site decides
 * where there is one.
 */
export function sameOrigin({ headers }: Request): boolean {
  const [origin, site] = [headers.get("origin"), headers.get("sec-fetch-site")];
  if (origin === env().publicUrl) return site === null || site === "same-origin";
  return site === "same-origin" && (origin === "null" || origin === null);
}
