import { orNotFound } from "@/app/or-not-found";
import { ActionForm } from "@/components/actions/action-form";
import { AccountOverview } from "@/components/integrations/account-overview";
import { Access } from "@/components/integrations/account-permissions";
import { nameOf } from "@/components/integrations/account-text";
import { AppSwitches, JustLinked } from "@/components/integrations/app-access-switches";
import { DisconnectButton } from "@/components/integrations/disconnect-button";
import { UndoRemoval } from "@/components/integrations/undo-account-removal";
import { BackKey } from "@/components/keyboard/row-keys";
import { KeysHeading } from "@/components/keyboard/use-shortcut";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { Field, TextInput } from "@/components/ui/fields/field";
import { Link } from "@/components/ui/link";
import { SubmitButton } from "@/components/ui/submit-button";
import { TimeAgo } from "@/components/ui/time/time-ago";
import { readActivity } from "@/lib/activity/activity";
import { appHues } from "@/lib/grants/connected-and-former-apps";
import { linkedAccount } from "@/lib/integrations/accounts";
import { requireOwner } from "@/lib/web/session";

export const metadata = { title: "Linked account" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ linked?: string | string[] }> };

/** The maximum number of events on an account's page. */
const maxEvents = 8;

export default async function Account({ params, searchParams }: Props) {
  const owner = await requireOwner();
  const { id } = await params;
  const account = await orNotFound(linkedAccount(owner, id));
  const [{ items }, hues] = await Promise.all([readActivity(owner, { subject: id }), appHues(owner)]);
  const { linked } = await searchParams;
  const name = nameOf(account);
  const gone = account.status === "disconnected";
  const back = !gone && (linked === "new" || linked === "again") ? linked : undefined;
  const apps = <AppSwitches id={id} apps={account.apps} hues={hues} />;
  return (
    <KeysHeading name="Linked account">
      <Page
        title={name}
        back={{ href: "/integrations", label: "Integrations" }}
        actions={gone ? null : <DisconnectButton account={account} />}
      >
        <BackKey href="/integrations" />
        {account.undoMs ? <UndoRemoval id={id} name={name} leftMs={account.undoMs} /> : null}
        <div className="grid gap-5">
          {back ? (
            <JustLinked account={account} again={back === "again"}>
              {apps}
            </JustLinked>
          ) : null}
          <AccountOverview account={account} />
          {gone ? null : (
            <>
              <Card title="Permissions">
                <Access account={account} />
              </Card>
              {back ? null : (
                <Card id="apps" title="Apps that can see this account">
                  {apps}
                </Card>
              )}
              <Card title="Name">
                <RenameForm id={id} label={account.label} email={account.email} />
              </Card>
            </>
          )}
          <Card title="History">
            <History id={id} items={items.slice(0, maxEvents).map(({ id, at, sentence }) => ({ id, at, sentence }))} />
          </Card>
        </div>
      </Page>
    </KeysHeading>
  );
}

/** An event of the account, in the words of the activity page. `at` is in epoch milliseconds. */
type Happened = { id: string; at: number; sentence: string };

/** An account's events, newest first. */
const History = ({ id, items }: { id: string; items: readonly Happened[] }) => (
  <>
    {items.length === 0 ? <p className="text-muted">No activity yet.</p> : null}
    <ol>
      {items.map(({ id: event, at, sentence }) => (
        <li key={event} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <span className="min-w-0">{sentence}</span>
          <TimeAgo at={at} className="text-xs text-muted" />
        </li>
      ))}
    </ol>
    <p className="mt-1">
      <Link href={`/activity?subject=${id}`} className="link inline-flex min-h-11 items-center">
        See this account’s activity
      </Link>
    </p>
  </>
);

/** The owner's own name for an account. */
const RenameForm = ({ id, label = "", email }: { id: string; label: string | undefined; email: string }) => (
  <ActionForm act="integration.rename" fields={{ id }} done="Name saved" className="grid gap-3">
    <Field
      label="Your name for this account"
      name="label"
      hint="Use a name like “Work”, with at most 40 characters. Apps never see this name. Leave the field empty to use the account’s address."
    >
      {/* With a new key for each saved name, the field resets to that name. */}
      <TextInput key={label} defaultValue={label} placeholder={email} maxLength={80} autoComplete="off" />
    </Field>
    <div>
      <SubmitButton size="small" className="max-sm:min-h-12! max-sm:w-full">
        Save name
      </SubmitButton>
    </div>
  </ActionForm>
);
