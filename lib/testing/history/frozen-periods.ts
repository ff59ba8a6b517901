import type { Freeze } from "./history";

/** A period in epoch milliseconds. */
export type Period = { from: number; to: number };
/** A freeze: the period in which it was certainly active, if any, and the longest possible one. */
export type FrozenPeriod = { certain?: Period | undefined; possible: Period };

/** Returns the freezes of one owner from their beginnings and ends. */
export function frozenPeriods(freezes: readonly Freeze[]): FrozenPeriod[] {
  const periods: FrozenPeriod[] = [];
  let open: { certainFrom?: number | undefined; certainTo?: number | undefined; possibleFrom: number } | undefined;
  const close = (to: number) => {
    if (!open) return;
    const { certainFrom, certainTo = Number.POSITIVE_INFINITY, possibleFrom } = open;
    const certain =
      certainFrom !== undefined && certainFrom < certainTo ? { from: certainFrom, to: certainTo } : undefined;
    periods.push({ certain, possible: { from: possibleFrom, to } });
    open = undefined;
  };
  const happened = freezes.filter(({ outcome }) => outcome !== "refused").sort((a, b) => a.began.at - b.began.at);
  for (const { op, began, ended, outcome } of happened) {
    if (op === "freeze") {
      open ??= { possibleFrom: began.at };
      if (outcome === "ok") open.certainFrom ??= ended.at;
    } else if (open) {
      open.certainTo ??= began.at;
      if (outcome === "ok") close(ended.at);
    }
  }
  close(Number.POSITIVE_INFINITY);
  return periods;
}

/**
 * Returns the earliest and the latest moment at which a deadline can pass. Each freeze of a pending
 * question moves its deadline by the duration of the freeze.
 */
export function movedDeadline(deadline: number, askedAt: number, freezes: readonly Freeze[]): Period {
  let [from, to] = [deadline, deadline];
  for (const { certain, possible } of frozenPeriods(freezes)) {
    if (certain && certain.from >= askedAt && certain.from < from) from += certain.to - certain.from;
    if (possible.to > askedAt && possible.from < to) to += possible.to - possible.from;
  }
  return { from, to };
}
