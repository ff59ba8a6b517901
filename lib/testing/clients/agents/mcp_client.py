import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_oauth import oauth, question, url


async def main():
    async with httpx2.AsyncClient(auth=oauth(), timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            print("tools", *sorted(tool.name for tool in (await client.list_tools()).tools))
            print("heard", (await client.call_tool("ask_owner", question)).content[0].text)


asyncio.run(main())
