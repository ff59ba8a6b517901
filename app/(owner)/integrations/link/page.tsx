import { Missing, ProviderList } from "@/components/integrations/provider-list";
import { RowKeys } from "@/components/keyboard/row-keys";
import { Page } from "@/components/layout/page";
import { linkedAccounts } from "@/lib/integrations/accounts";
import { redirectUriOf } from "@/lib/integrations/link-account";
import { providers } from "@/lib/integrations/provider-catalog";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Link an account" };

export default async function LinkAnAccount() {
  const accounts = await linkedAccounts(await requireOwner());
  const linked = (id: string) =>
    accounts.filter(({ provider, status }) => provider === id && status !== "disconnected").length;
  const all = providers().map((provider) => ({ ...provider, linked: linked(provider.id) }));
  const missing = all.filter(({ ready }) => !ready);
  return (
    <Page title="Link an account" back={{ href: "/integrations", label: "Integrations" }}>
      <RowKeys name="Link an account" row="place" />
      <div className="grid gap-5">
        <ProviderList providers={all.filter(({ ready }) => ready)} />
        {missing.length > 0 ? (
          <ul className="grid gap-1">
            {missing.map((provider) => (
              <li key={provider.id}>
                <Missing provider={provider} redirect={redirectUriOf(provider.id)} />
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Page>
  );
}
