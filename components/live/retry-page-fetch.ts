"use client";
import { isReachable } from "./connection-and-refresh";

const retryMs = 1000;
/**
 * The maximum number of attempts for a request that fails although the server is reachable. For
 * example, only the browser itself may follow some redirects.
 */
const maxTries = 3;
/** How long a page that the server can't render is fetched again, in milliseconds. */
const maxFailingMs = 300_000;

/**
 * Waits until the server is reachable and fetches the page again if Next.js can't fetch it, or if
 * the server or its database fails while it renders the page. Otherwise, an error page would replace
 * the page and any unsaved input, and would stay after the failure.
 * @returns a function that restores `fetch`
 */
export function retryPageFetch(): () => void {
  const send = window.fetch;
  const patient: typeof fetch = async (input, init) => {
    if (!isOfThisPage(input, init)) return send(input, init);
    const began = performance.now();
    for (let tries = 1; ; tries++) {
      const mayRetry = () => !init?.signal?.aborted && isOfThisPage(input, init);
      try {
        const { response, isWhole } = await readWhole(await send(input, init));
        if (isWhole || !mayRetry() || performance.now() - began > maxFailingMs) return response;
        await pause();
      } catch (error) {
        if (tries >= maxTries || !mayRetry()) throw error;
        while (!(await isReachable())) await pause();
      }
    }
  };
  window.fetch = patient;
  return () => {
    if (window.fetch === patient) window.fetch = send;
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, retryMs));

const isOfThisPage = (input: RequestInfo | URL, init: RequestInit = {}) =>
  new Headers(init.headers).has("rsc") &&
  new URL(String(input), window.location.href).pathname === window.location.pathname;

/**
 * Whether a response in React's format has a row with an error of the server. Redirects have digests
 * that begin with NEXT. The row of a long text (T) states the text's length in bytes. Such a text can
 * be an app's, so it is skipped: its lines can look like rows.
 */
function hasFailedRow(bytes: ArrayBuffer): boolean {
  // In this encoding, each byte is one character.
  const rows = new TextDecoder("latin1").decode(bytes);
  const row = /[0-9a-f]*:(?:T([0-9a-f]+),|(E\{"digest":"(?!NEXT))?[^\n]*\n?)/y;
  for (let found = row.exec(rows); found; found = row.exec(rows)) {
    const [, length, failure] = found;
    if (failure) return true;
    if (length) row.lastIndex += Number.parseInt(length, 16);
  }
  return false;
}

/**
 * Reads a response to its end, because React replaces the page by an error page if a part is missing.
 * @throws if the connection breaks
 */
async function readWhole(response: Response): Promise<{ response: Response; isWhole: boolean }> {
  if (response.status >= 500) return { response, isWhole: false };
  const bytes = await response.arrayBuffer();
  const whole = new Response(bytes, response);
  // Next.js reads these, and a new response lacks them.
  for (const name of ["url", "redirected"] as const) Object.defineProperty(whole, name, { value: response[name] });
  return { response: whole, isWhole: !hasFailedRow(bytes) };
}
