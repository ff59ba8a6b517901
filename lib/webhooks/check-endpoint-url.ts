import { isIP } from "node:net";
import { allowsPrivate, hostOf, urlProblem } from "@/lib/net/guarded-fetch";
import { isPublicAddress } from "@/lib/net/public-address";
import { characterProblem } from "@/lib/text/text-problems";

const maxLength = 2000;

/**
 * Returns why a URL can't receive events, or undefined if it can. Checks only the URL's text,
 * because each delivery attempt resolves and checks the host.
 */
export function addressProblem(text: string): string | undefined {
  if (text.length > maxLength) return `Must be at most ${maxLength.toLocaleString("en")} characters`;
  if (characterProblem(text, false) || !URL.canParse(text)) return "Must be a full URL, like https://app.example/hooks";
  const url = new URL(text);
  const named = allowsPrivate(url);
  const problem = urlProblem(url, named);
  if (problem) return problem;
  if (text.includes("#")) return "Must not contain a fragment (#)";
  const host = hostOf(url);
  return !named && isIP(host) && !isPublicAddress(host) ? "Must be an address reachable from the internet" : undefined;
}
