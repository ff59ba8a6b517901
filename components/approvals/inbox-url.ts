import { urlWithQuery } from "@/components/ui/url-with-query";
import type { ApprovalFilter } from "@/lib/approvals/schema";

type View = { [Name in keyof ApprovalFilter]?: ApprovalFilter[Name] | undefined } & { rows?: string | undefined };

const statuses = { waiting: undefined, snoozed: "snoozed", passed: "passed", answered: "resolved" };

/** Returns the URL of the inbox, or of another page, with these filters. */
export const inboxUrl = (
  { list = "waiting", sort, appId, text, by, kind, from, to, after, rows }: View,
  path = "/approvals",
) => urlWithQuery(path, { status: statuses[list], q: text, app: appId, sort, by, how: kind, from, to, after, rows });
