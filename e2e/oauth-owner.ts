import type { APIRequestContext, Page } from "@playwright/test";
import { type Scope, scopes } from "@/lib/scopes";
import { serviceUrl } from "./fixtures";

/** A scope's checkbox on a consent screen, located by its sentence. */
export const boxOf = (page: Page, scope: Scope) =>
  page.getByRole("checkbox", { name: new RegExp(`^${scopes[scope].sentence}(?! and see)`) });

/**
 * Posts a form as the owner's browser would from a page of the service.
 * @returns the response, without following redirects
 */
export const post = (http: APIRequestContext, path: string, fields: [string, string][]) =>
  http.post(path, {
    data: new URLSearchParams(fields).toString(),
    headers: { origin: serviceUrl(), "content-type": "application/x-www-form-urlencoded" },
    maxRedirects: 0,
  });

/**
 * The owner follows an app's link to the consent page.
 * @returns the page's URL and its form's CSRF token
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
 * @returns the redirect that contains the code
 */
export async function allowAt(http: APIRequestContext, authorizeUrl: string | URL, scopes: string[]): Promise<URL> {
  const { page, csrf } = await openConsent(http, authorizeUrl);
  const selected = scopes.map((scope): [string, string] => ["scope", scope]);
  const answer = await post(http, `${page}/decide`, [["csrf", csrf], ["decision", "allow"], ...selected]);
  return new URL(answer.headers().location ?? "");
}
