import os
import sys
from urllib.request import urlopen

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
service, client_id, method, secret = sys.argv[1:5]
callback = "http://localhost:3030/callback"
scope = "approvals:read approvals:write"
authorize, token, revoke, approvals = (
    service + path for path in ("/oauth/authorize", "/oauth/token", "/oauth/revoke", "/api/approvals")
)


def allow(link):
    """Follow a link in the owner's browser. Returns the redirect with the code."""
    with urlopen(os.environ["OWNER"] + "/allow", link.encode()) as reply:
        return reply.read().decode()
