"use client";
import { useState } from "react";
import { sendAction } from "@/components/actions/send-action";
import { Button } from "@/components/ui/button";
import { placeOf } from "./browser-time-zone";

/** `onEnd` is called with whether the owner keeps the account's zone. */
type ZoneQuestionProps = { here: string; now: string; onEnd: (isKept: boolean) => void };

/** Asks whether to adopt the time zone of the place where the owner is. */
export function ZoneQuestion({ here, now, onEnd }: ZoneQuestionProps) {
  const [isSaving, setSaving] = useState(false);
  const place = placeOf(here);
  const use = async () => {
    const form = new URLSearchParams({ setting: "timeZone", value: here });
    const reply = await sendAction("setting.change", form).catch(() => undefined);
    if (reply?.ok) onEnd(false);
  };
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
            void use().finally(() => setSaving(false));
          }}
        >
          {" "}
          Use {place} time{" "}
        </Button>
        <Button size="small" onClick={() => onEnd(true)}>
          Keep {placeOf(now)} time
        </Button>
      </div>
    </section>
  );
}
