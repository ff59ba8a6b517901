import asyncio

from agents.mcp import MCPServerStreamableHttp
from mcp_oauth import access, question, url


async def main():
    async with MCPServerStreamableHttp({"url": url, **access()}, client_session_timeout_seconds=60) as server:
        print("tools", *sorted(tool.name for tool in await server.list_tools()))
        print("heard", (await server.call_tool("ask_owner", question)).content[0].text)


asyncio.run(main())
