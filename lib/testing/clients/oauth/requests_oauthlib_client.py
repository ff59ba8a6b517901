from requests_oauthlib import OAuth2Session
from client_setup import allow, approvals, authorize, callback, client_id, revoke, scope, secret, token

app = OAuth2Session(client_id, scope=scope.split(), redirect_uri=callback, pkce="S256")
link, _ = app.authorization_url(authorize)
app.fetch_token(token, authorization_response=allow(link), client_secret=secret)
print("granted", app.get(approvals).status_code)
app.refresh_token(token, auth=(client_id, secret))
print("refreshed", app.get(approvals).status_code)
app.post(revoke, data={"token": app.token["refresh_token"]}, auth=(client_id, secret), withhold_token=True)
print("revoked", app.get(approvals).status_code)
