import { pause } from "./calls";
import { CountersignError, unreachable } from "./errors";

/** Tokens of OAuth. The refresh token is replaced by each use: who keeps the old one has to ask the owner again. */
export type Tokens = { refreshToken: string; accessToken?: string | undefined };

export type RefreshOptions = Tokens & {
  /** Where the service is reached. */
  baseUrl: string;
  clientId: string;
  /** Only of apps that have one. */
  clientSecret?: string;
  /** Keeps the new tokens where the next start finds them. Nothing is called with them before it is done. */
  save: (tokens: Required<Tokens>) => void | Promise<void>;
  fetch?: typeof globalThis.fetch;
};

/**
 * An access token that is replaced when the service refuses it: `new Countersign({ baseUrl, token: refreshingToken({ … }) })`.
 * @throws {CountersignError} when the owner has taken back what they granted, among others
 */
export function refreshingToken(given: RefreshOptions): (refused?: string) => Promise<string> {
  const { baseUrl, clientId, clientSecret, save, fetch = globalThis.fetch } = given;
  let { accessToken, refreshToken }: Tokens = given;
  let underWay: Promise<string> | undefined;
  /** A reply that was lost can be had once more within a minute. */
  const ask = async (attemptsLeft = 2): Promise<Response> => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
    if (clientSecret !== undefined) body.set("client_secret", clientSecret);
    const signal = AbortSignal.timeout(10_000);
    const url = new URL("/oauth/token", baseUrl);
    const reply = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal,
      body,
    }).catch((cause) => unreachable(url, cause));
    if (reply.status > 0 && reply.status < 500 && reply.status !== 429) return reply as Response;
    if (attemptsLeft === 0)
      throw reply instanceof Response ? new CountersignError(`HTTP status ${reply.status}`, reply.status) : reply;
    await pause(2_000 * Math.random());
    return ask(attemptsLeft - 1);
  };
  const renew = async () => {
    const reply = await ask();
    const said = (await reply.json().catch(() => ({}))) as Record<string, string | undefined>;
    if (!reply.ok || !said.access_token)
      throw new CountersignError(said.error_description ?? said.error ?? "The token was not renewed", reply.status);
    refreshToken = said.refresh_token ?? refreshToken;
    await save({ accessToken: said.access_token, refreshToken });
    accessToken = said.access_token;
    return accessToken;
  };
  // Whoever comes meanwhile waits for the same: a refresh token that is used twice ends them all.
  const renewed = () =>
    (underWay ??= renew().finally(() => {
      underWay = undefined;
    }));
  return async (refused) =>
    accessToken === undefined || accessToken === refused ? renewed() : (underWay ?? accessToken);
}
