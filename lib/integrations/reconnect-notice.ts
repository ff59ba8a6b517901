import { providerById } from "./catalogue";
import type { StatusReason } from "./providers/provider";

type Named = { email: string; label: string | null };

/** The owner's notification that they must reconnect an account. */
export function reconnectNotice(account: Named & { provider: string; reason: StatusReason | null }) {
  const provider = providerById(account.provider)?.name ?? "Its provider";
  return {
    title: `Connect ${nameOf(account)} again`,
    body: `${(account.reason && why[account.reason]?.(provider)) ?? `${provider} no longer lets us in.`} ${whatNow}`,
  };
}

/** The notification for several accounts that can no longer be decrypted here. */
export function whyReconnectThese(accounts: (Named & { provider: string })[]): { title: string; body: string } {
  const [only, ...more] = accounts;
  if (only && more.length === 0) return reconnectNotice({ ...only, reason: "credential_unreadable" });
  const names = accounts.slice(0, mostNames).map(nameOf).join(", ");
  const rest = accounts.length > mostNames ? ` and ${accounts.length - mostNames} more` : "";
  return {
    title: `Connect ${accounts.length} accounts again`,
    body: `Stored credentials can no longer be decrypted here: ${names}${rest}. Until you reconnect these accounts under Integrations, apps with access to them see that they need you. Their IDs stay the same.`,
  };
}

/** The number of accounts that fit in a notification. */
const mostNames = 20;

const nameOf = ({ email, label }: Named) => (label ? `${label} (${email})` : email);

const whatNow =
  "Until you reconnect it under Integrations, apps with access to this account see that it needs you. Its ID stays the same.";

const why: Partial<Record<StatusReason, (provider: string) => string>> = {
  invalid_grant: (provider) =>
    `${provider} no longer accepts the access you allowed. It may have expired or been revoked there.`,
  revoked_at_provider: (provider) => `The access you allowed at ${provider} was revoked there.`,
  refresh_exhausted: (provider) => `The access you allowed at ${provider} has expired, and only you can renew it.`,
  password_rejected: (provider) => `${provider} no longer accepts the app password.`,
  credential_unreadable: () => "Its stored credential can no longer be decrypted here.",
  failing_too_long: (provider) => `${provider} has not let us in for more than four days.`,
  not_configured: (provider) => `${provider} is no longer set up here.`,
};
