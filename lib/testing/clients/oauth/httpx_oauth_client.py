import asyncio
from base64 import urlsafe_b64encode
from hashlib import sha256
from urllib.parse import parse_qs, urlparse

import httpx
from httpx_oauth.oauth2 import BaseOAuth2
from client_setup import allow, approvals, authorize, callback, client_id, method, revoke, scope, secret, token


async def status(access):
    async with httpx.AsyncClient() as http:
        return (await http.get(approvals, headers={"Authorization": f"Bearer {access}"})).status_code


async def main():
    verifier = "a_verifier_nobody_guesses_" * 2
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
    app = BaseOAuth2(
        client_id,
        secret,
        authorize,
        token,
        refresh_token_endpoint=token,
        revoke_token_endpoint=revoke,
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
    )
    pkce = {"code_challenge": challenge, "code_challenge_method": "S256"}
    link = await app.get_authorization_url(callback, "a state", scope.split(), **pkce)
    back = parse_qs(urlparse(await asyncio.to_thread(allow, link)).query)
    granted = await app.get_access_token(back["code"][0], callback, verifier)
    print("granted", await status(granted["access_token"]))
    refreshed = await app.refresh_token(granted["refresh_token"])
    print("refreshed", await status(refreshed["access_token"]))
    await app.revoke_token(refreshed["refresh_token"], "refresh_token")
    print("revoked", await status(refreshed["access_token"]))


asyncio.run(main())
