import { env } from "@/lib/config/env";

/** Whether a host is this computer. @param hostname as `URL` writes it */
export const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/**
 * Whether a page from elsewhere made a browser believe that this computer is its own site (DNS rebinding). A service that is
 * only for this computer is asked for by a name of this computer, and by pages from it. One with an address on the internet
 * may be called from any page: who calls shows a token, and no cookie is looked at.
 */
export function isDnsRebinding(request: Request): boolean {
  const ours = new URL(env().publicUrl);
  if (!isLoopback(ours.hostname)) return false;
  const [host, origin] = [request.headers.get("host"), request.headers.get("origin")];
  return (host !== null && !isHere(`http://${host}`)) || (origin !== null && !isHere(origin));
}

const isHere = (origin: string) => URL.canParse(origin) && isLoopback(new URL(origin).hostname);
