"use client";
import { useConnection } from "./live-state";

const looks = {
  live: { dot: "bg-ok", text: "Live" },
  reconnecting: { dot: "bg-warn", text: "Reconnecting…" },
  offline: { dot: "bg-danger", text: "Offline" },
};

/** Whether new questions appear by themselves, in words and colour. */
export function ConnectionDot() {
  const { dot, text } = looks[useConnection()];
  return (
    <p className="flex items-center gap-1.5 text-xs text-muted" data-connection={text}>
      <span aria-hidden="true" className={`size-2 rounded-full forced-colors:border ${dot}`} />
      {text}
    </p>
  );
}
