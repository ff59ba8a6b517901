"use client";
import { actionUrl } from "@/components/actions/send";
import { type Shortcut, useShortcut } from "@/components/keys/shortcut";
import { CheckIcon } from "@/components/ui/icons";
import { BackIcon, MuteIcon, ReadIcon, SnoozeIcon } from "./icons";
import type { FeedNotification, TriageName } from "./types";

type RowActionsProps = {
  notification: FeedNotification;
  /** Whether keys act on the row; `done` for the Done key. */
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
 * A notification's actions as one plain form. With a pointer they show on hover and focus; by
 * touch, the first button always shows and the others once it is open.
 */
export function RowActions({ notification, current, done, onAct }: RowActionsProps) {
  const { id, app, title, place, muted } = notification;
  const back = place === "done";
  const description = back ? "Back to the inbox" : "Mark done";
  const doneKey = useShortcut<HTMLButtonElement>(done ? { shortcut: "e", description } : {});
  return (
    <form
      method="post"
      onSubmit={(event) => onSubmit(event, onAct)}
      className="flex flex-wrap items-center justify-end gap-0.5 py-2 pe-2 sm:min-w-42 max-sm:group-has-[details[data-told][open]]/row:w-full max-sm:group-has-[details[data-told][open]]/row:border-t max-sm:group-has-[details[data-told][open]]/row:border-line"
    >
      <input type="hidden" name="ids" value={id} />
      <div className={`${secondary} flex flex-wrap items-center gap-0.5`}>
        {muted ? null : <ReadButton {...notification} />}
        {place === "done" ? null : (
          <Menu
            icon={<SnoozeIcon />}
            label="Snooze"
            title={title}
            kind="snooze"
            {...(current && { shortcut: "h", description: "Snooze" })}
          >
            {place === "snoozed" ? <Choice value="wake">Move to the inbox now</Choice> : null}
            {snoozes.map(([value, words]) => (
              <Choice key={value} value={value}>
                {words}
              </Choice>
            ))}
          </Menu>
        )}
        {app.ours ? null : <MuteMenu notification={notification} current={current} />}
      </div>
      <button
        type="submit"
        {...does(back ? "back" : "done")}
        {...doneKey}
        className={`${iconButton} sm:pointer-fine:opacity-0 sm:pointer-fine:group-focus-within/row:opacity-100 sm:pointer-fine:group-hover/row:opacity-100 sm:pointer-fine:group-data-current/row:opacity-100`}
        title={back ? "Back to the inbox" : "Done"}
      >
        {back ? <BackIcon /> : <CheckIcon className="size-4" />}
        <span className="sr-only">{back ? "Back to the inbox" : "Done"}</span>
        <About title={title} />
      </button>
    </form>
  );
}

/** With scripts. */
function onSubmit(event: React.FormEvent<HTMLFormElement>, onAct: RowActionsProps["onAct"]) {
  const { submitter } = event.nativeEvent as SubmitEvent;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  // A menu that closes with the focus inside would lose it if the row stays.
  if (submitter === document.activeElement) submitter.closest("details[data-menu]")?.querySelector("summary")?.focus();
  for (const menu of event.currentTarget.querySelectorAll("details")) menu.open = false;
  onAct(submitter.value as TriageName);
}

const About = ({ title }: { title: string }) => <span className="sr-only">: {title}</span>;

const ReadButton = ({ read, title }: FeedNotification) => (
  <button
    type="submit"
    {...does(read ? "unread" : "read")}
    className={iconButton}
    title={read ? "Mark unread" : "Mark read"}
  >
    <ReadIcon read={read} />
    <span className="sr-only">{read ? "Mark unread" : "Mark read"}</span>
    <About title={title} />
  </button>
);

/** Mutes its app or its type, or no longer. */
function MuteMenu({ notification, current }: Pick<RowActionsProps, "notification" | "current">) {
  const { app, title, type, muted } = notification;
  const mutes = [
    [muted === "app" ? "unmute-app" : "mute-app", app.name],
    ...(muted === "app"
      ? []
      : [[muted === "type" ? "unmute-type" : "mute-type", `${type.trim() || "untyped"} from ${app.name}`] as const]),
  ] as const;
  return (
    <Menu
      icon={<MuteIcon />}
      label={muted ? "Unmute" : "Mute"}
      title={title}
      kind="mute"
      {...(current && { shortcut: "m", description: "Mute the app or type" })}
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

const iconButton =
  "flex size-11 items-center justify-center rounded-lg text-muted transition-opacity duration-100 hover:bg-fill hover:text-ink sm:size-9 pointer-coarse:size-11";
const secondary =
  "max-sm:hidden max-sm:group-has-[details[data-told][open]]/row:flex sm:pointer-fine:opacity-0 sm:pointer-fine:group-focus-within/row:opacity-100 sm:pointer-fine:group-hover/row:opacity-100 sm:pointer-fine:group-data-current/row:opacity-100";

type MenuProps = Partial<Shortcut> & {
  icon: React.ReactNode;
  label: string;
  title: string;
  kind: "snooze" | "mute";
  children: React.ReactNode;
};

/** A menu over the rows below, which closes when the focus leaves it. */
function Menu({ icon, label, title, kind, children, ...shortcut }: MenuProps) {
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
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary {...key} className={iconButton} title={label} aria-label={`${label}: ${title}`}>
        {icon}
      </summary>
      <div className="z-20 grid rounded-lg border border-line bg-raised p-1 shadow-float max-sm:fixed max-sm:inset-x-2 max-sm:bottom-[calc(4rem+env(safe-area-inset-bottom))] sm:absolute sm:top-full sm:inset-e-0 sm:min-w-56">
        {children}
      </div>
    </details>
  );
}

/** A button's action: `value` for scripts, `formAction` without them. */
const does = (act: TriageName) => ({ value: act, formAction: actionUrl(`notification.${act}`) });

const Choice = ({ value, children }: { value: TriageName; children: React.ReactNode }) => (
  <button
    type="submit"
    {...does(value)}
    className="min-h-11 rounded-md px-3 py-2 text-start hover:bg-fill sm:pointer-fine:min-h-9"
  >
    {children}
  </button>
);
