import { format } from "node:util";
import { aboutRequest } from "./request-context";
import { processNumber } from "./work/per-process";

/** One JSON object a line on stderr, with everything that looks like a secret of ours blotted out. */
export const log = {
  info: (message: string, fields: object = {}) => write("info", message, fields),
  warn: (message: string, fields: object = {}) => write("warn", message, fields),
  /** `error` is written with its stack, for the operator; it never travels to a caller. */
  error: (message: string, error?: unknown, fields: object = {}) =>
    write("error", message, { ...fields, ...(error !== undefined && { error: describe(error) }) }),
};

/** What Next and other packages say on the console becomes lines of the log, so that all of it can be read by programs. */
export function logConsole(): void {
  const levels = { debug: "info", info: "info", log: "info", warn: "warn", error: "error", trace: "error" } as const;
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, string][])
    console[method] = (...words: unknown[]) => write(level, format(...words), {});
}

/** Where several processes serve, which of them it was. */
const whose = processNumber === undefined ? {} : { process: processNumber };

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

const write = (level: string, message: string, fields: object) =>
  process.stderr.write(
    `${redact(JSON.stringify({ time: new Date().toISOString(), level, message, ...whose, ...aboutRequest(), ...fields }))}\n`,
  );

/** Tokens and secrets of ours (`csn_…`, `whsec_…`), bearer headers and passwords inside connection strings. */
export const redact = (text: string) =>
  text
    .replace(/\bcsn_[a-z]+_[0-9A-Za-z]+/g, "csn_[redacted]")
    .replace(/\bwhsec_[0-9A-Za-z+/=]+/g, "whsec_[redacted]")
    .replace(/\bBearer +[^\s"\\]+/gi, "Bearer [redacted]")
    .replace(/(\b(?:postgres(?:ql)?|smtps?):\/\/[^:@/\s"]*:)[^@\s"]*@/gi, "$1[redacted]@");
