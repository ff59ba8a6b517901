import { providerById } from "./catalogue";
import type { StatusReason } from "./providers/provider";

type AccountName = { email: string; label: string | null };

/** The owner's notification that they must reconnect an account. */
export function reconnectNotice(account: AccountName & { provider: string; reason: StatusReason | null }) {
  const provider = providerById(account.provider)?.name ?? "Its provider";
  return {
    title: `Reconnect ${nameOf(account)}`,
    body: `${(account.reason && why[account.reason]?.(provider)) ?? `${provider} no longer accepts our sign-in.`} ${whatNow}`,
  };
}

/** The notification for several accounts that can no longer be decrypted here. */
export function whyReconnectThese(accounts: (AccountName & { provider: string })[]): { title: string; body: string } {
  const [only, ...more] = accounts;
  if (only && more.length === 0) return reconnectNotice({ ...only, reason: "credential_unreadable" });
  const names = accounts.slice(0, maxNames).map(nameOf).join(", ");
  const rest = accounts.length > maxNames ? ` and ${accounts.length - maxNames} more` : "";
  return {
    title: `Reconnect ${accounts.length} accounts`,
    body: `Stored credentials can no longer be decrypted here: ${names}${rest}. Apps see that these accounts need your attention until you reconnect them under Integrations. Account IDs stay the same.`,
  };
}

/** The number of accounts that fit in a notification. */
const maxNames = 20;

const nameOf = ({ email, label }: AccountName) => (label ? `${label} (${email})` : email);

const whatNow =
  "Apps see that this account needs your attention until you reconnect it under Integrations. Its ID stays the same.";

const why: Partial<Record<StatusReason, (provider: string) => string>> = {
  invalid_grant: (provider) =>
    `${provider} no longer accepts the access you allowed. It may have expired or been revoked there.`,
  revoked_at_provider: (provider) => `The access you allowed at ${provider} was revoked there.`,
  refresh_exhausted: (provider) => `The access you allowed at ${provider} has expired, and only you can renew it.`,
  password_rejected: (provider) => `${provider} no longer accepts the app password.`,
  credential_unreadable: () => "The stored credential can no longer be decrypted.",
  failing_too_long: (provider) => `We haven’t been able to connect to ${provider} for more than four days.`,
  not_configured: (provider) => `${provider} is no longer set up here.`,
};
