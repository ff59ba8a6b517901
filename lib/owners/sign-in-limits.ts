import { AppError } from "@/lib/errors";
import { ipPrefix } from "@/lib/net/ip-prefix";
import { knownBrowser } from "./device-cookie";
import { recordFailedSignIn, type SignInStep } from "./failed-sign-ins";
import { consumeAll, type RateLimit, type RateLimitKey, refund, reset } from "./rate-limiter";

/** The origin of a sign-in: the visitor's address, and the browser's device cookie. */
export type SignInOrigin = { address: string; browser?: string };

/** The limit for one person's mistakes: a burst of ten attempts, then one every 90 seconds. */
const person: RateLimit = { burst: 10, seconds: 90 };
/**
 * The limits for strangers' guesses: at one account, and from one address at all accounts together.
 */
const account: RateLimit = { burst: 50, seconds: 18 };
const address: RateLimit = { burst: 60, seconds: 15 };

/**
 * Limits guesses at passwords and recovery codes, without locking the owner out. Every guess is
 * counted before it is checked, and a success is refunded. A browser in which the owner has signed
 * in has its own counter. Guesses from other browsers count toward a limit per account and address,
 * a limit per address and, for passwords, a limit per account. No one waits longer than 90 seconds.
 * A botnet gets 50 guesses at one account's password, and then 4,800 a day. One address gets 60
 * guesses across all accounts, and then 5,760 a day. A thief of a device cookie gets 10 guesses,
 * and then 960 a day. During an attack, an owner with a new browser may have to wait or use another
 * sign-in method.
 * @param check checks the guess; receives the normalized email address
 * @throws {AppError} 429 with Retry-After; errors from `check`, after which the guess stays counted
 */
export async function limitedSignIn<T>(
  step: "password" | "recovery_code",
  { email, ...visitor }: { email: string } & SignInOrigin,
  check: (account: string) => Promise<T>,
): Promise<T> {
  const name = email.trim().toLowerCase();
  const from = ipPrefix(visitor.address);
  const browser = await knownBrowser(visitor.browser ?? "", name);
  const own = (what: string) => ({ kind: `${step}-${browser ? "browser" : "caller"}`, what, pace: person });
  const wide = [
    { kind: `${step}-address`, what: from, pace: address },
    ...(step === "password" ? [{ kind: "password-account", what: name, pace: account }] : []),
  ];
  const counted = browser
    ? { own: own(JSON.stringify([name, browser])), wide: [] }
    : { own: own(JSON.stringify([name, from])), wide };
  return attempt({ step, email: name, address: visitor.address }, counted, () => check(name));
}

/**
 * Limits a signed-in owner's attempts to confirm their identity. Only attempts in the same session
 * count, so that guesses in other sessions don't block the owner.
 */
export const limitedReauthentication = <T>(
  who: { email: string; session: string; address: string },
  check: () => Promise<T>,
): Promise<T> =>
  attempt({ step: "again", ...who }, { own: { kind: "again", what: who.session, pace: person }, wide: [] }, check);

async function attempt<T>(
  refused: { step: SignInStep; email: string; address: string },
  { own, wide }: { own: RateLimitKey; wide: RateLimitKey[] },
  check: () => Promise<T>,
): Promise<T> {
  try {
    await consumeAll([own, ...wide]);
    const found = await check();
    await Promise.all([reset(own), ...wide.map(refund)]);
    return found;
  } catch (error) {
    if (error instanceof AppError && [401, 429].includes(error.status)) recordFailedSignIn(refused);
    throw error;
  }
}
