import { env } from "@/lib/config/env";
import { cors, preflight } from "@/lib/net/cors";
import { scopeNames, usualScopes } from "@/lib/scopes";
import { grantTypes } from "./token-endpoint";

const withSecret = ["client_secret_basic", "client_secret_post"];

/**
 * The URLs of the receipt keys and of the documentation, for clients that start from this document.
 */
const jwksUri = () => `${env().publicUrl}/.well-known/jwks.json`;
const documentation = () => `${env().publicUrl}/docs`;

/**
 * Returns the OAuth server metadata (RFC 8414). Its URLs come from PUBLIC_URL, never from the
 * request's host.
 */
export function authorizationServer() {
  const { publicUrl } = env();
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    device_authorization_endpoint: `${publicUrl}/oauth/device_authorization`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    introspection_endpoint: `${publicUrl}/oauth/introspect`,
    jwks_uri: jwksUri(),
    service_documentation: documentation(),
    client_id_metadata_document_supported: true,
    scopes_supported: scopeNames,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: ["none", ...withSecret],
    revocation_endpoint_auth_methods_supported: ["none", ...withSecret],
    introspection_endpoint_auth_methods_supported: withSecret,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
}

/**
 * The protected resources, by the path of their documents (RFC 9728 section 3.1). The bare origin
 * is an alias of /api.
 */
const resources: Record<string, { path: string; name: string }> = {
  "": { path: "", name: "Countersign" },
  api: { path: "/api", name: "Countersign API" },
  "api/mcp": { path: "/api/mcp", name: "Countersign MCP" },
};

/**
 * Returns a resource's document. Undefined if there is none.
 * @param path the part after /.well-known/oauth-protected-resource, without leading or trailing
 * slashes
 */
export function protectedResource(path: string) {
  const found = Object.hasOwn(resources, path) ? resources[path] : undefined;
  if (!found) return undefined;
  const { publicUrl } = env();
  return {
    resource: `${publicUrl}${found.path}`,
    resource_name: found.name,
    authorization_servers: [publicUrl],
    scopes_supported: usualScopes,
    bearer_methods_supported: ["header"],
    jwks_uri: jwksUri(),
    resource_documentation: documentation(),
  };
}

/**
 * Returns a response with a discovery document, which pages of any origin may read. 404 without a
 * document.
 */
export const documentReply = (document: object | undefined): Response =>
  document
    ? Response.json(document, { headers: { ...cors, "cache-control": "public, max-age=300" } })
    : Response.json({ error: "Not found" }, { status: 404, headers: { ...cors, "cache-control": "no-store" } });

/** Responds to the preflight requests of MCP clients in browsers, which send a custom header. */
export const documentPreflight = (): Response => preflight("GET, HEAD");
