import { providerById } from "./provider-catalog";
import type { Provider, StatusReason } from "./providers/provider";

type AccountName = { email: string; label: string | null };

/** Returns the notification that the owner must reconnect an account. */
export function reconnectNotice(account: AccountName & { provider: string; reason: StatusReason | null }) {
  const why = whyNot(account.reason, providerById(account.provider));
  return { title: `Reconnect ${nameOf(account)}`, body: `${why} ${whatNow}` };
}

/** Returns one notification for several accounts whose credentials can no longer be decrypted. */
export function whyReconnectThese(accounts: (AccountName & { provider: string })[]): { title: string; body: string } {
  const [only, ...more] = accounts;
  if (only && more.length === 0) return reconnectNotice({ ...only, reason: "credential_unreadable" });
  const names = accounts.slice(0, maxNames).map(nameOf).join(", ");
  const rest = accounts.length > maxNames ? ` and ${accounts.length - maxNames} more` : "";
  return {
    title: `Reconnect ${accounts.length} accounts`,
    body: `We can no longer decrypt the stored credentials of ${names}${rest}. Until you reconnect these accounts under Integrations, apps see that the accounts need your attention. Account IDs stay the same.`,
  };
}

/** Maximum number of accounts that a notification names. */
const maxNames = 20;

const nameOf = ({ email, label }: AccountName) => (label ? `${label} (${email})` : email);

const whatNow =
  "Apps can see that this account needs your attention. Reconnect the account under Integrations. Your apps need no changes, because the account’s ID stays the same.";

/**
 * Returns a sentence about why an account is not working.
 * @param provider undefined if the operator has removed the provider
 */
export function whyNot(reason: StatusReason | null, provider: Pick<Provider, "kind" | "name"> | undefined): string {
  const at = provider?.kind === "mail" ? "the account’s mail server" : (provider?.name ?? "the account’s provider");
  return reason !== null && Object.hasOwn(whys, reason) ? whys[reason](at) : `We can no longer sign in to ${at}.`;
}

const whys: Record<StatusReason, (provider: string) => string> = {
  invalid_grant: () => "Our access to this account was revoked or has expired.",
  revoked_at_provider: () => "Our access to this account was revoked.",
  refresh_exhausted: () => "Our permission to use this account has expired.",
  password_rejected: () => "The mail server rejected the password.",
  credential_unreadable: () => "We can no longer decrypt the stored credentials.",
  rate_limited: (it) => `We sent too many requests to ${it}.`,
  provider_down: (it) => `We can’t get a response from ${it}.`,
  provider_misbehaves: (it) => `We couldn’t read the response from ${it}.`,
  failing_too_long: (it) => `We haven’t been able to connect to ${it} for more than four days.`,
  not_configured: (it) => `This service no longer supports ${it}. Ask the operator to set up ${it} again.`,
  owner_disconnected: () => "You removed this account.",
};
