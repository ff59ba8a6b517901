import { providerById } from "@/lib/integrations/provider-catalog";

/** Adds the providers' display names to accounts. */
export const withProviderNames = <Account extends { provider: string }>(accounts: readonly Account[]): Account[] =>
  accounts.map((account) => ({ ...account, provider: providerById(account.provider)?.name ?? account.provider }));
