import { resourceOf } from "@/lib/access/resource-indicator";
import { env } from "@/lib/config/env";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { scopeNames } from "@/lib/scopes";
import { askedScopes } from "./authorization-request";
import { authenticateClient, clientAddressOf, TokenError } from "./client-authentication";
import { codeSeconds, pollSeconds, requestDevice } from "./device-authorization";
import { formEndpoint, optionalParam } from "./form-endpoint";
import { deviceGrant } from "./redeem-device-code";

/** The rate limit per network. Anyone may send a request, and each one stores a row. */
const requests = { max: 200, seconds: 900 };
const tooOften = "Too many requests from your network. Try again later.";

/**
 * Handles POST /oauth/device_authorization (RFC 8628 section 3.1): issues a device code and a user
 * code. Never throws.
 */
export const deviceEndpoint = formEndpoint(async (request, form) => {
  const client = await authenticateClient(request, form);
  if (!client.grantTypes.includes(deviceGrant)) {
    throw new TokenError(
      "unauthorized_client",
      "The client is not registered for the device code grant type. Register the client with this grant type.",
    );
  }
  const resource = resourceOf(optionalParam(form, "resource") ?? env().publicUrl);
  if (!resource)
    throw new TokenError("invalid_target", "resource must be the full URL of this service's /api or /api/mcp");
  const scopes = askedScopes(optionalParam(form, "scope"));
  if (!scopes) throw new TokenError("invalid_scope", `scope may contain only ${scopeNames.join(" ")}`);
  await consumeAttempt("device-authorization", clientAddressOf(request), requests, tooOften);
  const { deviceCode, userCode } = await requestDevice(client, { scopes, resource });
  const page = `${env().publicUrl}/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: codeSeconds,
    interval: pollSeconds,
  };
});
