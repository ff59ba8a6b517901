"use client";
import { useEffect, useRef } from "react";
import { useAct } from "@/components/acts/use-act";
import { Switch } from "@/components/ui/fields/switch";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";

/** Times in epoch milliseconds. */
export type AllowedScope = {
  scope: string;
  sentence: string;
  sensitive: boolean;
  grantedAt: number;
  lastUsedAt?: number;
};

type ScopeSwitchesProps = { clientId: string; scopes: readonly AllowedScope[] };

/** What an app may do, each with a switch that takes it back at once. There is no way on from here: the app must ask. */
export function ScopeSwitches({ clientId, scopes }: ScopeSwitchesProps) {
  const { result, pending, to } = useAct("app.take-back-scope", clientId);
  const said = useRef<HTMLParagraphElement>(null);
  // The switch that had the focus is gone.
  useEffect(() => {
    if (result?.ok) said.current?.focus();
  }, [result]);
  return (
    <>
      {result && !result.ok ? <Notice tone="danger">{result.message}</Notice> : null}
      <p role="status" ref={said} tabIndex={-1} className="font-medium text-ok outline-none">
        {result?.ok ? "Removed. This applies from the app’s next call." : ""}
      </p>
      {scopes.length === 0 ? <p className="mb-2">Nothing. It is connected, and can see only that.</p> : null}
      <ul className="divide-y divide-line">
        {scopes.map(({ scope, sentence, sensitive, grantedAt, lastUsedAt }) => (
          <li key={scope} className="flex items-center justify-between gap-4 py-2">
            <span className="min-w-0">
              <span className="font-medium">
                {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
                {sentence}
              </span>
              <span className="block text-muted">
                <span className="mono">{scope}</span> · since <TimeAgo at={grantedAt} /> · <LastUsed at={lastUsedAt} />
              </span>
            </span>
            <form {...to}>
              <input type="hidden" name="clientId" value={clientId} />
              <input type="hidden" name="scope" value={scope} />
              <Switch checked label={sentence} onClick={(event) => pending && event.preventDefault()} />
            </form>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted">
        Switched off, the app’s next call is refused. To get it back, the app has to ask you again on the consent
        screen.
      </p>
    </>
  );
}
