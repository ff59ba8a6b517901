/** A page's address with what is asked to see there. What is undefined is left out. */
export function addressWith(path: string, asked: Record<string, string | undefined>): string {
  const given = Object.entries(asked).filter((each): each is [string, string] => each[1] !== undefined);
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
