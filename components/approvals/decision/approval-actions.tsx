"use client";
import { useState } from "react";
import { ActionButton } from "@/components/actions/action-button";
import { ActionForm } from "@/components/actions/action-form";
import { UnexpectedDialog } from "@/components/approvals/list/dialogs";
import { addressOf, defaultOption, type InboxApproval } from "@/components/approvals/types";
import { awaitDialog } from "@/components/keys/keys";
import { ShortcutSummary } from "@/components/keys/shortcut";
import { Button, buttonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { SnoozeOffer } from "@/lib/text/snooze-times";
import { Reference } from "./reference";

type ApprovalActionsProps = {
  approval: InboxApproval;
  /** Whether the question is pending, and so can be snoozed. */
  open: boolean;
  snoozes: SnoozeOffer[];
  onSnooze: () => void;
};

/** Actions on a question other than answering it. */
export function ApprovalActions({ approval, open, snoozes, onSnooze }: ApprovalActionsProps) {
  const { _id: id, clientId, app, triage } = approval;
  const [suspected, setSuspected] = useState<string>();
  return (
    <footer key={id} className="grid grid-cols-1 gap-2 border-t border-line pt-3 text-xs text-muted">
      {open ? (
        <div className="flex flex-wrap items-start gap-x-1 gap-y-1 -mx-2">
          <details>
            <ShortcutSummary
              shortcut="h"
              description="Snooze the question"
              variant="quiet"
              size="small"
              onClick={(event) => {
                event.preventDefault();
                onSnooze();
              }}
            >
              {triage.snoozedUntil === undefined ? "Snooze…" : "Snooze again…"}
            </ShortcutSummary>
            <ActionForm act="approval.snooze" fields={{ ids: id }} className="my-2 flex flex-wrap gap-2">
              {snoozes.map(({ choice, label, time }) => (
                <Button key={choice} type="submit" size="small" name="choice" value={choice}>
                  {label} <span className="font-normal text-muted">{time}</span>
                </Button>
              ))}
            </ActionForm>
          </details>
          <ActionButton
            of="approval.mute"
            with={{ id, clientId, muted: app.muted ? "no" : "yes" }}
            shortcut="m"
            description="Mute or unmute the app"
            variant="quiet"
            size="small"
            className="max-w-full"
          >
            <span className="min-w-0 truncate">
              {app.muted ? "Stop muting" : "Mute"} <bdi>{app.name}</bdi>
            </span>
          </ActionButton>
          <a
            href={`/approvals/unexpected?id=${id}`}
            className={buttonClass({ variant: "quiet", size: "small" })}
            onClick={(event) => {
              event.preventDefault();
              awaitDialog(true);
              setSuspected(id);
            }}
          >
            I didn’t expect this
          </a>
        </div>
      ) : null}
      <Reference id={id}>
        <CopyButton text={here(addressOf(id))} label="Copy link" variant="quiet" />
      </Reference>
      {suspected === id ? (
        <UnexpectedDialog
          id={id}
          app={{ ...app, clientId }}
          byDefault={defaultOption(approval)?.label}
          onClose={() => {
            awaitDialog(false);
            setSuspected(undefined);
          }}
        />
      ) : null}
    </footer>
  );
}

const here = (path: string) => (typeof window === "undefined" ? path : window.location.origin + path);
