import { providerById } from "@/lib/integrations/catalogue";

/** Accounts with their providers by the names that people know. */
export const withProviderNames = <Account extends { provider: string }>(accounts: readonly Account[]): Account[] =>
  accounts.map((account) => ({ ...account, provider: providerById(account.provider)?.name ?? account.provider }));
