import type { ApprovalFilter } from "@/lib/approvals/schema";

type View = { [Name in keyof ApprovalFilter]?: ApprovalFilter[Name] | undefined };

const statuses = { waiting: undefined, snoozed: "snoozed", passed: "passed", answered: "resolved" };

/** The inbox's filters as its address has them. */
export function inboxQuery({ list = "waiting", sort, appId, text, by, kind, from, to, after }: View): string {
  const given = { status: statuses[list], q: text, app: appId, sort, by, how: kind, from, to, after };
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString();
}

/** The inbox, narrowed. */
export function inboxAddress(view: View): string {
  const query = inboxQuery(view);
  return query ? `/approvals?${query}` : "/approvals";
}
