import type { Page } from "@playwright/test";
import { anApp } from "@/lib/testing/factories";
import { aGrantedToken } from "@/lib/testing/oauth-flow";
import { expect, type Owner, serviceUrl } from "./fixtures";
import { settle } from "./inbox";

export const url = () => new URL(`${serviceUrl()}/api/mcp`);

export async function aToken(owner: Owner): Promise<string> {
  const app = await anApp(undefined, { public: true });
  const scope = "approvals:write approvals:read notifications:write";
  return (await aGrantedToken({ owner, app }, { scope, resource: url().href })).token;
}

export const question = "Ship build 418 to production?";
export const options = [
  { id: "ship", label: "Ship now" },
  { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
];

export async function choose(page: Page, label: RegExp) {
  const button = page.getByRole("button", { name: label });
  await expect(button).toBeVisible();
  await settle(page);
  await button.click();
}
