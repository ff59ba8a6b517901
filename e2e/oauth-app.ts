import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SessionOwner } from "@/lib/actor";
import { registerApp } from "@/lib/apps/apps";
import { serviceUrl } from "./fixtures";

/** An OAuth app with a real loopback redirect URI. */
export type BrowserApp = {
  clientId: string;
  name: string;
  /** The initial URL for the owner's browser. Scopes are separated by spaces. */
  authorizeUrl(scope: string): string;
  /** The callbacks' parameters, oldest first. */
  answers: URLSearchParams[];
  /** Exchanges the latest code. */
  redeem(): Promise<{ status: number; access_token?: string; scope?: string; error?: string }>;
  close(): void;
};

/** Registers a public app for `registrar` and listens for its callbacks. */
export const aBrowserApp = (registrar: SessionOwner, name = `Pilot ${randomLetters()}`): Promise<BrowserApp> =>
  aBrowserAppThat((redirectUri) => registerApp(registrar, { name, redirectUris: [redirectUri], public: true }), name);

/** Listens for callbacks to a public app that registers itself by other means. */
export async function aBrowserAppThat(
  enrols: (redirectUri: string) => Promise<{ clientId: string }>,
  name: string,
): Promise<BrowserApp> {
  const answers: URLSearchParams[] = [];
  const receiver = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/callback") answers.push(url.searchParams);
    response.setHeader("content-type", "text/html").end("<!doctype html><title>App</title><h1>Back at the app</h1>");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const redirectUri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`;
  const { clientId } = await enrols(redirectUri);
  const verifier = randomBytes(32).toString("base64url");
  return {
    clientId,
    name,
    answers,
    authorizeUrl: (scope) =>
      `/oauth/authorize?${new URLSearchParams({
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state: "st ate",
        code_challenge_method: "S256",
        code_challenge: challenge(verifier),
      })}`,
    redeem: async () => {
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        redirect_uri: redirectUri,
        code: answers.at(-1)?.get("code") ?? "",
        code_verifier: verifier,
      });
      const reply = await fetch(`${serviceUrl()}/oauth/token`, { method: "POST", body });
      return { status: reply.status, ...((await reply.json()) as object) };
    },
    close: () => receiver.close(),
  };
}

const challenge = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/** Uses letters without digits or look-alikes, so that no name is rejected. */
export const randomLetters = () => [...randomBytes(8)].map((byte) => "abdefghjkpqstuyx"[byte % 16]).join("");

/** Sends one request with a token. @returns its status */
export async function statusOf(token: string, path: string, body?: unknown): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  return (await fetch(`${serviceUrl()}${path}`, init)).status;
}

/** Builds a valid question. */
export const aQuestion = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };
