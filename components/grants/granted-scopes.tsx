"use client";
import { useState } from "react";
import { useAction } from "@/components/actions/use-action";
import { refreshPage } from "@/components/live/connection-and-refresh";
import { Switch } from "@/components/ui/fields/switch";
import { WarningIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { Countdown } from "@/components/ui/time/countdown";
import { LastUsed } from "@/components/ui/time/last-used";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { useKeptFocus } from "@/components/ui/use-focus-after-unmount";
import { useHydrated } from "@/components/ui/use-hydrated";
import { allows } from "@/lib/scopes";
import { TechnicalNames } from "./technical-scope-names";

/**
 * An app's permission. With `leftMs`, it was just revoked and can still be restored. `grantedAt`
 * and `lastUsedAt` are in epoch milliseconds.
 */
export type AllowedScope = { scope: string; sentence: string; sensitive: boolean } & (
  | { grantedAt: number; lastUsedAt?: number }
  | { leftMs: number }
);

type GrantedScopesProps = { clientId: string; name: string; scopes: readonly AllowedScope[] };

/**
 * An app's permissions, each with a switch. Turning a permission off revokes it immediately. For
 * ten seconds, the same switch can restore the permission.
 */
export function GrantedScopes({ clientId, name, scopes }: GrantedScopesProps) {
  const take = useAction("app.take-back-scope", clientId);
  const undo = useAction("app.undo-take-back", clientId);
  const taken = scopes.filter((it) => "leftMs" in it).map(({ scope }) => scope);
  const message =
    taken.length > 0 ? (
      <>
        <bdi>{name}</bdi> can no longer {allows(taken)}.
      </>
    ) : undo.result?.ok ? (
      "Permission restored"
    ) : null;
  return (
    <>
      {scopes.length === 0 ? (
        <p className="mb-2">No permissions. The app can see only the linked accounts that you share.</p>
      ) : null}
      <ul>
        {scopes.map((scope) => (
          <ScopeRow key={scope.scope} {...{ it: scope, clientId }} act={"leftMs" in scope ? undo : take} />
        ))}
      </ul>
      {/* Messages are below the switches and have a fixed place, so that nothing moves under a finger. */}
      <div className="my-2 min-h-10 sm:min-h-5">
        <p role="status" className="font-medium text-ink">
          {message}
        </p>
        {message ? null : (
          <p className="text-muted">After you turn off a permission, you can undo the change for 10 seconds.</p>
        )}
      </div>
      {[take, undo].map(({ result }) =>
        result && !result.ok ? (
          <Notice key={result.message} tone="danger">
            {result.message.replace(/\.?$/, ".")}
          </Notice>
        ) : null,
      )}
      {scopes.length > 0 ? <TechnicalNames scopes={scopes} /> : null}
    </>
  );
}

type ScopeRowProps = { it: AllowedScope; clientId: string; act: Pick<ReturnType<typeof useAction>, "pending" | "to"> };

/** One permission with its switch. The same switch revokes and restores, so it keeps the focus. */
function ScopeRow({ it, clientId, act: { pending, to } }: ScopeRowProps) {
  const { scope, sentence, sensitive } = it;
  const taken = "leftMs" in it;
  useKeptFocus();
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <span className="min-w-0">
        <span className={taken ? "text-muted" : "font-medium"}>
          {sensitive ? <WarningIcon className="me-1.5 inline size-4 align-[-2px] text-warn" /> : null}
          {sentence}
        </span>
        <span className="block text-muted">
          {taken ? (
            <Left ms={it.leftMs} />
          ) : (
            <>
              allowed <TimeAgo at={it.grantedAt} /> · <LastUsed at={it.lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <form {...to} className="shrink-0">
        <input type="hidden" name="clientId" value={clientId} />
        <input type="hidden" name="scope" value={scope} />
        <Switch
          checked={!taken}
          label={sentence}
          name={undefined}
          {...(pending && { "aria-busy": true, "aria-disabled": true })}
          // Ignores the second click of a double click, which would undo the first.
          onClick={(event) => (pending || (taken && event.detail > 1)) && event.preventDefault()}
        />
      </form>
    </li>
  );
}

/**
 * The time left to undo. Screen readers get a fixed text, because a countdown would interrupt them.
 */
function Left({ ms }: { ms: number }) {
  const [until] = useState(() => performance.now() + ms);
  const alive = useHydrated();
  return (
    <>
      <span className="sr-only">Permission turned off. You can undo the change for 10 seconds.</span>
      <span aria-hidden="true">
        {alive ? (
          <>
            Off · undo within <Countdown until={until} onEnd={refreshPage} />
          </>
        ) : (
          "Off"
        )}
      </span>
    </>
  );
}
