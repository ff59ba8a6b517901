"use client";
import { useState } from "react";
import { useOwnerAction } from "@/components/actions/use-owner-action";
import { refreshPage } from "@/components/live/live-state";
import { Button } from "@/components/ui/button";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { Countdown } from "@/components/ui/time/countdown";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useKeptFocus } from "@/components/ui/use-kept-focus";
import { TechnicalNames } from "./technical-names";

/** What an app may do, or, with `leftMs`, might do until a moment ago. Times in epoch milliseconds. */
export type AllowedScope = { scope: string; sentence: string; sensitive: boolean } & (
  | { grantedAt: number; lastUsedAt?: number }
  | { leftMs: number }
);

type ScopeListProps = { clientId: string; scopes: readonly AllowedScope[] };

/** What an app may do, each with a button that takes it back at once and then, for ten seconds, undoes that. */
export function ScopeList({ clientId, scopes }: ScopeListProps) {
  const take = useOwnerAction("app.take-back-scope", clientId);
  const undo = useOwnerAction("app.undo-take-back", clientId);
  const isTaken = scopes.some((it) => "leftMs" in it);
  return (
    <>
      {[take, undo].map(({ result }) =>
        result && !result.ok ? (
          <Notice key={result.message} tone="danger">
            {result.message}.
          </Notice>
        ) : null,
      )}
      <p role="status" className="font-medium text-ok">
        {isTaken ? "Taken back. The app’s next call is refused." : undo.result?.ok ? "Restored, as it was." : ""}
      </p>
      {scopes.length === 0 ? <p className="mb-2">Nothing. It is connected, and that is all it can see.</p> : null}
      <ul className="divide-y divide-line">
        {scopes.map((it) => (
          <ScopeRow key={it.scope} {...{ it, clientId }} act={"leftMs" in it ? undo : take} />
        ))}
      </ul>
      <p className="my-2 text-muted">
        You can undo for ten seconds. After that, only the app can bring it back, by asking you on the consent screen.
      </p>
      {scopes.length > 0 ? <TechnicalNames scopes={scopes} /> : null}
    </>
  );
}

type ScopeRowProps = {
  it: AllowedScope;
  clientId: string;
  act: Pick<ReturnType<typeof useOwnerAction>, "pending" | "to">;
};

/** One and the same button in both states, so that the focus stays where it is. */
function ScopeRow({ it, clientId, act: { pending, to } }: ScopeRowProps) {
  const { scope, sentence, sensitive } = it;
  const taken = "leftMs" in it;
  useKeptFocus();
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <span className="min-w-0">
        <span className={taken ? "text-muted line-through" : "font-medium"}>
          {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
          {sentence}
        </span>
        <span className="block text-muted">
          {taken ? (
            <Left ms={it.leftMs} />
          ) : (
            <>
              since <TimeAgo at={it.grantedAt} /> · <LastUsed at={it.lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <form {...to} className="shrink-0">
        <input type="hidden" name="clientId" value={clientId} />
        <input type="hidden" name="scope" value={scope} />
        <Button
          type="submit"
          size="small"
          variant={taken ? "primary" : "secondary"}
          pending={pending}
          aria-label={`${taken ? "Undo" : "Take back"}: ${sentence}`}
          // The second click of a double one was not meant to undo the first.
          onClick={(event) => (pending || (taken && event.detail > 1)) && event.preventDefault()}
        >
          {taken ? "Undo" : "Take back"}
        </Button>
      </form>
    </li>
  );
}

/** How long it can be undone; not read out, which would be every second. */
function Left({ ms }: { ms: number }) {
  const [until] = useState(() => performance.now() + ms);
  return useHydrated() ? (
    <span aria-hidden="true">
      Taken back · <Countdown until={until} onEnd={refreshPage} />
    </span>
  ) : (
    "Taken back"
  );
}
