"use client";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { momentHere } from "@/components/ui/time/time-text";
import { useTimeLeft } from "@/components/ui/time/use-time-left";

const minute = 60_000;
const hour = 60 * minute;

/**
 * The time left to answer, such as "2 h left", kept up to date. The deadline is within a day, so it
 * needs no date.
 */
export function TimeLeft({ at }: { at: number }) {
  const formats = useFormats();
  const left = useTimeLeft(at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={momentHere(at, formats)}
      suppressHydrationWarning
      className="font-semibold whitespace-nowrap text-warn tabular-nums"
    >
      {inWords(left)}
    </time>
  );
}

function inWords(left: number): string {
  if (left <= 0) return "Due";
  if (left < minute) return `${Math.ceil(left / 1000)} s left`;
  return left < hour ? `${Math.floor(left / minute)} min left` : `${Math.round(left / hour)} h left`;
}
