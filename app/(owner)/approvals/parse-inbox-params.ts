import { inboxUrl } from "@/components/approvals/inbox-url";
import { ApprovalFilter } from "@/lib/approvals/schema";
import { isId } from "@/lib/ids";

export type InboxSearch = Record<string, string | string[] | undefined>;

const lists: Record<string, ApprovalFilter["list"]> = { resolved: "answered", snoozed: "snoozed", passed: "passed" };

/** Reads the inbox's filter from the query. Unknown values are ignored. */
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
    from: last.from,
    to: last.to,
    // Older URLs use `before` instead of `after`.
    after: last.after ?? last.before,
  });
  const { sort, by, kind, ...rest } = parsed;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(parsed.list === "answered" ? { ...(by && { by }), ...(kind && { kind }) } : sort && { sort }),
  } as ApprovalFilter;
}

/**
 * The number of questions loaded at first, which is more than a screen shows. The rest load on
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
    /** Identifies the list. It does not change when more rows load. */
    list: inboxUrl(filter),
    /**
     * `address` is the list's URL. `query` is that URL's query, which the URLs of the list's
     * decisions keep.
     */
    address: inboxUrl({ ...filter, rows }),
    query: inboxUrl({ ...filter, rows }, ""),
  };
}
