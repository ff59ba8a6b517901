"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { sendAction } from "@/components/actions/send";
import { whenZoneKnown } from "./zone";

/** Has the owner's hours counted where this browser is, until they choose. @param now the zone that holds meanwhile */
export function TimeZoneSync({ now }: { now: string }) {
  const router = useRouter();
  useEffect(
    () =>
      whenZoneKnown(async (timeZone) => {
        if (timeZone === now) return;
        // Not reached: the next page asks again.
        const reply = await sendAction("setting.take-time-zone", new URLSearchParams({ timeZone }), null).catch(
          () => undefined,
        );
        if (reply?.ok) router.refresh();
      }),
    [now, router],
  );
  return null;
}
