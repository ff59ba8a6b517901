"use client";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useFormats } from "./formats";
import { absoluteTime } from "./relative-time";

/** A full date and time in the reader's time zone. `at` in epoch milliseconds. */
export function ExactTime({ at }: { at: number }) {
  const formats = useFormats();
  const alive = useHydrated();
  return (
    // Remounted after hydration, because the server may be in another time zone.
    <time key={alive ? "browser" : "server"} dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {absoluteTime(at, formats)}
    </time>
  );
}
