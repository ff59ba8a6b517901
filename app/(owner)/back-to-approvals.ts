export type ArrivalSearch = Promise<Record<string, string | string[] | undefined>>;

/** Returns a link back to Approvals if the first steps opened the page with `?from=approvals`. */
export const backToApprovals = async (search: ArrivalSearch) =>
  (await search).from === "approvals" ? { href: "/approvals", label: "Approvals" } : undefined;
