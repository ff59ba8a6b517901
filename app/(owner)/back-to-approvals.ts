export type ArrivalSearch = Promise<Record<string, string | string[] | undefined>>;

/** The link back to Approvals on a page that the first steps opened with `?from=approvals`. */
export const backToApprovals = async (search: ArrivalSearch) =>
  (await search).from === "approvals" ? { href: "/approvals", label: "Approvals" } : undefined;
