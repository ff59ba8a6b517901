import { inboxUrl } from "@/components/approvals/inbox-url";
import { ApprovalFilter } from "@/lib/approvals/schema";
import { isId } from "@/lib/ids";

export type InboxSearch = Record<string, string | string[] | undefined>;

const lists: Record<string, ApprovalFilter["list"]> = { resolved: "answered", snoozed: "snoozed", passed: "passed" };

/** Reads the inbox's view from the query. Unknown values are ignored. */
export function filterFrom(search: InboxSearch): ApprovalFilter {
  const last = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, (Array.isArray(value) ? value.at(-1) : value) || undefined]),
  );
  const parsed = ApprovalFilter.parse({
    list: lists[last.status ?? ""],
    sort: last.sort,
    appId: last.app,
    text: last.q,
    by: last.by,
    kind: last.how,
    // Older answer URLs used `before`.
    from: last.from,
    to: last.to,
    after: last.after ?? last.before,
  });
  const { sort, by, kind, ...rest } = parsed;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(parsed.list === "answered" ? { ...(by && { by }), ...(kind && { kind }) } : sort && { sort }),
  } as ApprovalFilter;
}

/**
 * How many questions the inbox loads at first. It is more than a screen shows. The rest load on
 * demand.
 */
const first = 15;

/** Reads the view, the open decision and the number of rows from the query. */
export function parseInboxParams(search: InboxSearch) {
  const filter = filterFrom(search);
  const { list, text, after } = filter;
  const { open } = search;
  const grows = list !== "answered" && text === undefined && after === undefined;
  const rows = grows && search.rows === "50" ? "50" : undefined;
  return {
    filter,
    open: typeof open === "string" && isId("apr", open) ? open : undefined,
    maxRows: grows && !rows ? first : 50,
    /** Identifies a list, regardless of the number of rows. */
    list: inboxUrl(filter),
    /**
     * `address` is the list's URL, and `query` is its query. The URLs of the list's decisions keep
     * the query.
     */
    address: inboxUrl({ ...filter, rows }),
    query: inboxUrl({ ...filter, rows }, ""),
  };
}
