import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Pages } from "./prepare-next-request";

/*
 * Next sends 117 kB of scripts with every page, and renders some error pages only in the browser. A
 * page without controls needs no scripts, so its HTML is held until it is complete, and sent
 * without them. A page opts in with the attribute `data-static="410"`
 * (components/layout/signed-out-layout.tsx), which also sets the response's status.
 */

/**
 * Paths of pages that may be static. Their responses are held until the HTML shows whether they
 * are.
 */
const mayBeStatic = /^\/(consent|device|setup)(\/|\?|$)/;
const marker = / data-static="(\d{3})"/;

/** The start of a page that Next leaves to the browser to render. */
const leftToBrowser = '<html id="__next_error__"';

/** Serves a page. If the page is static, removes its scripts. */
export async function servePage(pages: Pages, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method === "GET") holdPage(req, res);
  await pages(req, res);
}

/** Holds the response, if it may be a static page, until its HTML is complete. */
function holdPage(req: IncomingMessage, res: ServerResponse): void {
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
    const theme = /\bcountersign-look=(light|dark)\b/.exec(req.headers.cookie ?? "")?.[1];
    const { status, body } = staticPage(html, res.statusCode, theme);
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

/** Returns the status and the HTML to send, which may be the same as before. */
function staticPage(html: string, status: number, theme: string | undefined): { status: number; body: string } {
  const told = marker.exec(html)?.[1];
  if (told !== undefined) return { status: Number(told), body: withoutScripts(html) };
  if (!html.includes(leftToBrowser)) return { status, body: status === 404 ? withoutScripts(html) : html };
  const page = (title: string, text: string) => ({ status, body: simplePage(html, theme, title, text) });
  if (status === 404) return page("Page not found", '<p><a href="/" class="link">Go to the home page</a></p>');
  // In development, Next shows the error.
  if (status < 500 || process.env.NODE_ENV === "development") return { status, body: html };
  const id = /\bdigest\\?":\\?"(\d+)/.exec(html)?.[1];
  const error = id ? `<p class="text-muted">Error ID: <span class="mono">${id}</span></p>` : "";
  return page(
    "This page didn’t load",
    `<p class="text-muted">An error occurred on our side. Try again in a moment.</p>${error}<p><a href="" class="link">Try again</a></p>`,
  );
}

const withoutScripts = (html: string): string =>
  html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, "")
    .replace(/<link\b[^>]*\b(?:as="script"|rel="modulepreload")[^>]*>/g, "");

/**
 * Returns a page in the application's style, in place of one that Next left to the browser
 * (app/global-error.tsx, app/not-found.tsx).
 */
function simplePage(html: string, theme = "system", title: string, text: string): string {
  const styles = html.match(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)?.join("") ?? stylesInScripts(html);
  const scheme = theme === "system" ? "light dark" : theme;
  return `<!doctype html><html lang="en" data-theme="${theme}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${scheme}"><title>${title} · Countersign</title>${styles}<body><main class="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-4 py-8"><p class="font-semibold text-muted">Countersign</p><h1 class="text-xl">${title}</h1>${text}</main></body></html>`;
}

/**
 * Returns links to the page's stylesheets. If Next rendered nothing, only its scripts name the
 * stylesheets.
 */
const stylesInScripts = (html: string): string =>
  [...new Set(html.match(/\/_next\/[\w/.~-]+\.css\b/g))]
    .map((href) => `<link rel="stylesheet" href="${href}"/>`)
    .join("");
