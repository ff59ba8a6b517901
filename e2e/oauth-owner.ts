import type { APIRequestContext, Page } from "@playwright/test";
import { type Scope, scopes } from "@/lib/scopes";
import { serviceUrl } from "./fixtures";

/** The box of a scope on a consent screen, which has its sentence and never its name. */
export const boxOf = (page: Page, scope: Scope) => page.getByRole("checkbox", { name: scopes[scope].sentence });

/**
 * A form as the owner's browser posts it from one of our own pages.
 * @returns the answer, its redirect not followed
 */
export const post = (http: APIRequestContext, path: string, fields: [string, string][]) =>
  http.post(path, {
    data: new URLSearchParams(fields).toString(),
    headers: { origin: serviceUrl(), "content-type": "application/x-www-form-urlencoded" },
    maxRedirects: 0,
  });

/**
 * The owner follows an app's link to the consent page.
 * @returns the page's address and its form's tag
 */
export async function openConsent(http: APIRequestContext, authorizeUrl: string | URL) {
  const reply = await http.get(String(authorizeUrl), { maxRedirects: 0 });
  const page = reply.headers().location ?? "";
  if (!page.includes("/consent/")) throw new Error(`no consent page: ${reply.status()} ${page}`);
  const csrf = /name="csrf" value="([\w-]+)"/.exec(await (await http.get(page)).text())?.[1] ?? "";
  return { page, csrf };
}

/**
 * The owner follows an app's link and allows these scopes.
 * @returns where that leads, with the code
 */
export async function allowAt(http: APIRequestContext, authorizeUrl: string | URL, scopes: string[]): Promise<URL> {
  const { page, csrf } = await openConsent(http, authorizeUrl);
  const ticked = scopes.map((scope): [string, string] => ["scope", scope]);
  const answer = await post(http, `${page}/decide`, [["csrf", csrf], ["decision", "allow"], ...ticked]);
  return new URL(answer.headers().location ?? "");
}
