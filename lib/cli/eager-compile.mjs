import { createContext, runInContext } from "node:vm";

/**
 * A built script whose modules a browser reads once instead of twice. Each is a function in a list, of which an engine at first
 * looks only for the end, and which it reads from the start when it is called, in the way of all else: right away, for every
 * module of every page. In parentheses it is read whole while the script still arrives, aside of the page.
 * @param {string} script @returns {string}
 */
export function withEagerCompileHints(script) {
  /** @type {unknown[]} */
  const listed = [];
  const TURBOPACK = { push: (/** @type {unknown[]} */ chunk) => listed.push(...chunk) };
  try {
    runInContext(script, createContext({ TURBOPACK }));
  } catch {
    // What follows the list needs a browser.
  }
  let [done, rest] = ["", script];
  for (const module of listed.filter((it) => typeof it === "function").map(String)) {
    const at = rest.indexOf(module);
    if (at < 0) return script;
    // What an earlier build left may be so already.
    done += rest.slice(0, at) + (rest[at - 1] === "(" ? module : `(${module})`);
    rest = rest.slice(at + module.length);
  }
  return done + rest;
}
