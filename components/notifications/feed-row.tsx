"use client";
import { useActionState, useRef, useState } from "react";
import type { FormAction } from "@/components/ui/action-form";
import { AppIcon } from "@/components/ui/app-icon";
import { Button } from "@/components/ui/button";
import { CheckIcon, ChevronIcon } from "@/components/ui/icons";
import { TimeAgo } from "@/components/ui/time-ago";
import type { FeedItem } from "@/lib/notifications/schema";

/**
 * One notification: its line, and its text when opened. Everything in it is the app's words and plain text; a link is
 * shown, never followed. Opening it counts as reading it.
 */
export function FeedRow({ told, action }: { told: FeedItem; action: FormAction }) {
  const { id, app, title, body, type } = told;
  const [marked, setMarked] = useState(false);
  const read = told.read || marked;
  const [, send] = useActionState(action, null);
  const form = useRef<HTMLFormElement>(null);
  const markRead = async () => {
    if (!form.current || read) return;
    setMarked(true);
    const result = await action(null, new FormData(form.current)).catch(() => undefined);
    if (!result?.ok) setMarked(false);
  };
  const line = (
    <>
      <span className="relative shrink-0">
        <AppIcon name={app.name} className="size-8" />
        {read ? null : (
          <span className="absolute -top-1 -left-1 size-3 rounded-full border-2 border-raised bg-accent forced-colors:bg-[Highlight]">
            <span className="sr-only">Unread</span>
          </span>
        )}
      </span>
      <span className="min-w-0 grow">
        <span dir="auto" className={`line-clamp-2 group-open:line-clamp-none ${read ? "" : "font-semibold"}`}>
          {title}
        </span>
        {body ? (
          <span dir="auto" className="line-clamp-1 text-muted group-open:hidden">
            {body}
          </span>
        ) : null}
        <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
          <bdi className="font-medium">{app.name}</bdi>
          <span aria-hidden="true">·</span>
          <span className="mono">{type}</span>
          <span aria-hidden="true">·</span>
          <TimeAgo at={told.createdAt} />
        </span>
      </span>
    </>
  );
  return (
    <li className={`flex items-start border-b border-line last:border-b-0 ${read ? "" : "bg-surface"}`}>
      {body ? (
        <details
          className="group min-w-0 grow"
          onToggle={(event) => {
            if (event.currentTarget.open) void markRead();
          }}
        >
          <summary className="flex min-h-16 items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-bg">
            {line}
            <ChevronIcon className="mt-1 size-4 text-muted transition-transform duration-100 group-open:rotate-90" />
          </summary>
          <section
            aria-label={`From ${app.name}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="mx-4 mt-1 mb-3 ml-15 max-h-96 overflow-y-auto rounded-lg border border-line bg-surface px-3.5 py-2.5"
          >
            <p dir="auto" className="whitespace-pre-line">
              {body}
            </p>
          </section>
        </details>
      ) : (
        <div className="flex min-h-16 min-w-0 grow items-start gap-3 px-4 py-3">{line}</div>
      )}
      {read ? null : (
        <form
          ref={form}
          action={send}
          onSubmit={(event) => {
            event.preventDefault();
            void markRead();
          }}
          className="py-2 pr-2"
        >
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="quiet" size="small">
            <CheckIcon className="size-4" />
            <span className="max-sm:sr-only">Mark read</span>
            <span className="sr-only">: {title}</span>
          </Button>
        </form>
      )}
    </li>
  );
}
