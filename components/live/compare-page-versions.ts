/*
 * A page version in the format of `pageVersion`: `<server>-<end>-<open>,….<counts>`. The page
 * includes no transaction from `end` on, and none listed in `open`.
 */
type VersionSnapshot = { server: string; end: bigint; open: bigint[] };

function read(version: string): VersionSnapshot | undefined {
  const [, server = "", end = "", open = ""] = /^(\d+)-(\d+)-([\d,]*)/.exec(version) ?? [];
  return server ? { server, end: BigInt(end), open: (open.match(/\d+/g) ?? []).map(BigInt) } : undefined;
}

/**
 * Whether a page of version `shown` includes all that a page of version `told` includes. False if
 * the versions cannot be compared.
 */
export function covers(shown: string, told: string): boolean {
  const [page, news] = [read(shown), read(told)];
  if (!page || !news || page.server !== news.server || page.end < news.end) return false;
  return page.open.every((one) => one >= news.end || news.open.includes(one));
}
