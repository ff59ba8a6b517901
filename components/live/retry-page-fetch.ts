"use client";
import { isReachable } from "./connection-and-refresh";

const retryMs = 1000;
/**
 * The maximum number of attempts for a request that fails although the server responds. For
 * example, only the browser may follow some redirects.
 */
const maxTries = 3;

/**
 * If Next.js can't fetch the open page, waits until the server is reachable and fetches the page
 * again. Otherwise, Next.js would replace the page, with any unsaved input, by the browser's error
 * page.
 * @returns a function that restores `fetch`
 */
export function retryPageFetch(): () => void {
  const send = window.fetch;
  const patient: typeof fetch = async (input, init) => {
    for (let tries = 1; ; tries++) {
      try {
        return await send(input, init);
      } catch (error) {
        if (tries === maxTries || init?.signal?.aborted || !isOfThisPage(input, init)) throw error;
        while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  };
  window.fetch = patient;
  return () => {
    if (window.fetch === patient) window.fetch = send;
  };
}

const isOfThisPage = (input: RequestInfo | URL, init: RequestInit = {}) =>
  new Headers(init.headers).has("rsc") &&
  new URL(String(input), window.location.href).pathname === window.location.pathname;
