import { deflateRawSync, inflateRawSync } from "node:zlib";
import { cookies, headers } from "next/headers";
import type { ActionResult } from "./action-result";
import { cookieName, isSecure } from "./cookie-options";

/**
 * The result of a form that was sent without scripts, for the next page. The browser carries it in
 * cookies that last some seconds and that no script can read. (Scripts receive results directly.)
 */
export type FlashMessage = {
  /** The path of the page that shows the flash. */
  page: string;
  /** The action, and one of the page's forms (`targetOf`). */
  act: string;
  about: string;
  result: ActionResult<unknown>;
};

/** The lifetime of the cookies, in seconds, during which the next page must load. */
const seconds = 20;
/** Browsers allow 4 KiB for a cookie. A result with a long note needs two cookies. */
const maxCookieBytes = 3_800;
const parts = 2;

const nameOf = (part: number) => cookieName(`said-${part}`);

/** Returns the cookies that carry the result. Undefined if the result is too long for them. */
export function flashCookies(flash: FlashMessage): string[] | undefined {
  const text = deflateRawSync(JSON.stringify(flash)).toString("base64url");
  if (text.length > maxCookieBytes * parts) return undefined;
  const attributes = `path=/; max-age=${seconds}; httponly; samesite=strict${isSecure() ? "; secure" : ""}`;
  // An empty cookie replaces a previous one.
  return Array.from({ length: parts }, (_, part) => {
    const piece = text.slice(part * maxCookieBytes, (part + 1) * maxCookieBytes);
    return `${nameOf(part)}=${piece}; ${attributes}`;
  });
}

/**
 * Returns the flash for the requested page. Ignores a flash that can't be read. For layouts and
 * pages.
 */
export async function readFlash(): Promise<FlashMessage | undefined> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const text = Array.from({ length: parts }, (_, part) => jar.get(nameOf(part))?.value ?? "").join("");
  if (!text) return undefined;
  try {
    const flash: FlashMessage = JSON.parse(
      inflateRawSync(Buffer.from(text, "base64url"), { maxOutputLength: 100_000 }).toString(),
    );
    return flash.page === head.get("x-countersign-path") ? flash : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a form by its hidden fields, to distinguish the forms of one action. */
export function targetOf(form: FormData): string {
  const named = form.get("id") ?? form.get("ids") ?? form.get("setting") ?? form.get("clientId");
  return typeof named === "string" ? named : "";
}
