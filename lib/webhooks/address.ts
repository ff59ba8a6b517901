import { isIP } from "node:net";
import { allowsPrivate, hostOf, urlProblem } from "@/lib/net/guarded-fetch";
import { isPublicAddress } from "@/lib/net/public-address";
import { characterProblem } from "@/lib/text/text";

const longest = 2000;

/**
 * Why events cannot be sent to an address, as far as it can be seen from that alone. Where its name leads is looked up at
 * every attempt, and checked then.
 */
export function addressProblem(text: string): string | undefined {
  if (text.length > longest) return `Must be at most ${longest} characters`;
  if (characterProblem(text, false) || !URL.canParse(text))
    return "Must be a full address, like https://app.example/hooks";
  const url = new URL(text);
  const named = allowsPrivate(url);
  const problem = urlProblem(url, named);
  if (problem) return problem;
  if (text.includes("#")) return "Must not contain a #";
  const host = hostOf(url);
  return !named && isIP(host) && !isPublicAddress(host)
    ? "Must be an address that can be reached from anywhere"
    : undefined;
}
