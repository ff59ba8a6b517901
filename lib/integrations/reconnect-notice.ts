import { providerById } from "./catalogue";
import type { StatusReason } from "./providers/provider";

type Named = { email: string; label: string | null };

/** What the owner is told when an account works again only once they connect it again. */
export function reconnectNotice(account: Named & { provider: string; reason: StatusReason | null }) {
  const provider = providerById(account.provider)?.name ?? "Its provider";
  return {
    title: `Connect ${nameOf(account)} again`,
    body: `${(account.reason && why[account.reason]?.(provider)) ?? `${provider} does not let us in any more.`} ${whatNow}`,
  };
}

/** The same of several at once, which cannot be opened here any more. */
export function whyReconnectThese(accounts: (Named & { provider: string })[]): { title: string; body: string } {
  const [only, ...more] = accounts;
  if (only && more.length === 0) return reconnectNotice({ ...only, reason: "credential_unreadable" });
  const names = accounts.slice(0, mostNames).map(nameOf).join(", ");
  const rest = accounts.length > mostNames ? ` and ${accounts.length - mostNames} more` : "";
  return {
    title: `Connect ${accounts.length} accounts again`,
    body: `What we stored to reach them can no longer be decrypted here: ${names}${rest}. Until you reconnect them under Integrations, apps that see these accounts are told that they wait for you. Their ids stay the same.`,
  };
}

/** As many as a notification has room for. */
const mostNames = 20;

const nameOf = ({ email, label }: Named) => (label ? `${label} (${email})` : email);

const whatNow =
  "Until you reconnect it under Integrations, apps that see this account are told that it waits for you. Its id stays the same.";

const why: Partial<Record<StatusReason, (provider: string) => string>> = {
  invalid_grant: (provider) =>
    `${provider} no longer accepts what you allowed. It may have been revoked there, or have expired.`,
  revoked_at_provider: (provider) => `The access you allowed at ${provider} was revoked there.`,
  refresh_exhausted: (provider) => `The access you allowed at ${provider} has expired, and only you can renew it.`,
  password_rejected: (provider) => `${provider} no longer accepts the app password.`,
  credential_unreadable: () => "What we stored to reach it can no longer be decrypted here.",
  failing_too_long: (provider) => `${provider} has not let us in for more than four days.`,
  not_configured: (provider) => `${provider} is no longer set up here.`,
};
