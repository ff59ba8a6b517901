import { env } from "@/lib/config/env";

/**
 * Returns whether a hostname refers to this computer.
 * @param hostname in the form of `URL.hostname`
 */
export const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);

/**
 * Returns whether a foreign page sent the request by DNS rebinding, which makes a browser treat
 * this computer as the page's own site. A local service accepts only calls to a local name from
 * local pages. A public service accepts calls from any page, because callers send a token and
 * cookies are ignored.
 */
export function isDnsRebinding(request: Request): boolean {
  const ours = new URL(env().publicUrl);
  if (!isLoopback(ours.hostname)) return false;
  const [host, origin] = [request.headers.get("host"), request.headers.get("origin")];
  return (host !== null && !isHere(`http://${host}`)) || (origin !== null && !isHere(origin));
}

const isHere = (origin: string) => URL.canParse(origin) && isLoopback(new URL(origin).hostname);
