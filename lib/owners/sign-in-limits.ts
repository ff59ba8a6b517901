import { AppError } from "@/lib/errors";
import { ipPrefix } from "./attempt-limiter";
import { knownBrowser } from "./device-cookie";
import { recordFailedSignIn, type SignInStep } from "./failed-sign-ins";
import { consumeAll, type RateLimit, type RateLimitKey, refund, reset } from "./rate-limiter";

/** Whoever is at the door: where they come from, and the cookie that says whether they signed in here before. */
export type SignInOrigin = { address: string; browser?: string };

/** One person who mistypes: ten at once, then one in a minute and a half. */
const person: RateLimit = { burst: 10, seconds: 90 };
/** All strangers together at one account, and all from one address at any account. */
const account: RateLimit = { burst: 50, seconds: 18 };
const address: RateLimit = { burst: 60, seconds: 15 };

/**
 * Try to come in with something that can be guessed. Every guess is counted before it is checked, and a right one does not
 * count. Guessing slows the guesser: a browser in which the owner once signed in is counted by itself, so that no stranger's
 * guesses keep it out. All others are counted by account and address, by address, and, for passwords, by account. Nobody
 * waits longer than a minute and a half, and only in front of this way in.
 *
 * What a botnet of any size gets at one account's password: 50 guesses, then 4,800 a day. A stolen cookie of a known browser
 * gives 10 and then 960 a day, as does each address at recovery codes (60 random bits) and a stolen session at being asked
 * once more. One address gets 60 and then 5,760 a day at all accounts together. An owner in a new browser behind a busy
 * address, or while somebody guesses at their account, may have to try again after seconds, or come in by another way.
 *
 * `check` is given the e-mail as accounts are found by it. Nothing here tells whether there is such an account.
 * @throws {AppError} 429 with Retry-After; whatever `check` throws, which counts as a failure
 */
export async function limitedSignIn<T>(
  door: "password" | "recovery_code",
  { email, ...visitor }: { email: string } & SignInOrigin,
  check: (account: string) => Promise<T>,
): Promise<T> {
  const name = email.trim().toLowerCase();
  const from = ipPrefix(visitor.address);
  const browser = await knownBrowser(visitor.browser ?? "", name);
  const own = (what: string) => ({ kind: `${door}-${browser ? "browser" : "caller"}`, what, pace: person });
  const wide = [
    { kind: `${door}-address`, what: from, pace: address },
    ...(door === "password" ? [{ kind: "password-account", what: name, pace: account }] : []),
  ];
  const counted = browser
    ? { own: own(JSON.stringify([name, browser])), wide: [] }
    : { own: own(JSON.stringify([name, from])), wide };
  return attempt({ door, email: name, address: visitor.address }, counted, () => check(name));
}

/**
 * The same for somebody who is signed in and shows once more who they are: counted by their session alone, so that nobody
 * else's guesses are in their way.
 */
export const limitedReauthentication = <T>(
  who: { email: string; session: string; address: string },
  check: () => Promise<T>,
): Promise<T> =>
  attempt({ door: "again", ...who }, { own: { kind: "again", what: who.session, pace: person }, wide: [] }, check);

async function attempt<T>(
  refused: { door: SignInStep; email: string; address: string },
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
