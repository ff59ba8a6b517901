"use client";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useFormats } from "./formats";
import { absoluteTime, shortTime } from "./relative-time";

/** A time as people say it, in the reader's time zone: "11:51", "tomorrow 11:51", "20 Nov 11:51". */
export function ShortTime({ at }: { at: number }) {
  const formats = useFormats();
  const alive = useHydrated();
  return (
    // Remounted after hydration, because the server may be in another time zone.
    <time
      key={alive ? "browser" : "server"}
      dateTime={new Date(at).toISOString()}
      title={absoluteTime(at, formats)}
      suppressHydrationWarning
      className="tabular-nums"
    >
      {shortTime(at, Date.now(), formats)}
    </time>
  );
}
