/** Returns the error in an https URL that an app wants an owner to open, or undefined. */
export function webAddressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "https:") return "Must be an https address";
  // User info before the host can make a URL look as if it leads to another host.
  return url.username || url.password ? "Must not contain a username or password" : undefined;
}
