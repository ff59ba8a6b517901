import { randomBytes } from "node:crypto";
import type { AppActor } from "@/lib/actor";
import type { ConsentDecision } from "@/lib/grants/schema";
import { sha256 } from "@/lib/keys/crypto";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { authorizeEndpoint } from "@/lib/oauth/authorize-endpoint";
import { decideConsent, readConsent } from "@/lib/oauth/consent";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";
import type { Scope } from "@/lib/scopes";
import { anApp, anOwner } from "./factories";

/* An app's complete flow to a token, through the endpoints: authorize, consent, token. */

export const newVerifier = () => randomBytes(32).toString("base64url");
export const challengeOf = (verifier: string) => sha256(verifier).toString("base64url");

/**
 * Calls GET /oauth/authorize without the undefined parameters. `extra` is appended to the URL.
 * `from` is the sender's address, by default a new one.
 */
export function authorize(
  parameters: Record<string, string | undefined>,
  { extra = "", signedIn = false, from = randomBytes(8).toString("hex") } = {},
) {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const url = `http://localhost:3000/oauth/authorize?${query}${extra}`;
  return authorizeEndpoint(new Request(url, { headers: { "x-countersign-address": from } }), async () => signedIn);
}

/**
 * Calls POST /oauth/token. `basic` is sent in the Authorization header. `from` is the sender's
 * address.
 */
export const askToken = (form: Form, basic?: [string, string], from?: string) =>
  askForm(tokenEndpoint, form, basic, from);

type Form = Record<string, string | undefined> | string;

/** Posts a form to an endpoint. */
export function askForm(
  endpoint: (request: Request) => Promise<Response>,
  form: Form,
  basic?: [string, string],
  from?: string,
) {
  const body =
    typeof form === "string"
      ? form
      : new URLSearchParams(
          Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ).toString();
  const authorization = basic && `Basic ${Buffer.from(basic.map(encodeURIComponent).join(":")).toString("base64")}`;
  return endpoint(
    new Request("http://localhost:3000/oauth/form", {
      method: "POST",
      body,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(authorization && { authorization }),
        ...(from && { "x-countersign-address": from }),
      },
    }),
  );
}

export type TokenReply = {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
  owner: string;
};

type RequestOptions = { scope?: string; scopes?: Scope[]; resource?: string; decision?: Partial<ConsentDecision> };
type Party = { owner: Awaited<ReturnType<typeof anOwner>>; app: Awaited<ReturnType<typeof anApp>> };

/** Creates an owner, and an app registered by another owner. */
export async function aParty(kind: { public?: boolean; redirectUris?: string[] } = {}): Promise<Party> {
  return { owner: await anOwner(), app: await anApp(undefined, { public: true, ...kind }) };
}

/**
 * Runs the flow up to the consent page.
 * @returns the consent request's ID, and the verifier
 */
export async function anOpenRequest(
  { app }: Pick<Party, "app">,
  { scope, resource }: RequestOptions = {},
  verifier = newVerifier(),
) {
  const reply = await authorize({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: app.redirectUris[0],
    state: "a state",
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    scope,
    resource,
  });
  const id = /\/consent\/(con_\w+)$/.exec(reply.headers.get("location") ?? "")?.[1];
  if (!id) throw new Error(`no consent page: ${reply.status} ${reply.headers.get("location")}`);
  return { id, verifier };
}

/**
 * Runs the flow up to the authorization code. The owner selects `scopes` or, by default, all
 * requested scopes.
 */
export async function aCode(party: Party, asking: RequestOptions = {}) {
  const { id, verifier } = await anOpenRequest(party, asking);
  const { csrf, requested } = await readConsent(party.owner, id);
  const scopes = asking.scopes ?? requested.map(({ scope }) => scope);
  const { redirectTo } = await decideConsent(party.owner, id, { csrf, allow: true, scopes, ...asking.decision });
  const code = new URL(redirectTo).searchParams.get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: party.app.redirectUris[0],
    client_id: party.app.clientId,
    ...(party.app.clientSecret && { client_secret: party.app.clientSecret }),
  };
  return { id, code, verifier, redirectTo, form };
}

/** Runs the whole flow to a token. */
export async function aGrantedToken(party: Party, asking: RequestOptions = {}) {
  const { form, ...way } = await aCode(party, asking);
  const reply = (await (await askToken(form)).json()) as TokenReply;
  return { ...way, form, reply, token: reply.access_token };
}

/**
 * Returns the app with a token as an actor.
 * @param needs the scope that its request requires
 * @param resource the resource that it calls
 */
export const bearer = (token: string, needs: Scope | null = null, resource: "api" | "mcp" = "api"): AppActor => ({
  kind: "app",
  tokenHash: hashSecret(token),
  resource,
  needs,
});
