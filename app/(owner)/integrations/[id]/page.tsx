import { Access } from "@/components/integrations/access";
import { AppSwitches } from "@/components/integrations/app-switches";
import { DisconnectButton } from "@/components/integrations/disconnect-button";
import { History } from "@/components/integrations/history";
import { JustLinked } from "@/components/integrations/just-linked";
import { RenameForm } from "@/components/integrations/rename-form";
import { Standing } from "@/components/integrations/standing";
import { UndoRemoval } from "@/components/integrations/undo-removal";
import { nameOf } from "@/components/integrations/words";
import { BackKey } from "@/components/keys/back-key";
import { KeysHeading } from "@/components/keys/shortcut";
import { Page } from "@/components/layout/page";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { readActivity } from "@/lib/events/activity";
import { linkedAccount } from "@/lib/integrations/accounts";
import { requireOwner } from "@/lib/web/session";
import { orNotFound } from "../../or-not-found";
import { letAppSee, remove, rename, test, undo } from "../actions";

export const metadata = { title: "Linked account" };

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ linked?: string | string[] }> };

/** How much of an account's history its own page tells. */
const told = 8;

export default async function Account({ params, searchParams }: Props) {
  const owner = await requireOwner();
  const { id } = await params;
  const account = await orNotFound(linkedAccount(owner, id));
  const { items } = await readActivity(owner, { subject: id });
  const { linked } = await searchParams;
  const name = nameOf(account);
  const gone = account.status === "disconnected";
  const back = !gone && (linked === "new" || linked === "again") ? linked : undefined;
  const apps = <AppSwitches action={letAppSee} id={id} apps={account.apps} />;
  return (
    <KeysHeading name="Linked account">
      <Page>
        <PageHeader
          title={name}
          back={{ href: "/integrations", label: "Integrations" }}
          actions={gone ? null : <DisconnectButton action={remove} account={account} />}
        />
        <BackKey href="/integrations" />
        {account.undoMs ? <UndoRemoval action={undo} id={id} name={name} leftMs={account.undoMs} /> : null}
        <div className="grid gap-5">
          {back ? (
            <JustLinked account={account} again={back === "again"}>
              {apps}
            </JustLinked>
          ) : null}
          <Standing account={account} test={test} />
          {gone ? null : (
            <>
              <Card title="What it gives">
                <Access account={account} />
              </Card>
              {back ? null : (
                <Card id="apps" title="Apps that may see it">
                  {apps}
                </Card>
              )}
              <Card title="Name">
                <RenameForm action={rename} id={id} label={account.label} email={account.email} />
              </Card>
            </>
          )}
          <Card title="What happened">
            <History id={id} items={items.slice(0, told).map(({ id, at, sentence }) => ({ id, at, sentence }))} />
          </Card>
        </div>
      </Page>
    </KeysHeading>
  );
}
