import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "./fixtures";
import { settle } from "./inbox-locators";

const run = promisify(execFile);

/** The shell blocks of the README's five-minute path, in order. */
const blocks = () => {
  const readme = readFileSync("README.md", "utf8");
  const path = readme.slice(readme.indexOf("## Five minutes"), readme.indexOf("## For owners"));
  return [...path.matchAll(/^ {3}```sh\n([\s\S]*?)^ {3}```$/gm)].map(([, block = ""]) => block.replace(/^ {3}/gm, ""));
};

test("completes the README's steps to the first approval", async ({ page, emptyService }) => {
  test.setTimeout(180_000);
  const { url, setupLink, environment } = emptyService;
  const [script, submit, read, program, agent] = blocks() as [string, string, string, string, string];
  expect(blocks()).toHaveLength(5);

  const answer = async (name: RegExp) => {
    await expect(page.getByRole("button", { name })).toBeVisible();
    await settle(page);
    await page.getByRole("button", { name }).click();
  };
  await page.goto(setupLink);
  await page.getByLabel("Your name").fill("You");
  await page.getByLabel("Email").fill("you@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long password of mine");
  await page.getByRole("button", { name: "Create your account" }).click();
  await answer(/Not now/);

  /**
   * A single shell would hide a variable that is not exported. Only exported variables are passed
   * to the next block.
   */
  const exported: Record<string, string> = {};
  const shell = async (block: string, cwd = process.cwd()) => {
    const script = `set -eo pipefail\n${block.replaceAll("http://localhost:3000", url).replaceAll("YOUR_EMAIL", "you@example.com")}\nenv -0 | grep -zE '^(COUNTERSIGN_URL|COUNTERSIGN_TOKEN|ID)=' >&2 || true`;
    const { stdout, stderr } = await run("bash", ["-c", script], {
      cwd,
      env: { ...process.env, SECRET: "", ...environment, ...exported },
    });
    for (const line of stderr.split("\0")) {
      const found = /(COUNTERSIGN_URL|COUNTERSIGN_TOKEN|ID)=(.*)$/s.exec(line);
      if (found) exported[found[1] as string] = found[2] as string;
    }
    return stdout;
  };
  const shipped = shell(script);
  await answer(/\bship\b/);
  expect(await shipped).toBe("ship\nShipping 418\n");
  expect(exported).toMatchObject({ COUNTERSIGN_TOKEN: expect.stringMatching(/^csn_pat_/) });

  await page.goto(`${url}/approvals`);
  await shell(submit);
  expect(exported).toMatchObject({ ID: expect.stringMatching(/^apr_/) });
  await answer(/Wait for the soak test/);
  await expect
    .poll(async () => JSON.parse(await shell(read)))
    .toMatchObject({
      status: "resolved",
      resolution: { kind: "option", optionId: "wait", resolvedBy: "owner" },
    });

  const folder = mkdtempSync(join(tmpdir(), "countersign-readme-"));
  await page.goto(`${url}/approvals`);
  const decided = shell(program, folder);
  await answer(/\bWait\b/);
  expect(await decided).toBe("Not now: wait\n");
  rmSync(folder, { recursive: true });

  // The agent's own program would read the same text, which contains the tool list.
  const told = await shell(`claude() { printf '%s\\n' "$@"; }\n${agent}`);
  const [authorization = ""] = /Bearer csn_pat_\w+/.exec(told) ?? [];
  expect(told).toContain(`${url}/api/mcp\n`);
  const accept = "application/json, text/event-stream";
  const headers = { authorization, accept, "content-type": "application/json" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const tools = await fetch(`${url}/api/mcp`, { method: "POST", headers, body });
  expect([tools.status, await tools.text()]).toEqual([200, expect.stringContaining('"ask_owner"')]);
});
