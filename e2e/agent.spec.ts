import type { Page } from "@playwright/test";
import { anApp } from "@/lib/testing/factories";
import { mcpClient, revisions } from "@/lib/testing/mcp";
import { aGrantedToken } from "@/lib/testing/oauth";
import { expect, type Owner, serviceUrl, test } from "./fixtures";
import { settle } from "./inbox";
import { npmExec } from "./npm-exec";

// An agent asks through somebody else's MCP client, a person answers in a browser, and the agent goes on.

const url = () => new URL(`${serviceUrl()}/api/mcp`);

async function aToken(owner: Owner): Promise<string> {
  const app = await anApp(undefined, { public: true });
  const scope = "approvals:write approvals:read notifications:write";
  return (await aGrantedToken({ owner, app }, { scope, resource: url().href })).token;
}

const question = "Ship build 418 to production?";
const options = [
  { id: "ship", label: "Ship now" },
  { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
];

async function choose(page: Page, label: RegExp) {
  const button = page.getByRole("button", { name: label });
  await expect(button).toBeVisible({ timeout: 60_000 });
  await settle(page);
  await button.click();
}

for (const revision of revisions) {
  test(`with a client of ${revision}: asks, the owner answers, it tells what came of it`, async ({ page, owner }) => {
    test.setTimeout(90_000);
    const client = await mcpClient(url(), await aToken(owner), revision);
    await client.tools();
    await page.goto("/approvals");
    const progress: (string | undefined)[] = [];
    const answer = client.call(
      "ask_owner",
      { question, options },
      { onprogress: ({ message }) => progress.push(message) },
    );
    await choose(page, /Wait for the soak test/);
    expect(await answer).toMatchObject({
      text: 'The owner chose option id "wait" (label "Wait for the soak test"). Do that, and nothing more.',
      data: { status: "resolved", resolution: { kind: "option", optionId: "wait", resolvedBy: "owner" } },
    });
    expect(progress[0]).toMatch(/^Waiting for the owner to answer apr_/);
    await client.call("notify_owner", { title: "Build 418 waits", body: "As you said." });
    await page.goto("/notifications");
    await expect(page.getByText("Build 418 waits", { exact: true })).toBeVisible();
    await client.close();
  });
}

test("with the inspector's command line", async ({ page, owner }) => {
  test.setTimeout(180_000);
  const token = await aToken(owner);
  await page.goto("/approvals");
  const asked = npmExec("@modelcontextprotocol/inspector@2.12.0", [
    ...["mcp-inspector", "--cli", "--server-url", url().href, "--transport", "http"],
    ...["--header", `Authorization: Bearer ${token}`, "--method", "tools/call", "--tool-name", "ask_owner"],
    ...["--tool-arg", `question=${question}`, "--tool-arg", `options=${JSON.stringify(options)}`],
  ]);
  const button = page.getByRole("button", { name: /Ship now/ });
  await Promise.race([expect(button).toBeVisible({ timeout: 150_000 }), asked]);
  if (await button.isVisible()) await choose(page, /Ship now/);
  const { status, said } = await asked;
  expect({ status, said }).toEqual({
    status: 0,
    said: expect.stringContaining(String.raw`The owner chose option id \"ship\"`),
  });
});
