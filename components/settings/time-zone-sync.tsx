"use client";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { sendAction } from "@/components/actions/send";
import { Button } from "@/components/ui/button";
import { isSameZone, placeOf, whenZoneKnown } from "./zone";

type TimeZoneSyncProps = {
  /** The account's time zone. */
  now: string;
  /** Whether the owner or a browser chose it. */
  known: boolean;
  ownerId: string;
};

/**
 * Uses this browser's time zone until the account has one. Later, asks once whether to adopt this
 * browser's zone.
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
  // The prompt must not cover the answers, and the settings offer the same choice.
  if (offered === undefined || /^\/(approvals\/|settings)/.test(path)) return null;
  const keep = () => {
    localStorage.setItem(keptKey(ownerId), offered);
    setOffered(undefined);
  };
  const use = async () => {
    const form = new URLSearchParams({ setting: "timeZone", value: offered });
    const reply = await sendAction("setting.change", form).catch(() => undefined);
    if (!reply?.ok) return;
    setOffered(undefined);
    router.refresh();
  };
  return <ZoneQuestion here={offered} now={now} onUse={use} onKeep={keep} />;
}

/**
 * The browser's zone when the owner last kept the account's zone, so that the prompt appears only
 * once.
 */
const keptKey = (ownerId: string) => `countersign.zone.${ownerId}`;

type ZoneQuestionProps = { here: string; now: string; onUse: () => Promise<void>; onKeep: () => void };

function ZoneQuestion({ here, now, onUse, onKeep }: ZoneQuestionProps) {
  const [isSaving, setSaving] = useState(false);
  const place = placeOf(here);
  return (
    <section
      aria-label="Time zone"
      className="fixed inset-x-4 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl bg-raised p-4 text-ink shadow-float sm:inset-s-auto sm:bottom-4 sm:max-w-sm forced-colors:border"
    >
      <p role="status" className="grow font-medium">
        You’re in {place}. Use {place} time?
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="small"
          pending={isSaving}
          onClick={() => {
            setSaving(true);
            void onUse().finally(() => setSaving(false));
          }}
        >
          Use
        </Button>
        <Button size="small" onClick={onKeep}>
          Keep {placeOf(now)} time
        </Button>
      </div>
    </section>
  );
}
