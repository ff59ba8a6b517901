import { isId } from "@/lib/ids";

export type Search = Record<string, string | string[] | undefined>;

/** What an address of the inbox asks for. What is not understood counts as not asked. */
export function view(search: Search) {
  const { open, status, app, after, before } = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
  const history = status === "resolved";
  const snoozed = status === "snoozed";
  const appId = app && isId("app", app) ? app : undefined;
  const cursor = history ? before : after;
  const from = cursor && isId("apr", cursor) ? cursor : undefined;
  const list = new URLSearchParams({
    ...((history || snoozed) && { status }),
    ...(appId && { app: appId }),
    ...(from && { [history ? "before" : "after"]: from }),
  });
  return {
    open: open && isId("apr", open) ? open : undefined,
    history,
    snoozed,
    app: appId,
    from,
    /** The list's own address, and what of it the addresses of its decisions keep. */
    address: `/approvals${list.size > 0 ? `?${list}` : ""}`,
    query: list.size > 0 ? `?${list}` : "",
  };
}
