import { format } from "node:util";
import { clock } from "@/lib/clock";
import { requestLogFields } from "./request-context";

/** Levels from least to most urgent. An error needs someone's attention. */
export const logLevels = ["info", "warn", "error"] as const;
type LogLevel = (typeof logLevels)[number];

/** Returns the lowest level that is written. Startup has already rejected invalid values. */
const least = () => (process.env.LOG_LEVEL || "info") as LogLevel;

/**
 * Writes one JSON object per line to stderr. Redacts everything that looks like one of our secrets.
 */
export const log = {
  info: (message: string, fields: object = {}) => write("info", message, fields),
  warn: (message: string, fields: object = {}) => write("warn", message, fields),
  /**
   * Writes the error with its stack, for the operator. Callers of the service never get the stack.
   */
  error: (message: string, error?: unknown, fields: object = {}) =>
    write("error", message, { ...fields, ...(error !== undefined && { error: describe(error) }) }),
};

/**
 * Turns the console output of Next and other packages into log lines, so that programs can parse
 * all output.
 */
export function logConsole(): void {
  const levels = { debug: "info", info: "info", log: "info", warn: "warn", error: "error", trace: "error" } as const;
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, LogLevel][])
    console[method] = (...words: unknown[]) => write(level, format(...words), {});
  // Keeps the service running if the program that reads its output, such as a log collector, exits.
  // Without this handler, the write error would be logged, which would fail again, endlessly.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

const describe = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function write(level: LogLevel, message: string, fields: object) {
  if (logLevels.indexOf(level) < logLevels.indexOf(least())) return;
  const line = { time: new Date(clock.now()).toISOString(), level, message, ...requestLogFields(), ...fields };
  process.stderr.write(`${redact(JSON.stringify(line))}\n`);
}

/**
 * Redacts our tokens and secrets (`csn_…`, `whsec_…`), bearer headers, and passwords inside
 * connection strings.
 */
export const redact = (text: string) =>
  text
    .replace(/\bcsn_[a-z]+_[0-9A-Za-z]+/g, "csn_[redacted]")
    .replace(/\bwhsec_[0-9A-Za-z+/=]+/g, "whsec_[redacted]")
    .replace(/\bBearer +[^\s"\\]+/gi, "Bearer [redacted]")
    .replace(/(\b(?:postgres(?:ql)?|smtps?):\/\/[^:@/\s"]*:)[^@\s"]*@/gi, "$1[redacted]@");
