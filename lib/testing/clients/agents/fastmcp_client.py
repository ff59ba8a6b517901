import asyncio

from fastmcp import Client
from mcp_oauth import question, url


async def main():
    async with Client(url, auth="oauth") as client:
        print("tools", *sorted(tool.name for tool in await client.list_tools()))
        print("heard", (await client.call_tool("ask_owner", question)).data.next)


asyncio.run(main())
