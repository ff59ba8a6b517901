import { format } from "node:util";
import { requestLogFields } from "./request-context";
import { processNumber } from "./work/process-singleton";

/** From what is only good to know to what somebody has to look at. */
export const logLevels = ["info", "warn", "error"] as const;
type LogLevel = (typeof logLevels)[number];

/** What lies below it is not written. Settings that cannot be used are told before this is asked for. */
const least = () => (process.env.LOG_LEVEL || "info") as LogLevel;

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
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, LogLevel][])
    console[method] = (...words: unknown[]) => write(level, format(...words), {});
  // Where nobody reads it any more (a pipe to a collector that ended), the service goes on without it. Uncaught, that error would
  // be logged itself, which fails again, and so on for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Where several processes serve, which of them it was. */
const whose = processNumber === undefined ? {} : { process: processNumber };

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function write(level: LogLevel, message: string, fields: object) {
  if (logLevels.indexOf(level) < logLevels.indexOf(least())) return;
  const line = { time: new Date().toISOString(), level, message, ...whose, ...requestLogFields(), ...fields };
  process.stderr.write(`${redact(JSON.stringify(line))}\n`);
}

/** Tokens and secrets of ours (`csn_…`, `whsec_…`), bearer headers and passwords inside connection strings. */
export const redact = (text: string) =>
  text
    .replace(/\bcsn_[a-z]+_[0-9A-Za-z]+/g, "csn_[redacted]")
    .replace(/\bwhsec_[0-9A-Za-z+/=]+/g, "whsec_[redacted]")
    .replace(/\bBearer +[^\s"\\]+/gi, "Bearer [redacted]")
    .replace(/(\b(?:postgres(?:ql)?|smtps?):\/\/[^:@/\s"]*:)[^@\s"]*@/gi, "$1[redacted]@");
