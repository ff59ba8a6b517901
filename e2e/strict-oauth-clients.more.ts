import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { approveDevice } from "./approve-device";
import { expect, serviceUrl, test } from "./fixtures";
import { randomLetters, statusOf } from "./oauth-app";
import { allowAt } from "./oauth-owner";

// Strict third-party OAuth clients, configured only with our URL.
const callback = "http://127.0.0.1:7777/callback";
const scope = "approvals:read approvals:write";
const overHttp = { [oauth.allowInsecureRequests]: true };

/** Discovers the server and registers a public client with the library's own functions. */
async function oauth4webapiClient() {
  const issuer = new URL(serviceUrl());
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...overHttp });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const registration = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: `Strict ${randomLetters()}`,
      redirect_uris: [callback],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    },
    overHttp,
  );
  const client = await oauth.processDynamicClientRegistrationResponse(registration);
  return { server, client };
}

test("completes every step from registration to revocation with oauth4webapi", async ({
  page: { request: http },
  owner: _,
}) => {
  const { server, client } = await oauth4webapiClient();
  const auth = oauth.None();
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: callback,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${serviceUrl()}/api`,
  }).toString();
  const back = await allowAt(http, url, ["approvals:read", "approvals:write"]);
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const redeemed = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, callback, verifier, overHttp),
  );
  expect(await statusOf(redeemed.access_token, "/api/approvals")).toBe(200);
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, auth, redeemed.refresh_token ?? "", overHttp),
  );
  expect(await statusOf(refreshed.access_token, "/api/approvals")).toBe(200);
  const revoking = oauth.revocationRequest(server, client, auth, refreshed.refresh_token ?? "", overHttp);
  await oauth.processRevocationResponse(await revoking);
  expect(await statusOf(refreshed.access_token, "/api/approvals")).toBe(401);
});

test("completes the device flow with oauth4webapi", async ({ page: { request: http }, owner: _ }) => {
  const { server, client } = await oauth4webapiClient();
  const auth = oauth.None();
  const asking = oauth.deviceAuthorizationRequest(server, client, auth, { scope }, overHttp);
  const asked = await oauth.processDeviceAuthorizationResponse(server, client, await asking);
  await approveDevice(http, asked.user_code, ["approvals:read"]);
  const polling = oauth.deviceCodeGrantRequest(server, client, auth, asked.device_code, overHttp);
  const tokens = await oauth.processDeviceCodeResponse(server, client, await polling);
  expect(tokens.scope).toBe("approvals:read");
  expect(await statusOf(tokens.access_token, "/api/approvals")).toBe(200);
});

test("completes every step from discovery to revocation with openid-client", async ({
  page: { request: http },
  owner: _,
}) => {
  test.setTimeout(60_000);
  const config = await openid.dynamicClientRegistration(
    new URL(serviceUrl()),
    {
      client_name: `Certain ${randomLetters()}`,
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    },
    undefined,
    { algorithm: "oauth2", execute: [openid.allowInsecureRequests] },
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope,
    state: expectedState,
    code_challenge_method: "S256",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  });
  const back = await allowAt(http, url, ["approvals:read"]);
  const redeemed = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  expect(redeemed.scope).toBe("approvals:read");
  const refreshed = await openid.refreshTokenGrant(config, redeemed.refresh_token ?? "");
  expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true });

  const device = await openid.initiateDeviceAuthorization(config, { scope });
  await approveDevice(http, device.user_code, ["approvals:write"]);
  const polled = await openid.pollDeviceAuthorizationGrant(config, device);
  expect(polled.scope).toBe("approvals:write");

  await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
  expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
  expect(await statusOf(polled.access_token, "/api/integrations")).toBe(200);
});
