from authlib.integrations.requests_client import OAuth2Session
from client_setup import allow, approvals, authorize, callback, client_id, method, revoke, scope, secret, token

verifier = "-".join(["a verifier nobody guesses"] * 2).replace(" ", "_")
how = {"redirect_uri": callback, "token_endpoint_auth_method": method, "code_challenge_method": "S256"}
app = OAuth2Session(client_id, secret or None, scope=scope, **how)
link, state = app.create_authorization_url(authorize, code_verifier=verifier)
app.fetch_token(token, authorization_response=allow(link), state=state, code_verifier=verifier)
print("granted", app.get(approvals).status_code)
app.refresh_token(token)
print("refreshed", app.get(approvals).status_code)
app.revoke_token(revoke, token=app.token["refresh_token"], token_type_hint="refresh_token")
print("revoked", app.get(approvals).status_code)
