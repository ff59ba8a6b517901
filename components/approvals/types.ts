import type { ItemState } from "@/components/triage/transitions";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import type { Answer, Resolution } from "@/lib/approvals/schema";
import type { ThreadEntry } from "@/lib/approvals/thread/schema";
import type { SnoozeOffer } from "@/lib/owners/snooze";

/** An approval ready to be shown: its background, and what was added, are rendered on the server. */
export type InboxApproval = Omit<OwnerApproval, "backgroundContext" | "additions"> & {
  /** Rendered; absent where the app gave none, or where it was left out to keep the page small (then `whole` is false). */
  background?: React.ReactNode;
  /** Oldest first; without their bodies where `whole` is false. */
  additions: { createdAt: number; body?: React.ReactNode }[];
  whole: boolean;
  /** Also where it is left out. */
  hasBackground: boolean;
  /** Whether its words might pass for this service's own. */
  impersonates: boolean;
};

/** How an approval ended that this page may still be showing as waiting. */
export type RecentResolution = { id: string; resolution: Resolution; byDefault?: boolean };

/** What was decided; by its default where the app's answer is what nobody gave. */
export type DisplayResolution = Resolution & { byDefault?: boolean | undefined };

/** What this page is doing, or has done, about an approval. Its times are this page's own, `performance.now()`. */
export type AnswerState = ItemState<InboxApproval, DisplayResolution>;

/** How a question stands for whoever looks at this page. */
export type AnswerStatus =
  | { kind: "open" }
  /** `until` by this page's own clock, `performance.now()`. */
  | { kind: "held"; resolution: Resolution; until: number }
  | { kind: "ended"; resolution: Resolution }
  /** Nobody was in time. */
  | { kind: "passed" };

/** What the owner chose, as far as the inbox goes by it. */
export type Rules = { undoSeconds: 0 | 5 | 10 | 30; alwaysConfirm: boolean; snoozes: SnoozeOffer[] };

/** Where one decision has its own address. */
export const addressOf = (id: string) => `/approvals/${id}`;

/** What was answered, in one line: the option's label, or the first words of the text. */
export function answerLine({ options }: Pick<InboxApproval, "options">, { optionId, otherText }: Resolution): string {
  if (otherText !== undefined) return otherText;
  return options.find(({ id }) => id === optionId)?.label ?? optionId ?? "";
}

/** The option that the app recommends, when its recommendation names one by id or label. */
export const suggestedOption = ({ options, recommendation }: Pick<InboxApproval, "options" | "recommendation">) =>
  recommendation === undefined
    ? undefined
    : options.find(({ id, label }) => id === recommendation || label === recommendation);

/** What the owner asked last, while the app has added nothing since. */
export function openQuestion({ questions, additions, status, deadlinePassed }: InboxApproval): ThreadEntry | undefined {
  const last = questions.at(-1);
  return status === "pending" && !deadlinePassed && last && (additions.at(-1)?.createdAt ?? 0) < last.createdAt
    ? last
    : undefined;
}

/** The host of an address that an app gave, which is all of it that is shown. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "");
/** The option recorded if nobody answers in time. */
export const defaultOption = ({ options, defaultOptionId }: Pick<InboxApproval, "options" | "defaultOptionId">) =>
  options.find(({ id }) => id === defaultOptionId);

/** Whose answer it was, in a word or two. */
export const answeredBy = ({ byDefault }: Pick<InboxApproval, "byDefault">, { resolvedBy }: Resolution): string =>
  resolvedBy === "owner" ? "You" : byDefault ? "By default" : "By the app";

/** By the server's word, or by what this page has sent there. */
export function answerStatusOf(approval: InboxApproval, answer: AnswerState | undefined): AnswerStatus {
  const open = { kind: approval.deadlinePassed ? ("passed" as const) : ("open" as const) };
  if (approval.resolution) return { kind: "ended", resolution: approval.resolution };
  switch (answer?.phase) {
    case "undoing":
    case "undone":
      return open;
    case "done":
    case "beaten":
      return { kind: "ended", resolution: answer.outcome };
    case "sending":
      if (answer.leftMs === 0) return { kind: "ended", resolution: answer.outcome };
      return { kind: "held", resolution: answer.outcome, until: answer.at + answer.leftMs };
    case "held":
      return { kind: "held", resolution: answer.outcome, until: answer.at + answer.leftMs };
  }
  const { held } = approval.triage;
  if (!held) return open;
  const read = readAt.get(approval) ?? performance.now();
  readAt.set(approval, read);
  return { kind: "held", resolution: heldAs(held.answer, held.commitAt), until: read + held.leftMs };
}

/** When this page first looked at what the server had said: how long is left counts from there, whatever its clock shows. */
const readAt = new WeakMap<InboxApproval, number>();

/** A held answer as the resolution that it will be. */
export const heldAs = (answer: Answer, commitAt: number): Resolution => ({
  ...answer,
  resolvedBy: "owner",
  resolvedAt: Math.round(commitAt),
});

/** Whether several questions can take one answer: one app's, with the same options in the same order, and none of high risk. */
export function areAlike(several: InboxApproval[]): boolean {
  const kinds = several.map(({ clientId, options }) =>
    JSON.stringify([clientId, options.map((it) => [it.id, it.label, it.style])]),
  );
  return new Set(kinds).size === 1 && several.every(({ risk }) => risk !== "high");
}
