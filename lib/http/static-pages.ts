import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Pages } from "./next-handler";

/*
 * Next sends its scripts with every page, 117 kB, and renders some error pages only in the browser.
 * A page on which nothing acts, such as "not found", loads none: its HTML is held until it is
 * complete, and leaves without scripts. Such a page of the application says so itself, with its
 * status, which a page cannot set in Next: `data-static="410"` (components/layout/signed-out-layout.tsx).
 */

/** Addresses whose requests can be closed: their pages are held until they tell. */
const mayBeStatic = /^\/(consent|device|setup)(\/|\?|$)/;
const marker = / data-static="(\d{3})"/;

/** An address without a page: Next renders "not found" in full only for those. */
const noPage = "/_missing";

/** The start of a page that Next renders only in the browser. */
const leftToBrowser = '<html id="__next_error__"';

/** Serves a page. If nothing acts on it, it leaves without scripts. */
export async function servePage(pages: Pages, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === "GET") {
    const headers = res.getHeaders();
    holdPage(req, res, () => {
      for (const name of res.getHeaderNames()) res.removeHeader(name);
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
      // What Next noted about the first address.
      for (const note of Object.getOwnPropertySymbols(req))
        if (/next/i.test(String(note))) Reflect.deleteProperty(req, note);
      req.url = noPage;
      holdPage(req, res);
      void pages(req, res);
    });
  }
  await pages(req, res);
}

/**
 * Holds the response if it may be a page on which nothing acts.
 * @param missing serves a "not found" that Next left to the browser
 */
function holdPage(req: IncomingMessage, res: ServerResponse, missing?: () => void): void {
  const { writeHead, write, end, flushHeaders } = res;
  const chunks: Buffer[] = [];
  let holds: boolean | undefined;

  const isHeld = (status: number) => {
    holds ??= isPage(res) && (status >= 400 || mayBeStatic.test(req.url ?? ""));
    return holds;
  };
  const keep = (chunk: unknown, encoding: unknown) => {
    if (chunk === undefined || chunk === null || typeof chunk === "function") return;
    chunks.push(
      typeof chunk === "string"
        ? Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8")
        : Buffer.from(chunk as Uint8Array),
    );
  };
  const called = (...args: unknown[]) => {
    const then = args.find((it) => typeof it === "function") as (() => void) | undefined;
    if (then) process.nextTick(then);
  };

  res.writeHead = ((status: number, ...more: unknown[]) => {
    const headers = more.find((it) => typeof it === "object" && it !== null);
    if (holds === undefined && headers && !Array.isArray(headers)) {
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
    }
    res.statusCode = status;
    if (!isHeld(status)) Reflect.apply(writeHead, res, [status, ...more]);
    return res;
  }) as typeof writeHead;
  res.write = ((chunk: unknown, ...more: unknown[]) => {
    if (!isHeld(res.statusCode)) return Reflect.apply(write, res, [chunk, ...more]);
    keep(chunk, more[0]);
    called(...more);
    return true;
  }) as typeof write;
  res.flushHeaders = () => {
    if (!isHeld(res.statusCode)) flushHeaders.call(res);
  };
  res.end = ((...args: unknown[]) => {
    if (!isHeld(res.statusCode)) return Reflect.apply(end, res, args);
    keep(args[0], args[1]);
    Object.assign(res, { writeHead, write, end, flushHeaders });
    const html = decoded(Buffer.concat(chunks), String(res.getHeader("content-encoding") ?? ""));
    if (missing && res.statusCode === 404 && html.includes(leftToBrowser)) {
      called(...args);
      missing();
      return res;
    }
    const { status, body } = staticPage(html, res.statusCode);
    for (const name of ["content-encoding", "transfer-encoding"]) res.removeHeader(name);
    res.statusCode = status;
    res.setHeader("content-length", Buffer.byteLength(body));
    called(...args);
    return res.end(body);
  }) as typeof end;
}

const isPage = (res: ServerResponse) => /^text\/html\b/.test(String(res.getHeader("content-type") ?? ""));

const decoded = (body: Buffer, encoding: string): string =>
  (encoding === "gzip" ? gunzipSync(body) : encoding === "br" ? brotliDecompressSync(body) : body).toString();

/** What leaves instead of this page. */
function staticPage(html: string, status: number): { status: number; body: string } {
  const told = marker.exec(html)?.[1];
  if (told !== undefined) return { status: Number(told), body: withoutScripts(html) };
  const isLeft = html.includes(leftToBrowser);
  if (status === 404 && !isLeft) return { status, body: withoutScripts(html) };
  // In development, Next shows the error.
  if (status >= 500 && isLeft && process.env.NODE_ENV !== "development") return { status, body: failedPage(html) };
  return { status, body: html };
}

const withoutScripts = (html: string): string =>
  html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replace(/<link\b[^>]*\b(?:as="script"|rel="modulepreload")[^>]*>/g, "");

/** The page that could not be rendered, in the application's style (app/global-error.tsx). */
function failedPage(html: string): string {
  const styles = html.match(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)?.join("") ?? "";
  const id = /\bdigest\\?":\\?"(\d+)/.exec(html)?.[1];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>This page didn’t load · Countersign</title>${styles}<body><main class="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-4 py-8"><p class="font-semibold text-muted">Countersign</p><h1 class="text-xl">This page didn’t load</h1><p class="text-muted">Your work is safe. The error is on our side.</p>${id ? `<p class="text-muted">Error ID: <span class="mono">${id}</span></p>` : ""}<p><a href="" class="link">Try again</a></p></main></body></html>`;
}
