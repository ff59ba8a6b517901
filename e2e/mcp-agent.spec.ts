import { mcpClient, revisions } from "@/lib/testing/mcp-client";
import { expect, test } from "./fixtures";
import { aToken, choose, options, question, url } from "./mcp-agent";
import { sent } from "./page-html";

// An agent asks through a third-party MCP client, an owner answers in a browser, and the agent
// continues.

test("delivers the owner's answer to an agent for every MCP revision", { tag: "@more" }, async ({ page, owner }) => {
  await page.goto("/approvals");
  for (const revision of revisions) {
    await test.step(`serves a client that uses protocol revision ${revision}`, async () => {
      const client = await mcpClient(url(), await aToken(owner), revision);
      await client.tools();
      const progress: (string | undefined)[] = [];
      const answer = client.call(
        "ask_owner",
        { question, options },
        { onprogress: ({ message }) => progress.push(message) },
      );
      await choose(page, /Wait for the soak test/);
      expect(await answer).toMatchObject({
        text: 'The owner chose option id "wait" (label "Wait for the soak test"). Do exactly what the owner decided, and nothing more.',
        data: { status: "resolved", resolution: { kind: "option", optionId: "wait", resolvedBy: "owner" } },
      });
      expect(progress[0]).toMatch(/^Waiting for the owner to answer apr_/);
      const title = `Build 418 waits for ${revision}`;
      await client.call("notify_owner", { title, body: "As you said." });
      expect((await sent(page, "/notifications")).html).toContain(`>${title}<`);
      await client.close();
    });
  }
});
