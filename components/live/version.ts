/*
 * What a page was read with, and what news is about, as `pageVersion` writes it: `<server>-<end>-<open>,….<counts>`. Transactions
 * from `end` on, and those that were open, could not be seen.
 */
type Seen = { server: string; end: bigint; open: bigint[] };

function read(version: string): Seen | undefined {
  const [, server = "", end = "", open = ""] = /^(\d+)-(\d+)-([\d,]*)/.exec(version) ?? [];
  return server ? { server, end: BigInt(end), open: (open.match(/\d+/g) ?? []).map(BigInt) } : undefined;
}

/** Whether a page of the version `shown` has everything that was there for `told`; false where that cannot be known. */
export function covers(shown: string, told: string): boolean {
  const [page, news] = [read(shown), read(told)];
  if (!page || !news || page.server !== news.server || page.end < news.end) return false;
  return page.open.every((one) => one >= news.end || news.open.includes(one));
}
