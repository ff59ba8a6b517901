import { type ApprovalRecord, approvalsOf, goodReads } from "./approval-record";
import { frozenPeriods } from "./frozen-periods";
import {
  type Ask,
  entriesOf,
  type Freeze,
  groupBy,
  type History,
  type Moment,
  type PageView,
  type Push,
  type Trouble,
} from "./history";

/*
 * An open page shows within five seconds what the API says. The seconds are those in which the machine
 * was responsive. A page is exempt while its instance or its owner's database is in trouble, and for
 * five seconds afterwards.
 */

const withinMs = 5_000;
/** The number of notifications at the top of the list that the checker expects. */
const expectedPushes = 20;

export type PageResult = { checked: number; exempt: number; problems: string[] };

export function checkPages(history: History): PageResult {
  const result: PageResult = { checked: 0, exempt: 0, problems: [] };
  const troubles = entriesOf(history, "trouble");
  const facts = new Map(approvalsOf(history).flatMap((record) => factsOf(record).map((it) => [it.ask, it])));
  const pushes = groupBy<Push>(entriesOf(history, "push"), ({ owner }) => owner);
  const asks = groupBy<Ask>(entriesOf(history, "ask"), ({ owner }) => owner);
  const freezes = groupBy<Freeze>(entriesOf(history, "freeze", "unfreeze"), ({ owner }) => owner);
  const reported = new Set<string>();
  const miscounted = new Map<string, boolean>();
  for (const view of entriesOf(history, "page")) {
    const { owner } = view;
    if (isExempt(view, troubles, freezes.get(owner) ?? [])) {
      result.exempt++;
      continue;
    }
    result.checked++;
    const problems =
      view.list === "inbox"
        ? checkInbox(view, facts, asks.get(owner) ?? [])
        : checkNotifications(view, pushes.get(owner) ?? []);
    const wrong = view.list === "inbox" ? miscount(view, facts, asks.get(owner) ?? []) : undefined;
    // A single wrong number may belong to a moment between two states.
    if (wrong && miscounted.get(view.page)) problems.push(wrong);
    miscounted.set(view.page, wrong !== undefined);
    for (const problem of problems) reported.add(`The page ${view.page} ${problem}.`);
  }
  return { ...result, problems: [...reported] };
}

function isExempt(view: PageView, troubles: readonly Trouble[], freezes: readonly Freeze[]): boolean {
  const affects = ({ instances, owners }: Trouble) => instances.includes(view.instance) || owners.includes(view.owner);
  const inTrouble = troubles.some(
    (it) => affects(it) && it.began.at < view.ended.at && view.began.free < it.ended.free + withinMs,
  );
  // The list of a frozen owner is another one.
  const isFrozen = frozenPeriods(freezes).some(
    ({ possible }) => possible.from < view.ended.at && possible.to + 2 * withinMs > view.began.at,
  );
  return inTrouble || isFrozen;
}

/** Whether something happened so long before that the page must show it. */
const isDue = (moment: Moment, view: PageView) => moment.free + withinMs < view.began.free;

/** The moments that decide what a page must show about a question. */
type Facts = { ask: Ask; goneFrom: number; touchedAt: number };

function factsOf(record: ApprovalRecord): Facts[] {
  const { ask, writes } = record;
  if (!ask) return [];
  const gone = [
    ...goodReads(record)
      .filter(({ seen }) => seen.status === "resolved" || seen.deadlinePassed)
      .map(({ ended }) => ended.free),
    ...writes.filter((it) => it.op === "resolve" && it.outcome === "ok").map(({ ended }) => ended.free),
  ];
  const touched = writes.filter(({ outcome }) => outcome !== "refused").map(({ began }) => began.at);
  const { deadline = Number.POSITIVE_INFINITY } = ask.terms;
  return [{ ask, goneFrom: Math.min(...gone), touchedAt: Math.min(deadline, ...touched) }];
}

/** What a page must show about a question: it is there, it is gone, or either is right. */
function stateAt({ ask, goneFrom, touchedAt }: Facts, view: PageView): "waiting" | "gone" | "either" {
  if (goneFrom + withinMs < view.began.free) return "gone";
  if (ask.outcome !== "ok" || !isDue(ask.ended, view)) return "either";
  return touchedAt < view.ended.at ? "either" : "waiting";
}

/** Returns a question's state for each question that may exist at the time of a view. */
const statesAt = (view: PageView, facts: ReadonlyMap<Ask, Facts>, asks: readonly Ask[]) =>
  asks
    .filter(({ outcome, began }) => outcome !== "refused" && began.at < view.ended.at)
    .map((ask) => {
      const known = facts.get(ask);
      return { question: ask.question, state: known ? stateAt(known, view) : "either" };
    });

function checkInbox(view: PageView, facts: ReadonlyMap<Ask, Facts>, asks: readonly Ask[]): string[] {
  const problems: string[] = [];
  const rows = new Set(view.rows);
  const states = statesAt(view, facts, asks);
  for (const { question, state } of states) {
    if (state === "waiting" && !rows.has(question)) problems.push(`lacked the pending question ${question}`);
    if (state === "gone" && rows.has(question)) problems.push(`showed the answered question ${question}`);
  }
  const known = new Set(states.map(({ question }) => question));
  for (const row of rows) if (!known.has(row)) problems.push(`showed the question ${row}, which nobody asked`);
  if (view.rows.length > rows.size) problems.push("showed a question twice");
  return problems;
}

/** Returns the problem with the number in the title, if there is one. */
function miscount(
  { count, ...view }: PageView,
  facts: ReadonlyMap<Ask, Facts>,
  asks: readonly Ask[],
): string | undefined {
  const states = statesAt({ ...view, count }, facts, asks).map(({ state }) => state);
  const least = states.filter((state) => state === "waiting").length;
  const most = states.filter((state) => state !== "gone").length;
  return count < least || count > most
    ? `showed the number ${count} in its title instead of ${least} to ${most}`
    : undefined;
}

function checkNotifications(view: PageView, pushes: readonly Push[]): string[] {
  const problems: string[] = [];
  const rows = new Set(view.rows);
  const made = pushes.filter(({ outcome, began }) => outcome !== "refused" && began.at < view.ended.at);
  for (const { title, outcome, ended } of made.slice(-expectedPushes))
    if (outcome === "ok" && isDue(ended, view) && !rows.has(title)) problems.push(`lacked the notification ${title}`);
  const known = new Set(made.map(({ title }) => title));
  for (const row of rows) if (!known.has(row)) problems.push(`showed the notification ${row}, which nobody sent`);
  if (view.rows.length > rows.size) problems.push("showed a notification twice");
  return problems;
}
