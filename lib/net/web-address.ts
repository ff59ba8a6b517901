/** What is wrong with an https address that an app gives an owner to open, or undefined. */
export function webAddressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "https:") return "Must be an https address";
  // Names before the host make it look like another one, and are nothing an owner should open.
  return url.username || url.password ? "Must not hold a user name or password" : undefined;
}
