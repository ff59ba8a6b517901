"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { sendAction } from "@/components/actions/send";
import { whenZoneKnown } from "./zone";

/** Uses this browser's time zone until the owner chooses one. @param now the current zone */
export function TimeZoneSync({ now }: { now: string }) {
  const router = useRouter();
  useEffect(
    () =>
      whenZoneKnown(async (timeZone) => {
        if (timeZone === now) return;
        // On failure the next page tries again.
        const reply = await sendAction("setting.take-time-zone", new URLSearchParams({ timeZone }), {
          here: null,
        }).catch(() => undefined);
        if (reply?.ok) router.refresh();
      }),
    [now, router],
  );
  return null;
}
