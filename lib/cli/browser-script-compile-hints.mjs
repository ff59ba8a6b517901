import { createContext, runInContext } from "node:vm";

/**
 * Makes a browser parse a built script's modules once instead of twice. Each module is a function
 * in a list. An engine first skips such a function, and parses it again when a page calls it. In
 * parentheses, such a function is compiled in the background while the script is still arriving.
 * @param {string} script
 * @returns {string}
 */
export function withEagerCompileHints(script) {
  /** @type {unknown[]} */
  const listed = [];
  const TURBOPACK = { push: (/** @type {unknown[]} */ chunk) => listed.push(...chunk) };
  try {
    runInContext(script, createContext({ TURBOPACK }));
  } catch {
    // Expected, because the code after the list needs a browser.
  }
  let [done, rest] = ["", script];
  for (const module of listed.filter((it) => typeof it === "function").map(String)) {
    const at = rest.indexOf(module);
    if (at < 0) return script;
    // An earlier build may already have added the parentheses.
    done += rest.slice(0, at) + (rest[at - 1] === "(" ? module : `(${module})`);
    rest = rest.slice(at + module.length);
  }
  return done + rest;
}
