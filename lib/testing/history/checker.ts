import { type ApprovalRecord, approvalsOf } from "./approval-record";
import { checkAdditions } from "./check-additions";
import { checkAnswers } from "./check-answers";
import { checkEvents } from "./check-events";
import { checkFreezes } from "./check-freezes";
import { checkPages } from "./check-pages";
import { checkUses } from "./check-uses";
import { checkWebhooks } from "./check-webhooks";
import { entriesOf, groupBy, type History, type Moment, type Operation } from "./history";

/** The result of checking a history: the problems, and what was checked. */
export type Verdict = { problems: string[]; counts: Record<string, number> };

/** Checks everything that the service promises about a history. */
export function checkHistory(history: History): Verdict {
  const approvals = approvalsOf(history);
  const pages = checkPages(history);
  const problems = [
    ...checkReplies(history),
    ...approvals.flatMap((record) => [...checkAnswers(record), ...checkAdditions(record), ...checkUses(record)]),
    ...checkFreezes(history),
    ...checkEvents(history),
    ...checkWebhooks(history),
    ...pages.problems,
  ];
  return { problems, counts: { ...countsOf(history, approvals), "page checks": pages.checked, exempt: pages.exempt } };
}

/** Whether an operation belongs to the run, not to a release's dump. */
const isOfRun = ({ ended }: Operation) => ended.at > 0;
const isOperation = (entry: History[number]): entry is Operation => "outcome" in entry;

/** Only 503 tells a client that the outcome is unknown, always with the time to wait. */
const checkReplies = (history: History): string[] => [
  ...[...groupBy(history.filter(isOperation), ({ op, status }) => `${op} ${status}`)].flatMap(([, same]) => {
    const [{ op, status, reason } = { op: "", status: 0 }] = same;
    return status < 500 || status === 503 ? [] : [`The operation "${op}" got the status ${status}: ${reason ?? ""}`];
  }),
  ...new Set(
    history.flatMap((entry) =>
      isOperation(entry) && entry.lacksRetryAfter ? [`The operation "${entry.op}" got 503 without Retry-After.`] : [],
    ),
  ),
];

function countsOf(history: History, approvals: readonly ApprovalRecord[]): Record<string, number> {
  const operations = history.filter(isOperation).filter(isOfRun);
  const answers = entriesOf(history, "resolve", "answer").filter(isOfRun);
  const count = (outcome: string) => operations.filter((it) => it.outcome === outcome).length;
  return {
    operations: operations.length,
    refused: count("refused"),
    unknown: count("unknown"),
    approvals: approvals.length,
    answers: answers.filter(({ outcome }) => outcome === "ok").length,
    events: entriesOf(history, "events").reduce((sum, { events }) => sum + events.length, 0),
    webhooks: entriesOf(history, "message").length,
    troubles: entriesOf(history, "trouble").length,
    seconds: Math.round(secondsOf(history, "at")),
    responsive: Math.round(secondsOf(history, "free")),
  };
}

/** Returns for how long operations ran, and how much of this time the machine was responsive. */
function secondsOf(history: History, time: keyof Moment): number {
  const moments = history
    .filter(isOperation)
    .filter(isOfRun)
    .flatMap(({ began, ended }) => [began[time], ended[time]]);
  const [from, to] = moments.reduce(([least, most], it) => [Math.min(least, it), Math.max(most, it)], [
    Number.POSITIVE_INFINITY,
    0,
  ] as [number, number]);
  return Math.max(0, to - from) / 1000;
}
