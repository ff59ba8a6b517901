/**
 * Returns the path if it stays on our own site, and otherwise the inbox's. Rejects any text that a
 * browser could resolve to another site: `//evil`, `/\evil`, `https:evil`, encoded slashes, and
 * paths that become one of these.
 */
export function localPath(text: unknown): string {
  const inbox = "/approvals";
  if (typeof text !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return inbox;
  if (text.includes("\\") || /^[^?#]*%(2f|5c)/i.test(text)) return inbox;
  const base = "http://ours.invalid";
  if (!URL.canParse(text, base)) return inbox;
  const url = new URL(text, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return inbox;
  return url.pathname + url.search + url.hash;
}
