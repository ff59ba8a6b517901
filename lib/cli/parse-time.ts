import { z } from "zod";
import { UsageError } from "./command";

const formats = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/**
 * Parses a time on the command line: ISO 8601 with a time zone, a date (midnight UTC), or epoch
 * seconds. Twelve or more digits are epoch milliseconds.
 * @param option the option's name for the error
 * @throws {UsageError} if the text has another format
 */
export function parseTime(option: string, text: string): Date {
  if (/^\d{1,15}$/.test(text)) return new Date(text.length < 12 ? Number(text) * 1000 : Number(text));
  if (formats.safeParse(text).success) return new Date(text);
  throw new UsageError(
    `--${option} must be a time with a time zone, like 2026-11-27T09:30:00Z, or a number of seconds since 1970.`,
  );
}
