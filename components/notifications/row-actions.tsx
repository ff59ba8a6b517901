"use client";
import { actionUrl } from "@/components/actions/send-action";
import { type Shortcut, useShortcut } from "@/components/keyboard/use-shortcut";
import { buttonClass } from "@/components/ui/button";
import { CheckIcon } from "@/components/ui/icons";
import type { FeedNotification, TriageName } from "./feed-notification";

type RowActionsProps = {
  notification: FeedNotification;
  /** `current` is whether shortcuts act on the row. `done` is whether the row has the Done key. */
  current: boolean;
  done: boolean;
  onAct: (act: TriageName) => void;
};

export const snoozes = [
  ["snooze-60", "For an hour"],
  ["snooze-240", "For 4 hours"],
  ["snooze-1440", "Until this time tomorrow"],
  ["snooze-10080", "For a week"],
] as const;

/**
 * A notification's actions as one plain form. A closed row shows only Done. An open one shows all
 * actions under its text.
 */
export function RowActions({ notification, current, done, onAct }: RowActionsProps) {
  const { id, app, title, place, read, muted } = notification;
  const isDone = place === "done";
  const description = isDone ? "Move to the inbox" : "Mark as done";
  const doneKey = useShortcut<HTMLButtonElement>(done ? { shortcut: "e", description } : {});
  const named = (label: string) => ({ "aria-label": `${label}: ${title}` });
  return (
    <form method="post" onSubmit={(event) => onSubmit(event, onAct)}>
      <input type="hidden" name="ids" value={id} />
      {isDone ? null : (
        <button
          type="submit"
          {...does("done")}
          {...named("Done")}
          title="Done"
          className="absolute top-1.5 inset-e-1.5 flex size-11 items-center justify-center rounded-lg text-muted hover:text-ink group-has-[[data-told][open]]/row:hidden sm:pointer-fine:size-9 sm:pointer-fine:opacity-0 sm:pointer-fine:group-hover/row:opacity-100 sm:pointer-fine:focus-visible:opacity-100"
        >
          <CheckIcon className="size-4" />
        </button>
      )}
      <div className="hidden flex-wrap gap-1 pb-3 group-has-[[data-told][open]]/row:flex has-[details[open]]:flex sm:ps-10">
        <button
          type="submit"
          {...does(isDone ? "back" : "done")}
          {...named(isDone ? "Move to the inbox" : "Done")}
          {...doneKey}
          className={look}
        >
          {isDone ? "Move to the inbox" : "Done"}
        </button>
        {isDone ? null : (
          <Menu label="Snooze" title={title} kind="snooze" {...(current && { shortcut: "h", description: "Snooze" })}>
            {place === "snoozed" ? <Choice value="wake">End snooze</Choice> : null}
            {snoozes.map(([value, words]) => (
              <Choice key={value} value={value}>
                {words}
              </Choice>
            ))}
          </Menu>
        )}
        {muted ? null : (
          <button
            type="submit"
            {...does(read ? "unread" : "read")}
            {...named(read ? "Mark as unread" : "Mark as read")}
            className={look}
          >
            {read ? "Mark as unread" : "Mark as read"}
          </button>
        )}
        {app.ours ? null : <MuteMenu notification={notification} current={current} />}
      </div>
    </form>
  );
}

/** Performs the pressed button's action without submitting the form. */
function onSubmit(event: React.FormEvent<HTMLFormElement>, onAct: RowActionsProps["onAct"]) {
  const { submitter } = event.nativeEvent as SubmitEvent;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  // Moves the focus out of the menu before the menu closes.
  if (submitter === document.activeElement) focusAfter(submitter.closest("details[data-menu]"));
  for (const menu of event.currentTarget.querySelectorAll("details")) menu.open = false;
  onAct(submitter.value as TriageName);
}

/** Focuses the menu's button or, if it gets hidden with the menu, the row's line. */
function focusAfter(menu: Element | null) {
  const row = menu?.closest("li");
  const stays = row?.querySelector("details[data-told][open]");
  (stays ? menu?.querySelector("summary") : row?.querySelector<HTMLElement>("[data-row]"))?.focus();
}

/** Mutes or unmutes the app or the type. */
function MuteMenu({ notification, current }: Pick<RowActionsProps, "notification" | "current">) {
  const { app, title, type, muted } = notification;
  const mutes = [
    [muted === "app" ? "unmute-app" : "mute-app", app.name],
    ...(muted === "app"
      ? []
      : [
          [
            muted === "type" ? "unmute-type" : "mute-type",
            `${type.trim() ? `“${type}”` : "notifications without a type"} from ${app.name}`,
          ] as const,
        ]),
  ] as const;
  return (
    <Menu
      label={muted ? "Unmute" : "Mute"}
      title={title}
      kind="mute"
      {...(current && { shortcut: "m", description: "Mute the app or the notification type" })}
    >
      {mutes.map(([value, words]) => (
        <Choice key={value} value={value}>
          {value.startsWith("un") ? "Unmute " : "Mute "}
          <bdi>{words}</bdi>
        </Choice>
      ))}
    </Menu>
  );
}

const look = buttonClass({ variant: "quiet", size: "small" });

type MenuProps = Partial<Shortcut> & {
  label: string;
  title: string;
  kind: "snooze" | "mute";
  children: React.ReactNode;
};

/** A menu that overlays the rows below, and closes when it loses the focus. */
function Menu({ label, title, kind, children, ...shortcut }: MenuProps) {
  const key = useShortcut<HTMLElement>(shortcut, (summary) => {
    const menu = summary.closest("details");
    if (!menu) return;
    menu.open = true;
    menu.querySelector("button")?.focus();
  });
  return (
    <details
      name="menu"
      data-menu={kind}
      className="relative"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.stopPropagation();
        event.preventDefault();
        focusAfter(event.currentTarget);
        event.currentTarget.open = false;
      }}
    >
      <summary {...key} className={look} aria-label={`${label}: ${title}`}>
        {label}…
      </summary>
      <div className="z-20 grid rounded-xl border border-line bg-raised p-1 shadow-float max-sm:fixed max-sm:inset-x-2 max-sm:bottom-[calc(4rem+env(safe-area-inset-bottom))] sm:absolute sm:top-full sm:inset-s-0 sm:min-w-56">
        {children}
      </div>
    </details>
  );
}

/** A button's action: `value` with scripts, `formAction` without. */
const does = (act: TriageName) => ({ value: act, formAction: actionUrl(`notification.${act}`) });

const Choice = ({ value, children }: { value: TriageName; children: React.ReactNode }) => (
  <button
    type="submit"
    {...does(value)}
    className="min-h-11 rounded-lg px-3 py-2 text-start hover:bg-fill sm:pointer-fine:min-h-9"
  >
    {children}
  </button>
);
