import { inboxAddress } from "@/components/approvals/address";
import { ApprovalFilter } from "@/lib/approvals/schema";
import { isId } from "@/lib/keys/ids";

export type InboxSearch = Record<string, string | string[] | undefined>;

const lists: Record<string, ApprovalFilter["list"]> = { resolved: "answered", snoozed: "snoozed", passed: "passed" };

/** What an address of the inbox asks to see. What is not understood counts as not asked. */
export function filterFrom(search: InboxSearch): ApprovalFilter {
  const last = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, (Array.isArray(value) ? value.at(-1) : value) || undefined]),
  );
  const parsed = ApprovalFilter.parse({
    list: lists[last.status ?? ""],
    sort: last.sort,
    risk: last.risk,
    appId: last.app,
    text: last.q,
    by: last.by,
    kind: last.how,
    // Addresses of answers once had `before`.
    from: last.from,
    to: last.to,
    after: last.after ?? last.before,
  });
  const { sort, risk, by, kind, ...rest } = parsed;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(parsed.list === "answered"
      ? { ...(by && { by }), ...(kind && { kind }) }
      : { ...(sort && sort !== "longest" && { sort }), ...(risk && { risk }) }),
  } as ApprovalFilter;
}

/** The same, with the decision that is open. */
export function view(search: InboxSearch) {
  const filter = filterFrom(search);
  const { open } = search;
  return {
    filter,
    open: typeof open === "string" && isId("apr", open) ? open : undefined,
    /** The list's own address, and what of it the addresses of its decisions keep. */
    address: inboxAddress(filter),
    query: inboxAddress(filter, ""),
  };
}
