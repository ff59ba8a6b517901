import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { bearerChallenge } from "@/lib/access/bearer-challenge";
import { forbidden, notFound, unauthorized } from "@/lib/errors";
import { authorizationServer, documentPreflight, documentReply, protectedResource } from "./metadata";

const issuer = "http://localhost:3000";

it("lists the issuer's endpoints in the authorization server metadata", async () => {
  const reply = documentReply(authorizationServer());
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  expect(await reply.json()).toEqual({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    service_documentation: `${issuer}/docs`,
    client_id_metadata_document_supported: true,
    scopes_supported: [
      "approvals:write",
      "approvals:read",
      "notifications:write",
      "notifications:read",
      "approvals:resolve",
    ],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    grant_types_supported: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    revocation_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
    introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
});

it("links to the receipt keys and the documentation in the metadata", () => {
  const { jwks_uri, service_documentation } = authorizationServer();
  for (const path of ["", "api", "api/mcp"])
    expect(protectedResource(path)).toMatchObject({ jwks_uri, resource_documentation: service_documentation });
  expect(existsSync(`app${new URL(jwks_uri).pathname}/route.ts`)).toBe(true);
  expect(existsSync(`app${new URL(service_documentation).pathname}/[[...page]]/page.tsx`)).toBe(true);
});

it("names the resource in each metadata document", () => {
  expect(protectedResource("")).toMatchObject({ resource: issuer, authorization_servers: [issuer] });
  expect(protectedResource("api")).toMatchObject({ resource: `${issuer}/api`, bearer_methods_supported: ["header"] });
  expect(protectedResource("api/mcp")).toMatchObject({
    resource: `${issuer}/api/mcp`,
    authorization_servers: [issuer],
  });
  expect(protectedResource("api")?.scopes_supported).not.toContain("approvals:resolve");
});

it.each(["api/mcp/x", "api/", "apis", "API", "__proto__", "constructor", "api/approvals"])(
  "returns no metadata document for %s",
  async (path) => {
    const reply = documentReply(protectedResource(path));
    expect(reply.status).toBe(404);
    expect(await reply.json()).toEqual({ error: "Not found" });
  },
);

it("allows MCP's protocol version header from other origins", () => {
  const reply = documentPreflight();
  expect(reply.status).toBe(204);
  expect(reply.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
});

it("describes the error in a 401 response only if the request included a token", () => {
  const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/api"`;
  const usual = 'Bearer realm="countersign"';
  expect(bearerChallenge(unauthorized(false, "why"))).toBe(`${usual}, scope="approvals:read", ${metadata}`);
  expect(bearerChallenge(unauthorized())).toBe(`${usual}, error="invalid_token", scope="approvals:read", ${metadata}`);
  expect(bearerChallenge(forbidden("approvals:write"))).toBe(
    `${usual}, error="insufficient_scope", scope="approvals:write", ${metadata}`,
  );
  expect(bearerChallenge(notFound())).toBeUndefined();
});
