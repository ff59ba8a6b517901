"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { InboxProps } from "./inbox";
import { type Asked, endOf } from "./types";
import { useAnswers } from "./use-answers";
import { useRows } from "./use-rows";
import { isNothingOpen, isWide, useSelection } from "./use-selection";

type Reading = Pick<InboxProps, "listed" | "extra" | "opened" | "endings" | "total" | "query" | "listAddress" | "send">;

/** What the inbox shows, and what the owner can do with it. */
export function useInbox({ listed, extra, opened, endings, total, query, listAddress, send }: Reading) {
  const isHistory = total === undefined;
  const [said, say] = useState("");
  const [shown, setShown] = useState<string>();
  const { selected, select, isArmed } = useSelection(opened, query, listAddress);
  // When the last one fails there is nothing else open: back to it.
  const { sent, answer } = useAnswers(send, say, (asked) => isNothingOpen() && go(asked));
  const rows = useRows(listed, endings, shown);
  const focusOn = useFocus();

  const isOpen = (asked: Asked) => !endOf(asked, sent.get(asked._id));
  const waiting = isHistory ? [] : rows.filter(isOpen);
  // Where the address names none, the longest waiting stands beside the list, and stays there when it ends elsewhere.
  const stayed = selected ? undefined : rows.find(({ _id }) => _id === shown && !sent.has(_id));
  const named = [...rows, ...(extra ? [extra] : [])].find(({ _id }) => _id === selected);
  const current = named ?? stayed ?? (isHistory ? rows[0] : waiting[0]);
  if (current?._id !== shown) setShown(current?._id);

  const at = waiting.findIndex(({ _id }) => _id === current?._id);
  const after = current && waiting.find((asked) => asked._creationTime > current._creationTime);
  const next = waiting[at + 1] ?? after ?? waiting.find((asked) => asked !== current);
  const left = (total ?? 0) - listed.filter((asked) => !isOpen(asked)).length;

  const go = useCallback(
    (asked: Asked | undefined) => {
      select(asked);
      if (asked) focusOn(isWide() ? `[data-row="${asked._id}"]` : "#question");
      else focusOn("[data-empty] h2");
    },
    [select, focusOn],
  );

  return {
    rows,
    current,
    next: next === current ? undefined : next,
    sent,
    said,
    waiting,
    /** How many wait in all, less those just answered. */
    left: Math.max(0, left),
    place: at + 1,
    /** Whether the decision has the page of a phone to itself. */
    alone: selected !== undefined,
    go,
    open(asked: Asked) {
      const again = asked._id === current?._id;
      select(asked);
      if (again || !isWide()) focusOn("#question");
    },
    move(by: 1 | -1) {
      const to = rows[rows.findIndex(({ _id }) => _id === current?._id) + by];
      if (to) go(to);
    },
    give(asked: Asked, form: FormData) {
      if (!isArmed() || !answer(asked, form)) return;
      say(`Answered. ${Math.max(0, left - 1)} waiting.`);
      go(next === asked ? undefined : next);
    },
    back() {
      if (document.activeElement instanceof HTMLTextAreaElement) return focusOn("#question");
      if (!isWide() && !selected) return;
      if (!isWide()) select(undefined);
      focusOn(`[data-row="${current?._id}"]`);
    },
    toList() {
      select(undefined);
      focusOn(`[data-row="${current?._id}"]`);
    },
  };
}

/** Move the focus once the next frame is there. Of several elements, to the first that can be seen. */
function useFocus() {
  const wanted = useRef<string>(undefined);
  const [, again] = useState(0);
  useEffect(() => {
    if (!wanted.current) return;
    const seen = [...document.querySelectorAll<HTMLElement>(wanted.current)].find(
      (it) => it.getClientRects().length > 0,
    );
    wanted.current = undefined;
    seen?.focus();
    seen?.scrollIntoView({ block: "nearest" });
  });
  return useCallback((selector: string) => {
    wanted.current = selector;
    again((count) => count + 1);
  }, []);
}
