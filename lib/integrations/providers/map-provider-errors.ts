import { FetchRefused } from "@/lib/net/guarded-fetch";
import { retryAfterOf } from "@/lib/net/retry-after";
import { ProviderFault } from "./provider";

/**
 * Error codes that mean that the provider no longer accepts a refresh token or code: RFC 6749's
 * (section 5.2), and two of GitHub's.
 */
const spent = ["invalid_grant", "bad_refresh_token", "bad_verification_code"];
/**
 * Error codes that mean that the provider does not know or allow our client. Only an operator can
 * fix this.
 */
const ours = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"];

/**
 * Maps an error of openid-client or fetch to our fault. The fault's message names the type of
 * error. The only text from the provider is an error code.
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
  const message = code && ours.includes(code) ? code : String((error as { code?: unknown })?.code ?? nameOf(error));
  return new ProviderFault("provider_misbehaves", false, reply ? `${message}, status ${reply.status}` : message);
}

/** Returns whether the provider rejected the presented token (RFC 6750 section 3). */
export const isRefused = (error: unknown): boolean => replyIn(causes(error))?.status === 401;

/**
 * Returns the fault if the response means too many requests or a server error, which are temporary.
 * Limits the wait that the provider asks for to a day.
 */
export function rateLimitedFault({ status, headers }: Response): ProviderFault | undefined {
  const retryAfter = retryAfterOf(headers.get("retry-after") ?? undefined);
  const wait = retryAfter ? Math.min(Math.ceil(retryAfter), 86_400) : undefined;
  if (status === 429) return new ProviderFault("rate_limited", false, "status 429", wait);
  return status >= 500 ? new ProviderFault("provider_down", false, `status ${status}`, wait) : undefined;
}

/** Returns an error and its causes, outermost first. */
function causes(error: unknown): object[] {
  const found: object[] = [];
  for (let cause = error; typeof cause === "object" && cause !== null && found.length < 8; ) {
    found.push(cause);
    cause = (cause as { response?: unknown }).response ?? (cause as { cause?: unknown }).cause;
  }
  return found;
}

const replyIn = (chain: object[]) => chain.find((each): each is Response => each instanceof Response);

const nameOf = (error: unknown) => (error instanceof Error ? error.name : "unknown");
