// Runs other programs from the checkout: npm, Next.js and Prisma. This is plain JavaScript, because
// it runs before anything is installed.
import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Thrown if a program failed. Contains the program's output. */
export class Failed extends Error {
  /** @param {string} what @param {string} said */
  constructor(what, said) {
    super(`${what} failed.`);
    this.said = said;
  }
}

/**
 * Runs a program in the checkout until it exits. Throws `Failed`, with the program's output, if the
 * program fails.
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [more] additional environment variables
 * @param {(text: string) => void} [hear] called with parts of stdout as they arrive
 * @returns {Promise<string>} its stdout
 */
export function run(program, args, more = {}, hear = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && program === "npm",
    });
    let out = "";
    let all = "";
    child.stdout.on("data", (text) => {
      out += text;
      all += text;
      hear(String(text));
    });
    child.stderr.on("data", (text) => (all += text));
    child.on("error", (error) => reject(new Failed(program, error.message)));
    child.on("close", (code) => (code === 0 ? resolve(out) : reject(new Failed([program, ...args].join(" "), all))));
  });
}
