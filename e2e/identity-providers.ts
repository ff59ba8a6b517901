import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { identityAt } from "@/lib/testing/identity-provider";

/** One of this run's providers by its catalog ID. */
export function identity(id: "corp" | "uni" | "moody") {
  const settings = JSON.parse(process.env.OIDC_PROVIDERS ?? "[]") as { id: string; issuer: string }[];
  return identityAt(settings.find((each) => each.id === id)?.issuer ?? "");
}

/** An account name that no other test uses. Its email at Corp is `<name>@corp.example`. */
export const someAccount = () => `robin-${randomBytes(4).toString("hex")}`;

/** Signs in at the provider, clears some requested scopes, and allows the others. */
export async function allowThere(page: Page, account: string, { untick = [] as string[], deny = false } = {}) {
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
  for (const scope of untick) await page.getByRole("checkbox", { name: scope }).uncheck();
  await page.getByRole("button", { name: deny ? "Deny" : "Allow" }).click();
}

/** Submits the form with the selected permissions, and goes to the provider. */
export async function setOut(page: Page, provider: "Corp" | "Uni" | "Moody", ...ticks: string[]) {
  await page.goto(`/integrations/link/${provider.toLowerCase()}`);
  for (const tick of ticks) await page.getByRole("checkbox", { name: tick }).check();
  await page.getByRole("button", { name: `Continue to ${provider}` }).click();
}
