import { CountersignError, unreachable } from "./errors";
import { pause } from "./http-calls";

/**
 * OAuth tokens. Each refresh replaces the refresh token. An app that loses the new one must ask the
 * owner again.
 */
export type Tokens = { refreshToken: string; accessToken?: string | undefined };

export type RefreshOptions = Tokens & {
  /** The service's URL. */
  baseUrl: string;
  clientId: string;
  /** The client secret, for apps that have one. */
  clientSecret?: string;
  /**
   * Saves the new tokens for the next start. The client uses them only after this callback has
   * finished.
   */
  save: (tokens: Required<Tokens>) => void | Promise<void>;
  fetch?: typeof globalThis.fetch;
};

/**
 * Returns a function for the client's `token`: `new Countersign({ baseUrl, token: refreshingToken({
 * … }) })`. The function returns the access token. If there is none, or the service has rejected
 * it, the function requests new tokens first.
 * @throws {CountersignError} for example after the owner revoked access
 */
export function refreshingToken(given: RefreshOptions): (refused?: string) => Promise<string> {
  const { baseUrl, clientId, clientSecret, save, fetch = globalThis.fetch } = given;
  let { accessToken, refreshToken }: Tokens = given;
  let underWay: Promise<string> | undefined;
  /**
   * Requests new tokens, with up to two retries if the service is unavailable or a response is
   * lost.
   */
  const ask = async (attemptsLeft = 2): Promise<Response> => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
    if (clientSecret !== undefined) body.set("client_secret", clientSecret);
    const signal = AbortSignal.timeout(10_000);
    const url = new URL("/oauth/token", baseUrl);
    const request = { method: "POST", redirect: "manual", signal, body } as const;
    const reply = await fetch(url, request).catch((cause) => unreachable(url, cause));
    if (reply.status > 0 && reply.status < 500 && reply.status !== 429) return reply as Response;
    if (attemptsLeft === 0)
      throw reply instanceof Response
        ? new CountersignError(`Could not refresh the access token: HTTP status ${reply.status}`, reply.status)
        : reply;
    await pause(2_000 * Math.random());
    return ask(attemptsLeft - 1);
  };
  const renew = async () => {
    const reply = await ask();
    const tokens = (await reply.json().catch(() => ({}))) as Record<string, string | undefined>;
    if (!reply.ok || !tokens.access_token)
      throw new CountersignError(
        tokens.error_description ?? tokens.error ?? "Could not refresh the access token",
        reply.status,
      );
    refreshToken = tokens.refresh_token ?? refreshToken;
    await save({ accessToken: tokens.access_token, refreshToken });
    accessToken = tokens.access_token;
    return accessToken;
  };
  // Concurrent calls share one refresh, because a refresh token used twice revokes all tokens.
  const renewed = () =>
    (underWay ??= renew().finally(() => {
      underWay = undefined;
    }));
  return async (refused) =>
    accessToken === undefined || accessToken === refused ? renewed() : (underWay ?? accessToken);
}
