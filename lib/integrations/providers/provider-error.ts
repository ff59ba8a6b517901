import { FetchRefused } from "@/lib/net/guarded-fetch";
import { retryAfterOf } from "@/lib/net/retry-after";
import { ProviderFault } from "./provider";

/** What a provider says of a refresh token or code that it takes no longer: RFC 6749 section 5.2, and GitHub's own two. */
const spent = ["invalid_grant", "bad_refresh_token", "bad_verification_code"];
/** That it does not know us, or not for this: the operator's matter, and nothing an owner could put right. */
const ours = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"];

/**
 * The fault of ours that an error of openid-client or of the fetch beneath it stands for. Its message names what kind of
 * error it was and nothing that the provider wrote, except a code of the few that RFC 6749 has.
 */
export function toProviderFault(error: unknown): ProviderFault {
  const chain = causes(error);
  const known = chain.find((each) => each instanceof ProviderFault);
  if (known) return known;
  const refused = chain.find((each) => each instanceof FetchRefused);
  if (refused) return new ProviderFault("provider_down", false, refused.message);
  const reply = replyIn(chain);
  const busy = reply && rateLimitedFault(reply);
  if (busy) return busy;
  const code = chain.map((each) => (each as { error?: unknown }).error).find((each) => typeof each === "string");
  if (code && spent.includes(code)) return new ProviderFault("invalid_grant", true, code);
  if (code === "temporarily_unavailable" || code === "server_error")
    return new ProviderFault("provider_down", false, code);
  const says = code && ours.includes(code) ? code : String((error as { code?: unknown })?.code ?? nameOf(error));
  return new ProviderFault("provider_misbehaves", false, reply ? `${says}, status ${reply.status}` : says);
}

/** Whether the provider refused the token that it was shown (RFC 6750 section 3). */
export const isRefused = (error: unknown): boolean => replyIn(causes(error))?.status === 401;

/** A reply that says that the provider cannot now: too many requests, or an error of its own. It may ask for a day at most. */
export function rateLimitedFault({ status, headers }: Response): ProviderFault | undefined {
  const asked = retryAfterOf(headers.get("retry-after") ?? undefined);
  const wait = asked ? Math.min(Math.ceil(asked), 86_400) : undefined;
  if (status === 429) return new ProviderFault("rate_limited", false, "status 429", wait);
  return status >= 500 ? new ProviderFault("provider_down", false, `status ${status}`, wait) : undefined;
}

/** An error and what caused it, outermost first. */
function causes(error: unknown): object[] {
  const found: object[] = [];
  for (let at = error; typeof at === "object" && at !== null && found.length < 8; ) {
    found.push(at);
    at = (at as { response?: unknown }).response ?? (at as { cause?: unknown }).cause;
  }
  return found;
}

const replyIn = (chain: object[]) => chain.find((each): each is Response => each instanceof Response);

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "unknown");
