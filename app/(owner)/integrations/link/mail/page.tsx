import { orNotFound } from "@/app/or-not-found";
import { MailForm } from "@/components/integrations/mail-account-form";
import { Page } from "@/components/layout/page";
import { FreshForms } from "@/components/owners/disabled-until-sign-in";
import { SignInAgainNotice } from "@/components/owners/sign-in-again-notice";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { typedBefore } from "@/lib/integrations/link-mail-account";
import { openFormValues } from "@/lib/integrations/mail/mail-form";
import { mailProviders } from "@/lib/integrations/mail/providers";
import { requireOwner, signInAgainPath } from "@/lib/web/session";

export const metadata = { title: "Link a mail account" };

type Props = { searchParams: Promise<{ account?: string | string[]; typed?: string | string[] }> };

const places = mailProviders.map(({ name, domains, note, help, instead, servers }) => ({
  name,
  domains,
  takesPasswords: servers !== undefined,
  ...(note && { note }),
  ...(help && { help }),
  ...(instead && { instead }),
}));

export default async function LinkMail({ searchParams }: Props) {
  const owner = await requireOwner();
  const { account, typed: sealed } = await searchParams;
  const typed =
    typeof sealed === "string"
      ? openFormValues(owner, sealed)
      : typeof account === "string"
        ? await orNotFound(typedBefore(owner, account))
        : {};
  return (
    <Page
      title={typed.account ? `Reconnect ${typed.email}` : "Link a mail account"}
      back={
        typed.account
          ? { href: `/integrations/${typed.account}`, label: typed.email ?? "Linked account" }
          : { href: "/integrations/link", label: "Link an account" }
      }
    >
      {owner.fresh ? null : <SignInAgainNotice path={await signInAgainPath()} />}
      <div className="grid gap-5">
        <Card>
          <FreshForms fresh={owner.fresh}>
            <MailForm places={places} typed={typed} />
          </FreshForms>
        </Card>
        <Disclosure label="How linking works">
          <p className="max-w-[68ch] pt-1 text-muted">
            To check the account, we sign in to your mail server now and at regular intervals. Apps never get the
            password or your mail. If you remove the account, also delete the app password at your provider.
          </p>
        </Disclosure>
      </div>
    </Page>
  );
}
