"use client";
import { useEffect, useEffectEvent, useState } from "react";
import type { InboxApproval } from "@/components/approvals/types";
import type { useNews } from "@/components/triage/use-news";
import { absoluteTime } from "@/components/ui/time/relative-time";
import { perform, withIds } from "./acts";

/** What an owner does with a question instead of answering it. What leaves the list leaves it in the same frame. */
export function useTriage(listed: InboxApproval[], { announce, notify }: ReturnType<typeof useNews>) {
  const [away, setAway] = useState<ReadonlySet<string>>(new Set());
  const without = (ids: string[]) => setAway((all) => new Set([...all].filter((id) => !ids.includes(id))));

  // Once the server does not list it any more, its word counts again: it may come back.
  const reread = useEffectEvent((listed: InboxApproval[]) => {
    const rows = new Set(listed.map(({ _id }) => _id));
    const gone = [...away].filter((id) => !rows.has(id));
    if (gone.length > 0) without(gone);
  });
  useEffect(() => reread(listed), [listed]);

  const leave = (several: InboxApproval[]) => {
    const ids = several.map(({ _id }) => _id);
    setAway((all) => new Set([...all, ...ids]));
    return (message: string) => {
      without(ids);
      notify(`It stays: ${message}`);
    };
  };

  const snooze = (several: InboxApproval[], choice: string) => {
    const stays = leave(several);
    perform(
      "approval.snooze",
      withIds(several, { choice }),
      (until) => {
        const words = `${several.length === 1 ? "Put" : `${several.length} put`} off until ${absoluteTime(until)}`;
        notify(words, () => bringBack(several));
      },
      stays,
    );
  };

  const bringBack = (several: InboxApproval[]) => {
    // In the view of what is put off it leaves; in that of what waits it returns.
    const stays = several.some(({ desk }) => desk.snoozedUntil !== undefined) ? leave(several) : undefined;
    perform(
      "approval.bring-back",
      withIds(several),
      () => {
        if (!stays) without(several.map(({ _id }) => _id));
        notify(several.length === 1 ? "It waits again" : `${several.length} wait again`);
      },
      stays ?? ((message) => notify(`Not brought back: ${message}`)),
    );
  };

  const mute = ({ clientId, app }: InboxApproval, as: boolean) => {
    const form = new FormData();
    form.set("clientId", clientId);
    form.set("muted", as ? "yes" : "no");
    perform(
      "approval.mute",
      form,
      () => {
        const words = as
          ? `Muted ${app.name}: its questions wait at the end, and count nowhere`
          : `${app.name} is unmuted`;
        notify(words, () => mute({ clientId, app } as InboxApproval, !as));
      },
      (message) => notify(`Not changed: ${message}`),
    );
  };

  /** @returns why it was not asked, if so */
  const askBack = ({ app }: InboxApproval, form: FormData): Promise<string | undefined> =>
    new Promise((resolve) => {
      perform(
        "approval.ask",
        form,
        () => {
          notify(`Asked. It waits for ${app.name} now, and comes back when there is more to read`);
          resolve(undefined);
        },
        (message) => {
          announce(`Not asked: ${message}`);
          resolve(message);
        },
      );
    });

  return { away, snooze, bringBack, mute, askBack };
}
