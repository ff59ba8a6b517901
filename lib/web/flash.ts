import { deflateRawSync, inflateRawSync } from "node:zlib";
import { cookies, headers } from "next/headers";
import type { ActionResult } from "./action-result";
import { cookieName, isSecure } from "./cookie";

/**
 * The result of a plain form, for the next page. Scripts receive the result directly. Without
 * scripts, the browser carries the result in cookies that live for some seconds and that no script
 * can read.
 */
export type FlashMessage = {
  /** The path of the page that shows the flash. */
  page: string;
  /** The action, and one of the page's forms (`targetOf`). */
  act: string;
  about: string;
  result: ActionResult<unknown>;
};

/** The lifetime of the cookies, which allows the next page to load. */
const seconds = 20;
/** Browsers allow 4 KiB per cookie, and a long note needs two cookies. */
const maxCookieBytes = 3_800;
const parts = 2;

const nameOf = (part: number) => cookieName(`said-${part}`);

/** The cookies that carry the result, or undefined if the result is too long. */
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

/** The flash for the requested page, for layouts and pages. An unreadable flash is ignored. */
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

/** Identifies a form by its hidden fields, to distinguish forms of the same action. */
export function targetOf(form: FormData): string {
  const named = form.get("id") ?? form.get("ids") ?? form.get("setting") ?? form.get("clientId");
  return typeof named === "string" ? named : "";
}
