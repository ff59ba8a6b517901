"use client";
import { isReachable } from "./live-state";

const againMs = 1000;
/** For what fails though the service answers: an address elsewhere, say, to which only the browser itself may go. */
const mostTries = 3;

/**
 * What Next reads of the page that is open waits until the service can be reached again: where such a reading fails, Next leaves
 * the page, and what was begun there, for the browser's own error. What another page is read for fails as ever: whoever goes
 * there is told.
 * @returns how to end that
 */
export function retryPageFetch(): () => void {
  const send = window.fetch;
  const patient: typeof fetch = async (input, init) => {
    for (let tries = 1; ; tries++) {
      try {
        return await send(input, init);
      } catch (error) {
        if (tries === mostTries || init?.signal?.aborted || !isOfThisPage(input, init)) throw error;
        while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, againMs));
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
