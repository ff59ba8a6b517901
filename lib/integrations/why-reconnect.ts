import type { StatusReason } from "./schema";

type About = { provider: string; email: string; label: string | null; reason: StatusReason | null };

/** What the owner is told when an account works again only once they connect it again. */
export function whyReconnect({ email, label, reason }: About): { title: string; body: string } {
  return {
    title: `Connect ${nameOf({ email, label })} again`,
    body: `${(reason && why[reason]) ?? "It no longer works."} ${whatNow}`,
  };
}

/** The same of several at once, which cannot be opened here any more. */
export function whyReconnectThese(accounts: Pick<About, "email" | "label">[]): { title: string; body: string } {
  const [only, ...more] = accounts;
  if (only && more.length === 0) return whyReconnect({ ...only, provider: "", reason: "credential_unreadable" });
  const names = accounts.slice(0, 20).map(nameOf).join(", ");
  const rest = accounts.length > 20 ? ` and ${accounts.length - 20} more` : "";
  return {
    title: `Connect ${accounts.length} accounts again`,
    body: `What we kept to reach them can no longer be opened here: ${names}${rest}. Until you connect them again under Integrations, apps that see these accounts read that they wait for you. They stay the same accounts for them.`,
  };
}

const nameOf = ({ email, label }: Pick<About, "email" | "label">) => (label ? `${label} (${email})` : email);

const whatNow =
  "Until you connect it again under Integrations, apps that see this account read that it waits for you. It stays the same account for them.";

const why: Partial<Record<StatusReason, string>> = {
  invalid_grant:
    "Its provider no longer accepts what you allowed. That may have been taken back there, or have run out.",
  revoked_at_provider: "The access you gave was taken back at its provider.",
  refresh_exhausted: "The access you gave has run out, and its provider has only you renew it.",
  password_rejected: "Its server no longer accepts the app password.",
  credential_unreadable: "What we kept to reach it can no longer be opened here.",
  failing_too_long: "Its provider has not let us in for more than four days.",
  not_configured: "Its provider is no longer set up here.",
};
