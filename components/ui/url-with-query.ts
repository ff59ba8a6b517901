/** Returns a page's URL with a query. Undefined values are omitted. */
export function urlWithQuery(path: string, asked: Record<string, string | undefined>): string {
  const given = Object.entries(asked).filter((each): each is [string, string] => each[1] !== undefined);
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
