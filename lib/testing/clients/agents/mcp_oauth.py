import asyncio
import os
import sys
from urllib.parse import parse_qs, urlparse
from urllib.request import urlopen

url, token = sys.argv[1], (sys.argv[2:] or [None])[0]
question = {"question": "Ship build 418?", "options": ["Ship now", "Wait"]}


class Memory:
    """The storage for an MCP client's registration and tokens."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def oauth():
    """MCP's OAuth flow, without any configuration."""
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared import auth

    back = {}

    def follow(link):
        with urlopen(os.environ["OWNER"] + "/allow", link.encode()) as reply:
            return parse_qs(urlparse(reply.read().decode()).query)

    async def go(link):
        back.update(await asyncio.to_thread(follow, link))

    async def come():
        found = {name: value for name, [value] in back.items()}
        newer = hasattr(auth, "AuthorizationCodeResult")  # mcp 2
        return auth.AuthorizationCodeResult(**found) if newer else (found["code"], found["state"])

    who = auth.OAuthClientMetadata(client_name="Agent in Python", redirect_uris=["http://localhost:3030/callback"])
    return OAuthClientProvider(url, who, Memory(), go, come)


def access():
    """Authenticates with the given token, or with OAuth."""
    if token:
        return {"headers": {"Authorization": f"Bearer {token}"}}
    return {"auth": oauth()}
