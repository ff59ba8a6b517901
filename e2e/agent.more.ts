import { aToken, choose, options, question, url } from "./agent";
import { expect, test } from "./fixtures";
import { npmExec } from "./npm-exec";

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
