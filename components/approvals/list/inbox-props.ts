import type { InboxApproval, RecentResolution, Rules } from "@/components/approvals/inbox-approval";
import type { OptimisticParts } from "@/lib/form-action";
import type { InboxHead } from "./inbox-header";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  phone: boolean;
  /** Whether the rows are divided into sections and groups. Search results are not. */
  divided: boolean;
  /** The server's time. */
  now: number;
  /** The search words to highlight. */
  words: string | undefined;
  /**
   * The rows on this page of the list. `aside` contains questions that wait for their app's reply,
   * and questions of muted apps.
   */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision that the URL names, if it is not among the rows. */
  extra?: InboxApproval | undefined;
  opened?: string | undefined;
  /**
   * Recently resolved questions. `overtaken` contains those that the app resolved while the owner's
   * answer was held.
   */
  endings: RecentResolution[];
  overtaken: InboxApproval[];
  /** Whether more rows can be loaded. */
  grows: boolean;
  /** Whether the list includes questions from every app. */
  everyApp: boolean;
  /** The total, at most 10,000, and each group's total. */
  total: number;
  folds: Record<string, number>;
  /** The optimistic feedback of actions, by action name. */
  optimistic: OptimisticParts;
  title: string;
  /** The list's query in a decision's URL: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** The tabs and filters above the rows. */
  head: InboxHead;
  /** The pagination below the rows, and the empty state. */
  bottom: React.ReactNode;
  empty: React.ReactNode;
  rules: Rules;
};
