import { deflateRawSync, inflateRawSync } from "node:zlib";
import { cookies, headers } from "next/headers";
import type { ActionResult } from "./action-result";
import { cookieName, isSecure } from "./cookie";

/**
 * What became of a plain form, for the page that it led to. Where scripts run they are answered themselves; without them the
 * browser carries it there, in a cookie of some seconds that no script reads.
 */
export type FlashMessage = {
  /** The page it is for. */
  page: string;
  /** Which act, and of which of the page's forms (`targetOf`). */
  act: string;
  about: string;
  result: ActionResult<unknown>;
};

/** Long enough for the page that follows to be asked for. */
const seconds = 20;
/** Browsers keep 4 KiB in one cookie; the words of a long note take two. */
const mostInOne = 3_800;
const parts = 2;

const nameOf = (part: number) => cookieName(`said-${part}`);

/** The cookies that carry it; undefined where it is too long. */
export function flashCookies(said: FlashMessage): string[] | undefined {
  const text = deflateRawSync(JSON.stringify(said)).toString("base64url");
  if (text.length > mostInOne * parts) return undefined;
  const attributes = `path=/; max-age=${seconds}; httponly; samesite=strict${isSecure() ? "; secure" : ""}`;
  // An empty one takes the place of what was said before.
  return Array.from({ length: parts }, (_, part) => {
    const piece = text.slice(part * mostInOne, (part + 1) * mostInOne);
    return `${nameOf(part)}=${piece}; ${attributes}`;
  });
}

/** What was said for the page that is asked for, in a layout or page. What cannot be read counts as not said. */
export async function readFlash(): Promise<FlashMessage | undefined> {
  const [jar, head] = await Promise.all([cookies(), headers()]);
  const text = Array.from({ length: parts }, (_, part) => jar.get(nameOf(part))?.value ?? "").join("");
  if (!text) return undefined;
  try {
    const said: FlashMessage = JSON.parse(
      inflateRawSync(Buffer.from(text, "base64url"), { maxOutputLength: 100_000 }).toString(),
    );
    return said.page === head.get("x-countersign-path") ? said : undefined;
  } catch {
    return undefined;
  }
}

/** What a form is about, by its hidden fields: tells forms of one act from each other. */
export function targetOf(form: FormData): string {
  const named = form.get("id") ?? form.get("ids") ?? form.get("setting") ?? form.get("clientId");
  return typeof named === "string" ? named : "";
}
