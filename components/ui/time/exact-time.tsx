"use client";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useFormats } from "./formats";
import { absoluteTime } from "./relative-time";

/** A moment in full, on the reader's own clock. `at` in epoch milliseconds. */
export function ExactTime({ at }: { at: number }) {
  const formats = useFormats();
  const alive = useHydrated();
  return (
    // The server's clock may be in another time zone: the element is made anew once the page is alive.
    <time key={alive ? "browser" : "server"} dateTime={new Date(at).toISOString()} suppressHydrationWarning>
      {absoluteTime(at, formats)}
    </time>
  );
}
