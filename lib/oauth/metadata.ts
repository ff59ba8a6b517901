import { env } from "@/lib/config/env";
import { cors, preflight } from "@/lib/net/cors";
import { scopeNames, usualScopes } from "@/lib/scopes";
import { grantTypes } from "./token-endpoint";

const withSecret = ["client_secret_basic", "client_secret_post"];

/** What receipts are signed with, and where people read on: for whoever begins at a document. */
const jwksUri = () => `${env().publicUrl}/.well-known/jwks.json`;
const documentation = () => `${env().publicUrl}/docs`;

/** Where OAuth clients learn how to be let in (RFC 8414). Only what there is; never taken from the request. */
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
    pushed_authorization_request_endpoint: `${publicUrl}/oauth/par`,
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

/** Each protected resource by the path of its document (RFC 9728 section 3.1); the bare origin is another name of /api. */
const resources: Record<string, { path: string; name: string }> = {
  "": { path: "", name: "Countersign" },
  api: { path: "/api", name: "Countersign API" },
  "api/mcp": { path: "/api/mcp", name: "Countersign MCP" },
};

/** The document of one resource, or undefined. @param path what follows /.well-known/oauth-protected-resource, without slashes around it */
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

/** A discovery document, for any origin to read, or 404. */
export const documentReply = (document: object | undefined): Response =>
  document
    ? Response.json(document, { headers: { ...cors, "cache-control": "public, max-age=300" } })
    : Response.json({ error: "Not found" }, { status: 404, headers: { ...cors, "cache-control": "no-store" } });

/** MCP clients in a browser send a header of their own, and so ask first. */
export const documentPreflight = (): Response => preflight("GET, HEAD");
