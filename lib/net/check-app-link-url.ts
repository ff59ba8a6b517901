/**
 * Returns what is wrong with a URL that an app wants an owner to open. Undefined for a valid https
 * URL.
 */
export function webAddressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "https:") return "Must be an https address";
  // A username before the host can make a URL look as if it leads to another host.
  return url.username || url.password ? "Must not contain a username or password" : undefined;
}
