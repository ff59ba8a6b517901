import type { InboxApproval, RecentResolution, Rules } from "@/components/approvals/types";
import type { OptimisticParts } from "@/lib/action";
import type { InboxHead } from "./inbox-top";

export type InboxProps = {
  view: "waiting" | "snoozed" | "passed";
  phone: boolean;
  /** Whether the rows stand in sections and groups; search results do not. */
  divided: boolean;
  /** The server's time. */
  now: number;
  /** The words of a search, which are marked. */
  words: string | undefined;
  /**
   * The rows of this page of the list, and the asides: questions that wait for their app, or of
   * muted apps.
   */
  listed: InboxApproval[];
  aside: InboxApproval[];
  /** The decision in the URL, which may not be among the rows. */
  extra?: InboxApproval | undefined;
  opened?: string | undefined;
  /** Recent endings, and those by the app while the owner's answer was held. */
  endings: RecentResolution[];
  overtaken: InboxApproval[];
  /** Whether more rows can be loaded. */
  grows: boolean;
  /** Whether the list has the questions of every app. */
  everyApp: boolean;
  /** The total, at most 10,000, and the total of each group. */
  total: number;
  folds: Record<string, number>;
  /** The immediate feedback of actions, by name. */
  optimistic: OptimisticParts;
  title: string;
  /** The list's query in a decision's URL: "" or "?app=…". */
  query: string;
  listAddress: string;
  /** Tabs and filters above the rows. */
  head: InboxHead;
  /** Paging below the rows, and the empty state. */
  bottom: React.ReactNode;
  empty: React.ReactNode;
  rules: Rules;
};
