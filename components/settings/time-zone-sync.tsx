"use client";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { sendAction } from "@/components/actions/send-action";
import { lazyComponent } from "@/components/layout/lazy-component";
import { isSameZone, whenZoneKnown } from "./browser-time-zone";

const ZoneQuestion = lazyComponent(() => import("./time-zone-question").then((it) => it.ZoneQuestion));

type TimeZoneSyncProps = {
  /** The account's time zone. */
  now: string;
  /** Whether the owner or a browser chose it. */
  known: boolean;
  ownerId: string;
};

/**
 * If the account has no time zone yet, saves this browser's. If the zones differ, asks whether to
 * adopt this browser's zone, unless the owner already declined it.
 */
export function TimeZoneSync({ now, known, ownerId }: TimeZoneSyncProps) {
  const router = useRouter();
  const [offered, setOffered] = useState<string>();
  useEffect(
    () =>
      whenZoneKnown(async (timeZone) => {
        if (isSameZone(timeZone, now)) {
          localStorage.removeItem(keptKey(ownerId));
          setOffered(undefined);
        } else if (known) {
          if (localStorage.getItem(keptKey(ownerId)) !== timeZone) setOffered(timeZone);
        } else {
          // On failure the next page tries again.
          const form = new URLSearchParams({ timeZone });
          const reply = await sendAction("setting.take-time-zone", form, { here: null }).catch(() => undefined);
          if (reply?.ok) router.refresh();
        }
      }),
    [now, known, ownerId, router],
  );
  const path = usePathname();
  // The prompt must not cover the answers. The settings page offers the same choice.
  if (offered === undefined || /^\/(approvals\/|settings)/.test(path)) return null;
  const end = (isKept: boolean) => {
    if (isKept) localStorage.setItem(keptKey(ownerId), offered);
    else router.refresh();
    setOffered(undefined);
  };
  return <ZoneQuestion here={offered} now={now} onEnd={end} />;
}

/**
 * The storage key for the zone that the owner last declined in this browser. The prompt does not
 * appear for this zone again.
 */
const keptKey = (ownerId: string) => `countersign.zone.${ownerId}`;
