/** Settings of which one is of no use without the other. */
const pairs = [
  ["SMTP_URL", "MAIL_FROM"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
] as const;

/** A sentence that names a setting whose other half is there alone, if there is one. */
export function missingHalf(settings: Partial<Record<(typeof pairs)[number][number], string | undefined>>) {
  for (const [one, other] of pairs) {
    if (settings[one] && !settings[other]) return `${other} is missing: ${one} needs it.`;
    if (settings[other] && !settings[one]) return `${one} is missing: ${other} needs it.`;
  }
  return undefined;
}
