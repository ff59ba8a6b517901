import { clockHere } from "@/components/ui/time/time-text";
import { clockText, dateText, type Formats } from "@/lib/text/dates";

/** Returns a time with its date, year and seconds, in the reader's time zone. */
export const fullTime = (time: number, formats: Formats): string =>
  `${dateText(clockHere(time), 0)}, ${clockText(clockHere(time), formats, { seconds: true })}`;
