import type { ItemState } from "@/components/triage/item-state";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import type { Answer, Resolution } from "@/lib/approvals/schema";
import type { ThreadEntry } from "@/lib/approvals/thread/schema";
import type { SnoozeOffer } from "@/lib/text/snooze-times";

/** An approval for display. Its background and additions are rendered on the server. */
export type InboxApproval = Omit<OwnerApproval, "backgroundContext" | "additions"> & {
  /**
   * The rendered background. Absent if the app sent none, or if the page omits it to stay small
   * (then `whole` is false).
   */
  background?: React.ReactNode;
  /** Oldest first, without bodies if `whole` is false. */
  additions: { createdAt: number; body?: React.ReactNode }[];
  whole: boolean;
  /** True even if the body was omitted. */
  hasBackground: boolean;
  /** Whether the app's text imitates this service. */
  impersonates: boolean;
};

/** How an approval ended, for an open page that may still show it as pending. */
export type RecentResolution = { id: string; resolution: Resolution; byDefault?: boolean };

/**
 * The recorded answer. `byDefault` is true if the answer is the default, recorded at the deadline.
 * `picked` is the number that the owner picked with the answer.
 */
export type DisplayResolution = Resolution & { byDefault?: boolean | undefined; picked?: string | undefined };

/** This page's latest action on an approval. Its times are `performance.now()`. */
export type AnswerState = ItemState<InboxApproval, DisplayResolution>;

/** A question's status on this page. */
export type AnswerStatus =
  | { kind: "open" }
  /** `until` is a `performance.now()` time. */
  | { kind: "held"; resolution: Resolution; until: number }
  | { kind: "ended"; resolution: Resolution }
  /** The approval expired without an answer. */
  | { kind: "passed" };

/**
 * The error after the owner picked a wrong number. `WrongNumber` replaces the options with an
 * explanation, so no other component shows this text.
 */
export const wrongNumber = "You chose the wrong number. Your answer wasn’t sent.";

/** The owner's settings that the inbox uses. */
export type Rules = { undoSeconds: 0 | 5 | 10 | 30; alwaysConfirm: boolean; snoozes: SnoozeOffer[] };

/** The URL of one decision. */
export const addressOf = (id: string) => `/approvals/${id}`;

/** The URL of an answer's receipt. */
export const receiptOf = (id: string) => `${addressOf(id)}/receipt`;

/** The first eight hexadecimal digits of a content hash, in two groups. */
export const shortHash = (contentHash: string): string =>
  contentHash.replace(/^sha256:/, "").replace(/^(.{4})(.{4}).*$/s, "$1 $2");

/** The answer as text: the option's label, or the owner's own words. */
export function answerLine({ options }: Pick<InboxApproval, "options">, { optionId, otherText }: Resolution): string {
  if (otherText !== undefined) return otherText;
  return options.find(({ id }) => id === optionId)?.label ?? optionId ?? "";
}

/** The recommended option, if the recommendation names one by ID or label. */
export const suggestedOption = ({ options, recommendation }: Pick<InboxApproval, "options" | "recommendation">) =>
  recommendation === undefined
    ? undefined
    : options.find(({ id, label }) => id === recommendation || label === recommendation);

/**
 * The owner's last question to the app, if the approval is pending and the app has added nothing
 * since.
 */
export function openQuestion({ questions, additions, status, deadlinePassed }: InboxApproval): ThreadEntry | undefined {
  const last = questions.at(-1);
  return status === "pending" && !deadlinePassed && last && (additions.at(-1)?.createdAt ?? 0) < last.createdAt
    ? last
    : undefined;
}

/** The host of an app's URL, the only part that is shown. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "");
/** The option recorded if no one answers in time. */
export const defaultOption = ({ options, defaultOptionId }: Pick<InboxApproval, "options" | "defaultOptionId">) =>
  options.find(({ id }) => id === defaultOptionId);

/** Who answered, in a few words. */
export const answeredBy = ({ byDefault }: Pick<InboxApproval, "byDefault">, { resolvedBy }: Resolution): string =>
  resolvedBy === "owner" ? "You" : byDefault ? "By default" : "By the app";

/** The status, from the server's state or this page's requests. */
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

/**
 * When this page first read each approval from the server. The remaining time counts from then,
 * regardless of the device's clock.
 */
const readAt = new WeakMap<InboxApproval, number>();

/** A held answer in the form of a resolution. */
export const heldAs = (answer: Answer, commitAt: number): Resolution => ({
  ...answer,
  resolvedBy: "owner",
  resolvedAt: Math.round(commitAt),
});

/**
 * Whether several questions can be answered together. They must come from one app, have the same
 * options in the same order, and not be high risk.
 */
export function areAlike(several: InboxApproval[]): boolean {
  const kinds = several.map(({ clientId, options }) =>
    JSON.stringify([clientId, options.map((it) => [it.id, it.label, it.style])]),
  );
  return new Set(kinds).size === 1 && several.every(({ risk }) => risk !== "high");
}
