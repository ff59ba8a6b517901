import { notFound } from "next/navigation";
import { undefinedOn } from "@/app/or-not-found";
import { isLinkProblem, OtherAccount, Problem } from "@/components/integrations/account-link-error";
import { nameOf } from "@/components/integrations/account-text";
import { DataTypesForm } from "@/components/integrations/data-types-form";
import { Missing } from "@/components/integrations/provider-list";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { type AccountDetails, linkedAccount } from "@/lib/integrations/accounts";
import { openMismatch } from "@/lib/integrations/encrypt-wrong-account-email";
import { redirectUriOf } from "@/lib/integrations/link-account";
import { chosenIn, type Query } from "@/lib/integrations/link-form-query";
import { providerById } from "@/lib/integrations/provider-catalog";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Link an account" };

type Props = { params: Promise<{ provider: string }>; searchParams: Promise<Query> };

export default async function Kinds({ params, searchParams }: Props) {
  const owner = await requireOwner();
  const [{ provider: id }, query] = await Promise.all([params, searchParams]);
  const provider = providerById(id);
  if (provider?.kind !== "oauth") notFound();
  // If the query names one of the owner's accounts at this provider, the page reconnects it.
  // Otherwise, the page links a new account.
  const named = await undefinedOn(404, linkedAccount(owner, String(query.account)));
  const account = named?.provider === id ? named : undefined;
  const selected = provider.offers.filter((access) => (chosenIn(query) ?? account?.asks ?? []).includes(access));
  const { problem } = query;
  const other = problem === "other_account" && account;
  return (
    <Page
      title={account ? titleFor(account) : `Link your ${provider.name} account`}
      back={
        account
          ? { href: `/integrations/${account.id}`, label: nameOf(account) }
          : { href: "/integrations/link", label: "Link an account" }
      }
    >
      <div className="grid gap-5">
        {isLinkProblem(problem) ? <Problem problem={problem} name={provider.name} /> : null}
        {!provider.ready ? (
          <Card>
            <Missing provider={provider} redirect={redirectUriOf(id)} />
          </Card>
        ) : other ? (
          <OtherAccount account={other} email={openMismatch(other.id, query.other)} access={selected} />
        ) : (
          <DataTypesForm
            provider={provider}
            {...(account && { account: { id: account.id } })}
            selected={selected}
            stale={!owner.fresh}
          />
        )}
      </div>
    </Page>
  );
}

const titleFor = (account: AccountDetails) =>
  account.status === "connected" || account.status === "error"
    ? `Edit permissions for ${nameOf(account)}`
    : `Reconnect ${nameOf(account)}`;
