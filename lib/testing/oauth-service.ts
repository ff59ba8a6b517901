import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll } from "vitest";
import type { SessionOwner } from "@/lib/actor";
import type { ConsentDecision } from "@/lib/grants/schema";
import { createHttpServer } from "@/lib/http/server";
import { authorizeEndpoint } from "@/lib/oauth/authorize-endpoint";
import { decideConsent, readConsent } from "@/lib/oauth/consent";
import { introspectEndpoint } from "@/lib/oauth/introspect-endpoint";
import { authorizationServer, documentReply } from "@/lib/oauth/metadata";
import { registrationEndpoint } from "@/lib/oauth/registration-endpoint";
import { revokeEndpoint } from "@/lib/oauth/revoke-endpoint";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { configure } from "./change-settings";

const endpoints: Record<string, (request: Request) => Response | Promise<Response>> = {
  "/.well-known/oauth-authorization-server": () => documentReply(authorizationServer()),
  "/.well-known/jwks.json": async () => Response.json({ keys: await publicKeys() }),
  "/oauth/authorize": (request) => authorizeEndpoint(request, async () => true),
  "/oauth/introspect": introspectEndpoint,
  "/oauth/register": registrationEndpoint,
  "/oauth/revoke": revokeEndpoint,
  "/oauth/token": tokenEndpoint,
};

/**
 * Starts the API and the OAuth endpoints over HTTP, for OAuth clients in other processes. There is
 * no consent page. Tests call `consent` instead.
 */
export async function oauthService() {
  const { server, drain } = createHttpServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(() => {
    configure({ PUBLIC_URL: url });
  });
  afterAll(async () => {
    await drain(500);
    configure({ PUBLIC_URL: undefined });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? "/", url);
    const body = req.method === "POST" ? { body: Readable.toWeb(req) as ReadableStream, duplex: "half" } : {};
    const headers = Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const request = new Request(url + req.url, { method: req.method ?? "GET", headers, ...body });
    const response = (await endpoints[pathname]?.(request)) ?? new Response("Not found", { status: 404 });
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }
  return { url };
}

/**
 * Follows an app's link as an owner, and decides.
 * @returns the redirect with the code or the error
 */
export async function consent(
  owner: SessionOwner & { session: string },
  link: string,
  how: Partial<ConsentDecision> = {},
) {
  const sent = await fetch(link, { redirect: "manual" });
  const page = sent.headers.get("location") ?? "";
  const id = /\/consent\/(con_\w+)$/.exec(page)?.[1];
  if (!id) throw new Error(`No consent page: ${sent.status} ${page} ${await sent.text()}`);
  const { csrf, requested } = await readConsent(owner, id);
  const scopes = requested.map(({ scope }) => scope);
  return (await decideConsent(owner, id, { csrf, allow: true, scopes, ...how })).redirectTo;
}
