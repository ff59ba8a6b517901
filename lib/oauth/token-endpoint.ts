import { type Resource, resourceOf } from "@/lib/access/resource-indicator";
import type { Client } from "@/lib/apps/apps";
import { authenticateClient, clientAddressOf, TokenError } from "./client-authentication";
import { formEndpoint, optionalParam, requiredParam } from "./form-endpoint";
import { redeemCode } from "./redeem-code";
import { deviceGrant, redeemDeviceCode } from "./redeem-device-code";
import { refresh } from "./refresh";
import type { IssuedTokens } from "./token-issuance";

type TokenRequest = { form: URLSearchParams; resource: Resource | undefined; address: string };
type Grant = (client: Client, asked: TokenRequest) => Promise<IssuedTokens>;

/** Exchange handlers by grant_type. */
const grants: Record<string, Grant> = {
  authorization_code: (client, { form, resource }) =>
    redeemCode(client, {
      code: requiredParam(form, "code"),
      verifier: optionalParam(form, "code_verifier"),
      resource,
      redirectUri: optionalParam(form, "redirect_uri"),
    }),
  refresh_token: (client, { form, ...rest }) =>
    refresh(client, {
      refreshToken: requiredParam(form, "refresh_token"),
      scope: optionalParam(form, "scope"),
      ...rest,
    }),
  [deviceGrant]: (client, { form }) => redeemDeviceCode(client, requiredParam(form, "device_code")),
};

export const grantTypes = Object.keys(grants);

/**
 * Handles POST /oauth/token (RFC 6749 section 3.2). The response also contains the owner's ID,
 * which receipts and webhooks contain too. Never throws.
 */
export const tokenEndpoint = formEndpoint(async (request, form) => {
  const grantType = requiredParam(form, "grant_type");
  const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined;
  if (!grant) throw new TokenError("unsupported_grant_type", `grant_type must be one of ${grantTypes.join(", ")}`);
  const client = await authenticateClient(request, form);
  if (!client.grantTypes.includes(grantType)) {
    throw new TokenError(
      "unauthorized_client",
      "The client is not registered for this grant_type. Register the client with this grant_type.",
    );
  }
  const named = optionalParam(form, "resource");
  const resource = named === undefined ? undefined : resourceOf(named);
  if (named !== undefined && !resource)
    throw new TokenError("invalid_target", "resource must be the full URL of this service's /api or /api/mcp");
  const { token, refreshToken, expiresIn, scopes, ownerId } = await grant(client, {
    form,
    resource,
    address: clientAddressOf(request),
  });
  return {
    access_token: token,
    token_type: "Bearer",
    expires_in: expiresIn,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope: scopes.join(" "),
    owner: ownerId,
  };
});
