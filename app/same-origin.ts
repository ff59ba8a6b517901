import { env } from "@/lib/env";

/** Whether a form was sent from one of our own pages: what a browser says of itself, which a foreign page cannot change. */
export function sameOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return headers.get("origin") === env().publicUrl && (site === null || site === "same-origin");
}
