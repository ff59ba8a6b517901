import type { InboxApproval, RecentResolution, Rules } from "@/components/approvals/inbox-approval";
import type { OptimisticParts } from "@/lib/form-action";
import type { InboxHead } from "./inbox-header";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  phone: boolean;
  /** Whether the rows are divided into sections and groups. Search results are not. */
  divided: boolean;
  /** The server's time, in epoch milliseconds. */
  now: number;
  /** The search words to highlight. */
  words: string | undefined;
  /**
   * The rows on this page of the list. `aside` contains questions that wait for their app's reply
   * and questions of muted apps.
   */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision named in the URL, if it is not among the rows. */
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
  /** The number of questions, at most 10,000, and the number in each group. */
  total: number;
  folds: Record<string, number>;
  /** The optimistic feedback for each action, by action name. */
  optimistic: OptimisticParts;
  title: string;
  /** The query that decision URLs keep from the list: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** The tabs and filters above the rows. */
  head: InboxHead;
  /** The pagination below the rows, and the empty state. */
  bottom: React.ReactNode;
  empty: React.ReactNode;
  rules: Rules;
};
