import { env } from "@/lib/config/env";
import { mailClient } from "./mail/mail-provider-client";
import { type Access, accesses, type Bucket, buckets } from "./providers/access-types";
import { githubProvider } from "./providers/github";
import type { OAuthProvider } from "./providers/oauth-provider";
import { oidcProvider } from "./providers/oidc";
import { type Provider, type ProviderClient, ProviderFault } from "./providers/provider";
import * as tables from "./providers/scope-tables";

/*
 * The only list of providers. They differ in protocol (`providers/oidc.ts`, `providers/github.ts`,
 * `mail/mail-provider-client.ts`) and scopes (`providers/scope-tables.ts`). A new `StatusReason` needs a
 * sentence in `reconnect-notice.ts`, and a few words in
 * `lib/events/linked-account-event-descriptions.ts`. Tests link at
 * `lib/testing/identity-provider.ts`, or use `lib/testing/working-linked-accounts.ts`.
 */

/** A catalog entry, with the provider's client. */
type Entry = Omit<Provider, "offers" | "ready"> & {
  scopes: tables.ScopeTable;
  /**
   * Returns the provider's client. It is `true` for mail, and absent if the operator has not set
   * the provider up.
   */
  ready?: (() => OAuthProvider) | true | undefined;
};

/** Returns all providers, in display order. */
function entries(): Entry[] {
  const { google, microsoft, github, oidcProviders } = env();
  return [
    {
      id: "google",
      name: "Google",
      kind: "oauth",
      scopes: tables.googleScopes,
      variables: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
      ready:
        google &&
        (() =>
          oidcProvider({
            id: "google",
            issuer: "https://accounts.google.com",
            ...google,
            // Google issues another refresh token only after another consent:
            // https://developers.google.com/identity/protocols/oauth2/web-server
            parameters: (again) => ({
              access_type: "offline",
              include_granted_scopes: "true",
              prompt: again ? "consent" : "select_account consent",
            }),
          })),
    },
    {
      id: "microsoft",
      name: "Microsoft",
      kind: "oauth",
      scopes: tables.microsoftScopes,
      variables: ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"],
      ready:
        microsoft &&
        (() =>
          oidcProvider({
            id: "microsoft",
            ...microsoft,
            issuer: `https://login.microsoftonline.com/${microsoft.tenant}/v2.0`,
            // Microsoft accepts only one value for `prompt`, and asks for consent by itself if it
            // is missing.
            parameters: (again) => ({ prompt: again ? "consent" : "select_account" }),
          })),
    },
    {
      id: "github",
      name: "GitHub",
      kind: "oauth",
      scopes: tables.noScopes,
      variables: ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
      ready: github && (() => githubProvider(github)),
    },
    ...oidcProviders.map(
      (provider): Entry => ({
        id: provider.id,
        name: provider.name,
        kind: "oauth",
        variables: ["OIDC_PROVIDERS"],
        scopes: tables.writtenScopes(provider.scopes),
        ready: () => oidcProvider(provider),
      }),
    ),
    { id: "mail", name: "Mail server", kind: "mail", variables: [], scopes: tables.mailScopes, ready: true },
  ];
}

const find = (id: string) => entries().find((entry) => entry.id === id);

/** Returns all providers in the catalog, including those that the operator has not set up. */
export const providers = (): Provider[] => entries().map(asProvider);

export const providerById = (id: string): Provider | undefined => {
  const entry = find(id);
  return entry && asProvider(entry);
};

const asProvider = ({ id, name, kind, variables, ready, scopes: { asks } }: Entry): Provider => ({
  id,
  name,
  kind,
  variables,
  ready: ready !== undefined,
  offers: accesses.filter((access) => asks[access]),
});

/**
 * Returns the provider's scopes for the access that an owner selected. Does not include the scopes
 * for identity.
 */
export function scopesFor(id: string, chosen: readonly Access[]): string[] {
  const asks = find(id)?.scopes.asks ?? {};
  return [...new Set(accesses.filter((access) => chosen.includes(access)).flatMap((access) => asks[access] ?? []))];
}

/** Returns the access that these granted scopes give, in the order of `accesses`. */
export function accessesOf(id: string, scopes: readonly string[]): Access[] {
  const table = find(id)?.scopes ?? tables.noScopes;
  const given = new Set(scopes.flatMap((scope) => table.gives(scope, scopes)));
  return accesses.filter((access) => given.has(access));
}

/**
 * Returns the types of data to which these granted scopes give access. Always includes identity.
 */
export function bucketsOf(id: string, scopes: readonly string[]): Bucket[] {
  const kinds = new Set(accessesOf(id, scopes).map((access) => access.split(".")[0]));
  return buckets.filter((bucket) => bucket === "identity" || kinds.has(bucket));
}

/**
 * Returns the client for a provider that the operator has set up.
 * @throws {ProviderFault} not_configured
 */
export function oauthOf(id: string): OAuthProvider {
  const ready = find(id)?.ready;
  if (typeof ready === "function") return ready();
  throw new ProviderFault("not_configured", false, "the provider is not set up");
}

/** Returns the client for linked accounts. @throws {ProviderFault} not_configured */
export const clientFor = (id: string): ProviderClient => (id === "mail" ? mailClient : oauthOf(id));
