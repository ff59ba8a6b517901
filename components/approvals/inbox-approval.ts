import type { ItemState } from "@/components/triage/item-state";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import type { Answer, Resolution } from "@/lib/approvals/schema";
import type { ThreadEntry } from "@/lib/approvals/thread/schema";
import type { SnoozeOffer } from "@/lib/text/snooze-times";

/** An approval for display. Its background and additions are rendered on the server. */
export type InboxApproval = Omit<OwnerApproval, "backgroundContext" | "additions"> & {
  /**
   * The rendered background. Undefined if the app sent none, or if the page omits it to stay small
   * (then `whole` is false).
   */
  background?: React.ReactNode;
  /** The additions, oldest first. If `whole` is false, they have no bodies. */
  additions: { createdAt: number; body?: React.ReactNode }[];
  whole: boolean;
  /** Whether the app sent background, even if the page omits it. */
  hasBackground: boolean;
  /** Whether the app's text imitates messages of this service. */
  impersonates: boolean;
  /** Present if the owner's passkey signed the answer, with whether the passkey can be synced. */
  signed?: { synced: boolean };
};

/** How an approval ended, for an open page that may still show it as pending. */
export type RecentResolution = { id: string; resolution: Resolution; byDefault?: boolean };

/**
 * The recorded answer. `byDefault` is true if the default was recorded at the deadline. `picked` is
 * the number that the owner chose to confirm the answer.
 */
export type DisplayResolution = Resolution & { byDefault?: boolean | undefined; picked?: string | undefined };

/** This page's latest action on an approval. Its times come from `performance.now()`. */
export type AnswerState = ItemState<InboxApproval, DisplayResolution>;

/** A question's status on this page. */
export type AnswerStatus =
  | { kind: "open" }
  /** `until` is a `performance.now()` time. */
  | { kind: "held"; resolution: Resolution; until: number }
  | { kind: "ended"; resolution: Resolution }
  /** The approval expired without an answer. */
  | { kind: "passed" }
  /** The approval can't be answered until the owner unfreezes its app. */
  | { kind: "frozen" };

/**
 * The error message for a wrong number. Other components skip this message, because `WrongNumber`
 * explains the error in place of the options.
 */
export const wrongNumber = "You chose the wrong number. Your answer wasn’t sent.";

/** The owner's settings that the inbox uses. */
export type Rules = { undoSeconds: 0 | 5 | 10 | 30; alwaysConfirm: boolean; snoozes: SnoozeOffer[] };

/** Returns the URL of a question's page. */
export const addressOf = (id: string) => `/approvals/${id}`;

/** Returns the URL of an answer's receipt. */
export const receiptOf = (id: string) => `${addressOf(id)}/receipt`;

/** Returns the first eight hexadecimal digits of a content hash, in two groups of four. */
export const shortHash = (contentHash: string): string =>
  contentHash.replace(/^sha256:/, "").replace(/^(.{4})(.{4}).*$/s, "$1 $2");

/** Returns the answer as text: the option's label, or the owner's own words. */
export function answerLine({ options }: Pick<InboxApproval, "options">, { optionId, otherText }: Resolution): string {
  if (otherText !== undefined) return otherText;
  return options.find(({ id }) => id === optionId)?.label ?? optionId ?? "";
}

/** Returns the recommended option, if the recommendation names one by ID or label. */
export const suggestedOption = ({ options, recommendation }: Pick<InboxApproval, "options" | "recommendation">) =>
  recommendation === undefined
    ? undefined
    : options.find(({ id, label }) => id === recommendation || label === recommendation);

/**
 * Returns the owner's last question to the app, if the approval is pending and the app has added
 * nothing since.
 */
export function openQuestion({ questions, additions, status, deadlinePassed }: InboxApproval): ThreadEntry | undefined {
  const last = questions.at(-1);
  return status === "pending" && !deadlinePassed && last && (additions.at(-1)?.createdAt ?? 0) < last.createdAt
    ? last
    : undefined;
}

/**
 * Returns the host of an app's URL, the only part that pages show. Returns an empty string if the
 * URL is invalid.
 */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : "");
/** Returns the option that is recorded if no one answers in time. */
export const defaultOption = ({ options, defaultOptionId }: Pick<InboxApproval, "options" | "defaultOptionId">) =>
  options.find(({ id }) => id === defaultOptionId);

/** Returns a short description of who answered, such as "You" or "By default". */
export const answeredBy = ({ byDefault }: Pick<InboxApproval, "byDefault">, { resolvedBy }: Resolution): string =>
  resolvedBy === "owner" ? "You" : byDefault ? "By default" : "By the app";

/** Returns a question's status, from the server's state and this page's requests. */
export function answerStatusOf(approval: InboxApproval, answer: AnswerState | undefined): AnswerStatus {
  const open: AnswerStatus = { kind: approval.deadlinePassed ? "passed" : approval.frozen ? "frozen" : "open" };
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
 * When this page first received each approval from the server. The remaining time is counted from
 * then, so that it doesn't depend on the device's clock.
 */
const readAt = new WeakMap<InboxApproval, number>();

/** Converts a held answer to a resolution. */
export const heldAs = (answer: Answer, commitAt: number): Resolution => ({
  ...answer,
  resolvedBy: "owner",
  resolvedAt: Math.round(commitAt),
});

/**
 * Whether the questions can be answered together. They must come from the same app and have the
 * same options in the same order, and none may be high risk or have fields.
 */
export function areAlike(several: InboxApproval[]): boolean {
  const kinds = several.map(({ clientId, options }) =>
    JSON.stringify([clientId, options.map((it) => [it.id, it.label, it.style])]),
  );
  return new Set(kinds).size === 1 && several.every(({ risk, fields }) => risk !== "high" && !fields);
}
