import { providerById } from "@/lib/integrations/provider-catalog";

/** Replaces each account's provider ID with the provider's display name. */
export const withProviderNames = <Account extends { provider: string }>(accounts: readonly Account[]): Account[] =>
  accounts.map((account) => ({ ...account, provider: providerById(account.provider)?.name ?? account.provider }));
