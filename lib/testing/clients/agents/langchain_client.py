import asyncio

from langchain_mcp_adapters.client import MultiServerMCPClient
from mcp_oauth import access, question, url


async def main():
    server = {"transport": "streamable_http", "url": url, **access()}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"countersign": server}).get_tools()}
    print("tools", *sorted(tools))
    print("heard", (await tools["ask_owner"].ainvoke(question))[0]["text"])


asyncio.run(main())
