"use client";
import { useState } from "react";
import { ActionButton } from "@/components/actions/action-button";
import { ActionForm } from "@/components/actions/action-form";
import { actionUrl } from "@/components/actions/send-action";
import { defaultOption, type InboxApproval } from "@/components/approvals/inbox-approval";
import { UnexpectedDialog } from "@/components/approvals/list/lazy-dialogs";
import { awaitDialog } from "@/components/keyboard/key-bindings";
import { useShortcut } from "@/components/keyboard/use-shortcut";
import { Button } from "@/components/ui/button";
import { ClockIcon, DotsIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { SnoozeOffer } from "@/lib/text/snooze-times";
import { IconMenu, iconButton, menuButton, menuItem } from "./icon-menu";
import { LinkAndActivityItems } from "./link-and-activity-items";

type SnoozeClockProps = { approval: InboxApproval; snoozes: SnoozeOffer[]; onSnooze: () => void };

/** The button that opens the snooze dialog. Without scripts, it opens a list instead. */
export function SnoozeClock({ approval: { _id: id, triage }, snoozes, onSnooze }: SnoozeClockProps) {
  const label = triage.snoozedUntil === undefined ? "Snooze" : "Snooze again";
  const key = useShortcut<HTMLElement>({ shortcut: "h", description: "Snooze the question" });
  return (
    <details className="relative">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        {...key}
        aria-label={label}
        title={label}
        onClick={(event) => {
          event.preventDefault();
          onSnooze();
        }}
        className={iconButton}
      >
        <ClockIcon />
      </summary>
      <ActionForm
        act="approval.snooze"
        fields={{ ids: id }}
        className="absolute inset-e-0 top-full z-30 mt-1 grid w-64 gap-2 rounded-xl border border-line bg-raised p-3 shadow-float"
      >
        {snoozes.map(({ choice, label, time }) => (
          <Button key={choice} type="submit" size="small" name="choice" value={choice} className="justify-start!">
            {label} <span className="ms-auto font-normal text-muted">{time}</span>
          </Button>
        ))}
      </ActionForm>
    </details>
  );
}

type ApprovalMenuProps = {
  approval: InboxApproval;
  /** Whether the question is pending. */
  open: boolean;
};

/** A menu of less frequent actions on a question. */
export function ApprovalMenu({ approval, open }: ApprovalMenuProps) {
  const { _id: id, clientId, app } = approval;
  const [suspected, setSuspected] = useState<string>();
  return (
    <>
      <IconMenu key={id} label="More" icon={<DotsIcon />}>
        {open ? (
          <>
            <ActionButton
              of="approval.mute"
              with={{ id, clientId, muted: app.muted ? "no" : "yes" }}
              shortcut="m"
              description="Mute or unmute the app"
              cap={false}
              variant="quiet"
              className={menuButton}
            >
              <span className="min-w-0 truncate">
                {app.muted ? "Unmute" : "Mute"} <bdi>{app.name}</bdi>
              </span>
            </ActionButton>
            <a
              href={`/approvals/unexpected?id=${id}`}
              className={menuItem}
              onClick={(event) => {
                event.preventDefault();
                awaitDialog(true);
                setSuspected(id);
              }}
            >
              I didn’t expect this question…
            </a>
          </>
        ) : null}
        {app.revoked || approval.frozen ? null : (
          // A plain form, because the result is another page.
          <form action={actionUrl("freeze.begin")} method="post" className="contents">
            <input type="hidden" name="clientId" value={clientId} />
            <Button type="submit" variant="quiet" className={menuButton}>
              <span className="min-w-0 truncate">
                Freeze <bdi>{app.name}</bdi>
              </span>
            </Button>
          </form>
        )}
        {app.revoked || app.own ? null : (
          <Link href={`/apps/${clientId}`} className={menuItem}>
            Review access
          </Link>
        )}
        <LinkAndActivityItems id={id} />
      </IconMenu>
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
    </>
  );
}
