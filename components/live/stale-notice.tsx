"use client";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useFormats } from "@/components/ui/time/date-formats-provider";
import { timeOfDay } from "@/components/ui/time/time-text";
import { isReachable, refreshPage, useConnection } from "./connection-and-refresh";

/**
 * How long the stream may be down before the page says that the list may be out of date, in
 * milliseconds.
 */
const graceMs = 30_000;

/**
 * Says that the list may be out of date if the stream has been down for a while, and offers a
 * refresh.
 */
export function StaleNotice() {
  const live = useConnection() === "live";
  const formats = useFormats();
  const [since, setSince] = useState<string>();
  const [trouble, setTrouble] = useState(false);
  useEffect(() => {
    setSince(undefined);
    setTrouble(false);
    if (live) return;
    const lost = timeOfDay(Date.now(), formats);
    const timer = setTimeout(() => setSince(lost), graceMs);
    return () => clearTimeout(timer);
  }, [live, formats]);
  if (!since) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg border border-warn bg-warn-soft px-3 py-2"
    >
      <p>{trouble ? "The service isn’t responding." : `This list may be out of date. Last update: ${since}.`}</p>
      <Button
        size="small"
        onClick={async () => {
          const there = await isReachable();
          setTrouble(!there);
          if (there) refreshPage();
        }}
      >
        Refresh
      </Button>
    </div>
  );
}
